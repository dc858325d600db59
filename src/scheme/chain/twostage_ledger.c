/* Losses of two-stage steps. With tailored dissipation (gamma = O(h)) the mean rate of overlap times the rise of the
 * viscous impulse is third order, never negative, and knows no singularity at touch. Without it (gl-reg) the power is
 * summed over the Gauss nodes, fourth order, where the part (rate at the shallower end) x (impulse) is replaced by its
 * exact value: near touch drag is like a square root, and what is left to the nodes is a power smoother. */
#include "scheme/chain/twostage.h"

#include <string.h>

#include "law/kernels.h"

/* one contact: power over the stages, and the impulse they give, kept for `correct_all` */
static void sum_power(struct carom_twostage *w, const struct carom_state *from, size_t j, size_t k,
                      const struct carom_stage_block *b, double rate1, double rate2)
{
    const struct carom_stages *s = &w->stages;
    const double drag1 = w->uniform ? w->gamma * b->slope[0][k] : b->drag[0][k];
    const double drag2 = w->uniform ? w->gamma * b->slope[1][k] : b->drag[1][k];
    const double impulse1 = s->f_to_v.a * drag1 * rate1, impulse2 = s->f_to_v.b * drag2 * rate2;
    s->to->lost[j] = from->lost[j] + (impulse1 * rate1 + impulse2 * rate2);
    w->impulse[j] = impulse1 + impulse2;
}

void carom_twostage_ledger_stages(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, size_t first, size_t last,
                                  const struct carom_stage_block *block, struct carom_stage_motion *motion)
{
    const size_t shift = w->chain.shift;
    if (!model->damped)
        return;
    if (first == 0)
        motion->rate[0][0] = motion->rate[1][0] = 0.0;
    for (int i = 0; first == 0 && w->chain.moving && i < 2; i++)
        motion->rate[i][0] = carom_twostage_loads_wall(w->loads, &w->chain, CAROM_WALL_LEFT, i).rate;
    for (size_t i = first; i < last; i++) {
        const size_t k = i - first;
        if (i + shift > 0) {
            const size_t j = i + shift - 1;
            sum_power(w, from, j, j - block->first, block, motion->rate[0][k] - motion->rate[0][k + 1],
                      motion->rate[1][k] - motion->rate[1][k + 1]);
        }
    }
    motion->rate[0][0] = motion->rate[0][last - first];
    motion->rate[1][0] = motion->rate[1][last - first];
    for (int i = 0; last == w->chain.n && w->chain.moving && i < 2; i++)
        motion->rate[i][0] -= carom_twostage_loads_wall(w->loads, &w->chain, CAROM_WALL_RIGHT, i).rate;
    if (last == w->chain.n && w->chain.right_wall)
        sum_power(w, from, w->chain.nc - 1, w->chain.nc - 1 - block->first, block, motion->rate[0][0],
                  motion->rate[1][0]);
}

enum { BLOCK = CAROM_TWOSTAGE_BLOCK };

/* viscous impulses of contacts [first, last) with the overlaps given */
static void impulses(const struct carom_twostage *w, const struct carom_model *model, size_t first, size_t last,
                     const double *restrict deform, double *restrict viscous)
{
    if (!w->hertz) {
        const struct carom_response want = {.viscous = viscous};
        carom_contacts_evaluate(model, first, last, deform, NULL, NULL, &want);
        return;
    }
    const double *restrict k = model->group[0].param[0] + first, *restrict gamma = model->group[0].param[1] + first;
    for (size_t j = 0; j < last - first; j++)
        viscous[j] = gamma[j] * carom_kernel_hertz(k[j], carom_kernel_overlap(deform[j]));
}

static size_t block_end(size_t first, size_t n)
{
    return first + BLOCK < n ? first + BLOCK : n;
}

/* viscous impulses of all contacts at x */
static void impulses_at(const struct carom_twostage *w, const struct carom_chain *chain,
                        const struct carom_model *model, const double *x, double *viscous)
{
    double deform[BLOCK];
    for (size_t first = 0, last; first < w->chain.nc; first = last) {
        last = block_end(first, w->chain.nc);
        carom_chain_deform(chain, first, last, x, deform);
        impulses(w, model, first, last, deform, viscous + first);
    }
}

/* physical velocity of bead i in regularised variables */
static inline double velocity(const struct carom_chain *chain, const double *x, const double *v, const double *viscous,
                              size_t i)
{
    const size_t j = i + chain->shift;
    const double left = j > 0 ? viscous[j - 1] : 0.0, right = j < chain->nc ? viscous[j] : 0.0;
    const double local = carom_loads_damper(chain->beads, i) * x[i];
    return v[i] + (left - right - local) * chain->beads->inverse_mass[i];
}

static inline double rate(const struct carom_chain *chain, const double *x, const double *v, const double *viscous,
                          size_t j)
{
    const bool wall_left = chain->left_wall && j == 0, wall_right = chain->right_wall && j + 1 == chain->nc;
    const double left = wall_left ? chain->wall[0].rate : velocity(chain, x, v, viscous, j - chain->shift);
    const double right = wall_right ? chain->wall[1].rate : velocity(chain, x, v, viscous, j - chain->shift + 1);
    return left - right;
}

/* losses summed over the stages become right near touch; `after`: viscous impulses at the end */
static void correct_all(struct carom_twostage *w, const struct carom_state *from, struct carom_state *to,
                        const double *after)
{
    double d0[BLOCK], d1[BLOCK];
    const struct carom_chain *late = w->loads ? &w->loads->late : &w->chain;
    for (size_t first = 0, last; first < w->chain.nc; first = last) {
        last = block_end(first, w->chain.nc);
        carom_chain_deform(&w->chain, first, last, from->q, d0);
        carom_chain_deform(late, first, last, to->q, d1);
        for (size_t j = first; j < last; j++) {
            const bool growing = d0[j - first] < d1[j - first];
            const double shallow =
                growing ? rate(&w->chain, from->q, from->v, w->viscous, j) : rate(late, to->q, to->v, after, j);
            to->lost[j] += shallow * ((after[j] - w->viscous[j]) - w->impulse[j]);
        }
    }
}

bool carom_twostage_ledger_settle(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, struct carom_state *to)
{
    const bool mean = model->damped && !w->quadrature;
    const double inverse = 1.0 / w->stages.h;
    const struct carom_chain *late = w->loads ? &w->loads->late : &w->chain;
    double d0[BLOCK], d1[BLOCK], viscous[BLOCK];
    int changes = 0;
    /* What is driven begins the step where its signal puts it, at a break not quite where the last step ended. */
    const bool led = w->chain.beads->driven || w->chain.moving;
    if (model->damped && (led || !(w->viscous_known && w->viscous_step == from->step && w->viscous_time == from->time)))
        impulses_at(w, &w->chain, model, from->q, w->viscous);
    for (size_t first = 0, last; first < w->chain.nc; first = last) {
        last = block_end(first, w->chain.nc);
        carom_chain_deform(&w->chain, first, last, from->q, d0);
        carom_chain_deform(late, first, last, to->q, d1);
        for (size_t j = 0; j < last - first; j++)
            changes |= (d0[j] > 0.0) != (d1[j] > 0.0);
        if (!mean)
            continue;
        impulses(w, model, first, last, d1, viscous);
        double *restrict old = w->viscous + first, *restrict lost = to->lost + first;
        const double *restrict before = from->lost + first;
        for (size_t j = 0; j < last - first; j++) {
            lost[j] = before[j] + (d1[j] - d0[j]) * inverse * (viscous[j] - old[j]);
            old[j] = viscous[j];
        }
    }
    if (model->damped && w->quadrature) {
        double *after = (double *)w->row; /* free once the step is solved */
        impulses_at(w, late, model, to->q, after);
        correct_all(w, from, to, after);
        memcpy(w->viscous, after, w->chain.nc * sizeof *after);
    }
    return changes != 0;
}
