/* Rows side by side on a device. A call of the kernel takes many steps with all rows; between calls somebody may stop
 * it. Numbers of rows go to the device once a run, and come back at its end; where somebody looks at rows, they come
 * back after every call, in which each row goes on to its next look, or to the end of a step in which a contact closes
 * or opens. */
#include "scheme/abreast.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/texts.h"
#include "scheme/stepper.h"

struct carom_abreast {
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_threads *threads; /* NULL: the caller alone */
    char head[300];                /* of the program, */
    const struct carom_abreast_scheme *scheme;
};

/* one batch under way */
struct way {
    struct carom_abreast *abreast;
    const struct carom_abreast_scheme *scheme;
    struct carom_abreast_rows r;
    size_t arrays; /* those of the scheme and, where somebody looks, `due` and those of starts */
    struct carom_device_memory *memory[CAROM_ABREAST_MEMORIES];
    struct carom_stepper *const *stepper;
    struct carom_state *const *state;
    double step, until;
    const struct carom_abreast_watch *watch;
    bool *broken;
    struct carom_state clock; /* of all rows, unless somebody looks: then each has its own */
};

/* what a look needs of the start of a step: the first arrays that come back */
enum { STARTS = 3 };

static size_t due_at(const struct way *w)
{
    return w->scheme->arrays;
}

struct carom_abreast *carom_abreast_open(struct carom_device *device, size_t threads, struct carom_error *error)
{
    struct carom_abreast *abreast = carom_memory_zeroed(1, sizeof *abreast);
    if (abreast) {
        abreast->device = device;
        abreast->threads = threads > 1 ? carom_threads_create(threads) : NULL;
        if (threads < 2 || abreast->threads)
            return abreast;
    }
    carom_memory_free(abreast);
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    return NULL;
}

void carom_abreast_close(struct carom_abreast *abreast)
{
    if (abreast)
        carom_device_program_free(abreast->program);
    if (abreast)
        carom_threads_free(abreast->threads);
    carom_memory_free(abreast);
}

/* --- rows, by threads --------------------------------------------------------------------------------------------- */

enum { TOGETHER = 16 }; /* rows that a thread takes at once */

struct each {
    void (*work)(void *own, size_t row);
    void *own;
    size_t count;
};

static void work_some(void *own, size_t block)
{
    const struct each *e = own;
    for (size_t c = block * TOGETHER; c < (block + 1) * TOGETHER && c < e->count; c++)
        e->work(e->own, c);
}

void carom_abreast_each(struct carom_abreast *abreast, void (*work)(void *own, size_t row), void *own, size_t count)
{
    carom_threads_run(abreast->threads, work_some, &(struct each){work, own, count}, (count + TOGETHER - 1) / TOGETHER);
}

/* --- to the device and back --------------------------------------------------------------------------------------- */

/* the program that takes all rows; compiled unless it was the last one's */
static bool prepare(struct way *w, struct carom_error *error)
{
    struct carom_abreast *a = w->abreast;
    char head[sizeof a->head];
    const char *text[3 + CAROM_ABREAST_TEXTS] = {carom_texts_lane, a->head, carom_texts_abreast};
    size_t ntexts = 3;
    w->scheme->head(&w->r, w->stepper, head, sizeof head);
    for (size_t k = 0; w->r.looked && k < STARTS; k++)
        w->r.length[due_at(w) + 1 + k] = w->r.length[w->scheme->first_back + k];
    w->r.length[due_at(w)] = 1;
    const size_t end = strlen(head);
    snprintf(head + end, sizeof head - end, "#define LOOKED %d\n", w->r.looked);
    if (a->program && a->scheme == w->scheme && strcmp(head, a->head) == 0)
        return true;
    carom_device_program_free(a->program);
    memcpy(a->head, head, sizeof head);
    a->scheme = w->scheme;
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
    for (size_t m = 0; m < w->arrays; m++) {
        const bool here = m < w->scheme->sent || m >= due_at(w);
        w->memory[m] = carom_device_take(w->abreast->device, bytes_of(w, m), error);
        if (!w->memory[m])
            return false;
        w->r.number[m] = here ? carom_memory_zeroed(w->r.length[m] * w->r.rows + 1, sizeof(double)) : NULL;
        if (here && !w->r.number[m])
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

static void tell(void *own, size_t c)
{
    const struct way *w = own;
    w->broken[c] = !w->scheme->tell(&w->r, c, w->stepper[c], w->state[c]);
}

static bool send(struct way *w, struct carom_error *error)
{
    carom_abreast_each(w->abreast, tell, w, w->r.rows);
    if (memchr(w->broken, true, w->r.rows))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains") == CAROM_OK;
    for (size_t m = 0; m < w->scheme->sent; m++)
        carom_device_write(w->memory[m], w->r.number[m], bytes_of(w, m));
    return true;
}

static void read_some(struct way *w, size_t first, size_t end)
{
    for (size_t m = first; m < end; m++)
        carom_device_read(w->memory[m], w->r.number[m], bytes_of(w, m));
}

static void hear(void *own, size_t c)
{
    const struct way *w = own;
    w->broken[c] = !w->scheme->hear(&w->r, c, w->stepper[c], w->state[c]);
    if (w->broken[c])
        return;
    w->state[c]->time = w->clock.time;
    w->state[c]->time_low = w->clock.time_low;
    w->stepper[c]->counts.steps += w->clock.step - w->state[c]->step;
    w->state[c]->step = w->clock.step;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void go(struct way *w, double h, uint64_t steps)
{
    const uint64_t rows = w->r.rows;
    struct carom_device_argument argument[3 + CAROM_ABREAST_MEMORIES] = {{.value = &rows, .size = sizeof rows},
                                                                         {.value = &h, .size = sizeof h},
                                                                         {.value = &steps, .size = sizeof steps}};
    const size_t places[2] = {w->r.rows * w->r.places, 1};
    for (size_t m = 0; m < w->arrays; m++)
        argument[3 + m].memory = w->memory[m];
    if (steps > 0)
        carom_device_run(w->abreast->program, "runs", places, argument, 3 + w->arrays);
}

/* Moves the clock by up to `most` steps of one size and takes them; what is left of another size goes next time. */
static void stride(struct way *w, uint64_t most)
{
    struct carom_state *clock = &w->clock;
    const double h = carom_stepper_size(clock, w->step, w->until);
    uint64_t steps = 0;
    while (steps < most && carom_state_until(clock, w->until) > 0.0 &&
           carom_stepper_size(clock, w->step, w->until) == h) {
        carom_stepper_arrive(clock, h, w->until);
        steps++;
    }
    go(w, h, steps);
}

/* is the next step one of the regular size? */
static bool is_even(const struct way *w, const struct carom_state *clock)
{
    return carom_state_until(clock, w->until) > 0.0 && carom_stepper_size(clock, w->step, w->until) == w->step;
}

/* is the next step one for the device? */
static bool goes_on(const struct way *w, const struct carom_state *clock)
{
    return w->scheme->even ? is_even(w, clock) : carom_state_until(clock, w->until) > 0.0;
}

enum { MOST = 1 << 20 }; /* steps of a call */

/* after a call that took so long: a call takes about half a second, so that Ctrl-C does not wait */
static enum carom_status pause_at(const struct way *w, double time, double took, uint64_t *most,
                                  struct carom_error *error)
{
    if (w->watch && w->watch->call && !w->watch->call(w->watch->own, time))
        return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", time, w->until);
    if (took < 0.25 && *most < MOST)
        *most *= 2;
    else if (took > 1.0 && *most > 1)
        *most /= 2;
    return CAROM_OK;
}

static enum carom_status take_steps(struct way *w, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    uint64_t most = 64;
    while (status == CAROM_OK && goes_on(w, &w->clock)) {
        const double began = carom_clock_now();
        stride(w, most);
        status = carom_device_finish(w->abreast->device, error);
        if (status == CAROM_OK)
            status = pause_at(w, w->clock.time, carom_clock_now() - began, &most, error);
    }
    if (status != CAROM_OK)
        return status;
    read_some(w, w->scheme->first_back, w->scheme->sent);
    status = carom_device_finish(w->abreast->device, error);
    if (status == CAROM_OK)
        carom_abreast_each(w->abreast, hear, w, w->r.rows);
    return status;
}

/* --- steps of rows that somebody looks at ------------------------------------------------------------------------- */

/* all of them between two calls */
struct looks {
    struct way *way;
    uint64_t most;                 /* steps of a call, */
    struct carom_abreast_rows was; /* starts of last steps stand where ends do */
    atomic_bool failed;            /* with an error, written once */
    struct carom_error *error;
};

static void fail(struct looks *l, const struct carom_error *error)
{
    bool expected = false;
    if (atomic_compare_exchange_strong(&l->failed, &expected, true))
        *l->error = *error;
}

/* how many regular steps row c takes in the next call */
static void plan(void *own, size_t c)
{
    const struct looks *l = own;
    const struct way *w = l->way;
    struct carom_state clock = {.time = w->state[c]->time, .time_low = w->state[c]->time_low};
    const uint64_t within = w->watch->within(w->watch->own, c), most = within < l->most ? within : l->most;
    if (carom_state_until(&clock, w->until) > (double)(most + 2) * w->step) /* the end is far */
        clock.step = most;
    while (clock.step < most && is_even(w, &clock))
        carom_stepper_arrive(&clock, w->step, w->until);
    w->r.number[due_at(w)][c] = (double)clock.step;
}

/* Row c after a call: its clock, its state and, if a contact closed or opened, the start of that step; and its next
 * steps, while it is in the cache. */
static void see(void *own, size_t c)
{
    struct looks *l = own;
    const struct way *w = l->way;
    struct carom_state *state = w->state[c], *before = w->stepper[c]->before;
    const double due = w->r.number[due_at(w)][c];
    if (due == 0.0) /* at its end, or broken */
        return;
    w->r.number[due_at(w)][c] = 0.0;
    w->broken[c] = !w->scheme->hear(&w->r, c, w->stepper[c], state);
    if (w->broken[c])
        return;
    if (due < 0.0)
        w->scheme->hear(&l->was, c, w->stepper[c], before);
    for (double taken = fabs(due); taken > 0.0; taken--) {
        before->time = state->time;
        before->time_low = state->time_low;
        before->step = state->step;
        carom_stepper_arrive(state, w->step, w->until);
    }
    w->stepper[c]->counts.steps += (uint64_t)fabs(due);
    struct carom_error error = {CAROM_OK, ""};
    if (w->watch->see(w->watch->own, c, due < 0.0, &error) == CAROM_OK)
        plan(l, c);
    else
        fail(l, &error);
}

static enum carom_status take_looked_steps(struct way *w, struct carom_error *error)
{
    struct looks l = {.way = w, .most = 64, .was = w->r, .error = error};
    const double *due = w->r.number[due_at(w)];
    for (size_t k = 0; k < STARTS; k++)
        l.was.number[w->scheme->first_back + k] = w->r.number[due_at(w) + 1 + k];
    carom_abreast_each(w->abreast, plan, &l, w->r.rows);
    for (;;) {
        const double began = carom_clock_now();
        double steps = 0.0;
        bool switched = false;
        for (size_t c = 0; c < w->r.rows; c++)
            steps = fmax(steps, due[c]);
        if (steps == 0.0)
            return CAROM_OK;
        carom_device_write(w->memory[due_at(w)], due, bytes_of(w, due_at(w)));
        go(w, w->step, (uint64_t)steps);
        read_some(w, w->scheme->first_back, w->scheme->sent);
        read_some(w, due_at(w), due_at(w) + 1);
        enum carom_status status = carom_device_finish(w->abreast->device, error);
        for (size_t c = 0; c < w->r.rows && status == CAROM_OK; c++)
            switched |= due[c] < 0.0;
        if (switched) {
            read_some(w, due_at(w) + 1, w->arrays);
            status = carom_device_finish(w->abreast->device, error);
        }
        if (status == CAROM_OK)
            carom_abreast_each(w->abreast, see, &l, w->r.rows);
        if (status == CAROM_OK)
            status = atomic_load(&l.failed) ? error->status
                                            : pause_at(w, w->state[0]->time, carom_clock_now() - began, &l.most, error);
        if (status != CAROM_OK)
            return status;
    }
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* what is left to the processor */
static enum carom_status end_alone(const struct way *w, struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = w->until, .t_dense = HUGE_VAL, .steps = 1, .watch = w->r.looked};
    enum carom_status status = CAROM_OK;
    for (size_t c = 0; c < w->r.rows; c++)
        while (status == CAROM_OK && !w->broken[c] && carom_state_until(w->state[c], w->until) > 0.0) {
            w->broken[c] = w->scheme->scheme->step(w->stepper[c], w->state[c], &bound, NULL) != CAROM_OK;
            if (w->r.looked && !w->broken[c])
                status = w->watch->see(w->watch->own, c, w->stepper[c]->switched, error);
        }
    return status;
}

enum carom_status carom_abreast_run(struct carom_abreast *abreast, const struct carom_abreast_scheme *scheme,
                                    size_t count, struct carom_stepper *const *stepper,
                                    struct carom_state *const *state, double until,
                                    const struct carom_abreast_watch *watch, bool *broken, struct carom_error *error)
{
    struct way w = {.abreast = abreast,
                    .scheme = scheme,
                    .r = {.rows = count, .places = 1, .group = 128, .looked = watch && watch->see},
                    .stepper = stepper,
                    .state = state,
                    .until = until,
                    .watch = watch,
                    .broken = broken,
                    .clock = {.time = state[0]->time, .time_low = state[0]->time_low, .step = state[0]->step}};
    w.arrays = scheme->arrays + (w.r.looked ? 1 + STARTS : 0);
    w.r.card = carom_device_what(abreast->device)->card;
    w.step = carom_param_value(carom_param_find(scheme->scheme->kind.params, "step"), stepper[0]->options);
    enum carom_status status = CAROM_E_REFUSED;
    memset(broken, 0, count * sizeof *broken);
    if (prepare(&w, error) && take(&w, error) && send(&w, error)) {
        status = w.r.looked ? take_looked_steps(&w, error) : take_steps(&w, error);
        if (status == CAROM_OK)
            status = end_alone(&w, error);
    } else
        status = error->status;
    for (size_t m = 0; m < w.arrays; m++) {
        carom_device_release(w.memory[m]);
        carom_memory_free(w.r.number[m]);
    }
    return status;
}
