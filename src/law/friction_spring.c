/* Springs under the cone, see friction_spring.h. Over a step the spring takes the slide that it can and slips the rest;
 * what was lost is the way times the force, less what the spring took; what a change of stiffness made of the spring's
 * energy is told apart. */
#include "law/friction_spring.h"
#include "base/vec.h"

enum { WIDE = CAROM_SPRING_WIDE };

static inline void read(const double *const *column, size_t j, size_t width, double *out)
{
    for (size_t k = 0; k < width; k++)
        out[k] = column[k][j];
}

/* the force of a contact that sticks for certain, where nothing else is asked for */
static inline void hold(const struct carom_friction_moment *m, size_t j, const struct carom_friction_spring *f,
                        size_t width, const double *spring, const double *slip, double square, double damper)
{
    double force[WIDE] = {0.0};
    carom_spring_hold(f->stiffness[0], damper, f->mu * m->normal[j], width, spring, slip, force);
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
    double spring[WIDE] = {0.0}, slip[WIDE] = {0.0};
    read(m->spring, j, width, spring);
    read(m->slip, j, width, slip);
    const double square = carom_vec_product(width, spring, spring);
    const double damper = carom_kernel_damper(k * f->gamma, m->step, m->step > 0.0 ? m->mobility[j] : 0.0);
    const bool force_only =
        m->force && !m->slips && !m->spring_rate && !m->energy && !m->power && !m->change && !m->margin;
    if (force_only && !(f->mu_static > f->mu) && carom_spring_is_below(k * k * square, f->mu * normal)) {
        hold(m, j, f, width, spring, slip, square, damper);
        return;
    }
    const double stretched = k * sqrt(square);
    const bool slips = m->slips ? m->slips[j] : carom_spring_slips(k, square, f->mu * normal);
    struct carom_spring_pull pull = {.held = 0.0};
    carom_spring_pull_of(k, damper, f->mu * normal, width, spring, slip, square, slips, m->short_time, &pull);
    const double held = pull.held, length = pull.length, onward = pull.onward, *toward = pull.toward,
                 *force = pull.force;
    const bool points = pull.points;
    carom_spring_shorten(pull.force, width, (slips || !m->slips ? f->mu : f->mu_static) * normal);
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

static inline void step_of(const struct carom_friction_step *s, size_t j, const struct carom_friction_spring *f,
                           size_t width)
{
    const double normal0 = fmax(s->normal0[j], 0.0), normal1 = fmax(s->normal1[j], 0.0);
    const bool holds = s->deform1[j] > 0.0 && normal1 > 0.0, potential = f->form == CAROM_FORM_POTENTIAL && holds;
    double before[WIDE] = {0.0}, way[WIDE] = {0.0}, force0[WIDE] = {0.0}, damper[2];
    struct carom_spring_step step;
    read(s->spring0, j, width, before);
    read(s->slide, j, width, way);
    read(s->force0, j, width, force0);
    const double stiff[2] = {f->mean, f->stiffness[1]}, mobility = s->step > 0.0 ? s->mobility[j] : 0.0;
    const double uneven =
        s->normal_mean && normal1 > 0.0 ? 2.0 * fmax(s->normal_mean[j], 0.0) / (normal0 + normal1) : 1.0;
    for (int i = 0; i < 2; i++)
        damper[i] = carom_kernel_damper(stiff[i] * f->gamma, s->step, mobility);
    carom_spring_step_of(f, s->h, width, before, way, force0, damper, holds, normal0, normal1, uneven,
                         s->slips0 && !s->slips0[j], &step);
    if (s->slips1)
        s->slips1[j] = step.slipped;
    for (size_t k = 0; k < width; k++) {
        s->impulse[k][j] = step.impulse[k];
        s->spring1[k][j] = step.after[k];
        s->force1[k][j] = -step.end[k];
    }
    s->push1[j] = potential ? 0.5 * f->slope * step.square : 0.0;
    s->lost[j] = step.lost;
    s->change[j] = potential ? 0.0 : step.change;
}

void carom_friction_spring_step(const struct carom_friction_step *s, size_t j, const struct carom_friction_spring *f)
{
    if (s->width == 1)
        step_of(s, j, f, 1);
    else
        step_of(s, j, f, WIDE);
}
