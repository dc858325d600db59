/* The next sample of a schedule: multiples of an interval, inside its window if it has one, and listed times. */
#include "record/schedule.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/sorted.h"

/* times closer than this, relatively, are one: 3 * 0.1 and 0.3 */
#define SAME (8.0 * DBL_EPSILON)

/* The first i * every beyond `after`; the product itself is compared, so no drift and no doubt. */
static double next_of_grid(double every, double after)
{
    if (!(every > 0.0))
        return HUGE_VAL;
    if (after < 0.0)
        return 0.0;
    double i = floor(after / every);
    while (i > 0.0 && (i - 1.0) * every > after)
        i -= 1.0;
    while (i * every <= after && i < 0x1p53)
        i += 1.0;
    return i * every > after ? i * every : HUGE_VAL;
}

/* Is a listed time one of the grid's, inside its window, but for rounding? */
static bool on_grid(const struct carom_schedule *schedule, double t)
{
    const double every = schedule->every, to = schedule->to > 0.0 ? schedule->to : HUGE_VAL;
    const bool inside = t >= schedule->from * (1.0 - SAME) && t <= to * (1.0 + SAME);
    return every > 0.0 && inside && t >= 0.0 && fabs(nearbyint(t / every) * every - t) <= SAME * t;
}

static double next_of_list(const struct carom_schedule *schedule, double after)
{
    size_t low = 0; /* the first beyond `after` */
    CAROM_SORTED_FIRST(low, schedule->ntimes, !(schedule->times[middle] > after));
    while (low < schedule->ntimes && on_grid(schedule, schedule->times[low]))
        low++;
    return low < schedule->ntimes ? schedule->times[low] : HUGE_VAL;
}

/* a grid inside the window, both ends included */
static double next_in_window(const struct carom_schedule *schedule, double every, double after)
{
    const double from = schedule->from, to = schedule->to > 0.0 ? schedule->to : HUGE_VAL;
    const double before = from > 0.0 ? nextafter(from * (1.0 - SAME), 0.0) : -HUGE_VAL;
    const double next = next_of_grid(every, fmax(after, before)); /* always beyond `after` */
    return next <= to * (1.0 + SAME) ? next : HUGE_VAL;
}

double carom_schedule_next(const struct carom_schedule *schedule, double after)
{
    const double grid = next_in_window(schedule, schedule->every, after);
    const double listed = next_of_list(schedule, after);
    return grid < listed ? grid : listed;
}

/* Refuses intervals and times that are none. */
static enum carom_status check(const struct carom_schedule *schedule, struct carom_error *error)
{
    if (!(schedule->every >= 0.0) || !(schedule->every < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "the interval between samples must be positive, got %g",
                               schedule->every);
    for (size_t i = 0; i < schedule->ntimes; i++)
        if (!isfinite(schedule->times[i]) || (i > 0 && schedule->times[i] < schedule->times[i - 1]))
            return carom_error_set(error, CAROM_E_INPUT, "the times to sample must rise, got %g after %g",
                                   schedule->times[i], i > 0 ? schedule->times[i - 1] : -HUGE_VAL);
    return CAROM_OK;
}

enum carom_status carom_schedule_copy(struct carom_schedule *to, const struct carom_schedule *from, double **times,
                                      struct carom_error *error)
{
    if (check(from, error) != CAROM_OK)
        return CAROM_E_INPUT;
    *to = *from;
    *times = carom_memory_zeroed(from->ntimes, sizeof **times);
    if (*times == NULL)
        return carom_memory_error_for(error, "recording");
    if (from->ntimes > 0)
        memcpy(*times, from->times, from->ntimes * sizeof **times);
    to->times = *times;
    return CAROM_OK;
}

double carom_schedule_count(const struct carom_schedule *schedule, double from, double end)
{
    const double low = fmax(schedule->from, from), high = schedule->to > 0.0 ? fmin(schedule->to, end) : end;
    double count =
        schedule->every > 0.0 ? fmax(floor(high / schedule->every) - ceil(low / schedule->every) + 1.0, 0.0) : 0.0;
    for (size_t i = 0; i < schedule->ntimes; i++)
        count += schedule->times[i] >= from && schedule->times[i] <= end;
    return count;
}

/* the power of 2 that is not smaller, at least 1 */
static double next_power_of_two(double x)
{
    int power;
    const double part = frexp(x, &power);
    return x > 1.0 ? ldexp(1.0, part > 0.5 ? power : power - 1) : 1.0;
}

/* Half of the rows are taken as they come. The third quarter is spread over what is left of the run as if contacts went
 * on acting as they did. In the last quarter the distance grows with every row by as much as makes them last though
 * contacts act until the end. What is left of the run is looked at with the even samples, so that a resumed run sees
 * the same. */
double carom_schedule_thinned(const struct carom_schedule *schedule, uint64_t rows, double half, double after)
{
    const uint64_t first = schedule->most / 2, last = schedule->most - schedule->most / 4;
    const double action = schedule->action, length = schedule->end - schedule->from, close = (double)first * action;
    if (rows <= first || rows >= schedule->most || !(action > 0.0) || !(schedule->every > 0.0) || !(length > close))
        return 1.0;
    const double begun = fmax(floor(after / schedule->every) * schedule->every - schedule->from, 0.0);
    const double even = (length - begun) / ((double)(schedule->most - rows) * action); /* acting until the end */
    if (rows < last) {
        const double acting = fmin(close / fmax(half - schedule->from, close), 1.0);
        return next_power_of_two(fmin(even, acting * (length - begun) / ((double)(last - rows) * action)));
    }
    const double growth = carom_power_log(length / close) / (double)(schedule->most - last);
    return next_power_of_two(fmin(even, growth * (double)first * carom_power_exp(growth * (double)(rows - last))));
}

double carom_schedule_action(const struct carom_schedule *schedule, uint64_t rows, double nth, double after)
{
    const bool wanted = schedule->action > 0.0 && rows < schedule->most &&
                        after < 0x1p52 * schedule->action; /* later ones cannot be told apart */
    return wanted ? next_in_window(schedule, nth * schedule->action, after) : HUGE_VAL;
}

double carom_schedule_finer(const struct carom_schedule *schedule, double contact_time)
{
    if (!(contact_time > 0.0) || !(3.0 * schedule->every > contact_time) || schedule->action > 0.0)
        return 0.0;
    const double wanted = contact_time / 20.0, decade = carom_power(10.0, floor(carom_power_log10(wanted))),
                 part = wanted / decade;
    return (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0) * decade;
}
