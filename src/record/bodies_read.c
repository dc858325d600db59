/* Numbers of discs, spheres and walls out of a view. */
#include "record/bodies_read.h"

#include <string.h>

#include "model/bodies/joints.h"
#include "model/bodies/linkage.h"

static bool of_joints(enum carom_cells_what what)
{
    return what == CAROM_CELLS_JOINT_FORCE || what == CAROM_CELLS_JOINT_MOMENT;
}

const struct carom_bodies *carom_bodies_read_of(const struct carom_model *model, enum carom_cells_what what)
{
    const bool places = what == CAROM_CELLS_POSITION || what == CAROM_CELLS_ROTATION || what == CAROM_CELLS_SPIN;
    const struct carom_bodies *bodies = carom_model_bodies(model);
    return bodies || !(places || of_joints(what)) ? bodies : carom_linkage_of(model);
}

size_t carom_bodies_read_depth(const struct carom_bodies *b, enum carom_cells_what what)
{
    switch (what) {
    case CAROM_CELLS_DISPLACEMENT:
    case CAROM_CELLS_JOINT_FORCE:
    case CAROM_CELLS_VELOCITY:
    case CAROM_CELLS_POSITION:
        return b->dimension;
    case CAROM_CELLS_ROTATION:
        return b->dimension == 3 ? 4 : 1;
    case CAROM_CELLS_SPIN:
    case CAROM_CELLS_JOINT_MOMENT:
        return b->dimension == 3 ? 3 : 1;
    case CAROM_CELLS_STRESS:
        return 6;
    default:
        return 0;
    }
}

size_t carom_bodies_read_size(const struct carom_bodies *b, enum carom_cells_what what)
{
    return carom_bodies_read_depth(b, what) * (of_joints(what) ? b->njoints : b->n);
}

void carom_bodies_read_wrap(const struct carom_bodies *b, double place[3])
{
    for (size_t k = 0; k < b->dimension; k++) {
        const double side = b->high[k] - b->low[k];
        if (!b->periodic[k])
            continue;
        place[k] -= side * floor((place[k] - b->low[k]) / side);
        if (!(place[k] < b->high[k])) /* a hair below the lower side is rounded up to the upper one */
            place[k] = b->low[k];
    }
}

static void read_body(const struct carom_bodies *b, size_t i, const double *q, const double *v,
                      enum carom_cells_what what, double *out)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension;
    double place[3];
    switch (what) {
    case CAROM_CELLS_DISPLACEMENT:
        carom_bodies_moved(b, i, q, place);
        memcpy(out, place, d * sizeof *out);
        return;
    case CAROM_CELLS_POSITION:
        carom_bodies_centre(b, i, q, place);
        carom_bodies_read_wrap(b, place);
        memcpy(out, place, d * sizeof *out);
        return;
    case CAROM_CELLS_VELOCITY:
        memcpy(out, v + i * nv, d * sizeof *out);
        return;
    case CAROM_CELLS_ROTATION:
        memcpy(out, q + i * nq + d, (nq - 2 * d) * sizeof *out);
        return;
    case CAROM_CELLS_SPIN:
        memcpy(out, v + i * nv + d, (nv - d) * sizeof *out);
        return;
    default:
        return;
    }
}

/* bodies that are one mechanism */
static void read_linkage(const struct carom_reading *reading, const struct carom_bodies *b, enum carom_cells_what what,
                         double *out)
{
    double q[CAROM_LINKAGE_Q], v[CAROM_LINKAGE_V];
    if (of_joints(what)) {
        carom_linkage_carry(reading->model, reading->view, what == CAROM_CELLS_JOINT_MOMENT, out);
        return;
    }
    carom_linkage_stand(reading->model, reading->view->q, reading->view->v, q, v);
    for (size_t i = 0; i < b->n; i++)
        read_body(b, i, q, v, what, out + carom_bodies_read_depth(b, what) * i);
}

void carom_bodies_read(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out)
{
    const struct carom_member *m = &reading->model->member[member];
    const struct carom_bodies *b = carom_bodies_read_of(reading->model, what);
    const size_t depth = carom_bodies_read_depth(b, what);
    if (carom_model_bodies(reading->model) == NULL) {
        read_linkage(reading, b, what, out);
        return;
    }
    if (what == CAROM_CELLS_STRESS) {
        memcpy(out, reading->stress, b->n * sizeof *reading->stress);
        return;
    }
    for (size_t j = 0; of_joints(what) && j < b->njoints; j++)
        memcpy(out + depth * j,
               reading->view->force + j * carom_joints_width(b) + (what == CAROM_CELLS_JOINT_MOMENT ? b->dimension : 0),
               depth * sizeof *out);
    for (size_t i = 0; !of_joints(what) && i < b->n; i++)
        read_body(b, i, reading->view->q + m->q0, reading->view->v + m->v0, what, out + depth * i);
}
