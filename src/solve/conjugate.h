/* Conjugate gradients for sparse systems that only a callback knows: symmetric positive definite ones, and complex
 * symmetric ones (not Hermitian) by the same recursion with products that are not conjugated (COCG). Sums are taken in
 * one fixed order, so that the answer has the same bits however the callbacks share their work. */
#ifndef CAROM_SOLVE_CONJUGATE_H
#define CAROM_SOLVE_CONJUGATE_H

#include <stdbool.h>
#include <stddef.h>

/* n unknowns; complex vectors have 2 n numbers, all real parts before all imaginary ones. */
struct carom_conjugate {
    size_t n;
    double *x;                                               /* the answer; the start is 0 */
    double *rest;                                            /* the right-hand side, then what is left of it */
    double *eased, *way, *image;                             /* room */
    void (*apply)(void *own, const double *in, double *out); /* the matrix */
    void (*ease)(void *own, const double *in, double *out);  /* an approximation of its inverse, symmetric too */
    void *own;
};

/* Until the rest is below `tolerance` times what it was, or after `most` products; returns their number. *solved: was
 * the tolerance reached? */
size_t carom_conjugate_real(const struct carom_conjugate *c, double tolerance, size_t most, bool *solved);
size_t carom_conjugate_complex(const struct carom_conjugate *c, double tolerance, size_t most, bool *solved);

/* a.b in four sums side by side. */
double carom_conjugate_dot(size_t n, const double *a, const double *b);

#endif
