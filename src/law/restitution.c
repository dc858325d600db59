/* One collision of two bodies, m d'' = -(elastic + drag d'), from touch to the end of contact, in units of the
 * undamped peak overlap L and the closing speed V (so that any units of the user work alike). Near d = 0 the law
 * has half powers of d; there d = s^4 times a length is the independent variable, in which all is smooth and the
 * end of contact is hit exactly. Around the turning point, where d' = 0, it is the time. Laws with a memory are
 * integrated as if they gave all energy back; what they lose, and how much faster they part, they say themselves. */
#include "law/restitution.h"

#include <math.h>

#include "base/power.h"
#include "carom/law.h"
#include "solve/extrapolation.h"
#include "solve/root.h"

#define STEPS 5000            /* of a collision, at most: only nearly sticking pairs need more than a hundred */
#define LOCAL_TOLERANCE 1e-14 /* hundred steps of this stay below 1e-12 */
#define STICKING 1e-9         /* separation speeds below this count as none */
#define NEARLY_OPEN 1e-4      /* s where d / L is below 1e-16 */

/* The unknowns: y[PLACE] is the overlap while the time runs, the time while the overlap runs. */
enum { PLACE, SPEED, LOST, UNKNOWNS };

struct collision {
    const struct carom_law *law;
    double value[CAROM_LAW_WIDTH]; /* the parameters */
    const double *column[CAROM_LAW_WIDTH];
    enum carom_ending ending;
    double mass, speed; /* M, V */
    double length;      /* L */
    double reach;       /* d = reach * s^4 where the overlap runs, in units of L */
    double time, peak;  /* so far */
    double floor;       /* separation speeds below this are not told apart, in units of V */
    struct carom_extrapolation system;
};

struct answer {
    double loss; /* of energy, over M V^2: (1 - e^2) / 2, accurate also when tiny */
    double e, contact_time, peak;
};

/* The history of a contact that has never been loaded. */
static const double zero = 0.0;
static const double *const unloaded[CAROM_LAW_WIDTH] = {&zero, &zero, &zero, &zero, &zero, &zero, &zero, &zero,
                                                        &zero, &zero, &zero, &zero, &zero, &zero, &zero, &zero};

/* Elastic force, drag and stored energy at overlap d, all in units of L, V and M. */
static void respond(const struct collision *c, double d, double *elastic, double *drag, double *energy)
{
    const double deform = d * c->length;
    double f = 0.0, g = 0.0, stored = 0.0;
    const struct carom_batch batch = {.law = c->law,
                                      .n = 1,
                                      .param = c->column,
                                      .history = unloaded,
                                      .deform = &deform,
                                      .elastic = &f,
                                      .drag = &g,
                                      .energy = energy ? &stored : NULL};
    c->law->evaluate(&batch);
    *elastic = f / c->speed / c->mass * (c->length / c->speed);
    *drag = g / c->mass * (c->length / c->speed);
    if (energy)
        *energy = stored / c->speed / c->mass / c->speed;
}

static void rate_in_time(const void *own, double t, const double *y, double *rate)
{
    double elastic, drag;
    (void)t;
    respond(own, y[PLACE], &elastic, &drag, NULL);
    rate[PLACE] = y[SPEED];
    rate[SPEED] = -(elastic + drag * y[SPEED]);
    rate[LOST] = drag * y[SPEED] * y[SPEED];
}

static void rate_in_overlap(const void *own, double s, const double *y, double *rate)
{
    const struct collision *c = own;
    const double s3 = s * s * s, growth = 4.0 * c->reach * s3; /* d d / d s */
    double elastic, drag;
    respond(c, c->reach * s3 * s, &elastic, &drag, NULL);
    rate[PLACE] = growth / y[SPEED];
    rate[SPEED] = -(elastic / y[SPEED] + drag) * growth;
    rate[LOST] = drag * y[SPEED] * growth;
}

/* A step of unknown length on which something becomes zero. */
struct crossing {
    struct collision *c;
    double t;
    const double *y;
    double after[UNKNOWNS];
};

static double speed_after(void *own, double h)
{
    struct crossing *k = own;
    carom_extrapolation_step(&k->c->system, k->t, h, k->y, k->after);
    return k->after[SPEED];
}

static double force_at(const struct collision *c, double d, double speed)
{
    double elastic, drag;
    respond(c, d, &elastic, &drag, NULL);
    return elastic + drag * speed;
}

static double force_after_time(void *own, double h)
{
    struct crossing *k = own;
    carom_extrapolation_step(&k->c->system, k->t, h, k->y, k->after);
    return force_at(k->c, k->after[PLACE], k->after[SPEED]);
}

static double force_after_overlap(void *own, double h)
{
    struct crossing *k = own;
    carom_extrapolation_step(&k->c->system, k->t, h, k->y, k->after);
    const double s2 = (k->t + h) * (k->t + h);
    return force_at(k->c, k->c->reach * s2 * s2, k->after[SPEED]);
}

/* Is the damping more than critical, drag^2 > 4 M slope, at overlap d? */
static bool overdamped(const struct collision *c, double d)
{
    const double deform = d * c->length;
    double slope = 0.0, drag = 0.0;
    const struct carom_batch batch = {.law = c->law,
                                      .n = 1,
                                      .param = c->column,
                                      .history = unloaded,
                                      .deform = &deform,
                                      .slope = &slope,
                                      .drag = &drag};
    c->law->evaluate(&batch);
    return drag / c->mass * drag > 4.0 * slope;
}

/* Can the pair no more separate, or only too slowly? Once the contact pulls, it slows the bodies down to the end. And
 * if the damping is more than critical all the way to d = 0, they cannot leave the creep |d'| < 2 elastic/drag: on its
 * border they slow down faster than the border does. */
static bool sticks(const struct collision *c, double d, double speed)
{
    double elastic, drag;
    respond(c, d, &elastic, &drag, NULL);
    if (c->ending == CAROM_END_FORCE || !(speed < 0.0) || !(elastic + drag * speed < 0.0))
        return false;
    if (-speed < c->floor)
        return true;
    if (!(-speed * drag < 2.0 * elastic))
        return false;
    for (double part = 1.0; part > 1e-12; part *= 0.1) /* nearly all the way out */
        if (!overdamped(c, part * d))
            return false;
    return true;
}

static enum carom_status say_it_sticks(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_REFUSED, "the pair sticks: it is damped too strongly to separate");
}

/* Touch to well inside: d = s^4 rises until it nears the peak or the bodies have slowed down. */
static enum carom_status enter(struct collision *c, double *y, struct carom_error *error)
{
    double s = 0.0, h = 0.05;
    c->reach = 1.0;
    c->system.rate = rate_in_overlap;
    y[PLACE] = 0.0;
    y[SPEED] = 1.0;
    y[LOST] = 0.0;
    while (y[SPEED] > 0.8 && s < 0.8)
        if (carom_extrapolation_advance(&c->system, 0.8, &s, &h, y, error))
            return CAROM_E_NUMERIC;
    c->time = y[PLACE];
    y[PLACE] = s * s * s * s;
    return CAROM_OK;
}

/* Around the turning point, until half the peak overlap is left. `*ended`: the force came to zero on the way. */
static enum carom_status turn(struct collision *c, double *y, bool *ended, struct carom_error *error)
{
    double t = 0.0, h = 0.05;
    c->system.rate = rate_in_time;
    for (int i = 0; i < STEPS; i++) {
        const double t0 = t, y0[UNKNOWNS] = {y[PLACE], y[SPEED], y[LOST]};
        if (carom_extrapolation_advance(&c->system, HUGE_VAL, &t, &h, y, error))
            return CAROM_E_NUMERIC;
        struct crossing k = {.c = c, .t = t0, .y = y0};
        double root = 0.0;
        if (y0[SPEED] > 0.0 && y[SPEED] <= 0.0) {
            if (carom_root_find(speed_after, &k, 0.0, t - t0, 0.0, &root, error))
                return CAROM_E_NUMERIC;
            speed_after(&k, root);
            c->peak = k.after[PLACE];
        }
        if (c->ending == CAROM_END_FORCE && y[SPEED] < 0.0 && force_at(c, y[PLACE], y[SPEED]) < 0.0) {
            if (carom_root_find(force_after_time, &k, 0.0, t - t0, 0.0, &root, error))
                return CAROM_E_NUMERIC;
            force_after_time(&k, root);
            for (size_t j = 0; j < UNKNOWNS; j++)
                y[j] = k.after[j];
            c->time += t0 + root;
            *ended = true;
            return CAROM_OK;
        }
        if (sticks(c, y[PLACE], y[SPEED]))
            break;
        if (y[SPEED] < 0.0 && y[PLACE] < 0.5 * c->peak) {
            c->time += t;
            return CAROM_OK;
        }
    }
    return say_it_sticks(error);
}

/* Out again: d = reach s^4 falls to 0, or to where the force ends the contact. Leaves the overlap in y[PLACE]. */
static enum carom_status leave(struct collision *c, double *y, struct carom_error *error)
{
    double s = 1.0, h = -0.05;
    c->reach = y[PLACE];
    c->system.rate = rate_in_overlap;
    y[PLACE] = c->time;
    for (int i = 0; i < STEPS && s > 0.0; i++) {
        const double s0 = s, y0[UNKNOWNS] = {y[PLACE], y[SPEED], y[LOST]};
        c->system.scale[SPEED] = fabs(y[SPEED]);
        /* at d = 0 the force is 0 anyway: whether it was so before shows just ahead of it */
        const double end = c->ending == CAROM_END_FORCE && s > NEARLY_OPEN ? NEARLY_OPEN : 0.0;
        if (sticks(c, c->reach * s * s * s * s, y[SPEED]) ||
            carom_extrapolation_advance(&c->system, end, &s, &h, y, NULL))
            break;
        struct crossing k = {.c = c, .t = s0, .y = y0};
        if (c->ending == CAROM_END_FORCE && force_at(c, c->reach * s * s * s * s, y[SPEED]) < 0.0) {
            double root = 0.0;
            if (carom_root_find(force_after_overlap, &k, 0.0, s - s0, 0.0, &root, error))
                return CAROM_E_NUMERIC;
            force_after_overlap(&k, root);
            for (size_t j = 0; j < UNKNOWNS; j++)
                y[j] = k.after[j];
            s = s0 + root;
            break;
        }
    }
    const bool ended = s == 0.0 || (c->ending == CAROM_END_FORCE && s < 1.0);
    if (!ended || -y[SPEED] < c->floor)
        return say_it_sticks(error);
    c->time = y[PLACE];
    y[PLACE] = c->reach * s * s * s * s;
    return CAROM_OK;
}

static enum carom_status collide(struct collision *c, struct answer *answer, struct carom_error *error)
{
    double y[UNKNOWNS], elastic, drag, stored;
    bool ended = false;
    enum carom_status status;
    respond(c, 1.0, &elastic, &drag, NULL);
    c->peak = c->time = 0.0;
    c->system = (struct carom_extrapolation){.n = UNKNOWNS, .own = c, .tolerance = LOCAL_TOLERANCE};
    c->system.scale[PLACE] = c->system.scale[SPEED] = 1.0;
    /* weak damping: the loss is wanted to its own relative accuracy */
    c->system.scale[LOST] = drag > 0.0 && drag < 1.0 ? drag : 1.0;
    if ((status = enter(c, y, error)) != CAROM_OK || (status = turn(c, y, &ended, error)) != CAROM_OK)
        return status;
    if (!ended && (status = leave(c, y, error)) != CAROM_OK)
        return status;
    stored = 0.0;
    if (c->law->nh == 0)
        respond(c, y[PLACE], &elastic, &drag, &stored);
    answer->loss = y[LOST] + stored;
    answer->e = answer->loss < 0.25 ? sqrt(1.0 - 2.0 * answer->loss) : -y[SPEED];
    answer->contact_time = c->time;
    answer->peak = c->peak;
    /* energy closes, whichever way it is counted */
    if (!(fabs(0.5 * y[SPEED] * y[SPEED] + answer->loss - 0.5) < 1e-10))
        return carom_error_set(error, CAROM_E_NUMERIC, "the collision could not be integrated accurately");
    return CAROM_OK;
}

/* Gauss and Legendre's rule in s, where d = s^2 deform, is exact to rounding for whole and half powers, and good to
 * 1e-10 for others. */
double carom_restitution_work(const struct carom_law *law, const double *const *param, double deform)
{
    static const double node[8] = {0.09501250983763744, 0.28160355077925891, 0.45801677765722739, 0.61787624440264375,
                                   0.75540440835500303, 0.86563120238783174, 0.94457502307323258, 0.98940093499164993};
    static const double weight[8] = {0.18945061045506850, 0.18260341504492359, 0.16915651939500254,
                                     0.14959598881657673, 0.12462897125553387, 0.09515851168249278,
                                     0.06225352393864789, 0.02715245941175409};
    double sum = 0.0;
    for (int i = 0; i < 16; i++) {
        const double s = 0.5 + (i < 8 ? -0.5 : 0.5) * node[i % 8], d = s * s * deform;
        double force = 0.0;
        const struct carom_batch batch = {
            .law = law, .n = 1, .param = param, .history = unloaded, .deform = &d, .elastic = &force};
        law->evaluate(&batch);
        sum += weight[i % 8] * s * force;
    }
    return sum * deform;
}

/* log of stored energy over M V^2 / 2, at the overlap 2^x */
static double log_energy(void *own, double x)
{
    const struct collision *c = own;
    const double deform = carom_power_exp2(x);
    double stored = 0.0;
    const struct carom_batch batch = {.law = c->law, .n = 1, .param = c->column, .deform = &deform, .energy = &stored};
    if (c->law->nh > 0)
        stored = carom_restitution_work(c->law, c->column, deform);
    else
        c->law->evaluate(&batch);
    return carom_power_log2(2.0 * stored) - carom_power_log2(c->mass) - 2.0 * carom_power_log2(c->speed);
}

/* Binds the parameters and finds the length L at which the elastic energy equals the kinetic. */
static enum carom_status prepare(struct collision *c, const struct carom_law *law, const double *param,
                                 enum carom_ending ending, double mass, double speed, struct carom_error *error)
{
    const size_t rows = carom_param_count(law->kind.params);
    double low = -200.0, high = 200.0, x = 0.0;
    /* a pair that has let go meets no more: nothing to latch */
    ending = ending == CAROM_END_LATCH ? CAROM_END_FORCE : ending;
    *c = (struct collision){.law = law, .ending = ending, .mass = mass, .speed = speed, .floor = STICKING};
    if (law->pull)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "law %s pulls, and slow pairs stick: give its gamma; a run tells what becomes of them",
                               law->kind.name);
    if (law->nh > 0 && !law->restitution)
        return carom_error_set(error, CAROM_E_REFUSED, "the restitution of law %s depends on its memory",
                               law->kind.name);
    if (rows > CAROM_LAW_WIDTH)
        return carom_error_set(error, CAROM_E_REFUSED, "law %s has more than %d parameters", law->kind.name,
                               CAROM_LAW_WIDTH);
    if (!(mass > 0.0 && speed > 0.0 && isfinite(mass) && isfinite(speed)))
        return carom_error_set(error, CAROM_E_INPUT, "mass and closing speed must be positive, got %g and %g", mass,
                               speed);
    for (size_t i = 0; i < rows; i++) {
        c->value[i] = param[i];
        c->column[i] = &c->value[i];
    }
    /* energies of soft laws may underflow and of stiff ones overflow at the far ends: look where they do not */
    while (low < high && !isfinite(log_energy(c, low)))
        low += 1.0;
    while (high > low && !isfinite(log_energy(c, high)))
        high -= 1.0;
    if (low >= high || carom_root_find(log_energy, c, low, high, 0.0, &x, NULL))
        return carom_error_set(error, CAROM_E_REFUSED, "law %s cannot store the energy of a pair closing with %g",
                               law->kind.name, speed);
    c->length = carom_power_exp2(x);
    return CAROM_OK;
}

enum carom_status carom_restitution_of(const struct carom_law *law, const double *param, enum carom_ending ending,
                                       double mass, double speed, double *e, double *contact_time, double *peak,
                                       struct carom_error *error)
{
    struct collision c;
    struct answer answer;
    enum carom_status status = prepare(&c, law, param, ending, mass, speed, error);
    if (status == CAROM_OK)
        status = collide(&c, &answer, error);
    if (status != CAROM_OK)
        return status;
    if (law->restitution) {
        answer.e = law->restitution(c.column, 0);
        answer.contact_time *= 0.5 * (1.0 + answer.e); /* out takes e times as long as in */
    }
    if (e)
        *e = answer.e;
    if (contact_time)
        *contact_time = answer.contact_time * (c.length / speed);
    if (peak)
        *peak = answer.peak * c.length;
    return CAROM_OK;
}

/* What the search for gamma carries along. */
struct search {
    struct collision c;
    size_t row; /* of gamma */
    double e;   /* wanted */
    struct answer answer;
};

/* How much more than wanted is lost with this gamma: rises with gamma; NaN if it cannot be computed. */
static double excess(void *own, double gamma)
{
    struct search *search = own;
    const double e = search->e;
    struct carom_error error = {.status = CAROM_OK};
    search->c.value[search->row] = gamma;
    search->answer = (struct answer){.loss = 0.0, .e = 1.0};
    if (gamma > 0.0) {
        const enum carom_status status = collide(&search->c, &search->answer, &error);
        if (status == CAROM_E_REFUSED)
            search->answer = (struct answer){.loss = 0.5, .e = 0.0}; /* sticks */
        else if (status != CAROM_OK)
            return nan("");
    }
    return e > 0.7 ? search->answer.loss - 0.5 * (1.0 - e) * (1.0 + e) : e - search->answer.e;
}

static enum carom_status closed_form(const struct carom_law *law, const double *param, double e, double *damping)
{
    const double *column[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < carom_param_count(law->kind.params) && i < CAROM_LAW_WIDTH; i++)
        column[i] = &param[i];
    *damping = law->damping_of(column, 0, e);
    return CAROM_OK;
}

enum carom_status carom_restitution_gamma(const struct carom_law *law, const double *param, enum carom_ending ending,
                                          double mass, double speed, double e, double *gamma, struct carom_error *error)
{
    struct search search = {.e = e};
    const struct carom_param *row = carom_param_find(law->kind.params, law->damping ? law->damping : "gamma");
    if (!row)
        return carom_error_set(error, CAROM_E_REFUSED, "law %s has no damping to adjust", law->kind.name);
    if (!(e > 0.0 && e <= 1.0))
        return carom_error_set(error, CAROM_E_INPUT, "restitution must be above 0 and at most 1, got %g", e);
    if (law->damping_of)
        return closed_form(law, param, e, gamma);
    search.row = (size_t)(row - law->kind.params);
    double value[CAROM_LAW_WIDTH] = {0.0}, elastic, drag, high;
    const size_t rows = carom_param_count(law->kind.params);
    for (size_t i = 0; i < rows && i < CAROM_LAW_WIDTH; i++)
        value[i] = i == search.row ? 1.0 : param[i];
    const enum carom_status status = prepare(&search.c, law, value, ending, mass, speed, error);
    if (status != CAROM_OK)
        return status;
    *gamma = 0.0;
    if (e == 1.0)
        return CAROM_OK;
    respond(&search.c, 1.0, &elastic, &drag, NULL); /* of gamma = 1: the unit in which gamma is of the size of 1 - e */
    search.c.floor = fmax(STICKING, 0.5 * e);       /* less need not be known exactly */
    high = (1.0 - e) / drag;
    for (int i = 0; i < 100 && excess(&search, high) <= 0.0; i++)
        high *= 2.0;
    if (carom_root_find(excess, &search, 0.0, high, 0.0, gamma, NULL) || isnan(excess(&search, *gamma)) ||
        !(fabs(search.answer.e - e) <= 1e-10 * e))
        return carom_error_set(error, CAROM_E_REFUSED, "no damping of law %s gives restitution %g", law->kind.name, e);
    return CAROM_OK;
}
