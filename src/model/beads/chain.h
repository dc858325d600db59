/* How beads and contacts are numbered in a chain, so that schemes can run over flat arrays:
 * bead i has contact i + shift - 1 on its left and i + shift on its right, shift = 1 if there is a left wall. */
#ifndef CAROM_MODEL_BEADS_CHAIN_H
#define CAROM_MODEL_BEADS_CHAIN_H

#include "carom/model.h"
#include "model/beads/loads.h"

struct carom_chain {
    const struct carom_beads *beads;
    const double *gap; /* nc */
    size_t n, nc;
    size_t shift;
    bool left_wall, right_wall;
    bool moving;                 /* is a wall driven? */
    struct carom_motion wall[2]; /* then this is how they are at `time`: carom_chain_clock */
    double time;
};

/* The chain in a model that offers CAROM_CHAIN. */
static inline struct carom_chain carom_chain_of(const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const bool left = model->nc > 0 && model->pair[0][0] == CAROM_WALL_LEFT;
    const bool right = model->nc > 0 && model->pair[model->nc - 1][1] == CAROM_WALL_RIGHT;
    return (struct carom_chain){.beads = beads,
                                .gap = model->gap,
                                .n = beads->n,
                                .nc = model->nc,
                                .shift = left ? 1 : 0,
                                .left_wall = left,
                                .right_wall = right,
                                .moving = model->wall[0] || model->wall[1]};
}

/* Makes it the chain of time t: its walls, and the time that loads are asked for. */
static inline void carom_chain_clock(struct carom_chain *c, double t)
{
    c->time = t;
    for (size_t k = 0; c->moving && k < c->beads->ndrives; k++)
        if (c->beads->drive[k].which < 0)
            c->wall[c->beads->drive[k].which == CAROM_WALL_LEFT ? 0 : 1] = carom_loads_motion(&c->beads->drive[k], t);
}

/* out[j - first] = x[left bead] - x[right bead] at contacts j in [first, last), walls standing still at 0. */
static inline void carom_chain_difference(const struct carom_chain *c, size_t first, size_t last, const double *x,
                                          double *out)
{
    size_t j = first;
    if (c->left_wall && j == 0 && j < last) {
        out[0] = -x[0];
        j++;
    }
    const size_t inner = c->right_wall && last == c->nc && last > j ? last - 1 : last;
    for (const size_t s = c->shift; j < inner; j++)
        out[j - first] = x[j - s] - x[j - s + 1];
    if (j < last)
        out[j - first] = x[j - c->shift];
}

/* The same for the overlap: less the gap. */
static inline void carom_chain_deform(const struct carom_chain *c, size_t first, size_t last, const double *q,
                                      double *out)
{
    carom_chain_difference(c, first, last, q, out);
    for (size_t j = first; j < last; j++)
        out[j - first] -= c->gap[j];
    if (c->moving && first < last) {
        if (first == 0 && c->left_wall)
            out[0] += c->wall[0].place;
        if (last == c->nc && c->right_wall)
            out[last - 1 - first] -= c->wall[1].place;
    }
}

/* The rate of the overlap, from velocities. */
static inline void carom_chain_rate(const struct carom_chain *c, size_t first, size_t last, const double *v,
                                    double *out)
{
    carom_chain_difference(c, first, last, v, out);
    if (c->moving && first < last) {
        if (first == 0 && c->left_wall)
            out[0] += c->wall[0].rate;
        if (last == c->nc && c->right_wall)
            out[last - 1 - first] -= c->wall[1].rate;
    }
}

/* The contacts on the left and right of a bead or wall; nc: there is none. */
static inline void carom_chain_contacts(const struct carom_chain *c, int32_t which, size_t *left, size_t *right)
{
    if (which < 0) {
        *left = which == CAROM_WALL_RIGHT && c->right_wall ? c->nc - 1 : c->nc;
        *right = which == CAROM_WALL_LEFT && c->left_wall ? 0 : c->nc;
        return;
    }
    const size_t j = (size_t)which + c->shift;
    *left = j > 0 ? j - 1 : c->nc;
    *right = j < c->nc ? j : c->nc;
}

/* Contacts on both sides of beads [first, last): [*from, *to). */
static inline void carom_chain_beside(const struct carom_chain *c, size_t first, size_t last, size_t *from, size_t *to)
{
    *from = first + c->shift > 0 ? first + c->shift - 1 : 0;
    *to = last + c->shift < c->nc ? last + c->shift : c->nc;
}

/* out[i - first] = f[left contact] - f[right contact] of beads i in [first, last); f begins with contact `base`. */
static inline void carom_chain_push(const struct carom_chain *c, size_t first, size_t last, const double *f,
                                    size_t base, double *out)
{
    size_t i = first;
    if (!c->left_wall && i == 0 && i < last) {
        out[0] = c->nc > 0 ? -f[0] : 0.0;
        i++;
    }
    const size_t inner = !c->right_wall && last == c->n && last > i ? last - 1 : last;
    for (const size_t s = c->shift; i < inner; i++)
        out[i - first] = f[i + s - 1 - base] - f[i + s - base];
    if (i < last)
        out[i - first] = f[i + c->shift - 1 - base];
}

#endif
