/* Explicit Runge-Kutta tableaux of orders 2 to 8, and two linear forms of the slopes for each that tell how large the
 * error of a step is. Numbers only; who steps is elsewhere. */
#ifndef CAROM_SCHEME_TABLEAU_EXPLICIT_H
#define CAROM_SCHEME_TABLEAU_EXPLICIT_H

#define CAROM_TABLEAU_EXPLICIT_LEAST 2
#define CAROM_TABLEAU_EXPLICIT_MOST 8
#define CAROM_TABLEAU_EXPLICIT_STAGES 11

/* k_i = f(t + c_i h, y + h sum_j a_ij k_j), y1 = y + h sum b_i k_i; the slope at y1 is called k_stages.
 * near = h sum fine_i k_i is about h^(m+1) y^(m+1) / (m+1)!, far = h sum coarse_i k_i about h^m y^(m) / m!, with m =
 * `sees`, both sums over all stages and k_stages. The error of the step is about
 *     factor |near| (|near| / |far|)^(order - m):
 * it goes with h^(order + 1) and is proportional to y. */
struct carom_tableau_explicit {
    int order, stages, sees;
    double factor;
    double a[CAROM_TABLEAU_EXPLICIT_STAGES][CAROM_TABLEAU_EXPLICIT_STAGES - 1];
    double b[CAROM_TABLEAU_EXPLICIT_STAGES], c[CAROM_TABLEAU_EXPLICIT_STAGES];
    double fine[CAROM_TABLEAU_EXPLICIT_STAGES + 1], coarse[CAROM_TABLEAU_EXPLICIT_STAGES + 1];
};

/* The tableau of that order. */
const struct carom_tableau_explicit *carom_tableau_explicit_of(int order);

/* The error of a step whose forms are of this size. */
double carom_tableau_explicit_error(const struct carom_tableau_explicit *tableau, double fine, double coarse);

/* The error of an integral over the step of something whose forms are of this size: (order + 1) derivatives of it are
 * `order` of that, which the forms see one sooner; `ratio` is how all forms fall, at most 1. */
double carom_tableau_explicit_error_of_integral(const struct carom_tableau_explicit *tableau, double h, double fine,
                                                double coarse, double ratio);

/* The error of the same step by another tableau, guessed: derivatives are taken to go on growing as they do between the
 * two forms. */
double carom_tableau_explicit_guess(const struct carom_tableau_explicit *tableau, double fine, double coarse,
                                    const struct carom_tableau_explicit *other);

#endif
