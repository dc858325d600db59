/* Plane boxes of one material: what a sweep through them needs, and forces by one alone. solid_sheet_pass.h has the
 * sweep, here in two lanes. */
#include "model/solid/solid_sheet.h"

#include "base/memory.h"
#include "model/solid/solid_sheet_pass.h"

enum { KINDS = 3 }; /* rows at the bottom, inside, at the top */

void carom_solid_sheet_narrow(void *sweep, size_t number)
{
    sweep_block(sweep, number);
}

void carom_solid_sheet_sweep(void *sweep, size_t number)
{
    void (*wide)(void *, size_t) = carom_solid_sheet_wide();
    (wide ? wide : carom_solid_sheet_narrow)(sweep, number);
}

struct carom_sheet_axis carom_solid_sheet_axis(const struct carom_solid *s, int k)
{
    const struct carom_solid_shape *shape = &s->shape[k];
    const double edge = shape->apart[k];
    const double part = shape->part[0]; /* both sides of a link are alike */
    return (struct carom_sheet_axis){edge, 0.5 * edge,          part / edge,  1.0 / (edge * edge),
                                     part, 1.0 / (part * part), shape->stiff, shape->bend[0]};
}

const double *carom_solid_sheet_scale(const struct carom_solid *s, size_t row)
{
    const size_t kind = row + 1 == s->grid.count[1] ? 2 : row == 0 ? 0 : 1;
    return s->sheet + kind * stride(s->grid.count[0]);
}

size_t carom_solid_sheet_blocks(const struct carom_solid *s)
{
    /* a block does its neighbours' four nearest rows in part: some 24 rows make that little; an even number, as most
     * often two or four threads share them */
    const size_t ny = s->grid.count[1], most = ny / 48 * 2;
    return ny < 16 ? 1 : most < 2 ? 2 : most < CAROM_SHEET_BLOCKS ? most : CAROM_SHEET_BLOCKS;
}

void carom_solid_sheet_rows(const struct carom_solid *s, size_t blocks, size_t block, size_t *first, size_t *last)
{
    *first = s->grid.count[1] * block / blocks;
    *last = s->grid.count[1] * (block + 1) / blocks;
}

size_t carom_solid_sheet_room(const struct carom_solid *s, size_t blocks)
{
    return ROOM * blocks * stride(s->grid.count[0]);
}

bool carom_solid_sheet_ready(struct carom_solid *s)
{
    carom_memory_free(s->sheet);
    s->sheet = NULL;
    if (!s->gridded || s->dimension != 2)
        return true;
    const size_t nx = s->grid.count[0], ny = s->grid.count[1];
    s->sheet = carom_memory_zeroed(KINDS * stride(nx), sizeof *s->sheet);
    for (size_t kind = 0; s->sheet && kind < KINDS; kind++)
        for (size_t x = 0; x < nx; x++) {
            const size_t row = kind == 0 ? 0 : kind == 2 || ny == 1 ? ny - 1 : 1;
            const struct carom_solid_sort *sort = carom_solid_sort_of(s, row * nx + x);
            s->sheet[kind * stride(nx) + x] = sort->share * sort->lambda;
        }
    return s->sheet != NULL;
}

/* --- forces alone ----------------------------------------------------------------------------------------------- */

void carom_solid_sheet_unpack(const double *q, size_t first, size_t last, double *const place[CAROM_SHEET_PLACES])
{
    for (size_t i = first, x = 0; i < last; i++, x++) {
        const double *own = q + 4 * i;
        carom_lane less, sine;
        carom_sheet_angle(carom_lane_all(own[2]), carom_lane_all(own[3]), &less, &sine);
        place[CAROM_SHEET_X][x] = own[0];
        place[CAROM_SHEET_Y][x] = own[1];
        place[LESS][x] = less[0];
        place[SINE][x] = sine[0];
    }
}

static void unpack(void *own, size_t block, size_t first, size_t last, double *const place[CAROM_SHEET_PLACES])
{
    (void)block;
    carom_solid_sheet_unpack(own, first, last, place);
}

/* some blocks of a sweep */
struct part {
    struct carom_sheet_sweep sweep;
    size_t from;
};

static void sweep_part(void *own, size_t number)
{
    struct part *part = own;
    carom_solid_sheet_sweep(&part->sweep, part->from + number);
}

void carom_solid_sheet_forces_some(const struct carom_solid *s, const struct carom_solid_work *work,
                                   struct carom_threads *threads, double t, const double *q, size_t blocks, size_t from,
                                   size_t to, double *f)
{
    struct part part = {.sweep = {.solid = s,
                                  .rows = work->rows,
                                  .t = t,
                                  .q = q,
                                  .pressure = work->pressure,
                                  .f = f,
                                  .blocks = blocks,
                                  .arrive = unpack,
                                  .own = (void *)(uintptr_t)q},
                        .from = from};
    carom_threads_run(threads, sweep_part, &part, to - from);
}

void carom_solid_sheet_forces(const struct carom_solid *s, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, const double *q, double *f)
{
    const size_t blocks = threads ? carom_solid_sheet_blocks(s) : 1;
    carom_solid_sheet_forces_some(s, work, threads, t, q, blocks, 0, blocks, f);
}
