/* Signals: functions of time that drive bodies. A break is computed by the same expression that the value is tested
 * with, so that a step which ends on a break ends exactly on it. Numbers only; scenes are read elsewhere. */
#include "carom/signal.h"

#include "base/angle.h"
#include "base/power.h"
#include "base/sorted.h"

static const double pi = 3.14159265358979323846;

/* where the shape ends; HUGE_VAL: never */
static double end_of(const struct carom_signal *s)
{
    switch (s->shape) {
    case CAROM_SHAPE_STEP:
    case CAROM_SHAPE_SINE:
        return s->duration > 0.0 ? s->start + s->duration : HUGE_VAL;
    case CAROM_SHAPE_RAMP:
    case CAROM_SHAPE_HALF_SINE:
    case CAROM_SHAPE_CHIRP:
        return s->start + s->duration;
    default:
        return HUGE_VAL;
    }
}

static bool acts(const struct carom_signal *s, double t)
{
    return t >= s->start && t < end_of(s);
}

/* the straight piece of a table that t lies on: points i and i + 1; 0 < count, and t lies inside the table */
static size_t piece(const struct carom_signal *s, double t)
{
    size_t next = 1;
    CAROM_SORTED_FIRST(next, s->count - 1, s->time[middle] <= t);
    return next - 1;
}

static double table_value(const struct carom_signal *s, double t)
{
    if (s->count == 0)
        return 0.0;
    if (t < s->time[0] || s->count == 1)
        return s->height[0];
    if (t >= s->time[s->count - 1])
        return s->height[s->count - 1];
    const size_t i = piece(s, t);
    const double part = (t - s->time[i]) / (s->time[i + 1] - s->time[i]);
    return s->height[i] + part * (s->height[i + 1] - s->height[i]);
}

static double table_rate(const struct carom_signal *s, double t)
{
    if (s->count < 2 || t < s->time[0] || t >= s->time[s->count - 1])
        return 0.0;
    const size_t i = piece(s, t);
    return (s->height[i + 1] - s->height[i]) / (s->time[i + 1] - s->time[i]);
}

/* frequency of a chirp changes by so much in a unit of time */
static double sweep(const struct carom_signal *s)
{
    return s->duration > 0.0 ? (s->frequency_end - s->frequency) / s->duration : 0.0;
}

/* the angle of a sine or chirp */
static double angle(const struct carom_signal *s, double t)
{
    const double since = t - s->start;
    const double bend = s->shape == CAROM_SHAPE_CHIRP ? 0.5 * sweep(s) * since : 0.0;
    return 2.0 * pi * (s->frequency + bend) * since + s->phase;
}

/* a number of all parts of a sum together */
static double total(const struct carom_signal *s, double t, double (*of)(const struct carom_signal *part, double t))
{
    double sum = 0.0;
    for (size_t i = 0; i < s->count; i++)
        sum += of(&s->part[i], t);
    return sum;
}

double carom_signal_value(const struct carom_signal *s, double t)
{
    const double since = t - s->start;
    switch (s->shape) {
    case CAROM_SHAPE_CONSTANT:
        return s->amplitude;
    case CAROM_SHAPE_STEP:
        return acts(s, t) ? s->amplitude : 0.0;
    case CAROM_SHAPE_RAMP:
        if (t >= end_of(s))
            return s->amplitude;
        return t >= s->start ? s->amplitude * (since / s->duration) : 0.0;
    case CAROM_SHAPE_HALF_SINE:
        return acts(s, t) ? s->amplitude * carom_angle_sin(pi * since / s->duration) : 0.0;
    case CAROM_SHAPE_SINE:
    case CAROM_SHAPE_CHIRP:
        return acts(s, t) ? s->amplitude * carom_angle_sin(angle(s, t)) : 0.0;
    case CAROM_SHAPE_RICKER: {
        const double root = pi * s->frequency * since;
        return s->amplitude * (1.0 - 2.0 * root * root) * carom_power_exp(-root * root);
    }
    case CAROM_SHAPE_TABLE:
        return table_value(s, t);
    case CAROM_SHAPE_FUNCTION:
        return s->amplitude * s->function->value(s->function, since);
    case CAROM_SHAPE_SUM:
        return total(s, t, carom_signal_value);
    default:
        return 0.0;
    }
}

double carom_signal_rate(const struct carom_signal *s, double t)
{
    const double since = t - s->start;
    switch (s->shape) {
    case CAROM_SHAPE_RAMP:
        return acts(s, t) ? s->amplitude / s->duration : 0.0;
    case CAROM_SHAPE_HALF_SINE:
        return acts(s, t) ? s->amplitude * (pi / s->duration) * carom_angle_cos(pi * since / s->duration) : 0.0;
    case CAROM_SHAPE_SINE:
        return acts(s, t) ? s->amplitude * 2.0 * pi * s->frequency * carom_angle_cos(angle(s, t)) : 0.0;
    case CAROM_SHAPE_CHIRP:
        return acts(s, t) ? s->amplitude * 2.0 * pi * (s->frequency + sweep(s) * since) * carom_angle_cos(angle(s, t))
                          : 0.0;
    case CAROM_SHAPE_RICKER: {
        const double w = pi * s->frequency, a = w * w * since * since;
        return s->amplitude * 2.0 * w * w * since * (2.0 * a - 3.0) * carom_power_exp(-a);
    }
    case CAROM_SHAPE_TABLE:
        return table_rate(s, t);
    case CAROM_SHAPE_FUNCTION:
        return s->amplitude * s->function->rate(s->function, since);
    case CAROM_SHAPE_SUM:
        return total(s, t, carom_signal_rate);
    default:
        return 0.0;
    }
}

/* those of all parts, in order as far as they go into `times` */
static size_t breaks_of_parts(const struct carom_signal *s, double *times, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        count += carom_signal_breaks(&s->part[i], count < room ? times + count : NULL, count < room ? room - count : 0);
    for (size_t i = 1; i < count && i < room; i++)
        for (size_t k = i; k > 0 && times[k - 1] > times[k]; k--) {
            const double hold = times[k];
            times[k] = times[k - 1];
            times[k - 1] = hold;
        }
    return count;
}

size_t carom_signal_breaks(const struct carom_signal *s, double *times, size_t room)
{
    if (s->shape == CAROM_SHAPE_TABLE) {
        for (size_t i = 0; i < s->count && i < room; i++)
            times[i] = s->time[i];
        return s->count;
    }
    if (s->shape == CAROM_SHAPE_FUNCTION) {
        for (size_t i = 0; i < s->function->nbreaks && i < room; i++)
            times[i] = s->start + s->function->breaks[i];
        return s->function->nbreaks;
    }
    if (s->shape == CAROM_SHAPE_SUM)
        return breaks_of_parts(s, times, room);
    if (s->shape == CAROM_SHAPE_NONE || s->shape == CAROM_SHAPE_CONSTANT || s->shape == CAROM_SHAPE_RICKER)
        return 0;
    if (room > 0)
        times[0] = s->start;
    if (!(end_of(s) < HUGE_VAL))
        return 1;
    if (room > 1)
        times[1] = end_of(s);
    return 2;
}

double carom_signal_quiet(const struct carom_signal *s, double t)
{
    switch (s->shape) {
    case CAROM_SHAPE_NONE:
    case CAROM_SHAPE_CONSTANT:
        return HUGE_VAL;
    case CAROM_SHAPE_TABLE:
        if (s->count == 0 || t >= s->time[s->count - 1])
            return HUGE_VAL;
        if (t < s->time[0])
            return s->time[0];
        for (size_t i = piece(s, t); i + 1 < s->count; i++)
            if (s->height[i + 1] != s->height[i])
                return s->time[i] > t ? s->time[i] : t;
        return HUGE_VAL;
    case CAROM_SHAPE_RICKER:
    case CAROM_SHAPE_FUNCTION:
        return t;
    case CAROM_SHAPE_SUM: {
        double quiet = HUGE_VAL;
        for (size_t i = 0; i < s->count; i++)
            quiet = fmin(quiet, carom_signal_quiet(&s->part[i], t));
        return quiet;
    }
    default:
        if (t < s->start)
            return s->start;
        if (t >= end_of(s))
            return HUGE_VAL;
        return s->shape == CAROM_SHAPE_STEP ? end_of(s) : t;
    }
}

void carom_signal_largest(const struct carom_signal *s, double *value, double *rate)
{
    const double size = fabs(s->amplitude);
    *value = s->shape == CAROM_SHAPE_NONE ? 0.0 : size;
    *rate = 0.0;
    switch (s->shape) {
    case CAROM_SHAPE_RAMP:
        *rate = size / s->duration;
        break;
    case CAROM_SHAPE_HALF_SINE:
        *rate = size * pi / s->duration;
        break;
    case CAROM_SHAPE_SINE:
        *rate = size * 2.0 * pi * fabs(s->frequency);
        break;
    case CAROM_SHAPE_CHIRP:
        *rate = size * 2.0 * pi * fmax(fabs(s->frequency), fabs(s->frequency_end));
        break;
    case CAROM_SHAPE_RICKER:
        /* |2 w x (2 x^2 - 3) exp(-x^2)| is largest at x^2 = (6 - sqrt 24) / 4 */
        *rate = size * pi * fabs(s->frequency) * 1.9517830727699512;
        break;
    case CAROM_SHAPE_TABLE:
        *value = s->count > 0 ? fabs(s->height[0]) : 0.0;
        for (size_t i = 1; i < s->count; i++) {
            *value = fmax(*value, fabs(s->height[i]));
            *rate = fmax(*rate, fabs((s->height[i] - s->height[i - 1]) / (s->time[i] - s->time[i - 1])));
        }
        break;
    case CAROM_SHAPE_FUNCTION:
        *value = size * s->function->largest;
        *rate = size * s->function->fastest;
        break;
    case CAROM_SHAPE_SUM:
        *value = 0.0;
        for (size_t i = 0; i < s->count; i++) {
            double most, fastest;
            carom_signal_largest(&s->part[i], &most, &fastest);
            *value += most;
            *rate += fastest;
        }
        break;
    default:
        break;
    }
}
