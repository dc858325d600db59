/* Sets of contacts at one configuration. Chains read masses and neighbours straight from their flat arrays. Any other
 * model asks its parts' ports for directions and its parts' mass_solve for what a unit impulse does; where the mass of
 * a part is diagonal one call serves all contacts. */
#include "model/frame.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/beads/chain.h"
#include "model/contact_number.h"
#include "model/frame_own.h"
#include "model/ports.h"

size_t carom_frame_number(const struct carom_model *model, size_t j)
{
    return carom_contact_number((const int32_t(*)[2])model->pair, carom_model_chain(model) != NULL, j);
}

static void close_own(struct carom_frame_own *own)
{
    if (own)
        carom_memory_free_all(own->side, own);
}

void carom_frame_close(struct carom_frame *frame)
{
    close_own(frame->own);
    carom_memory_free_all(frame->contact, frame->slips);
    *frame = (struct carom_frame){0};
}

static size_t tangents_of(const struct carom_model *model)
{
    return carom_ports_spatial(model) ? 2 : 1;
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
    const size_t sides = 2 * room * (model->frictional ? 1 + tangents_of(model) : 1);
    if (carom_memory_together(CAROM_ROOM(own->side, sides), CAROM_ROOM(own->slope, sides * own->slots),
                              CAROM_ROOM(own->answer, sides * own->breadth), CAROM_ROOM(own->inverse, model->nv),
                              CAROM_ROOM(own->push, own->widest), CAROM_ROOM(own->port, 3)))
        return own;
    close_own(own);
    return NULL;
}

/* entries of a matrix of so many blocks a side; more than there may be: all that can be counted */
static size_t entries(size_t room, size_t block)
{
    return room > 0 && block * room > SIZE_MAX / room ? SIZE_MAX : block * room * room;
}

bool carom_frame_arrays(struct carom_frame *frame)
{
    const size_t room = frame->room;
    double **const matrix = frame->chain ? &frame->beside : &frame->matrix;
    return carom_memory_together(CAROM_ROOM(frame->contact, room), CAROM_ROOM(frame->gap, room),
                                 CAROM_ROOM(frame->drift, room), CAROM_ROOM(frame->diagonal, room),
                                 CAROM_ROOM(*matrix, frame->chain ? room : entries(room, 1)));
}

/* room for tangents; true also where the model has none */
static bool open_tangents(struct carom_frame *frame, size_t room)
{
    if (frame->chain || !frame->model->frictional)
        return true;
    frame->tangents = tangents_of(frame->model);
    const size_t each = 1 + frame->tangents, square = each * each;
    return carom_memory_together(CAROM_ROOM(frame->slips, room), CAROM_ROOM(frame->slide, frame->tangents * room),
                                 CAROM_ROOM(frame->axes, frame->tangents > 1 ? room : 0),
                                 CAROM_ROOM(frame->both, entries(room, square)));
}

enum carom_status carom_frame_open(struct carom_frame *frame, const struct carom_model *model, size_t room,
                                   struct carom_error *error)
{
    *frame = (struct carom_frame){.model = model, .chain = (model->offers & CAROM_CHAIN) != 0, .room = room};
    if (!frame->chain)
        frame->own = open_own(model, room);
    if (carom_frame_arrays(frame) && open_tangents(frame, room) && (frame->chain || frame->own))
        return CAROM_OK;
    carom_frame_close(frame);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a set of %zu contacts", room);
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

/* the two tangents of one side in space, of how it passes along the axes */
static void set_passage(struct carom_frame *frame, const double *q, size_t at, int s)
{
    const struct carom_model *model = frame->model;
    struct carom_frame_own *own = frame->own;
    const size_t number = 2 * (frame->room + 2 * at) + (size_t)s;
    const int32_t which = model->pair[frame->contact[at]][s];
    own->side[number] = own->side[number + 2] =
        (struct carom_frame_side){.part = model->nparts, .sign = s ? 1.0 : -1.0};
    if (which < 0)
        return;
    const size_t part = carom_ports_owner(model, (size_t)which);
    const struct carom_member *m = &model->member[part];
    for (size_t k = 0; k < 3; k++)
        if (!m->part->passage || !m->part->passage(m->own, (size_t)which - m->port0, k, q + m->q0, &own->port[k]))
            return;
    const double normal[3] = {own->port[0].value, own->port[1].value, own->port[2].value};
    if (!(carom_vec_norm(normal) > 0.0))
        return;
    carom_vec_across(normal, frame->axes[at]);
    for (size_t way = 0; way < 2; way++) {
        const double *axis = frame->axes[at] + 3 * way;
        struct carom_frame_side *side = &own->side[number + 2 * way];
        double *slope = own->slope + (number + 2 * way) * own->slots;
        *side = (struct carom_frame_side){
            .part = part, .first = own->port->first, .count = own->port->count, .sign = side->sign};
        for (size_t c = 0; c < side->count; c++)
            slope[c] =
                axis[0] * own->port[0].slope[c] + axis[1] * own->port[1].slope[c] + axis[2] * own->port[2].slope[c];
        answer_of(own, m, q, side, slope, own->answer + (number + 2 * way) * own->breadth);
    }
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

/* the normal or tangent that row i of W belongs to */
static size_t row_of(const struct carom_frame *frame, size_t i)
{
    const size_t ways = frame->tangents, contact = i / (1 + ways), which = i % (1 + ways);
    return which ? frame->room + ways * contact + which - 1 : contact;
}

/* Is tangent `way` of contact i one? A lone number stands for one along which nothing moves. False: not finite. */
static bool set_tangent(struct carom_frame *frame, size_t i, size_t way)
{
    const size_t each = 1 + frame->tangents, wide = each * frame->n, row = each * i + 1 + way;
    double *w = &frame->both[row * wide + row];
    const bool moves = *w > 1e-14 * frame->diagonal[i];
    if (!isfinite(*w) || !isfinite(frame->slide[frame->tangents * i + way]))
        return false;
    for (size_t k = 0; !moves && k < wide; k++)
        frame->both[row * wide + k] = frame->both[k * wide + row] = 0.0;
    *w = moves ? *w : frame->diagonal[i];
    frame->slips[i] |= moves;
    return true;
}

/* tangents, and W of normals and tangents together */
static enum carom_status set_tangents(struct carom_frame *frame, double t, const double *q, struct carom_error *error)
{
    const struct carom_frame_own *own = frame->own;
    const size_t n = frame->n, ways = frame->tangents, wide = (1 + ways) * n, room = frame->room;
    for (size_t i = 0; i < n; i++) {
        const size_t side = 2 * (room + ways * i);
        for (int s = 0; s < 2; s++)
            if (ways > 1)
                set_passage(frame, q, i, s);
            else
                set_side(frame, t, q, i, s, true);
        for (size_t k = 0; k < ways; k++)
            frame->slide[ways * i + k] = own->side[side + 2 * k + 1].drift - own->side[side + 2 * k].drift;
    }
    for (size_t i = 0; i < wide; i++)
        for (size_t k = 0; k <= i; k++)
            frame->both[i * wide + k] = frame->both[k * wide + i] = entry(frame, row_of(frame, i), row_of(frame, k));
    for (size_t i = 0; i < n; i++) {
        frame->slips[i] = false;
        for (size_t way = 0; way < ways; way++)
            if (!set_tangent(frame, i, way))
                return carom_error_set(error, CAROM_E_NUMERIC, "contact %zu: how it slips is not finite at t = %g",
                                       carom_frame_number(frame->model, frame->contact[i]), t);
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
    carom_frame_chain_set(frame, t, q);
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
        carom_frame_chain_rates(frame, v, rate);
        return;
    }
    for (size_t i = 0; i < frame->n; i++)
        rate[i] = row_rate(frame, i, frame->drift[i], v);
}

void carom_frame_slips(const struct carom_frame *frame, const double *slide, const double *v, double *rate)
{
    const size_t ways = frame->tangents;
    for (size_t k = 0; k < ways * frame->n; k++)
        rate[k] = frame->slips[k / ways] ? row_rate(frame, frame->room + k, slide[k], v) : 0.0;
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
        carom_frame_chain_push(frame, impulse, v);
        return;
    }
    for (size_t i = 0; i < frame->n; i++)
        push_row(frame, i, impulse[i], v);
}

void carom_frame_friction(const struct carom_frame *frame, const double *impulse, double *v)
{
    const size_t ways = frame->tangents;
    for (size_t k = 0; k < ways * frame->n; k++)
        if (frame->slips[k / ways])
            push_row(frame, frame->room + k, impulse[k], v);
}

void carom_frame_slip_work(const struct carom_frame *frame, const double *slide, const double *impulse, double *work)
{
    const struct carom_frame_own *own = frame->own;
    for (size_t k = 0; k < frame->tangents * frame->n; k++) { /* a belt belongs to the part that tells of it */
        const size_t part = own->side[2 * (frame->room + k) + 1].part;
        work[part < frame->model->nparts ? part : 0] -= impulse[k] * slide[k];
    }
}
