/* Largest forces, by the highest of three neighbouring values and the parabola through them. */
#include "scheme/chain/peaks.h"

#include "base/memory.h"

enum carom_status carom_peaks_open(struct carom_peaks *p, size_t n, struct carom_error *error)
{
    *p = (struct carom_peaks){.n = n, .block = carom_memory_zeroed(n, 4 * sizeof(double))};
    if (!p->block)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < 3; i++)
        p->force[i] = p->block + i * n;
    p->largest = p->block + 3 * n;
    return CAROM_OK;
}

void carom_peaks_close(struct carom_peaks *p)
{
    carom_memory_free(p->block);
    *p = (struct carom_peaks){0};
}

double *carom_peaks_turn(struct carom_peaks *p, double time)
{
    double *const oldest = p->force[0];
    p->force[0] = p->force[1];
    p->force[1] = p->force[2];
    p->force[2] = oldest;
    p->time[0] = p->time[1];
    p->time[1] = p->time[2];
    p->time[2] = time;
    p->seen++;
    return p->force[2];
}

/* The top of the parabola through three points whose middle one is the highest. */
static double top(const double t[3], double f0, double f1, double f2)
{
    const double a = (f1 - f0) / (t[1] - t[0]), b = (f2 - f1) / (t[2] - t[1]), bend = (b - a) / (t[2] - t[0]);
    const double slope = a + bend * (t[1] - t[0]); /* at t1 */
    return bend < 0.0 ? f1 - slope * slope / (4.0 * bend) : f1;
}

void carom_peaks_note(struct carom_peaks *p)
{
    const double *restrict before = p->force[0], *restrict middle = p->force[1], *restrict after = p->force[2];
    double *restrict largest = p->largest;
    const bool three = p->seen >= 3 && p->time[0] < p->time[1] && p->time[1] < p->time[2];
    for (size_t j = 0; j < p->n; j++)
        largest[j] = after[j] > largest[j] ? after[j] : largest[j];
    for (size_t j = 0; three && j < p->n; j++) {
        const double f0 = before[j], f1 = middle[j], f2 = after[j];
        if ((f1 >= f0) & (f1 >= f2) & (f0 > 0.5 * f1) & (f2 > 0.5 * f1)) {
            const double force = top(p->time, f0, f1, f2);
            largest[j] = force > largest[j] ? force : largest[j];
        }
    }
}
