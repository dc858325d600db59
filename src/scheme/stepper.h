/* What schemes share: step sizes that end exactly where they must, the clock, counting, and cubic dense output. */
#ifndef CAROM_SCHEME_STEPPER_H
#define CAROM_SCHEME_STEPPER_H

#include "carom/scheme.h"
#include "model/motion.h"

/* The options of schemes that ask for a step and nothing else. */
struct carom_stepper_options {
    double step;
};
extern const struct carom_param carom_stepper_params[];

/* Is an option of a scheme worth telling? A default was chosen by nobody, and a tol or step of 0 is none; but how
 * impacts are worked out, which tol and which step always are. */
bool carom_stepper_tells(const struct carom_param *option, double value);

/* The option tol as the scene has it, for sentences: pilots fly at others. */
double carom_stepper_tol(const struct carom_stepper *stepper);

/* Notes a step of size h in the counts. */
void carom_stepper_count(struct carom_stepper *stepper, double h);

/* The residual that rounding alone may leave of an implicit step, where the unknown is of size `longest` and `response`
 * is what forces make of the places they are worked out at: a few roundings of both (1e-15), half a rounding of the
 * scene's own length (1e-16), where all are at rest, and never 0. */
double carom_stepper_noise(const struct carom_stepper *stepper, double longest, double response);

/* `step`, or what is left to t_stop if that is less (or more by rounding only). */
double carom_stepper_size(const struct carom_state *state, double step, double t_stop);

/* Moves the clock and the step count after a step of size h; exactly onto t_stop if it ends there. */
void carom_stepper_arrive(struct carom_state *state, double h, double t_stop);

/* Turns the page: the state becomes stepper->before, and `state` holds an old block to be written, with clock, tallies
 * of parts and memory carried over; q, v, history, lost and clipped are not. */
void carom_stepper_begin_step(struct carom_stepper *stepper, struct carom_state *state);

/* The same, carrying only the first `carried` numbers of the memory: the scheme keeps the rest alike in both blocks. */
void carom_stepper_turn_some(struct carom_stepper *stepper, struct carom_state *state, size_t carried);

/* What steps of a run may err by is so many times what those of a finer pilot may. */
enum { CAROM_STEPPER_FINER = 16 };

/* The longest step that something else than errors allows, half of it in a finer pilot: both would err alike. */
static inline double carom_stepper_longest(const struct carom_stepper *stepper, double longest)
{
    return stepper->finer ? 0.5 * longest : longest;
}

/* Notes that bounces of a contact are not followed, the first of them so high: they go 2 height (1 + e^2 + e^4 + ...)
 * in all, which is what their velocities amount to on average over a run that crosses U at least once. */
void carom_stepper_leave_out(struct carom_stepper *stepper, double height, double e);

/* Notes what rounding made of an impact after which Moreau's law asks for the rate -e before. */
void carom_stepper_blur(struct carom_stepper *stepper, double before, double after, double e);

/* `sync` of schemes whose states are views already. */
void carom_stepper_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view);

/* `velocities` of schemes whose v is physical. */
void carom_stepper_velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                              double *v);

/* Is t the time of a state, the end of a step of size h, but for rounding? A view at t is then one of that state, not
 * of what came right before or after it. */
bool carom_stepper_meets(const struct carom_state *state, double t, double h);

/* Has the call reached its bound? `taken` steps are behind it. */
static inline bool carom_stepper_done(const struct carom_stepper *stepper, const struct carom_state *state,
                                      const struct carom_bound *bound, size_t taken)
{
    return taken >= bound->steps || carom_state_until(state, bound->t_stop) <= 0.0 || bound->t_dense <= state->time ||
           (bound->watch && stepper->switched);
}

/* Another step in a call of a scheme that `looks`? */
static inline bool carom_stepper_goes_on(const struct carom_stepper *stepper, const struct carom_state *state,
                                         const struct carom_bound *bound, size_t taken)
{
    return taken == 0 || (!carom_stepper_done(stepper, state, bound, taken) &&
                          (!bound->look || state->step < *bound->look_from || bound->look(bound->own)));
}

#endif
