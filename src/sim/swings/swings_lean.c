/* What passes through the contact of a plain row with the wall on its left, the only impulse that no momenta tell.
 * Over evenly spaced looks, far from its opening, it is the trapezoidal rule's, with what Euler and Maclaurin add at
 * both ends of such a stretch: a spring's force a look and no rates; and the damper's part, T times what the
 * spring's force gains. With five looks in half a swing that misses 3e-6 of an impulse, with ten 2e-7. */
#include "kernel/press.h"
#include "sim/swings/swings.h"

static double spring(const struct carom_swings *s, double deform, double *slope)
{
    double force;
    const struct carom_response want = {.elastic = &force, .slope = slope};
    carom_contacts_evaluate(s->sim->model, 0, 1, &deform, NULL, NULL, &want);
    return force;
}

/* with the bits of the law, but not its batches */
static inline double press(const struct carom_swings *s, double deform)
{
    return s->wall_hertz > 0.0 ? carom_kernel_hertz(s->wall_hertz, carom_kernel_overlap(deform))
                               : spring(s, deform, NULL);
}

/* What the rule lacks up to look i and has too much from there on: h (f''' / 720 - f' / 12), derivatives by parts of h,
 * f''' that of the quartic through forces and their rates there and at the look before, and through the force m looks
 * before. */
static double beyond(const struct carom_swings *s, const struct carom_peak_force *peak, size_t i, double m,
                     double force_m)
{
    const double h = s->stretch.h;
    double f[2], g[2];
    for (size_t k = 0; k < 2; k++) {
        const struct carom_look *look = &peak->look[i - k];
        double slope;
        f[k] = spring(s, look->deform[0], &slope);
        g[k] = -h * slope * look->rate[0]; /* time runs backwards here */
    }
    const double c2 = f[1] - f[0] - g[0], c3 = g[1] - 2.0 * (f[1] - f[0]) + g[0];
    const double c4 = (force_m - (f[0] + m * (g[0] + m * (c2 + (m - 1.0) * c3)))) / (m * m * (m - 1.0) * (m - 1.0));
    return h * (g[0] / 12.0 - (6.0 * c3 - 12.0 * c4) / 720.0);
}

/* Are the last three looks at it evenly spaced, with forces between them as smooth as polynomials? */
static bool even(const struct carom_swings *s, const struct carom_peak_force *peak)
{
    const struct carom_look *look = peak->look;
    const double h = look[2].time - look[1].time, off = fabs(look[1].time - look[0].time - h);
    double low = look[2].deform[0], high = low;
    bool all = carom_swings_wide(s) && s->copy[2]->smooth && peak->seen > 2 && h > 0.0 && off < 1e-6 * h;
    for (size_t i = 0; i < 3; i++) {
        all = all && (carom_swings_due(s, i, 0) || look[i].times[0] == look[i].time);
        low = look[i].deform[0] < low ? look[i].deform[0] : low; /* no calls of fmin and fmax at every look */
        high = look[i].deform[0] > high ? look[i].deform[0] : high;
    }
    return all && low > 0.5 * high && (!s->stretch.on || fabs(s->stretch.h - h) < 1e-6 * h);
}

/* The stretch ends at look i. */
static void end_stretch(struct carom_swings *s, const struct carom_peak_force *peak, size_t i)
{
    if (!s->stretch.on)
        return;
    s->wall += beyond(s, peak, i, 2.0, s->stretch.force[0]);
    s->stretch.on = false;
}

/* One begins at the look before the last. */
static void begin_stretch(struct carom_swings *s, const struct carom_peak_force *peak)
{
    const struct carom_look *look = peak->look;
    carom_swings_tell(s, peak, 0);
    s->stretch.on = true;
    s->stretch.h = look[2].time - look[1].time;
    s->stretch.force[1] = press(s, look[0].deform[0]);
    s->stretch.force[2] = press(s, look[1].deform[0]);
    s->wall -= beyond(s, peak, 1, -1.0, press(s, look[2].deform[0]));
}

/* The last two looks, wherever they are. Where nothing opens the overlap tells that the force neither begins nor
 * ends. */
static void lean_between(struct carom_swings *s, const struct carom_peak_force *peak)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    if (!(b->times[0] > a->times[0]))
        return;
    struct carom_course_past past;
    const struct carom_course course =
        carom_course_of(peak, 0, 1, carom_swings_wide(s), carom_swings_before(s, 0, &past));
    if (course.n > 4 && fmin(peak->look[0].deform[0], fmin(a->deform[0], b->deform[0])) > 0.0) {
        s->wall += carom_course_impulse(&course);
        return;
    }
    carom_swings_note_press(peak, 0);
    const struct carom_interval interval = carom_impulses_between(peak, 0, 1);
    s->wall += carom_interval_impulse(&interval);
}

void carom_swings_lean(struct carom_swings *s, const struct carom_peak_force *peak)
{
    double *force = s->stretch.force;
    if (!s->chain.left_wall)
        return;
    if (!even(s, peak)) {
        carom_swings_tell(s, peak, 0);
        end_stretch(s, peak, 1);
        lean_between(s, peak);
        return;
    }
    if (!s->stretch.on)
        begin_stretch(s, peak);
    force[0] = force[1];
    force[1] = force[2];
    force[2] = press(s, peak->look[2].deform[0]);
    s->wall += 0.5 * s->stretch.h * (force[1] + force[2]) + s->wall_follows * (force[2] - force[1]);
}

void carom_swings_lean_end(struct carom_swings *s, const struct carom_peak_force *peak)
{
    carom_swings_tell(s, peak, 0);
    end_stretch(s, peak, 2);
}
