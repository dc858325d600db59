/* Surfaces of solids that press each other, in the kicks of scheme rattle: see rattle_strike.c. Threads look for the
 * points together and, unless these rub, push both bodies at once. */
#include "scheme/solid/rattle_faces.h"

#include "base/memory.h"
#include "base/threads.h"
#include "scheme/solid/rattle_cell.h"

/* every piece may touch once; tied points come on top */
bool carom_rattle_faces_open(struct carom_rattle_faces *f, const struct carom_model *model,
                             struct carom_threads *threads)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    *f = (struct carom_rattle_faces){.model = model, .of = of, .threads = threads};
    for (size_t i = 0; of->nmeets > 0 && i < of->nbodies; i++)
        f->most += of->body[i].skin->npieces;
    for (size_t m = 0; m < of->nmeets; m++)
        f->most += of->meet[m].nties;
    f->crew = of->nmeets > 0 ? carom_solid_press_crew_create(threads) : NULL;
    f->press = carom_memory_zeroed(f->most, sizeof *f->press);
    f->end = carom_memory_zeroed(of->nmeets + 1, sizeof *f->end);
    return f->press && f->end;
}

void carom_rattle_faces_close(struct carom_rattle_faces *f)
{
    carom_solid_press_crew_free(f->crew);
    carom_memory_free_all(f->press, f->end);
}

/* --- where they touch -------------------------------------------------------------------------------------------- */

static void keep(void *own, const struct carom_press *press)
{
    struct carom_rattle_faces *f = own;
    if (!(press->depth > 0.0))
        return;
    f->full = f->full || f->n == f->most;
    if (!f->full)
        f->press[f->n++] = *press;
}

void carom_rattle_faces_find(struct carom_rattle_faces *f, const double *q, double *overlap)
{
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    if (f->of->nmeets > 0)
        carom_solid_press_boxes(f->model, q, box);
    f->n = 0;
    f->full = false;
    for (size_t m = 0; m < f->of->nmeets; m++) {
        double square = 0.0;
        size_t i = f->n;
        carom_solid_press_find(f->model, &f->of->meet[m], box, q, f->crew, keep, f);
        for (; i < f->n; i++)
            square += f->press[i].weight * f->press[i].depth * f->press[i].depth;
        f->end[m] = f->n;
        overlap[m] = sqrt(square);
    }
}

static size_t first_of(const struct carom_rattle_faces *f, size_t m)
{
    return m > 0 ? f->end[m - 1] : 0;
}

enum carom_status carom_rattle_faces_bounded(const struct carom_rattle_faces *f, double t, struct carom_error *error)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct carom_strike_body *b = &f->of->body[f->press[i].end[0].body];
        if (f->full || f->press[i].depth > 0.5 * b->reach)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "solid %s is half a cell inside what it strikes, or apart from what it is tied to, "
                                   "at t = %g: k is too small, the body too fast or the step too long",
                                   b->solid->name, t);
    }
    return CAROM_OK;
}

/* --- how fast they close ------------------------------------------------------------------------------------------ */

/* false: this end is a wall's */
static bool grip_of(const struct carom_rattle_faces *f, const struct carom_press_end *end, const double *q,
                    struct carom_skin_grip *grip)
{
    if (end->body >= f->of->nbodies)
        return false;
    const struct carom_strike_body *b = &f->of->body[end->body];
    carom_solid_skin_grip(b->solid, b->skin, end->piece, end->share, q + f->model->member[end->body].q0, grip);
    return true;
}

static double along(const struct carom_rattle_faces *f, size_t body, const struct carom_skin_grip *grip,
                    const double normal[3], const double *q, const double *v)
{
    const struct carom_solid *s = f->of->body[body].solid;
    const struct carom_member *cells = &f->model->member[body];
    const size_t d = (size_t)s->dimension;
    double rate = 0.0;
    for (size_t i = 0; i < grip->ncells; i++) {
        double spin[3], sweep[3];
        carom_rattle_cell_sweep(s, grip->cell[i], grip->arm[i], q + cells->q0, v + cells->v0, spin, sweep);
        for (size_t k = 0; k < d; k++)
            rate += grip->share[i] * normal[k] * sweep[k];
    }
    return rate;
}

/* of an overlap sqrt(sum w d^2) */
double carom_rattle_faces_closing(const struct carom_rattle_faces *f, size_t m, double overlap, const double *q,
                                  const double *v)
{
    double rate = 0.0;
    for (size_t i = first_of(f, m); i < f->end[m]; i++)
        for (int e = 0; e < 2; e++) {
            const struct carom_press *p = &f->press[i];
            struct carom_skin_grip grip;
            if (grip_of(f, &p->end[e], q, &grip))
                rate += (e == 0 ? -1.0 : 1.0) * p->weight * p->depth / overlap *
                        along(f, p->end[e].body, &grip, p->normal, q, v);
        }
    return rate;
}

/* --- pushes ------------------------------------------------------------------------------------------------------- */

struct pushing {
    const struct carom_rattle_faces *f;
    struct carom_rattle_push *onto;
    struct carom_rattle_body *body;
    size_t m;
    double lambda, overlap;
    const struct carom_rattle_kick *kick;
};

/* one end of a point; NULL: it is a wall's, else where it is held */
static struct carom_skin_grip *push_end(const struct pushing *s, const struct carom_press *p, int e,
                                        struct carom_skin_grip *grip)
{
    const double share = s->lambda * p->weight * p->depth / s->overlap;
    if (!grip_of(s->f, &p->end[e], s->kick->q, grip))
        return NULL;
    carom_rattle_push_point(s->onto, s->body, p->end[e].body, grip, p->normal, e == 0 ? -share : share);
    return grip;
}

/* one of both bodies */
static void push_side(void *own, size_t side)
{
    const struct pushing *s = own;
    const struct carom_rattle_faces *f = s->f;
    struct carom_skin_grip grip;
    for (size_t i = first_of(f, s->m); i < f->end[s->m]; i++)
        push_end(s, &f->press[i], f->press[i].end[0].body == f->of->meet[s->m].body[side] ? 0 : 1, &grip);
}

/* friction in one point, pressed by `normal`: midway between both ends, so that it turns nothing */
static void rub(const struct pushing *s, struct carom_rattle_friction *friction, const struct carom_press *p,
                struct carom_skin_grip *const grip[2], double normal)
{
    double force[3];
    for (int e = 0; e < 2; e++)
        for (size_t i = 0; grip[e] && i < grip[e]->ncells; i++)
            for (int k = 0; k < 3; k++)
                grip[e]->arm[i][k] += (e == 0 ? 0.5 : -0.5) * p->depth * p->normal[k];
    carom_rattle_friction_faces(friction, s->m, p, grip, normal, s->kick, force);
    for (int e = 0; e < 2; e++)
        if (grip[e])
            carom_rattle_push_point(s->onto, s->body, p->end[e].body, grip[e], force,
                                    e == 0 ? -1.0 : 1.0); /* against what it says */
}

static void push_and_rub(const struct pushing *s, struct carom_rattle_friction *friction)
{
    for (size_t i = first_of(s->f, s->m); i < s->f->end[s->m]; i++) {
        const struct carom_press *p = &s->f->press[i];
        struct carom_skin_grip grip[2];
        struct carom_skin_grip *const held[2] = {push_end(s, p, 0, &grip[0]), push_end(s, p, 1, &grip[1])};
        rub(s, friction, p, held, s->lambda * p->weight * p->depth / s->overlap);
    }
}

void carom_rattle_faces_push(struct carom_rattle_faces *f, struct carom_rattle_push *onto,
                             struct carom_rattle_friction *friction, struct carom_rattle_body *body, size_t m,
                             double lambda, double overlap, const struct carom_rattle_kick *kick)
{
    enum { FEW = 64 }; /* not worth waking threads for */
    struct pushing pushing = {f, onto, body, m, lambda, overlap, kick};
    if (friction && !f->of->meet[m].tied)
        push_and_rub(&pushing, friction);
    else
        carom_threads_run(f->end[m] - first_of(f, m) < FEW ? NULL : f->threads, push_side, &pushing, 2);
}
