/* Finding the kinds of pairs and scaling them; see pairs.h. Exponents are read off the law itself, by doubling the
 * overlap of a fresh contact, so that any law that is a power has its numbers. */
#include "study/pairs.h"

#include "base/memory.h"
#include "carom/law.h"
#include "model/ports.h"

static bool alike(const struct carom_pair *pair, const struct carom_group *group, size_t index, double mass)
{
    if (pair->group->law != group->law || pair->group->ending != group->ending || pair->mass != mass)
        return false;
    for (size_t c = 0; c < group->ncolumns; c++)
        if (pair->group->param[c][pair->index] != group->param[c][index])
            return false;
    return true;
}

/* counts a contact among the kinds there are, or as a new one if there is room */
static bool sort_in(struct carom_pair *pair, size_t room, size_t *count, const struct carom_group *group, size_t index,
                    double mass)
{
    for (size_t k = *count; k > 0; k--) /* neighbours are most often alike */
        if (alike(&pair[k - 1], group, index, mass)) {
            pair[k - 1].count++;
            return true;
        }
    if (*count == room)
        return false;
    pair[(*count)++] = (struct carom_pair){group, index, group->first + index, 1, mass};
    return true;
}

enum carom_status carom_pairs_find(const struct carom_model *model, const double *q, struct carom_pair *pair,
                                   size_t room, size_t *count, size_t *more, struct carom_error *error)
{
    double *inverse_mass = carom_memory_zeroed(model->nports + 2 * model->nv, sizeof *inverse_mass);
    size_t left = 0;
    *count = 0;
    if (!inverse_mass)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory sorting %zu contacts", model->nc);
    carom_ports_inverse_mass(model, q, inverse_mass, inverse_mass + model->nports);
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *group = &model->group[i];
        for (size_t j = 0; j < group->count; j++) {
            const double inverse = carom_ports_between(model, group->first + j, inverse_mass);
            if (inverse > 0.0 && !sort_in(pair, room, count, group, j, 1.0 / inverse))
                left++;
        }
    }
    carom_memory_free(inverse_mass);
    if (more)
        *more = left;
    return CAROM_OK;
}

void carom_pairs_values(const struct carom_pair *pair, double value[CAROM_LAW_WIDTH])
{
    for (size_t c = 0; c < CAROM_LAW_WIDTH; c++)
        value[c] = c < pair->group->ncolumns ? pair->group->param[c][pair->index] : 0.0;
}

void carom_pairs_respond(const struct carom_pair *pair, double d, double *elastic, double *viscous)
{
    static const double zero = 0.0;
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < CAROM_LAW_WIDTH; c++) {
        param[c] = c < pair->group->ncolumns ? pair->group->param[c] + pair->index : &zero;
        history[c] = &zero;
    }
    const struct carom_batch batch = {.law = pair->group->law,
                                      .n = 1,
                                      .param = param,
                                      .deform = &d,
                                      .history = history,
                                      .elastic = elastic,
                                      .viscous = viscous};
    pair->group->law->evaluate(&batch);
}

/* an exponent between two values, an octave apart: whole multiples of 1/64 are exact */
static double exponent(double low, double high)
{
    const double p = log2(high / low), near = round(64.0 * p) / 64.0;
    return fabs(p - near) < 1e-12 ? near : p;
}

bool carom_pairs_scaled(const struct carom_pair *pair, double speed, struct carom_pairs_numbers *n)
{
    static const double at = 1e-3, octave = 2.0;
    double elastic[3], viscous[3];
    *n = (struct carom_pairs_numbers){0};
    for (int i = 0; i < 3; i++)
        carom_pairs_respond(pair, at * pow(octave, i), &elastic[i], &viscous[i]);
    if (pair->group->law->rigid || !(elastic[0] > 0.0) || !(elastic[2] < HUGE_VAL) || !(speed > 0.0))
        return false;
    n->p = exponent(elastic[0], elastic[1]);
    n->k = elastic[0] / pow(at, n->p);
    n->time = pow(pair->mass / n->k, 1.0 / (n->p + 1.0)) * pow(speed, (1.0 - n->p) / (1.0 + n->p));
    if (fabs(exponent(elastic[1], elastic[2]) - n->p) > 1e-9)
        return false;
    if (!(viscous[0] > 0.0))
        return true;
    n->b = exponent(viscous[0], viscous[1]);
    n->gamma = viscous[0] / pow(at, n->b) / n->k;
    n->damping = n->gamma * pow(speed * n->time, n->b - n->p) / n->time;
    const double part = n->b / (n->p + 1.0), reach = pow(0.5 * (n->p + 1.0), part);
    n->coefficient = 1.0 / (2.0 * part * reach * tgamma(part) * tgamma(1.5) / tgamma(part + 1.5));
    return fabs(exponent(viscous[1], viscous[2]) - n->b) < 1e-9;
}
