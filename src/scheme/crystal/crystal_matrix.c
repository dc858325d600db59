/* The matrix of an implicit step of a crystal, M + sum of stiff n n^T over contacts: never made, only applied, with the
 * inverses of its blocks on the diagonal beside it. Bodies gather in the order of keys, so that the bits depend on
 * nobody's threads; contacts without stiffness count for nothing. */

#include "base/threads.h"
#include "scheme/crystal/crystal.h"
#include "solve/conjugate.h"

void carom_crystal_matrix_gather(const struct carom_crystal *w, const double (*share)[3], size_t i, double sum[3])
{
    const struct carom_search *s = &w->search;
    sum[0] = sum[1] = sum[2] = 0.0;
    for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
        const double *of = share[s->side[at] / 2], sign = s->side[at] & 1 ? 1.0 : -1.0;
        for (int k = 0; k < 3; k++)
            sum[k] += sign * of[k];
    }
}

double carom_crystal_matrix_note(struct carom_crystal *w, size_t i)
{
    const struct carom_search *s = &w->search;
    const bool both = carom_crystal_complex(w);
    double sum = 0.0;
    size_t to = s->first[i];
    for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
        const size_t j = s->side[at] / 2;
        if (w->stiff[0][j] == 0.0)
            continue;
        sum += fabs(w->stiff[0][j]) + (both ? fabs(w->stiff[1][j]) : 0.0);
        w->side[to++] = s->side[at];
    }
    w->stiffs[i] = (uint32_t)(to - s->first[i]);
    return sum;
}

/* a product under way */
struct product {
    const struct carom_crystal *w;
    const double *in;
    double *out;
};

/* out of body i; `dim` and whether there are imaginary parts are known to the compiler */
static inline void apply_body(const struct carom_crystal *w, const double *in, double *out, size_t i, size_t dim,
                              bool both)
{
    const size_t half = w->n * dim;
    const uint64_t *side = w->side + w->search.first[i];
    const double mass = w->bodies->body[i].mass, *x = in + i * dim, *y = in + half + i * dim;
    double re[3] = {0.0, 0.0, 0.0}, im[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < dim; k++) {
        re[k] = mass * x[k];
        im[k] = both ? mass * y[k] : 0.0;
    }
    for (size_t at = 0; at < w->stiffs[i]; at++) {
        const size_t j = side[at] / 2, other = side[at] & 1 ? w->list->key[j].a : w->list->key[j].b;
        const double *n = w->along[j], *ox = in + other * dim, *oy = in + half + other * dim;
        const double stiff = w->stiff[0][j], turn = both ? w->stiff[1][j] : 0.0;
        double dx = 0.0, dy = 0.0;
        for (size_t k = 0; k < dim; k++) {
            dx += n[k] * (x[k] - ox[k]);
            dy += both ? n[k] * (y[k] - oy[k]) : 0.0;
        }
        for (size_t k = 0; k < dim; k++) {
            re[k] += (both ? stiff * dx - turn * dy : stiff * dx) * n[k];
            im[k] += both ? (stiff * dy + turn * dx) * n[k] : 0.0;
        }
    }
    for (size_t k = 0; k < dim; k++) {
        out[i * dim + k] = re[k];
        if (both)
            out[half + i * dim + k] = im[k];
    }
}

static void apply_block(void *own, size_t block)
{
    const struct product *p = own;
    const struct carom_crystal *w = p->w;
    const bool both = carom_crystal_complex(w);
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++)
        if (w->ease[i] == 0.0)
            continue; /* its numbers are 0 and stay so */
        else if (w->dim == 2)
            both ? apply_body(w, p->in, p->out, i, 2, true) : apply_body(w, p->in, p->out, i, 2, false);
        else
            both ? apply_body(w, p->in, p->out, i, 3, true) : apply_body(w, p->in, p->out, i, 3, false);
}

static void apply(void *own, const double *in, double *out)
{
    struct carom_crystal *w = own;
    struct product p = {w, in, out};
    carom_threads_run(w->threads, apply_block, &p, carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES));
}

/* --- blocks of the diagonal --------------------------------------------------------------------------------------- */

struct number {
    double re, im;
};

static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct number inverse(struct number a)
{
    const double square = a.re * a.re + a.im * a.im;
    return (struct number){a.re / square, -a.im / square};
}

/* the inverse of a symmetric block in place, by elimination: its real part is positive definite, so no pivots */
static inline void invert(size_t dim, struct number a[3][3])
{
    for (size_t k = 0; k < dim; k++) {
        const struct number pivot = inverse(a[k][k]);
        a[k][k] = (struct number){1.0, 0.0};
        for (size_t j = 0; j < dim; j++)
            a[k][j] = times(a[k][j], pivot);
        for (size_t i = 0; i < dim; i++) {
            if (i == k)
                continue;
            const struct number part = a[i][k];
            a[i][k] = (struct number){0.0, 0.0};
            for (size_t j = 0; j < dim; j++) {
                const struct number less = times(part, a[k][j]);
                a[i][j].re -= less.re;
                a[i][j].im -= less.im;
            }
        }
    }
}

/* the inverse block of body i; likewise */
static inline void make_block(struct carom_crystal *w, size_t i, size_t dim)
{
    const uint64_t *side = w->side + w->search.first[i];
    const size_t size = dim * dim;
    const bool both = carom_crystal_complex(w);
    struct number a[3][3] = {{{0.0, 0.0}}};
    if (w->stiffs[i] == 0)
        return; /* it is its mass */
    for (size_t k = 0; k < dim; k++)
        a[k][k].re = w->bodies->body[i].mass;
    for (size_t at = 0; at < w->stiffs[i]; at++) {
        const size_t j = side[at] / 2;
        const double *n = w->along[j];
        for (size_t k = 0; k < dim; k++)
            for (size_t l = 0; l < dim; l++) {
                a[k][l].re += w->stiff[0][j] * n[k] * n[l];
                a[k][l].im += both ? w->stiff[1][j] * n[k] * n[l] : 0.0;
            }
    }
    invert(dim, a);
    for (size_t k = 0; k < dim; k++)
        for (size_t l = 0; l < dim; l++) {
            w->block[i * size + k * dim + l] = a[k][l].re;
            if (both)
                w->block[(w->n + i) * size + k * dim + l] = a[k][l].im;
        }
}

static void make_blocks(void *own, size_t block)
{
    struct carom_crystal *w = own;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++)
        if (w->dim == 2)
            make_block(w, i, 2);
        else
            make_block(w, i, 3);
}

static void ease_block(void *own, size_t block)
{
    const struct product *p = own;
    const struct carom_crystal *w = p->w;
    const size_t dim = w->dim, size = dim * dim, half = w->n * dim,
                 last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    const bool both = carom_crystal_complex(w);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        const double *re = w->block + i * size, *im = w->block + (w->n + i) * size;
        for (size_t k = 0; k < dim && w->stiffs[i] == 0; k++) {
            p->out[i * dim + k] = w->ease[i] * p->in[i * dim + k];
            if (both)
                p->out[half + i * dim + k] = w->ease[i] * p->in[half + i * dim + k];
        }
        for (size_t k = 0; k < dim && w->stiffs[i] > 0; k++) {
            double sum[2] = {0.0, 0.0};
            for (size_t l = 0; l < dim; l++) {
                const double x = p->in[i * dim + l], y = both ? p->in[half + i * dim + l] : 0.0;
                sum[0] += re[k * dim + l] * x - (both ? im[k * dim + l] * y : 0.0);
                sum[1] += both ? re[k * dim + l] * y + im[k * dim + l] * x : 0.0;
            }
            p->out[i * dim + k] = sum[0];
            if (both)
                p->out[half + i * dim + k] = sum[1];
        }
    }
}

static void ease(void *own, const double *in, double *out)
{
    struct carom_crystal *w = own;
    struct product p = {w, in, out};
    carom_threads_run(w->threads, ease_block, &p, carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES));
}

size_t carom_crystal_matrix_solve(struct carom_crystal *w, double tolerance, size_t most)
{
    const struct carom_conjugate c = {.n = w->n * w->dim,
                                      .x = w->x,
                                      .rest = w->rest,
                                      .eased = w->eased,
                                      .way = w->way,
                                      .image = w->image,
                                      .apply = apply,
                                      .ease = ease,
                                      .own = w};
    bool solved;
    carom_threads_run(w->threads, make_blocks, w, carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES));
    return carom_crystal_complex(w) ? carom_conjugate_complex(&c, tolerance, most, &solved)
                                    : carom_conjugate_real(&c, tolerance, most, &solved);
}
