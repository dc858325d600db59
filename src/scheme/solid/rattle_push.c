/* Forces and moments of contacts onto cells: see rattle_push.h. */
#include "scheme/solid/rattle_push.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* the forces of a cell before it was pushed */
struct carom_rattle_pushed_cell {
    size_t cell;
    double force[6];
};

bool carom_rattle_push_open(struct carom_rattle_push *p, const struct carom_solid_strike *of)
{
    *p = (struct carom_rattle_push){.nbodies = of->nbodies};
    p->pushed = carom_memory_zeroed(of->nbodies, sizeof *p->pushed);
    for (size_t i = 0; p->pushed && i < of->nbodies; i++) {
        struct carom_rattle_pushed *pushed = &p->pushed[i];
        pushed->cell = carom_memory_zeroed(of->body[i].skin->nrims, sizeof *pushed->cell);
        pushed->stamp = carom_memory_zeroed(of->body[i].solid->n, sizeof *pushed->stamp);
        if (!pushed->cell || !pushed->stamp)
            return false;
    }
    return p->pushed != NULL;
}

void carom_rattle_push_close(struct carom_rattle_push *p)
{
    for (size_t i = 0; p->pushed && i < p->nbodies; i++)
        carom_memory_free_all(p->pushed[i].cell, p->pushed[i].stamp);
    carom_memory_free(p->pushed);
}

void carom_rattle_push_begin(struct carom_rattle_push *p)
{
    for (size_t i = 0; i < p->nbodies; i++)
        p->pushed[i].n = 0;
    p->rounds++;
}

void carom_rattle_push_undo(const struct carom_rattle_push *p, struct carom_rattle_body *body)
{
    for (size_t i = 0; i < p->nbodies; i++) {
        const struct carom_rattle_pushed *pushed = &p->pushed[i];
        const size_t fast = body[i].solid->fast;
        for (size_t k = 0; k < pushed->n; k++)
            memcpy(body[i].force + fast * pushed->cell[k].cell, pushed->cell[k].force, fast * sizeof(double));
    }
}

static void save(struct carom_rattle_push *p, size_t body, size_t cell, size_t fast, const double *f)
{
    struct carom_rattle_pushed *pushed = &p->pushed[body];
    if (pushed->stamp[cell] == p->rounds)
        return;
    pushed->stamp[cell] = p->rounds;
    struct carom_rattle_pushed_cell *s = &pushed->cell[pushed->n++];
    s->cell = cell;
    memcpy(s->force, f, fast * sizeof *f);
}

/* a force and a moment on one cell */
static void push_cell(struct carom_rattle_push *p, struct carom_rattle_body *body, size_t which, size_t cell,
                      const double force[3], const double moment[3])
{
    const struct carom_solid *s = body[which].solid;
    const size_t d = (size_t)s->dimension;
    double *f = body[which].force + s->fast * cell;
    save(p, which, cell, s->fast, f);
    for (size_t k = 0; k < s->fast; k++)
        f[k] += k < d ? force[k] : moment[d == 2 ? 2 : k - d];
}

void carom_rattle_push_point(struct carom_rattle_push *p, struct carom_rattle_body *body, size_t which,
                             const struct carom_skin_grip *grip, const double normal[3], double lambda)
{
    for (size_t i = 0; i < grip->ncells; i++) {
        double force[3], moment[3];
        for (size_t k = 0; k < 3; k++)
            force[k] = -lambda * grip->share[i] * normal[k];
        carom_vec_cross(grip->arm[i], force, moment);
        push_cell(p, body, which, grip->cell[i], force, moment);
    }
}

void carom_rattle_push_touch(struct carom_rattle_push *p, struct carom_rattle_body *body, const struct carom_strike *at,
                             double lambda)
{
    for (size_t i = 0; i < at->ncells; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(at, i);
        double force[3], moment[3];
        for (int k = 0; k < 3; k++) {
            force[k] = -lambda * touch->along[k];
            moment[k] = -lambda * touch->twist[k];
        }
        push_cell(p, body, at->body, touch->cell, force, moment);
    }
}

void carom_rattle_push_friction(struct carom_rattle_push *p, struct carom_rattle_body *body,
                                const struct carom_strike *at, const double force[3])
{
    for (size_t i = 0; i < at->ncells; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(at, i);
        double part[3], moment[3];
        for (int k = 0; k < 3; k++)
            part[k] = -touch->share * force[k];
        carom_vec_cross(touch->arm, part, moment);
        push_cell(p, body, at->body, touch->cell, part, moment);
    }
}
