/* Approximate minimum degree, see the header. A row not yet eliminated has neighbours of two kinds: rows, and
 * elements (rows eliminated before, which stand for all rows in their pattern). Both lists live in the space of the
 * row's first neighbours, because each new element replaces at least one of them. */
#include "solve/block_order.h"

#include <stdint.h>

#include "base/memory.h"

#define NONE SIZE_MAX

struct graph {
    struct carom_block_order *out;
    size_t n, room, used;                /* of out->column */
    size_t *place, *rows, *all;          /* of row i: list[place[i] ...]: rows[i] rows, then elements up to all[i] */
    size_t *list;                        /* lists of all rows */
    size_t *degree, *head, *next, *back; /* rows of equal degree are chained */
    size_t *mark, *outside, *step; /* in the new pattern; |L_e \ L_p| and when it was found; step of elimination */
    size_t *seen;
    bool *gone; /* element absorbed */
    size_t *block;
};

void carom_block_order_close(struct carom_block_order *order)
{
    carom_memory_free_all(order->order, order->first, order->column);
    *order = (struct carom_block_order){0};
}

static void chain(struct graph *g, size_t i)
{
    const size_t d = g->degree[i];
    g->back[i] = NONE;
    g->next[i] = g->head[d];
    if (g->head[d] != NONE)
        g->back[g->head[d]] = i;
    g->head[d] = i;
}

static void unchain(struct graph *g, size_t i)
{
    if (g->next[i] != NONE)
        g->back[g->next[i]] = g->back[i];
    if (g->back[i] != NONE)
        g->next[g->back[i]] = g->next[i];
    else
        g->head[g->degree[i]] = g->next[i];
}

static bool take(struct graph *g, const size_t *first, const size_t *column)
{
    const size_t n = g->n, entries = first[n];
    enum { ARRAYS = 12 };
    g->block = carom_memory_zeroed(ARRAYS * (n + 1) + entries, sizeof(size_t));
    g->gone = carom_memory_zeroed(n, sizeof(bool));
    g->out->order = carom_memory_zeroed(n, sizeof(size_t));
    g->out->first = carom_memory_zeroed(n + 1, sizeof(size_t));
    g->room = entries + 16;
    g->out->column = carom_memory_zeroed(g->room, sizeof(size_t));
    if (!g->block || !g->gone || !g->out->order || !g->out->first || !g->out->column)
        return false;
    size_t **array[ARRAYS] = {&g->place, &g->rows, &g->all,  &g->degree,  &g->head, &g->next,
                              &g->back,  &g->mark, &g->seen, &g->outside, &g->step, &g->list};
    for (size_t k = 0; k < ARRAYS; k++)
        *array[k] = g->block + k * (n + 1);
    size_t used = 0;
    for (size_t i = 0; i <= n; i++)
        g->head[i] = NONE;
    for (size_t i = 0; i < n; i++) {
        g->place[i] = used;
        for (size_t k = first[i]; k < first[i + 1]; k++)
            if (column[k] != i)
                g->list[used++] = column[k];
        g->rows[i] = g->all[i] = g->degree[i] = used - g->place[i];
        g->mark[i] = g->seen[i] = g->step[i] = NONE;
    }
    for (size_t i = n; i-- > 0;)
        chain(g, i);
    return true;
}

static bool append(struct graph *g, size_t i)
{
    if (g->used == g->room) {
        if (!carom_memory_widen(&g->out->column, g->room, 2 * g->room, sizeof(size_t)))
            return false;
        g->room *= 2;
    }
    g->out->column[g->used++] = i;
    return true;
}

/* The pattern of row p: its rows and those of its elements, which it absorbs. */
static bool gather(struct graph *g, size_t p, size_t step)
{
    const size_t *list = g->list + g->place[p];
    g->out->first[step] = g->used;
    g->mark[p] = p;
    for (size_t k = 0; k < g->all[p]; k++) {
        const bool element = k >= g->rows[p];
        const size_t from = element ? g->out->first[g->step[list[k]]] : 0;
        const size_t count = element ? g->out->first[g->step[list[k]] + 1] - from : 1;
        if (element)
            g->gone[list[k]] = true;
        for (size_t l = 0; l < count; l++) {
            const size_t i = element ? g->out->column[from + l] : list[k];
            if (g->mark[i] == p || g->step[i] != NONE)
                continue;
            g->mark[i] = p;
            if (!append(g, i))
                return false;
        }
    }
    g->out->first[step + 1] = g->used;
    return true;
}

/* |L_e \ L_p| of the elements around the new one */
static void weigh(struct graph *g, size_t p, size_t step)
{
    for (size_t k = g->out->first[step]; k < g->out->first[step + 1]; k++) {
        const size_t i = g->out->column[k], *list = g->list + g->place[i];
        for (size_t l = g->rows[i]; l < g->all[i]; l++) {
            const size_t e = list[l], at = g->step[e];
            if (g->gone[e])
                continue;
            if (g->seen[e] != p) {
                g->seen[e] = p;
                g->outside[e] = g->out->first[at + 1] - g->out->first[at];
            }
            g->outside[e]--;
        }
    }
}

/* The lists of row i after p: what p covers is left out, p is the last of its elements. */
static void renew(struct graph *g, size_t i, size_t p, size_t size, size_t left)
{
    size_t *list = g->list + g->place[i], rows = 0, all, degree = size - 1;
    for (size_t k = 0; k < g->rows[i]; k++)
        if (g->mark[list[k]] != p && g->step[list[k]] == NONE)
            list[rows++] = list[k];
    all = rows;
    degree += rows;
    for (size_t k = g->rows[i]; k < g->all[i]; k++) {
        const size_t e = list[k];
        if (g->gone[e] || g->outside[e] == 0)
            continue;
        degree += g->outside[e];
        list[all++] = e;
    }
    list[all++] = p;
    unchain(g, i);
    g->rows[i] = rows;
    g->all[i] = all;
    g->degree[i] = degree < left ? degree : left;
    chain(g, i);
}

static enum carom_status run(struct graph *g, size_t most, double products, bool *whole)
{
    size_t lowest = 0;
    *whole = true;
    for (size_t step = 0; step < g->n; step++) {
        while (g->head[lowest] == NONE)
            lowest++;
        const size_t p = g->head[lowest];
        unchain(g, p);
        g->out->order[step] = p;
        if (!gather(g, p, step))
            return CAROM_E_MEMORY;
        g->step[p] = step;
        const size_t size = g->out->first[step + 1] - g->out->first[step];
        g->out->products += (double)size * (double)(size + 1);
        if (g->used > most || g->out->products > products) {
            *whole = false;
            return CAROM_OK;
        }
        weigh(g, p, step);
        for (size_t k = g->out->first[step]; k < g->out->first[step + 1]; k++)
            renew(g, g->out->column[k], p, size, g->n - step - 2);
        for (size_t k = g->out->first[step]; k < g->out->first[step + 1]; k++)
            lowest = g->degree[g->out->column[k]] < lowest ? g->degree[g->out->column[k]] : lowest;
    }
    return CAROM_OK;
}

enum carom_status carom_block_order_find(struct carom_block_order *order, size_t n, const size_t *first,
                                         const size_t *column, size_t most, double products, struct carom_error *error)
{
    struct graph g = {.out = order, .n = n};
    *order = (struct carom_block_order){.n = n};
    const bool taken = take(&g, first, column);
    const enum carom_status status = taken ? run(&g, most, products, &order->whole) : CAROM_E_MEMORY;
    carom_memory_free_all(g.block, g.gone);
    if (status == CAROM_OK)
        return CAROM_OK;
    carom_block_order_close(order);
    return carom_error_set(error, status, "factors: out of memory for %zu rows", n);
}
