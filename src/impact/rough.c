/* Collisions as problems of lzb_friction.h: rates, slips and W of normals and tangents out of the frame. A frame
 * without tangents gets some that nothing asks for. */
#include "impact/rough.h"

#include <string.h>

#include "base/memory.h"
#include "model/frame.h"

struct carom_rough {
    struct carom_lzb_friction *path;
    size_t room;
    double *rate, *slip, *none, *usual_k, *usual_p, *rub, *friction_loss; /* room each, in space twice */
    double *matrix;                                                       /* (2 room)^2, once it is asked for */
};

const struct carom_param carom_rough_params[] = {
    {"impact_tol", CAROM_REAL, offsetof(struct carom_rough_options, impact_tol), 0.0, 0.0, 0.1, "1",
     "error of the velocities after an impact, relative to the fastest before; 0: 1e-10", NULL},
    CAROM_PARAM_END,
};

void carom_rough_free(struct carom_rough *r)
{
    if (!r)
        return;
    carom_lzb_friction_free(r->path);
    carom_memory_free_all(r->rate, r);
}

struct carom_rough *carom_rough_create(size_t room, struct carom_error *error)
{
    struct carom_rough *r = carom_memory_zeroed(1, sizeof *r);
    if (!r || !(r->path = carom_lzb_friction_create(room)) ||
        !carom_memory_together(CAROM_ROOM(r->rate, 2 * room), CAROM_ROOM(r->slip, 2 * room),
                               CAROM_ROOM(r->none, 2 * room), CAROM_ROOM(r->usual_k, 2 * room),
                               CAROM_ROOM(r->usual_p, 2 * room), CAROM_ROOM(r->rub, 2 * room),
                               CAROM_ROOM(r->friction_loss, 2 * room), CAROM_ROOM(r->matrix, 4 * room * room))) {
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for impacts at %zu contacts", room);
        carom_rough_free(r);
        return NULL;
    }
    for (size_t i = 0; i < room; i++) {
        r->usual_k[i] = 1.0;
        r->usual_p[i] = 1.5;
    }
    r->room = room;
    return r;
}

/* W of normals between contacts i and j */
static double normal(const struct carom_frame *frame, size_t i, size_t j)
{
    if (!frame->chain)
        return frame->matrix[i * frame->n + j];
    return i == j ? frame->diagonal[i] : i + 1 == j ? frame->beside[i] : j + 1 == i ? frame->beside[j] : 0.0;
}

static const double *widen(struct carom_rough *r, const struct carom_frame *frame)
{
    const size_t n = frame->n;
    for (size_t i = 0; i < 2 * n; i++)
        for (size_t j = 0; j < 2 * n; j++)
            r->matrix[i * 2 * n + j] = i % 2 == 0 && j % 2 == 0 ? normal(frame, i / 2, j / 2) : i == j;
    return r->matrix;
}

/* Slow impacts, the last of those that die out, may be off by more of their approach: an error is felt by what it is.
 * The ratio of two impacts is good to the coarsest at least. */
static double tol_of(const struct carom_collision *c, const double *rate, double tol)
{
    const double coarsest = 1e-6;
    double fast = 0.0;
    for (size_t i = 0; i < c->frame->n; i++)
        fast = -rate[i] > fast ? -rate[i] : fast; /* fmax: 0 or -0, as compiled */
    return fast > 0.0 ? fmax(tol, fmin(c->unfelt / fast, coarsest)) : tol;
}

enum carom_status carom_rough_solve(struct carom_rough *r, struct carom_collision *c, enum carom_lzb_friction_law law,
                                    double asked, struct carom_error *error)
{
    const struct carom_frame *frame = c->frame;
    const bool rubs = frame->both && c->mu;
    double *rub = rubs ? c->rub : r->rub;
    memset(r->slip, 0, 2 * frame->n * sizeof(double));
    carom_frame_rates(frame, c->v, r->rate);
    if (rubs)
        carom_frame_slips(frame, frame->slide, c->v, r->slip);
    const double tol = tol_of(c, r->rate, asked);
    const struct carom_lzb_friction_problem problem = {.n = frame->n,
                                                       .w = rubs ? frame->both : widen(r, frame),
                                                       .rate = r->rate,
                                                       .slip = r->slip,
                                                       .e = c->e,
                                                       .k = c->k ? c->k : r->usual_k,
                                                       .p = c->p ? c->p : r->usual_p,
                                                       .mu = rubs ? c->mu : r->none,
                                                       .mu_static = rubs ? c->mu_static : r->none,
                                                       .tol = tol,
                                                       .impulse = c->impulse,
                                                       .rub = rub,
                                                       .lost = c->lost,
                                                       .friction_loss = rubs ? c->friction_loss : r->friction_loss,
                                                       .law = law,
                                                       .space = rubs && frame->tangents == 2,
                                                       .collision = c};
    const enum carom_status status = carom_lzb_friction_solve(r->path, &problem, error);
    if (status != CAROM_OK)
        return status;
    memmove(c->after, c->v, frame->model->nv * sizeof(double));
    carom_frame_push(frame, c->impulse, c->after);
    if (rubs)
        carom_frame_friction(frame, rub, c->after);
    c->residual = c->duration = 0.0;
    c->iterations = 0;
    c->stopped = carom_lzb_answer_stopped(r->path);
    c->estimate = 0.0;
    for (size_t i = 0; i < frame->n; i++)
        c->estimate =
            -tol * r->rate[i] > c->estimate ? -tol * r->rate[i] : c->estimate; /* fmax: 0 or -0, as compiled */
    return CAROM_OK;
}

enum carom_status carom_rough_open(struct carom_striker *striker, struct carom_error *error)
{
    striker->work = carom_rough_create(striker->room, error);
    return striker->work ? CAROM_OK : CAROM_E_MEMORY;
}

void carom_rough_close(struct carom_striker *striker)
{
    carom_rough_free(striker->work);
    striker->work = NULL;
}

enum carom_status carom_rough_strike(struct carom_striker *striker, struct carom_collision *c,
                                     enum carom_lzb_friction_law law, struct carom_error *error)
{
    const struct carom_rough_options *o = striker->options;
    const double usual = 1e-10, smallest = 1e-12; /* below it rounding of hundreds of steps is more */
    const double tol = o && o->impact_tol > 0.0 ? fmax(o->impact_tol, smallest) : usual;
    return carom_rough_solve(striker->work, c, law, tol, error);
}
