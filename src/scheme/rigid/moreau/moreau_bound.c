/* Energy that impacts must not create: e of islands is lowered until they do not (option bounded), and contacts that
 * are struck follow Poisson's or Stronge's law (option blow). See moreau_friction.h. */
#include <string.h>

#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_struck.h"
#include "scheme/stepper.h"

enum { LOWERINGS = 8 }; /* halvings in search of the e that creates no energy */

/* what each island loses, in room of its own: the first contact of an island stands for it */
static double loss_of(struct carom_moreau_graph *w, size_t island, const double *v, double *size)
{
    const struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    double lost = 0.0, after[3];
    *size = 0.0;
    for (size_t p = r->islands.begin[island]; p < r->islands.begin[island + 1]; p++) {
        const size_t i = r->islands.contact[p];
        carom_moreau_friction_rates(w, i, v, NULL, after);
        for (size_t k = 0; k < dim; k++) {
            const double loss =
                -0.5 * r->impulse[dim * i + k] * (r->before[dim * i + k] + after[k] + r->drift[dim * i + k]);
            lost += loss;
            *size += fabs(loss);
        }
    }
    return lost;
}

/* the part of e that is tried next: halfway between what is too little and too much, at the end what is not too much */
static void lower(struct carom_moreau_graph *w, size_t i, bool created, int attempt)
{
    struct carom_moreau_friction *r = w->friction;
    const struct carom_moreau_touch *t = &w->touch[i];
    double *part = r->part + 2 * i;
    const double tried = attempt == 0 ? 1.0 : 0.5 * (part[0] + part[1]);
    part[created] = tried;
    const double next = attempt + 1 < LOWERINGS ? 0.5 * (part[0] + part[1]) : part[0];
    /* a contact that opens while forces close it is left alone: holding it open earlier would give more energy */
    carom_moreau_friction_bounce(w, i, t->before > 0.0 ? t->e[1] : next * t->e[0]);
}

/* Is the island of contact i one that created energy at first? */
static bool is_lowered(const struct carom_moreau_graph *w, size_t i)
{
    return i < w->n && w->friction->part[2 * i + 1] <= 1.0;
}

static bool lower_all(struct carom_moreau_graph *w, const double *v, int attempt)
{
    struct carom_moreau_friction *r = w->friction;
    bool any = false;
    for (size_t k = 0; k < r->islands.nislands && attempt < LOWERINGS; k++) {
        const size_t first = r->islands.begin[k];
        double size;
        const double lost = loss_of(w, k, v, &size);
        const bool created = lost < -1e-12 * size;
        if (attempt == 0 ? !created : !is_lowered(w, r->islands.contact[first]))
            continue;
        for (size_t p = first; p < r->islands.begin[k + 1]; p++)
            lower(w, r->islands.contact[p], created, attempt);
        any = true;
    }
    memcpy(r->kept, r->impulse, w->n * w->bodies->dimension * sizeof *r->kept);
    return any;
}

/* islands whose e is as it was have nothing to do with others that are solved again */
static void restore(struct carom_moreau_graph *w)
{
    struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension;
    for (size_t i = 0; i < w->n; i++)
        if (!is_lowered(w, i)) {
            memcpy(r->impulse + dim * i, r->kept + dim * i, dim * sizeof *r->impulse);
            w->impulse[i] = r->impulse[dim * i];
        }
}

enum carom_status carom_moreau_bound(struct carom_stepper *stepper, double t, const double *freely, double *v1,
                                     struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    for (int attempt = 0; attempt <= LOWERINGS; attempt++) {
        if (carom_moreau_friction_solve(stepper, t, error) != CAROM_OK)
            return error->status;
        if (w->options->blow && carom_moreau_struck(stepper, t, error) != CAROM_OK)
            return error->status;
        if (attempt > 0)
            restore(w);
        memcpy(v1, freely, stepper->model->nv * sizeof *v1);
        carom_moreau_friction_push(w, v1, false);
        if (!w->options->bounded || !lower_all(w, v1, attempt))
            break;
    }
    return CAROM_OK;
}
