/* A start that another run of the same body has left: where its cells are at its end and how they move, out of its last
 * checkpoint, which a sim of the run's own scene reads. Its clock and ledger stay there. It may be large, so run files
 * do not keep it, but its checksum: who goes on with such a run, or repeats it, needs the other file as it was. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/keep.h"
#include "scene/solid/bind_solid.h"

#define SAME 1e-9 /* of the largest coordinate */

struct from {
    struct carom_bind *b;
    const struct carom_bind_body *body;
    const char *name, *path;
    struct carom_run_file *run;
};

static enum carom_status open_run(struct from *f)
{
    const struct carom_scene_wish *wish = f->b->wish;
    struct carom_error *error = f->b->r.error;
    if ((wish->guard && wish->guard(f->path, error) != CAROM_OK) ||
        carom_keep_open(f->path, f->name, &f->run, error) != CAROM_OK)
        return error->status;
    if (f->b->r.si != (strcmp(f->run->units, "si") == 0))
        return carom_error_set(error, CAROM_E_INPUT, "%s has units: %s, this scene has not", f->name, f->run->units);
    return CAROM_OK;
}

/* --- the same body? ---------------------------------------------------------------------------------------------- */

static bool same_places(const struct carom_solid *a, const struct carom_solid *b)
{
    double most = 0.0, apart = 0.0;
    for (size_t i = 0; i < a->n; i++)
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(a->centre[i][k]));
            apart = fmax(apart, fabs(a->centre[i][k] - b->centre[i][k]));
        }
    return apart <= SAME * most;
}

/* The member of the run's model that is this body. */
static enum carom_status find_member(const struct from *f, const struct carom_model *model,
                                     const struct carom_member **member)
{
    const struct carom_solid *s = f->body->solid, *was = NULL;
    struct carom_error *error = f->b->r.error;
    for (size_t i = 0; i < model->nparts && !was; i++) {
        const struct carom_solid *other = carom_solid_at(model, i);
        if (other && strcmp(other->name, s->name) == 0) {
            was = other;
            *member = &model->member[i];
        }
    }
    if (!was)
        return carom_error_set(error, CAROM_E_INPUT, "%s has no solid of this name", f->name);
    if (was->flow || was->breaks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "%s has a body that flows or breaks: others cannot begin as it ends", f->name);
    if (was->n != s->n || was->dimension != s->dimension || !same_places(was, s))
        return carom_error_set(
            error, CAROM_E_INPUT,
            "the body of %s has other cells (%zu; here %zu): a body begins as one of the same cells ends", f->name,
            was->n, s->n);
    return CAROM_OK;
}

/* --- its end ----------------------------------------------------------------------------------------------------- */

static enum carom_status take_state(const void *own, const struct carom_sim *sim)
{
    const struct from *f = own;
    const struct carom_solid *s = f->body->solid;
    const struct carom_member *m = NULL;
    const enum carom_status status = find_member(f, sim->model, &m);
    if (status != CAROM_OK)
        return status;
    memcpy(f->body->q, sim->view->q + m->q0, s->wide * s->n * sizeof(double));
    memcpy(f->body->v, sim->view->v + m->v0, s->fast * s->n * sizeof(double));
    return CAROM_OK;
}

/* --- kept -------------------------------------------------------------------------------------------------------- */

/* FNV-1a, 64 bits, of bit patterns, low bytes first */
static uint64_t add_to_sum(uint64_t sum, const double *number, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &number[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            sum = (sum ^ (bits >> (8 * k) & 0xff)) * UINT64_C(0x100000001b3);
    }
    return sum;
}

static enum carom_status keep(const struct from *f, const struct carom_node *map, struct carom_node *kept)
{
    const struct carom_solid *s = f->body->solid;
    const char *was;
    char text[24];
    uint64_t sum = add_to_sum(UINT64_C(0xcbf29ce484222325), f->body->q, s->wide * s->n);
    sum = add_to_sum(sum, f->body->v, s->fast * s->n);
    snprintf(text, sizeof text, "\"x%016" PRIx64 "\"", sum); /* never a number */
    if (!kept)
        return carom_keep(f->b, map, "state", text);
    if (carom_value_text(&f->b->r, kept, &was) != CAROM_OK)
        return f->b->r.error->status;
    return strncmp(text + 1, was, 17) == 0 && strlen(was) == 17
               ? CAROM_OK
               : carom_error_set(f->b->r.error, CAROM_E_INPUT,
                                 "%s is not what it was when this run began: it ends otherwise", f->name);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static enum carom_status read_end(struct from *f, const struct carom_node *map, struct carom_node *kept)
{
    char *path = carom_keep_beside(f->b, f->name);
    if (!path)
        return carom_bind_memory(f->b);
    f->path = path;
    enum carom_status status = open_run(f);
    if (status == CAROM_OK)
        status = carom_keep_end(f->b, f->run, f->path, f->name, "the body starts where its last checkpoint has it",
                                take_state, f);
    if (status == CAROM_OK)
        status = keep(f, map, kept);
    carom_run_file_close(f->run);
    carom_memory_free(path);
    return status;
}

enum carom_status carom_bind_solid_from(struct carom_bind *b, struct carom_node *map,
                                        const struct carom_bind_body *body, bool first)
{
    struct from f = {.b = b, .body = body};
    struct carom_node *node = carom_tree_find(map, "run"), *kept = carom_tree_find(map, "state");
    if (kept)
        kept->used = true;
    if (!node)
        return kept ? carom_value_wrong_key(&b->r, kept, "state: run is missing, whose end it is") : CAROM_OK;
    if (carom_value_text(&b->r, node, &f.name) != CAROM_OK)
        return b->r.error->status;
    if (!first)
        return carom_value_wrong_key(&b->r, node,
                                     "run: it says where all cells are, so it comes first, before settle, "
                                     "displacements and velocities");
    if (body->solid->flow || body->solid->breaks)
        return carom_tree_error(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                "a body that flows or breaks does not begin as a run has ended");
    if (b->wish->unsettled || read_end(&f, map, kept) == CAROM_OK)
        return CAROM_OK;
    return carom_tree_error_at(b->r.tree, node, b->r.error);
}
