/* Right-hand sides y' = f(t, y) for methods that want an ordinary differential equation. y is laid out like a state's
 * data (q, v, history, lost, clipped, spent, work), so losses and works are integrated with the motion.
 *
 * Chains run on the regularised variables of James et al. 2020, (10)-(11): the v slot holds
 * w = v - (push of the viscous impulses) / m, and the right-hand side has no square-root singularity at touch.
 * A contact that force ends is then in one of two modes, acting or cut; who integrates must hold a step to one mode
 * and tell when it changes. Local dampers act on v as they stand, and driven beads keep the q and v they are given.
 * Contacts whose force jumps at touch (a dashpot), or has a kink there (a linear spring), act in one of two modes as
 * well, closed or open: beyond touch a closed one goes on as its mirror image, so that a step which ends at touch sees
 * nothing of it.
 * Any other model, and chains of laws whose history has rates of its own, run on (q, v) as they stand; contacts with
 * such a history act by their modes, too. */
#ifndef CAROM_SCHEME_COMPLIANT_RATES_H
#define CAROM_SCHEME_COMPLIANT_RATES_H

#include "carom/state.h"
#include "scheme/compliant/window.h"

struct carom_rates {
    const struct carom_model *model;
    bool regular; /* regularised chain */
    bool fused;   /* one group of a law that is worked out in place; tests may switch it off */
    struct carom_chain chain;
    struct carom_window window; /* of a regularised chain: only awake beads are evaluated */
    size_t nstate;              /* numbers that feed back: q, v, history */
    size_t nall;                /* and those that are only integrated */
    size_t nextra;              /* further numbers after them in dy */
    double *cut;                /* nc: 1 where a contact is cut, else 0; NULL if none can be */
    int8_t *acts;          /* nc: of contacts that jump 1 if closed, 0 if open, -1 of all others; NULL if none does */
    const double *history; /* nh: the laws' own, of the state under work */
    double *deform;        /* nc: of the last evaluation */
    double *rate, *elastic, *viscous, *drag, *power, *lambda; /* nc */
    double *force;                                            /* nv */
    double *scratch;                                          /* of parts */
};

enum carom_status carom_rates_open(struct carom_rates *rates, const struct carom_model *model,
                                   struct carom_error *error);
void carom_rates_close(struct carom_rates *rates);

/* From now on physical variables and contacts as their laws say, for methods that know no modes. */
void carom_rates_stand(struct carom_rates *rates);

/* dy = f(t, y). dy has nall numbers and, for damped regularised chains, nc more: drag x rate of every contact, the
 * rate of its viscous impulse. */
void carom_rates_evaluate(struct carom_rates *rates, double t, const double *y, double *dy);

/* Contacts at the ends of a span carry nothing: their other bead is asleep. */
void carom_rates_seal(const struct carom_rates *rates, const struct carom_span *span, double *force);

/* Chains only: makes it the right-hand side of time t for all that follows up to the next evaluation. */
void carom_rates_clock(struct carom_rates *rates, double t);

/* Physical velocities of awake beads in place: v holds w and becomes v; and back. */
void carom_rates_physical(struct carom_rates *rates, const double *q, double *v);
void carom_rates_regular(struct carom_rates *rates, const double *q, double *w);

/* The force contact j would have if it were acting, at q and physical v; *deform is its overlap. */
double carom_rates_force(struct carom_rates *rates, size_t j, const double *q, const double *v, double *deform);

/* Changes the mode of contact j; y keeps its physical velocities. _act: of one that jumps; true if it was another. */
void carom_rates_switch(struct carom_rates *rates, size_t j, double *y, bool cut);
bool carom_rates_act(struct carom_rates *rates, size_t j, double *y, bool closed);

/* The viscous impulse of contact j at this overlap, as its mode has it. */
double carom_rates_viscous(const struct carom_rates *rates, size_t j, double deform);

static inline bool carom_rates_jumps(const struct carom_rates *rates, size_t j)
{
    return rates->acts && rates->acts[j] >= 0;
}

/* --- rates_fused.c: of Kuwabara-Kono and Hertz chains without calling laws: rates.c decides when ----------------- */

/* One group of Kuwabara-Kono or Hertz contacts, none of which can be cut? */
bool carom_rates_fused_fits(const struct carom_rates *rates);

/* dy of the awake beads in a span, the same to the bit as through the laws. Forces at the ends of the span are 0. */
void carom_rates_fused_span(struct carom_rates *rates, const struct carom_span *span, const double *y, double *dy);

#endif
