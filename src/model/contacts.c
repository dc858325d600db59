/* All contacts of a model at once: overlaps from ports, forces from laws, pushes back onto the parts.
 * Chains take a path over flat arrays; any other model goes through its parts' ports. */
#include "carom/law.h"
#include "carom/model.h"
#include "model/beads/chain.h"
#include "model/ports.h"

/* value of one side of a contact and, if v is given, its rate */
static void side(const struct carom_model *model, int32_t which, double t, const double *q, const double *v,
                 double *value, double *rate)
{
    *value = *rate = 0.0;
    if (which < 0) {
        const struct carom_drive *wall = model->wall[which == CAROM_WALL_LEFT ? 0 : 1];
        if (wall) {
            const struct carom_motion motion = carom_loads_motion(wall, t);
            *value = motion.place;
            *rate = motion.rate;
        }
        return;
    }
    const struct carom_member *m = &model->member[carom_ports_owner(model, (size_t)which)];
    struct carom_port port;
    m->part->port(m->own, (size_t)which - m->port0, t, q + m->q0, &port);
    *value = port.value;
    *rate = port.drift;
    for (size_t i = 0; v && i < port.count; i++)
        *rate += port.slope[i] * v[m->v0 + port.first + i];
}

static void deform_some(const struct carom_model *model, size_t first, size_t last, bool near, double t,
                        const double *q, const double *v, double *deform, double *rate)
{
    if (model->offers & CAROM_CHAIN) {
        struct carom_chain chain = carom_chain_of(model);
        carom_chain_clock(&chain, t);
        carom_chain_deform(&chain, first, last, q, deform);
        if (rate)
            carom_chain_rate(&chain, first, last, v, rate);
        return;
    }
    if (model->encounter) {
        model->encounter->deform(model, first, last, near, q, v, deform, rate);
        return;
    }
    for (size_t j = first; j < last; j++) {
        double a, b, a_rate, b_rate;
        side(model, model->pair[j][0], t, q, rate ? v : NULL, &a, &a_rate);
        side(model, model->pair[j][1], t, q, rate ? v : NULL, &b, &b_rate);
        deform[j - first] = a - b - model->gap[j];
        if (rate)
            rate[j - first] = a_rate - b_rate;
    }
}

void carom_contacts_deform_some(const struct carom_model *model, size_t first, size_t last, double t, const double *q,
                                const double *v, double *deform, double *rate)
{
    deform_some(model, first, last, false, t, q, v, deform, rate);
}

void carom_contacts_touch_some(const struct carom_model *model, size_t first, size_t last, double t, const double *q,
                               const double *v, double *deform, double *rate)
{
    deform_some(model, first, last, true, t, q, v, deform, rate);
}

void carom_contacts_deform(const struct carom_model *model, double t, const double *q, const double *v, double *deform,
                           double *rate)
{
    carom_contacts_deform_some(model, 0, model->nc, t, q, v, deform, rate);
}

void carom_contacts_slip(const struct carom_model *model, double t, const double *q, const double *v, double *rate)
{
    for (size_t j = 0; j < model->nc; j++)
        rate[j] = carom_ports_slip(model, j, t, q, v);
}

/* latched contacts have no force and no energy; arrays as below */
static void let_go(const struct carom_group *g, size_t base, size_t from, size_t to, const double *history,
                   const struct carom_response *out)
{
    double *const all[] = {out->elastic, out->slope, out->viscous, out->drag, out->power, out->energy};
    const double *latched = history + g->history0 + g->law->nh * g->count;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = from; all[i] && j < to; j++)
            all[i][j - base] = latched[j - g->first] > 0.0 ? 0.0 : all[i][j - base];
}

/* one law on contacts [from, to) of its group; arrays begin with contact `base` */
static void evaluate_group(const struct carom_group *g, size_t base, size_t from, size_t to, const double *deform,
                           const double *rate, const double *history, const struct carom_response *out)
{
    const double *param[CAROM_LAW_WIDTH];
    const double *memory[CAROM_LAW_WIDTH];
    double *memory_rate[CAROM_LAW_WIDTH];
    const size_t skip = from - g->first, at = from - base;
    for (size_t c = 0; c < g->ncolumns; c++)
        param[c] = g->param[c] + skip;
    for (size_t c = 0; c < g->law->nh; c++) {
        memory[c] = history + g->history0 + c * g->count + skip;
        memory_rate[c] = out->history_rate ? out->history_rate + g->history0 + c * g->count + skip : NULL;
    }
    const struct carom_batch batch = {
        .law = g->law,
        .n = to - from,
        .param = param,
        .deform = deform + at,
        .rate = rate ? rate + at : NULL,
        .history = g->law->nh ? memory : NULL,
        .elastic = out->elastic ? out->elastic + at : NULL,
        .slope = out->slope ? out->slope + at : NULL,
        .viscous = out->viscous ? out->viscous + at : NULL,
        .drag = out->drag ? out->drag + at : NULL,
        .power = out->power ? out->power + at : NULL,
        .energy = out->energy ? out->energy + at : NULL,
        .history_rate = g->law->nh && out->history_rate ? memory_rate : NULL,
    };
    g->law->evaluate(&batch);
    if (g->nh > g->law->nh && history)
        let_go(g, base, from, to, history, out);
}

void carom_contacts_evaluate(const struct carom_model *model, size_t first, size_t last, const double *deform,
                             const double *rate, const double *history, const struct carom_response *out)
{
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        const size_t from = g->first > first ? g->first : first;
        const size_t to = g->first + g->count < last ? g->first + g->count : last;
        if (from < to)
            evaluate_group(g, first, from, to, deform, rate, history, out);
    }
}

/* f += lambda * slope of one port; a port that moves by itself does work on the contact */
static void push_side(const struct carom_model *model, int32_t which, double t, const double *q, double lambda,
                      double *f, double *work)
{
    if (which < 0 && work && model->wall[which == CAROM_WALL_LEFT ? 0 : 1]) /* booked with the first part */
        work[0] -= lambda * carom_loads_motion(model->wall[which == CAROM_WALL_LEFT ? 0 : 1], t).rate;
    if (which < 0 || lambda == 0.0)
        return;
    const struct carom_member *m = &model->member[carom_ports_owner(model, (size_t)which)];
    struct carom_port port;
    m->part->port(m->own, (size_t)which - m->port0, t, q + m->q0, &port);
    for (size_t i = 0; i < port.count; i++)
        f[m->v0 + port.first + i] += lambda * port.slope[i];
    if (work)
        work[m - model->member] -= lambda * port.drift;
}

void carom_contacts_push(const struct carom_model *model, double t, const double *q, const double *lambda, double *f,
                         double *work)
{
    for (size_t j = 0; j < model->nc; j++) {
        push_side(model, model->pair[j][0], t, q, -lambda[j], f, work);
        push_side(model, model->pair[j][1], t, q, lambda[j], f, work);
    }
}
