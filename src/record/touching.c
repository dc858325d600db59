/* Contacts of a view, see touching.h. Only those that are closed: all others push with nothing and remember nothing. */
#include "record/touching.h"

#include "base/memory.h"
#include "record/bodies_read.h"

void carom_touching_open(struct carom_touching *t, const struct carom_bodies *bodies)
{
    *t = (struct carom_touching){0};
    carom_act_open(&t->act, bodies);
}

void carom_touching_close(struct carom_touching *t)
{
    carom_act_close(&t->act);
    carom_memory_free(t->touch);
    *t = (struct carom_touching){0};
}

static bool reserve(struct carom_touching *t, size_t n)
{
    if (!carom_act_reserve(&t->act, n))
        return false;
    if (n <= t->room)
        return true;
    if (!carom_memory_widen(&t->touch, t->n, t->act.room, sizeof *t->touch))
        return false;
    t->room = t->act.room;
    return true;
}

static void read_touch(const struct carom_act *act, const struct carom_contacts *c, const double *q, size_t j,
                       struct carom_touch *out)
{
    const struct carom_meeting *m = &act->meeting[j];
    double tangential[3] = {0.0}, along[3];
    *out = (struct carom_touch){.pair = {(uint64_t)c->key[j].a + 1, (uint64_t)c->key[j].b + 1}, .gap = m->gap};
    for (size_t k = 0; k < act->columns.width[CAROM_SLIDES]; k++)
        tangential[k] = act->tangent[CAROM_SLIDES][k][j];
    carom_act_spatial(act, m, tangential, along);
    carom_bodies_centre(act->bodies, c->key[j].a, q, out->point);
    for (int k = 0; k < 3; k++) {
        out->point[k] += m->arm[0][k];
        out->normal[k] = m->normal[k];
        out->force[k] = act->total[j] * m->normal[k] + along[k];
    }
    carom_bodies_read_wrap(act->bodies, out->point);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        out->dissipated += c->column[act->columns.lost + i][j];
}

enum carom_status carom_touching_read(struct carom_touching *t, const struct carom_state *view,
                                      struct carom_error *error)
{
    const struct carom_contacts *c = view->contacts;
    if (!reserve(t, c->n))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for recording contacts");
    carom_act_place(&t->act, c, view->q);
    carom_act_force(&t->act, c, view->v);
    t->n = 0;
    const bool rigid = t->act.bodies->rigid;
    const double *kept = c->column[t->act.columns.history + CAROM_RIGID_FORCE];
    for (size_t j = 0; rigid && j < c->n; j++) { /* no law says it, the scheme has found it */
        t->act.total[j] = kept[j];
        for (size_t k = 0; k < t->act.columns.width[CAROM_SLIDES]; k++)
            t->act.tangent[CAROM_SLIDES][k][j] = c->column[t->act.columns.spring[CAROM_SLIDES] + k][j];
    }
    for (size_t j = 0; j < c->n; j++)
        if (rigid ? kept[j] > 0.0 : t->act.meeting[j].gap < 0.0)
            read_touch(&t->act, c, view->q, j, &t->touch[t->n++]);
    return CAROM_OK;
}
