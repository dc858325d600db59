/* The residual is held against what was put in, and not against the energies of the run, which grow with the error. */
#include "sim/unbalanced.h"

#include <math.h>
#include <stdio.h>

#include "base/rows.h"
#include "carom/bodies.h"
#include "model/bodies/linkage.h"

#define TENTH 0.1      /* of what was put in: nothing that is said of energies holds any more */
#define RESTS 1e-9     /* of a body at V: what is there is rounding */
#define ROUNDING 1e-10 /* of energies whose difference it is: bodies that rest were given nothing */
#define RESOLVED 20.   /* steps in the shortest contact: errors of a few beads are then below a hundredth */

/* of a column that rests, which has no V: how fast its weights would make it, if nothing held it */
static double fall_speed(const struct carom_beads *beads, double until)
{
    double fastest = 0.0;
    for (size_t i = 0; beads && beads->weight && i < beads->n; i++)
        fastest = fmax(fastest, fabs(beads->weight[i]) * beads->inverse_mass[i] * until);
    return fastest;
}

double carom_unbalanced_scale(const struct carom_sim *sim, bool heaviest)
{
    const struct carom_bodies *own = carom_model_bodies(sim->model), *bodies = own ? own : carom_linkage_of(sim->model);
    const struct carom_beads *beads = carom_model_chain(sim->model);
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : fall_speed(beads, sim->until);
    double mass = 0.0;
    for (size_t i = 0; i < (bodies ? bodies->n : beads ? beads->n : 0); i++) {
        const double one = bodies ? bodies->body[i].mass : beads->mass[i];
        if (!(bodies && bodies->body[i].fixed) && (mass == 0.0 || (heaviest ? one > mass : one < mass)))
            mass = one;
    }
    return 0.5 * mass * speed * speed;
}

double carom_unbalanced_tol(const struct carom_sim *sim)
{
    return carom_rows_option(&sim->stepper->scheme->kind, sim->stepper->options, "tol");
}

double carom_unbalanced(const struct carom_sim *sim, const struct carom_ledger *ledger)
{
    const bool told = carom_rows_option(&sim->stepper->scheme->kind, sim->stepper->options, "step") > 0.0 ||
                      carom_unbalanced_tol(sim) > 0.0;
    const double seen = sim->recorder ? carom_recorder_tally(sim->recorder)->given : 0.0;
    const double given = fmax(seen, carom_balance_given(sim->view, ledger));
    const double least = fmax(RESTS * carom_unbalanced_scale(sim, false), ROUNDING * fabs(sim->view->energy));
    if (!told || !(given > least))
        return 0.0;
    const double part = fabs(ledger->residual) / given;
    return part > TENTH ? part : 0.0;
}

void carom_unbalanced_say(double unbalanced, double tol, double step, double contact_time, bool si,
                          char text[CAROM_UNBALANCED_TEXT])
{
    const double shorter = step / 4.0, resolved = contact_time / RESOLVED;
    if (tol > 0.0)
        snprintf(text, CAROM_UNBALANCED_TEXT,
                 "the energy ledger does not close: it is off by %.2g times what was put in, far more than tol: %.2g "
                 "allows, so that no energy of this run means anything; compare another tol or scheme",
                 unbalanced, tol);
    else
        snprintf(text, CAROM_UNBALANCED_TEXT,
                 "the step is too long: the energy ledger is off by %.2g times what was put in, and the motion means "
                 "nothing; take step: %.2g%s",
                 unbalanced, resolved > 0.0 && resolved < shorter ? resolved : shorter, si ? " s" : "");
}
