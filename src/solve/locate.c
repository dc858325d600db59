/* The locator of locate.h: signs at both looks, the cubic between them, and bracketed roots. */
#include "solve/locate.h"

#include "solve/root.h"

static double cubic_at(void *own, double s)
{
    return carom_cubic_at(own, s);
}

double carom_locate_on_cubic(const struct carom_cubic *c, double end)
{
    struct carom_cubic own = *c;
    const double last = carom_cubic_at(c, end), side = last > 0.0 ? -1.0 : 1.0; /* of the beginning */
    if (last == 0.0)
        return end;
    const double from = side * c->value[0] > 0.0 ? 0.0 : side < 0.0 ? carom_cubic_lowest(c) : carom_cubic_highest(c);
    const bool crosses = from < end && side * carom_cubic_at(c, from) > 0.0;
    return crosses ? carom_root_near(cubic_at, &own, from, end, 1e-16) : 0.0;
}

double carom_locate_bottom(const struct carom_locate *f, double a, double b, const struct carom_cubic *c, double doubt)
{
    if (fmin(carom_cubic_early(c), carom_cubic_late(c)) > doubt)
        return CAROM_LOCATE_NONE;
    if (c->slope[0] < 0.0 && c->slope[1] > 0.0)
        return carom_root_near(f->slope, f->own, a, b, f->fine);
    const double lowest = c->value[0] > 0.0 ? carom_cubic_lowest(c) : CAROM_LOCATE_NONE; /* up, down and up again */
    return lowest < 1.0 ? a + lowest * (b - a) : CAROM_LOCATE_NONE;
}

double carom_locate_first(const struct carom_locate *f, double a, double b, const struct carom_cubic *c, double doubt)
{
    double low = b;
    if (!(c->value[1] < 0.0)) {
        low = carom_locate_bottom(f, a, b, c, doubt);
        if (!(low <= b && f->value(f->own, low) < 0.0))
            return CAROM_LOCATE_NONE;
    }
    return c->value[0] > 0.0 ? carom_root_near(f->value, f->own, a, low, f->fine) : a;
}
