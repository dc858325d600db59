/* Sets of contacts at one configuration. Chains read masses and neighbours straight from their flat arrays. Any other
 * model asks its parts' ports for directions and its parts' mass_solve for what a unit impulse does; where the mass of
 * a part is diagonal one call serves all contacts. */
#include "model/frame.h"

#include <string.h>

#include "base/memory.h"
#include "model/beads/chain.h"
#include "model/frame_own.h"
#include "model/ports.h"

size_t carom_frame_number(const struct carom_model *model, size_t j)
{
    const bool row = model->nparts > 0 && model->member[0].part == &carom_part_beads; /* mechanisms count from 1 */
    return row && model->nc > 0 && model->pair[0][0] == CAROM_WALL_LEFT ? j : j + 1;
}

static void close_own(struct carom_frame_own *own)
{
    if (own)
        carom_memory_free_all(own->side, own);
}

void carom_frame_close(struct carom_frame *frame)
{
    close_own(frame->own);
    carom_memory_free_all(frame->contact, frame->gap, frame->drift, frame->diagonal, frame->beside, frame->matrix,
                          frame->slips, frame->slide, frame->both);
    *frame = (struct carom_frame){0};
}

static struct carom_frame_own *open_own(const struct carom_model *model, size_t room)
{
    struct carom_frame_own *own = carom_memory_zeroed(1, sizeof *own);
    if (!own)
        return NULL;
    for (size_t i = 0; i < model->nparts; i++) {
        const size_t nv = model->member[i].nv, narrow = nv < CAROM_PORT_WIDTH ? nv : CAROM_PORT_WIDTH;
        const size_t reach = model->member[i].part->offers & CAROM_DIAGONAL_MASS ? narrow : nv;
        own->widest = nv > own->widest ? nv : own->widest;
        own->slots = narrow > own->slots ? narrow : own->slots;
        own->breadth = reach > own->breadth ? reach : own->breadth;
    }
    const size_t sides = model->frictional ? 4 * room : 2 * room;
    if (carom_memory_together(CAROM_ROOM(own->side, sides), CAROM_ROOM(own->slope, sides * own->slots),
                              CAROM_ROOM(own->answer, sides * own->breadth), CAROM_ROOM(own->inverse, model->nv),
                              CAROM_ROOM(own->push, own->widest), CAROM_ROOM(own->port, 1)))
        return own;
    close_own(own);
    return NULL;
}

/* room for tangents; true also where the model has none */
static bool open_tangents(struct carom_frame *frame, size_t room)
{
    if (frame->chain || !frame->model->frictional)
        return true;
    frame->slips = carom_memory_zeroed(room, sizeof *frame->slips);
    frame->slide = carom_memory_zeroed(room, sizeof(double));
    frame->both = room > 0 && 4 * room > SIZE_MAX / room ? NULL : carom_memory_zeroed(4 * room * room, sizeof(double));
    return frame->slips && frame->slide && frame->both;
}

enum carom_status carom_frame_open(struct carom_frame *frame, const struct carom_model *model, size_t room,
                                   struct carom_error *error)
{
    *frame = (struct carom_frame){.model = model, .chain = (model->offers & CAROM_CHAIN) != 0, .room = room};
    frame->contact = carom_memory_zeroed(room, sizeof *frame->contact);
    frame->gap = carom_memory_zeroed(room, sizeof(double));
    frame->drift = carom_memory_zeroed(room, sizeof(double));
    frame->diagonal = carom_memory_zeroed(room, sizeof(double));
    if (frame->chain) {
        frame->beside = carom_memory_zeroed(room, sizeof(double));
    } else {
        frame->matrix = room > 0 && room > SIZE_MAX / room ? NULL : carom_memory_zeroed(room * room, sizeof(double));
        frame->own = open_own(model, room);
    }
    if (open_tangents(frame, room) && frame->contact && frame->gap && frame->drift && frame->diagonal &&
        (frame->chain ? frame->beside != NULL : frame->matrix && frame->own))
        return CAROM_OK;
    carom_frame_close(frame);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a set of %zu contacts", room);
}

/* --- chains -------------------------------------------------------------------------------------------------- */

/* the bead left or right of contact j that impulses can move; n where there is a wall or a driven bead, whose motion at
 * the chain's time is then `driven` */
static size_t bead_beside(const struct carom_chain *c, size_t j, int s, struct carom_motion *driven)
{
    const bool wall = s == 0 ? j < c->shift : j + 1 - c->shift >= c->n;
    *driven = (struct carom_motion){0.0, 0.0};
    if (wall) {
        if (c->moving)
            *driven = c->wall[s];
        return c->n;
    }
    const size_t i = j + (size_t)s - c->shift;
    if (!carom_loads_driven(c->beads, i))
        return i;
    for (size_t k = 0; k < c->beads->ndrives; k++)
        if (c->beads->drive[k].which == (int32_t)i)
            *driven = carom_loads_motion(&c->beads->drive[k], c->time);
    return c->n;
}

static void set_chain(struct carom_frame *frame, double t, const double *q)
{
    struct carom_chain chain = carom_chain_of(frame->model);
    const double *inverse = chain.beads->inverse_mass;
    carom_chain_clock(&chain, t);
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        struct carom_motion a, b;
        const size_t left = bead_beside(&chain, j, 0, &a), right = bead_beside(&chain, j, 1, &b);
        const bool next = i + 1 < frame->n && frame->contact[i + 1] == j + 1 && right < chain.n;
        frame->gap[i] = chain.gap[j] + ((right < chain.n ? q[right] : b.place) - (left < chain.n ? q[left] : a.place));
        frame->drift[i] = b.rate - a.rate;
        frame->diagonal[i] = (left < chain.n ? inverse[left] : 0.0) + (right < chain.n ? inverse[right] : 0.0);
        frame->beside[i] = next ? -inverse[right] : 0.0;
    }
}

static void rates_chain(const struct carom_frame *frame, const double *v, double *rate)
{
    const struct carom_chain chain = carom_chain_of(frame->model);
    for (size_t i = 0; i < frame->n; i++) {
        const int32_t *pair = frame->model->pair[frame->contact[i]];
        const bool left = pair[0] >= 0 && !carom_loads_driven(chain.beads, (size_t)pair[0]);
        const bool right = pair[1] >= 0 && !carom_loads_driven(chain.beads, (size_t)pair[1]);
        rate[i] = ((right ? v[pair[1]] : 0.0) - (left ? v[pair[0]] : 0.0)) + frame->drift[i];
    }
}

/* the inverse mass of a driven bead is 0 */
static void push_chain(const struct carom_frame *frame, const double *impulse, double *v)
{
    const double *inverse = carom_model_chain(frame->model)->inverse_mass;
    for (size_t i = 0; i < frame->n; i++) {
        const int32_t *pair = frame->model->pair[frame->contact[i]];
        if (pair[0] >= 0)
            v[pair[0]] -= inverse[pair[0]] * impulse[i];
        if (pair[1] >= 0)
            v[pair[1]] += inverse[pair[1]] * impulse[i];
    }
}

/* --- any model ----------------------------------------------------------------------------------------------- */

/* M^-1 of the port's direction, in `answer` */
static void answer_of(const struct carom_frame_own *own, const struct carom_member *m, const double *q,
                      struct carom_frame_side *side, const double *slope, double *answer)
{
    if (m->part->offers & CAROM_DIAGONAL_MASS) {
        side->reach = side->first;
        side->width = side->count;
        for (size_t k = 0; k < side->count; k++)
            answer[k] = own->inverse[m->v0 + side->first + k] * slope[k];
        return;
    }
    side->reach = 0;
    side->width = m->nv;
    memset(own->push, 0, m->nv * sizeof(double));
    for (size_t k = 0; k < side->count; k++)
        own->push[side->first + k] = slope[k];
    m->part->mass_solve(m->own, q + m->q0, own->push, answer);
}

/* side s (0: a, 1: b) of entry `at` of the set, or its tangent; returns the port's value */
static double set_side(struct carom_frame *frame, double t, const double *q, size_t at, int s, bool along)
{
    const struct carom_model *model = frame->model;
    struct carom_frame_own *own = frame->own;
    const size_t number = 2 * (along ? frame->room + at : at) + (size_t)s;
    struct carom_frame_side *side = &own->side[number];
    const int32_t which = model->pair[frame->contact[at]][s];
    *side = (struct carom_frame_side){.part = model->nparts, .sign = s ? 1.0 : -1.0};
    if (which < 0) {
        const struct carom_motion wall =
            model->wall[s] && !along ? carom_loads_motion(model->wall[s], t) : (struct carom_motion){0};
        side->drift = wall.rate;
        return wall.place;
    }
    const size_t part = carom_ports_owner(model, (size_t)which);
    const struct carom_member *m = &model->member[part];
    if (!along)
        m->part->port(m->own, (size_t)which - m->port0, t, q + m->q0, own->port);
    else if (!m->part->tangent || !m->part->tangent(m->own, (size_t)which - m->port0, t, q + m->q0, own->port))
        return 0.0;
    side->part = part;
    side->first = own->port->first;
    side->count = own->port->count;
    side->drift = own->port->drift;
    double *slope = own->slope + number * own->slots;
    memcpy(slope, own->port->slope, side->count * sizeof *slope);
    answer_of(own, m, q, side, slope, own->answer + number * own->breadth);
    return own->port->value;
}

/* how an impulse at side k changes the rate of side i */
static double couple(const struct carom_frame *frame, size_t i, size_t k)
{
    const struct carom_frame_own *own = frame->own;
    const struct carom_frame_side *rate = &own->side[i], *push = &own->side[k];
    if (rate->part != push->part || rate->part == frame->model->nparts)
        return 0.0;
    const double *slope = own->slope + i * own->slots, *answer = own->answer + k * own->breadth;
    const size_t from = rate->first > push->reach ? rate->first : push->reach;
    const size_t rate_end = rate->first + rate->count, push_end = push->reach + push->width;
    const size_t to = rate_end < push_end ? rate_end : push_end;
    double sum = 0.0;
    for (size_t c = from; c < to; c++)
        sum += slope[c - rate->first] * answer[c - push->reach];
    return rate->sign * push->sign * sum;
}

static double entry(const struct carom_frame *frame, size_t i, size_t k)
{
    return couple(frame, 2 * i, 2 * k) + couple(frame, 2 * i, 2 * k + 1) + couple(frame, 2 * i + 1, 2 * k) +
           couple(frame, 2 * i + 1, 2 * k + 1);
}

/* inverse masses of the parts that have a diagonal mass */
static void find_inverse(struct carom_frame *frame, const double *q)
{
    struct carom_frame_own *own = frame->own;
    for (size_t i = 0; i < frame->model->nparts; i++) {
        const struct carom_member *m = &frame->model->member[i];
        if (!(m->part->offers & CAROM_DIAGONAL_MASS))
            continue;
        for (size_t k = 0; k < m->nv; k++)
            own->push[k] = 1.0;
        m->part->mass_solve(m->own, q + m->q0, own->push, own->inverse + m->v0);
    }
}

static enum carom_status refuse(struct carom_frame *frame, double t, const double *q, size_t at,
                                struct carom_error *error)
{
    const struct carom_model *model = frame->model;
    struct carom_frame_own *own = frame->own;
    const size_t number = carom_frame_number(model, frame->contact[at]);
    memset(own->push, 0, own->widest * sizeof(double));
    for (int s = 0; s < 2; s++) {
        const size_t part = own->side[2 * at + (size_t)s].part;
        if (part == model->nparts || !model->member[part].part->explain)
            continue;
        const struct carom_member *m = &model->member[part];
        const enum carom_status status = m->part->explain(m->own, t, q + m->q0, own->push, error);
        if (status != CAROM_OK)
            return carom_error_prefix(error, "contact %zu at t = %g", number, t);
    }
    if (!isfinite(frame->gap[at]) || !isfinite(frame->drift[at]))
        return carom_error_set(error, CAROM_E_NUMERIC, "contact %zu: its gap is not finite at t = %g", number, t);
    if (!isfinite(frame->diagonal[at]))
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "contact %zu: its direction is not finite or the mass matrix is singular at t = %g",
                               number, t);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "contact %zu: no impulse can change its gap at t = %g, its direction is zero or held by "
                           "joints, or the mass matrix is not positive",
                           number, t);
}

/* tangents, and W of normals and tangents together */
static enum carom_status set_tangents(struct carom_frame *frame, double t, const double *q, struct carom_error *error)
{
    const struct carom_frame_own *own = frame->own;
    const size_t n = frame->n, wide = 2 * n, room = frame->room;
    for (size_t i = 0; i < n; i++) {
        const size_t side = 2 * (room + i);
        set_side(frame, t, q, i, 0, true);
        set_side(frame, t, q, i, 1, true);
        frame->slide[i] = own->side[side + 1].drift - own->side[side].drift;
    }
    for (size_t i = 0; i < wide; i++)
        for (size_t k = 0; k <= i; k++) {
            const size_t a = i % 2 ? room + i / 2 : i / 2, b = k % 2 ? room + k / 2 : k / 2;
            frame->both[i * wide + k] = frame->both[k * wide + i] = entry(frame, a, b);
        }
    for (size_t i = 0; i < n; i++) {
        double *w = &frame->both[(2 * i + 1) * wide + 2 * i + 1];
        frame->slips[i] = *w > 1e-14 * frame->diagonal[i];
        if (!isfinite(*w) || !isfinite(frame->slide[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "contact %zu: how it slips is not finite at t = %g",
                                   carom_frame_number(frame->model, frame->contact[i]), t);
        for (size_t k = 0; !frame->slips[i] && k < wide; k++)
            frame->both[(2 * i + 1) * wide + k] = frame->both[k * wide + 2 * i + 1] = 0.0;
        *w = frame->slips[i] ? *w : frame->diagonal[i];
    }
    return CAROM_OK;
}

static enum carom_status set_general(struct carom_frame *frame, double t, const double *q, struct carom_error *error)
{
    const struct carom_model *model = frame->model;
    const struct carom_frame_own *own = frame->own;
    const size_t n = frame->n;
    find_inverse(frame, q);
    for (size_t i = 0; i < n; i++) {
        const double a = set_side(frame, t, q, i, 0, false), b = set_side(frame, t, q, i, 1, false);
        frame->gap[i] = model->gap[frame->contact[i]] + (b - a);
        frame->drift[i] = own->side[2 * i + 1].drift - own->side[2 * i].drift;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) /* symmetric but for rounding: made so */
            frame->matrix[i * n + k] = frame->matrix[k * n + i] = entry(frame, i, k);
        const double w = frame->matrix[i * n + i] = frame->diagonal[i] = entry(frame, i, i);
        if (!isfinite(frame->gap[i]) || !isfinite(frame->drift[i]) || !(w > 0.0) || !isfinite(w))
            return refuse(frame, t, q, i, error);
    }
    return frame->both ? set_tangents(frame, t, q, error) : CAROM_OK;
}

/* --- the calls ----------------------------------------------------------------------------------------------- */

enum carom_status carom_frame_set(struct carom_frame *frame, double t, const double *q, const size_t *contact, size_t n,
                                  struct carom_error *error)
{
    if (n > frame->room)
        return carom_error_set(error, CAROM_E_REFUSED, "a set of %zu contacts, there is room for %zu", n, frame->room);
    frame->n = n;
    if (n > 0 && contact != frame->contact)
        memmove(frame->contact, contact, n * sizeof *contact);
    if (!frame->chain)
        return set_general(frame, t, q, error);
    set_chain(frame, t, q);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(frame->gap[i]) || !(frame->diagonal[i] > 0.0))
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                isfinite(frame->gap[i])
                    ? "contact %zu: both its sides are driven, no impulse can keep them apart (t = %g)"
                    : "contact %zu: its gap is not finite at t = %g",
                carom_frame_number(frame->model, frame->contact[i]), t);
    return CAROM_OK;
}

/* rate of row i of a general frame */
static double row_rate(const struct carom_frame *frame, size_t i, double drift, const double *v)
{
    const struct carom_frame_own *own = frame->own;
    double rate = drift;
    for (size_t s = 2 * i; s < 2 * i + 2; s++) {
        const struct carom_frame_side *side = &own->side[s];
        if (side->part == frame->model->nparts)
            continue;
        const double *slope = own->slope + s * own->slots;
        const double *part = v + frame->model->member[side->part].v0 + side->first;
        double sum = 0.0;
        for (size_t c = 0; c < side->count; c++)
            sum += slope[c] * part[c];
        rate += side->sign * sum;
    }
    return rate;
}

void carom_frame_rates(const struct carom_frame *frame, const double *v, double *rate)
{
    if (frame->chain) {
        rates_chain(frame, v, rate);
        return;
    }
    for (size_t i = 0; i < frame->n; i++)
        rate[i] = row_rate(frame, i, frame->drift[i], v);
}

void carom_frame_slips(const struct carom_frame *frame, const double *slide, const double *v, double *rate)
{
    for (size_t i = 0; i < frame->n; i++)
        rate[i] = frame->slips[i] ? row_rate(frame, frame->room + i, slide[i], v) : 0.0;
}

void carom_frame_slide(struct carom_frame *frame, double t, const double *q, double *slide)
{
    const struct carom_model *model = frame->model;
    struct carom_frame_own *own = frame->own;
    for (size_t i = 0; i < frame->n; i++) {
        slide[i] = 0.0;
        for (int s = 0; s < 2; s++) {
            const struct carom_frame_side *side = &own->side[2 * (frame->room + i) + (size_t)s];
            if (side->part == model->nparts)
                continue;
            const struct carom_member *m = &model->member[side->part];
            const size_t port = (size_t)model->pair[frame->contact[i]][s] - m->port0;
            if (m->part->tangent(m->own, port, t, q + m->q0, own->port))
                slide[i] += side->sign * own->port->drift;
        }
    }
}

void carom_frame_work(const struct carom_frame *frame, const double *impulse, double *work)
{
    const struct carom_frame_own *own = frame->own;
    for (size_t i = 0; i < frame->n; i++) {
        if (!own) {
            work[0] -= impulse[i] * frame->drift[i];
            continue;
        }
        for (size_t s = 2 * i; s < 2 * i + 2; s++) { /* walls are booked with the first part */
            const size_t part = own->side[s].part < frame->model->nparts ? own->side[s].part : 0;
            work[part] -= impulse[i] * own->side[s].sign * own->side[s].drift;
        }
    }
}

static void push_row(const struct carom_frame *frame, size_t i, double impulse, double *v)
{
    const struct carom_frame_own *own = frame->own;
    for (size_t s = 2 * i; s < 2 * i + 2; s++) {
        const struct carom_frame_side *side = &own->side[s];
        if (side->part == frame->model->nparts)
            continue;
        const double *answer = own->answer + s * own->breadth, push = side->sign * impulse;
        double *part = v + frame->model->member[side->part].v0 + side->reach;
        for (size_t c = 0; c < side->width; c++)
            part[c] += push * answer[c];
    }
}

void carom_frame_push(const struct carom_frame *frame, const double *impulse, double *v)
{
    if (frame->chain) {
        push_chain(frame, impulse, v);
        return;
    }
    for (size_t i = 0; i < frame->n; i++)
        push_row(frame, i, impulse[i], v);
}

void carom_frame_rub(const struct carom_frame *frame, const double *impulse, double *v)
{
    for (size_t i = 0; i < frame->n; i++)
        if (frame->slips[i])
            push_row(frame, frame->room + i, impulse[i], v);
}

void carom_frame_slip_work(const struct carom_frame *frame, const double *slide, const double *impulse, double *work)
{
    const struct carom_frame_own *own = frame->own;
    for (size_t i = 0; i < frame->n; i++) { /* a belt belongs to the part that tells of it */
        const size_t part = own->side[2 * (frame->room + i) + 1].part;
        work[part < frame->model->nparts ? part : 0] -= impulse[i] * slide[i];
    }
}
