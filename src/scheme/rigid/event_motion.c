/* Closed forms of the flights between events and their first meeting. Parabolas meet at roots of a quadratic, groups
 * of one frequency at roots of a quadratic in tan(w t / 2), both taken without cancellation. Groups of different
 * frequencies are followed by steps that a bound on y'' makes safe, so that no root is passed over. */
#include "scheme/rigid/event_motion.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/angle.h"
#include "base/power.h"

double carom_event_motion_place(const struct carom_event_motion *m, double t)
{
    if (m->w == 0.0)
        return t * (m->v + 0.5 * m->a * t);
    const double half = carom_angle_sin(0.5 * m->w * t);
    return m->v * carom_angle_sin(m->w * t) / m->w + 2.0 * m->a * half * half / (m->w * m->w);
}

double carom_event_motion_speed(const struct carom_event_motion *m, double t)
{
    if (m->w == 0.0)
        return m->v + m->a * t;
    return m->v * carom_angle_cos(m->w * t) + m->a * carom_angle_sin(m->w * t) / m->w;
}

static bool still(const struct carom_event_motion *m)
{
    return m->v == 0.0 && m->a == 0.0;
}

/* largest |s''| */
static double bend(const struct carom_event_motion *m)
{
    return m->w == 0.0 ? fabs(m->a) : sqrt(m->a * m->a + m->v * m->w * m->v * m->w);
}

static double meet_parabola(double y0, double r, double a)
{
    if (y0 == 0.0)
        return r > 0.0 && a < 0.0 ? -2.0 * r / a : HUGE_VAL;
    const double square = r * r - 2.0 * a * y0;
    if (square < 0.0)
        return HUGE_VAL;
    const double root = sqrt(square);
    if (r < 0.0)
        return 2.0 * y0 / (root - r);
    return a < 0.0 ? (r + root) / -a : HUGE_VAL;
}

/* the phase in (0, 2 pi] that z = tan(phase / 2) stands for */
static double phase(double z)
{
    const double two_pi = 6.2831853071795864769;
    return z > 0.0 ? 2.0 * carom_angle_atan(z) : 2.0 * carom_angle_atan(z) + two_pi;
}

/* y (1 + z^2) = (y0 + 2 a / w^2) z^2 + 2 r / w z + y0 with z = tan(w t / 2) */
static double meet_oscillation(double y0, double r, double a, double w)
{
    const double A = y0 + 2.0 * a / (w * w), B = r / w, C = y0;
    if (C == 0.0)
        return r > 0.0 ? phase(-2.0 * B / A) / w : HUGE_VAL;
    const double square = B * B - A * C;
    if (square < 0.0)
        return HUGE_VAL;
    const double q = B <= 0.0 ? sqrt(square) - B : -sqrt(square) - B;
    if (q == 0.0)
        return HUGE_VAL;
    return fmin(phase(C / q), phase(q / A)) / w;
}

/* how far a gap that begins at 0 and opens is surely open */
static double surely_open(const struct carom_event_gap *g, double most)
{
    const struct carom_event_motion *m[2] = {&g->left, &g->right};
    double third = 0.0, fourth = 0.0;
    for (int i = 0; i < 2; i++) {
        third += m[i]->w * bend(m[i]);
        fourth += m[i]->w * m[i]->w * bend(m[i]);
    }
    if (g->r > 0.0)
        return 2.0 * g->r / most;
    if (g->a > 0.0)
        return 3.0 * g->a / third;
    const double jerk = g->left.w * g->left.w * g->left.v - g->right.w * g->right.w * g->right.v;
    return jerk > 0.0 ? 4.0 * jerk / fourth : 1e-6 / (g->left.w + g->right.w);
}

static double curvature(const struct carom_event_motion *m, double t)
{
    return m->w == 0.0 ? m->a : m->a * carom_angle_cos(m->w * t) - m->v * m->w * carom_angle_sin(m->w * t);
}

/* How far a gap y with rate r and second derivative a surely stays open, if its second and third derivatives are never
 * larger than `most` and `third`. The first bound is Newton's step near a root; the others help groups that move nearly
 * alike. */
static double safe_step(double y, double r, double a, double most, double third)
{
    const double root = sqrt(r * r + 2.0 * most * y);
    double h = r < 0.0 ? 2.0 * y / (root - r) : (r + root) / most;
    double thirds = carom_power(2.0 * y / third, 1.0 / 3.0); /* each of three terms takes at most a third of y */
    thirds = r < 0.0 ? fmin(thirds, y / (-3.0 * r)) : thirds;
    thirds = a < 0.0 ? fmin(thirds, sqrt(y / (-1.5 * a))) : thirds;
    h = fmax(h, thirds);
    if (r > 0.0)
        h = fmax(h, a < 0.0 ? fmin(-r / a, sqrt(3.0 * r / third)) : sqrt(6.0 * r / third));
    return r >= 0.0 && a > 0.0 ? fmax(h, 3.0 * a / third) : h;
}

/* Follows the gap by safe steps. Where gap or rate are lost in rounding, as when a gap has just begun to open, it is
 * looked at again later. */
static double meet_different(const struct carom_event_gap *g, double limit)
{
    const double most = bend(&g->left) + bend(&g->right);
    const double third = g->left.w * bend(&g->left) + g->right.w * bend(&g->right);
    double t = g->y0 == 0.0 ? surely_open(g, most) : 0.0;
    for (int i = 0; i < 10000 && t < limit; i++) {
        const double left = carom_event_motion_place(&g->left, t), right = carom_event_motion_place(&g->right, t);
        const double v = carom_event_motion_speed(&g->left, t), u = carom_event_motion_speed(&g->right, t);
        const double y = g->y0 + (right - left), noise = 2.0 * DBL_EPSILON * (g->y0 + fabs(left) + fabs(right));
        const double r = u - v, faint = 8.0 * DBL_EPSILON * (fabs(u) + fabs(v));
        if (!(y > -64.0 * noise) || (y <= noise && r < -faint))
            return t;
        if (y <= noise && r <= faint) {
            t += t;
            continue;
        }
        const double a = curvature(&g->right, t) - curvature(&g->left, t);
        const double h = safe_step(fmax(y, 0.0), r, a, most, third);
        if (t + h == t)
            return t;
        t += h;
    }
    return t < limit ? t : HUGE_VAL;
}

double carom_event_motion_meet(const struct carom_event_gap *g, double limit)
{
    const bool left = still(&g->left), right = still(&g->right);
    double t;
    if ((left && right) || (g->y0 == 0.0 && g->r <= 0.0 && g->a <= 0.0 && g->left.w == g->right.w))
        return HUGE_VAL;
    if ((left || g->left.w == 0.0) && (right || g->right.w == 0.0))
        t = meet_parabola(g->y0, g->r, g->a);
    else if (left || right || g->left.w == g->right.w)
        t = meet_oscillation(g->y0, g->r, g->a, left ? g->right.w : g->left.w);
    else
        t = meet_different(g, limit);
    return t < limit ? t : HUGE_VAL;
}
