/* Two-stage Runge-Kutta tableaux read as tailored dissipation: James, Vorotnikov and Brogliato 2020, sections 3.3, 3.4
 * and A.1. Applied to the undamped chain with step h, a tableau imitates the viscous time 2 C11 h. Numbers only: the
 * schemes are elsewhere. */
#ifndef CAROM_SCHEME_TABLEAU_H
#define CAROM_SCHEME_TABLEAU_H

#include <stdbool.h>

/* b2 = 1 - b1 */
struct carom_tableau {
    double b1, a11, a12, a21, a22;
};

struct carom_tableau_report {
    double c1, c2;        /* nodes: row sums of a */
    double c11, c21, c22; /* (49)-(51): what is missing in the order conditions, and what damps */
    double third1,
        third2;         /* (59): C22 - 2 C11 - C11^2 and C21 - C11 + C11^2; both 0: third order with gamma = 2 C11 h */
    int order;          /* of the tableau as it stands, 1 to 4 */
    int tailored_order; /* against the viscous chain with gamma = 2 C11 h: 2 or 3 */
    double over[3];     /* stability function R(z) = (over . 1, z, z^2) / (under . 1, z, z^2), (74) */
    double under[3];
    double far;    /* |R| at infinity */
    bool a_stable; /* |R| <= 1 in the left half plane */
};

/* Gauss-Legendre, order 4: (15). */
struct carom_tableau carom_tableau_gauss(void);

/* The third-order tailored tableau with the given C11 >= 0: (64)-(66). C11 = 0 is Gauss-Legendre. */
struct carom_tableau carom_tableau_tailored(double c11);

/* C11 of scheme irk for rows: gamma/(2 step), within what tailored dissipation can do. */
double carom_tableau_c11(double gamma, double step, double contact_time);

void carom_tableau_report(const struct carom_tableau *tableau, struct carom_tableau_report *report);

#endif
