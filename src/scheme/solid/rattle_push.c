/* Forces and moments of contacts onto cells: see rattle_push.h. */
#include "scheme/solid/rattle_push.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* the forces of a cell before it was pushed */
struct carom_rattle_pushed {
    uint32_t body, cell;
    double force[6];
};

bool carom_rattle_push_open(struct carom_rattle_push *p, const struct carom_solid_strike *of)
{
    size_t room = 0;
    *p = (struct carom_rattle_push){.nbodies = of->nbodies};
    p->stamp = carom_memory_zeroed(of->nbodies, sizeof *p->stamp);
    for (size_t i = 0; p->stamp && i < of->nbodies; i++) {
        room += of->body[i].skin->nrims;
        p->stamp[i] = carom_memory_zeroed(of->body[i].solid->n, sizeof **p->stamp);
        if (!p->stamp[i])
            return false;
    }
    p->pushed = carom_memory_zeroed(room, sizeof *p->pushed);
    return p->stamp && p->pushed;
}

void carom_rattle_push_close(struct carom_rattle_push *p)
{
    for (size_t i = 0; p->stamp && i < p->nbodies; i++)
        carom_memory_free(p->stamp[i]);
    carom_memory_free_all(p->stamp, p->pushed);
}

void carom_rattle_push_begin(struct carom_rattle_push *p)
{
    p->npushed = 0;
    p->rounds++;
}

void carom_rattle_push_undo(const struct carom_rattle_push *p, struct carom_rattle_body *body)
{
    for (size_t i = 0; i < p->npushed; i++) {
        const size_t fast = body[p->pushed[i].body].solid->fast;
        memcpy(body[p->pushed[i].body].force + fast * p->pushed[i].cell, p->pushed[i].force, fast * sizeof(double));
    }
}

static void save(struct carom_rattle_push *p, size_t body, size_t cell, size_t fast, const double *f)
{
    if (p->stamp[body][cell] == p->rounds)
        return;
    p->stamp[body][cell] = p->rounds;
    struct carom_rattle_pushed *s = &p->pushed[p->npushed++];
    s->body = (uint32_t)body;
    s->cell = (uint32_t)cell;
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
