/* Rosenbrock's method RODAS of Hairer and Wanner (Solving ODEs II, IV.7), order 4 with an embedded third, stable for
 * the fastest contacts: x' = r a, P' = F(x), a = a0 - W P. Each stage is one linear system in the impulses alone,
 * (1 + (h g)^2 r F' W) P = ..., tridiagonal in chains. */
#include "impact/lzb.h"

#include <math.h>

#include "impact/lzb_step.h"

enum { STAGES = CAROM_LZB_STAGES };

static const double fast = 1.0 / (CAROM_LZB_STIFF * CAROM_LZB_STIFF); /* r above this */

static const double g = 0.25;

/* where the stages are; the last is the fifth and its answer once more */
static const double at[STAGES][STAGES] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
};

static const double back[STAGES][STAGES] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
};

bool carom_lzb_stiff_wanted(const struct carom_lzb *w)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            if (w->r[i] > fast)
                return true;
    return false;
}

/* sums of the stages so far: x and impulses into y and mix */
static void gather(const struct carom_lzb *w, const double *by, int count, double over, double *x, double *push)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            double place = 0.0, impulse = 0.0;
            for (int c = 0; c < count; c++) {
                place += by[c] * w->stage[c][0][i];
                impulse += by[c] * w->stage[c][1][i];
            }
            x[i] = over * place;
            push[i] = over * impulse;
        }
}

/* the matrix at the beginning of the step */
static void set_matrix(struct carom_lzb *w, double h)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double x = w->x[i];
            w->slope[i] = x > 0.0 && w->active[i] > 0.0 ? w->p[i] * carom_lzb_force(w, i, x) / x : 0.0;
            w->y[i] = w->mode[i] == CAROM_LZB_HELD ? -1.0 : h * g * h * g * w->r[i] * w->slope[i];
        }
    carom_lzb_linear_set(w, &w->stiff, w->y);
}

static void take_stage(struct carom_lzb *w, int c, double h)
{
    double *x = w->stage[c][0], *push = w->stage[c][1];
    gather(w, at[c], c, 1.0, w->y, w->mix);
    carom_lzb_step_turn(w, w->mix, w->turn); /* a at the stage is a - turn */
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            w->y[i] += w->x[i];
    if (c > 0)
        carom_lzb_step_forces(w, w->y, w->force[c]);
    gather(w, back[c], c, 1.0 / h, w->mix_x, w->mix_a);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            x[i] = w->r[i] * (w->a[i] - w->turn[i]) + w->mix_x[i];
            push[i] = w->mode[i] == CAROM_LZB_HELD
                          ? 0.0
                          : h * g * ((w->force[c][i] + w->mix_a[i]) + h * g * w->slope[i] * x[i]);
        }
    carom_lzb_linear_solve(w, &w->stiff, push);
    carom_lzb_step_turn(w, push, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            x[i] = h * g * (x[i] - w->r[i] * w->turn[i]);
}

double carom_lzb_stiff_try(struct carom_lzb *w, double h)
{
    static const double end[STAGES] = {
        1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0, 1.0};
    double worst = 0.0, fastest = 0.0;
    set_matrix(w, h);
    for (int c = 0; c < STAGES; c++)
        take_stage(w, c, h);
    for (size_t s = 0; s < w->nspans; s++) /* turn is W times the last stage: the error */
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double off = fabs(w->stage[STAGES - 1][0][i]) / w->size[i], fast_off = w->doubt[i] = fabs(w->turn[i]);
            worst = off > worst || isnan(off) ? off : worst;
            fastest = fast_off > fastest || isnan(fast_off) ? fast_off : fastest;
        }
    gather(w, end, STAGES, 1.0, w->new_x, w->push);
    carom_lzb_step_turn(w, w->push, w->turn);
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            w->new_x[i] += w->x[i];
            w->new_a[i] = w->a[i] - w->turn[i];
        }
    carom_lzb_step_forces(w, w->new_x, w->force[STAGES - 1]);
    carom_lzb_step_hold(w, w->force[STAGES - 1]);
    carom_lzb_step_turn(w, w->force[STAGES - 1], w->turned[CAROM_LZB_STAGES - 1]);
    return isnan(worst) || isnan(fastest) ? nan("") : fmax(fastest / w->speed, worst) / w->tol;
}
