/* Gauss-Seidel for several threads (solid_blocks.c) that gives the bits of one. A node asks its neighbours along the
 * axes alone: those before it must have been swept, those behind it must not. In a lattice cut into tiles both hold for
 * all tiles whose coordinates have the same sum, once those of smaller sums are done; on a ring too, whose first tile
 * comes long before its last. */
#include "base/memory.h"
#include "model/solid/settle/solid_blocks_level.h"

enum { WORTH = 2048 }; /* nodes of a level that are worth waking anybody for */

static size_t wave_of(const struct carom_level *l, size_t tile)
{
    size_t at[3];
    carom_level_at(l->tiles, tile, at);
    return at[0] + at[1] + at[2];
}

/* tiles in the order of their waves, by counting */
static void put_in_order(struct carom_level *l)
{
    const size_t all = l->tiles[0] * l->tiles[1] * l->tiles[2];
    for (size_t i = 0; i < all; i++)
        l->wave[wave_of(l, i) + 1]++;
    for (size_t i = 0; i < l->nwaves; i++)
        l->wave[i + 1] += l->wave[i];
    for (size_t i = 0; i < all; i++)
        l->order[l->wave[wave_of(l, i)]++] = (uint32_t)i;
    for (size_t i = l->nwaves; i > 0; i--)
        l->wave[i] = l->wave[i - 1];
    l->wave[0] = 0;
}

bool carom_solid_blocks_waves_open(const struct carom_solid_blocks *w, struct carom_level *l)
{
    static const size_t plane[3] = {32, 16, 1}, space[3] = {16, 4, 1};
    const bool whole = carom_threads_count(w->threads) == 1 || l->n < WORTH;
    l->nwaves = 1;
    for (int k = 0; k < 3; k++) {
        l->tile[k] = whole ? l->count[k] : w->b == CAROM_LEVEL_PLANE ? plane[k] : space[k];
        l->tiles[k] = (l->count[k] + l->tile[k] - 1) / l->tile[k];
        l->nwaves += l->tiles[k] - 1;
    }
    l->wave = carom_memory_zeroed(l->nwaves + 1, sizeof *l->wave);
    l->order = carom_memory_zeroed(l->tiles[0] * l->tiles[1] * l->tiles[2], sizeof *l->order);
    if (!l->wave || !l->order)
        return false;
    put_in_order(l);
    return true;
}

void carom_solid_blocks_waves_run(struct carom_level_call *c, bool back, void (*work)(void *call, size_t i))
{
    const struct carom_level *l = c->l;
    for (size_t i = 0; i < l->nwaves; i++) {
        const size_t *wave = l->wave + (back ? l->nwaves - 1 - i : i);
        c->tile = l->order + wave[0];
        carom_threads_run(c->w->threads, work, c, wave[1] - wave[0]);
    }
}

void carom_solid_blocks_waves_tile(const struct carom_level *l, size_t tile, size_t first[3], size_t last[3])
{
    carom_level_at(l->tiles, tile, first);
    for (int k = 0; k < 3; k++) {
        first[k] *= l->tile[k];
        last[k] = l->count[k] - first[k] < l->tile[k] ? l->count[k] : first[k] + l->tile[k];
    }
}
