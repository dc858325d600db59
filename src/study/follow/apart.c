/* Distances of motions. Bodies that are one mechanism are stood up as bodies first, so that they can be compared with
 * those of any scheme. */
#include "study/follow/apart.h"

#include <math.h>

#include "carom/bodies.h"
#include "model/bodies/linkage.h"
#include "model/solid/solid.h"

/* bodies as the part of that name has them; NULL: the model has none */
struct standing {
    const struct carom_bodies *bodies;
    const double *q, *v;
    double own_q[CAROM_LINKAGE_Q], own_v[CAROM_LINKAGE_V];
};

static bool stand(const struct carom_apart_place *place, struct standing *s)
{
    s->bodies = carom_linkage_bodies(place->model);
    s->q = place->q;
    s->v = place->v;
    if (carom_linkage_of(place->model) != NULL) {
        carom_linkage_stand(place->model, place->q, place->v, s->own_q, s->own_v);
        s->q = s->own_q;
        s->v = s->own_v;
    }
    return s->bodies != NULL;
}

/* by how much a number of a row counts: of cells displacements and velocities, not how they are turned */
static double weight(const struct carom_model *model, bool rate, size_t i)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    return solid == NULL || i % (rate ? solid->fast : solid->wide) < (size_t)solid->dimension ? 1.0 : 0.0;
}

static double larger(const struct carom_model *model, bool rates, const double *a, const double *b, size_t n)
{
    double sup = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (weight(model, rates, i) == 0.0)
            continue;
        const double distance = fabs(a[i] - b[i]);
        if (!(distance <= sup))
            sup = distance == distance ? distance : HUGE_VAL;
    }
    return sup;
}

void carom_apart_between(const struct carom_apart_place *a, const struct carom_apart_place *b, double *u, double *v)
{
    struct standing here, there;
    if (stand(a, &here) && stand(b, &there)) {
        carom_bodies_apart(here.bodies, here.q, there.q, here.v, there.v, u, v);
        return;
    }
    *u = larger(a->model, false, a->q, b->q, a->model->nq);
    *v = larger(a->model, true, a->v, b->v, a->model->nv);
}

size_t carom_apart_width(const struct carom_model *model, bool rates)
{
    const struct carom_bodies *b = carom_linkage_bodies(model);
    if (b == NULL)
        return rates ? model->nv : model->nq;
    return b->n * (rates ? carom_bodies_nv(b) : carom_bodies_nq(b) - b->dimension);
}

void carom_apart_metres(const struct carom_apart_place *place, double *u, double *v)
{
    struct standing s;
    if (!stand(place, &s)) {
        for (size_t i = 0; i < place->model->nq; i++)
            u[i] = weight(place->model, false, i) * place->q[i];
        for (size_t i = 0; i < place->model->nv; i++)
            v[i] = weight(place->model, true, i) * place->v[i];
        return;
    }
    const size_t nq = carom_bodies_nq(s.bodies), nv = carom_bodies_nv(s.bodies), d = s.bodies->dimension;
    for (size_t i = 0; i < s.bodies->n; i++, u += nq - d, v += nv) {
        const double lever = carom_bodies_lever(&s.bodies->body[i]);
        carom_bodies_moved(s.bodies, i, s.q, u);
        for (size_t k = d; k < nq - d; k++)
            u[k] = (d == 3 ? 2.0 : 1.0) * lever * s.q[i * nq + k]; /* quaternions have half angles */
        for (size_t k = 0; k < nv; k++)
            v[k] = (k < d ? 1.0 : lever) * s.v[i * nv + k];
    }
}
