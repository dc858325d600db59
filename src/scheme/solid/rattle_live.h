/* Contacts of solids and balls that a step has to look at. All pairs of balls are contacts, but only those nearby can
 * touch: they are listed, and the list holds until a ball has moved too far. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_LIVE_H
#define CAROM_SCHEME_SOLID_RATTLE_LIVE_H

#include "model/solid/strike/solid_strike.h"

/* contacts [first, last), and a few between them that nothing comes of */
struct carom_rattle_run {
    size_t first, last;
};

struct carom_rattle_live {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    size_t nruns, nold;
    struct carom_rattle_run *run, *old; /* rising: all contacts that may be closed, those of faces too; and before */
    size_t n, nballs;                   /* contacts in them, and how many are of balls */
    uint32_t *contact;
    double (*then)[3]; /* where balls were when they were listed */
    double skin;
    bool known;
};

/* False: out of memory. */
bool carom_rattle_live_open(struct carom_rattle_live *live, const struct carom_model *model);
void carom_rattle_live_close(struct carom_rattle_live *live);

/* Lists them for q if need be. `overlap` is that of the start of a step, at q_before: what overlaps there stays listed,
 * and of contacts that were not listed it is found. q_before NULL: this is the start. */
void carom_rattle_live_look(struct carom_rattle_live *live, const double *q, const double *q_before, double *overlap);

/* Laws of the listed contacts: elastic, viscous and drag of `out`. All arrays are for all contacts. */
void carom_rattle_live_evaluate(const struct carom_rattle_live *live, const double *overlap, const double *rate,
                                const struct carom_response *out);

#endif
