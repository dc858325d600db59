/* The energy-momentum form of a row of beads: with the mean elastic force Fbar = (Phi1 - Phi0)/(d1 - d0) of a contact,
 * Phi its stored energy, and V the impulse of its damper,
 *
 *     v1 = v + G [h Fbar + V1 - V0]/m,   x1 = x + h (v + v1)/2.
 *
 * Then H1 - H0 = -sum of (V1 - V0)(d1 - d0)/h, contact by contact and whatever the step: energy is never created, and
 * the ledger closes to rounding. Order 2 at any damping, contact changes included; contacts must end by gap. Of laws
 * with a memory Fbar is the work along the way from d0 to d1 over that way (mean_path.h), and what they lose is this
 * work less the change of Phi. Local springs and strings act by their mean forces too, dampers by the impulse
 * -c (x1 - x), loads by the mean of both ends. In plane and space: scheme/crystal. */
#include "base/memory.h"
#include "scheme/chain/plain.h"
#include "scheme/chain/row.h"
#include "scheme/chain/twostage.h"
#include "scheme/hermite.h"
#include "scheme/listed.h"
#include "scheme/mean_force.h"
#include "scheme/mean_path.h"
#include "scheme/tally.h"

#include "base/angle.h"
#include "carom/law.h"

/* contacts at one end of the step, nc each */
struct end {
    double *elastic, *slope, *viscous, *drag, *energy;
};

struct work {
    struct carom_row row; /* unknown: x1 - x */
    struct end start, end;
    double *impulse, *stiff; /* nc: of a contact over the step, and how it grows with the overlap */
    double *target, *gain;   /* n: what x1 - x should be; v1 - v */
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_law *law = model->group[g].law;
        if (law->nh > 0 && (!law->margin || !law->turn))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme energy-momentum takes laws with a memory only if they have phases, law %s "
                                   "has none; scheme dp5 runs any model",
                                   law->kind.name);
    }
    return carom_twostage_gap_only(model, "energy-momentum", error);
}

static bool allocate(struct work *w, const struct carom_model *model)
{
    struct end *a = &w->start, *b = &w->end;
    const size_t nc = model->nc, n = carom_model_chain(model)->n;
    w->row.own = carom_memory_together(CAROM_ROOM(a->elastic, nc), CAROM_ROOM(a->slope, nc), CAROM_ROOM(a->viscous, nc),
                                       CAROM_ROOM(a->drag, nc), CAROM_ROOM(a->energy, nc), CAROM_ROOM(b->elastic, nc),
                                       CAROM_ROOM(b->slope, nc), CAROM_ROOM(b->viscous, nc), CAROM_ROOM(b->drag, nc),
                                       CAROM_ROOM(b->energy, nc), CAROM_ROOM(w->impulse, nc), CAROM_ROOM(w->stiff, nc),
                                       CAROM_ROOM(w->target, n), CAROM_ROOM(w->gain, n));
    return w->row.own && carom_row_open(&w->row, model);
}

/* the start of a step is not asked for slopes */
static void evaluate(struct carom_stepper *stepper, const double *deform, const struct end *end, bool slopes)
{
    const struct carom_response want = {.elastic = end->elastic,
                                        .slope = slopes ? end->slope : NULL,
                                        .viscous = end->viscous,
                                        .drag = slopes ? end->drag : NULL,
                                        .energy = end->energy};
    carom_contacts_evaluate(stepper->model, 0, stepper->model->nc, deform, NULL, stepper->before->history, &want);
    stepper->counts.evaluations++;
}

/* bodies go on as they are, those that are driven as they must */
static void begin(struct carom_stepper *stepper, void *own, double h)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    evaluate(stepper, w->row.start, &w->start, false);
    for (size_t i = 0; i < w->row.chain.n; i++)
        w->row.unknown[i] = h * from->v[i];
    carom_row_lead(&w->row, from->q, w->row.unknown);
}

/* the way of contact j of a group with a memory from the start of the step to overlap d */
static void find_path(const struct carom_stepper *stepper, const struct carom_group *group, size_t j, double d,
                      struct carom_mean_path *path)
{
    const struct work *w = stepper->work;
    const double *history[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < group->law->nh; c++)
        history[c] = stepper->before->history + group->history0 + c * group->count;
    carom_mean_path_find(group->law, (const double *const *)group->param, history, j, w->row.start[group->first + j], d,
                         path);
}

/* mean forces of such a group, and what its law says at the end */
static void follow(struct carom_stepper *stepper, struct work *w, const struct carom_group *group)
{
    for (size_t j = 0; j < group->count; j++) {
        const size_t at = group->first + j;
        struct carom_mean_path path = {0};
        if (w->row.start[at] > 0.0 || w->row.deform[at] > 0.0)
            find_path(stepper, group, j, w->row.deform[at], &path);
        w->impulse[at] = path.mean;
        w->stiff[at] = path.rise;
        w->end.viscous[at] = w->end.drag[at] = 0.0;
    }
}

/* what contacts give over the step */
static void squeeze(struct carom_stepper *stepper, struct work *w, double h)
{
    const struct carom_model *model = stepper->model;
    const struct end *a = &w->start, *b = &w->end;
    carom_row_squeeze(&w->row, w->row.unknown);
    evaluate(stepper, w->row.deform, b, true);
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t at = group->first;
        const struct carom_mean_end start = {w->row.start + at, a->elastic + at, a->slope + at, a->energy + at},
                                    end = {w->row.deform + at, b->elastic + at, b->slope + at, b->energy + at};
        if (group->law->nh > 0)
            follow(stepper, w, group);
        else
            carom_mean_force(group->law, (const double *const *)group->param, group->count, &start, &end,
                             w->impulse + at, w->stiff + at);
    }
    for (size_t j = 0; j < model->nc; j++) {
        w->impulse[j] = h * w->impulse[j] + (b->viscous[j] - a->viscous[j]);
        w->stiff[j] = 0.5 * h * (h * w->stiff[j] + b->drag[j]);
    }
}

/* impulse of everything else on bead i, which goes from x to x + s; and how it falls with s */
static double local(const struct work *w, size_t i, double x, double s, double h, double *fall)
{
    const struct carom_beads *b = w->row.chain.beads;
    const double middle = x + 0.5 * s, spring = b->spring ? b->spring[i] : 0.0;
    double force = -spring * middle;
    *fall = 0.5 * h * spring;
    if (!b->loaded)
        return h * force;
    if (b->string && b->string[i] > 0.0) { /* the mean of a sine */
        const double y = 0.5 * s / b->string[i], pull = b->mass[i] * b->down;
        force -= pull * carom_angle_sin(middle / b->string[i]) *
                 (fabs(y) > 1e-4 ? carom_angle_sin(y) / y : 1.0 - y * y / 6.0);
        *fall += 0.5 * h * pull / b->string[i] * carom_angle_cos(middle / b->string[i]);
    }
    const double damper = carom_loads_damper(b, i);
    *fall += damper;
    return h * (force + 0.5 * (w->row.load[0][i] + w->row.load[1][i])) - damper * s;
}

/* What x1 - x should be if the forces at x + shift were right, and Newton's matrix. */
static double assemble(struct carom_stepper *stepper, void *own, double h, double *noise)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *beads = w->row.chain.beads;
    const size_t n = w->row.chain.n;
    const double *shift = w->row.unknown;
    double worst = 0.0, stiffest = 0.0, farthest = 0.0, longest = 0.0;
    bool broken = false;
    squeeze(stepper, w, h);
    carom_chain_push(&w->row.chain, 0, n, w->impulse, 0, w->row.push);
    for (size_t i = 0; i < n; i++) {
        const double x = from->q[i], left = carom_row_left(&w->row, i, w->stiff),
                     right = carom_row_right(&w->row, i, w->stiff);
        double fall;
        w->gain[i] = (w->row.push[i] + local(w, i, x, shift[i], h, &fall)) * beads->inverse_mass[i];
        w->target[i] = carom_loads_driven(beads, i) ? shift[i] : h * (from->v[i] + 0.5 * w->gain[i]);
        carom_row_set(&w->row, i, beads->mass[i] * (w->target[i] - shift[i]), 0.5 * h * fall, w->stiff);
        if (carom_loads_driven(beads, i))
            continue;
        const double size = fabs(w->target[i] - shift[i]);
        broken |= !(size < HUGE_VAL);
        worst = fmax(worst, size);
        stiffest = fmax(stiffest, (left + right + 0.5 * h * fall) * beads->inverse_mass[i]);
        farthest = fmax(farthest, fabs(x));
        longest = fmax(longest, fabs(w->target[i]));
    }
    *noise = carom_stepper_noise(stepper, longest, stiffest * farthest);
    return broken ? HUGE_VAL : worst;
}

/* what contacts with a memory have lost, and what they remember */
static void recall(const struct carom_stepper *stepper, const struct work *w, struct carom_state *to)
{
    for (size_t g = 0; g < stepper->model->ngroups; g++) {
        const struct carom_group *group = &stepper->model->group[g];
        for (size_t j = 0; group->law->nh > 0 && j < group->count; j++) {
            const size_t at = group->first + j;
            struct carom_mean_path path;
            find_path(stepper, group, j, w->row.deform[at], &path);
            to->lost[at] += path.mean * (w->row.deform[at] - w->row.start[at]) - (path.energy - w->start.energy[at]);
            for (size_t c = 0; c < group->law->nh; c++)
                to->history[group->history0 + c * group->count + j] = path.history[c];
        }
    }
}

static bool finish(struct carom_stepper *stepper, void *own, struct carom_state *to, double h)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct end *a = &w->start, *b = &w->end;
    if (!carom_plain_arrive(&w->row.chain, w->row.late.time, from, w->target, w->gain, to))
        return false;
    for (size_t j = 0; j < to->nlost; j++)
        to->lost[j] = from->lost[j] + (w->row.deform[j] - w->row.start[j]) / h * (b->viscous[j] - a->viscous[j]);
    recall(stepper, w, to);
    if (w->row.chain.beads->loaded) {
        carom_tally_beside(&w->row.chain, w->impulse, 1.0 / h, false, w->row.beside);
        carom_tally_add(&w->row.chain, &w->row.late, h, from->q, w->row.beside, to);
    }
    return true;
}

/* what contacts remember inside the last step, at t */
static void recall_between(const struct carom_stepper *stepper, double t, struct carom_state *view)
{
    const struct work *w = stepper->work;
    struct carom_chain chain = w->row.chain;
    carom_chain_clock(&chain, t);
    for (size_t g = 0; g < stepper->model->ngroups; g++) {
        const struct carom_group *group = &stepper->model->group[g];
        for (size_t j = 0; group->law->nh > 0 && j < group->count; j++) {
            struct carom_mean_path path;
            double d = 0.0;
            carom_chain_deform(&chain, group->first + j, group->first + j + 1, view->q, &d);
            find_path(stepper, group, j, d, &path);
            for (size_t c = 0; c < group->law->nh; c++)
                view->history[group->history0 + c * group->count + j] = path.history[c];
        }
    }
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct work *w = stepper->work;
    const struct carom_tally_end from = {&w->row.chain, stepper->before, stepper->before->v},
                                 to = {&w->row.late, state, state->v};
    carom_hermite_view(stepper->before, stepper->before->v, state, state->v, t, view);
    carom_tally_view(stepper->model, &from, &to, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
    if (stepper->model->nh > 0)
        recall_between(stepper, t, view);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    static const struct carom_row_form form = {begin, assemble, finish};
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w || !allocate(w, stepper->model))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme energy-momentum");
    w->row.form = &form;
    return CAROM_OK;
}

const struct carom_scheme carom_scheme_energy_momentum = {
    .kind = {"energy-momentum", "implicit, order 2 at any damping, never creates energy", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN,
    .order = 2,
    .dense_order = 2,
    .looks = true,
    .accept = accept,
    .memory = carom_plain_memory,
    .open = open,
    .start = carom_plain_start,
    .step = carom_row_steps,
    .sync = carom_plain_sync,
    .velocities = carom_stepper_velocities,
    .dense = dense,
    .close = carom_row_end,
    .listed = &carom_crystal_energy_momentum,
};
