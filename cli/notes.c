/* What whoever runs a scene should know beforehand, a sentence each; nothing of it is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "cli.h"
#include "episodes.h"
#include "model/beads/chain.h"
#include "model/contact_force.h"
#include "model/solid/solid_yield.h"
#include "record/touching.h"
#include "scene/contact/yield.h"
#include "study/remarks.h"

#define LITTLE 0.2 /* of a run: who needs more of it has chosen well */
#define SMALL 0.1  /* plastic strain, up to which that of the first order will do */

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

/* bodies that are free to move and in touch */
static size_t held_bodies(const struct carom_bodies *bodies, const struct carom_touching *t, unsigned char *seen)
{
    size_t count = 0;
    for (size_t j = 0; j < t->n; j++)
        for (size_t side = 0; side < 2; side++) {
            const size_t i = (size_t)t->touch[j].pair[side] - 1;
            count += !bodies->body[i].fixed && !seen[i];
            seen[i] = 1;
        }
    return count;
}

/* does a body move, or turn? */
static bool moves(const struct carom_bodies *b, const struct carom_state *view, size_t i, double speed)
{
    const double *v = view->v + i * carom_bodies_nv(b), reach = carom_bodies_reach(&b->body[i]);
    bool any = false;
    for (size_t k = 0; k < carom_bodies_nv(b); k++)
        any = any || fabs(v[k]) * (k < b->dimension ? 1.0 : reach) > 1e-6 * speed;
    return any;
}

/* How many numbers balance must find for a contact: one where it slips, as its friction is mu times its force; bodies
 * at rest may squeeze each other as much. */
static size_t numbers_of(const struct carom_bodies *b, const struct carom_state *view, const struct carom_touch *t,
                         double speed)
{
    const size_t i = (size_t)t->pair[0] - 1, j = (size_t)t->pair[1] - 1;
    const uint32_t pairing = b->meets[b->body[i].material * b->nmaterials + b->body[j].material];
    const double mu = pairing != CAROM_UNPAIRED ? b->pairing[pairing].rub[0].param : 0.0;
    const double normal = carom_vec_dot(t->force, t->normal);
    const double drag = sqrt(fmax(0.0, carom_vec_dot(t->force, t->force) - normal * normal));
    const bool slips = drag >= (1.0 - 1e-6) * mu * normal && (moves(b, view, i, speed) || moves(b, view, j, speed));
    return mu > 0.0 && !slips ? b->dimension : 1;
}

/* Forces between rigid bodies that rest on each other: more numbers than equations? */
static void note_many(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    if (!bodies || !bodies->rigid || !sim->view->contacts)
        return;
    struct carom_touching t;
    struct carom_error ignored;
    unsigned char *seen = carom_memory_zeroed(bodies->n, 1);
    carom_touching_open(&t, bodies);
    if (seen && carom_touching_read(&t, sim->view, &ignored) == CAROM_OK) {
        const size_t held = held_bodies(bodies, &t, seen), equations = held * (bodies->dimension == 2 ? 3 : 6);
        size_t numbers = 0;
        for (size_t j = 0; j < t.n; j++)
            numbers += numbers_of(bodies, sim->view, &t.touch[j], scene->scales.speed);
        if (numbers > equations)
            printf("note       forces of single contacts are one choice of many: %zu of them at the end are %zu "
                   "numbers, and balance on %zu bod%s determines %zu at most\n",
                   t.n, numbers, held, carom_plural_y(held), equations);
    }
    carom_touching_close(&t);
    carom_memory_free(seen);
}

/* what was pressed harder than its material bears, by the book of impacts */
static void note_yield(const struct carom_scene *scene)
{
    char text[CAROM_YIELD_TEXT];
    if (scene->yield && carom_yield_say(scene->yield, scene, scene->si, text))
        printf("note       %s\n", text);
}

/* Has a solid flowed further than laws of small strains hold? */
static void note_flow(const struct carom_sim *sim)
{
    double most = 0.0;
    for (size_t i = 0; i < sim->model->nparts; i++) {
        const struct carom_solid *s = carom_solid_at(sim->model, i);
        if (s)
            most = fmax(most, carom_solid_yield_most(s, sim->view->q + sim->model->member[i].q0));
    }
    if (most > SMALL)
        printf(
            "note       cells have flowed to a plastic strain of %.2g, and the law is one of small strains, up to %g "
            "or so: sizes and forces beyond that may be off by a tenth or more; see Plastic flow in docs/solids.md\n",
            most, SMALL);
}

/* Do bodies touch, or rest on each other, where a run has come to? */
static bool any_touch(const struct carom_sim *sim, const struct carom_bodies *bodies)
{
    struct carom_touching t;
    struct carom_error ignored;
    carom_touching_open(&t, bodies);
    const bool touch = !sim->view->contacts || carom_touching_read(&t, sim->view, &ignored) != CAROM_OK || t.n > 0;
    carom_touching_close(&t);
    return touch;
}

/* does a contact of solids push at the end? */
static bool any_pressed(const struct carom_sim *sim)
{
    bool pressed = false;
    for (size_t j = 0; j < sim->model->nc && !pressed; j++) {
        double overlap, rate, force;
        carom_contact_force_read(sim->model, sim->view, j, j + 1, &overlap, &rate, &force);
        pressed = force != 0.0;
    }
    return pressed;
}

/* Has nothing met in the whole run, though something could have? `calm`: a row that only contacts push */
static void note_alone(const struct carom_sim *sim, const struct carom_scene *scene, bool calm)
{
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    const bool met = tally->last.dissipated != 0.0 || tally->events > 0 || tally->episodes > 0 || tally->left_out > 0 ||
                     tally->impacts > 0;
    const bool looked = carom_recorder_wants_events(sim->recorder) && carom_recorder_wants_episodes(sim->recorder) > 0;
    const bool row = calm && sim->model->nc > 0 && tally->last.stored == 0.0 && !any_closed(sim, scene);
    const bool several = bodies && bodies->n > 1 && bodies->njoints == 0 && !any_touch(sim, bodies);
    const bool beside = sim->model->encounter && carom_solid_of(sim->model, NULL) && !any_pressed(sim);
    if (met || sim->ranks || !looked || !(row || several || beside) || !(scene->scales.speed > 0.0) ||
        (scene->notes && (strstr(scene->notes, "never arrives") || strstr(scene->notes, "nothing is struck"))))
        return;
    char text[CAROM_REMARK_TEXT];
    carom_remarks_alone(sim->until, scene->si, text);
    printf("note       %s\n", text);
}

void cli_notes_over(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    const double last = tally->last_event;
    const struct carom_beads *beads = carom_model_chain(sim->model);
    const bool calm = beads && !beads->loaded && !beads->spring;
    if (calm && last > 0.0 && last < LITTLE * scene->until && !any_closed(sim, scene))
        printf("note       nothing happened after t = %.3g%s: the bodies fly apart for the rest of the run\n", last,
               scene->si ? " s" : "");
    note_many(sim, scene);
    note_alone(sim, scene, calm);
    char text[CAROM_REMARK_TEXT];
    carom_remarks_rings(sim->model, nan(""), text);
    if (*text && tally->episodes > 0)
        printf("note       %s\n", text);
    note_yield(scene);
    note_flow(sim);
}

bool cli_watch_yield(struct carom_sim *sim, const struct carom_scene *scene, struct carom_error *error)
{
    return !scene->yield || carom_recorder_attach(sim->recorder, &carom_yield_sink, scene->yield, error) == CAROM_OK;
}

void cli_notes_before(const struct carom_scene *scene)
{
    if (scene->yield && *scene->yield->note)
        printf("note       %s\n", scene->yield->note);
}

void cli_notes(const struct carom_scene *scene, const struct carom_model *model)
{
    for (const char *line = scene->notes; line && *line; line += strcspn(line, "\n") + 1)
        printf("note       %.*s\n", (int)strcspn(line, "\n"), line);
    cli_episodes_coarse(scene, model);
}
