/* Slices of a body in space: how they are made, and the two passes over their links. The numbers of the two cells of a
 * slice are loaded once, and what their links do to them is added up in registers before it joins the rest; the other
 * ends are gathered and scattered slot by slot. Which blocks the work is cut into changes no bit: a block works out
 * again what comes in from cells before it, in the same order, and begins with that. */
#include "model/solid/solid_slice.h"

#include "base/memory.h"

enum { GATHERED = 16 }; /* other ends at a time */

/* --- building -------------------------------------------------------------------------------------------------- */

void carom_solid_slice_free(struct carom_solid_slices *s)
{
    if (!s)
        return;
    carom_memory_free_all(s->begin, s->alone, s->slot, s->form, s->stiffness, s);
}

size_t carom_solid_slice_links(const struct carom_solid *s, size_t slice, size_t link[3])
{
    for (size_t lane = 0; lane < CAROM_LANES; lane++)
        for (link[lane + 1] = link[lane];
             link[lane + 1] < s->nlinks && s->link[link[lane + 1]].cell[0] == CAROM_LANES * slice + lane;)
            link[lane + 1]++;
    return link[1] - link[0] > link[2] - link[1] ? link[1] - link[0] : link[2] - link[1];
}

/* The links of a slice in slots: so many with one of each cell, then so many with two of the one that has more. */
struct slots {
    size_t both, alone, more; /* more: which cell, 0 or 1 */
};

static struct slots slots_of(const struct carom_solid *s, size_t slice, size_t link[3])
{
    const size_t most = carom_solid_slice_links(s, slice, link), least = link[2] - link[0] - most;
    return (struct slots){.both = least, .alone = (most - least + 1) / 2, .more = link[2] - link[1] == most};
}

static size_t count_slots(const struct carom_solid *s)
{
    size_t from[3] = {0, 0, 0}, number = 0;
    for (size_t c = 0; c < s->n / CAROM_LANES; c++, from[0] = from[2]) {
        const struct slots slots = slots_of(s, c, from);
        number += slots.both + slots.alone;
    }
    return number;
}

/* one lane of a pair; shape NULL: idle */
static void fill_lane(const struct carom_solid_shape *shape, size_t lane, struct carom_pair_form *form,
                      struct carom_pair_stiffness *stiffness)
{
    static const struct carom_solid_shape idle = {.apart = {1.0, 0.0, 0.0}};
    const struct carom_solid_shape *h = shape ? shape : &idle;
    form->apart.x[lane] = h->apart[0];
    form->apart.y[lane] = h->apart[1];
    form->apart.z[lane] = h->apart[2];
    form->arm.x[lane] = h->arm[0];
    form->arm.y[lane] = h->arm[1];
    form->arm.z[lane] = h->arm[2];
    form->part[0][lane] = h->part[0];
    form->part[1][lane] = h->part[1];
    stiffness->stiff[lane] = h->stiff;
    for (size_t k = 0; k < 6; k++)
        stiffness->bend[k][lane] = h->bend[k];
}

/* slots of all slices, and for each the number of the pair of shapes that it needs: `known` has room for all, or is
 * NULL if each slot has a pair of its own */
static void fill(const struct carom_solid *s, struct carom_solid_slices *t, uint32_t *known)
{
    size_t from[3] = {0, 0, 0}, slot = 0;
    for (size_t c = 0; c < t->count; c++, from[0] = from[2]) {
        t->begin[c] = (uint32_t)slot;
        const struct slots slots = slots_of(s, c, from);
        t->alone[c] = (uint32_t)(2 * (slot + slots.both) + slots.more);
        for (size_t k = 0; k < slots.both + slots.alone; k++, slot++) {
            size_t number[CAROM_LANES];
            for (size_t lane = 0; lane < CAROM_LANES; lane++) {
                const size_t cell = k < slots.both ? lane : slots.more, own = CAROM_LANES * c + cell;
                const size_t link = from[cell] + (k < slots.both ? k : 2 * k - slots.both + lane);
                const bool idle = link >= from[cell + 1];
                t->slot[slot].other[lane] = idle ? (uint32_t)own : s->link[link].cell[1];
                number[lane] = idle ? s->nshapes : s->link[link].shape;
            }
            uint32_t *at = known ? &known[number[0] * (s->nshapes + 1) + number[1]] : NULL;
            t->slot[slot].pair = at && *at > 0 ? *at - 1 : (uint32_t)t->npairs;
            if (at && *at > 0)
                continue;
            for (size_t lane = 0; lane < CAROM_LANES; lane++)
                fill_lane(number[lane] < s->nshapes ? &s->shape[number[lane]] : NULL, lane, &t->form[t->npairs],
                          &t->stiffness[t->npairs]);
            t->npairs++;
            if (at)
                *at = (uint32_t)t->npairs;
        }
    }
    t->begin[t->count] = (uint32_t)slot;
}

bool carom_solid_slice_ready(struct carom_solid *s)
{
    carom_solid_slice_free(s->slices);
    s->slices = NULL;
    if (s->dimension != 3 || s->gridded)
        return true;
    struct carom_solid_slices *t = s->slices = carom_memory_zeroed(1, sizeof *t);
    if (!t)
        return false;
    t->count = s->n / CAROM_LANES;
    t->nslots = count_slots(s);
    const size_t shapes = s->nshapes + 1; /* with the idle one */
    t->shared = shapes <= 4 * (t->nslots + 1024) / shapes;
    const size_t most = t->shared && shapes * shapes < t->nslots ? shapes * shapes : t->nslots;
    uint32_t *known = t->shared ? carom_memory_zeroed(shapes * shapes, sizeof *known) : NULL;
    t->begin = carom_memory_zeroed(t->count + 1, sizeof *t->begin);
    t->alone = carom_memory_zeroed(t->count, sizeof *t->alone);
    t->slot = carom_memory_zeroed(t->nslots, sizeof *t->slot);
    t->form = carom_memory_zeroed(most, sizeof *t->form);
    t->stiffness = carom_memory_zeroed(most, sizeof *t->stiffness);
    const bool good = t->begin && t->alone && t->slot && t->form && t->stiffness && (known || !t->shared);
    if (good)
        fill(s, t, known);
    carom_memory_free(known);
    return good;
}

size_t carom_solid_slice_room(const struct carom_solid *s)
{
    return s->slices->nslots * sizeof(struct carom_pair_stretch) / sizeof(double);
}

/* each slot has its own, left by the dilatation to the forces; the room for it is laid out for lanes */
static struct carom_pair_stretch *stretches(const struct carom_solid_call *c)
{
    return (void *)c->stretch;
}

/* --- the two cells of a slice ---------------------------------------------------------------------------------- */

ALWAYS_INLINE struct carom_pair_side own_side(const double *q, size_t slice)
{
    return carom_pair_side_of((const double *const[]){q + 7 * CAROM_LANES * slice, q + 7 * (CAROM_LANES * slice + 1)});
}

/* one of them in both lanes */
ALWAYS_INLINE struct carom_pair_side one_side(const double *q, size_t cell)
{
    return carom_pair_side_of((const double *const[]){q + 7 * cell, q + 7 * cell});
}

/* the slot from which on a slice has links of one cell only, and that cell */
ALWAYS_INLINE size_t alone_from(uint32_t alone)
{
    return alone / 2;
}

ALWAYS_INLINE size_t alone_cell(uint32_t alone, size_t slice)
{
    return CAROM_LANES * slice + alone % 2;
}

ALWAYS_INLINE struct carom_pair_side other_side(const double *q, const struct carom_solid_slot *slot)
{
    return carom_pair_side_of((const double *const[]){q + 7 * (size_t)slot->other[0], q + 7 * (size_t)slot->other[1]});
}

/* Cells that a pass is for: [first, last) or, where there are owners, those of slices that `who` has. */
struct field {
    size_t first, last;
    const uint32_t *owner;
    uint32_t who;
};

ALWAYS_INLINE bool has(const struct field *f, size_t cell)
{
    return f->owner ? f->owner[cell / CAROM_LANES] == f->who : cell >= f->first && cell < f->last;
}

/* the first slice from which something may come into cells from `first` on */
static size_t early_slice(const struct carom_solid *s, size_t first)
{
    return (first > s->reach ? first - s->reach : 0) / CAROM_LANES;
}

/* slices before `last` that act on no later cells */
static size_t inner_slices(const struct carom_solid *s, size_t first, size_t last)
{
    const size_t end = last / CAROM_LANES, begin = first / CAROM_LANES;
    const size_t near = (s->reach + CAROM_LANES - 1) / CAROM_LANES + 1;
    return last == s->n ? end : end > begin + near ? end - near : begin;
}

ALWAYS_INLINE carom_lane press_of(const struct carom_pair_form *form, const struct carom_solid_slot *slot,
                                  carom_lane own, const double *pressure)
{
    return form->part[0] * own + form->part[1] * (carom_lane){pressure[slot->other[0]], pressure[slot->other[1]]};
}

ALWAYS_INLINE carom_lane own_pressure(const double *pressure, size_t slice)
{
    return carom_lane_load(pressure + CAROM_LANES * slice);
}

/* the other end of a link feels it */
ALWAYS_INLINE void pull_other(const struct carom_pair_pull *p, const struct carom_solid_slot *slot, size_t lane,
                              double *f)
{
    const carom_lane off[6] = {p->force.x, p->force.y, p->force.z, p->off_second.x, p->off_second.y, p->off_second.z};
    carom_lane_off_six(f + 6 * (size_t)slot->other[lane], off, lane);
}

/* What comes into the field from slices [from, to), which others have: parts of the dilatation, or forces. The stretch
 * is worked out again: it is another block's to keep. */
static void come_in(const struct carom_solid_call *c, size_t from, size_t to, const struct field *field, bool forces)
{
    const struct carom_solid_slices *t = c->solid->slices;
    for (size_t slice = from; slice < to; slice++) {
        const size_t cell = alone_cell(t->alone[slice], slice);
        const struct carom_pair_side side[2] = {own_side(c->q, slice), one_side(c->q, cell)};
        carom_lane press[2] = {{0.0, 0.0}, {0.0, 0.0}};
        if (forces) /* before that another block is making them */
            press[0] = own_pressure(c->sum, slice), press[1] = (carom_lane){c->sum[cell], c->sum[cell]};
        for (size_t k = t->begin[slice]; k < t->begin[slice + 1]; k++) {
            const bool alone = k >= alone_from(t->alone[slice]);
            const struct carom_pair_side i = side[alone];
            const struct carom_solid_slot *slot = &t->slot[k];
            const struct carom_pair_form *form = &t->form[slot->pair];
            if (!has(field, slot->other[0]) && !has(field, slot->other[1]))
                continue;
            const struct carom_pair_side j = other_side(c->q, slot);
            const struct carom_pair_stretch stretch = carom_pair_stretch_of(&i, &j, form);
            const carom_lane add = form->part[1] * carom_pair_open(&i, &j, form, &stretch);
            struct carom_pair_pull p;
            if (forces)
                p = carom_pair_pull_of(&i, &j, form, &t->stiffness[slot->pair], &stretch,
                                       press_of(form, slot, press[alone], c->sum));
            for (size_t lane = 0; lane < CAROM_LANES; lane++) {
                if (forces && has(field, slot->other[lane]))
                    pull_other(&p, slot, lane, c->f);
                else if (has(field, slot->other[lane]))
                    c->sum[slot->other[lane]] += add[lane];
            }
        }
    }
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

/* A slot's part of the dilatation of the other ends; that of the own cells is returned. `all` as below. */
ALWAYS_INLINE carom_lane dilate_slot(const struct carom_solid_slot *slot, const struct carom_pair_form *form,
                                     struct carom_pair_stretch *kept, const double *q, const struct carom_pair_side *i,
                                     const struct field *field, bool all, double *sum)
{
    const struct carom_pair_side j = other_side(q, slot);
    const struct carom_pair_stretch stretch = carom_pair_stretch_of(i, &j, form);
    const carom_lane open = carom_pair_open(i, &j, form, &stretch), add = form->part[1] * open;
    if (kept)
        *kept = stretch;
    if (all && slot->other[1] == slot->other[0] + 1) { /* as in boxes, nearly always */
        carom_lane_onto(sum + slot->other[0], add);
        return form->part[0] * open;
    }
    if (all || has(field, slot->other[0]))
        sum[slot->other[0]] += add[0];
    if (all || has(field, slot->other[1]))
        sum[slot->other[1]] += add[1];
    return form->part[0] * open;
}

/* Slices [from, to) onto the field, which is no limit if `all`; `shared` as in the slices. Both are constants
 * where this is called, and what is read is told apart from what is written, so that the compiler asks and reads no
 * more than it has to. Three slots, as most cells of boxes have, go without a loop: its end is hard to foresee. */
static __attribute__((noinline)) void
dilate(const uint32_t *restrict begin, const uint32_t *restrict alone, const struct carom_solid_slot *restrict slot,
       const struct carom_pair_form *restrict form, struct carom_pair_stretch *restrict kept, const double *restrict q,
       double *sum, size_t from, size_t to, const struct field *field, bool all, bool shared)
{
    for (size_t slice = from; slice < to; slice++) {
        const struct carom_pair_side i = own_side(q, slice);
        const size_t k = begin[slice], end = alone_from(alone[slice]);
        carom_lane own = {0.0, 0.0};
#define PAIR(k) (shared ? slot[k].pair : (k))
#define KEPT(k) (kept ? &kept[k] : NULL)
        if (end - k == 3) {
            own += dilate_slot(&slot[k], &form[PAIR(k)], KEPT(k), q, &i, field, all, sum);
            own += dilate_slot(&slot[k + 1], &form[PAIR(k + 1)], KEPT(k + 1), q, &i, field, all, sum);
            own += dilate_slot(&slot[k + 2], &form[PAIR(k + 2)], KEPT(k + 2), q, &i, field, all, sum);
        } else {
            for (size_t m = k; m < end; m++)
                own += dilate_slot(&slot[m], &form[PAIR(m)], KEPT(m), q, &i, field, all, sum);
        }
        if (end < begin[slice + 1]) {
            const struct carom_pair_side one = one_side(q, alone_cell(alone[slice], slice));
            double more = own[alone[slice] % 2]; /* in the order of the links */
            for (size_t m = end; m < begin[slice + 1]; m++) {
                const carom_lane add = dilate_slot(&slot[m], &form[PAIR(m)], KEPT(m), q, &one, field, all, sum);
                more = more + add[0] + add[1];
            }
            own[alone[slice] % 2] = more;
        }
        carom_lane_onto(sum + CAROM_LANES * slice, own);
    }
}

static void dilate_run(const struct carom_solid_call *c, size_t from, size_t to, const struct field *field, bool all)
{
    const struct carom_solid_slices *t = c->solid->slices;
    if (t->shared && all)
        dilate(t->begin, t->alone, t->slot, t->form, stretches(c), c->q, c->sum, from, to, field, true, true);
    else if (t->shared)
        dilate(t->begin, t->alone, t->slot, t->form, stretches(c), c->q, c->sum, from, to, field, false, true);
    else if (all)
        dilate(t->begin, t->alone, t->slot, t->form, stretches(c), c->q, c->sum, from, to, field, true, false);
    else
        dilate(t->begin, t->alone, t->slot, t->form, stretches(c), c->q, c->sum, from, to, field, false, false);
}

void carom_solid_slice_dilate(const struct carom_solid_call *c, size_t first, size_t last)
{
    const struct field field = {.first = first, .last = last};
    const size_t from = first / CAROM_LANES, inner = inner_slices(c->solid, first, last), to = last / CAROM_LANES;
    come_in(c, early_slice(c->solid, first), from, &field, false);
    dilate_run(c, from, inner, &field, true);
    dilate_run(c, inner, to, &field, false);
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void add_own(const struct carom_pair_pull *p, carom_lane own[6])
{
    own[0] += p->force.x;
    own[1] += p->force.y;
    own[2] += p->force.z;
    own[3] += p->on_first.x;
    own[4] += p->on_first.y;
    own[5] += p->on_first.z;
}

/* what both lanes do to one cell, in the order of its links */
ALWAYS_INLINE void add_alone(const struct carom_pair_pull *p, double own[6])
{
    const carom_lane on[6] = {p->force.x, p->force.y, p->force.z, p->on_first.x, p->on_first.y, p->on_first.z};
    for (size_t k = 0; k < 6; k++)
        own[k] = own[k] + on[k][0] + on[k][1];
}

/* what pull() goes through; read, but for the forces */
struct pulling {
    const struct carom_solid_slot *restrict slot;
    const struct carom_pair_form *restrict form;
    const struct carom_pair_stiffness *restrict stiffness;
    const struct carom_pair_stretch *restrict stretch;
    const double *restrict q, *restrict pressure;
    double *f;
    const struct field *field;
};

/* Slots [from, to), with one link of each cell or, where there is `alone`, two of one, which that is for. Other ends
 * are gathered some slots ahead, so that the calculation does not wait for them. */
ALWAYS_INLINE void pull_slots(const struct pulling *c, size_t from, size_t to, const struct carom_pair_side *i,
                              carom_lane press, bool all, bool shared, carom_lane own[6], double *alone)
{
    struct carom_pair_side other[GATHERED];
    for (size_t some = from; some < to; some += GATHERED) {
        const size_t stop = to - some < GATHERED ? to : some + GATHERED;
        for (size_t k = some; k < stop; k++)
            other[k - some] = other_side(c->q, &c->slot[k]);
        for (size_t k = some; k < stop; k++) {
            const struct carom_solid_slot *slot = &c->slot[k];
            const size_t pair = shared ? slot->pair : k;
            const struct carom_pair_side j = other[k - some];
            const struct carom_pair_pull p =
                carom_pair_pull_of(i, &j, &c->form[pair], &c->stiffness[pair], &c->stretch[k],
                                   press_of(&c->form[pair], slot, press, c->pressure));
            if (alone)
                add_alone(&p, alone);
            else
                add_own(&p, own);
            if (all || has(c->field, slot->other[0]))
                pull_other(&p, slot, 0, c->f);
            if (all || has(c->field, slot->other[1]))
                pull_other(&p, slot, 1, c->f);
        }
    }
}

/* As dilate(). */
static __attribute__((noinline)) void pull(const uint32_t *restrict begin, const uint32_t *restrict alone,
                                           const struct pulling *call, size_t from, size_t to, bool all, bool shared)
{
    const struct pulling c = *call;
    for (size_t slice = from; slice < to; slice++) {
        const struct carom_pair_side i = own_side(c.q, slice);
        const size_t end = begin[slice + 1], single = alone_from(alone[slice]);
        carom_lane own[6] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        pull_slots(&c, begin[slice], single, &i, own_pressure(c.pressure, slice), all, shared, own, NULL);
        if (single < end) {
            const size_t cell = alone_cell(alone[slice], slice);
            const struct carom_pair_side one = one_side(c.q, cell);
            const carom_lane press = {c.pressure[cell], c.pressure[cell]};
            double more[6];
            for (size_t k = 0; k < 6; k++)
                more[k] = own[k][alone[slice] % 2];
            pull_slots(&c, single, end, &one, press, all, shared, NULL, more);
            for (size_t k = 0; k < 6; k++)
                own[k][alone[slice] % 2] = more[k];
        }
        carom_lane_onto_six(c.f + 6 * CAROM_LANES * slice, own, 0);
        carom_lane_onto_six(c.f + 6 * (CAROM_LANES * slice + 1), own, 1);
    }
}

static void pull_run(const struct carom_solid_call *c, size_t from, size_t to, const struct field *field, bool all)
{
    const struct carom_solid_slices *t = c->solid->slices;
    const struct pulling call = {t->slot, t->form, t->stiffness, stretches(c), c->q, c->sum, c->f, field};
    if (t->shared && all)
        pull(t->begin, t->alone, &call, from, to, true, true);
    else if (t->shared)
        pull(t->begin, t->alone, &call, from, to, false, true);
    else if (all)
        pull(t->begin, t->alone, &call, from, to, true, false);
    else
        pull(t->begin, t->alone, &call, from, to, false, false);
}

void carom_solid_slice_pull(const struct carom_solid_call *c, size_t first, size_t last)
{
    const struct field field = {.first = first, .last = last};
    const size_t from = first / CAROM_LANES, inner = inner_slices(c->solid, first, last), to = last / CAROM_LANES;
    come_in(c, early_slice(c->solid, first), from, &field, true);
    pull_run(c, from, inner, &field, true);
    pull_run(c, inner, to, &field, false);
}

/* --- slices in any places ---------------------------------------------------------------------------------------- */

/* In the order of one pass over all, so that owners change no bit. */
void carom_solid_slice_runs(const struct carom_solid_call *c, const struct carom_solid_runs *runs, uint32_t who,
                            bool forces)
{
    const struct field field = {.owner = runs->owner, .who = who};
    const size_t count = c->solid->slices->count;
    for (size_t i = runs->begin[who]; i < runs->begin[who + 1]; i++) {
        const struct carom_solid_run *run = &runs->run[i];
        const size_t to = run->last < count ? run->last : count; /* a last cell that stands alone has no links */
        if (!run->own)
            come_in(c, run->first, to, &field, forces);
        else if (forces)
            pull_run(c, run->first, to, &field, false);
        else
            dilate_run(c, run->first, to, &field, false);
    }
}
