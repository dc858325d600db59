/* Tangential springs held by Coulomb's cone (law/friction_spring.h), and his friction without them, one contact at a
 * time, once for processors and devices: the common subset of C and OpenCL C, as sheet.h. `width` is known to the
 * compiler: 1 in the plane and of twists, 3 in space. */
#ifndef CAROM_KERNEL_SPRING_H
#define CAROM_KERNEL_SPRING_H

#ifndef CAROM_ON_DEVICE
#include "base/vec.h"
#include "kernel/press.h"
#endif

enum { CAROM_SPRING_WIDE = 3 };

enum carom_friction_form {
    CAROM_FORM_SPRING,    /* F = k(d) x: creates energy where the overlap grows over a stretched spring */
    CAROM_FORM_POTENTIAL, /* the same and the normal force k'(d) x^2 / 2 that makes it conservative */
    CAROM_FORM_FORCE,     /* F' = k(d) x': right while the normal force grows, creates energy where it falls */
    CAROM_FORM_RESCALED,  /* the same, with F falling as k does on unloading: never creates any */
};

/* One contact of a law with springs. */
struct carom_friction_spring {
    double mu, mu_static, gamma;
    enum carom_friction_form form;
    double stiffness[2]; /* k at the overlap, or at both ends of a step; 0 where open */
    double mean;         /* of contacts that are closed at the end of a step: k in the mean over it */
    double slope;        /* k'(d), or 0; in touch, where it may have no bound, 0 as well */
    double onset;        /* see struct carom_friction */
};

/* Is a length below `most` for certain? Most contacts stick far inside the cone: they need no root and no division, and
 * those that are near it get the same bits as if all did. */
static inline bool carom_spring_is_below(double square, double most)
{
    return square < (1.0 - 1e-9) * (most * most) && most > 0.0;
}

/* x shortened to `most` if it is longer; true if it was. */
static inline bool carom_spring_shorten(double *x, size_t width, double most)
{
    const double square = carom_vec_product(width, x, x);
    if (carom_spring_is_below(square, most))
        return false;
    const double length = sqrt(square);
    if (length <= most)
        return false;
    const double scale = most / length;
    for (size_t k = 0; k < width; k++)
        x[k] *= scale;
    return true;
}

/* The mean of stiffnesses that go with the root of the overlap, which grows or falls evenly. Half of both ends would be
 * an error of the step's power 3/2 where a contact begins. */
static inline double carom_spring_mean_of_roots(double k0, double k1)
{
    const double ratio = k1 > 0.0 ? k0 / k1 : 0.0;
    return k1 * ((1.0 + ratio * (1.0 + ratio)) / (1.5 * (1.0 + ratio)));
}

/* --- at a moment -------------------------------------------------------------------------------------------------- */

/* The force of a contact that sticks for certain. */
static inline void carom_spring_hold(double k, double damper, double cone, size_t width, const double *spring,
                                     const double *slip, double *force)
{
    for (size_t i = 0; i < width; i++)
        force[i] = k * spring[i] + damper * slip[i];
    carom_spring_shorten(force, width, cone);
}

/* What a contact pulls with that may slip, before the cone holds the whole. */
struct carom_spring_pull {
    double held; /* how far a slipping spring is stretched */
    bool points; /* in the plane it cannot turn, and keeps its side until the cone has shrunk to nothing */
    double length, toward[CAROM_SPRING_WIDE], onward; /* onward: slip along the spring, which the cone holds */
    double force[CAROM_SPRING_WIDE];
};

static inline void carom_spring_pull_of(double k, double damper, double cone, size_t width, const double *spring,
                                        const double *slip, double square, bool slips, double short_time,
                                        struct carom_spring_pull *out)
{
    out->held = k > 0.0 ? cone / k : 0.0;
    out->points = square > 0.0 &&
                  (width == 1 || !(slips && out->held <= short_time * sqrt(carom_vec_product(width, slip, slip))));
    const double *along = out->points ? spring : slip;
    out->length = sqrt(carom_vec_product(width, along, along));
    const double inverse = out->length > 0.0 ? 1.0 / out->length : 0.0;
    out->onward = 0.0;
    for (size_t i = 0; i < width; i++) {
        out->toward[i] = along[i] * inverse;
        out->force[i] = (slips ? cone * out->toward[i] : k * spring[i]) + damper * slip[i];
        out->onward += slip[i] * out->toward[i];
    }
}

/* A spring that lies on the cone was put there by a division: rounding must not call it stuck. */
static inline bool carom_spring_slips(double k, double square, double cone)
{
    return k * sqrt(square) >= cone * (1.0 - 1e-12);
}

/* --- over a step -------------------------------------------------------------------------------------------------- */

/* The spring after its slide, on or inside the cone; `taken` of the slide is elastic; true if it slipped. */
static inline bool carom_spring_slide(const struct carom_friction_spring *f, const double *before, const double *way,
                                      size_t width, double limit_now, double *after, double *taken)
{
    const double k0 = f->stiffness[0], k1 = f->stiffness[1];
    const bool held = f->form == CAROM_FORM_FORCE || (f->form == CAROM_FORM_RESCALED && k1 > k0);
    const double shrink = held ? k0 / k1 : 1.0, grow = held ? f->mean / k1 : 1.0;
    double trial[CAROM_SPRING_WIDE] = {0.0};
    for (size_t k = 0; k < width; k++)
        after[k] = trial[k] = shrink * before[k] + grow * way[k];
    const bool slipped = !carom_spring_is_below(k1 * k1 * carom_vec_product(width, after, after), limit_now) &&
                         carom_spring_shorten(after, width, limit_now / k1);
    for (size_t k = 0; k < width; k++)
        taken[k] = slipped ? way[k] - (trial[k] - after[k]) / grow : way[k];
    return slipped;
}

/* What a contact does over a step. */
struct carom_spring_step {
    double after[CAROM_SPRING_WIDE], end[CAROM_SPRING_WIDE], impulse[CAROM_SPRING_WIDE];
    double lost, change, square; /* square: of the spring after it */
    bool slipped;
};

/* damper: in the mean and at the end; uneven: the mean of the normal force over half of both ends; sticks: it did at
 * the start, which counts where sticking holds more. */
static inline void carom_spring_step_of(const struct carom_friction_spring *f, double h, size_t width,
                                        const double *before, const double *way, const double *force0,
                                        const double damper[2], bool holds, double normal0, double normal1,
                                        double uneven, bool sticks, struct carom_spring_step *out)
{
    const double k0 = f->stiffness[0], k1 = f->stiffness[1];
    double taken[CAROM_SPRING_WIDE] = {0.0}, spring_mean[CAROM_SPRING_WIDE] = {0.0};
    bool capped = !holds;
    out->slipped = false;
    for (size_t k = 0; k < width; k++) {
        taken[k] = way[k];
        out->after[k] = out->end[k] = 0.0;
    }
    if (holds) {
        const double mu = sticks ? f->mu_static : f->mu, cone = mu * normal1;
        capped = carom_spring_slide(f, before, way, width, cone, out->after, taken);
        if (capped && mu > f->mu) /* from the static onto the kinetic cone */
            carom_spring_slide(f, before, way, width, f->mu * normal1, out->after, taken);
        out->slipped = capped;
        for (size_t k = 0; k < width; k++)
            out->end[k] = k1 * out->after[k] + damper[1] * way[k] / h;
        const bool cut = carom_spring_shorten(out->end, width, capped ? f->mu * normal1 : cone);
        capped = capped || cut;
        const double pull = carom_vec_product(width, force0, force0), most = mu * normal0 * (1.0 - 1e-12);
        capped = capped || (pull > 0.0 && !carom_spring_is_below(pull, most) && sqrt(pull) >= most);
    }
    for (size_t k = 0; k < width; k++) {
        spring_mean[k] = 0.5 * (k0 * before[k] + k1 * out->after[k]);
        out->impulse[k] =
            capped ? 0.5 * h * uneven * (force0[k] - out->end[k]) : -h * spring_mean[k] - damper[0] * way[k];
    }
    const double took = carom_vec_product(width, spring_mean, taken);
    out->square = carom_vec_product(width, out->after, out->after);
    out->lost = -carom_vec_product(width, out->impulse, way) / h - took;
    out->change = took - 0.5 * (k1 * out->square - k0 * carom_vec_product(width, before, before));
}

/* --- without a spring --------------------------------------------------------------------------------------------- */

/* Force over slip: mu times the normal force in full above slip_speed, viscous below, as far as a step bears it. */
static inline double carom_spring_none(double mu, double slip_speed, double normal, double speed, double step,
                                       double mobility)
{
    const double drag = normal > 0.0 ? mu * normal / fmax(speed, slip_speed) : 0.0;
    return carom_kernel_damper(drag, step, mobility);
}

/* --- how the plane of a contact in space turns -------------------------------------------------------------------- */

/* From one normal to another, and about that with the bodies' mean spin. */
struct carom_turning {
    double to[3], axis[3], cosine, c, s;
};

/* From one normal to another, and on about it by the angle of which this is one part in two. */
static inline void carom_turning_between(const double from[3], const double to[3], double part,
                                         struct carom_turning *out)
{
    const double square = part * part;
    for (int k = 0; k < 3; k++)
        out->to[k] = to[k];
    carom_vec_cross(from, to, out->axis);
    out->cosine = carom_vec_dot(from, to);
    out->c = (1.0 - square) / (1.0 + square); /* a rotation by that angle to third order, and exactly a rotation */
    out->s = 2.0 * part / (1.0 + square);
}

/* Half the angle by which two bodies turn about the normal in a step of size h, as far as they turn. */
static inline double carom_turning_twist(const double to[3], const double wa[3], bool a_turns, const double wb[3],
                                         bool b_turns, double h)
{
    double rate = 0.0;
    for (int k = 0; k < 3; k++)
        rate += to[k] * ((a_turns ? wa[k] : 0.0) + (b_turns ? wb[k] : 0.0));
    return 0.5 * h * rate / (a_turns && b_turns ? 2.0 : 1.0);
}

/* A tangential vector of space carried along. */
static inline void carom_turning_carry(const struct carom_turning *t, double x[3])
{
    double turned[3], twist[3];
    const double along = carom_vec_dot(t->axis, x) / (1.0 + t->cosine);
    carom_vec_cross(t->axis, x, turned);
    for (int k = 0; k < 3; k++)
        turned[k] += t->cosine * x[k] + along * t->axis[k];
    carom_vec_cross(t->to, turned, twist);
    const double level = carom_vec_dot(t->to, turned);
    for (int k = 0; k < 3; k++)
        x[k] = t->c * turned[k] + t->s * twist[k] - t->c * level * t->to[k];
}

#endif
