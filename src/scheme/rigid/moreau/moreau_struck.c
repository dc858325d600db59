/* Contacts that are struck together, see moreau_struck.h. */
#include "scheme/rigid/moreau/moreau_struck.h"

#include "base/memory.h"
#include "impact/lzb_rub.h"
#include "model/bodies/list.h"
#include "scheme/rigid/moreau/moreau_blow.h"
#include "scheme/rigid/moreau/moreau_rub.h"

enum { MOST = 24, ARRAYS = 10 };   /* contacts whose path takes some milliseconds: it has thousands of dense steps */
static const double exact = 1e-10; /* of velocities after it: what event has */

struct carom_moreau_struck {
    struct carom_lzb_rub *path;
    double *matrix;        /* (2 MOST)^2 */
    double *array[ARRAYS]; /* MOST each */
};

void carom_moreau_struck_free(struct carom_moreau_struck *struck)
{
    if (!struck)
        return;
    carom_lzb_rub_free(struck->path);
    carom_memory_free(struck->matrix);
    carom_memory_free(struck);
}

struct carom_moreau_struck *carom_moreau_struck_create(struct carom_error *error)
{
    struct carom_moreau_struck *struck = carom_memory_zeroed(1, sizeof *struck);
    if (struck) {
        struck->path = carom_lzb_rub_create(MOST);
        struck->matrix = carom_memory_zeroed(4 * MOST * MOST + ARRAYS * MOST, sizeof *struck->matrix);
    }
    if (!struck || !struck->path || !struck->matrix) {
        carom_moreau_struck_free(struck);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
        return NULL;
    }
    for (size_t k = 0; k < ARRAYS; k++)
        struck->array[k] = struck->matrix + 4 * MOST * MOST + k * MOST;
    return struck;
}

void carom_moreau_struck_couple(const struct carom_moreau_graph *w, size_t i, size_t j, double a[4])
{
    const struct carom_moreau_rub *r = w->rub;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t l = 0; l < 4; l++) {
        a[l] = 0.0;
        for (size_t s = 0; s < 2; s++)
            for (size_t t = 0; t < 2; t++)
                for (size_t m = 0; m < nv && r->pair[2 * i + s] == r->pair[2 * j + t]; m++)
                    if (r->pair[2 * i + s] < w->bodies->n)
                        a[l] +=
                            r->h[((2 * i + s) * 2 + l / 2) * nv + m] * r->response[((2 * j + t) * 2 + l % 2) * nv + m];
    }
}

double carom_moreau_struck_e(const struct carom_moreau_graph *w, size_t i)
{
    const struct carom_moreau_rub *r = w->rub;
    const double before = r->before[2 * i];
    return before < -r->still ? (r->b[2 * i] - r->bare[2 * i]) / before : 0.0;
}

static void write_down(const struct carom_moreau_graph *w, size_t n, const size_t *contact,
                       const struct carom_moreau_struck *to)
{
    const struct carom_moreau_rub *r = w->rub;
    for (size_t i = 0; i < n; i++) {
        const size_t c = contact[i];
        const double of[] = {r->bare[2 * c],
                             r->b[2 * c + 1],
                             carom_moreau_struck_e(w, c),
                             carom_list_param(w->bodies, &w->touch[c].key, CAROM_RIGID_K),
                             carom_list_param(w->bodies, &w->touch[c].key, CAROM_RIGID_P),
                             r->mu[c]};
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            to->array[k][i] = of[k];
        to->array[3][i] = of[3] > 0.0 ? of[3] : 1.0; /* where no k is given all are alike */
        for (size_t j = 0; j < n; j++) {
            double a[4];
            carom_moreau_struck_couple(w, c, contact[j], a);
            for (size_t l = 0; l < 4; l++)
                to->matrix[(2 * i + l / 2) * 2 * n + 2 * j + l % 2] = a[l];
        }
    }
}

bool carom_moreau_struck_solve(struct carom_moreau_graph *w, size_t n, const size_t *contact)
{
    struct carom_moreau_rub *r = w->rub;
    struct carom_moreau_struck *x = r->struck;
    double *const *of = x->array, *impulse = of[6], *rub = of[7];
    const bool poisson = w->options->blow == CAROM_MOREAU_POISSON;
    const struct carom_lzb_rub_problem problem = {.n = n,
                                                  .w = x->matrix,
                                                  .rate = of[0],
                                                  .slip = of[1],
                                                  .e = of[2],
                                                  .k = of[3],
                                                  .p = of[4],
                                                  .mu = of[5],
                                                  .mu_static = of[5],
                                                  .tol = exact,
                                                  .impulse = impulse,
                                                  .rub = rub,
                                                  .lost = of[8],
                                                  .rubbed = of[9],
                                                  .law = poisson ? CAROM_LZB_RUB_POISSON : CAROM_LZB_RUB_STRONGE};
    struct carom_error unsaid = {0};
    if (n > MOST)
        return false;
    write_down(w, n, contact, x);
    if (carom_lzb_rub_solve(x->path, &problem, &unsaid) != CAROM_OK)
        return false;
    for (size_t i = 0; i < n; i++) {
        r->impulse[2 * contact[i]] = w->impulse[contact[i]] = impulse[i];
        r->impulse[2 * contact[i] + 1] = rub[i];
    }
    return true;
}
