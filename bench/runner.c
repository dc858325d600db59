/* Boxes that move a little everywhere, for rows of `carom bench`. */
#include "bench/runner.h"

#include <math.h>

#include "base/memory.h"
#include "mesh/voronoi.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"

void cli_runner_free(struct cli_runner *r)
{
    carom_stepper_free(r->stepper);
    carom_state_free(r->state);
    carom_threads_free(r->threads);
    carom_options_free(r->options);
    carom_model_free(r->model);
}

/* gives every link a shape of its own, as in a body of unlike cells */
static bool scatter(struct carom_solid *s)
{
    struct carom_solid_shape *shape = carom_memory_zeroed(s->nlinks, sizeof *shape);
    if (!shape)
        return false;
    for (size_t l = 0; l < s->nlinks; l++) {
        shape[l] = s->shape[s->link[l].shape];
        s->link[l].shape = (uint32_t)l;
    }
    carom_memory_free(s->shape);
    s->shape = shape;
    s->nshapes = s->nlinks;
    return carom_solid_mesh_ungrid(s);
}

enum { PERIOD = 100003 }; /* of velocities: sines of all would take longer than the steps */

/* a solid that has been made, under way; it is the runner's now */
static enum carom_status start(struct cli_runner *r, size_t threads, struct carom_error *error)
{
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    const struct carom_part *part = r->solid->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
    r->model = carom_model_create();
    if (!r->model)
        return carom_memory_error(error);
    if (carom_model_add(r->model, part, r->solid, error) != CAROM_OK || carom_model_finish(r->model, error) != CAROM_OK)
        return error->status;
    r->options = carom_options_create(&carom_scheme_rattle.kind);
    r->threads = threads > 0 ? carom_threads_create(threads) : NULL;
    if (!r->options || carom_options_set(&carom_scheme_rattle.kind, r->options, "step", 0.1, error) != CAROM_OK)
        return carom_memory_error(error);
    r->stepper = carom_stepper_create(&carom_scheme_rattle, r->model, r->options, &scales, r->threads, error);
    r->state = carom_state_create(r->model, carom_stepper_memory(&carom_scheme_rattle, r->model, r->options));
    if (!r->stepper || !r->state)
        return carom_memory_error(error);
    carom_solid_rest(r->solid, r->state->q);
    for (size_t i = 0; i < r->model->nv; i++)
        r->state->v[i] = i < PERIOD ? 1e-3 * sin(0.37 * (double)i) : r->state->v[i - PERIOD];
    return carom_scheme_rattle.start(r->stepper, r->state, error);
}

static const struct carom_solid_material material = {1.0, 0.25, 1.0};

enum carom_status cli_runner_create(struct cli_runner *r, enum carom_solid_case kind, const size_t count[3],
                                    bool records, size_t threads, struct carom_error *error)
{
    const double size[3] = {(double)count[0], (double)count[1], (double)count[2]};
    const double origin[3] = {0.0, 0.0, 0.0};
    r->solid = carom_solid_box(kind, count, size, origin, 1.0, &material, error);
    if (!r->solid)
        return error->status;
    r->solid->omega = 5.0; /* enough for the steps below */
    if (records && !scatter(r->solid))
        return carom_memory_error(error);
    return start(r, threads, error);
}

enum carom_status cli_runner_voronoi(struct cli_runner *r, size_t cells, size_t threads, struct carom_error *error)
{
    const double edge = cbrt((double)cells);
    const struct carom_outline_shape box = {.kind = CAROM_OUTLINE_BOX, .size = {edge, edge, edge}};
    const struct carom_voronoi wish = {.region = {.nshapes = 1, .shape = &box}, .cells = cells, .seed = 1, .relax = 1};
    struct carom_mesh *mesh = carom_voronoi_mesh(&wish, error);
    r->solid = mesh ? carom_solid_cells(mesh, &material, error) : NULL;
    carom_mesh_free(mesh);
    if (!r->solid)
        return error->status;
    r->solid->omega = 19.0; /* of the smallest cells: the step is stable up to 20 */
    return start(r, threads, error);
}
