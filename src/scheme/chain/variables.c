/* The relations of variables.h, worked out in blocks that stay in the first cache. */
#include "scheme/chain/variables.h"

#include "solve/tridiagonal.h"

enum { BLOCK = 256 };

/* contacts beside beads [first, last), last - first <= BLOCK */
struct block {
    size_t from, to;
    double deform[BLOCK + 1], rate[BLOCK + 1], elastic[BLOCK + 1], slope[BLOCK + 1], viscous[BLOCK + 1];
    double force[BLOCK + 1], push[BLOCK];
};

static size_t block_end(size_t first, size_t n)
{
    return first + BLOCK < n ? first + BLOCK : n;
}

/* push of viscous - half elastic + second slope rate, rates from v, on the beads of a block */
static void push_block(const struct carom_model *model, const struct carom_chain *chain, double half, double second,
                       const double *x, const double *v, size_t first, size_t last, struct block *b)
{
    carom_chain_beside(chain, first, last, &b->from, &b->to);
    carom_chain_deform(chain, b->from, b->to, x, b->deform);
    carom_chain_rate(chain, b->from, b->to, v, b->rate);
    const struct carom_response want = {.elastic = b->elastic, .slope = b->slope, .viscous = b->viscous};
    carom_contacts_evaluate(model, b->from, b->to, b->deform, NULL, NULL, &want);
    for (size_t j = 0; j < b->to - b->from; j++)
        b->force[j] = b->viscous[j] - half * b->elastic[j] + second * b->slope[j] * b->rate[j];
    carom_chain_push(chain, first, last, b->force, b->from, b->push);
    const struct carom_beads *beads = chain->beads;
    const double *spring = beads->spring;
    for (size_t i = first; spring && !beads->loaded && i < last; i++)
        b->push[i - first] += spring[i] * (half * x[i] - second * v[i]);
    for (size_t i = first; beads->loaded && i < last; i++)
        b->push[i - first] -= half * carom_loads_local(beads, i, x[i]) +
                              second * carom_loads_stiffness(beads, i, x[i]) * v[i] +
                              carom_loads_damper(beads, i) * x[i];
}

void carom_variables_some(const struct carom_model *model, const struct carom_chain *chain, double half, double second,
                          const double *x, const double *own, size_t first, size_t last, double *v)
{
    struct block b;
    for (size_t from = first; from < last; from = block_end(from, last)) {
        const size_t to = block_end(from, last);
        push_block(model, chain, half, second, x, own, from, to, &b);
        for (size_t i = from; i < to; i++)
            v[i - first] = own[i] + b.push[i - from] * chain->beads->inverse_mass[i];
    }
}

void carom_variables_physical(const struct carom_model *model, const struct carom_chain *chain, double half,
                              double second, const double *x, const double *own, double *v)
{
    carom_variables_some(model, chain, half, second, x, own, 0, chain->n, v);
}

/* m V + second (df/dx) V = m v - push: the matrix and right side for beads [first, last) */
static void matrix_block(const struct carom_chain *chain, double second, const double *x, const double *v, size_t first,
                         size_t last, const struct block *b, double *diagonal, double *off, double *right)
{
    for (size_t i = first; i < last; i++) {
        const size_t j = i + chain->shift;
        const double s0 = j > b->from ? b->slope[j - 1 - b->from] : 0.0, s1 = j < b->to ? b->slope[j - b->from] : 0.0;
        diagonal[i] = chain->beads->mass[i] - second * (s0 + s1 + carom_loads_stiffness(chain->beads, i, x[i]));
        off[i] = second * s1;
        right[i] = chain->beads->mass[i] * v[i] - b->push[i - first];
        if (chain->moving && i == 0 && chain->left_wall)
            right[i] -= second * s0 * chain->wall[0].rate;
        if (chain->moving && i + 1 == chain->n && chain->right_wall)
            right[i] -= second * s1 * chain->wall[1].rate;
    }
}

/* rows of driven beads say V = v, and their neighbours know it */
static void settle_driven(const struct carom_chain *chain, const double *v, double *diagonal, double *off,
                          double *right)
{
    for (size_t i = 0; i < chain->n; i++) {
        if (!carom_loads_driven(chain->beads, i))
            continue;
        if (i > 0) {
            right[i - 1] -= off[i - 1] * v[i];
            off[i - 1] = 0.0;
        }
        if (i + 1 < chain->n)
            right[i + 1] -= off[i] * v[i];
        off[i] = 0.0;
        diagonal[i] = 1.0;
        right[i] = v[i];
    }
}

void carom_variables_own(const struct carom_model *model, const struct carom_chain *chain, double half, double second,
                         const double *x, const double *v, double *own, double *room)
{
    const size_t n = chain->n;
    double *diagonal = room, *off = room + n, *right = room + 2 * n;
    struct block b;
    for (size_t first = 0; first < n; first = block_end(first, n)) {
        const size_t last = block_end(first, n);
        push_block(model, chain, half, 0.0, x, v, first, last, &b);
        matrix_block(chain, second, x, v, first, last, &b, diagonal, off, right);
    }
    if (chain->beads->driven)
        settle_driven(chain, v, diagonal, off, right);
    if (second != 0.0 && !carom_tridiagonal_solve(n, diagonal, off, right)) {
        for (size_t first = 0; first < n; first = block_end(first, n)) {
            const size_t last = block_end(first, n);
            push_block(model, chain, half, second, x, v, first, last, &b);
            for (size_t i = first; i < last; i++)
                right[i] = v[i] - b.push[i - first] * chain->beads->inverse_mass[i];
        }
    } else if (second == 0.0) {
        for (size_t i = 0; i < n; i++)
            right[i] *= carom_loads_driven(chain->beads, i) ? 1.0 : chain->beads->inverse_mass[i];
    }
    for (size_t i = 0; i < n; i++)
        own[i] = right[i];
}

/* forces of contacts [from, to) as they act; power (or NULL) is that of all contacts */
static void act(const struct carom_model *model, struct block *b, double *drag, double *power)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t from = group->first > b->from ? group->first : b->from;
        const size_t end = group->first + group->count, to = end < b->to ? end : b->to;
        for (size_t j = from; j < to; j++) {
            const size_t k = j - b->from;
            b->force[k] = b->elastic[k] + drag[k] * b->rate[k];
            const bool cut = group->ending == CAROM_END_FORCE && !(b->force[k] > 0.0);
            if (cut)
                b->force[k] = 0.0;
            if (power)
                power[j] = cut ? 0.0 : drag[k] * b->rate[k] * b->rate[k];
        }
    }
}

void carom_variables_motion(const struct carom_model *model, const struct carom_chain *chain, const double *x,
                            const double *v, double *acceleration, double *power)
{
    struct block b;
    const struct carom_beads *beads = chain->beads;
    for (size_t first = 0; first < chain->n; first = block_end(first, chain->n)) {
        const size_t last = block_end(first, chain->n);
        carom_chain_beside(chain, first, last, &b.from, &b.to);
        carom_chain_deform(chain, b.from, b.to, x, b.deform);
        carom_chain_rate(chain, b.from, b.to, v, b.rate);
        const struct carom_response want = {.elastic = b.elastic, .drag = b.slope};
        carom_contacts_evaluate(model, b.from, b.to, b.deform, NULL, NULL, &want);
        act(model, &b, b.slope, power);
        carom_chain_push(chain, first, last, b.force, b.from, b.push);
        for (size_t i = first; i < last; i++) {
            const double pull = beads->spring ? beads->spring[i] * x[i] : 0.0;
            acceleration[i] = (b.push[i - first] - pull) * beads->inverse_mass[i];
            if (beads->loaded)
                acceleration[i] = (b.push[i - first] + carom_loads_local(beads, i, x[i]) +
                                   carom_loads_weight(beads, i) - carom_loads_damper(beads, i) * v[i]) *
                                  beads->inverse_mass[i];
        }
    }
    for (size_t k = 0; k < beads->nloads; k++)
        acceleration[beads->load[k].bead] +=
            carom_signal_value(&beads->load[k].force, chain->time) * beads->inverse_mass[beads->load[k].bead];
}
