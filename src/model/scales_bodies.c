/* The scales of discs and spheres: V is the largest speed given, led, or reached by falling or by loads up to the
 * end of the run, but not more than a fall through the whole scene gives (where something may end it), and with what
 * contacts that pull add as they close; the contact time is that of the lightest body of each material against the
 * heaviest partner it may meet. */
#include "model/scales_bodies.h"

#include <float.h>

#include "base/power.h"
#include "base/vec.h"
#include "carom/law.h"
#include "model/bodies/meet.h"
#include "model/scales.h"
#include "solve/root.h"

#define STILL 1e-11 /* equilibria are known to 1e-12 of their forces, and leave as much motion */

/* the largest speed of a body's surface; or, without the spin of balls, that at which it may meet others */
static double speed_of(const struct carom_bodies *b, size_t i, const double *v, bool spins)
{
    const double *w = v + i * carom_bodies_nv(b);
    double square = 0.0, spin = 0.0;
    for (size_t k = 0; k < carom_bodies_nv(b); k++)
        *(k < b->dimension ? &square : &spin) += w[k] * w[k];
    const bool turns = (spins && b->body[i].surface == CAROM_BALL) || carom_bodies_tumbles(&b->body[i]);
    return fmax(sqrt(square), turns ? sqrt(spin) * carom_bodies_reach(&b->body[i]) : 0.0);
}

/* how far along gravity a place is */
static double along(const struct carom_bodies *b, const double *place, double gravity)
{
    double sum = 0.0;
    for (size_t k = 0; k < b->dimension; k++)
        sum += place[k] * b->gravity[k] / gravity;
    return sum;
}

/* What hangs from the world on a joint may swing as far below the point that is held as its centre is from it. */
static double lowest_swing(const struct carom_bodies *b, const double *q, double gravity)
{
    double lowest = -HUGE_VAL;
    for (size_t j = 0; j < b->njoints; j++) {
        const struct carom_joint *joint = &b->joint[j];
        if (joint->body[0] != CAROM_WORLD || joint->kind == CAROM_JOINT_SLIDER || joint->kind == CAROM_JOINT_WELD)
            continue;
        double centre[3] = {0.0}, apart[3] = {0.0};
        carom_bodies_centre(b, joint->body[1], q, centre);
        for (size_t k = 0; k < b->dimension; k++)
            apart[k] = centre[k] - joint->at[0][k];
        lowest = fmax(lowest, along(b, joint->at[0], gravity) + carom_vec_norm(apart));
    }
    return lowest;
}

bool carom_scales_bodies_caught(const struct carom_bodies *b)
{
    bool caught = b->nleads > 0 || b->nloads > 0 || b->njoints > 0 || b->bounded;
    for (size_t i = 0; i < b->n && !caught; i++)
        caught = b->body[i].fixed;
    return caught;
}

/* how far bodies can fall: as far apart along gravity as they stand */
static double height(const struct carom_bodies *b, const double *q, double gravity)
{
    double low = HUGE_VAL, high = -HUGE_VAL, centre[3];
    if (!carom_scales_bodies_caught(b))
        return HUGE_VAL;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double reach = body->surface == CAROM_BALL    ? body->radius
                             : body->surface == CAROM_PLANE ? 0.0
                                                            : fmax(body->size[0], fmax(body->size[1], body->size[2]));
        carom_bodies_centre(b, i, q, centre);
        low = fmin(low, along(b, centre, gravity) - reach);
        high = fmax(high, along(b, centre, gravity) + reach);
    }
    return fmax(high, lowest_swing(b, q, gravity)) - low;
}

static double largest_speed(const struct carom_bodies *b, const double *q, const double *v, double until, bool spins)
{
    double speed = 0.0, value, rate, square = 0.0;
    for (size_t i = 0; i < b->n; i++)
        speed = fmax(speed, speed_of(b, i, v, spins));
    for (size_t i = 0; i < b->nleads; i++) {
        const struct carom_lead *lead = &b->lead[i];
        double way = 0.0, turn = 0.0;
        carom_signal_largest(&lead->signal, &value, &rate);
        for (int k = 0; k < 3; k++) {
            way += lead->displacement[k] * lead->displacement[k];
            turn += lead->turn[k] * lead->turn[k];
        }
        speed = fmax(speed, rate * fmax(sqrt(way), sqrt(turn) * 2.0 * b->largest));
    }
    for (size_t j = 0; j < b->njoints; j++) /* motors; what else they move is of that order */
        if (b->joint[j].motor == CAROM_MOTOR_SPEED)
            speed = fmax(speed, fabs(b->joint[j].drive) * b->joint[j].lever);
    for (size_t k = 0; k < b->dimension; k++)
        square += b->gravity[k] * b->gravity[k];
    if (square > 0.0) {
        const double gravity = sqrt(square), fall = sqrt(2.0 * gravity * height(b, q, gravity));
        const double reached = fmin(gravity * until, fall);
        speed = reached < HUGE_VAL ? fmax(speed, reached) : speed;
    }
    for (size_t j = 0; j < b->nloads && until < HUGE_VAL; j++) {
        const struct carom_body_load *load = &b->load[j];
        carom_signal_largest(&load->signal, &value, &rate);
        const double force = value * sqrt(load->force[0] * load->force[0] + load->force[1] * load->force[1] +
                                          load->force[2] * load->force[2]);
        if (!b->body[load->body].fixed) /* pushed over the length of a radius, or until the end of the run */
            speed = fmax(speed, fmin(force / b->body[load->body].mass * until,
                                     sqrt(2.0 * force * b->largest / b->body[load->body].mass)));
    }
    return speed;
}

double carom_scales_bodies_closing(const struct carom_bodies *b, const double *q, const double *v, double until,
                                   double speed)
{
    const double closing = largest_speed(b, q, v, until, false);
    return closing < largest_speed(b, q, v, until, true) ? closing : speed;
}

/* a pair as its law sees it */
struct pair {
    const struct carom_law *law;                  /* NULL: they never meet */
    double mass, smaller, value[CAROM_LAW_WIDTH]; /* smaller: of the radii of its balls */
    const double *param[CAROM_LAW_WIDTH];
};

static void set_pair(const struct carom_bodies *b, const struct carom_body *i, const struct carom_body *j,
                     struct pair *pair)
{
    const uint32_t pairing = b->meets[i->material * b->nmaterials + j->material];
    pair->law = NULL;
    if (pairing == CAROM_UNPAIRED || carom_meet_features(i, j) == 0 || (i->fixed && j->fixed))
        return;
    const struct carom_pairing *p = &b->pairing[pairing];
    const double radius = carom_meet_radius(i, j);
    pair->law = p->law;
    pair->mass = carom_meet_mass(i, j);
    pair->smaller = j->surface == CAROM_BALL ? fmin(i->radius, j->radius) : i->radius;
    for (size_t k = 0; k < carom_param_count(p->law->kind.params); k++) {
        pair->value[k] = p->param[k].param * carom_power(radius, p->param[k].radius_power) *
                         carom_power(pair->mass, p->param[k].mass_power);
        pair->param[k] = &pair->value[k];
    }
}

/* the shortest contact of bodies i and j at speed v; HUGE_VAL if they never meet */
static double duration(const struct pair *pair, double v)
{
    const double time = pair->law ? carom_scales_duration(pair->law, pair->param, pair->mass, v) : 0.0;
    return time > 0.0 ? time : HUGE_VAL;
}

/* less the overlap of a pair at speed v, as a part of the smaller radius */
static double depth(const struct pair *pair, double v)
{
    return pair->law ? -carom_scales_overlap(pair->law, pair->param, pair->mass, v) / pair->smaller : 0.0;
}

static double force_at(const struct pair *pair, double d, double *energy)
{
    double force;
    pair->law->evaluate(&(struct carom_batch){
        .law = pair->law, .n = 1, .param = pair->param, .deform = &d, .elastic = &force, .energy = energy});
    return force;
}

static bool pushes(void *own, double d)
{
    double energy;
    return force_at(own, d, &energy) >= 0.0;
}

/* less the square of the speed that a pair gets which its contact draws in, from where it touches to where the force
 * vanishes */
static double drawn(const struct pair *pair, double size)
{
    double high = size, energy;
    struct pair copy = *pair;
    if (!pair->law || !pair->law->pull || !(pair->law->pull(pair->param, 0) > 0.0) || !pushes(&copy, high))
        return 0.0;
    while (high > DBL_MIN && pushes(&copy, 0.5 * high))
        high *= 0.5;
    high = carom_root_switch(pushes, &copy, 0.5 * high, high, 0.0, 40);
    force_at(pair, high, &energy);
    return 2.0 * energy / pair->mass;
}

/* the least of something of all pairs; it goes with the size of bodies: of each material the smallest and every wall
 * are asked */
static double least_of(const struct carom_bodies *b, double (*of)(const struct pair *pair, double with), double with)
{
    double best = HUGE_VAL;
    for (size_t m = 0; m < b->nmaterials; m++) {
        const struct carom_body *least = NULL;
        for (size_t i = 0; i < b->n; i++)
            if (b->body[i].material == m && !b->body[i].fixed && b->body[i].surface == CAROM_BALL &&
                (!least || b->body[i].radius < least->radius))
                least = &b->body[i];
        for (size_t i = 0; least && i < b->n; i++)
            if (&b->body[i] != least &&
                (i < 1000 || b->body[i].surface != CAROM_BALL || b->body[i].radius == least->radius)) {
                struct pair pair;
                set_pair(b, least, &b->body[i], &pair);
                best = fmin(best, of(&pair, with));
            }
    }
    return best;
}

static double shortest(const struct carom_bodies *b, double v)
{
    return least_of(b, duration, v);
}

double carom_scales_bodies_deepest(const struct carom_bodies *b, double speed)
{
    const double least = speed > 0.0 ? least_of(b, depth, speed) : 0.0;
    return least < HUGE_VAL ? -least : 0.0;
}

/* How far bodies have moved from their places, a thousandth of a radius at most: what a start presses them by. */
static double pressed_by(const struct carom_bodies *b, const double *q)
{
    double most = 0.0, moved[3];
    for (size_t i = 0; i < b->n; i++) {
        carom_bodies_moved(b, i, q, moved);
        for (size_t k = 0; k < b->dimension && !b->body[i].fixed; k++)
            most = fmax(most, fabs(moved[k]));
    }
    return fmin(most, 1e-3 * b->largest);
}

/* Is this speed beside that with which bodies would have to meet to be pressed so what equilibria leave? */
static bool is_still(const struct carom_bodies *b, const double *q, double speed)
{
    const double by = pressed_by(b, q);
    double meet = speed;
    for (int k = 0; k < 8 && by > 0.0; k++) /* overlaps grow with speed to a power near 1 */
        meet *= by / (meet * shortest(b, meet));
    return by > 0.0 && speed < STILL * meet && meet < HUGE_VAL;
}

enum carom_status carom_scales_bodies_find(const struct carom_model *model, const double *q, const double *v,
                                           double until, struct carom_scales *scales, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    *scales = (struct carom_scales){0.0, 0.0, 0.0};
    double speed = largest_speed(b, q, v, until, true);
    const double more = speed > 0.0 && speed < 1e150 && !b->rigid ? least_of(b, drawn, b->largest) : 0.0;
    speed = more < 0.0 ? sqrt(speed * speed - more) : speed;
    if (!(speed < 1e150))
        return carom_error_set(error, CAROM_E_INPUT,
                               "at a speed of %g the start has more energy than a number can hold", speed);
    scales->speed = speed;
    if (b->rigid) { /* no contact lasts: lengths are measured by the size of bodies */
        scales->length = 2.0 * b->largest;
        return CAROM_OK;
    }
    if (speed > 0.0) {
        const double time = shortest(b, speed);
        scales->contact_time = time < HUGE_VAL ? time : 0.0;
        if (is_still(b, q, speed)) { /* a crystal that a run has left at rest */
            *scales = (struct carom_scales){0.0, 0.0, 0.0};
            return CAROM_OK;
        }
        scales->length = speed * scales->contact_time;
        if (scales->length == 0.0 && until < HUGE_VAL)
            scales->length = speed * until;
    }
    return CAROM_OK;
}
