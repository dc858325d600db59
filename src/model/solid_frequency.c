/* The largest frequency of small vibrations of a body about a configuration: Lanczos' iteration on M^-1 K, with K
 * from differences of the forces. It finds the edge of the spectrum in a few dozen force evaluations; what remains
 * is covered by the residual, so that the answer is never too small. Holds and loads are left out: they only lower
 * it. */
#include "base/memory.h"
#include "model/solid.h"

enum { MOST = 60, LARGE = 50000 };

struct lanczos {
    const struct carom_solid *s;
    const struct carom_part *part;
    const double *q;
    double *moved, *step, *force[2];
    double size; /* of the differences, relative to a cell */
};

static double inertia(const struct carom_solid *s, size_t i)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, i / s->fast);
    const size_t k = i % s->fast, turn = s->dimension == 3 ? 3 : 2;
    return k < turn ? sort->mass : sort->inertia[s->dimension == 3 ? k - 3 : 2];
}

/* y = M^(-1/2) K M^(-1/2) x */
static void apply(struct lanczos *l, const double *x, double *y)
{
    const struct carom_solid *s = l->s;
    const size_t nv = s->fast * s->n;
    double most = 0.0;
    for (size_t i = 0; i < nv; i++) {
        const size_t k = i % s->fast, turn = s->dimension == 3 ? 3 : 2;
        y[i] = x[i] / sqrt(inertia(s, i));
        /* a turn of 1 is as large as a displacement by a cell */
        const double edge = carom_solid_sort_of(s, i / s->fast)->edge[k < turn ? k : 0];
        most = fmax(most, fabs(y[i]) / (k < turn ? edge : 1.0));
    }
    const double h = most > 0.0 ? l->size / most : 0.0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < nv; i++)
            l->step[i] = (side == 0 ? -h : h) * y[i];
        l->part->move(s, l->q, l->step, l->moved);
        carom_solid_forces(s, NULL, 0.0, l->moved, l->force[side]);
        for (size_t i = 0; s->dimension == 3 && i < s->n; i++) { /* torques into principal axes */
            double turn[4], *torque = l->force[side] + 6 * i + 3;
            carom_solid_product(l->moved + 7 * i + 3, carom_solid_sort_of(s, i)->frame, turn);
            carom_solid_turn_back(turn, torque, torque);
        }
    }
    for (size_t i = 0; i < nv; i++)
        y[i] = h > 0.0 ? (l->force[0][i] - l->force[1][i]) / (2.0 * h * sqrt(inertia(s, i))) : 0.0;
}

/* how many eigenvalues of the symmetric tridiagonal matrix lie above x */
static int above(const double *alpha, const double *beta, int n, double x)
{
    int count = 0;
    double d = 1.0;
    for (int i = 0; i < n; i++) {
        d = alpha[i] - x - (i > 0 ? beta[i - 1] * beta[i - 1] / d : 0.0);
        if (d == 0.0)
            d = -1e-300;
        count += d > 0.0;
    }
    return count;
}

static double largest(const double *alpha, const double *beta, int n)
{
    double low = alpha[0], high = alpha[0];
    for (int i = 0; i < n; i++) {
        const double radius = (i > 0 ? fabs(beta[i - 1]) : 0.0) + (i + 1 < n ? fabs(beta[i]) : 0.0);
        high = fmax(high, alpha[i] + radius);
        low = fmax(low, alpha[i]);
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (above(alpha, beta, n, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* a start that has something of every mode, the same on every machine */
static void begin(double *x, size_t n)
{
    uint64_t word = UINT64_C(0x2545f4914f6cdd1d);
    for (size_t i = 0; i < n; i++) {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        x[i] = (double)(word >> 11) * 0x1p-53 - 0.5;
    }
    const double size = sqrt(dot(x, x, n));
    for (size_t i = 0; i < n; i++)
        x[i] /= size;
}

static double iterate(struct lanczos *l, double *x[3])
{
    const size_t nv = l->s->fast * l->s->n;
    double alpha[MOST], beta[MOST], found = 0.0;
    begin(x[1], nv);
    for (int k = 0; k < MOST; k++) {
        apply(l, x[1], x[2]);
        alpha[k] = dot(x[1], x[2], nv);
        for (size_t i = 0; i < nv; i++)
            x[2][i] -= alpha[k] * x[1][i] + (k > 0 ? beta[k - 1] * x[0][i] : 0.0);
        beta[k] = sqrt(dot(x[2], x[2], nv));
        const double last = found;
        found = largest(alpha, beta, k + 1);
        double *first = x[0];
        if ((k > 8 && found - last < 1e-7 * found) || !(beta[k] > 1e-9 * found))
            break;
        for (size_t i = 0; i < nv; i++)
            x[2][i] /= beta[k];
        x[0] = x[1];
        x[1] = x[2];
        x[2] = first;
    }
    return found;
}

/* A large box vibrates at most as fast as its lattice, which a smaller box of the same cells tells to a part in a
 * thousand. */
static enum carom_status by_sample(const struct carom_solid *s, double *omega, struct carom_error *error)
{
    size_t count[3];
    double size[3];
    for (int k = 0; k < 3; k++) {
        const size_t most = s->dimension == 3 ? 16 : 60;
        count[k] = s->grid.count[k] < most ? s->grid.count[k] : most;
        size[k] = s->grid.edge[k] * (double)count[k];
    }
    struct carom_solid *sample =
        carom_solid_box(s->kind, count, size, s->grid.origin, s->depth, &s->material[0], error);
    if (!sample)
        return error ? error->status : CAROM_E_MEMORY;
    const enum carom_status status = carom_solid_frequency(sample, NULL, omega, error);
    *omega *= 1.003;
    carom_solid_free(sample);
    return status;
}

enum carom_status carom_solid_frequency(const struct carom_solid *s, const double *q, double *omega,
                                        struct carom_error *error)
{
    const size_t nv = s->fast * s->n, nq = s->wide * s->n;
    if (!q && (s->gridded || (s->halved && !s->grid.shell && s->nmaterials == 1)) && s->n > LARGE)
        return by_sample(s, omega, error);
    double *room = carom_memory_zeroed(6 * nv + 2 * nq, sizeof *room);
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory looking for the largest frequency");
    double *x[3] = {room, room + nv, room + 2 * nv}, *rest = room + 6 * nv;
    for (size_t i = 0; i < s->n; i++)
        rest[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
    struct lanczos l = {.s = s,
                        .part = s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane,
                        .q = q ? q : rest,
                        .moved = rest + nq,
                        .step = room + 3 * nv,
                        .force = {room + 4 * nv, room + 5 * nv},
                        .size = 1e-5};
    const double square = iterate(&l, x);
    carom_memory_free(room);
    if (!(square >= 0.0) || !(square < HUGE_VAL))
        return carom_error_set(error, CAROM_E_NUMERIC, "the largest frequency of the body cannot be found");
    *omega = sqrt(square) * (1.0 + 1e-6);
    return CAROM_OK;
}
