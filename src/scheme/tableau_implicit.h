/* Implicit Runge-Kutta tableaux: Gauss (orders 2, 4, 6) and Radau IIA (1, 3, 5), one to three stages. */
#ifndef CAROM_SCHEME_TABLEAU_IMPLICIT_H
#define CAROM_SCHEME_TABLEAU_IMPLICIT_H

#include <stdbool.h>

#define CAROM_TABLEAU_IMPLICIT_STAGES 3

struct carom_tableau_implicit {
    int order, stages;
    double a[CAROM_TABLEAU_IMPLICIT_STAGES][CAROM_TABLEAU_IMPLICIT_STAGES];
    double b[CAROM_TABLEAU_IMPLICIT_STAGES], c[CAROM_TABLEAU_IMPLICIT_STAGES];
};

/* NULL where there is none of that order. */
const struct carom_tableau_implicit *carom_tableau_implicit_of(bool radau, int order);

#endif
