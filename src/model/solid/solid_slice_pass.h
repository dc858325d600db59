/* The two passes over the links of slices. Slots go side by side, one in lanes of two numbers, two in lanes of four,
 * across the ends of slices too; what links do to the first cells is added up before it joins the rest, once a slice
 * ends. However many go side by side, it is all added slot by slot. */
#ifndef CAROM_MODEL_SOLID_SOLID_SLICE_PASS_H
#define CAROM_MODEL_SOLID_SOLID_SLICE_PASS_H

#include "model/solid/solid_slice.h"

enum {
    HALVES = CAROM_LANES / CAROM_SLICE, /* slots side by side */
    AHEAD = 16,                         /* slots between what is worked on and what is fetched */
    LINE = 64,                          /* bytes of the cache */
};
#define EACH(h) for (size_t h = 0; h < HALVES; h++)
#define NONE ((carom_lane_duo){0.0, 0.0})

/* --- slots side by side ------------------------------------------------------------------------------------------ */

/* what a pass goes through; read, but for what is told to cells */
struct pass {
    const uint32_t *restrict begin, *restrict pair;
    const struct carom_solid_slot *restrict slot;
    const double *restrict form, *restrict stiffness, *restrict q;
    double *stretch; /* left by the dilatation to the forces; NULL: nobody asks */
    double *sum, *f;
    const struct carom_solid_field *field;
};

static struct pass pass_of(const struct carom_solid_call *c, const struct carom_solid_field *field)
{
    const struct carom_solid_slices *t = c->solid->slices;
    return (struct pass){t->begin, t->pair, t->slot, t->form, t->stiffness, c->q, c->stretch, c->sum, c->f, field};
}

/* the slots at hand, and where their links begin and end */
struct few {
    size_t number[HALVES], pair[HALVES], own[CAROM_LANES], other[CAROM_LANES];
};

/* slots from k on, which is even where two go side by side */
ALWAYS_INLINE void look(const struct pass *p, size_t k, bool shared, struct few *few)
{
    EACH(h)
    {
        const struct carom_solid_slot *slot = &p->slot[k + h];
        few->number[h] = k + h;
        few->pair[h] = shared ? p->pair[k + h] : k + h;
        for (size_t l = 0; l < CAROM_SLICE; l++) {
            few->own[CAROM_SLICE * h + l] = slot->own[l];
            few->other[CAROM_SLICE * h + l] = slot->other[l];
        }
    }
}

/* the slice of slot h, and whether its links are all of one cell */
ALWAYS_INLINE size_t slice_of(const struct few *few, size_t h)
{
    return few->own[CAROM_SLICE * h] / CAROM_SLICE;
}

ALWAYS_INLINE bool is_alone(const struct few *few, size_t h)
{
    return few->own[CAROM_SLICE * h] == few->own[CAROM_SLICE * h + 1];
}

ALWAYS_INLINE struct carom_pair_side side_of(const double *q, const size_t cell[CAROM_LANES])
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = q + 7 * cell[l];
    return carom_pair_side_of(at);
}

ALWAYS_INLINE carom_lane number_of(const double *x, const size_t cell[CAROM_LANES])
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = x + cell[l];
    return carom_lane_of(at);
}

/* the slots' records of so many numbers, all of which are asked for */
ALWAYS_INLINE void items_of(const double *records, size_t items, bool shared, const struct few *few, carom_lane *x)
{
    const double *own = records + carom_slot_place(items, 0, few->number[0]), *at[HALVES];
    for (size_t k = 0; k < items; k++) {
        EACH(h) at[h] = records + carom_slot_shared_place(items, k, few->pair[h]);
        x[k] = shared ? carom_lane_halves(at) : carom_lane_load(own + 2 * CAROM_SLICE * k);
    }
}

ALWAYS_INLINE struct carom_pair_form form_of(const struct pass *p, bool shared, const struct few *few)
{
    carom_lane x[CAROM_SLOT_FORM];
    items_of(p->form, CAROM_SLOT_FORM, shared, few, x);
    return (struct carom_pair_form){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7]}};
}

ALWAYS_INLINE struct carom_pair_stiffness stiffness_of(const struct pass *p, bool shared, const struct few *few)
{
    carom_lane x[CAROM_SLOT_STIFFNESS];
    items_of(p->stiffness, CAROM_SLOT_STIFFNESS, shared, few, x);
    return (struct carom_pair_stiffness){x[0], {x[1], x[2], x[3], x[4], x[5], x[6]}};
}

ALWAYS_INLINE struct carom_pair_stretch stretch_of(const struct pass *p, const struct few *few)
{
    carom_lane x[CAROM_SLOT_STRETCH];
    items_of(p->stretch, CAROM_SLOT_STRETCH, false, few, x);
    return (struct carom_pair_stretch){{x[0], x[1], x[2]}, x[3]};
}

/* Passes go through records once, which processors fetch ahead of them no farther than to the end of a page: those that
 * slots after k will need are asked for here. */
ALWAYS_INLINE void fetch(const double *records, size_t items, size_t k, size_t stop)
{
    const size_t slot = k + AHEAD < stop ? k + AHEAD : k;
    const char *at = (const char *)(records + carom_slot_place(items, 0, slot));
    for (size_t b = 0; b < items * sizeof(carom_lane); b += LINE)
        __builtin_prefetch(at + b);
}

/* of slots from k on, those of [first, stop): others may be another thread's */
ALWAYS_INLINE void keep(const struct pass *p, size_t k, size_t first, size_t stop,
                        const struct carom_pair_stretch *stretch)
{
    const carom_lane x[CAROM_SLOT_STRETCH] = {stretch->gap.x, stretch->gap.y, stretch->gap.z, stretch->inverse};
    double *to = p->stretch + carom_slot_place(CAROM_SLOT_STRETCH, 0, k);
    for (size_t e = 0; e < CAROM_SLOT_STRETCH; e++, to += 2 * CAROM_SLICE) {
        if (k >= first && k + HALVES <= stop)
            carom_lane_store(to, x[e]);
        else
            carom_lane_duo_store(k < first ? to + CAROM_SLICE : to, carom_lane_half(x[e], k < first));
    }
}

ALWAYS_INLINE bool has(const struct carom_solid_field *f, size_t cell)
{
    return f->owner ? f->owner[cell / CAROM_SLICE] == f->who : cell >= f->first && cell < f->last;
}

/* what two links do to the same cell of a slice, one after the other */
ALWAYS_INLINE carom_lane_duo add_alone(carom_lane_duo own, carom_lane_duo add, size_t which)
{
    const double more = own[which] + add[0] + add[1];
    return which == 0 ? (carom_lane_duo){more, own[1]} : (carom_lane_duo){own[0], more};
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void dilate_others(const struct pass *p, const size_t other[CAROM_SLICE], carom_lane_duo add, bool all)
{
    if (all && other[1] == other[0] + 1) { /* as in boxes, nearly always */
        carom_lane_duo_onto(p->sum + other[0], add);
        return;
    }
    for (size_t l = 0; l < CAROM_SLICE; l++)
        if (all || has(p->field, other[l]))
            p->sum[other[l]] += add[l];
}

/* Slot h tells its cells: own sums, of slices up to its own, and those of the other ends; `on`, `off`: what it adds.
 * Returns its slice. */
ALWAYS_INLINE size_t dilate_slot(const struct pass *p, const struct few *few, size_t h, size_t slice, bool all,
                                 carom_lane on, carom_lane off, carom_lane_duo *own)
{
    const carom_lane_duo add = carom_lane_half(on, h);
    for (; slice < slice_of(few, h); slice++, *own = NONE)
        carom_lane_duo_onto(p->sum + CAROM_SLICE * slice, *own);
    if (!is_alone(few, h))
        *own += add;
    else
        *own = add_alone(*own, add, few->own[CAROM_SLICE * h] % 2);
    dilate_others(p, few->other + CAROM_SLICE * h, carom_lane_half(off, h), all);
    return slice;
}

/* `all`, `kept` and `shared` are constants where this is called */
ALWAYS_INLINE void dilate(const struct pass *pass, size_t from, size_t to, bool all, bool kept, bool shared)
{
    const struct pass p = *pass;
    const size_t first = p.begin[from], stop = p.begin[to];
    carom_lane_duo own = NONE;
    size_t slice = from; /* whose links are being added up */
    struct few few;
    for (size_t k = first / HALVES * HALVES; k < stop; k += HALVES) {
        look(&p, k, shared, &few);
        if (!shared)
            fetch(p.form, CAROM_SLOT_FORM, k, stop);
        if (kept)
            fetch(p.stretch, CAROM_SLOT_STRETCH, k, stop);
        const struct carom_pair_side i = side_of(p.q, few.own), j = side_of(p.q, few.other);
        const struct carom_pair_form form = form_of(&p, shared, &few);
        const struct carom_pair_stretch stretch = carom_pair_stretch_of(&i, &j, &form);
        const carom_lane open = carom_pair_open(&i, &j, &form, &stretch);
        const carom_lane on = form.part[0] * open, off = form.part[1] * open;
        if (kept)
            keep(&p, k, first, stop, &stretch);
        if (k >= first)
            slice = dilate_slot(&p, &few, 0, slice, all, on, off, &own);
        if (HALVES > 1 && k + 1 < stop)
            slice = dilate_slot(&p, &few, HALVES - 1, slice, all, on, off, &own);
    }
    for (; slice < to; slice++, own = NONE)
        carom_lane_duo_onto(p.sum + CAROM_SLICE * slice, own);
}

static void dilate_some(const struct carom_solid_call *c, size_t from, size_t to, const struct carom_solid_field *field,
                        bool all)
{
    const struct pass pass = pass_of(c, field);
    const bool shared = c->solid->slices->shared;
    if (!pass.stretch)
        dilate(&pass, from, to, false, false, shared);
    else if (shared && all)
        dilate(&pass, from, to, true, true, true);
    else if (shared)
        dilate(&pass, from, to, false, true, true);
    else if (all)
        dilate(&pass, from, to, true, true, false);
    else
        dilate(&pass, from, to, false, true, false);
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

/* f += what the links of a slice do to its cells */
ALWAYS_INLINE void pull_slice(double *f, carom_lane_duo own[6])
{
    for (size_t k = 0; k < 6; k += 2) {
        carom_lane_duo_onto(f + k, carom_lane_two(own[k], own[k + 1], 0, 2));
        carom_lane_duo_onto(f + 6 + k, carom_lane_two(own[k], own[k + 1], 1, 3));
        own[k] = own[k + 1] = NONE;
    }
}

ALWAYS_INLINE struct carom_pair_pull pull_of(const struct pass *p, bool shared, const struct few *few,
                                             const struct carom_pair_side *i, const struct carom_pair_side *j,
                                             const struct carom_pair_form *form,
                                             const struct carom_pair_stretch *stretch)
{
    const struct carom_pair_stiffness stiffness = stiffness_of(p, shared, few);
    const carom_lane press =
        form->part[0] * number_of(p->sum, few->own) + form->part[1] * number_of(p->sum, few->other);
    return carom_pair_pull_of(i, j, form, &stiffness, stretch, press);
}

/* the other ends of slot h feel it */
ALWAYS_INLINE void pull_others(const struct pass *p, const struct few *few, size_t h, bool all,
                               const struct carom_pair_pull *pull)
{
    const carom_lane off[6] = {pull->force.x,      pull->force.y,      pull->force.z,
                               pull->off_second.x, pull->off_second.y, pull->off_second.z};
    for (size_t l = CAROM_SLICE * h; l < CAROM_SLICE * (h + 1); l++)
        if (all || has(p->field, few->other[l]))
            carom_lane_off_six(p->f + 6 * few->other[l], off, l);
}

/* as dilate_slot() */
ALWAYS_INLINE size_t pull_slot(const struct pass *p, const struct few *few, size_t h, size_t slice, bool all,
                               const struct carom_pair_pull *pull, carom_lane_duo own[6])
{
    const carom_lane on[6] = {pull->force.x,    pull->force.y,    pull->force.z,
                              pull->on_first.x, pull->on_first.y, pull->on_first.z};
    for (; slice < slice_of(few, h); slice++)
        pull_slice(p->f + 6 * CAROM_SLICE * slice, own);
    if (!is_alone(few, h)) {
        for (size_t c = 0; c < 6; c++)
            own[c] += carom_lane_half(on[c], h);
    } else {
        for (size_t c = 0; c < 6; c++)
            own[c] = add_alone(own[c], carom_lane_half(on[c], h), few->own[CAROM_SLICE * h] % 2);
    }
    pull_others(p, few, h, all, pull);
    return slice;
}

/* as dilate() */
ALWAYS_INLINE void pull(const struct pass *pass, size_t from, size_t to, bool all, bool shared)
{
    const struct pass p = *pass;
    const size_t first = p.begin[from], stop = p.begin[to];
    carom_lane_duo own[6] = {NONE, NONE, NONE, NONE, NONE, NONE};
    size_t slice = from;
    struct few few;
    for (size_t k = first / HALVES * HALVES; k < stop; k += HALVES) {
        look(&p, k, shared, &few);
        if (!shared) {
            fetch(p.form, CAROM_SLOT_FORM, k, stop);
            fetch(p.stiffness, CAROM_SLOT_STIFFNESS, k, stop);
        }
        fetch(p.stretch, CAROM_SLOT_STRETCH, k, stop);
        const struct carom_pair_side i = side_of(p.q, few.own), j = side_of(p.q, few.other);
        const struct carom_pair_form form = form_of(&p, shared, &few);
        const struct carom_pair_stretch stretch = stretch_of(&p, &few);
        const struct carom_pair_pull pull = pull_of(&p, shared, &few, &i, &j, &form, &stretch);
        if (k >= first)
            slice = pull_slot(&p, &few, 0, slice, all, &pull, own);
        if (HALVES > 1 && k + 1 < stop)
            slice = pull_slot(&p, &few, HALVES - 1, slice, all, &pull, own);
    }
    for (; slice < to; slice++)
        pull_slice(p.f + 6 * CAROM_SLICE * slice, own);
}

static void pull_some(const struct carom_solid_call *c, size_t from, size_t to, const struct carom_solid_field *field,
                      bool all)
{
    const struct pass pass = pass_of(c, field);
    if (c->solid->slices->shared && all)
        pull(&pass, from, to, true, true);
    else if (c->solid->slices->shared)
        pull(&pass, from, to, false, true);
    else if (all)
        pull(&pass, from, to, true, false);
    else
        pull(&pass, from, to, false, false);
}

#endif
