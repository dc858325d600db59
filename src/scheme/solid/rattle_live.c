/* Which contacts of balls are near enough to touch, and their laws: see rattle_live.h. */
#include "scheme/solid/rattle_live.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

#define SKIN 0.3 /* of the smallest radius: balls nearer to each other than this are listed */
#define HOLE 8   /* contacts are looked at in one go if no more than these stand between them */

void carom_rattle_live_close(struct carom_rattle_live *live)
{
    carom_memory_free_all(live->run, live->old, live->contact, live->then);
    *live = (struct carom_rattle_live){0};
}

bool carom_rattle_live_open(struct carom_rattle_live *live, const struct carom_model *model)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    *live = (struct carom_rattle_live){.model = model, .of = of, .skin = HUGE_VAL};
    const size_t room = model->nc / (HOLE + 1) + 3;
    live->run = carom_memory_zeroed(room, sizeof *live->run);
    live->old = carom_memory_zeroed(room, sizeof *live->old);
    live->contact = carom_memory_zeroed(model->nc, sizeof *live->contact);
    live->then = carom_memory_zeroed(of->nballs, sizeof *live->then);
    for (size_t i = 0; i < of->nballs; i++)
        live->skin = fmin(live->skin, SKIN * of->balls->radius[i]);
    return live->run && live->old && live->contact && live->then;
}

static void place_of(const struct carom_rattle_live *live, const double *q, size_t ball, double out[3])
{
    carom_solid_balls_place(live->of->balls, ball, q + live->model->member[live->of->balls_member].q0, out);
}

static bool still_holds(const struct carom_rattle_live *live, const double *q)
{
    const double far = 0.25 * live->skin * live->skin; /* the square of half of it */
    bool holds = live->known;
    for (size_t i = 0; i < live->of->nballs && holds; i++) {
        double way[3];
        place_of(live, q, i, way);
        for (int k = 0; k < 3; k++)
            way[k] -= live->then[i][k];
        holds = carom_vec_dot(way, way) <= far; /* false for what is no number, too */
    }
    return holds;
}

/* was it listed before? */
static bool was_listed(const struct carom_rattle_live *live, size_t contact)
{
    size_t low = 0, high = live->nold;
    while (low < high) { /* the first run that ends beyond it */
        const size_t middle = (low + high) / 2;
        if (live->old[middle].last > contact)
            high = middle;
        else
            low = middle + 1;
    }
    return low < live->nold && live->old[low].first <= contact;
}

/* contacts [first, last) behind all others */
static void add(struct carom_rattle_live *live, size_t first, size_t last)
{
    struct carom_rattle_run *end = live->nruns > 0 ? &live->run[live->nruns - 1] : NULL;
    if (end && first - end->last <= HOLE)
        end->last = last;
    else if (first < last)
        live->run[live->nruns++] = (struct carom_rattle_run){first, last};
}

static double gap_of(const struct carom_rattle_live *live, size_t contact, const double *q)
{
    struct carom_strike at;
    carom_solid_strike_find(live->model, contact, contact + 1, false, q, NULL, &at);
    return at.gap;
}

/* every two balls that are near; the balls' places are those that are remembered */
static void add_pairs(struct carom_rattle_live *live, const double *overlap)
{
    const struct carom_solid_strike *of = live->of;
    size_t j = of->balls_first;
    for (size_t a = 0; a < of->nballs; a++)
        for (size_t b = a + 1; b < of->nballs; b++, j++) {
            const double reach = of->balls->radius[a] + of->balls->radius[b] + live->skin;
            double way[3];
            for (int k = 0; k < 3; k++)
                way[k] = live->then[b][k] - live->then[a][k];
            if (!(carom_vec_dot(way, way) > reach * reach) || overlap[j] > 0.0)
                add(live, j, j + 1);
        }
}

static void number_all(struct carom_rattle_live *live)
{
    live->n = live->nballs = 0;
    for (size_t r = 0; r < live->nruns; r++)
        for (size_t j = live->run[r].first; j < live->run[r].last; j++) {
            live->contact[live->n++] = (uint32_t)j;
            live->nballs += j < live->of->meets_first;
        }
}

static void catch_up(const struct carom_rattle_live *live, const double *q, double *overlap)
{
    for (size_t i = 0; i < live->nballs; i++) {
        const size_t j = live->contact[i];
        if (j >= live->of->balls_first && j < live->of->walls_first && !was_listed(live, j))
            overlap[j] = -gap_of(live, j, q);
    }
}

void carom_rattle_live_look(struct carom_rattle_live *live, const double *q, const double *q_before, double *overlap)
{
    if (still_holds(live, q))
        return;
    struct carom_rattle_run *spare = live->old;
    live->old = live->run;
    live->nold = live->nruns;
    live->run = spare;
    live->nruns = 0;
    for (size_t i = 0; i < live->of->nballs; i++)
        place_of(live, q, i, live->then[i]);
    add(live, 0, live->of->balls_first);
    add_pairs(live, overlap);
    add(live, live->of->walls_first, live->model->nc);
    number_all(live);
    if (q_before)
        catch_up(live, q_before, overlap);
    live->known = true;
}

void carom_rattle_live_evaluate(const struct carom_rattle_live *live, const double *overlap, const double *rate,
                                const struct carom_response *out)
{
    for (size_t r = 0; r < live->nruns; r++) {
        const size_t j = live->run[r].first;
        const struct carom_response part = {.elastic = out->elastic ? out->elastic + j : NULL,
                                            .viscous = out->viscous ? out->viscous + j : NULL,
                                            .drag = out->drag ? out->drag + j : NULL};
        carom_contacts_evaluate(live->model, j, live->run[r].last, overlap + j, rate ? rate + j : NULL, NULL, &part);
    }
}
