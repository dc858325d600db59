/* In a long row with es below 1 some contact turns, opens or closes all the time: steps that ended at each of them
 * would be as many as there are contacts. A step takes them as if modes lasted to its end. What that makes wrong is
 * known to lowest order, and mended: x beyond a turn, by (new rate - old rate) times the way of a since; the impulse
 * and the double integral of the force, by quadratures that know where its corner is; W times these in a and x of the
 * neighbours. What is then left is smaller by the square of (frequency x time since the corner), which decides. */
#include "impact/lzb.h"

#include <math.h>

#include "impact/lzb_modes.h"
#include "impact/lzb_step.h"
#include "solve/control.h"

/* of the tolerance: what may be left of one corner */
static const double share = 0.005;

/* of a step taken again: what is left of a corner falls with about the fifth power of the time since it */
static const struct carom_control control = {.safety = 0.9, .power = -0.2, .least = 0.1, .most = 0.9};

enum { POINTS = 8 };

/* Gauss-Legendre on [0, 1] */
static const double gauss_at[POINTS] = {0.019855071751231912, 0.10166676129318664, 0.2372337950418355,
                                        0.40828267875217511,  0.59171732124782495, 0.7627662049581645,
                                        0.89833323870681336,  0.98014492824876809};
static const double gauss_weight[POINTS] = {0.050614268145188185, 0.11119051722668709, 0.15685332293894372,
                                            0.18134189168918102,  0.18134189168918102, 0.15685332293894372,
                                            0.11119051722668709,  0.050614268145188185};

/* The integral of a from the beginning to part s of the trial step of length h: that of the cubic through both ends,
 * and of s^2 (1 - s)^2 so that it is right at the end. */
static double way(const struct carom_lzb *w, size_t i, double h, double s)
{
    const struct carom_cubic a = carom_lzb_step_speed(w, i, h);
    const double rest = carom_lzb_step_way(w, i, h) / h - carom_cubic_integral(&a, 1.0);
    return h * (30.0 * rest * s * s * s * (1.0 / 3.0 - s * (0.5 - 0.2 * s)) + carom_cubic_integral(&a, s));
}

/* largest square of a frequency that contact i and its neighbours have in the trial step */
static double square_frequency(const struct carom_lzb *w, size_t i, double x, double r)
{
    double most = 0.0;
    for (size_t j = i > 0 ? i - 1 : 0; j < w->n && j <= i + 1; j++) {
        const double size = j == i ? x : fmax(w->x[j], w->new_x[j]), rate = j == i ? r : w->r[j];
        if (size > 0.0)
            most = fmax(most, w->frame->diagonal[j] * rate * w->p[j] * carom_lzb_force(w, j, size) / size);
    }
    return most;
}

/* Notes a corner if what is left of it, mended so, is small enough; `time` since it. Otherwise *part is where the step
 * ought to end: at the corner, or so much earlier that it will do, whichever is later. `push` is an impulse that says
 * how sharp it is. */
static bool note(struct carom_lzb *w, struct carom_lzb_corner *corner, double square, double time, double push,
                 double *part)
{
    const double feedback = square * time * time, most = share * w->options.impact_tol;
    corner->left = w->frame->diagonal[corner->contact] * push * feedback;
    const double worst = fmax(corner->left / w->speed, corner->left * time / w->size[corner->contact]) / most;
    if (feedback < 1.0 && worst <= 1.0) {
        w->corner[w->corners++] = *corner;
        return true;
    }
    const double shorter = fmin(0.8 / sqrt(feedback), carom_control_factor(&control, fmax(worst, 1.0)));
    *part = fmax(*part, fmax(shorter, control.least));
    return false;
}

/* neighbours that are held, or will be where their a is 0, must not be pushed afterwards */
static bool mendable(const struct carom_lzb *w, size_t i)
{
    const bool before = i > 0 && w->e[i - 1] < CAROM_LZB_SMALL, after = i + 1 < w->n && w->e[i + 1] < CAROM_LZB_SMALL;
    const bool held = (i > 0 && w->mode[i - 1] == CAROM_LZB_HELD) || (i + 1 < w->n && w->mode[i + 1] == CAROM_LZB_HELD);
    return w->mends && !before && !after && !held;
}

/* too much happens to one contact in this step */
static bool crowded(double *part)
{
    *part = fmax(*part, 0.5);
    return false;
}

bool carom_lzb_pass_turn(struct carom_lzb *w, size_t i, double h, double *at)
{
    const double part = *at;
    const bool in = w->mode[i] == CAROM_LZB_IN;
    const double other = in ? 1.0 / (w->e[i] * w->e[i]) : 1.0, rate = other - w->r[i];
    const double since = way(w, i, h, part);
    struct carom_lzb_corner corner = {.contact = i, .part = part, .rate = rate, .since = since};
    if (!mendable(w, i))
        return false;
    if (!((in ? -1.0 : 1.0) * w->new_a[i] > 0.0))
        return crowded(at);
    corner.dx = rate * (way(w, i, h, 1.0) - since);
    corner.x = w->mode[i] == CAROM_LZB_OPEN ? 0.0 : carom_lzb_step_between(w, i, h, part);
    const double end = fmax(w->new_x[i], 0.0) + corner.dx;
    if (w->mode[i] != CAROM_LZB_OPEN && !(w->new_x[i] > 0.0 && corner.x > 1e-9 * w->size[i]))
        return crowded(at);
    if (!(end > 1e-9 * corner.x))
        return crowded(at);
    for (int k = 0; k < POINTS; k++) {
        const double s = part + (1.0 - part) * gauss_at[k];
        const double x = w->mode[i] == CAROM_LZB_OPEN ? 0.0 : carom_lzb_step_between(w, i, h, s);
        const double more = rate * (way(w, i, h, s) - since);
        const double force = carom_lzb_force(w, i, x + more) - carom_lzb_force(w, i, x);
        corner.once += h * (1.0 - part) * gauss_weight[k] * force;
        corner.twice += h * h * (1.0 - part) * gauss_weight[k] * (1.0 - s) * force;
    }
    const double square = square_frequency(w, i, fmax(corner.x, end), fmax(w->r[i], other));
    return note(w, &corner, square, (1.0 - part) * h, 0.05 * fabs(corner.once), at);
}

bool carom_lzb_pass_opening(struct carom_lzb *w, size_t i, double h, double *at)
{
    const double part = *at;
    struct carom_lzb_corner corner = {.contact = i, .part = part, .opens = true};
    if (!mendable(w, i))
        return false;
    if (!(w->new_a[i] < 0.0))
        return crowded(at);
    const bool root = w->p[i] != floor(w->p[i]); /* then at part (1 - z^2) the force is smooth in z */
    for (int k = 0; k < POINTS; k++) {
        const double z = gauss_at[k], s = part * (root ? 1.0 - z * z : z);
        const double push = h * part * gauss_weight[k] * (root ? 2.0 * z : 1.0) *
                            carom_lzb_force(w, i, carom_lzb_step_between(w, i, h, s));
        corner.once += push;
        corner.twice += h * (1.0 - s) * push;
    }
    corner.once -= w->push[i];
    corner.twice -= carom_lzb_step_twice(w, i, h);
    /* what the stages did not see: a force that would have gone on to pull */
    const double pull = carom_lzb_force(w, i, -w->new_x[i]) * (1.0 - part) * h / (1.0 + w->p[i]);
    const double push = 0.05 * fabs(corner.once) + 0.1 * pull;
    return note(w, &corner, square_frequency(w, i, w->x[i], w->r[i]), h, push, at);
}

double carom_lzb_pass_force(const struct carom_lzb *w, size_t i, double h, double s)
{
    double x = w->mode[i] == CAROM_LZB_OPEN ? 0.0 : carom_lzb_step_between(w, i, h, s);
    for (size_t k = 0; k < w->corners; k++)
        if (w->corner[k].contact == i && s > w->corner[k].part)
            x = w->corner[k].opens ? 0.0 : x + w->corner[k].rate * (way(w, i, h, s) - w->corner[k].since);
    return carom_lzb_force(w, i, x);
}

void carom_lzb_pass_apply(struct carom_lzb *w)
{
    for (size_t k = 0; k < w->corners; k++) {
        const struct carom_lzb_corner *corner = w->corner + k;
        const size_t i = corner->contact;
        for (size_t j = i > 0 ? i - 1 : 0; j < w->n && j <= i + 1; j++) {
            const double by = j < i ? w->left[i] : j > i ? w->left[j] : w->frame->diagonal[i];
            w->a[j] -= by * corner->once;
            w->x[j] -= w->r[j] * by * corner->twice;
        }
        w->impulse[i] += corner->once;
        w->blur[i] += corner->left;
    }
    for (size_t k = 0; k < w->corners; k++) {
        const struct carom_lzb_corner *corner = w->corner + k;
        const size_t i = corner->contact;
        const double x = w->x[i] + corner->dx;
        /* below 0 as far as it tells when it opened */
        w->x[i] = corner->opens ? (1.0 - corner->part) * w->taken * w->r[i] * w->a[i] : corner->x;
        if (corner->opens)
            carom_lzb_modes_open(w, i);
        else
            carom_lzb_modes_turn(w, i);
        w->x[i] = corner->opens ? 0.0 : fmax(x, 0.0);
    }
    w->corners = 0;
}
