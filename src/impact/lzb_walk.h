/* A walk through one impact on the scale of impulses, step by step: algorithms 1 to 3 of Nguyen and Brogliato 2011,
 * appendix A. Impact `lzb-impulse` walks to the end; convergence studies walk with two steps side by side.
 *
 * Notation of the report: a = approach velocity (minus the gap rate), E = stored energy, K and eta of the force
 * K x^eta, es = energetic restitution, P = impulse of the primary contact, which stores the most energy. */
#ifndef CAROM_IMPACT_LZB_WALK_H
#define CAROM_IMPACT_LZB_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"

/* How to walk. */
struct carom_lzb_walk_manner {
    double dP;        /* impulse that the primary contact gets in a step */
    double threshold; /* energy that counts as none */
    double quiet;     /* approach velocity that counts as rest */
    double rest;      /* safe only: the impact is over once no contact stores more energy than this */
    double calm;      /* and none approaches faster than this */
    double stride;    /* safe only: how far a step may go, 1 as a rule; halved together with dP */
    uint64_t limit;   /* steps after which whoever walks should give up */
    bool mono;        /* one stiffness, energy discarded at the end of expansion; else two */
    bool safe;        /* no energy is created: shorter steps where a contact ends or the primary one runs out */
};

struct carom_lzb_walk {
    const struct carom_frame *frame;
    struct carom_lzb_walk_manner manner;
    size_t n, room;
    bool hertz;               /* eta = 3/2 at all contacts */
    double *a, *E, *F, *root; /* state; root: (E (1 + eta) / K)^(1/5) where eta = 3/2 */
    double *K, *eta, *es2;    /* es2: es^2 */
    double *worth;            /* 1 / es^2, or 1 where there is one stiffness */
    double *top;              /* E at the last change from compression to expansion */
    double *d, *h, *energy;   /* of a step: impulses (from d[1] on), what they take off a, E at its end */
    double *link;             /* of rows: H between contacts j - 1 and j */
    double *part, *spent;     /* impulse and work since the last balance */
    double *impulse, *work;   /* up to the last balance */
    double *v;                /* nv, up to the last balance */
    double *was;              /* F at the beginning of the last step, if `listens` */
    size_t (*span)[2];        /* contacts [first, last) beyond which nothing happens */
    size_t nspans;
    size_t primary;
    double most;    /* energy of the primary contact; 0: chosen by velocity */
    double fastest; /* largest approach velocity, and the largest |a| where anything happens */
    double quickest;
    double P, t;              /* impulse of the primary contacts so far; time */
    uint64_t steps, balanced; /* taken; when the balance was last made */
    bool listens;
};

/* Room for sets of up to `room` contacts and nv velocities. Close also after failure. */
bool carom_lzb_walk_open(struct carom_lzb_walk *walk, size_t room, size_t nv);
void carom_lzb_walk_close(struct carom_lzb_walk *walk);

/* Stands at the beginning of an impact. */
void carom_lzb_walk_begin(struct carom_lzb_walk *walk, const struct carom_frame *frame, const double *v,
                          const double *K, const double *eta, const double *es,
                          const struct carom_lzb_walk_manner *manner);

/* Is there anything left to do? */
bool carom_lzb_walk_goes_on(const struct carom_lzb_walk *walk);

/* One step; returns the time it took. */
double carom_lzb_walk_step(struct carom_lzb_walk *walk);

/* Brings v, impulse and work up to now. */
void carom_lzb_walk_balance(struct carom_lzb_walk *walk);

#endif
