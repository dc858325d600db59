/* One solid as a static problem, for whoever minimises its energy: alone (solid_settle.c) or with others
 * (model/solid/rest). */
#ifndef CAROM_MODEL_SOLID_SETTLE_SOLID_SETTLE_H
#define CAROM_MODEL_SOLID_SETTLE_SOLID_SETTLE_H

#include "model/solid/settle/solid_blocks.h"
#include "model/solid/settle/solid_clusters.h"
#include "model/solid/settle/solid_rigid.h"

struct carom_solid_settle {
    const struct carom_solid *s;
    struct carom_threads *threads;
    const struct carom_progress *progress;
    double *scratch;              /* of the part's force, */
    struct carom_solid_work work; /* which is this too */
    double t, tol, scale;         /* scale: the largest force at the start, by which what is left is measured */
    double turned;                /* since the preconditioner was made */
    double *q, *kept, *moved, *zero, *step, *force, *extension;
    struct carom_solid_blocks *blocks;     /* of bodies with a lattice, */
    struct carom_solid_clusters *clusters; /* and of others */
    struct carom_solid_rigid rigid;
    bool balanced;      /* is it loose, but its loads balance? */
    bool carried;       /* is it loose, and others see to where it stands as a whole? */
    double size, large; /* of differences: a move, or a turn times the largest edge of a cell */
    double *room;       /* 5 x fast n, for a body alone */
};

/* For the configuration q, which moves; and the first kept point, with holds where they belong. */
enum carom_status carom_solid_settle_open(struct carom_solid_settle *w, const struct carom_solid *solid,
                                          struct carom_threads *threads, double t, double tol, double *q,
                                          struct carom_error *error);
void carom_solid_settle_close(struct carom_solid_settle *w);
void carom_solid_settle_begin(struct carom_solid_settle *w);

/* As solve/minimise.h asks for them; `own` is the body. */
double carom_solid_settle_energy(void *own);
void carom_solid_settle_slope(void *own, double *g);
void carom_solid_settle_curve(void *own, const double *along, double *out);
void carom_solid_settle_precondition(void *own, const double *r, double *z);
void carom_solid_settle_go(void *own, const double *along, double length);
double carom_solid_settle_reach(void *own, const double *along);
void carom_solid_settle_keep(void *own);
double carom_solid_settle_noise(void *own);

/* Forces on all cells that something of every motion answers to, the same on every machine. */
void carom_solid_settle_push(const struct carom_solid_settle *w, double *r);

#endif
