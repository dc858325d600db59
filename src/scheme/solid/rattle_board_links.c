/* The links of a body on a device, by their cells: those that come in first, in the order in which the processor adds
 * them up. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_slice.h"
#include "scheme/solid/rattle_board.h"

/* as src/kernel/links.cl has it */
struct end {
    uint32_t other, shape;
};

static void meet(const struct carom_solid *s, bool by_slices, void each(void *own, const struct carom_solid_link *link),
                 void *own)
{
    size_t from[3] = {0, 0, 0};
    for (size_t l = 0; !by_slices && l < s->nlinks; l++)
        each(own, &s->link[l]);
    for (size_t c = 0; by_slices && c < s->n / CAROM_LANES; c++, from[0] = from[2]) {
        const size_t slots = carom_solid_slice_links(s, c, from);
        for (size_t k = 0; k < slots; k++)
            for (size_t lane = 0; lane < CAROM_LANES; lane++)
                if (from[lane] + k < from[lane + 1])
                    each(own, &s->link[from[lane] + k]);
    }
}

struct table {
    uint32_t *start, *number; /* number: of shapes, as kernels count them */
    struct end *end;
    double *made;
};

enum { NUMBERS = sizeof(struct carom_solid_shape) / sizeof(double) };

size_t carom_rattle_board_links_number(const struct carom_solid *s, uint32_t *number)
{
    uint32_t count = 0, wanted = 0, rank = 0;
    bool more = true; /* has some cell as many links? */
    for (size_t k = 0; k < s->nshapes; k++)
        number[k] = UINT32_MAX;
    for (; count < s->nshapes && more; wanted++) {
        more = false;
        for (size_t l = 0; l < s->nlinks; l++) {
            rank = l > 0 && s->link[l].cell[0] == s->link[l - 1].cell[0] ? rank + 1 : 0;
            more |= rank == wanted;
            if (rank == wanted && number[s->link[l].shape] == UINT32_MAX)
                number[s->link[l].shape] = count++;
        }
    }
    return wanted;
}

/* Lays shapes out kind by kind: cells side by side then read what stands side by side. */
static void lay_shapes(const struct carom_solid *s, struct table *t)
{
    carom_rattle_board_links_number(s, t->number);
    for (size_t k = 0; k < s->nshapes; k++)
        for (size_t c = 0; c < NUMBERS && t->number[k] != UINT32_MAX; c++)
            t->made[c * s->nshapes + t->number[k]] = ((const double *)&s->shape[k])[c];
}

static void count(void *own, const struct carom_solid_link *link)
{
    struct table *t = own;
    t->start[2 * (size_t)link->cell[1] + 1]++;
    t->start[2 * (size_t)link->cell[0] + 2]++;
}

/* start[2 i] and start[2 i + 1] are where the next goes, of those that come in and of the own */
static void put(void *own, const struct carom_solid_link *link)
{
    struct table *t = own;
    t->end[t->start[2 * (size_t)link->cell[1]]++] = (struct end){link->cell[0], t->number[link->shape]};
    t->end[t->start[2 * (size_t)link->cell[0] + 1]++] = (struct end){link->cell[1], t->number[link->shape]};
}

static void fill(const struct carom_solid *s, bool by_slices, struct table *t)
{
    const size_t places = 2 * s->n + 1;
    lay_shapes(s, t);
    meet(s, by_slices, count, t);
    for (size_t i = 1; i < places; i++)
        t->start[i] += t->start[i - 1];
    meet(s, by_slices, put, t);
    memmove(t->start + 1, t->start, (places - 1) * sizeof *t->start); /* filled: where each ends, the next begins */
    t->start[0] = 0;
}

bool carom_rattle_board_links(struct carom_board *b, bool by_slices, size_t starts, size_t ends, size_t shapes,
                              struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    const size_t places = 2 * s->n + 1;
    struct table t = {carom_memory_zeroed(places, sizeof *t.start), carom_memory_zeroed(s->nshapes, sizeof *t.number),
                      carom_memory_zeroed(2 * s->nlinks, sizeof *t.end),
                      carom_memory_zeroed(NUMBERS * s->nshapes, sizeof *t.made)};
    bool good = t.start && t.number && t.end && t.made;
    if (good)
        fill(s, by_slices, &t);
    good = good ? carom_rattle_board_fill(b, starts, t.start, places * sizeof *t.start, error) &&
                      carom_rattle_board_fill(b, ends, t.end, 2 * s->nlinks * sizeof *t.end, error) &&
                      carom_rattle_board_fill(b, shapes, t.made, s->nshapes * sizeof *s->shape, error)
                : carom_rattle_board_lost(error);
    carom_memory_free_all(t.start, t.number, t.end, t.made);
    return good;
}
