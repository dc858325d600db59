/* Impacts of moreau-adaptive that follow their impulses (option blow), instead of Newton's: collisions for rough.h. */
#include "scheme/rigid/adaptive/adaptive_blow.h"

#include "base/memory.h"
#include "carom/law.h"

enum { E, K, EXPONENT, MU, MU_STATIC, LOST, FRICTION_LOSS, NUMBERS };

struct carom_adaptive_blow {
    struct carom_rough *rough;
    enum carom_lzb_friction_law law;
    double *number[NUMBERS]; /* nc each: laws of the contacts at hand, and what they lose by e and rubbing */
    double *after, *rate;    /* nv, nc */
};

struct carom_adaptive_blow *carom_adaptive_blow_create(const struct carom_model *model, int blow,
                                                       struct carom_error *error)
{
    struct carom_adaptive_blow *b = carom_memory_zeroed(1, sizeof *b);
    bool all = b && (b->rough = carom_rough_create(model->nc, error)) != NULL;
    for (int i = 0; all && i < NUMBERS; i++)
        all = (b->number[i] = carom_memory_zeroed(model->nc, sizeof(double))) != NULL;
    all = all && (b->after = carom_memory_zeroed(model->nv, sizeof(double))) != NULL;
    if (all && (b->rate = carom_memory_zeroed(model->nc, sizeof(double))) != NULL) {
        b->law = blow == CAROM_ADAPTIVE_POISSON ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE;
        return b;
    }
    carom_adaptive_blow_free(b);
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-adaptive");
    return NULL;
}

void carom_adaptive_blow_free(struct carom_adaptive_blow *b)
{
    if (!b)
        return;
    carom_rough_free(b->rough);
    for (int i = 0; i < NUMBERS; i++)
        carom_memory_free(b->number[i]);
    carom_memory_free_all(b->after, b->rate, b);
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

/* Without friction, does contact k know nothing of the others? */
static bool is_alone(const struct carom_frame *frame, size_t k)
{
    const double rounding = 1e-14;
    bool alone = !frame->both;
    for (size_t i = 0; i < frame->n && alone; i++)
        alone = i == k ||
                fabs(frame->matrix[k * frame->n + i]) <= rounding * sqrt(frame->diagonal[k]) * sqrt(frame->diagonal[i]);
    return alone;
}

/* By all laws it is then e that says how fast it parts, down to 0. */
static void strike_alone(struct carom_adaptive_blow *b, const struct carom_frame *frame, size_t k, double rate,
                         double *impulse)
{
    const double e = b->number[E][k], speed = fmax(-rate, 0.0);
    impulse[k] = (1.0 + e) * speed / frame->diagonal[k];
    b->number[LOST][k] = 0.5 * (1.0 - e) * speed * impulse[k];
}

enum carom_status carom_adaptive_blow_strike(struct carom_adaptive_blow *b, const struct carom_frame *frame,
                                             const double *v, double tol, double *impulse, double *rub,
                                             struct carom_error *error)
{
    read_laws(b, frame);
    size_t alone = 0;
    for (size_t k = 0; k < frame->n; k++)
        alone += is_alone(frame, k);
    struct carom_collision collision = {.frame = frame,
                                        .e = b->number[E],
                                        .k = b->number[K],
                                        .p = b->number[EXPONENT],
                                        .mu = frame->both ? b->number[MU] : NULL,
                                        .mu_static = b->number[MU_STATIC],
                                        .v = v,
                                        .after = b->after,
                                        .impulse = impulse,
                                        .rub = rub,
                                        .lost = b->number[LOST],
                                        .friction_loss = b->number[FRICTION_LOSS]};
    const enum carom_status status =
        alone < frame->n ? carom_rough_solve(b->rough, &collision, b->law, tol, error) : CAROM_OK;
    carom_frame_rates(frame, v, b->rate);
    for (size_t k = 0; k < frame->n && status == CAROM_OK; k++)
        if (is_alone(frame, k))
            strike_alone(b, frame, k, b->rate[k], impulse);
    return status;
}

double carom_adaptive_blow_lost(const struct carom_adaptive_blow *b, size_t k, bool friction_loss)
{
    return b->number[friction_loss ? FRICTION_LOSS : LOST][k];
}
