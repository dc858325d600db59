/* Impacts of moreau-adaptive by LZB's law with friction (option blow: lzb) instead of Newton's. */
#include "scheme/rigid/adaptive/adaptive_blow.h"

#include "base/memory.h"
#include "impact/lzb_rub.h"

struct carom_adaptive_blow {
    struct carom_lzb_rub *rub;
    double
        *number[7]; /* nc each: e, k, p, mu, mu_static of the contacts at hand, and what they lose by e and rubbing */
    double *none;   /* nc: slips, and friction, of models without */
    double *matrix; /* (2 nc)^2: W where the frame has normals only */
};

enum { E, K, EXPONENT, MU, MU_STATIC, LOST, RUBBED };

struct carom_adaptive_blow *carom_adaptive_blow_create(const struct carom_model *model)
{
    struct carom_adaptive_blow *b = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return NULL;
    bool all = (b->rub = carom_lzb_rub_create(model->nc)) != NULL;
    for (int i = 0; i < 7; i++)
        all &= (b->number[i] = carom_memory_zeroed(model->nc, sizeof(double))) != NULL;
    all &= (b->none = carom_memory_zeroed(model->nc, sizeof(double))) != NULL;
    all &= (b->matrix = carom_memory_zeroed(model->frictional ? 1 : 4 * model->nc * model->nc, sizeof(double))) != NULL;
    if (all)
        return b;
    carom_adaptive_blow_free(b);
    return NULL;
}

void carom_adaptive_blow_free(struct carom_adaptive_blow *b)
{
    if (!b)
        return;
    carom_lzb_rub_free(b->rub);
    for (int i = 0; i < 7; i++)
        carom_memory_free(b->number[i]);
    carom_memory_free(b->none);
    carom_memory_free(b->matrix);
    carom_memory_free(b);
}

/* the laws of the contacts at hand */
static void read_laws(struct carom_adaptive_blow *b, const struct carom_frame *frame)
{
    static const size_t column[] = {CAROM_RIGID_E, CAROM_RIGID_K, CAROM_RIGID_P, CAROM_RIGID_MU, CAROM_RIGID_MU_STATIC};
    const struct carom_model *model = frame->model;
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        for (size_t k = 0; k < frame->n; k++)
            for (size_t c = 0; frame->contact[k] - g->first < g->count && c < 5; c++)
                b->number[c][k] = g->param[column[c]][frame->contact[k] - g->first];
    }
}

/* W of normals, and of tangents that nobody asks for */
static const double *widen(struct carom_adaptive_blow *b, const struct carom_frame *frame)
{
    const size_t n = frame->n;
    for (size_t i = 0; i < 2 * n; i++)
        for (size_t j = 0; j < 2 * n; j++)
            b->matrix[i * 2 * n + j] = i % 2 == 0 && j % 2 == 0 ? frame->matrix[i / 2 * n + j / 2] : i == j;
    return b->matrix;
}

enum carom_status carom_adaptive_blow_strike(struct carom_adaptive_blow *b, const struct carom_frame *frame,
                                             const double *rate, const double *slip, double tol, double *impulse,
                                             double *rub, struct carom_error *error)
{
    read_laws(b, frame);
    const struct carom_lzb_rub_problem problem = {.n = frame->n,
                                                  .w = frame->both ? frame->both : widen(b, frame),
                                                  .rate = rate,
                                                  .slip = frame->both ? slip : b->none,
                                                  .e = b->number[E],
                                                  .k = b->number[K],
                                                  .p = b->number[EXPONENT],
                                                  .mu = b->number[MU],
                                                  .mu_static = b->number[MU_STATIC],
                                                  .tol = tol,
                                                  .impulse = impulse,
                                                  .rub = frame->both ? rub : b->none,
                                                  .lost = b->number[LOST],
                                                  .rubbed = b->number[RUBBED]};
    return carom_lzb_rub_solve(b->rub, &problem, error);
}

double carom_adaptive_blow_lost(const struct carom_adaptive_blow *b, size_t k, bool rubbed)
{
    return b->number[rubbed ? RUBBED : LOST][k];
}
