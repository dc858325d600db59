/* What the files of impact `lzb` share: compliant contacts with energetic restitution in a time of their own, the
 * configuration frozen (Nguyen and Brogliato 2011, section 2.1, written in time instead of impulses):
 *
 *     x' = r a,   P' = F = k x^p,   a = a0 - W P,   x >= 0,
 *
 * a approach velocity, P impulse, x coordinate of the stored energy E = k x^(1+p) / (1+p), and r = 1 on the way in,
 * 1 / es^2 on the way out. Within a mode of all contacts this is x'' = - r W F, free of jumps. */
#ifndef CAROM_IMPACT_LZB_H
#define CAROM_IMPACT_LZB_H

#include <math.h>

#include "carom/impact.h"
#include "model/frame.h"
#include "solve/lcp.h"

enum { CAROM_LZB_BI, CAROM_LZB_MONO };

struct carom_lzb_options {
    double impact_tol;
    int stiffness;
};

/* Open: x = 0 and a <= 0, or so little that it sleeps. In: compression, also both ways where nothing is lost. Out:
 * expansion. Held: es = 0 keeps a = 0 with the force that this takes. */
enum carom_lzb_mode { CAROM_LZB_OPEN, CAROM_LZB_IN, CAROM_LZB_OUT, CAROM_LZB_HELD };

/* A run of contacts [first, last) that move, with one neighbour that does not on each side. */
struct carom_lzb_span {
    size_t first, last;
};

enum { CAROM_LZB_STAGES = 6 };

struct carom_lzb {
    struct carom_lzb_options options;
    const struct carom_frame *frame;
    const double *e, *k, *p;
    size_t n, room;
    bool hertz;        /* all p = 3/2 */
    double tol, speed; /* speed: the fastest approach at the start */
    double least;      /* energy below which a contact sleeps */
    double time, h;    /* time so far, next step */
    double worst;      /* sum of local errors, speeds */
    size_t steps, rejected;
    double *x, *a, *impulse, *lost;  /* n: the state; lost: energy, at contacts that have given back what they stored */
    double *peak, *spent;            /* n: energy at the last turn; mono: work given back before it */
    double *size, *r;                /* n: largest x of the contact alone at `speed`; rate of x over a */
    double *bend;                    /* n: W F, - a' */
    double *force[CAROM_LZB_STAGES]; /* n each: of the stages, the last one that of the end */
    double *mix, *turn, *y;          /* n each: a stage's combination of forces, W times it, x there */
    double *new_x, *new_a, *new_bend, *push; /* n each: the end of a trial step; push: its impulses */
    unsigned char *mode;                     /* n */
    struct carom_lzb_span *span, *spare;     /* nspans, rising */
    size_t nspans;
    double *rate, *begin, *plastic; /* n each: for the end */
    double *usual_k, *usual_p;      /* n each: where nobody gives them */
    struct carom_lcp_room lcp;
    const struct carom_trace *trace;
    uint64_t sample; /* number of the next one */
};

static inline double carom_lzb_power(double x, double p)
{
    return p == 1.5 ? x * sqrt(x) : p == 1.0 ? x : p == 2.0 ? x * x : p == 3.0 ? x * x * x : pow(x, p);
}

/* k x^p */
static inline double carom_lzb_force(const struct carom_lzb *w, size_t i, double x)
{
    return x > 0.0 ? w->k[i] * carom_lzb_power(x, w->p[i]) : 0.0;
}

/* k x^(1+p) / (1+p) */
static inline double carom_lzb_energy(const struct carom_lzb *w, size_t i, double x)
{
    return x > 0.0 ? x * carom_lzb_force(w, i, x) / (1.0 + w->p[i]) : 0.0;
}

#endif
