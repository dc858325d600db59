/* Slices of a body in space: how they are made, and which of them a block passes over. Which blocks the work is cut
 * into changes no bit: a block works out again what comes in from cells before it, in the same order, and begins with
 * that. solid_slice_pass.h has the passes, here in two lanes. */
#include "model/solid/solid_slice.h"

#include "base/memory.h"
#include "model/solid/solid_slice_pass.h"

/* --- building -------------------------------------------------------------------------------------------------- */

void carom_solid_slice_free(struct carom_solid_slices *s)
{
    if (!s)
        return;
    carom_memory_free_all(s->begin, s->slot, s->pair, s->form, s->stiffness, s);
}

size_t carom_solid_slice_links(const struct carom_solid *s, size_t slice, size_t link[3])
{
    for (size_t lane = 0; lane < CAROM_SLICE; lane++)
        for (link[lane + 1] = link[lane];
             link[lane + 1] < s->nlinks && s->link[link[lane + 1]].cell[0] == CAROM_SLICE * slice + lane;)
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
    for (size_t c = 0; c < s->n / CAROM_SLICE; c++, from[0] = from[2]) {
        const struct slots slots = slots_of(s, c, from);
        number += slots.both + slots.alone;
    }
    return number;
}

/* one lane of pair npairs; shape NULL: idle */
static void fill_lane(const struct carom_solid_shape *shape, size_t lane, struct carom_solid_slices *t)
{
    static const struct carom_solid_shape idle = {.apart = {1.0, 0.0, 0.0}};
    const struct carom_solid_shape *h = shape ? shape : &idle;
    const double *a = h->apart, *arm = h->arm, *b = h->bend;
    const double form[CAROM_SLOT_FORM] = {a[0], a[1], a[2], arm[0], arm[1], arm[2], h->part[0], h->part[1]},
                 stiffness[CAROM_SLOT_STIFFNESS] = {h->stiff, b[0], b[1], b[2], b[3], b[4], b[5]};
    size_t (*place)(size_t, size_t, size_t) = t->shared ? carom_slot_shared_place : carom_slot_place;
    for (size_t k = 0; k < CAROM_SLOT_FORM; k++)
        t->form[place(CAROM_SLOT_FORM, k, t->npairs) + lane] = form[k];
    for (size_t k = 0; k < CAROM_SLOT_STIFFNESS; k++)
        t->stiffness[place(CAROM_SLOT_STIFFNESS, k, t->npairs) + lane] = stiffness[k];
}

/* slots of all slices, and for each the number of the pair of shapes that it needs: `known` has room for all, or is
 * NULL if each slot has a pair of its own */
static void fill(const struct carom_solid *s, struct carom_solid_slices *t, uint32_t *known)
{
    size_t from[3] = {0, 0, 0}, slot = 0;
    for (size_t c = 0; c < t->count; c++, from[0] = from[2]) {
        t->begin[c] = (uint32_t)slot;
        const struct slots slots = slots_of(s, c, from);
        for (size_t k = 0; k < slots.both + slots.alone; k++, slot++) {
            size_t number[CAROM_SLICE];
            for (size_t lane = 0; lane < CAROM_SLICE; lane++) {
                const size_t cell = k < slots.both ? lane : slots.more, own = CAROM_SLICE * c + cell;
                const size_t link = from[cell] + (k < slots.both ? k : 2 * k - slots.both + lane);
                const bool idle = link >= from[cell + 1];
                t->slot[slot].own[lane] = (uint32_t)own;
                t->slot[slot].other[lane] = idle ? (uint32_t)own : s->link[link].cell[1];
                number[lane] = idle ? s->nshapes : s->link[link].shape;
            }
            uint32_t *at = known ? &known[number[0] * (s->nshapes + 1) + number[1]] : NULL;
            if (at)
                t->pair[slot] = *at > 0 ? *at - 1 : (uint32_t)t->npairs;
            if (at && *at > 0)
                continue;
            for (size_t lane = 0; lane < CAROM_SLICE; lane++)
                fill_lane(number[lane] < s->nshapes ? &s->shape[number[lane]] : NULL, lane, t);
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
    t->count = s->n / CAROM_SLICE;
    t->nslots = count_slots(s);
    const size_t shapes = s->nshapes + 1; /* with the idle one */
    t->shared = shapes <= 4 * (t->nslots + 1024) / shapes;
    const size_t slots = t->nslots + t->nslots % 2;
    const size_t most = CAROM_SLICE * (t->shared && shapes * shapes < slots ? shapes * shapes : slots);
    uint32_t *known = t->shared ? carom_memory_zeroed(shapes * shapes, sizeof *known) : NULL;
    t->begin = carom_memory_zeroed(t->count + 1, sizeof *t->begin);
    t->slot = carom_memory_zeroed(slots, sizeof *t->slot);
    t->pair = carom_memory_zeroed(t->shared ? slots : 0, sizeof *t->pair);
    t->form = carom_memory_zeroed(most, CAROM_SLOT_FORM * sizeof *t->form);
    t->stiffness = carom_memory_zeroed(most, CAROM_SLOT_STIFFNESS * sizeof *t->stiffness);
    const bool good =
        t->begin && t->slot && (t->pair || !t->shared) && t->form && t->stiffness && (known || !t->shared);
    if (good)
        fill(s, t, known);
    carom_memory_free(known);
    return good;
}

size_t carom_solid_slice_room(const struct carom_solid *s)
{
    const size_t slots = s->slices->nslots;
    return CAROM_SLICE * CAROM_SLOT_STRETCH * (slots + slots % 2);
}

/* --- blocks ------------------------------------------------------------------------------------------------------ */

const struct carom_slice_passes carom_solid_slice_narrow = {dilate_some, pull_some};

const struct carom_slice_passes *carom_solid_slice_passes(void)
{
    const struct carom_slice_passes *wide = carom_solid_slice_wide();
    return wide ? wide : &carom_solid_slice_narrow;
}

/* the first slice from which something may come into cells from `first` on */
static size_t early_slice(const struct carom_solid *s, size_t first)
{
    return (first > s->reach ? first - s->reach : 0) / CAROM_SLICE;
}

/* slices before `last` that act on no later cells */
static size_t inner_slices(const struct carom_solid *s, size_t first, size_t last)
{
    const size_t end = last / CAROM_SLICE, begin = first / CAROM_SLICE;
    const size_t near = (s->reach + CAROM_SLICE - 1) / CAROM_SLICE + 1;
    return last == s->n ? end : end > begin + near ? end - near : begin;
}

/* What comes into the field from slices [from, to), which others have: parts of the dilatation, or forces. The stretch
 * is worked out again: it is another block's to keep. */
static void come_in(const struct carom_solid_call *c, size_t from, size_t to, const struct carom_solid_field *field,
                    bool forces)
{
    const struct pass p = pass_of(c, field);
    const bool shared = c->solid->slices->shared;
    struct few few;
    for (size_t k = p.begin[from]; from < to && k < p.begin[to]; k++) {
        const uint32_t *other = p.slot[k].other;
        if (!has(field, other[0]) && !has(field, other[1]))
            continue;
        look(&p, k, shared, &few);
        const struct carom_pair_side i = side_of(p.q, few.own), j = side_of(p.q, few.other);
        const struct carom_pair_form form = form_of(&p, shared, &few);
        const struct carom_pair_stretch stretch = carom_pair_stretch_of(&i, &j, &form);
        if (!forces) {
            dilate_others(&p, few.other, form.part[1] * carom_pair_open(&i, &j, &form, &stretch), false);
            continue;
        }
        const struct carom_pair_pull pull = pull_of(&p, shared, &few, &i, &j, &form, &stretch);
        pull_others(&p, &few, 0, false, &pull);
    }
}

static void slice_pass(const struct carom_solid_call *c, size_t first, size_t last, bool forces)
{
    const struct carom_solid_field field = {.first = first, .last = last};
    const struct carom_slice_passes *passes = carom_solid_slice_passes();
    const size_t from = first / CAROM_SLICE, inner = inner_slices(c->solid, first, last), to = last / CAROM_SLICE;
    come_in(c, early_slice(c->solid, first), from, &field, forces);
    (forces ? passes->pull : passes->dilate)(c, from, inner, &field, true);
    (forces ? passes->pull : passes->dilate)(c, inner, to, &field, false);
}

void carom_solid_slice_dilate(const struct carom_solid_call *c, size_t first, size_t last)
{
    slice_pass(c, first, last, false);
}

void carom_solid_slice_pull(const struct carom_solid_call *c, size_t first, size_t last)
{
    slice_pass(c, first, last, true);
}

/* --- slices in any places ---------------------------------------------------------------------------------------- */

/* In the order of one pass over all, so that owners change no bit. */
void carom_solid_slice_runs(const struct carom_solid_call *c, const struct carom_solid_runs *runs, uint32_t who,
                            bool forces)
{
    const struct carom_solid_field field = {.owner = runs->owner, .who = who};
    const struct carom_slice_passes *passes = carom_solid_slice_passes();
    const size_t count = c->solid->slices->count;
    for (size_t i = runs->begin[who]; i < runs->begin[who + 1]; i++) {
        const struct carom_solid_run *run = &runs->run[i];
        const size_t to = run->last < count ? run->last : count; /* a last cell that stands alone has no links */
        if (!run->own)
            come_in(c, run->first, to, &field, forces);
        else if (forces)
            passes->pull(c, run->first, to, &field, false);
        else
            passes->dilate(c, run->first, to, &field, false);
    }
}
