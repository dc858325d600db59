/* Normal modes of crystals as they stand, walls and free sides included; see springs.h. */
#include <math.h>

#include "base/memory.h"
#include "solve/eigen.h"
#include "study/springs.h"

/* the coordinates that move; `place` (n x freedom) says where each stands among them, SIZE_MAX: it is held */
static void list_coordinates(const struct carom_springs *s, struct carom_springs_modes *modes, size_t *place)
{
    const size_t freedom = carom_springs_freedom(s);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < freedom; k++) {
            const bool moves = carom_springs_inertia(s, i, k) > 0.0;
            place[i * freedom + k] = moves ? modes->count : SIZE_MAX;
            if (moves && modes->body != NULL) {
                modes->body[modes->count] = i;
                modes->coordinate[modes->count] = k;
            }
            modes->count += moves;
        }
}

/* K with masses divided out, symmetric */
static void fill_matrix(const struct carom_springs *s, const struct carom_springs_modes *modes, const size_t *place,
                        double *a)
{
    const size_t freedom = carom_springs_freedom(s), n = modes->count;
    for (size_t j = 0; j < s->nsprings; j++) {
        struct carom_stretch stretch[CAROM_SPRINGS_STRETCHES];
        const size_t count = carom_springs_stretches(s, &s->spring[j], stretch);
        for (size_t r = 0; r < count; r++) {
            size_t at[12], used = 0;
            double share[12];
            for (int side = 0; side < 2; side++)
                for (size_t k = 0; k < freedom; k++) {
                    const size_t body = s->spring[j].body[side], p = place[body * freedom + k];
                    if (p == SIZE_MAX || stretch[r].share[side][k] == 0.0)
                        continue;
                    at[used] = p;
                    share[used++] = stretch[r].share[side][k] / sqrt(carom_springs_inertia(s, body, k));
                }
            for (size_t x = 0; x < used; x++)
                for (size_t y = 0; y < used; y++)
                    a[at[x] * n + at[y]] += stretch[r].stiffness * share[x] * share[y];
        }
    }
}

/* columns of mass-weighted vectors become displacements whose largest is 1 */
static void show_shapes(const struct carom_springs *s, struct carom_springs_modes *modes)
{
    const size_t n = modes->count;
    for (size_t k = 0; k < n; k++) {
        double largest = 0.0;
        for (size_t i = 0; i < n; i++) {
            double *u = &modes->shape[i * n + k];
            *u /= sqrt(carom_springs_inertia(s, modes->body[i], modes->coordinate[i]));
            if (modes->coordinate[i] < s->bodies->dimension)
                largest = fabs(*u) > fabs(largest) ? *u : largest;
        }
        for (size_t i = 0; i < n && largest != 0.0; i++)
            modes->shape[i * n + k] /= largest;
    }
}

static enum carom_status find(const struct carom_springs *s, bool shapes, struct carom_springs_modes *modes,
                              size_t *place, struct carom_error *error)
{
    const size_t most = shapes ? CAROM_SPRINGS_SHAPES : CAROM_SPRINGS_MODES;
    list_coordinates(s, modes, place);
    const size_t n = modes->count;
    if (n > most)
        return carom_error_set(error, CAROM_E_REFUSED, "normal modes%s of %zu coordinates, %zu at most are worked out",
                               shapes ? " with their shapes" : "", n, most);
    modes->body = carom_memory_zeroed(n, sizeof *modes->body);
    modes->coordinate = carom_memory_zeroed(n, sizeof *modes->coordinate);
    modes->omega = carom_memory_zeroed(2 * n, sizeof(double));
    modes->shape = shapes ? carom_memory_zeroed(n * n, sizeof(double)) : NULL;
    double *a = carom_memory_zeroed(n * n, sizeof *a);
    enum carom_status status = CAROM_OK;
    if (!modes->body || !modes->coordinate || !modes->omega || !a || (shapes && !modes->shape))
        status = carom_memory_error_for(error, "normal modes");
    if (status == CAROM_OK) {
        modes->count = 0;
        list_coordinates(s, modes, place);
        fill_matrix(s, modes, place, a);
        if (!(shapes ? carom_eigen_symmetric_vectors(n, a, modes->omega, modes->omega + n, modes->shape)
                     : carom_eigen_symmetric(n, a, modes->omega, modes->omega + n)))
            status = carom_error_set(error, CAROM_E_NUMERIC, "the normal modes could not be found");
    }
    carom_memory_free(a);
    if (status != CAROM_OK)
        return status;
    const double largest = n > 0 ? fmax(fabs(modes->omega[0]), fabs(modes->omega[n - 1])) : 0.0;
    for (size_t k = 0; k < n; k++)
        modes->omega[k] = carom_springs_omega(modes->omega[k], largest);
    if (shapes)
        show_shapes(s, modes);
    return CAROM_OK;
}

enum carom_status carom_springs_modes_find(const struct carom_springs *springs, bool shapes,
                                           struct carom_springs_modes *modes, struct carom_error *error)
{
    *modes = (struct carom_springs_modes){0};
    size_t *place = carom_memory_zeroed(springs->n * carom_springs_freedom(springs), sizeof *place);
    const enum carom_status status =
        place != NULL ? find(springs, shapes, modes, place, error) : carom_memory_error_for(error, "normal modes");
    carom_memory_free(place);
    if (status != CAROM_OK)
        carom_springs_modes_free(modes);
    return status;
}

void carom_springs_modes_free(struct carom_springs_modes *modes)
{
    carom_memory_free_all(modes->body, modes->coordinate, modes->omega, modes->shape);
    *modes = (struct carom_springs_modes){0};
}
