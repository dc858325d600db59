/* Rates of the links and stiffness-proportional damping: the links' viscous forces are b times the rates of their
 * elastic ones at a frozen configuration, f = -b K' w with K' the part of the stiffness that is a square of rates
 * (it is all of it in an unloaded body). So power w . f <= 0 always for nu >= 0, and rigid motion is not damped.
 *
 * A scheme asks several times for one configuration, so what belongs to it is worked out first and kept. Cells go two
 * by two, one in each lane, with the links that begin at them, slot by slot; what those do to them is added up in
 * registers before it joins the rest. Blocks of cells work out again what comes in from cells before them, in the same
 * order, so that neither blocks nor lanes change a bit. */
#include "model/solid/solid_rates.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_piece.h"
#include "model/solid/solid_rates_pair.h"
#include "model/solid/solid_slice.h"

struct call {
    const struct carom_solid *solid;
    const struct carom_solid_rates *rates;
    const struct carom_solid_frozen *frozen;
    const double *q, *w;
    double *f;
    size_t blocks;
    const struct carom_solid_runs *runs; /* of a piece */
};

/* --- slices, slots, blocks ------------------------------------------------------------------------------------- */

static size_t slices_of(const struct carom_solid *s)
{
    return (s->n + 1) / CAROM_LANES;
}

/* `n` is the number of cells */
ALWAYS_INLINE struct carom_rates_slot slot_of(const struct carom_solid_rates_slot *slot,
                                              const struct carom_solid_rates_shape *shape, size_t cell, size_t n)
{
    return (struct carom_rates_slot){{&shape[slot->shape[0]], &shape[slot->shape[1]]},
                                     {cell, cell + 1 < n ? cell + 1 : cell},
                                     {slot->other[0], slot->other[1]}};
}

static size_t blocks_of(const struct carom_solid *s, const struct carom_threads *threads)
{
    const size_t count = carom_threads_count(threads), most = s->n / (2 * (s->reach + 1));
    return count < most ? count : most > 0 ? most : 1;
}

/* The slices of a block, [first, last), those before `inner` without links to cells after it; the first slice that may
 * act on it; its cells, [cell, end). */
struct range {
    size_t from, first, inner, last, cell, end;
    const uint32_t *owner; /* of a piece, see solid_slice.h */
    uint32_t who;
};

static struct range range_of(const struct call *c, size_t block)
{
    const struct carom_solid *s = c->solid;
    struct range r = {.first = slices_of(s) * block / c->blocks, .last = slices_of(s) * (block + 1) / c->blocks};
    const size_t near = s->reach / CAROM_LANES + 1;
    r.cell = CAROM_LANES * r.first;
    r.end = CAROM_LANES * r.last < s->n ? CAROM_LANES * r.last : s->n;
    r.from = r.first > near ? r.first - near : 0;
    r.inner = r.end == s->n ? r.last : r.last > r.first + near ? r.last - near : r.first;
    return r;
}

/* Which slices: before the block, of which only what comes into it counts; in it; near its end. Of a piece: others
 * that act on its own; its own. */
enum where { BEFORE, WITHIN, NEAR_END, AROUND, OWN };

ALWAYS_INLINE bool counts(enum where where, const struct range *r, size_t cell)
{
    if (where == AROUND || where == OWN)
        return r->owner[cell / CAROM_LANES] == r->who;
    return where == WITHIN || (where == BEFORE ? cell >= r->cell && cell < r->end : cell < r->end);
}

/* is it more than looked at? */
ALWAYS_INLINE bool has(enum where where)
{
    return where != BEFORE && where != AROUND;
}

/* --- room ------------------------------------------------------------------------------------------------------ */

void carom_solid_rates_free(struct carom_solid_rates *r)
{
    if (!r)
        return;
    carom_memory_free_all(r->begin, r->slot, r->shape, r);
}

/* the slots of all slices, if there is room for them yet; how many */
static size_t fill(const struct carom_solid *s, struct carom_solid_rates *r)
{
    size_t link[3] = {0, 0, 0}, number = 0;
    for (size_t slice = 0; slice < slices_of(s); slice++, link[0] = link[2]) {
        const size_t slots = carom_solid_slice_links(s, slice, link);
        r->begin[slice] = (uint32_t)number;
        for (size_t k = 0; k < slots; k++, number++)
            for (size_t lane = 0; lane < CAROM_LANES && r->slot; lane++) {
                const size_t l = link[lane] + k, own = CAROM_LANES * slice + lane;
                const bool there = l < link[lane + 1];
                r->slot[number].other[lane] = there ? s->link[l].cell[1] : (uint32_t)(own < s->n ? own : own - 1);
                r->slot[number].shape[lane] = there ? s->link[l].shape : (uint32_t)s->nshapes;
            }
    }
    r->begin[slices_of(s)] = (uint32_t)number;
    for (size_t i = 0; i < s->nshapes; i++)
        r->shape[i] = (struct carom_solid_rates_shape){.part = {s->shape[i].part[0], s->shape[i].part[1]},
                                                       .stiff = s->shape[i].stiff,
                                                       .bend = s->shape[i].bend[0]};
    return number;
}

struct carom_solid_rates *carom_solid_rates_create(const struct carom_solid *s)
{
    struct carom_solid_rates *r = carom_memory_zeroed(1, sizeof *r);
    if (!r)
        return NULL;
    r->solid = s;
    r->begin = carom_memory_zeroed(slices_of(s) + 1, sizeof *r->begin);
    r->shape = carom_memory_zeroed(s->nshapes + 1, sizeof *r->shape);
    if (r->begin && r->shape) {
        r->nslots = fill(s, r);
        r->slot = carom_memory_zeroed(r->nslots, sizeof *r->slot);
    }
    if (r->slot) {
        fill(s, r);
        return r;
    }
    carom_solid_rates_free(r);
    return NULL;
}

/* of all pairs, in doubles */
static size_t room_of_pairs(const struct carom_solid_rates *r)
{
    const size_t each = r->solid->dimension == 3 ? sizeof(struct carom_rates_space) : sizeof(struct carom_rates_flat);
    return r->nslots * each / sizeof(double);
}

size_t carom_solid_rates_room(const struct carom_solid_rates *r)
{
    return CAROM_LANES - 1 + room_of_pairs(r) + 3 * r->solid->n;
}

/* Pairs come first, at the next place in the room where lanes may stand: stores into others trap on some machines. */
struct carom_solid_frozen carom_solid_rates_frozen(const struct carom_solid_rates *r, double *room)
{
    const size_t beyond = (uintptr_t)room / sizeof *room % CAROM_LANES;
    double *pair = room + (CAROM_LANES - beyond) % CAROM_LANES, *sum = pair + room_of_pairs(r);
    return (struct carom_solid_frozen){pair, sum, sum + r->solid->n, sum + 2 * r->solid->n};
}

/* --- geometry -------------------------------------------------------------------------------------------------- */

static const struct carom_solid_shape *shape_of(const struct carom_solid *s, size_t number)
{
    static const struct carom_solid_shape idle = {.apart = {1.0, 0.0, 0.0}};
    return number < s->nshapes ? &s->shape[number] : &idle;
}

static void freeze(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->solid;
    const struct carom_solid_rates *rates = c->rates;
    const struct range r = range_of(c, block);
    for (size_t slice = r.first; slice < r.last; slice++)
        for (size_t k = rates->begin[slice]; k < rates->begin[slice + 1]; k++) {
            if (c->runs && !c->runs->known[slice])
                continue;
            const struct carom_rates_slot t = slot_of(&rates->slot[k], rates->shape, CAROM_LANES * slice, s->n);
            const struct carom_solid_shape *s0 = shape_of(s, rates->slot[k].shape[0]);
            const struct carom_solid_shape *s1 = shape_of(s, rates->slot[k].shape[1]);
            if (s->dimension == 3)
                carom_rates_space_freeze(&t, s0, s1, c->q, (struct carom_rates_space *)c->frozen->pair + k);
            else
                carom_rates_flat_freeze(&t, s0, s1, c->q, (struct carom_rates_flat *)c->frozen->pair + k);
        }
}

void carom_solid_rates_freeze_piece(const struct carom_solid_rates *r, const struct carom_solid_frozen *frozen,
                                    const struct carom_solid_piece *piece, struct carom_threads *threads,
                                    const double *q)
{
    struct call c = {.solid = r->solid, .rates = r, .frozen = frozen, .q = q};
    c.runs = carom_solid_piece_runs(piece, false, &c.blocks);
    carom_threads_run(threads, freeze, &c, c.blocks);
}

void carom_solid_rates_freeze(const struct carom_solid_rates *r, const struct carom_solid_frozen *frozen,
                              struct carom_threads *threads, const double *q)
{
    struct call c = {.solid = r->solid, .rates = r, .frozen = frozen, .q = q, .blocks = blocks_of(r->solid, threads)};
    carom_threads_run(threads, freeze, &c, c.blocks);
}

/* --- rates ----------------------------------------------------------------------------------------------------- */

/* Slices [from, to): what is read is told apart from what is written. `where` and `flat` are constants where this is
 * compiled in. */
ALWAYS_INLINE void open_slices(const uint32_t *restrict begin, const struct carom_solid_rates_slot *restrict slot,
                               const struct carom_solid_rates_shape *restrict shape, const double *restrict w,
                               void *restrict pair, double *restrict sum, const struct range *r, size_t n, size_t from,
                               size_t to, enum where where, bool flat)
{
    for (size_t slice = from; slice < to; slice++) {
        const size_t cell = CAROM_LANES * slice;
        carom_lane own = {0.0, 0.0};
        for (size_t k = begin[slice]; k < begin[slice + 1]; k++) {
            const struct carom_rates_slot t = slot_of(&slot[k], shape, cell, n);
            const carom_lane open =
                flat ? carom_rates_flat_open(&t, w, has(where), (struct carom_rates_flat *)pair + k)
                     : carom_rates_space_open(&t, w, has(where), (struct carom_rates_space *)pair + k);
            const carom_lane add = carom_rates_part(&t, 1) * open;
            own += carom_rates_part(&t, 0) * open;
            if (counts(where, r, t.other[0]))
                sum[t.other[0]] += add[0];
            if (counts(where, r, t.other[1]))
                sum[t.other[1]] += add[1];
        }
        if (has(where))
            sum[cell] += own[0];
        if (has(where) && cell + 1 < n)
            sum[cell + 1] += own[1];
    }
}

/* the pressure that goes with a cell's sum, and its power */
static void press(const struct call *c, size_t cell)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(c->solid, cell);
    c->frozen->push[cell] = sort->lambda * sort->share * c->frozen->sum[cell];
    c->frozen->loss[cell] = c->frozen->push[cell] * c->frozen->sum[cell];
}

ALWAYS_INLINE void open_block(const struct call *c, size_t block, bool flat)
{
    const struct carom_solid *s = c->solid;
    const struct range r = range_of(c, block);
    const struct carom_solid_rates *t = c->rates;
    const struct carom_solid_frozen *z = c->frozen;
    double *sum = z->sum;
    memset(sum + r.cell, 0, (r.end - r.cell) * sizeof *sum);
    open_slices(t->begin, t->slot, t->shape, c->w, z->pair, sum, &r, s->n, r.from, r.first, BEFORE, flat);
    open_slices(t->begin, t->slot, t->shape, c->w, z->pair, sum, &r, s->n, r.first, r.inner, WITHIN, flat);
    open_slices(t->begin, t->slot, t->shape, c->w, z->pair, sum, &r, s->n, r.inner, r.last, NEAR_END, flat);
    for (size_t i = r.cell; i < r.end; i++)
        press(c, i);
}

/* of a piece: cells of a run that are its own, none of others */
static size_t cells_of(const struct carom_solid *s, const struct carom_solid_run *run, size_t *cell)
{
    const size_t end = CAROM_LANES * (size_t)run->last;
    *cell = CAROM_LANES * (size_t)run->first;
    return !run->own ? *cell : end < s->n ? end : s->n;
}

ALWAYS_INLINE void open_piece(const struct call *c, size_t block, bool flat)
{
    const struct carom_solid *s = c->solid;
    const struct range r = {.owner = c->runs->owner, .who = (uint32_t)block};
    const struct carom_solid_rates *t = c->rates;
    const struct carom_solid_run *run = c->runs->run, *from = run + c->runs->begin[block];
    const struct carom_solid_run *to = run + c->runs->begin[block + 1];
    size_t cell;
    for (run = from; run < to; run++)
        for (size_t end = cells_of(s, run, &cell); cell < end; cell++)
            c->frozen->sum[cell] = 0.0;
    for (run = from; run < to; run++)
        if (run->own)
            open_slices(t->begin, t->slot, t->shape, c->w, c->frozen->pair, c->frozen->sum, &r, s->n, run->first,
                        run->last, OWN, flat);
        else
            open_slices(t->begin, t->slot, t->shape, c->w, c->frozen->pair, c->frozen->sum, &r, s->n, run->first,
                        run->last, AROUND, flat);
    for (run = from; run < to; run++)
        for (size_t end = cells_of(s, run, &cell); cell < end; cell++)
            press(c, cell);
}

static void open_all(void *own, size_t block)
{
    const struct call *c = own;
    const bool flat = c->solid->dimension == 2;
    if (c->runs && flat)
        open_piece(c, block, true);
    else if (c->runs)
        open_piece(c, block, false);
    else if (flat)
        open_block(c, block, true);
    else
        open_block(c, block, false);
}

/* --- drag ------------------------------------------------------------------------------------------------------ */

/* the other end of a link, and its own, feel it */
ALWAYS_INLINE void take_off(double *f, size_t cell, const carom_lane off[6], size_t lane, bool flat)
{
    for (size_t k = 0; k < 3 && flat; k++)
        f[3 * cell + k] -= off[k][lane];
    if (!flat)
        carom_lane_off_six(f + 6 * cell, off, lane);
}

ALWAYS_INLINE void put_on(double *f, size_t cell, const carom_lane on[6], size_t lane, bool flat)
{
    for (size_t k = 0; k < 3 && flat; k++)
        f[3 * cell + k] += on[k][lane];
    if (!flat)
        carom_lane_onto_six(f + 6 * cell, on, lane);
}

/* as open_slices() */
ALWAYS_INLINE void drag_slices(const uint32_t *restrict begin, const struct carom_solid_rates_slot *restrict slot,
                               const struct carom_solid_rates_shape *restrict shape, const double *restrict w,
                               const double *restrict push, const void *restrict pair, double *restrict loss,
                               double *restrict f, const struct range *r, size_t n, size_t from, size_t to,
                               enum where where, bool flat)
{
    for (size_t slice = from; slice < to; slice++) {
        const size_t cell = CAROM_LANES * slice;
        carom_lane power = {0.0, 0.0};
        carom_lane on[6] = {power, power, power, power, power, power}, off[6];
        for (size_t k = begin[slice]; k < begin[slice + 1]; k++) {
            const struct carom_rates_slot t = slot_of(&slot[k], shape, cell, n);
            power += flat ? carom_rates_flat_drag(&t, w, push, (const struct carom_rates_flat *)pair + k, on, off)
                          : carom_rates_space_drag(&t, w, push, (const struct carom_rates_space *)pair + k, on, off);
            if (counts(where, r, t.other[0]))
                take_off(f, t.other[0], off, 0, flat);
            if (counts(where, r, t.other[1]))
                take_off(f, t.other[1], off, 1, flat);
        }
        if (!has(where))
            continue;
        loss[cell] += power[0];
        put_on(f, cell, on, 0, flat);
        if (cell + 1 < n) {
            loss[cell + 1] += power[1];
            put_on(f, cell + 1, on, 1, flat);
        }
    }
}

ALWAYS_INLINE void drag_block(const struct call *c, size_t block, bool flat)
{
    const struct carom_solid *s = c->solid;
    const struct range r = range_of(c, block);
    const struct carom_solid_rates *t = c->rates;
    const struct carom_solid_frozen *z = c->frozen;
    const size_t fast = flat ? 3 : 6;
    double *f = c->f;
    memset(f + fast * r.cell, 0, fast * (r.end - r.cell) * sizeof *f);
    drag_slices(t->begin, t->slot, t->shape, c->w, z->push, z->pair, z->loss, f, &r, s->n, r.from, r.first, BEFORE,
                flat);
    drag_slices(t->begin, t->slot, t->shape, c->w, z->push, z->pair, z->loss, f, &r, s->n, r.first, r.inner, WITHIN,
                flat);
    drag_slices(t->begin, t->slot, t->shape, c->w, z->push, z->pair, z->loss, f, &r, s->n, r.inner, r.last, NEAR_END,
                flat);
}

ALWAYS_INLINE void drag_piece(const struct call *c, size_t block, bool flat)
{
    const struct carom_solid *s = c->solid;
    const struct range r = {.owner = c->runs->owner, .who = (uint32_t)block};
    const struct carom_solid_rates *t = c->rates;
    const struct carom_solid_frozen *z = c->frozen;
    const struct carom_solid_run *run = c->runs->run, *from = run + c->runs->begin[block];
    const struct carom_solid_run *to = run + c->runs->begin[block + 1];
    const size_t fast = flat ? 3 : 6;
    size_t cell;
    for (run = from; run < to; run++) {
        const size_t end = cells_of(s, run, &cell);
        memset(c->f + fast * cell, 0, fast * (end - cell) * sizeof *c->f);
    }
    for (run = from; run < to; run++)
        if (run->own)
            drag_slices(t->begin, t->slot, t->shape, c->w, z->push, z->pair, z->loss, c->f, &r, s->n, run->first,
                        run->last, OWN, flat);
        else
            drag_slices(t->begin, t->slot, t->shape, c->w, z->push, z->pair, z->loss, c->f, &r, s->n, run->first,
                        run->last, AROUND, flat);
}

static void drag_all(void *own, size_t block)
{
    const struct call *c = own;
    const bool flat = c->solid->dimension == 2;
    if (c->runs && flat)
        drag_piece(c, block, true);
    else if (c->runs)
        drag_piece(c, block, false);
    else if (flat)
        drag_block(c, block, true);
    else
        drag_block(c, block, false);
}

void carom_solid_rates_drag_piece(const struct carom_solid_rates *r, const struct carom_solid_frozen *frozen,
                                  const struct carom_solid_piece *piece, struct carom_threads *threads, const double *w,
                                  double *f)
{
    struct call c = {.solid = r->solid, .rates = r, .frozen = frozen, .w = w, .f = f};
    c.runs = carom_solid_piece_runs(piece, false, &c.blocks);
    carom_threads_run(threads, open_all, &c, c.blocks);
    c.runs = carom_solid_piece_runs(piece, true, &c.blocks);
    carom_threads_run(threads, drag_all, &c, c.blocks);
}

double carom_solid_rates_drag(const struct carom_solid_rates *r, const struct carom_solid_frozen *frozen,
                              struct carom_threads *threads, const double *w, double *f)
{
    struct call c = {
        .solid = r->solid, .rates = r, .frozen = frozen, .w = w, .f = f, .blocks = blocks_of(r->solid, threads)};
    carom_threads_run(threads, open_all, &c, c.blocks);
    carom_threads_run(threads, drag_all, &c, c.blocks);
    struct carom_sum sum = {0.0, 0.0};
    for (size_t b = 0; b < carom_solid_batches(r->solid); b++) {
        double power[4] = {0.0, 0.0, 0.0, 0.0};
        for (size_t i = b * CAROM_SOLID_BATCH; i < carom_solid_batch_end(r->solid, b); i++)
            power[i % 4] += frozen->loss[i];
        carom_sum_add(&sum, (power[0] + power[1]) + (power[2] + power[3]));
    }
    return carom_sum_value(&sum);
}
