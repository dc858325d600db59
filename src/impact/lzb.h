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

#include "base/power.h"
#include "carom/impact.h"
#include "model/frame.h"
#include "solve/contact/lcp.h"

enum { CAROM_LZB_BI, CAROM_LZB_MONO };

struct carom_lzb_options {
    double impact_tol, impact_work;
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

/* A turn, a closing or an opening inside a step, and what the step is to be mended by, see lzb_pass.c. */
struct carom_lzb_corner {
    size_t contact;
    bool opens;
    double part;        /* where in the step */
    double x, dx;       /* x there; what it is more at the end */
    double rate, since; /* new rate less the old one; the way of a before it */
    double once, twice; /* what the impulse, and the double integral of the force, are more */
    double left;        /* error of a that is left */
};

#define CAROM_LZB_SMALL 1e-9 /* es below this is taken for 0 */
#define CAROM_LZB_STIFF 0.05 /* and below this expands by implicit steps */

/* A factored system, see lzb_linear.c. */
struct carom_lzb_linear {
    double *lower, *diagonal, *upper; /* chains; diagonal: of the matrix as it was, elsewhere */
    double *matrix;                   /* n x n */
    size_t *row;
};

struct carom_lzb {
    struct carom_lzb_options options;
    const struct carom_frame *frame;
    const double *e, *k, *p;
    size_t n, room;
    bool hertz;            /* all p = 3/2 */
    double tol, speed;     /* local tolerance; the fastest approach at the start */
    double smooth, trust;  /* largest error that explicit steps may state; what part of it the last one is off by */
    double least, enough;  /* energy below which a contact alone sleeps, and below which all is over */
    double asleep;         /* the first, as it is among all that move */
    double time, h, taken; /* so far; next and last step */
    double ended;          /* when the last contact opened, which steps may pass a little */
    double drift;          /* what the balance of energy was off by, as a speed */
    double cut;            /* the most that a velocity may be off because the rest of the impact was left out */
    size_t steps, rejected;
    int creep;                        /* steps in a row that a change of mode made tiny */
    double work, asked, next_look;    /* contacts stepped; when whoever waits was last asked, and the end is sought */
    bool changed;                     /* modes did, since forces and spans were found */
    size_t held;                      /* contacts in mode held */
    double *x, *a, *impulse, *lost;   /* the state; lost: energy */
    double *peak, *spent;             /* energy at the last turn; mono: work given back before it */
    double *per_size;                 /* 1 / size */
    double *size, *r;                 /* largest x of the contact alone at `speed`; rate of x over a, 0 where x rests */
    double *active, *left;            /* k where the force follows x, else 0; W[i-1][i] of chains, 0 at both ends */
    double *force[CAROM_LZB_STAGES];  /* of the stages, the last one that of the end */
    double *turned[CAROM_LZB_STAGES]; /* W times these: - a' */
    double *mix, *mix_a, *mix_x, *turn, *y; /* combinations of forces, W times one, x at a stage */
    double *new_x, *new_a, *push;           /* the end of a trial step; push: its impulses */
    double *blur, *doubt;                   /* sums of local errors of a; those of the trial step */
    double *pace;                           /* largest |a| since the last turn from in to out */
    double *slope;                          /* d force / dt */
    double *stage[CAROM_LZB_STAGES][2];     /* of stiff steps: x and impulses */
    double *rate, *begin, *plastic;         /* for the end */
    double *usual_k, *usual_p;              /* where nobody gives them */
    double *block;                          /* holds all these arrays, `room` numbers each */
    unsigned char *mode;
    struct carom_lzb_span *span, *spare; /* nspans, rising */
    size_t nspans;
    struct carom_lzb_corner *corner; /* those noted in the trial step */
    size_t corners;
    bool mends; /* corners may be mended in the trial step */
    struct carom_lzb_linear hold, stiff;
    struct carom_rough *rough; /* impacts with friction; NULL: the model has none */
    struct carom_lcp_room lcp;
    const struct carom_trace *trace;
    const struct carom_collision *collision;
    uint64_t sample; /* number of the next one */
    double loudest;  /* largest force told so far */
};

static inline double carom_lzb_power(double x, double p)
{
    return p == 1.5 ? x * sqrt(x) : p == 1.0 ? x : p == 2.0 ? x * x : p == 3.0 ? x * x * x : carom_power(x, p);
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

/* --- lzb_run.c: the way of an impact from its first touch to its end --------------------------------------------- */

/* Goes on until nothing approaches and nothing is stored, but for what is below the tolerance: a, impulse, lost and the
 * time are those of the end, stored energy that was left is in `lost`. Fails with a sentence where there is no end. */
enum carom_status carom_lzb_run(struct carom_lzb *w, struct carom_error *error);

/* --- lzb_stiff.c: steps where a contact with small es expands, 1 / es^2 times faster than it was compressed ------ */

/* Does a contact expand so fast? */
bool carom_lzb_stiff_wanted(const struct carom_lzb *w);

/* As carom_lzb_step_try; the error goes with the fourth power of h. */
double carom_lzb_stiff_try(struct carom_lzb *w, double h);

/* --- lzb_pass.c: turns, openings and closings that a step passes inside, in rows: it is mended for them ---------- */

/* Contact i turns (or closes) at this part of the trial step of length h, beyond which it keeps its new way. True: what
 * that changes has been noted, and is certain enough; otherwise the step must end at *part, which may have grown. */
bool carom_lzb_pass_turn(struct carom_lzb *w, size_t i, double h, double *part);

/* The same where contact i opens at this part, and stays open. */
bool carom_lzb_pass_opening(struct carom_lzb *w, size_t i, double h, double *part);

/* Force of contact i at part s of the trial step, with what has been noted of it. */
double carom_lzb_pass_force(const struct carom_lzb *w, size_t i, double h, double s);

/* Mends the state for all that was noted, after the step has been taken. */
void carom_lzb_pass_apply(struct carom_lzb *w);

/* --- lzb_linear.c: systems, tridiagonal in chains; rows are those of the unit matrix, of W or of both ------------ */

enum carom_status carom_lzb_linear_open(struct carom_lzb_linear *a, size_t room, bool chain, struct carom_error *error);
void carom_lzb_linear_close(struct carom_lzb_linear *a);

/* Row i becomes: one x_i + by[i] (W x)_i = b_i, where by[i] < 0 stands for (W x)_i = b_i alone; then it is factored. */
void carom_lzb_linear_set(const struct carom_lzb *w, struct carom_lzb_linear *a, const double *by);

/* Solves it in place. Where equations contradict or repeat each other the unknowns left over are 0. */
void carom_lzb_linear_solve(const struct carom_lzb *w, const struct carom_lzb_linear *a, double *b);

/* --- lzb_trap.c: contacts that no motion of their bodies opens; without loss such an impact never ends ----------- */

/* Is there a row of contacts, struck and all of es = 1, between two sides that do not move? For chains; else false. */
bool carom_lzb_trap_chain(const struct carom_lzb *w);

/* Is there no motion that opens all contacts, where all have es = 1? Any W; takes longer. */
bool carom_lzb_trap_any(struct carom_lzb *w);

#endif
