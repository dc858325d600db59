/* The right-hand sides declared in rates.h. */
#include "scheme/compliant/rates.h"

#include <float.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/sum.h"
#include "carom/law.h"
#include "model/motion.h"

enum { REACH = 8 }; /* a push travels at most one bead per stage, and no explicit method here has more than seven */

void carom_rates_close(struct carom_rates *r)
{
    carom_memory_free_all(r->cut, r->deform, r->rate, r->elastic, r->viscous, r->drag, r->power, r->lambda, r->force,
                          r->scratch, r->acts);
    carom_window_close(&r->window);
    *r = (struct carom_rates){0};
}

static bool has_rates(const struct carom_law *law)
{
    return law->nh > 0 && !law->turn;
}

/* history that has rates is integrated with the motion, as models that are no chains are */
static bool any_rates(const struct carom_model *model)
{
    for (size_t i = 0; i < model->ngroups; i++)
        if (has_rates(model->group[i].law))
            return true;
    return false;
}

/* Does the force of contact j begin with a jump, or with a kink? Its drag does not fall towards touch, or its slope
 * hardly: less than d^0.3 does, which stages cannot tell from a kink. */
static bool jumps(const struct carom_model *model, size_t j)
{
    const double deform[2] = {1e-30, 2e-30};
    double drag[2], slope[2];
    for (int i = 0; i < 2; i++) {
        const struct carom_response want = {.drag = &drag[i], .slope = &slope[i]};
        carom_contacts_evaluate(model, j, j + 1, &deform[i], NULL, NULL, &want);
    }
    return (drag[0] > 0.0 && drag[0] >= drag[1]) || slope[1] < 1.23 * slope[0];
}

/* Contacts that jump are open until somebody says otherwise. What a history with rates begins or ends with nobody can
 * ask of the law, so it may be anything. */
static bool find_jumps(struct carom_rates *r)
{
    for (size_t g = 0; g < r->model->ngroups; g++) {
        const struct carom_group *group = &r->model->group[g];
        for (size_t j = group->first; j < group->first + group->count; j++) {
            if (r->regular ? group->law->nh > 0 || !jumps(r->model, j) : !has_rates(group->law))
                continue;
            if (!r->acts) {
                r->acts = carom_memory_zeroed(r->model->nc, sizeof *r->acts);
                if (!r->acts)
                    return false;
                memset(r->acts, -1, r->model->nc);
            }
            r->acts[j] = 0;
        }
    }
    return true;
}

enum carom_status carom_rates_open(struct carom_rates *r, const struct carom_model *model, struct carom_error *error)
{
    const size_t nc = model->nc;
    *r = (struct carom_rates){.model = model};
    r->regular = (model->offers & CAROM_CHAIN) && !any_rates(model);
    if (r->regular) {
        r->chain = carom_chain_of(model);
        const enum carom_status status = carom_window_open(&r->window, model, REACH, error);
        if (status != CAROM_OK)
            return status;
    }
    r->nstate = model->nq + model->nv + model->nh;
    r->nall = r->nstate + (model->damped ? nc : 0) + (model->clipped ? nc : 0) + 2 * model->nparts;
    r->nextra = r->regular && model->damped ? nc : 0;
    double **const of_contacts[] = {&r->deform, &r->rate, &r->elastic, &r->viscous, &r->drag, &r->power, &r->lambda};
    bool all = true;
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
        all &= (*of_contacts[i] = carom_memory_zeroed(nc, sizeof(double))) != NULL;
    all &= (r->force = carom_memory_zeroed(model->nv, sizeof(double))) != NULL;
    all &= (r->scratch = carom_memory_zeroed(model->force_scratch, sizeof(double))) != NULL;
    if (r->regular && model->clipped)
        all &= (r->cut = carom_memory_zeroed(nc, sizeof(double))) != NULL;
    r->fused = all && carom_rates_fused_fits(r);
    if (!r->fused)
        all &= find_jumps(r);
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", nc);
}

void carom_rates_stand(struct carom_rates *r)
{
    r->regular = r->fused = false;
    carom_memory_free(r->acts);
    r->acts = NULL;
}

void carom_rates_seal(const struct carom_rates *r, const struct carom_span *s, double *force)
{
    if (s->inner > 0)
        force[s->inner - 1] = 0.0;
    if (s->outer < r->chain.nc)
        force[s->outer] = 0.0;
}

/* Stages may be past the end of the phase that a step is in: there a law whose slope jumps goes on as it was. */
static void hold_phases(const struct carom_rates *r, size_t from, size_t to, const double *history)
{
    const double *column[CAROM_LAW_WIDTH];
    for (size_t g = 0; g < r->model->ngroups; g++) {
        const struct carom_group *group = &r->model->group[g];
        const size_t end = group->first + group->count;
        for (size_t c = 0; group->law->within && c < group->law->nh; c++)
            column[c] = history + group->history0 + c * group->count;
        for (size_t j = group->first > from ? group->first : from; group->law->within && j < to && j < end; j++)
            r->elastic[j] =
                group->law->within((const double *const *)group->param, column, j - group->first, r->deform[j]);
    }
}

/* What a contact that jumps has at this overlap: nothing if it is open; beyond touch, if it is closed, the mirror image
 * of what it has on this side. True if that is not what its law says. */
static bool by_mode(const struct carom_rates *r, size_t j, double deform, double *elastic, double *viscous,
                    double *drag)
{
    if (!carom_rates_jumps(r, j) || (r->acts[j] > 0) == (deform > 0.0))
        return false;
    *elastic = *viscous = *drag = 0.0;
    if (r->acts[j] == 0)
        return true;
    deform = -deform;
    const struct carom_response want = {.elastic = elastic, .viscous = viscous, .drag = drag};
    carom_contacts_evaluate(r->model, j, j + 1, &deform, NULL, r->history, &want);
    *elastic = -*elastic;
    *viscous = -*viscous;
    return true;
}

double carom_rates_viscous(const struct carom_rates *r, size_t j, double deform)
{
    double elastic, viscous, drag;
    if (by_mode(r, j, deform, &elastic, &viscous, &drag))
        return viscous;
    const struct carom_response want = {.viscous = &viscous};
    carom_contacts_evaluate(r->model, j, j + 1, &deform, NULL, r->history, &want);
    return viscous;
}

/* adds sign x (push of the viscous impulses) / m to v, awake beads only; a cut contact has no part in w, and r->deform
 * stays */
static void add_viscous(struct carom_rates *r, const double *q, double sign, double *v)
{
    double *deform = r->power; /* unused by chains */
    for (size_t k = 0; k < r->window.count; k++) {
        const struct carom_span *s = &r->window.span[k];
        carom_chain_deform(&r->chain, s->inner, s->outer, q, deform + s->inner);
        const struct carom_response want = {.viscous = r->viscous + s->inner};
        carom_contacts_evaluate(r->model, s->inner, s->outer, deform + s->inner, NULL, r->history, &want);
        double elastic, drag;
        for (size_t j = s->inner; r->acts && j < s->outer; j++)
            by_mode(r, j, deform[j], &elastic, &r->viscous[j], &drag);
        for (size_t j = s->inner; r->cut && j < s->outer; j++)
            r->viscous[j] *= 1.0 - r->cut[j];
        carom_rates_seal(r, s, r->viscous);
        carom_chain_push(&r->chain, s->first, s->last, r->viscous, 0, r->force + s->first);
        for (size_t i = s->first; i < s->last; i++)
            v[i] += sign * (r->force[i] * r->chain.beads->inverse_mass[i]);
    }
}

void carom_rates_physical(struct carom_rates *r, const double *q, double *v)
{
    if (r->regular && r->model->damped)
        add_viscous(r, q, 1.0, v);
}

void carom_rates_regular(struct carom_rates *r, const double *q, double *w)
{
    if (r->regular && r->model->damped)
        add_viscous(r, q, -1.0, w);
}

/* losses of a span; r->drag, r->elastic and the velocities are those of this moment */
static void span_losses(struct carom_rates *r, const struct carom_span *s, const double *velocity, double *dy)
{
    double *lost = dy + r->nstate, *clipped = lost + r->chain.nc, *impulse = dy + r->nall;
    carom_chain_rate(&r->chain, s->inner, s->outer, velocity, r->rate + s->inner);
    for (size_t j = s->inner; r->cut && j < s->outer; j++) {
        clipped[j] = -r->cut[j] * r->elastic[j] * r->rate[j];
        r->drag[j] *= 1.0 - r->cut[j];
    }
    for (size_t j = s->inner; j < s->outer; j++) {
        impulse[j] = r->drag[j] * r->rate[j];
        lost[j] = impulse[j] * r->rate[j];
    }
}

/* what laws with a memory lose besides */
static void span_history(struct carom_rates *r, const struct carom_span *s, double *dy)
{
    const struct carom_model *model = r->model;
    double *lost = dy + r->nstate;
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t end = group->first + group->count, from = group->first > s->inner ? group->first : s->inner,
                     to = end < s->outer ? end : s->outer;
        if (group->law->nh == 0 || from >= to)
            continue;
        const struct carom_response want = {.power = lost + from};
        carom_contacts_evaluate(model, from, to, r->deform + from, r->rate + from, r->history, &want);
    }
}

static void span_rates(struct carom_rates *r, const struct carom_span *s, const double *y, double *dy)
{
    const struct carom_beads *beads = r->chain.beads;
    const size_t n = r->chain.n, inner = s->inner, outer = s->outer;
    const double *q = y, *w = y + n, *elastic = r->elastic;
    const bool damped = r->model->damped;
    carom_chain_deform(&r->chain, inner, outer, q, r->deform + inner);
    const struct carom_response want = {.elastic = r->elastic + inner,
                                        .viscous = damped ? r->viscous + inner : NULL,
                                        .drag = damped ? r->drag + inner : NULL};
    carom_contacts_evaluate(r->model, inner, outer, r->deform + inner, NULL, r->history, &want);
    for (size_t j = inner; r->acts && j < outer; j++)
        by_mode(r, j, r->deform[j], &r->elastic[j], &r->viscous[j], &r->drag[j]);
    if (r->model->nh > 0)
        hold_phases(r, inner, outer, r->history);
    carom_rates_seal(r, s, r->elastic);
    if (r->cut) {
        for (size_t j = inner; j < outer; j++) {
            r->lambda[j] = r->elastic[j] * (1.0 - r->cut[j]);
            r->viscous[j] *= 1.0 - r->cut[j];
        }
        carom_rates_seal(r, s, r->lambda);
        elastic = r->lambda;
    }
    if (damped) {
        carom_rates_seal(r, s, r->viscous);
        carom_chain_push(&r->chain, s->first, s->last, r->viscous, 0, r->force + s->first);
        for (size_t i = s->first; i < s->last; i++)
            dy[i] = w[i] + r->force[i] * beads->inverse_mass[i];
        span_losses(r, s, dy, dy);
        if (r->model->nh > 0)
            span_history(r, s, dy);
    } else {
        memcpy(dy + s->first, w + s->first, (s->last - s->first) * sizeof *dy);
    }
    double *push = dy + n;
    carom_chain_push(&r->chain, s->first, s->last, elastic, 0, push + s->first);
    for (size_t i = s->first; beads->spring && i < s->last; i++)
        push[i] -= beads->spring[i] * q[i];
    for (size_t i = s->first; i < s->last; i++)
        push[i] *= beads->inverse_mass[i];
}

/* Overlaps as modes have them: none of an open contact, at touch of a closed one that stages find beyond it. */
static const double *seen_by_mode(const struct carom_rates *r)
{
    if (!r->acts)
        return r->deform;
    for (size_t j = 0; j < r->model->nc; j++) {
        const double deform = r->deform[j];
        r->viscous[j] = !carom_rates_jumps(r, j) ? deform : r->acts[j] ? fmax(deform, DBL_MIN) : fmin(deform, 0.0);
    }
    return r->viscous; /* unused by such models */
}

/* force of every contact as it acts, and where its energy goes */
static void general_contacts(struct carom_rates *r, double t, const double *y, double *dy)
{
    const struct carom_model *model = r->model;
    const double *q = y, *v = y + model->nq, *history = v + model->nv;
    double *lost = dy + r->nstate, *clipped = lost + model->nc;
    carom_contacts_deform(model, t, q, v, r->deform, r->rate);
    const struct carom_response want = {
        .elastic = r->elastic, .drag = r->drag, .power = r->power, .history_rate = dy + model->nq + model->nv};
    const double *deform = seen_by_mode(r);
    carom_contacts_evaluate(model, 0, model->nc, deform, r->rate, history, &want);
    if (model->nh > 0)
        hold_phases(r, 0, model->nc, history);
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        for (size_t j = group->first; j < group->first + group->count; j++) {
            r->lambda[j] = r->elastic[j] + r->drag[j] * r->rate[j];
            const bool cut = group->ending == CAROM_END_FORCE && deform[j] > 0.0 && !(r->lambda[j] > 0.0);
            if (cut)
                r->lambda[j] = 0.0;
            if (model->damped)
                lost[j] = cut ? 0.0 : r->power[j];
            if (model->clipped)
                clipped[j] = cut ? -r->elastic[j] * r->rate[j] : 0.0;
        }
    }
}

static void general_rates(struct carom_rates *r, double t, const double *y, double *dy)
{
    const struct carom_model *model = r->model;
    const double *q = y, *v = y + model->nq;
    double *spent = dy + r->nall - 2 * model->nparts, *work = spent + model->nparts;
    general_contacts(r, t, y, dy);
    carom_motion_power(model, t, q, v, r->scratch, spent, work);
    carom_motion_accelerate(model, t, q, v, r->lambda, r->scratch, r->force, dy + model->nq, work);
    carom_motion_flow(model, q, v, dy);
}

void carom_rates_clock(struct carom_rates *r, double t)
{
    if (r->regular && r->chain.beads->loaded)
        carom_chain_clock(&r->chain, t);
}

/* the force of contact j as it acts, at the last evaluation; dy has its damper's */
static double acting(const struct carom_rates *r, size_t j, const double *dy)
{
    if (j >= r->chain.nc)
        return 0.0;
    const double open = r->cut ? 1.0 - r->cut[j] : 1.0;
    return open * r->elastic[j] + (r->nextra ? dy[r->nall + j] : 0.0);
}

/* what drives put in through the contacts beside them */
static double drive_power(const struct carom_rates *r, double t, const double *dy)
{
    const struct carom_beads *beads = r->chain.beads;
    double sum = 0.0;
    for (size_t k = 0; k < beads->ndrives; k++) {
        const double rate = carom_loads_motion(&beads->drive[k], t).rate;
        size_t left, right;
        carom_chain_contacts(&r->chain, beads->drive[k].which, &left, &right);
        if (rate != 0.0)
            sum += rate * (acting(r, right, dy) - acting(r, left, dy));
    }
    return sum;
}

/* weights, strings, dampers of awake beads; loads, whose beads are awake while they act; and all their power */
static void add_loads(const struct carom_rates *r, double t, const double *y, double *dy)
{
    const struct carom_beads *b = r->chain.beads;
    const size_t n = r->chain.n;
    struct carom_sum spent = {0.0, 0.0};
    for (size_t k = 0; k < r->window.count; k++) {
        const size_t first = r->window.span[k].first, last = r->window.span[k].last;
        for (size_t i = first; b->weight && i < last; i++)
            dy[n + i] += b->weight[i] * b->inverse_mass[i];
        for (size_t i = first; b->string && i < last; i++)
            if (b->string[i] > 0.0)
                dy[n + i] -= b->mass[i] * b->down * carom_angle_sin(y[i] / b->string[i]) * b->inverse_mass[i];
        for (size_t i = first; b->damper && i < last; i++) {
            dy[n + i] -= b->damper[i] * dy[i] * b->inverse_mass[i];
            carom_sum_add(&spent, carom_loads_damper(b, i) * dy[i] * dy[i]);
        }
    }
    for (size_t k = 0; k < b->nloads; k++)
        dy[n + b->load[k].bead] += carom_signal_value(&b->load[k].force, t) * b->inverse_mass[b->load[k].bead];
    dy[r->nall - 2] = carom_sum_value(&spent);
    dy[r->nall - 1] = carom_loads_power(b, t, dy) + drive_power(r, t, dy);
}

void carom_rates_evaluate(struct carom_rates *r, double t, const double *y, double *dy)
{
    if (!r->regular) {
        general_rates(r, t, y, dy);
        return;
    }
    r->history = y + 2 * r->chain.n;
    carom_rates_clock(r, t);
    for (size_t k = 0; k < r->window.count; k++) {
        const struct carom_span *s = &r->window.span[k];
        if (r->fused) {
            carom_rates_seal(r, s, r->elastic);
            carom_rates_seal(r, s, r->viscous);
            carom_rates_fused_span(r, s, y, dy);
        } else {
            span_rates(r, s, y, dy);
        }
    }
    dy[r->nall - 2] = dy[r->nall - 1] = 0.0;
    if (r->chain.beads->loaded)
        add_loads(r, t, y, dy);
}

double carom_rates_force(struct carom_rates *r, size_t j, const double *q, const double *v, double *deform)
{
    double rate = 0.0, elastic = 0.0, drag = 0.0;
    carom_chain_deform(&r->chain, j, j + 1, q, deform);
    carom_chain_rate(&r->chain, j, j + 1, v, &rate);
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(r->model, j, j + 1, deform, NULL, r->history, &want);
    return elastic + drag * rate;
}

/* takes an impulse of contact j out of w, or puts it in: y keeps its physical velocities */
static void move_impulse(const struct carom_rates *r, size_t j, double impulse, double *y)
{
    double *w = y + r->chain.n;
    const int32_t left = r->model->pair[j][0], right = r->model->pair[j][1];
    if (left >= 0)
        w[left] += impulse * r->chain.beads->inverse_mass[left];
    if (right >= 0)
        w[right] -= impulse * r->chain.beads->inverse_mass[right];
}

void carom_rates_switch(struct carom_rates *r, size_t j, double *y, bool cut)
{
    double deform = 0.0;
    carom_chain_deform(&r->chain, j, j + 1, y, &deform);
    /* the impulse leaves w when the contact is cut and enters it when it acts again */
    move_impulse(r, j, (r->cut[j] - (cut ? 1.0 : 0.0)) * carom_rates_viscous(r, j, deform), y);
    r->cut[j] = cut ? 1.0 : 0.0;
}

bool carom_rates_act(struct carom_rates *r, size_t j, double *y, bool closed)
{
    double deform = 0.0;
    if (!carom_rates_jumps(r, j) || (r->acts[j] > 0) == closed)
        return false;
    if (!r->regular) { /* velocities are physical */
        r->acts[j] = closed ? 1 : 0;
        return true;
    }
    carom_chain_deform(&r->chain, j, j + 1, y, &deform);
    const double before = carom_rates_viscous(r, j, deform);
    r->acts[j] = closed ? 1 : 0;
    if (!(r->cut && r->cut[j] > 0.0)) /* of a cut one w has nothing */
        move_impulse(r, j, carom_rates_viscous(r, j, deform) - before, y);
    return true;
}
