/* What whoever runs a scene should know beforehand, a sentence each; nothing of it is refused. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "episodes.h"
#include "model/beads/chain.h"

#define LITTLE 0.2 /* of a run: who needs more of it has chosen well */

/* Does a contact press, or do rigid bodies touch, where a row has come to? Bodies that fly apart are further from each
 * other than rounding by then. */
static bool any_closed(const struct carom_sim *sim, const struct carom_scene *scene)
{
    struct carom_chain chain = carom_chain_of(sim->model);
    const bool rigid = !(sim->model->offers & CAROM_COMPLIANT);
    const double open = rigid ? -1e-9 * scene->scales.speed * scene->until : 0.0;
    bool closed = false;
    carom_chain_clock(&chain, sim->view->time);
    for (size_t j = 0; j < chain.nc && !closed; j++) {
        double overlap;
        carom_chain_deform(&chain, j, j + 1, sim->view->q, &overlap);
        closed = overlap > open;
    }
    return closed;
}

void cli_notes_over(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    const double last = tally->last_event;
    const bool row = sim->model->nparts == 1 && sim->model->member[0].part == &carom_part_beads;
    const struct carom_beads *beads = row ? sim->model->member[0].own : NULL;
    const bool calm = beads && !beads->loaded && !beads->spring;
    if (calm && last > 0.0 && last < LITTLE * scene->until && !any_closed(sim, scene))
        printf("note       nothing happened after t = %.3g%s: the bodies fly apart for the rest of the run\n", last,
               scene->si ? " s" : "");
}

void cli_notes(const struct carom_scene *scene, const struct carom_model *model)
{
    for (const char *line = scene->notes; line && *line; line += strcspn(line, "\n") + 1)
        printf("note       %.*s\n", (int)strcspn(line, "\n"), line);
    cli_episodes_coarse(scene, model);
}
