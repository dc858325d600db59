/* How long the next step may be, from how the error of one compares with what is allowed. */
#ifndef CAROM_SOLVE_CONTROL_H
#define CAROM_SOLVE_CONTROL_H

struct carom_control {
    double safety; /* below 1: a step that errs too much by a little costs as much as one that errs by far */
    double power;  /* an error of h^(p + 1) lets steps go with (allowed / error)^(1 / (p + 1)); negative where the ratio
                      is told the other way round, as error / allowed */
    double least, most; /* factors: one step says little about others much shorter or longer */
};

/* By what to multiply the step. No error gives `most`, one that is not a number or infinite `least`. */
double carom_control_factor(const struct carom_control *control, double ratio);

#endif
