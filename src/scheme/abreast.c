/* Rows side by side on a device. A call of the kernel takes many steps with all rows; between calls somebody may stop
 * it. Numbers of rows go to the device and back once a run. */
#include "scheme/abreast.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "kernel/texts.h"
#include "scheme/stepper.h"

struct carom_abreast {
    struct carom_device *device;
    struct carom_device_program *program;
    char head[300]; /* of the program, */
    const struct carom_abreast_scheme *scheme;
};

/* one batch under way */
struct way {
    struct carom_abreast *abreast;
    const struct carom_abreast_scheme *scheme;
    struct carom_abreast_rows r;
    struct carom_device_memory *memory[CAROM_ABREAST_MEMORIES];
};

struct carom_abreast *carom_abreast_open(struct carom_device *device, struct carom_error *error)
{
    struct carom_abreast *abreast = carom_memory_zeroed(1, sizeof *abreast);
    if (abreast)
        abreast->device = device;
    else
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    return abreast;
}

void carom_abreast_close(struct carom_abreast *abreast)
{
    if (abreast)
        carom_device_program_free(abreast->program);
    carom_memory_free(abreast);
}

/* --- to the device and back --------------------------------------------------------------------------------------- */

/* the program that takes all rows; compiled unless it was the last one's */
static bool prepare(struct way *w, struct carom_stepper *const *stepper, struct carom_error *error)
{
    struct carom_abreast *a = w->abreast;
    const char *text[2 + CAROM_ABREAST_TEXTS] = {carom_texts_lane};
    char head[sizeof a->head];
    size_t ntexts = 2;
    w->scheme->head(&w->r, stepper, head, sizeof head);
    if (a->program && a->scheme == w->scheme && strcmp(head, a->head) == 0)
        return true;
    carom_device_program_free(a->program);
    memcpy(a->head, head, sizeof head);
    a->scheme = w->scheme;
    text[1] = a->head;
    for (size_t i = 0; i < CAROM_ABREAST_TEXTS && w->scheme->text[i]; i++)
        text[ntexts++] = w->scheme->text[i];
    a->program = carom_device_compile(a->device, w->scheme->scheme->kind.name, text, ntexts, error);
    if (a->program)
        carom_device_group(a->program, w->r.group, 1);
    return a->program != NULL;
}

static size_t bytes_of(const struct way *w, size_t array)
{
    return w->r.length[array] * w->r.rows * sizeof(double);
}

static bool take(struct way *w, struct carom_error *error)
{
    for (size_t m = 0; m < w->scheme->arrays; m++) {
        w->memory[m] = carom_device_take(w->abreast->device, bytes_of(w, m), error);
        if (!w->memory[m])
            return false;
        w->r.number[m] =
            m < w->scheme->sent ? carom_memory_zeroed(w->r.length[m] * w->r.rows + 1, sizeof(double)) : NULL;
        if (m < w->scheme->sent && !w->r.number[m])
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains") == CAROM_OK;
    }
    return true;
}

void carom_abreast_put(const struct carom_abreast_rows *r, size_t array, size_t c, size_t first, size_t count,
                       const double *from)
{
    for (size_t i = 0; i < count; i++)
        r->number[array][(first + i) * r->rows + c] = from[i];
}

void carom_abreast_take(const struct carom_abreast_rows *r, size_t array, size_t c, size_t first, size_t count,
                        double *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = r->number[array][(first + i) * r->rows + c];
}

static bool send(struct way *w, struct carom_stepper *const *stepper, struct carom_state *const *state,
                 struct carom_error *error)
{
    for (size_t c = 0; c < w->r.rows; c++)
        if (!w->scheme->tell(&w->r, c, stepper[c], state[c]))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains") == CAROM_OK;
    for (size_t m = 0; m < w->scheme->sent; m++)
        carom_device_write(w->memory[m], w->r.number[m], bytes_of(w, m));
    return true;
}

static void read_back(struct way *w)
{
    for (size_t m = w->scheme->first_back; m < w->scheme->sent; m++)
        carom_device_read(w->memory[m], w->r.number[m], bytes_of(w, m));
}

static void receive(const struct way *w, const struct carom_state *clock, struct carom_stepper *const *stepper,
                    struct carom_state *const *state, bool *broken)
{
    for (size_t c = 0; c < w->r.rows; c++) {
        broken[c] = !w->scheme->hear(&w->r, c, stepper[c], state[c]);
        if (broken[c])
            continue;
        state[c]->time = clock->time;
        state[c]->time_low = clock->time_low;
        stepper[c]->counts.steps += clock->step - state[c]->step;
        state[c]->step = clock->step;
    }
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void go(struct way *w, double h, uint64_t steps)
{
    const uint64_t rows = w->r.rows;
    struct carom_device_argument argument[3 + CAROM_ABREAST_MEMORIES] = {{.value = &rows, .size = sizeof rows},
                                                                         {.value = &h, .size = sizeof h},
                                                                         {.value = &steps, .size = sizeof steps}};
    const size_t places[2] = {w->r.rows * w->r.places, 1};
    for (size_t m = 0; m < w->scheme->arrays; m++)
        argument[3 + m].memory = w->memory[m];
    if (steps > 0)
        carom_device_run(w->abreast->program, "runs", places, argument, 3 + w->scheme->arrays);
}

/* Moves the clock by up to `most` steps of one size and takes them; what is left of another size goes next time. */
static void stride(struct way *w, struct carom_state *clock, double step, double until, uint64_t most)
{
    const double h = carom_stepper_size(clock, step, until);
    uint64_t steps = 0;
    while (steps < most && carom_state_until(clock, until) > 0.0 && carom_stepper_size(clock, step, until) == h) {
        carom_stepper_arrive(clock, h, until);
        steps++;
    }
    go(w, h, steps);
}

/* is the next step one for the device? */
static bool goes_on(const struct way *w, const struct carom_state *clock, double step, double until)
{
    return carom_state_until(clock, until) > 0.0 &&
           (!w->scheme->even || carom_stepper_size(clock, step, until) == step);
}

/* a call takes about half a second, so that Ctrl-C does not wait */
static enum carom_status take_steps(struct way *w, struct carom_state *clock, double step, double until,
                                    const struct carom_abreast_watch *watch, struct carom_error *error)
{
    uint64_t most = 64;
    while (goes_on(w, clock, step, until)) {
        const double began = carom_clock_now();
        stride(w, clock, step, until, most);
        const enum carom_status status = carom_device_finish(w->abreast->device, error);
        if (status != CAROM_OK)
            return status;
        if (watch && watch->call && !watch->call(watch->own, clock->time))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", clock->time, until);
        const double took = carom_clock_now() - began;
        most = took < 0.25 ? 2 * most : took > 1.0 && most > 1 ? most / 2 : most;
    }
    return CAROM_OK;
}

/* what is left to the processor */
static void end_alone(const struct way *w, struct carom_stepper *const *stepper, struct carom_state *const *state,
                      double until, bool *broken)
{
    const struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = 1};
    for (size_t c = 0; c < w->r.rows; c++)
        while (!broken[c] && carom_state_until(state[c], until) > 0.0)
            broken[c] = w->scheme->scheme->step(stepper[c], state[c], &bound, NULL) != CAROM_OK;
}

enum carom_status carom_abreast_run(struct carom_abreast *abreast, const struct carom_abreast_scheme *scheme,
                                    size_t count, struct carom_stepper *const *stepper,
                                    struct carom_state *const *state, double until,
                                    const struct carom_abreast_watch *watch, bool *broken, struct carom_error *error)
{
    struct way w = {.abreast = abreast, .scheme = scheme, .r = {.rows = count, .places = 1, .group = 128}};
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low, .step = state[0]->step};
    w.r.card = carom_device_what(abreast->device)->card;
    const double step = carom_param_value(carom_param_find(scheme->scheme->kind.params, "step"), stepper[0]->options);
    enum carom_status status = CAROM_E_REFUSED;
    if (prepare(&w, stepper, error) && take(&w, error) && send(&w, stepper, state, error)) {
        status = take_steps(&w, &clock, step, until, watch, error);
        if (status == CAROM_OK) {
            read_back(&w);
            status = carom_device_finish(abreast->device, error);
        }
        if (status == CAROM_OK) {
            receive(&w, &clock, stepper, state, broken);
            end_alone(&w, stepper, state, until, broken);
        }
    } else
        status = error->status;
    for (size_t m = 0; m < scheme->arrays; m++) {
        carom_device_release(w.memory[m]);
        carom_memory_free(w.r.number[m]);
    }
    return status;
}
