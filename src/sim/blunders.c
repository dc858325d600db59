/* What impacts did that their law does not say, see blunders.h. */
#include "sim/blunders.h"

#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "carom/bodies.h"
#include "carom/state.h"
#include "sim/unbalanced.h"

/* What impacts had to do with, beside what they took: a scene may start without energy and fall, or be held by friction
 * step by step, where the heaviest body at V says how much that is. */
static double energy_moved(const struct carom_sim *sim)
{
    struct carom_ledger l;
    carom_balance_read(sim->model, sim->view, NULL, &l);
    return fabs(sim->state->energy) + l.kinetic + fabs(l.stored) + fabs(l.dissipated) +
           carom_unbalanced_scale(sim, true);
}

static double option(const struct carom_sim *sim, const char *name)
{
    const struct carom_param *param = carom_param_find(sim->stepper->scheme->kind.params, name);
    return param && sim->stepper->options ? carom_param_value(param, sim->stepper->options) : 0.0;
}

/* What is promised, as a part of the energy: tol, and what a few contact problems may be off by. */
static double promised_by(const struct carom_sim *sim)
{
    return fmax(fmax(option(sim, "tol"), 10.0 * option(sim, "solver_tol")), 1e-12);
}

static double created_by(const struct carom_sim *sim, double *moved)
{
    double created = 0.0;
    *moved = energy_moved(sim);
    for (size_t j = 0; j < sim->state->nlost; j++) {
        created -= sim->state->lost[j] < 0.0 && !sim->stepper->accounts ? sim->state->lost[j] : 0.0;
        *moved += fabs(sim->state->lost[j]);
    }
    return fmax(created, sim->stepper->created);
}

double carom_blunders_within(const struct carom_sim *sim, double *part, double *promised)
{
    double moved;
    const double created = created_by(sim, &moved);
    *promised = promised_by(sim);
    *part = moved > 0.0 ? created / moved : 0.0;
    return *part > 1e-12 && *part <= *promised ? created : 0.0; /* less is rounding of what impacts took and gave */
}

struct carom_blunders carom_blunders(const struct carom_sim *sim)
{
    const struct carom_stepper *s = sim->stepper;
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    if (sim->model->offers & CAROM_COMPLIANT && !(bodies && bodies->rigid)) /* laws of contact book what they take */
        return (struct carom_blunders){0};
    double moved;
    const double created = created_by(sim, &moved);
    return (struct carom_blunders){created > promised_by(sim) * moved ? created : 0.0, (double)s->cut.blows,
                                   s->cut.energy, (double)s->deadened, (double)s->newtonian};
}

struct carom_blunders carom_blunders_so_far(const struct carom_sim *sim)
{
    const struct carom_stepper *s = sim->stepper;
    return (struct carom_blunders){s->created, (double)s->cut.blows, s->cut.energy, (double)s->deadened,
                                   (double)s->newtonian};
}

void carom_blunders_recall(struct carom_sim *sim, const struct carom_blunders *before)
{
    struct carom_stepper *s = sim->stepper;
    s->created = before->created;
    s->cut = (struct carom_cut_blows){(size_t)before->cut, before->cut_energy};
    s->deadened = (size_t)before->deadened;
    s->newtonian = (size_t)before->newtonian;
}

void carom_blunders_say(const struct carom_blunders *of, bool si, void (*say)(void *own, const char *text), void *own)
{
    char text[CAROM_BLUNDERS_TEXT];
    const char *joule = si ? " J" : "";
    if (of->newtonian > 0.0) {
        snprintf(
            text, sizeof text,
            "in %.0f step%s contacts were struck together and had Newton's e, not that of blow: too many are joined",
            of->newtonian, carom_plural((unsigned long long)of->newtonian));
        say(own, text);
    }
    if (of->cut > 0.0) {
        snprintf(text, sizeof text,
                 "of %.0f blow%s the path was CUT before it ended, which took %.1e%s at most; event or blow: newton "
                 "have no such bound",
                 of->cut, carom_plural((unsigned long long)of->cut), of->cut_energy, joule);
        say(own, text);
    }
    if (of->deadened > 0.0) {
        snprintf(text, sizeof text,
                 "in %.0f step%s e was 0 where contacts joined to each other cannot all bounce with friction",
                 of->deadened, carom_plural((unsigned long long)of->deadened));
        say(own, text);
    }
    if (of->created > 0.0) {
        snprintf(text, sizeof text, "impacts CREATED %.3e%s of energy", of->created, joule);
        say(own, text);
    }
}
