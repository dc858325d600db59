/* The contact problem of the last step of moreau-jean on bodies, for those who want to solve it elsewhere. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_PROBLEM_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_PROBLEM_H

#include "scheme/rigid/moreau/moreau_graph.h"
#include "solve/contact/friction_data.h"

/* As `problem` of struct carom_scheme. */
enum carom_status carom_moreau_problem(struct carom_stepper *stepper, struct carom_friction_data *data, double **r,
                                       double **u, struct carom_error *error);

#endif
