/* Springs under the cone, see friction_spring.h. Over a step the spring takes the slide that it can and slips the rest;
 * what was lost is the way times the force, less what the spring took; what a change of stiffness made of the spring's
 * energy is told apart. */
#include "law/friction_spring.h"
#include "base/vec.h"

enum { WIDE = 3 };

static inline void read(const double *const *column, size_t j, size_t width, double *out)
{
    for (size_t k = 0; k < width; k++)
        out[k] = column[k][j];
}

/* Is a length below `most` for certain? Most contacts stick far inside the cone: they need no root and no division, and
 * those that are near it get the same bits as if all did. */
static inline bool is_below(double square, double most)
{
    return square < (1.0 - 1e-9) * (most * most) && most > 0.0;
}

/* x shortened to `most` if it is longer; true if it was */
static inline bool shorten(double *x, size_t width, double most)
{
    const double square = carom_vec_product(width, x, x);
    if (is_below(square, most))
        return false;
    const double length = sqrt(square);
    if (length <= most)
        return false;
    const double scale = most / length;
    for (size_t k = 0; k < width; k++)
        x[k] *= scale;
    return true;
}

/* the force of a contact that sticks for certain, where nothing else is asked for */
static inline void hold(const struct carom_friction_moment *m, size_t j, const struct carom_friction_spring *f,
                        size_t width, const double *spring, const double *slip, double square, double damper)
{
    const double k = f->stiffness[0];
    double force[WIDE] = {0.0};
    for (size_t i = 0; i < width; i++)
        force[i] = k * spring[i] + damper * slip[i];
    shorten(force, width, f->mu * m->normal[j]);
    for (size_t i = 0; i < width; i++)
        m->force[i][j] = -force[i];
    if (m->push)
        m->push[j] = f->form == CAROM_FORM_POTENTIAL ? 0.5 * f->slope * square : 0.0;
}

/* `width` is m->width, known to the compiler */
static inline void moment_of(const struct carom_friction_moment *m, size_t j, const struct carom_friction_spring *f,
                             size_t width)
{
    const bool closed = m->deform[j] > 0.0;
    const double normal = closed && m->normal[j] > 0.0 ? m->normal[j] : 0.0, k = f->stiffness[0];
    double spring[WIDE] = {0.0}, slip[WIDE] = {0.0}, force[WIDE] = {0.0};
    read(m->spring, j, width, spring);
    read(m->slip, j, width, slip);
    const double square = carom_vec_product(width, spring, spring);
    const double damper = carom_kernel_damper(k * f->gamma, m->step, m->step > 0.0 ? m->mobility[j] : 0.0);
    const bool force_only =
        m->force && !m->slips && !m->spring_rate && !m->energy && !m->power && !m->change && !m->margin;
    if (force_only && !(f->mu_static > f->mu) && is_below(k * k * square, f->mu * normal)) {
        hold(m, j, f, width, spring, slip, square, damper);
        return;
    }
    const double stretched = k * sqrt(square);
    /* a spring that lies on the cone was put there by a division: rounding must not call it stuck */
    const bool slips = m->slips ? m->slips[j] : stretched >= f->mu * normal * (1.0 - 1e-12);
    const double held = k > 0.0 ? f->mu * normal / k : 0.0; /* how far a slipping spring is stretched */
    /* in the plane it cannot turn, and keeps its side until the cone has shrunk to nothing */
    const bool points =
        square > 0.0 && (width == 1 || !(slips && held <= m->short_time * sqrt(carom_vec_product(width, slip, slip))));
    const double *along = points ? spring : slip, length = sqrt(carom_vec_product(width, along, along));
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    double toward[WIDE] = {0.0}, onward = 0.0; /* slip along the spring, which the cone holds */
    for (size_t i = 0; i < width; i++) {
        toward[i] = along[i] * inverse;
        force[i] = (slips ? f->mu * normal * toward[i] : k * spring[i]) + damper * slip[i];
        onward += slip[i] * toward[i];
    }
    shorten(force, width, (slips || !m->slips ? f->mu : f->mu_static) * normal);
    const bool follows = f->form == CAROM_FORM_FORCE || (f->form == CAROM_FORM_RESCALED && m->rate[j] > 0.0);
    const double swelling = k > 0.0 ? f->slope * m->rate[j] / k : 0.0; /* of the stiffness */
    for (size_t i = 0; m->force && i < width; i++)
        m->force[i][j] = -force[i];
    /* in touch a spring that follows the stiffness goes as it will just after: it is nothing there, and so is what it
     * would be divided by */
    const bool begins = follows && !(f->slope > 0.0);
    for (size_t i = 0; m->spring_rate && i < width; i++) {
        /* a spring at the cone only turns, as fast as the slip across it turns one of the length that it has there */
        const double across = held > 0.0 ? (slip[i] - onward * toward[i]) * (length / held) : 0.0;
        m->spring_rate[i][j] = !closed           ? 0.0
                               : slips && points ? across
                               : slips           ? 0.0
                               : begins          ? f->onset * slip[i]
                                                 : slip[i] - (follows ? swelling * spring[i] : 0.0);
    }
    /* of a slipping spring, as far as the cone stretches it; where that begins at no stiffness, it is not there yet */
    const double grows = 0.5 * f->slope * m->rate[j] * (slips ? fmin(held * held, 4.0 * square) : square);
    const double change = f->form == CAROM_FORM_POTENTIAL ? 0.0 : follows ? grows : -grows;
    const double push =
        f->form != CAROM_FORM_POTENTIAL || !closed ? 0.0 : 0.5 * f->slope * (slips ? held * held : square);
    if (m->push)
        m->push[j] = push;
    if (m->energy)
        m->energy[j] = 0.5 * k * square;
    if (m->power) /* of slipping contacts, with what their spring takes: its energy is known from the cone */
        m->power[j] = carom_vec_product(width, force, slip) +
                      (slips ? push * m->rate[j] - change : -k * carom_vec_product(width, spring, slip));
    if (m->change)
        m->change[j] = change;
    if (m->margin)
        m->margin[j] = slips ? onward - (follows ? swelling * held : 0.0) : f->mu_static * normal - stretched;
}

void carom_friction_spring_moment(const struct carom_friction_moment *m, size_t j,
                                  const struct carom_friction_spring *f)
{
    if (m->width == 1)
        moment_of(m, j, f, 1);
    else
        moment_of(m, j, f, WIDE);
}

/* the spring after its slide, on or inside the cone; `taken` of the slide is elastic; true if it slipped */
static inline bool slide(const struct carom_friction_spring *f, const double *before, const double *way, size_t width,
                         double limit_now, double *after, double *taken)
{
    const double k0 = f->stiffness[0], k1 = f->stiffness[1], mean = 0.5 * (k0 + k1);
    const bool held = f->form == CAROM_FORM_FORCE || (f->form == CAROM_FORM_RESCALED && k1 > k0);
    const double shrink = held ? k0 / k1 : 1.0, grow = held ? mean / k1 : 1.0;
    double trial[WIDE] = {0.0};
    for (size_t k = 0; k < width; k++)
        after[k] = trial[k] = shrink * before[k] + grow * way[k];
    const bool slipped =
        !is_below(k1 * k1 * carom_vec_product(width, after, after), limit_now) && shorten(after, width, limit_now / k1);
    for (size_t k = 0; k < width; k++)
        taken[k] = slipped ? way[k] - (trial[k] - after[k]) / grow : way[k];
    return slipped;
}

static inline void step_of(const struct carom_friction_step *s, size_t j, const struct carom_friction_spring *f,
                           size_t width)
{
    const double k0 = f->stiffness[0], k1 = f->stiffness[1], h = s->h;
    const double normal0 = fmax(s->normal0[j], 0.0), normal1 = fmax(s->normal1[j], 0.0);
    double before[WIDE] = {0.0}, way[WIDE] = {0.0}, force0[WIDE] = {0.0}, after[WIDE] = {0.0}, taken[WIDE] = {0.0},
           end[WIDE] = {0.0}, impulse[WIDE] = {0.0};
    read(s->spring0, j, width, before);
    read(s->slide, j, width, way);
    read(s->force0, j, width, force0);
    for (size_t k = 0; k < width; k++)
        taken[k] = way[k];
    double damper[2];
    for (int i = 0; i < 2; i++)
        damper[i] =
            carom_kernel_damper(f->stiffness[i] * f->gamma, s->step, s->step > 0.0 ? s->mobility[j] : 0.0);
    const bool holds = s->deform1[j] > 0.0 && normal1 > 0.0;
    bool capped = !holds;
    if (s->slips1)
        s->slips1[j] = false;
    if (holds) {
        const double mu = s->slips0 && !s->slips0[j] ? f->mu_static : f->mu, cone = mu * normal1;
        capped = slide(f, before, way, width, cone, after, taken);
        if (capped && mu > f->mu) /* from the static onto the kinetic cone */
            slide(f, before, way, width, f->mu * normal1, after, taken);
        if (s->slips1)
            s->slips1[j] = capped;
        for (size_t k = 0; k < width; k++)
            end[k] = k1 * after[k] + damper[1] * way[k] / h;
        capped |= shorten(end, width, capped ? f->mu * normal1 : cone);
        const double pull = carom_vec_product(width, force0, force0), most = mu * normal0 * (1.0 - 1e-12);
        capped = capped || (!is_below(pull, most) && sqrt(pull) >= most);
    }
    double spring_mean[WIDE] = {0.0};
    for (size_t k = 0; k < width; k++) {
        spring_mean[k] = 0.5 * (k0 * before[k] + k1 * after[k]);
        impulse[k] =
            capped ? 0.5 * h * (force0[k] - end[k]) : -h * spring_mean[k] - 0.5 * (damper[0] + damper[1]) * way[k];
        s->impulse[k][j] = impulse[k];
        s->spring1[k][j] = after[k];
        s->force1[k][j] = -end[k];
    }
    const double square0 = carom_vec_product(width, before, before), square1 = carom_vec_product(width, after, after);
    const double took = carom_vec_product(width, spring_mean, taken);
    s->push1[j] = f->form == CAROM_FORM_POTENTIAL && holds ? 0.5 * f->slope * square1 : 0.0;
    s->lost[j] = -carom_vec_product(width, impulse, way) / h - took;
    s->change[j] = f->form == CAROM_FORM_POTENTIAL && holds ? 0.0 : took - 0.5 * (k1 * square1 - k0 * square0);
}

void carom_friction_spring_step(const struct carom_friction_step *s, size_t j, const struct carom_friction_spring *f)
{
    if (s->width == 1)
        step_of(s, j, f, 1);
    else
        step_of(s, j, f, WIDE);
}
