/* Contact problems of steps, see moreau_graph.h. Those with friction stand among the islands as they were solved;
 * those without have only normals, and get tangents that nothing moves along: mu is 0. */
#include "scheme/rigid/moreau/moreau_graph.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/stepper.h"

/* row i of W without friction into `column` and `block`, columns rising and each once; returns how many. With NULL they
 * are counted. */
static size_t gather_row(const struct carom_moreau_graph *w, size_t i, size_t *column, double *block)
{
    const size_t square = w->bodies->dimension * w->bodies->dimension;
    size_t count = 0;
    for (size_t next = 0; next < w->n;) {
        size_t least = w->n;
        double value = 0.0;
        for (size_t e = w->first[i]; e < w->first[i + 1]; e++) {
            if (w->column[e] >= next && w->column[e] < least) {
                least = w->column[e];
                value = 0.0;
            }
            value += w->column[e] == least ? w->value[e] : 0.0;
        }
        if (least == w->n)
            break;
        if (column) {
            column[count] = least;
            memset(block + count * square, 0, square * sizeof *block);
            block[count * square] = value;
            for (size_t k = 1; k < w->bodies->dimension && least == i; k++)
                block[count * square + k * (w->bodies->dimension + 1)] = value;
        }
        count++;
        next = least + 1;
    }
    return count;
}

static enum carom_status without_friction(const struct carom_moreau_graph *w, struct carom_friction_data *data,
                                          struct carom_error *error)
{
    const size_t dim = w->bodies->dimension;
    size_t blocks = 0;
    for (size_t i = 0; i < w->n; i++)
        blocks += gather_row(w, i, NULL, NULL);
    if (carom_friction_data_open(data, w->n, dim, blocks, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < w->n; i++) {
        const size_t at = data->first[i];
        data->first[i + 1] = at + gather_row(w, i, data->column + at, data->block + at * dim * dim);
        data->b[i * dim] = w->b[i];
    }
    return CAROM_OK;
}

enum carom_status carom_moreau_problem(struct carom_stepper *stepper, struct carom_friction_data *data, double **r,
                                       double **u, struct carom_error *error)
{
    const struct carom_moreau_graph *w = stepper->work;
    const size_t dim = w->bodies->dimension, limits = w->joints ? w->joints->nlimits : 0;
    *data = (struct carom_friction_data){0};
    *r = *u = NULL;
    if (w->options->blow)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "impulses of blow poisson and stronge solve no contact problem that could be written; "
                               "take blow newton");
    if (w->roll) /* files have half of a symmetric W */
        return carom_error_set(error, CAROM_E_REFUSED,
                               "contact problems with resistance to rolling or twisting are not Coulomb's alone and "
                               "cannot be written; leave rolling and twisting out");
    if (w->n + limits == 0)
        return CAROM_OK;
    const enum carom_status status = w->friction ? carom_friction_islands_problem(&w->friction->islands, data, error)
                                                 : without_friction(w, data, error);
    if (status != CAROM_OK)
        return status;
    *r = carom_memory_zeroed(data->n, dim * sizeof **r);
    *u = carom_memory_zeroed(data->n, dim * sizeof **u);
    if (!*r || !*u) {
        carom_friction_data_close(data);
        carom_memory_free_all(*r, *u);
        *r = *u = NULL;
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", w->n);
    }
    if (w->friction)
        memcpy(*r, w->friction->impulse, data->n * dim * sizeof **r);
    for (size_t i = 0; i < w->n && !w->friction; i++)
        (*r)[dim * i] = w->impulse[i];
    const struct carom_friction_problem problem = carom_friction_data_problem(data);
    carom_friction_residual(&problem, *r, *u);
    return CAROM_OK;
}
