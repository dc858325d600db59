/* A scheme at work: checks that model and scheme fit, opens the scheme's workspace. */
#include "scheme/stepper.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"

const struct carom_param carom_stepper_params[] = {
    {"step", CAROM_REAL, offsetof(struct carom_stepper_options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s",
     "time step", NULL},
    CAROM_PARAM_END,
};

/* what a scheme may miss in a model, and how to say it */
static const struct {
    unsigned trait;
    const char *lack;
} lacks[] = {
    {CAROM_COMPLIANT, "compliant contacts, not rigid ones"},
    {CAROM_RIGID, "rigid contacts (theory: nonsmooth)"},
    {CAROM_CHAIN, "a single row of beads with contacts between neighbours"},
    {CAROM_DIAGONAL_MASS, "a diagonal mass matrix"},
    {CAROM_CONSTANT_MASS, "a constant mass matrix"},
    {CAROM_FLAT, "coordinates whose rates are the velocities (no rotations)"},
    {CAROM_POTENTIAL, "forces that come from a potential"},
    {CAROM_MEMORYLESS, "contact laws without memory"},
    {CAROM_VISCOUS_TIME, "a viscous time at every contact (force = elastic + c d(elastic)/dt, with contact_end: gap)"},
    {CAROM_ONE_VISCOUS_TIME, "the same viscous time (gamma) at every contact"},
    {CAROM_UNDRIVEN, "bodies and walls whose motion is not prescribed"},
};

/* the form of a scheme that a model's contacts ask for */
static const struct carom_scheme *form_of(const struct carom_scheme *scheme, const struct carom_model *model)
{
    return model->offers & CAROM_FIXED_CONTACTS ? scheme : scheme->listed;
}

static enum carom_status fits(const struct carom_scheme *scheme, const struct carom_model *model, const void *options,
                              struct carom_error *error)
{
    if (!form_of(scheme, model))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme %s does not support contacts that come and go yet; %s do", scheme->kind.name,
                               model->offers & CAROM_COMPLIANT ? "verlet, dp5 and energy-momentum"
                                                               : "event and moreau-jean");
    scheme = form_of(scheme, model);
    const bool rigid = !(model->offers & CAROM_COMPLIANT);
    if (model->latches && !(scheme->latches && (model->offers & CAROM_CHAIN)))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme %s cannot latch these contacts: contact_end: latched needs scheme dp5 or verlet "
                               "and a single row of beads",
                               scheme->kind.name);
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (scheme->needs & ~model->offers & lacks[i].trait)
            return carom_error_set(error, CAROM_E_REFUSED, "scheme %s needs %s; scheme %s runs any model%s",
                                   scheme->kind.name, lacks[i].lack, rigid ? "event" : "dp5",
                                   rigid ? " with rigid contacts" : "");
    if (model->encounter && !scheme->meets)
        return carom_error_set(error, CAROM_E_REFUSED, "only scheme rattle supports what strikes a solid, not %s",
                               scheme->kind.name);
    if (model->frictional && !scheme->friction)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "scheme %s does not support friction (mu > 0); moreau-jean, moreau-adaptive and event do",
            scheme->kind.name);
    const struct carom_bodies *bodies = carom_model_bodies(model);
    if (bodies && bodies->njoints > 0 && !scheme->joints)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "scheme %s does not support joints between bodies; theory: nonsmooth with scheme: moreau-jean does, "
            "or event where they are few",
            scheme->kind.name);
    return scheme->accept ? scheme->accept(model, options, error) : CAROM_OK;
}

struct carom_stepper *carom_stepper_create(const struct carom_scheme *scheme, const struct carom_model *model,
                                           const void *options, const struct carom_scales *scales,
                                           struct carom_threads *threads, struct carom_error *error)
{
    if (!scheme || !model || !scales)
        return carom_error_missing(error), NULL;
    if (fits(scheme, model, options, error) != CAROM_OK)
        return NULL;
    struct carom_stepper *s = carom_memory_zeroed(1, sizeof *s);
    if (s) {
        s->scheme = form_of(scheme, model);
        s->model = model;
        s->options = options;
        s->scales = *scales;
        s->threads = threads;
        s->counts.smallest_step = HUGE_VAL;
        s->before = carom_state_create(model, carom_stepper_memory(scheme, model, options));
        s->scratch = carom_memory_zeroed(model->force_scratch, sizeof(double));
    }
    if (!s || !s->before || !s->scratch) {
        carom_stepper_free(s);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme %s", scheme->kind.name);
        return NULL;
    }
    if (s->scheme->open(s, error) != CAROM_OK) {
        carom_stepper_free(s);
        return NULL;
    }
    return s;
}

void carom_stepper_free(struct carom_stepper *stepper)
{
    if (!stepper)
        return;
    if (stepper->work)
        stepper->scheme->close(stepper);
    carom_state_free(stepper->before);
    carom_memory_free_all(stepper->scratch, stepper);
}

enum carom_status carom_stepper_move(struct carom_stepper *stepper, struct carom_device *device,
                                     struct carom_error *error)
{
    if (!stepper)
        return carom_error_missing(error);
    if (stepper->scheme->device)
        return stepper->scheme->device(stepper, device, error);
    return carom_error_set(error, CAROM_E_REFUSED,
                           "scheme %s runs this scene on the processor alone: devices take rattle on solids, and "
                           "verlet on rows of beads, discs and spheres; leave device out, or write device: none",
                           stepper->scheme->kind.name);
}

size_t carom_stepper_memory(const struct carom_scheme *scheme, const struct carom_model *model, const void *options)
{
    if (!scheme || !model)
        return 0;
    const struct carom_scheme *form = form_of(scheme, model);
    return form && form->memory ? form->memory(model, options) : 0;
}

bool carom_stepper_tells(const struct carom_param *option, double value)
{
    if (strcmp(option->name, "tol") == 0 || strcmp(option->name, "step") == 0)
        return value != 0.0;
    return value != option->standard || strcmp(option->name, "impact") == 0;
}

double carom_stepper_tol(const struct carom_stepper *stepper)
{
    return carom_param_value(carom_param_find(stepper->scheme->kind.params, "tol"),
                             stepper->asked ? stepper->asked : stepper->options);
}

void carom_stepper_count(struct carom_stepper *stepper, double h)
{
    struct carom_counts *counts = &stepper->counts;
    counts->steps++;
    counts->smallest_step = h < counts->smallest_step ? h : counts->smallest_step;
    counts->largest_step = h > counts->largest_step ? h : counts->largest_step;
}

void carom_stepper_leave_out(struct carom_stepper *stepper, double height, double e)
{
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double way = e < 1.0 ? 2.0 * height / (1.0 - e * e) : 0.0;
    stepper->left_out = fmax(stepper->left_out, fmax(height, way) / length);
}

void carom_stepper_blur(struct carom_stepper *stepper, double before, double after, double e)
{
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    stepper->blur += fabs(after + e * before) / speed;
}

double carom_stepper_noise(const struct carom_stepper *stepper, double longest, double response)
{
    return 1e-16 * stepper->scales.length + 1e-15 * (longest + response) + DBL_MIN;
}

double carom_stepper_size(const struct carom_state *state, double step, double t_stop)
{
    /* a remainder of a few rounding errors is no step of its own */
    const double left = carom_state_until(state, t_stop);
    return left < step * (1.0 + 1e-9) ? left : step;
}

void carom_stepper_arrive(struct carom_state *state, double h, double t_stop)
{
    if (h == carom_state_until(state, t_stop))
        carom_state_clock(state, t_stop);
    else
        carom_state_tick(state, h);
    state->step++;
}

bool carom_stepper_meets(const struct carom_state *state, double t, double h)
{
    return fabs(carom_state_until(state, t)) < 1e-9 * h + 4.0 * DBL_EPSILON * fabs(t);
}

void carom_stepper_turn_some(struct carom_stepper *stepper, struct carom_state *state, size_t carried)
{
    carom_state_swap(state, stepper->before);
    const struct carom_state *from = stepper->before;
    state->time = from->time;
    state->time_low = from->time_low;
    state->step = from->step;
    state->energy = from->energy;
    for (size_t i = 0; i < 2 * from->nparts + carried; i++)
        state->spent[i] = from->spent[i];
}

void carom_stepper_begin_step(struct carom_stepper *stepper, struct carom_state *state)
{
    carom_stepper_turn_some(stepper, state, state->nmemory);
}

void carom_stepper_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    (void)stepper;
    carom_state_view(view, state);
}

void carom_stepper_velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                              double *v)
{
    (void)stepper;
    memcpy(v, copy->v + first, (last - first) * sizeof *v);
}
