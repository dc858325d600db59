/* Keeps numbers over time as few straight lines. Says nothing of norms but the largest difference: study/norms.h has
 * the others. */
#include "study/follow/history.h"

#include <math.h>

#include "base/memory.h"
#include "base/sorted.h"

void carom_history_free(struct carom_history *h)
{
    carom_memory_free_all(h->time, h->left, h->right);
    *h = (struct carom_history){0};
}

static enum carom_status keep(struct carom_history *h, double t, double left, double right, struct carom_error *error)
{
    if (h->n == h->room) {
        const size_t larger = 2 * h->room + 16;
        if (!carom_memory_widen(&h->time, h->room, larger, sizeof(double)) ||
            !carom_memory_widen(&h->left, h->room, larger, sizeof(double)) ||
            !carom_memory_widen(&h->right, h->room, larger, sizeof(double)))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu samples", larger);
        h->room = larger;
    }
    h->time[h->n] = t;
    h->left[h->n] = left;
    h->right[h->n++] = right;
    h->low = -HUGE_VAL;
    h->high = HUGE_VAL;
    h->waiting = false;
    return CAROM_OK;
}

enum carom_status carom_history_end(struct carom_history *h, struct carom_error *error)
{
    return h->waiting ? keep(h, h->t, h->x, h->x, error) : CAROM_OK;
}

enum carom_status carom_history_add(struct carom_history *h, double t, double x, struct carom_error *error)
{
    if (h->n == 0)
        return keep(h, t, x, x, error);
    const size_t last = h->n - 1;
    if (!(t > h->time[last])) { /* the same time again: what holds from then on */
        h->right[last] = x;
        return CAROM_OK;
    }
    double slope = (x - h->right[last]) / (t - h->time[last]);
    if (h->waiting && !(slope >= h->low && slope <= h->high)) {
        const double since = h->t;
        if (carom_history_end(h, error) != CAROM_OK)
            return error->status;
        if (!(t > since)) {
            h->right[h->n - 1] = x;
            return CAROM_OK;
        }
    }
    const double span = t - h->time[h->n - 1], from = h->right[h->n - 1];
    h->low = fmax(h->low, (x - h->miss - from) / span);
    h->high = fmin(h->high, (x + h->miss - from) / span);
    h->waiting = true;
    h->t = t;
    h->x = x;
    return CAROM_OK;
}

enum carom_status carom_history_jump(struct carom_history *h, double t, double left, double right,
                                     struct carom_error *error)
{
    enum carom_status status = carom_history_add(h, t, left, error);
    if (status == CAROM_OK)
        status = carom_history_end(h, error);
    if (status == CAROM_OK)
        h->right[h->n - 1] = right;
    return status;
}

struct carom_graph carom_history_graph(const struct carom_history *h)
{
    return (struct carom_graph){h->n, 1, h->time, h->left, h->right};
}

/* the last sample that is not after t, or 0 */
static size_t place(const struct carom_history *h, double t)
{
    size_t next = 1;
    CAROM_SORTED_FIRST(next, h->n, h->time[middle] <= t);
    return next - 1;
}

static double on_line(const struct carom_history *h, size_t i, double t)
{
    const double part = (t - h->time[i]) / (h->time[i + 1] - h->time[i]);
    return h->right[i] + part * (h->left[i + 1] - h->right[i]);
}

double carom_history_at(const struct carom_history *h, double t)
{
    if (h->n == 0)
        return nan("");
    const size_t i = place(h, t);
    if (t < h->time[0])
        return h->left[0];
    return i + 1 == h->n || t == h->time[i] ? h->right[i] : on_line(h, i, t);
}

/* the same from the left */
static double before(const struct carom_history *h, double t)
{
    size_t i = place(h, t);
    while (i > 0 && h->time[i] >= t)
        i--;
    if (h->time[i] >= t)
        return h->left[i];
    return i + 1 == h->n ? h->right[i] : h->time[i + 1] == t ? h->left[i + 1] : on_line(h, i, t);
}

double carom_history_reach(const struct carom_history *h, double t, double by)
{
    if (h->n == 0)
        return nan("");
    const double from = before(h, t);
    double since = t, last = from; /* where a line begins */
    for (size_t i = place(h, t); i < h->n; i++) {
        if (h->time[i] < t)
            continue;
        if (h->time[i] > since && fabs(h->left[i] - from) >= by) {
            const double a = last - from, b = h->left[i] - from, wall = b > 0.0 ? by : -by;
            return since + (h->time[i] - since) * ((wall - a) / (b - a));
        }
        if (fabs(h->right[i] - from) >= by)
            return h->time[i];
        since = h->time[i];
        last = h->right[i];
    }
    return nan("");
}

/* at the breaks of one, against the other */
static double sup_at(const struct carom_history *a, const struct carom_history *b, double first, double last)
{
    double most = 0.0;
    for (size_t i = 0; i < a->n; i++) {
        const double t = a->time[i];
        if (t < first || t > last)
            continue;
        const double right = fabs(a->right[i] - carom_history_at(b, t)), left = fabs(a->left[i] - before(b, t));
        most = t < last && right > most ? right : most; /* a NaN does not get here: runs end on one */
        most = t > first && left > most ? left : most;
        most = first == last && right > most ? right : most;
    }
    return most;
}

double carom_history_sup(const struct carom_history *a, const struct carom_history *b)
{
    if (a->n == 0 || b->n == 0)
        return nan("");
    const double first = fmax(a->time[0], b->time[0]), last = fmin(a->time[a->n - 1], b->time[b->n - 1]);
    if (!(first <= last))
        return nan("");
    return fmax(sup_at(a, b, first, last), sup_at(b, a, first, last));
}
