/* One contact somewhere inside a step of dp5, see bodies_glance.h. */
#include "scheme/compliant/bodies_glance.h"

#include <string.h>

void carom_bodies_glance_begin(struct carom_glance *g, struct carom_stepper *stepper, double t, size_t j,
                               enum carom_way way)
{
    struct carom_dp5_bodies *w = stepper->work;
    *g = (struct carom_glance){.stepper = stepper, .w = w, .j = j, .way = way, .t = t, .one = w->at};
    for (size_t i = 0; i < w->at.ncolumns; i++)
        g->column[i] = w->at.column[i] + j;
    g->one.n = 1;
    g->one.key = w->at.key + j;
    g->one.first = w->alone + (w->at.npairings - w->at.key[j].pairing);
    g->one.column = g->column;
}

/* where numbers of y stand somewhere in the step, from w->dense on */
typedef void fill(const struct carom_dp5_bodies *w, double s, size_t from, size_t to);

static void fill_dense(const struct carom_dp5_bodies *w, double s, size_t from, size_t to)
{
    carom_dormand_prince_dense(&w->step, s, from, to, w->dense);
}

static void fill_stage(const struct carom_dp5_bodies *w, double stage, size_t from, size_t to)
{
    if (stage > 0.0)
        carom_dormand_prince_stage(&w->step, (size_t)stage, from, to, w->dense);
    else
        memcpy(w->dense + from, w->step.y0 + from, (to - from) * sizeof(double));
}

static void look(struct carom_glance *g, fill *filled, double s, double place)
{
    struct carom_dp5_bodies *w = g->w;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies), all = g->stepper->model->nq;
    const struct carom_contact_key *key = &w->at.key[g->j];
    const size_t body[2] = {key->a, key->b};
    for (int i = 0; i < 2; i++) {
        filled(w, s, body[i] * nq, (body[i] + 1) * nq);
        filled(w, s, all + body[i] * nv, all + (body[i] + 1) * nv);
    }
    if (w->bodies->nleads > 0)
        carom_bodies_impose(w->bodies, fmin(g->t + place * w->step.h, w->end), w->dense, w->dense + all);
    for (int way = 0; way < CAROM_WAYS; way++) {
        w->look.slips[way] = w->slips[way] + g->j;
        for (size_t k = 0; k < w->act.columns.width[way]; k++) {
            const size_t at = carom_dp5_bodies_springs(g->stepper, way) + k * w->n + g->j;
            filled(w, s, at, at + 1);
            g->column[w->act.columns.spring[way] + k] = w->dense + at;
        }
    }
    carom_act_place(&w->look, &g->one, w->dense);
    if (g->one.column[w->act.columns.phase][0] != CAROM_CONTACT_OPEN) /* an open one is asked whether it is */
        carom_bodies_rates_hold(w, &w->look, &g->one);
    carom_act_force(&w->look, &g->one, w->dense + all);
}

void carom_bodies_glance_at(struct carom_glance *g, double s)
{
    look(g, fill_dense, s, s);
}

void carom_bodies_glance_stage(struct carom_glance *g, size_t s)
{
    look(g, fill_stage, (double)s, carom_dormand_prince_node(s));
}
