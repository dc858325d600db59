/* One body above a stop. Between impacts the energy v^2 / 2 + omega^2 x^2 / 2 - pull x stays, so the stop is met each
 * time with e times the speed before, and with half angles the length of a flight is an arcus tangens:
 *
 *     x(t) = x S' + v S + pull C,   S = sin(omega t) / omega,   C = 2 sin^2(omega t / 2) / omega^2,
 *     x(t) = 0 at tan(omega t / 2) = (v + u) / (omega x - 2 pull / omega),   u the speed at the stop.
 *
 * For pull < 0 and e < 1 the flights are 2 / omega atan(omega u e^n / |pull|): their sum has a limit, whose tail is
 * summed as a series in the smallest angle. */
#include "study/follow/academic.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "carom/law.h"
#include "carom/mechanism.h"

enum { MOST_IMPACTS = 1000000 };

/* Impact times add up, so they are worked out in more than double precision where the machine has it. */
struct wide {
    long double pull, omega, e, x, v; /* x and v at the start */
};

static struct wide widened(const struct carom_academic *p)
{
    return (struct wide){(long double)p->pull, (long double)p->omega, (long double)p->e,
                         (long double)p->q - (long double)p->stop, (long double)p->v};
}

/* how long until the stop is met from (x, v), with speed u; HUGE_VALL: never */
static long double flight(const struct wide *p, long double x, long double v, long double u)
{
    const long double w = p->omega;
    if (w == 0.0L) {
        if (v < 0.0L)
            return 2.0L * x / (u - v);
        return p->pull < 0.0L ? (v + u) / -p->pull : HUGE_VALL;
    }
    return 2.0L * (v < 0.0L ? atan2l(w * x, u - v) : atan2l(v + u, w * x - 2.0L * p->pull / w)) / w;
}

/* The first flight; *squared: the square of the speed at which the stop is met. */
static long double first_flight(const struct wide *p, long double *squared)
{
    *squared = p->v * p->v + (p->omega * p->x) * (p->omega * p->x) - 2.0L * p->pull * p->x;
    if (*squared < 0.0L || (p->x == 0.0L && p->v <= 0.0L))
        return p->x == 0.0L ? 0.0L : HUGE_VALL;
    return flight(p, p->x, p->v, sqrtl(*squared));
}

static void fly(const struct carom_academic *p, double x, double v, double t, struct carom_academic_place *at)
{
    const double w = p->omega;
    double s = t, c = 0.5 * t * t, cosine = 1.0;
    if (w != 0.0) {
        const double half = sin(0.5 * w * t);
        s = sin(w * t) / w;
        c = 2.0 * half * half / (w * w);
        cosine = cos(w * t);
    }
    at->q = p->stop + (x * cosine + v * s + p->pull * c);
    at->left = at->right = v * cosine + (p->pull - w * w * x) * s;
}

/* All flights to come after one that began with speed u: sum over n of 2 / omega atan(omega u e^n / |pull|). */
static long double flights_left(const struct wide *p, long double u)
{
    const long double y = p->omega * u / p->pull;
    long double sum = 1.0L / (1.0L - p->e), power = 1.0L;
    for (int k = 3; p->omega != 0.0L && k < 40; k += 2) {
        power *= -y * y;
        sum += power / (k * (1.0L - powl(p->e, k)));
    }
    return -2.0L * u / p->pull * sum;
}

static enum carom_status check(const struct carom_academic *p, double until, struct carom_error *error)
{
    if (!(p->e >= 0.0 && p->e <= 1.0))
        return carom_error_set(error, CAROM_E_INPUT, "closed form: e must be in [0, 1], got %g", p->e);
    if (!(p->q >= p->stop))
        return carom_error_set(error, CAROM_E_INPUT, "closed form: starts at %g, below the stop at %g", p->q, p->stop);
    if (!isfinite(p->q) || !isfinite(p->v) || !isfinite(p->pull) || !isfinite(p->omega) || !isfinite(until))
        return carom_error_set(error, CAROM_E_INPUT, "closed form: a parameter is not a number");
    return CAROM_OK;
}

static enum carom_status add(struct carom_academic_motion *m, size_t *room, long double time, long double speed,
                             struct carom_error *error)
{
    if (!carom_memory_room(&m->impact, m->count, room, 64, sizeof *m->impact))
        return carom_error_set(error, CAROM_E_MEMORY, "closed form: out of memory");
    if (m->count == MOST_IMPACTS)
        return carom_error_set(error, CAROM_E_REFUSED, "closed form: more than %d impacts before t = %g", MOST_IMPACTS,
                               m->until);
    const double high = (double)time;
    m->impact[m->count++] = (struct carom_academic_impact){high, (double)(time - (long double)high), (double)speed};
    return CAROM_OK;
}

/* Fills in impacts and the time of rest. */
static enum carom_status collect(struct carom_academic_motion *m, struct carom_error *error)
{
    const struct wide p = widened(&m->problem);
    const bool accumulates = p.pull < 0.0L && p.e < 1.0L;
    long double squared, time = first_flight(&p, &squared), u = sqrtl(squared > 0.0L ? squared : 0.0L);
    size_t room = 0;
    if (p.x == 0.0L && u == 0.0L) { /* at rest already, or off and back without speed */
        m->rest = p.pull <= 0.0L ? 0.0 : HUGE_VAL;
        return CAROM_OK;
    }
    if (u == 0.0L && p.pull > 0.0L)
        return CAROM_OK; /* turns where it touches */
    while (time <= (long double)m->until) {
        if (add(m, &room, time, u, error) != CAROM_OK)
            return error->status;
        u *= p.e;
        if (u == 0.0L) {
            m->rest = p.pull <= 0.0L ? (double)time : HUGE_VAL;
            return CAROM_OK;
        }
        const long double next = flight(&p, 0.0L, u, u);
        if (accumulates && next <= 1e-19L * time)
            break;
        time += next;
    }
    return CAROM_OK;
}

/* The limit of the impact times, whether before `until` or not. */
static double accumulation(const struct carom_academic *problem)
{
    const struct wide p = widened(problem);
    long double squared, time = first_flight(&p, &squared), u = p.e * sqrtl(squared);
    for (int n = 0; fabsl(p.omega * u) > 0.03L * fabsl(p.pull); n++) { /* until the series is fast */
        if (n == MOST_IMPACTS)
            return HUGE_VAL;
        time += flight(&p, 0.0L, u, u);
        u *= p.e;
    }
    return (double)(time + flights_left(&p, u));
}

enum carom_status carom_academic_open(struct carom_academic_motion *motion, const struct carom_academic *problem,
                                      double until, struct carom_error *error)
{
    struct carom_error own;
    struct carom_error *say = error != NULL ? error : &own;
    *motion = (struct carom_academic_motion){.problem = *problem, .until = until, .rest = HUGE_VAL};
    enum carom_status status = check(problem, until, say);
    if (status == CAROM_OK && problem->pull < 0.0 && problem->e < 1.0)
        motion->rest = accumulation(problem);
    if (status == CAROM_OK)
        status = collect(motion, say);
    if (status != CAROM_OK)
        carom_academic_close(motion);
    return status;
}

void carom_academic_close(struct carom_academic_motion *motion)
{
    carom_memory_free(motion->impact);
    *motion = (struct carom_academic_motion){0};
}

/* how many impacts lie at or before t */
static size_t passed(const struct carom_academic_motion *m, double t)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, m->count, m->impact[middle].time <= t);
    return low;
}

struct carom_academic_place carom_academic_at(const struct carom_academic_motion *motion, double t)
{
    const struct carom_academic *p = &motion->problem;
    struct carom_academic_place at = {p->stop, 0.0, 0.0};
    const size_t n = passed(motion, t);
    if (n == 0) {
        if (t < motion->rest)
            fly(p, p->q - p->stop, p->v, t, &at);
        return at;
    }
    const struct carom_academic_impact *last = &motion->impact[n - 1];
    if (t >= motion->rest) { /* the impacts just before are too soft to tell, unless e = 0 makes the first the last */
        at.left = last->time == t && p->e == 0.0 ? -last->speed : 0.0;
    } else if (last->time == t) { /* on the stop, both limits */
        at.left = -last->speed;
        at.right = p->e * last->speed;
        if (n == 1 && t == 0.0)
            at.left = p->v;
    } else {
        fly(p, 0.0, p->e * last->speed, (t - last->time) - last->low, &at);
        at.q = at.q > p->stop ? at.q : p->stop;
    }
    return at;
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

static double parameter(const struct carom_machine *machine, const void *own, const char *name)
{
    const struct carom_param *row = carom_param_find(machine->kind.params, name);
    return row != NULL ? carom_param_value(row, own) : nan("");
}

/* x'' from force = constant - stiffness q at a mass */
static void affine(struct carom_academic *p, double mass, double constant, double stiffness)
{
    p->omega = sqrt(stiffness / mass);
    p->pull = (constant - stiffness * p->stop) / mass;
}

static bool is_machine(const struct carom_mechanism *m, const struct carom_machine *machine)
{
    return m->mass == machine->mechanism.mass && m->force == machine->mechanism.force && m->nlinks == 0 &&
           m->njoints == 0 && m->n == 1;
}

static bool recognise_mechanism(const struct carom_mechanism *m, struct carom_academic *p)
{
    const struct carom_machine *ball = &carom_machine_ball, *oscillator = &carom_machine_oscillator;
    struct carom_signal signal;
    if (is_machine(m, ball)) {
        memcpy(&signal, (const char *)m->own + ball->signal_offset, sizeof signal);
        affine(p, 1.0, -parameter(ball, m->own, "gravity"), 0.0);
        return signal.shape == CAROM_SHAPE_NONE;
    }
    if (!is_machine(m, oscillator))
        return false;
    memcpy(&signal, (const char *)m->own + oscillator->signal_offset, sizeof signal);
    const double k = parameter(oscillator, m->own, "stiffness");
    p->stop += parameter(oscillator, m->own, "stop");
    affine(p, parameter(oscillator, m->own, "mass"), k * parameter(oscillator, m->own, "rest"), k);
    return signal.shape == CAROM_SHAPE_NONE && parameter(oscillator, m->own, "damping") == 0.0;
}

/* one bead above the left wall */
static bool recognise_bead(const struct carom_beads *beads, struct carom_academic *p)
{
    if (beads->n != 1 || beads->damper != NULL || beads->string != NULL || beads->nloads > 0 || beads->ndrives > 0)
        return false;
    affine(p, beads->mass[0], beads->weight != NULL ? beads->weight[0] : 0.0,
           beads->spring != NULL ? beads->spring[0] : 0.0);
    return true;
}

bool carom_academic_recognise(const struct carom_model *model, const double *q, const double *v,
                              struct carom_academic *problem)
{
    if (model->nparts != 1 || model->nq != 1 || model->nc != 1 || model->ngroups != 1 ||
        model->group[0].law != &carom_law_rigid || model->pair[0][0] != CAROM_WALL_LEFT || model->pair[0][1] != 0 ||
        model->wall[0] != NULL)
        return false;
    const struct carom_mechanism *mechanism = carom_mechanism_of(model);
    const struct carom_beads *beads = carom_model_chain(model);
    *problem = (struct carom_academic){.stop = -model->gap[0], .e = model->group[0].param[0][0], .q = q[0], .v = v[0]};
    const bool known =
        (mechanism && recognise_mechanism(mechanism, problem)) || (beads && recognise_bead(beads, problem));
    return known && problem->q >= problem->stop;
}
