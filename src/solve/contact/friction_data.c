/* Contact problems that own their arrays, and their assembly from bodies: contacts that share a body have a block. */
#include "solve/contact/friction_data.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum carom_status carom_friction_data_open(struct carom_friction_data *data, size_t n, size_t dim, size_t blocks,
                                           struct carom_error *error)
{
    *data = (struct carom_friction_data){.n = n, .dim = dim};
    if (carom_memory_together(CAROM_ROOM(data->first, n + 1), CAROM_ROOM(data->column, blocks),
                              CAROM_ROOM(data->block, dim * dim * blocks), CAROM_ROOM(data->b, dim * n),
                              CAROM_ROOM(data->mu, n)))
        return CAROM_OK;
    carom_friction_data_close(data);
    return carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", n);
}

void carom_friction_data_close(struct carom_friction_data *data)
{
    carom_memory_free(data->first);
    void *const arms[] = {(void *)(uintptr_t)data->arms.pair, (void *)(uintptr_t)data->arms.contact,
                          (void *)(uintptr_t)data->arms.h, (void *)(uintptr_t)data->arms.response};
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++)
        carom_memory_free(arms[i]);
    *data = (struct carom_friction_data){0};
}

struct carom_friction_problem carom_friction_data_problem(const struct carom_friction_data *data)
{
    return (struct carom_friction_problem){
        .n = data->n,
        .dim = data->dim,
        .first = data->first,
        .column = data->column,
        .block = data->block,
        .b = data->b,
        .mu = data->mu,
        .arms = data->arms.dof > 0 ? &data->arms : NULL,
    };
}

/* Which contacts act on each body. */
struct touch {
    size_t *first, *contact, *mark, *near;
};

static void forget(struct touch *touch)
{
    carom_memory_free(touch->first);
}

static bool recall(struct touch *touch, size_t n, size_t bodies, const size_t *pair)
{
    if (!carom_memory_together(CAROM_ROOM(touch->first, bodies + 2), CAROM_ROOM(touch->contact, 2 * n),
                               CAROM_ROOM(touch->mark, n), CAROM_ROOM(touch->near, n)))
        return false;
    for (size_t k = 0; k < 2 * n; k++)
        touch->first[pair[k] + 1]++;
    for (size_t k = 0; k <= bodies; k++)
        touch->first[k + 1] += touch->first[k];
    size_t *next = touch->first; /* shifted back below */
    for (size_t k = 0; k < 2 * n; k++)
        touch->contact[next[pair[k]]++] = k / 2;
    for (size_t k = bodies + 1; k > 0; k--)
        next[k] = next[k - 1];
    next[0] = 0;
    for (size_t i = 0; i < n; i++)
        touch->mark[i] = SIZE_MAX;
    return true;
}

/* The contacts that share a body with i, rising, i among them; their number. */
static size_t neighbours(struct touch *touch, size_t i, size_t bodies, const size_t *pair)
{
    size_t count = 0;
    for (size_t side = 0; side < 2; side++) {
        const size_t body = pair[2 * i + side];
        for (size_t k = touch->first[body]; body < bodies && k < touch->first[body + 1]; k++) {
            const size_t other = touch->contact[k];
            if (touch->mark[other] == i)
                continue;
            touch->mark[other] = i;
            size_t at = count++;
            for (; at > 0 && touch->near[at - 1] > other; at--)
                touch->near[at] = touch->near[at - 1];
            touch->near[at] = other;
        }
    }
    return count;
}

struct bodies {
    size_t count, dim, dof;
    const size_t *pair;
    const double *h, *inverse, *v;
};

/* block += H_i M^-1 H_j^T over the bodies i and j share */
static void couple(const struct bodies *of, size_t i, size_t j, double *block)
{
    const size_t dim = of->dim, dof = of->dof;
    for (size_t a = 0; a < 2; a++)
        for (size_t c = 0; c < 2; c++) {
            const size_t body = of->pair[2 * i + a];
            if (body >= of->count || body != of->pair[2 * j + c])
                continue;
            const double *ha = of->h + (2 * i + a) * dim * dof, *hc = of->h + (2 * j + c) * dim * dof;
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < dim; l++)
                    for (size_t m = 0; m < dof; m++)
                        block[k * dim + l] += ha[k * dof + m] * of->inverse[body * dof + m] * hc[l * dof + m];
        }
}

static void fill(const struct bodies *of, struct touch *touch, struct carom_friction_data *data)
{
    const size_t dim = of->dim, dof = of->dof;
    size_t used = 0;
    for (size_t i = 0; i < data->n; i++) {
        const size_t count = neighbours(touch, i, of->count, of->pair);
        for (size_t k = 0; k < count; k++, used++) {
            data->column[used] = touch->near[k];
            couple(of, i, touch->near[k], data->block + used * dim * dim);
        }
        data->first[i + 1] = used;
        for (size_t a = 0; a < 2; a++)
            for (size_t k = 0; k < dim && of->pair[2 * i + a] < of->count; k++)
                for (size_t m = 0; m < dof; m++)
                    data->b[i * dim + k] +=
                        of->h[((2 * i + a) * dim + k) * dof + m] * of->v[of->pair[2 * i + a] * dof + m];
    }
}

/* the problem keeps what it was made of */
static bool keep_arms(const struct bodies *of, struct carom_friction_data *data)
{
    const size_t dim = of->dim, rows = dim * of->dof, n = data->n;
    size_t *pair = carom_memory_zeroed(2 * n, sizeof *pair), *contact = carom_memory_zeroed(n, sizeof *contact);
    double *h = carom_memory_zeroed(2 * n * rows, sizeof *h), *response = carom_memory_zeroed(2 * n * rows, sizeof *h);
    data->arms = (struct carom_friction_arms){of->count, of->dof, pair, contact, h, response};
    if (!pair || !contact || !h || !response)
        return false;
    memcpy(pair, of->pair, 2 * n * sizeof *pair);
    memcpy(h, of->h, 2 * n * rows * sizeof *h);
    for (size_t i = 0; i < n; i++)
        contact[i] = i;
    for (size_t k = 0; k < 2 * n * rows; k++) {
        const size_t body = pair[k / rows];
        response[k] = body < of->count ? h[k] * of->inverse[body * of->dof + k % of->dof] : 0.0;
    }
    return true;
}

enum carom_status carom_friction_data_assemble(struct carom_friction_data *data, size_t n, size_t dim, size_t bodies,
                                               size_t dof, const size_t *pair, const double *h, const double *inverse,
                                               const double *v, struct carom_error *error)
{
    const struct bodies of = {bodies, dim, dof, pair, h, inverse, v};
    struct touch touch = {0};
    enum carom_status status = CAROM_E_MEMORY;
    if (recall(&touch, n, bodies, pair)) {
        size_t blocks = 0;
        for (size_t i = 0; i < n; i++)
            blocks += neighbours(&touch, i, bodies, pair);
        for (size_t i = 0; i < n; i++)
            touch.mark[i] = SIZE_MAX;
        status = carom_friction_data_open(data, n, dim, blocks, error);
        if (status == CAROM_OK)
            fill(&of, &touch, data);
        if (status == CAROM_OK && !keep_arms(&of, data)) {
            carom_friction_data_close(data);
            status = carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", n);
        }
    } else {
        carom_error_set(error, status, "contact problem: out of memory for %zu contacts", n);
    }
    forget(&touch);
    return status;
}
