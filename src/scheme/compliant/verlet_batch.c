/* Rows side by side on a device. A call of the kernel takes many steps with all rows; between calls somebody may stop
 * it. Numbers of rows go to the device and back once a run. */
#include "scheme/compliant/verlet_batch.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "scheme/compliant/verlet_rows.h"
#include "scheme/stepper.h"

enum { MADE, INVERSE, PLACES, VELOCITIES, LOST, NEXT, MEMORIES };

struct carom_verlet_batch {
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_verlet_kind kind; /* that the program is for */
};

/* one batch under way */
struct way {
    struct carom_verlet_batch *batch;
    size_t rows, n, nc, length[MEMORIES]; /* numbers of a row */
    double *number;                       /* all of them, in the order of the memories */
    struct carom_device_memory *memory[MEMORIES];
};

struct carom_verlet_batch *carom_verlet_batch_open(struct carom_device *device, struct carom_error *error)
{
    struct carom_verlet_batch *batch = carom_memory_zeroed(1, sizeof *batch);
    if (batch)
        batch->device = device;
    else
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    return batch;
}

void carom_verlet_batch_close(struct carom_verlet_batch *batch)
{
    if (batch)
        carom_device_program_free(batch->program);
    carom_memory_free(batch);
}

static double step_of(const struct carom_stepper *stepper)
{
    return ((const struct carom_stepper_options *)stepper->options)->step;
}

bool carom_verlet_batch_fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    if (a->scheme != &carom_scheme_verlet) {
        carom_error_set(error, CAROM_E_REFUSED,
                        "sweeps and fits on a device take rows of beads under verlet, not scheme %s; device: none runs "
                        "them on the processor",
                        a->scheme->kind.name);
        return false;
    }
    if (carom_verlet_rows_accept(a->model, error) != CAROM_OK || a == b)
        return error->status == CAROM_OK;
    return b->scheme == a->scheme && carom_verlet_rows_accept(b->model, error) == CAROM_OK &&
           step_of(a) == step_of(b) && a->model->nv == b->model->nv && a->model->nc == b->model->nc &&
           a->model->damped == b->model->damped && carom_chain_of(a->model).shift == carom_chain_of(b->model).shift;
}

/* --- to the device and back --------------------------------------------------------------------------------------- */

/* the kind that takes all rows; compiled unless it was the last one's */
static bool prepare(struct carom_verlet_batch *batch, size_t count, struct carom_stepper *const *stepper,
                    struct carom_error *error)
{
    struct carom_verlet_kind kind = carom_verlet_rows_kind(stepper[0]->model);
    for (size_t c = 1; c < count; c++)
        kind = carom_verlet_rows_both(kind, carom_verlet_rows_kind(stepper[c]->model));
    kind.n = stepper[0]->model->nv;
    if (batch->program && carom_verlet_rows_alike(&kind, &batch->kind))
        return true;
    carom_device_program_free(batch->program);
    batch->kind = kind;
    batch->program = carom_verlet_rows_compile(batch->device, &kind, error);
    return batch->program != NULL;
}

static bool take(struct way *w, struct carom_error *error)
{
    const struct carom_verlet_kind *kind = &w->batch->kind;
    const size_t length[MEMORIES] = {carom_verlet_rows_made(kind, w->nc),
                                     carom_verlet_rows_masses(kind, w->n),
                                     w->n,
                                     w->n,
                                     kind->damped ? w->nc : 0,
                                     kind->damped ? w->n : 0};
    size_t all = 0;
    memcpy(w->length, length, sizeof length);
    for (size_t m = 0; m < MEMORIES; m++) {
        all += length[m];
        w->memory[m] = carom_device_take(w->batch->device, length[m] * w->rows * sizeof(double), error);
        if (!w->memory[m])
            return false;
    }
    w->number = carom_memory_zeroed(all * w->rows, sizeof *w->number);
    if (!w->number)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    return w->number != NULL;
}

static double *numbers(const struct way *w, size_t memory)
{
    double *at = w->number;
    for (size_t m = 0; m < memory; m++)
        at += w->length[m] * w->rows;
    return at;
}

static double *own_numbers(const struct carom_state *state, size_t memory)
{
    return memory == PLACES ? state->q : memory == VELOCITIES ? state->v : state->lost;
}

static void send(struct way *w, struct carom_stepper *const *stepper, struct carom_state *const *state)
{
    for (size_t c = 0; c < w->rows; c++) {
        carom_verlet_rows_tell(&w->batch->kind, stepper[c]->model, w->rows, c, numbers(w, MADE), numbers(w, INVERSE));
        for (size_t m = PLACES; m <= LOST; m++)
            for (size_t i = 0; i < w->length[m]; i++)
                numbers(w, m)[i * w->rows + c] = own_numbers(state[c], m)[i];
    }
    for (size_t m = 0; m < NEXT; m++)
        carom_device_write(w->memory[m], numbers(w, m), w->length[m] * w->rows * sizeof(double));
}

static void read_back(struct way *w)
{
    for (size_t m = PLACES; m <= LOST; m++)
        carom_device_read(w->memory[m], numbers(w, m), w->length[m] * w->rows * sizeof(double));
}

/* once a velocity is not finite, it never is again */
static bool is_finite(const struct way *w, size_t c)
{
    bool finite = true;
    for (size_t i = 0; i < w->length[VELOCITIES]; i++)
        finite &= fabs(numbers(w, VELOCITIES)[i * w->rows + c]) < HUGE_VAL;
    return finite;
}

static void receive(const struct way *w, const struct carom_state *clock, size_t c, struct carom_stepper *stepper,
                    struct carom_state *state)
{
    for (size_t m = PLACES; m <= LOST; m++)
        for (size_t i = 0; i < w->length[m]; i++)
            own_numbers(state, m)[i] = numbers(w, m)[i * w->rows + c];
    state->time = clock->time;
    state->time_low = clock->time_low;
    stepper->counts.steps += clock->step - state->step;
    state->step = clock->step;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void go(struct way *w, double h, uint64_t steps)
{
    const uint64_t rows = w->rows;
    struct carom_device_argument argument[3 + MEMORIES] = {{.value = &rows, .size = sizeof rows},
                                                           {.value = &h, .size = sizeof h},
                                                           {.value = &steps, .size = sizeof steps}};
    const size_t places[2] = {w->rows, 1};
    for (size_t m = 0; m < MEMORIES; m++)
        argument[3 + m].memory = w->memory[m];
    if (steps > 0)
        carom_device_run(w->batch->program, "runs", places, argument, 3 + MEMORIES);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

/* a call takes about half a second, so that Ctrl-C does not wait */
static enum carom_status take_steps(struct way *w, struct carom_state *clock, double step, double until,
                                    const struct carom_verlet_batch_watch *watch, struct carom_error *error)
{
    uint64_t most = 64;
    while (carom_state_until(clock, until) > 0.0) {
        const double began = now();
        stride(w, clock, step, until, most);
        const enum carom_status status = carom_device_finish(w->batch->device, error);
        if (status != CAROM_OK)
            return status;
        if (watch && watch->call && !watch->call(watch->own, clock->time))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", clock->time, until);
        const double took = now() - began;
        most = took < 0.25 ? 2 * most : took > 1.0 && most > 1 ? most / 2 : most;
    }
    return CAROM_OK;
}

enum carom_status carom_verlet_batch_run(struct carom_verlet_batch *batch, size_t count,
                                         struct carom_stepper *const *stepper, struct carom_state *const *state,
                                         double until, const struct carom_verlet_batch_watch *watch, bool *broken,
                                         struct carom_error *error)
{
    const struct carom_model *model = stepper[0]->model;
    struct way w = {.batch = batch, .rows = count, .n = model->nv, .nc = model->nc};
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low, .step = state[0]->step};
    enum carom_status status = CAROM_E_REFUSED;
    if (prepare(batch, count, stepper, error) && take(&w, error)) {
        send(&w, stepper, state);
        status = take_steps(&w, &clock, step_of(stepper[0]), until, watch, error);
        if (status == CAROM_OK) {
            read_back(&w);
            status = carom_device_finish(batch->device, error);
        }
        for (size_t c = 0; c < count && status == CAROM_OK; c++) {
            broken[c] = !is_finite(&w, c);
            if (!broken[c])
                receive(&w, &clock, c, stepper[c], state[c]);
        }
    } else
        status = error->status;
    for (size_t m = 0; m < MEMORIES; m++)
        carom_device_release(w.memory[m]);
    carom_memory_free(w.number);
    return status;
}
