/* Verlet on a device. Undamped rows go from the middle of one step to the middle of the next in one pass, which reads
 * and writes places and velocities once; damped ones take two passes a step. States stay on the device during a call;
 * at its end the last comes back with the one before it, for dense output. */
#include "scheme/compliant/verlet_rows.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/stepper.h"

enum { SWITCHED, WRONG, MARKS }; /* as in chain.cl */

/* what comes in twos: at the start and at the end of a step */
enum { PLACES, VELOCITIES, LOST, HALVES, PAGES };

struct carom_verlet_device {
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_verlet_kind kind;
    struct carom_device_memory *made, *inverse, *marks, *page[PAGES][2];
    size_t n, nc;
    int now;    /* which of two is the state */
    bool there; /* it is the one at this step and time */
    uint64_t step;
    double time;
};

static size_t length(const struct carom_verlet_device *d, size_t page)
{
    return page == LOST ? d->kind.damped ? d->nc : 0 : page == HALVES && d->kind.damped ? 0 : d->n;
}

static bool tell(struct carom_verlet_device *d, const struct carom_model *model, struct carom_error *error)
{
    const size_t nmade = carom_verlet_rows_made(&d->kind, d->nc), nmass = carom_verlet_rows_masses(&d->kind, d->n);
    double *made = carom_memory_zeroed(nmade + nmass, sizeof *made);
    d->made = made ? carom_device_take(d->device, nmade * sizeof *made, error) : NULL;
    d->inverse = d->made ? carom_device_take(d->device, nmass * sizeof *made, error) : NULL;
    if (!made)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet on a device");
    if (d->inverse) {
        carom_verlet_rows_tell(&d->kind, model, 1, 0, made, made + nmade);
        carom_device_write(d->made, made, nmade * sizeof *made);
        carom_device_write(d->inverse, made + nmade, nmass * sizeof *made);
    }
    carom_memory_free(made);
    return d->inverse != NULL;
}

static bool open(struct carom_verlet_device *d, const struct carom_model *model, struct carom_error *error)
{
    d->program = carom_verlet_rows_compile(d->device, &d->kind, error);
    bool good = d->program && tell(d, model, error);
    d->marks = good ? carom_device_take(d->device, MARKS * sizeof(int32_t), error) : NULL;
    good = d->marks != NULL;
    for (size_t p = 0; good && p < 2 * PAGES; p++) {
        d->page[p / 2][p % 2] = carom_device_take(d->device, length(d, p / 2) * sizeof(double), error);
        good = d->page[p / 2][p % 2] != NULL;
    }
    return good && carom_device_finish(d->device, error) == CAROM_OK;
}

enum carom_status carom_verlet_device_create(struct carom_verlet_device **created, struct carom_device *device,
                                             const struct carom_model *model, struct carom_error *error)
{
    const enum carom_status status = carom_verlet_rows_accept(model, error);
    if (status != CAROM_OK)
        return status;
    struct carom_verlet_device *d = carom_memory_zeroed(1, sizeof *d);
    if (!d)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet on a device");
    *d = (struct carom_verlet_device){
        .device = device, .kind = carom_verlet_rows_kind(model), .n = model->nv, .nc = model->nc};
    if (open(d, model, error)) {
        *created = d;
        return CAROM_OK;
    }
    carom_verlet_device_free(d);
    return error ? error->status : CAROM_E_REFUSED;
}

void carom_verlet_device_free(struct carom_verlet_device *d)
{
    if (!d)
        return;
    for (size_t p = 0; p < 2 * PAGES; p++)
        carom_device_release(d->page[p / 2][p % 2]);
    carom_device_release(d->made);
    carom_device_release(d->inverse);
    carom_device_release(d->marks);
    carom_device_program_free(d->program);
    carom_memory_free(d);
}

/* --- passes ------------------------------------------------------------------------------------------------------- */

/* `struct row` of chain.cl */
struct row {
    double h;
    uint64_t n, nc;
    int32_t ends;
};

static void pass(struct carom_verlet_device *d, const char *name, const struct row *row,
                 struct carom_device_memory *const *memory, size_t count)
{
    struct carom_device_argument argument[12] = {
        {.value = row, .size = sizeof *row}, {.memory = d->made}, {.memory = d->inverse}};
    const size_t places[2] = {d->n, 1};
    for (size_t i = 0; i < count; i++)
        argument[3 + i] = (struct carom_device_argument){.memory = memory[i]};
    carom_device_run(d->program, name, places, argument, 3 + count);
}

static void leaps(struct carom_verlet_device *d, double h, size_t count)
{
    struct row row = {h, d->n, d->nc, 0};
    int middle = 0;
    struct carom_device_memory *const first[] = {d->page[PLACES][d->now], d->page[VELOCITIES][d->now],
                                                 d->page[HALVES][0]};
    pass(d, "begin", &row, first, 3);
    for (size_t k = 0; k < count; k++) {
        row.ends = k + 1 == count;
        struct carom_device_memory *const all[] = {
            d->page[PLACES][d->now], d->page[HALVES][middle], d->page[PLACES][1 - d->now],
            row.ends ? d->page[VELOCITIES][1 - d->now] : d->page[HALVES][1 - middle], d->marks};
        pass(d, "leap", &row, all, 5);
        d->now = 1 - d->now;
        middle = 1 - middle;
    }
}

static void damped_steps(struct carom_verlet_device *d, double h, size_t count)
{
    struct row row = {h, d->n, d->nc, 0};
    for (size_t k = 0; k < count; k++, d->now = 1 - d->now) {
        const int from = d->now, to = 1 - d->now;
        row.ends = k + 1 == count;
        struct carom_device_memory *const all[] = {d->page[PLACES][from],
                                                   d->page[VELOCITIES][from],
                                                   d->page[LOST][from],
                                                   d->page[PLACES][to],
                                                   d->page[VELOCITIES][to],
                                                   d->page[LOST][to],
                                                   d->marks};
        struct carom_device_memory *const some[] = {all[0], all[1], all[3]};
        pass(d, "move", &row, some, 3);
        pass(d, "kick", &row, all, 7);
    }
}

/* so many steps of one size */
static void go(struct carom_verlet_device *d, double h, size_t count)
{
    if (count > 0 && d->kind.damped)
        damped_steps(d, h, count);
    else if (count > 0)
        leaps(d, h, count);
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

static void send(struct carom_verlet_device *d, const struct carom_state *state)
{
    const double *const from[] = {state->q, state->v, state->lost};
    for (size_t p = PLACES; p <= LOST; p++)
        carom_device_write(d->page[p][d->now], from[p], length(d, p) * sizeof(double));
}

static void fetch(struct carom_verlet_device *d, int page, struct carom_state *state)
{
    double *const to[] = {state->q, state->v, state->lost};
    for (size_t p = PLACES; p <= LOST; p++)
        carom_device_read(d->page[p][page], to[p], length(d, p) * sizeof(double));
}

/* the clock and the counts of a state, to go back to */
struct mark {
    double time, time_low;
    uint64_t step, turns;
    struct carom_counts counts;
};

static void go_back(struct carom_stepper *stepper, struct carom_state *state, const struct mark *mark)
{
    if (mark->turns % 2 == 1)
        carom_state_swap(state, stepper->before);
    state->time = mark->time;
    state->time_low = mark->time_low;
    state->step = mark->step;
    stepper->counts = mark->counts;
}

/* Steps of one size wait and go together; the last goes alone, so that the state before it is there, too, and so does
 * every one that is watched. Places and velocities of pages that turn in between are nobody's. */
enum carom_status carom_verlet_device_steps(struct carom_verlet_device *d, struct carom_stepper *stepper,
                                            struct carom_state *state, const struct carom_bound *bound, bool *wrong,
                                            struct carom_error *error)
{
    struct mark mark = {state->time, state->time_low, state->step, 0, stepper->counts};
    const double step = ((const struct carom_stepper_options *)stepper->options)->step;
    int32_t marks[MARKS] = {0};
    double size = 0.0;
    size_t waiting = 0;
    if (!(d->there && d->step == state->step && d->time == state->time)) {
        send(d, state);
        stepper->counts.evaluations += !d->kind.damped;
    }
    carom_device_write(d->marks, marks, sizeof marks);
    for (bool last = false; !last;) {
        const double h = carom_stepper_size(state, step, bound->t_stop);
        carom_stepper_begin_step(stepper, state);
        carom_stepper_arrive(state, h, bound->t_stop);
        carom_stepper_count(stepper, h);
        stepper->counts.evaluations++;
        mark.turns++;
        stepper->switched = false;
        last = carom_stepper_done(stepper, state, bound, mark.turns);
        if (h != size || last || bound->watch) {
            go(d, size, waiting);
            waiting = 0;
            size = h;
        }
        waiting++;
        if (last || bound->watch) {
            const int32_t none[MARKS] = {0};
            carom_device_write(d->marks, none, sizeof none);
            go(d, size, 1);
            waiting = 0;
            carom_device_read(d->marks, marks, sizeof marks);
            stepper->switched = marks[SWITCHED] != 0;
            last |= marks[WRONG] != 0 || carom_stepper_done(stepper, state, bound, mark.turns);
        }
    }
    *wrong = marks[WRONG] != 0;
    const enum carom_status status = carom_device_finish(d->device, error);
    d->there = status == CAROM_OK && !*wrong;
    d->step = state->step;
    d->time = state->time;
    if (!d->there) {
        go_back(stepper, state, &mark);
        return status;
    }
    fetch(d, d->now, state);
    if (mark.turns > 1)
        fetch(d, 1 - d->now, stepper->before);
    return carom_device_finish(d->device, error);
}
