/* Solids that settle where others may touch them: each alone as long as nothing does, else all of them together. Their
 * contacts and ties are there; loads of the run, which have been read, give way to those of the start meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "model/solid/rest/solid_rest.h"
#include "model/solid/solid.h"
#include "scene/solid/bind_solid.h"

#define SLIDES 1e-7 /* less than that is roughness of cells */
#define LEVEL 1e-6  /* of the weight: what pulls along a rod that lies level */
#define ROUGH 1e-6  /* of the largest force: what is left beyond that is told */

/* run is read later: a number of threads that is none is refused there */
static size_t threads_of(const struct carom_bind *b, size_t numbers)
{
    const struct carom_node *run = carom_tree_find(b->r.tree->root, "run"),
                            *threads =
                                run != NULL && run->kind == CAROM_NODE_MAP ? carom_tree_find(run, "threads") : NULL;
    const long said = threads != NULL && threads->text != NULL ? strtol(threads->text, NULL, 10) : 0;
    const size_t wanted = b->wish->threads > 0 ? b->wish->threads : said > 0 && said <= 1024 ? (size_t)said : 0;
    return carom_threads_share_count(wanted, numbers);
}

/* without a team it takes longer */
static enum carom_status settle_shared(struct carom_bind *b, const struct carom_bind_body *body, bool *unstable)
{
    const size_t threads = threads_of(b, body->solid->fast * body->solid->n);
    struct carom_threads *team = threads > 1 ? carom_threads_create(threads) : NULL;
    const enum carom_status status = carom_solid_settle_shared(body->solid, team, 0.0, CAROM_BIND_SOLID_SETTLED,
                                                               body->q, unstable, b->wish->progress, b->r.error);
    carom_threads_free(team);
    return status;
}

static enum carom_status say_buckles(struct carom_bind *b)
{
    return carom_bind_note(b, "the body rests where it cannot stay: the least push makes it buckle; a small load "
                              "across, such as a thousandth of the others, leads settle to the buckled rest");
}

enum carom_status carom_bind_solid_rest_alone(struct carom_bind *b, struct carom_node *entry,
                                              const struct carom_bind_body *body)
{
    struct carom_solid *s = body->solid;
    if (carom_bind_solid_acts_loads(b, body->map, s, true) != CAROM_OK)
        return b->r.error->status;
    bool unstable = false;
    enum carom_status status = CAROM_OK;
    if (!b->wish->unsettled)
        status = settle_shared(b, body, &unstable);
    carom_solid_add_nothing(s);
    if (status != CAROM_OK)
        return carom_tree_error_at(b->r.tree, entry, b->r.error);
    return unstable ? say_buckles(b) : CAROM_OK;
}

static enum carom_status load(struct carom_bind *b, const struct carom_bind_body *body, bool settling)
{
    carom_solid_add_nothing(body->solid);
    return carom_bind_solid_acts_loads(b, body->map, body->solid, settling);
}

static enum carom_status settle_alone(struct carom_bind *b, size_t n, const struct carom_bind_body *body)
{
    for (size_t i = 0; i < n; i++) {
        carom_solid_add_nothing(body[i].solid);
        if (body[i].rests != NULL && carom_bind_solid_rest_alone(b, body[i].rests, &body[i]) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

static enum carom_status settle_together(struct carom_bind *b, size_t n, const struct carom_bind_body *body,
                                         struct carom_solid_rest *rest)
{
    const size_t threads = threads_of(b, rest->model->nv);
    struct carom_node *entry = NULL;
    struct carom_solid_rest_end end;
    for (size_t i = 0; i < n; i++) {
        entry = entry == NULL ? body[i].rests : entry;
        if (load(b, &body[i], true) != CAROM_OK)
            return b->r.error->status;
    }
    rest->threads = threads > 1 ? carom_threads_create(threads) : NULL; /* without a team it takes longer */
    const enum carom_status status = carom_solid_rest_settle(rest, b->scene->q, &end, b->r.error);
    carom_threads_free(rest->threads);
    if (status != CAROM_OK)
        return carom_tree_error_at(b->r.tree, entry, b->r.error);
    if (end.slides > SLIDES &&
        carom_bind_note(b,
                        "%s would slide: %.2g of its load is left where nothing but friction holds it, which does not "
                        "act while bodies settle",
                        end.who.text, end.slides) != CAROM_OK)
        return b->r.error->status;
    if (end.rough > ROUGH &&
        carom_bind_note(b,
                        "what settles together rests to %.2g of its load: it lies where faces meet, and forces jump "
                        "there",
                        end.rough) != CAROM_OK)
        return b->r.error->status;
    return end.unstable ? say_buckles(b) : CAROM_OK;
}

/* What settles alone may go through something else: then all begin anew. */
static enum carom_status settle(struct carom_bind *b, size_t n, const struct carom_bind_body *body, const bool *settles)
{
    struct carom_solid_rest rest = {.model = b->scene->model,
                                    .progress = b->wish->progress,
                                    .tol = CAROM_BIND_SOLID_SETTLED,
                                    .settles = settles,
                                    .v = b->scene->v};
    double *before = carom_memory_zeroed(rest.model->nq, sizeof *before);
    bool touches = false;
    if (before == NULL)
        return carom_bind_memory(b);
    memcpy(before, b->scene->q, rest.model->nq * sizeof *before);
    const bool fine = carom_solid_rest_touches(&rest, b->scene->q, &touches, b->r.error) &&
                      (touches || (settle_alone(b, n, body) == CAROM_OK &&
                                   carom_solid_rest_touches(&rest, b->scene->q, &touches, b->r.error)));
    if (fine && touches)
        memcpy(b->scene->q, before, rest.model->nq * sizeof *before);
    carom_memory_free(before);
    if (!fine)
        return b->r.error->status;
    return touches ? settle_together(b, n, body, &rest) : CAROM_OK;
}

/* all that entries of start say up to the next by which somebody settles */
static enum carom_status rest(struct carom_bind *b, const struct carom_node *root, size_t n,
                              struct carom_bind_body *body, bool *settles, bool *more)
{
    *more = false;
    for (size_t i = 0; i < n; i++)
        *more |= settles[i] = body[i].rests != NULL;
    if (*more && !b->wish->unsettled && settle(b, n, body, settles) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < n && *more; i++)
        if (load(b, &body[i], false) != CAROM_OK ||
            (settles[i] && carom_bind_solid_one_go_on(b, root, &body[i]) != CAROM_OK))
            return b->r.error->status;
    return CAROM_OK;
}

/* --- beside joints ----------------------------------------------------------------------------------------------- */

static bool loaded_for_start(const struct carom_node *map)
{
    const struct carom_node *loads = carom_tree_find(map, "loads");
    for (const struct carom_node *load = loads != NULL ? loads->first : NULL; load != NULL; load = load->next) {
        const struct carom_node *during = load->kind == CAROM_NODE_MAP ? carom_tree_find(load, "during") : NULL;
        if (during != NULL && during->text != NULL && strcmp(during->text, "start") == 0)
            return true;
    }
    return false;
}

/* does a ball that stands still hang on cells of it? Of rods those that lie level carry nothing at first. */
static bool bears(const struct carom_bind *b, size_t member)
{
    size_t own = 0;
    const struct carom_solid_balls *balls = carom_solid_balls_of(b->scene->model, &own);
    const double *v = b->scene->v + b->scene->model->member[own].v0;
    const double pull = balls != NULL ? carom_vec_norm(balls->gravity) : 0.0;
    for (size_t j = 0; pull > 0.0 && j < balls->njoints; j++) {
        const struct carom_joint *joint = &balls->joint[j];
        const size_t d = (size_t)balls->dimension, to = joint->body[0];
        bool still = to != CAROM_WORLD && to >= balls->n && balls->anchor[to - balls->n].member == member;
        for (size_t k = 0; k < d && still; k++)
            still = v[d * joint->body[1] + k] == 0.0;
        if (still && (joint->kind != CAROM_JOINT_DISTANCE ||
                      fabs(carom_vec_dot(joint->apart, balls->gravity)) > LEVEL * pull * carom_vec_norm(joint->apart)))
            return true;
    }
    return false;
}

/* what acts on them later and has not while they settled */
static enum carom_status say_alone(struct carom_bind *b, size_t n, const struct carom_bind_body *body,
                                   const bool *settles)
{
    const struct carom_solid_rest rest = {.model = b->scene->model, .settles = settles, .v = b->scene->v};
    const struct carom_node *first = NULL;
    bool touches = false;
    if (!carom_solid_rest_touches(&rest, b->scene->q, &touches, b->r.error))
        return b->r.error->status;
    for (size_t i = 0; i < n; i++) {
        first = first == NULL ? body[i].alone : first;
        if (body[i].alone != NULL && bears(b, i) && !loaded_for_start(body[i].map) &&
            carom_bind_note(b,
                            "line %u: joints do not act while bodies settle, so that what hangs on cells of %s falls "
                            "onto it as the run begins: give it the weight as a force on them, during: start",
                            (unsigned)body[i].alone->line,
                            *body[i].solid->name != '\0' ? body[i].solid->name : "the solid") != CAROM_OK)
            return b->r.error->status;
    }
    return !touches ? CAROM_OK
                    : carom_bind_note(b,
                                      "line %u: there are joints, which do not act while bodies settle, so that each "
                                      "body settles alone: its ties and contacts begin to act with the run",
                                      (unsigned)first->line);
}

enum carom_status carom_bind_solid_rest(struct carom_bind *b, const struct carom_node *root, size_t n,
                                        const struct carom_bind_body *bodies)
{
    const struct carom_model *model = b->scene->model;
    struct carom_bind_body *body = carom_memory_zeroed(n, sizeof *body);
    bool *settles = carom_memory_zeroed(n, sizeof *settles), more = true, alone = false;
    enum carom_status status = body != NULL && settles != NULL ? CAROM_OK : carom_bind_memory(b);
    for (size_t i = 0; i < n && status == CAROM_OK; i++) /* the model's own */
        body[i] = (struct carom_bind_body){.solid = (struct carom_solid *)model->member[i].own,
                                           .map = bodies[i].map,
                                           .q = b->scene->q + model->member[i].q0,
                                           .v = b->scene->v + model->member[i].v0,
                                           .rests = bodies[i].rests,
                                           .alone = bodies[i].alone};
    for (size_t i = 0; i < n && status == CAROM_OK; i++)
        alone |= settles[i] = body[i].alone != NULL;
    if (alone && !b->wish->unsettled)
        status = say_alone(b, n, body, settles);
    while (more && status == CAROM_OK)
        status = rest(b, root, n, body, settles, &more);
    carom_memory_free_all(body, settles);
    return status;
}
