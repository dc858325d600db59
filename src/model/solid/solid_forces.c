/* Forces and energy of a body from its pieces: loads, then dilatations of all cells, then pulls of all links. With
 * several threads the work is done in blocks of cells, with the same result to the bit. */
#include <string.h>

#include "base/sum.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_sheet.h"
#include "model/solid/solid_slice.h"

enum { BLOCKS = 16 }; /* of work in the plane for several threads; one takes all at once, with the same result */

/* In space, blocks work out again what links carry across their borders, so there are as many as threads, and twice as
 * many where that is not much. */
static size_t blocks_of(const struct carom_solid *s, const struct carom_threads *threads, size_t cells)
{
    if (s->dimension == 2)
        return threads && cells >= 8 * BLOCKS ? BLOCKS : 1;
    const size_t count = carom_threads_count(threads), layers = cells / (s->reach + 1);
    const size_t wanted = count > 1 && layers >= 100 * count ? 2 * count : count, most = layers / 2;
    return most < 1 ? 1 : wanted < most ? wanted : most;
}

/* what dilatations leave to forces, or rows of a sheet; whole lanes, as is all of the room */
static size_t room_between(const struct carom_solid *s, bool forces)
{
    if (s->bonds)
        return carom_solid_bonds_room(s);
    if (carom_solid_sheet_fits(s))
        return carom_solid_sheet_room(s, carom_solid_sheet_blocks(s));
    if (s->dimension == 2 || !forces)
        return 0;
    return s->gridded ? carom_solid_grid_room(s) : carom_solid_slice_room(s);
}

size_t carom_solid_forces_room(const struct carom_solid *s, bool forces)
{
    return room_between(s, forces) + s->n + s->n % 2 + carom_solid_self_room(s);
}

struct carom_solid_work carom_solid_forces_work(const struct carom_solid *s, bool forces, double *room)
{
    if (s->dimension == 2 &&
        !s->bonds) /* rows begin and end with numbers that stay 0, and another body may have written here */
        memset(room, 0, room_between(s, forces) * sizeof *room);
    return (struct carom_solid_work){.pressure = room + room_between(s, forces),
                                     .around = room + room_between(s, forces) + s->n + s->n % 2,
                                     .rows = s->dimension == 2 ? room : NULL,
                                     .stretch = s->bonds || (s->dimension == 3 && forces) ? room : NULL};
}

static struct carom_solid_call begin(const struct carom_solid *s, const struct carom_solid_work *work,
                                     struct carom_threads *threads, double t, const double *q, double *f)
{
    return (struct carom_solid_call){.solid = s,
                                     .t = t,
                                     .q = q,
                                     .sum = work->pressure,
                                     .stretch = work->stretch,
                                     .f = f,
                                     .to = s->n,
                                     .blocks = blocks_of(s, threads, s->n)};
}

/* sums and forces of a block before links act */
static void begin_block(void *own, size_t block)
{
    const struct carom_solid_call *c = own;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    memset(c->sum + first, 0, (last - first) * sizeof *c->sum);
    carom_solid_loads_dilate(c->solid, c->t, first, last, c->sum);
    if (!c->f)
        return;
    carom_solid_loads_begin(c->solid, first, last, c->clear, c->f);
    carom_solid_loads_push(c->solid, c->t, first, last, c->q, c->f);
}

/* the pass over links: dilatations, or forces */
typedef void pass(void *call, size_t block);

static pass *links_of(const struct carom_solid *s, bool forces)
{
    if (s->dimension == 3)
        return forces ? carom_solid_links_pull : carom_solid_links_dilate;
    return forces ? carom_solid_flat_pull : carom_solid_flat_dilate;
}

static void pressures(struct carom_threads *threads, struct carom_solid_call *call)
{
    if (call->solid->bonds) {
        carom_solid_bonds_dilate(call->solid, NULL, threads, call->q, call->sum, call->stretch);
        return;
    }
    carom_threads_run(threads, links_of(call->solid, false), call, call->blocks);
}

void carom_solid_forces_pressures(const struct carom_solid *s, const struct carom_solid_work *work,
                                  struct carom_threads *threads, double t, const double *q)
{
    struct carom_solid_call call = begin(s, work, threads, t, q, NULL);
    if (carom_solid_sheet_fits(s)) {
        carom_solid_sheet_forces(s, work, threads, t, q, NULL);
        return;
    }
    carom_threads_run(threads, begin_block, &call, call.blocks);
    pressures(threads, &call);
}

static void forces(struct carom_threads *threads, struct carom_solid_call *call)
{
    const struct carom_solid *s = call->solid;
    carom_threads_run(threads, begin_block, call, call->blocks);
    pressures(threads, call);
    if (s->bonds) {
        carom_solid_bonds_pull(s, NULL, threads, call->q, call->sum, call->stretch, call->f);
        return;
    }
    carom_threads_run(threads, links_of(s, true), call, call->blocks);
}

void carom_solid_forces(const struct carom_solid *s, const struct carom_solid_work *work, struct carom_threads *threads,
                        double t, const double *q, double *f)
{
    struct carom_solid_call call = begin(s, work, threads, t, q, f);
    if (carom_solid_sheet_fits(s))
        carom_solid_sheet_forces(s, work, threads, t, q, f);
    else
        forces(threads, &call);
    if (s->self)
        carom_solid_self_push(s, work->around, threads, q, f);
}

void carom_solid_forces_onto(const struct carom_solid *s, const struct carom_solid_work *work,
                             struct carom_threads *threads, double t, const double *q, double *f)
{
    struct carom_solid_call call = begin(s, work, threads, t, q, f);
    call.clear = true;
    forces(threads, &call);
    if (s->self)
        carom_solid_self_push(s, work->around, threads, q, f);
}

/* cells [first, last) of a call over all, which has threads */
static struct carom_solid_call part_of(const struct carom_solid_call *all, const struct carom_threads *threads,
                                       size_t first, size_t last)
{
    struct carom_solid_call part = *all;
    part.from = first;
    part.to = last;
    part.blocks = blocks_of(all->solid, threads, last - first);
    return part;
}

/* Pressures around the cells are worked out here too, so that ranks need not tell each other. Cells are paired as they
 * stand in a block: forces find what dilatations have left only in blocks that are the same for both. */
void carom_solid_forces_some(const struct carom_solid *s, const struct carom_solid_work *work,
                             struct carom_threads *threads, double t, const double *q, bool clear, size_t first,
                             size_t last, double *f)
{
    const size_t a = first > s->reach ? (first - s->reach) & ~(size_t)1 : 0;
    const size_t b = s->n - last > s->reach ? last + s->reach : s->n;
    struct carom_solid_call all = begin(s, work, threads, t, q, f);
    all.clear = clear;
    struct carom_solid_call own = part_of(&all, threads, first, last);
    struct carom_solid_call near[2] = {part_of(&all, NULL, a, first), part_of(&all, NULL, last, b)};
    if (first == last)
        return;
    carom_threads_run(threads, begin_block, &own, own.blocks);
    for (size_t k = 0; k < 2; k++) {
        near[k].f = NULL;
        if (near[k].from == near[k].to)
            continue;
        begin_block(&near[k], 0);
        links_of(s, false)(&near[k], 0);
    }
    carom_threads_run(threads, links_of(s, false), &own, own.blocks);
    carom_threads_run(threads, links_of(s, true), &own, own.blocks);
}

/* the pressure is lambda x dilatation */
static void add_dilatations(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    const struct carom_solid_call *c = own;
    const struct carom_solid *s = c->solid;
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        if (sort->lambda != 0.0)
            carom_sum_add(sum, 0.5 * c->sum[i] * c->sum[i] /
                                   (sort->lambda * (s->bonds ? carom_solid_bonds_share(s, c->q, i) : sort->share)));
    }
}

static void add_heights(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    const struct carom_solid_call *c = own;
    const struct carom_solid *s = c->solid;
    for (size_t i = first; i < last; i++)
        for (int k = 0; k < s->dimension; k++)
            if (s->gravity[k] != 0.0)
                carom_sum_add(sum, -carom_solid_sort_of(s, i)->mass * s->gravity[k] * c->q[s->wide * i + (size_t)k]);
}

double carom_solid_forces_energy(const struct carom_solid *s, const struct carom_solid_work *work,
                                 struct carom_threads *threads, double t, const double *q)
{
    const struct carom_solid_call call = begin(s, work, threads, t, q, NULL);
    struct carom_sum sum = {0.0, 0.0};
    carom_threads_add *links = s->bonds            ? carom_solid_bonds_energy
                               : s->dimension == 3 ? carom_solid_links_energy
                                                   : carom_solid_flat_energy;
    carom_solid_forces_pressures(s, work, threads, t, q);
    const struct carom_sum stretched = carom_threads_sum(threads, links, &call, s->nlinks),
                           swollen = carom_threads_sum(threads, add_dilatations, &call, s->n),
                           raised = carom_threads_sum(threads, add_heights, &call,
                                                      carom_vec_norm(s->gravity) > 0.0 ? s->n : 0);
    carom_sum_add(&sum, carom_sum_value(&stretched));
    carom_sum_add(&sum, swollen.high);
    carom_sum_add(&sum, swollen.low);
    carom_sum_add(&sum, carom_solid_loads_energy(s, t, work->pressure));
    carom_sum_add(&sum, raised.high);
    carom_sum_add(&sum, raised.low);
    if (s->self)
        carom_sum_add(&sum, carom_solid_self_energy(s, work->around, q));
    return carom_sum_value(&sum);
}
