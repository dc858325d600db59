/* Speeds from forces. A bead of mass m under a force F comes to rest again, or hands on what it has, after a way w: its
 * gap to the neighbour and the overlap that carries F more than at the start. On the way it has about sqrt(2 F w / m);
 * and never more than the impulse of F over m. */
#include "model/beads/loads_scale.h"

#include "carom/law.h"
#include "model/beads/chain.h"

bool carom_loads_scale_any(const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    return beads && (beads->loaded || beads->held != 0.0) && (model->offers & CAROM_COMPLIANT);
}

double carom_loads_scale_held(const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    return beads ? beads->held : 0.0;
}

/* elastic force and slope of contact j at overlap d, histories at rest */
static double elastic(const struct carom_model *model, size_t j, double d, double *slope)
{
    static const double nothing[CAROM_LAW_WIDTH];
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    const struct carom_group *group = carom_model_group(model, j);
    for (size_t c = 0; c < group->ncolumns; c++)
        param[c] = group->param[c] + (j - group->first);
    for (size_t c = 0; c < group->law->nh; c++)
        history[c] = nothing;
    double force = 0.0;
    const struct carom_batch batch = {.law = group->law,
                                      .n = 1,
                                      .param = param,
                                      .deform = &d,
                                      .rate = nothing,
                                      .history = history,
                                      .elastic = &force,
                                      .slope = slope};
    group->law->evaluate(&batch);
    return force;
}

/* the way contact j gives under `force` more than it carries at overlap d (negative: a gap) */
static double way(const struct carom_model *model, size_t j, double d, double force)
{
    double slope;
    const double start = d > 0.0 ? d : 0.0, target = elastic(model, j, start, &slope) + force;
    double low = start, high = start > 0.0 ? 2.0 * start : 1.0;
    for (int i = 0; i < 1100 && elastic(model, j, high, &slope) < target; i++)
        low = high, high *= 2.0;
    for (int i = 0; i < 60; i++) { /* a scale, not a solution */
        const double middle = start > 0.0 || low > 0.0 ? 0.5 * (low + high) : 1e-3 * high;
        *(elastic(model, j, middle, &slope) < target ? &low : &high) = middle;
    }
    return high - d;
}

/* the largest impulse a signal gives without turning round; HUGE_VAL: it does not end */
static double impulse(const struct carom_signal *s)
{
    const double size = fabs(s->amplitude), pi = 3.14159265358979323846;
    double sum = 0.0;
    switch (s->shape) { /* nobody knows when a function of one's own ends */
    case CAROM_SHAPE_NONE:
        return 0.0;
    case CAROM_SHAPE_STEP:
        return s->duration > 0.0 ? size * s->duration : HUGE_VAL;
    case CAROM_SHAPE_HALF_SINE:
        return size * s->duration * 2.0 / pi;
    case CAROM_SHAPE_SINE:
        return size / (pi * fabs(s->frequency));
    case CAROM_SHAPE_CHIRP:
        return size / (pi * fmin(fabs(s->frequency), fabs(s->frequency_end)));
    case CAROM_SHAPE_RICKER: /* half the integral of the positive lobe's height over its width */
        return 0.5 * size / (pi * fabs(s->frequency));
    case CAROM_SHAPE_TABLE:
        for (size_t i = 1; i < s->count; i++)
            sum += 0.5 * fabs(s->height[i] + s->height[i - 1]) * (s->time[i] - s->time[i - 1]);
        return s->count > 0 && (s->height[0] != 0.0 || s->height[s->count - 1] != 0.0) ? HUGE_VAL : sum;
    default:
        return HUGE_VAL;
    }
}

/* the speed a force can give bead i, whose overlaps are `deform` */
static double speed_of(const struct carom_model *model, const struct carom_chain *c, size_t i, double force,
                       double given, const double *q)
{
    const double inverse = c->beads->inverse_mass[i];
    const size_t neighbour[2] = {i + c->shift > 0 ? i + c->shift - 1 : c->nc, i + c->shift};
    double least = HUGE_VAL;
    if (!(force > 0.0) || inverse == 0.0)
        return 0.0;
    for (size_t side = 0; side < 2; side++) {
        double deform;
        if (neighbour[side] >= c->nc)
            continue;
        carom_chain_deform(c, neighbour[side], neighbour[side] + 1, q, &deform);
        least = fmin(least, way(model, neighbour[side], deform, force));
    }
    const double stiffness = carom_loads_stiffness(c->beads, i, q[i]);
    if (stiffness > 0.0)
        least = fmin(least, force / stiffness);
    const double damper = carom_loads_damper(c->beads, i);
    const double handed_on = sqrt(2.0 * force * least * inverse), free = given * inverse;
    return fmin(fmin(handed_on, free), damper > 0.0 ? force / damper : HUGE_VAL);
}

static double from_weights(const struct carom_model *model, const struct carom_chain *c, const double *q, double until)
{
    double most = 0.0;
    for (size_t i = 0; c->beads->weight && i < c->beads->n; i++) {
        const double force = fabs(c->beads->weight[i]), speed = speed_of(model, c, i, force, force * until, q);
        if (speed < HUGE_VAL)
            most = fmax(most, speed);
    }
    return most;
}

static double from_forces(const struct carom_model *model, const struct carom_chain *c, const double *q, double until)
{
    const struct carom_beads *beads = c->beads;
    double most = 0.0;
    for (size_t k = 0; k < beads->nloads; k++) {
        double largest, rate;
        if (beads->load[k].force.shape == CAROM_SHAPE_CONSTANT && beads->held != 0.0)
            continue; /* it holds the equilibrium */
        carom_signal_largest(&beads->load[k].force, &largest, &rate);
        const double given = fmin(impulse(&beads->load[k].force), largest * until);
        const double speed = speed_of(model, c, beads->load[k].bead, largest, given, q);
        if (speed < HUGE_VAL)
            most = fmax(most, speed);
    }
    return beads->held == 0.0 ? fmax(most, from_weights(model, c, q, until)) : most;
}

double carom_loads_scale_speed(const struct carom_model *model, const double *q, double until)
{
    struct carom_chain chain = carom_chain_of(model);
    carom_chain_clock(&chain, 0.0);
    double most = from_forces(model, &chain, q, until);
    for (size_t k = 0; k < chain.beads->ndrives; k++) {
        double largest, rate;
        carom_signal_largest(&chain.beads->drive[k].place, &largest, &rate);
        most = fmax(most, rate);
    }
    return most;
}

double carom_loads_scale_fall(const struct carom_model *model, const double *q, double until)
{
    struct carom_chain chain = carom_chain_of(model);
    const struct carom_beads *beads = chain.beads;
    double open = HUGE_VAL, most = 0.0; /* nothing to land on, until a wall or a body that is held comes */
    if (!beads->weight)
        return 0.0;
    carom_chain_clock(&chain, 0.0);
    const bool right = beads->weight[0] > 0.0;
    for (size_t k = 0; k < beads->n; k++) { /* from the lowest upwards */
        const size_t i = right ? beads->n - 1 - k : k, below = right ? i + chain.shift : i + chain.shift - 1;
        double deform;
        if (k == 0 && (right ? chain.right_wall : chain.left_wall))
            open = 0.0;
        if (below < chain.nc && open < HUGE_VAL) {
            carom_chain_deform(&chain, below, below + 1, q, &deform);
            open += deform < 0.0 ? -deform : 0.0;
        }
        if (beads->driven && beads->driven[i])
            open = 0.0;
        else if (open < HUGE_VAL && !(carom_loads_stiffness(beads, i, q[i]) > 0.0)) {
            const double force = fabs(beads->weight[i]), gain = force * beads->inverse_mass[i];
            const double damper = carom_loads_damper(beads, i), falling = damper > 0.0 ? force / damper : HUGE_VAL;
            most = fmax(most, fmin(fmin(sqrt(2.0 * gain * open), gain * until), falling));
        }
    }
    return most;
}

/* Is bead i held in its place, by a drive, a spring or a string? */
static bool is_held(const struct carom_beads *beads, size_t i, double q)
{
    return (beads->driven && beads->driven[i]) || carom_loads_stiffness(beads, i, q) > 0.0;
}

double carom_loads_scale_falls(const struct carom_model *model, const double *q, double until)
{
    const struct carom_chain chain = carom_chain_of(model);
    const struct carom_beads *beads = chain.beads;
    double most = 0.0;
    if (!beads->weight || beads->nloads > 0 || beads->held != 0.0 || !(until < HUGE_VAL) ||
        (beads->weight[0] > 0.0 ? chain.right_wall : chain.left_wall))
        return 0.0;
    for (size_t k = 0; k < beads->n; k++) { /* from the lowest upwards: those above one that is held come to rest */
        const size_t i = beads->weight[0] > 0.0 ? beads->n - 1 - k : k;
        const double force = fabs(beads->weight[i]), damper = carom_loads_damper(beads, i);
        if (is_held(beads, i, q[i]))
            break;
        most = fmax(most, fmin(force * beads->inverse_mass[i] * until, damper > 0.0 ? force / damper : HUGE_VAL));
    }
    return most;
}

double carom_loads_scale_free(const struct carom_model *model, const double *q, double until)
{
    struct carom_chain chain = carom_chain_of(model);
    const struct carom_beads *beads = chain.beads;
    carom_chain_clock(&chain, 0.0);
    double most = beads->held != 0.0 ? from_weights(model, &chain, q, until) : 0.0;
    if (most > 0.0) /* at rest in equilibrium: what its weights would do to it if they came at once */
        return most;
    for (size_t i = 0; beads->weight && i < beads->n; i++)
        most = fmax(most, fabs(beads->weight[i]) * until * beads->inverse_mass[i]);
    for (size_t k = 0; k < beads->nloads; k++) {
        double largest, rate;
        carom_signal_largest(&beads->load[k].force, &largest, &rate);
        const double given = fmin(largest * until, impulse(&beads->load[k].force));
        most = fmax(most, given * beads->inverse_mass[beads->load[k].bead]);
    }
    return most;
}

double carom_loads_scale_time(const struct carom_model *model, const double *q)
{
    struct carom_chain chain = carom_chain_of(model);
    double least = HUGE_VAL;
    carom_chain_clock(&chain, 0.0);
    for (size_t j = 0; j < chain.nc; j++) {
        const int32_t left = model->pair[j][0], right = model->pair[j][1];
        const double inverse =
            (left >= 0 ? chain.beads->inverse_mass[left] : 0.0) + (right >= 0 ? chain.beads->inverse_mass[right] : 0.0);
        double deform, slope;
        carom_chain_deform(&chain, j, j + 1, q, &deform);
        if (!(deform > 0.0))
            continue;
        elastic(model, j, deform, &slope);
        if (slope * inverse > 0.0)
            least = fmin(least, 3.14159265358979323846 / sqrt(slope * inverse));
    }
    return least;
}
