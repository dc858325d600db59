/* ARPACK: Lanczos' iteration, restarted implicitly (Lehoucq, Sorensen and Yang 1998). */
#include "solve/spectrum.h"

#include <limits.h>

#include "base/memory.h"
#include "base/random.h"

#ifdef CAROM_WITH_ARPACK

#include <arpack.h>

/* room of one call: the basis, what is left of it, what ARPACK works in */
struct room {
    double *basis, *left, *pair, *work;
    int wide, works, *chosen;
};

static bool open(struct room *r, size_t n, size_t count)
{
    const size_t wide = 2 * count + 20 < n ? 2 * count + 20 : n, works = wide * (wide + 8);
    struct carom_random random;
    r->wide = (int)wide;
    r->works = (int)works;
    if (!carom_memory_together(CAROM_ROOM(r->basis, n * wide), CAROM_ROOM(r->left, n), CAROM_ROOM(r->pair, 3 * n),
                               CAROM_ROOM(r->work, works), CAROM_ROOM(r->chosen, wide)))
        return false;
    carom_random_start(&random, 1);
    for (size_t i = 0; i < n; i++)
        r->left[i] = carom_random_uniform(&random) - 0.5;
    return true;
}

static void close(struct room *r)
{
    carom_memory_free(r->basis);
}

enum carom_status carom_spectrum_find(size_t n, void (*apply)(void *own, const double *x, double *y), void *own,
                                      size_t count, double *value, double *vector, struct carom_error *error)
{
    struct room r = {0};
    int go = 0, state = 1, option[11] = {0}, at[14] = {0}, size = (int)n, many = (int)count;
    option[0] = 1;   /* shifts are ARPACK's own */
    option[2] = 300; /* restarts at most */
    option[6] = 1;   /* A x = value x */
    if (n > INT_MAX / 4 || !open(&r, n, count)) {
        close(&r);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the eigenvalues of %zu coordinates", n);
    }
    for (;;) {
        dsaupd_c(&go, "I", size, "LM", many, 0.0, r.left, r.wide, r.basis, size, option, at, r.pair, r.work, r.works,
                 &state);
        if (go != 1 && go != -1)
            break;
        apply(own, r.pair + at[0] - 1, r.pair + at[1] - 1);
    }
    const bool good = state == 0;
    if (good)
        dseupd_c(1, "A", r.chosen, value, vector, size, 0.0, "I", size, "LM", many, 0.0, r.left, r.wide, r.basis, size,
                 option, at, r.pair, r.work, r.works, &state);
    close(&r);
    if (good && state == 0)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC, "the eigenvalues could not be found (ARPACK says %d)", state);
}

#else

enum carom_status carom_spectrum_find(size_t n, void (*apply)(void *own, const double *x, double *y), void *own,
                                      size_t count, double *value, double *vector, struct carom_error *error)
{
    (void)n, (void)apply, (void)own, (void)count, (void)value, (void)vector;
    return carom_error_set(error, CAROM_E_REFUSED, "this carom was built without ARPACK (libarpack2-dev)");
}

#endif
