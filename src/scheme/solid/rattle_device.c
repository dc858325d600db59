/* RATTLE on a device, for bodies that the processor sweeps (rattle_sheet.c): the same operations in the same order, so
 * the same bits. States stay on the device during a call; at its end the last comes back, and the one before it when
 * dense output asks. Between steps a pass ends one and begins the next. Loads are the processor's: it hears where
 * loaded cells are, a few numbers, and tells what acts on them, so that signals and the work of loads are worked out in
 * one place. */
#include "scheme/solid/rattle_device.h"

#include <string.h>

#include "base/memory.h"
#include "kernel/texts.h"
#include "model/solid/solid_sheet.h"
#include "scheme/stepper.h"

enum { SAMPLED = 5 }; /* numbers that are heard of a loaded cell */

/* as src/kernel/sheet.cl has it */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2], end[3], begin[3], h, rate;
    uint64_t nx, ny;
    int ends, begins, holds, loads;
};

/* what stands on the device for one body */
enum memory {
    PLACES, /* two of them, in turns */
    PLACES_NEXT,
    VELOCITIES,
    PRESSURE,
    SAVED_PLACES, /* at the start of a call, to go back to */
    SAVED_VELOCITIES,
    LAST_PLACES, /* at the start of its last step */
    LAST_VELOCITIES,
    SCALE,
    HELD,
    FIRST,
    PUSHED,
    LOADED,
    HEARD,
    WRONG,
    MEMORIES
};

struct board {
    struct carom_rattle_body *body;
    struct carom_device_memory *memory[MEMORIES];
    struct step step;
    size_t nloaded; /* cells with loads */
    uint32_t *loaded;
    double *heard;
    struct carom_solid_pushed *pushed;
};

struct carom_rattle_device {
    struct carom_device *device;
    struct carom_device_program *program;
    size_t nbodies;
    struct board *board;
    double *work; /* nbodies: the work of loads at the start of a call */
    bool pending; /* the start of the last step is still on the device */
};

static size_t width(const struct board *b)
{
    return b->body->solid->n * sizeof(double);
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

static enum carom_status accept(const struct carom_rattle_body *body, struct carom_error *error)
{
    const struct carom_solid *s = body->solid;
    const char *lacks = !body->swept ? "boxes of the plane, of one material, that do not break, without drives, "
                                       "contacts, and sides that are clamped or absorbing as a whole"
                        : s->damping_mass > 0.0 || s->damping_stiffness > 0.0 ? "bodies without damping"
                        : s->nabsorbers > 0                                   ? "bodies without absorbing sides"
                        : s->flow                                             ? "elastic bodies"
                                                                              : NULL;
    return lacks ? carom_error_set(error, CAROM_E_REFUSED,
                                   "devices take %s; device: none runs this one on the processor", lacks)
                 : CAROM_OK;
}

/* bytes of each memory */
static void sizes(const struct board *b, size_t size[MEMORIES])
{
    const struct carom_solid *s = b->body->solid;
    memset(size, 0, MEMORIES * sizeof *size);
    size[PLACES] = size[PLACES_NEXT] = size[SAVED_PLACES] = size[LAST_PLACES] = 4 * width(b);
    size[VELOCITIES] = size[SAVED_VELOCITIES] = size[LAST_VELOCITIES] = 3 * width(b);
    size[PRESSURE] = width(b);
    size[SCALE] = 3 * s->grid.count[0] * sizeof(double);
    size[HELD] = s->held ? s->n : 1;
    size[FIRST] = s->nloads > 0 ? s->n * sizeof(int32_t) : 1;
    size[PUSHED] = s->nentries * sizeof(struct carom_solid_pushed);
    size[LOADED] = b->nloaded * sizeof(int32_t);
    size[HEARD] = SAMPLED * b->nloaded * sizeof(double);
    size[WRONG] = sizeof(int32_t);
}

/* which cells are loaded, and where the entries of each begin */
static bool list_loads(struct board *b, int32_t **first)
{
    const struct carom_solid *s = b->body->solid;
    *first = carom_memory_zeroed(s->n, sizeof **first);
    b->loaded = carom_memory_zeroed(s->nentries, sizeof *b->loaded);
    b->pushed = carom_memory_zeroed(s->nentries, sizeof *b->pushed);
    b->heard = carom_memory_zeroed(SAMPLED * s->nentries, sizeof *b->heard);
    if (!*first || !b->loaded || !b->pushed || !b->heard)
        return false;
    for (size_t i = 0; i < s->n; i++)
        (*first)[i] = -1;
    for (size_t e = 0; e < s->nentries; e++)
        if (e == 0 || s->entry[e].cell != s->entry[e - 1].cell) {
            (*first)[s->entry[e].cell] = (int32_t)e;
            b->loaded[b->nloaded++] = s->entry[e].cell;
        }
    return true;
}

static struct step constants(const struct carom_solid *s)
{
    struct step t = {.nx = s->grid.count[0], .ny = s->grid.count[1], .holds = s->held != NULL, .loads = s->nloads > 0};
    for (int k = 0; k < 2; k++) {
        t.axis[k] = carom_solid_sheet_axis(s, k);
        t.weight[k] = s->sorts[0].mass * s->gravity[k];
    }
    return t;
}

static bool open_board(struct carom_rattle_device *d, struct board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    const size_t nx = s->grid.count[0], row[] = {0, s->grid.count[1] > 2 ? 1 : 0, s->grid.count[1] - 1};
    int32_t *first = NULL;
    double *scale = carom_memory_zeroed(3 * nx, sizeof *scale);
    bool good = list_loads(b, &first) && scale;
    if (!good)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle on a device");
    size_t size[MEMORIES];
    sizes(b, size);
    for (size_t m = 0; good && m < MEMORIES; m++)
        good = (b->memory[m] = carom_device_take(d->device, size[m], error)) != NULL;
    for (size_t k = 0; good && k < 3; k++)
        memcpy(scale + k * nx, carom_solid_sheet_scale(s, row[k]), nx * sizeof *scale);
    if (good) {
        b->step = constants(s);
        carom_device_write(b->memory[SCALE], scale, size[SCALE]);
        carom_device_write(b->memory[LOADED], b->loaded, size[LOADED]);
        if (s->held)
            carom_device_write(b->memory[HELD], s->held, size[HELD]);
        if (s->nloads > 0)
            carom_device_write(b->memory[FIRST], first, size[FIRST]);
    }
    carom_memory_free(first);
    carom_memory_free(scale);
    return good;
}

struct carom_rattle_device *carom_rattle_device_create(struct carom_device *device, struct carom_rattle_body *body,
                                                       size_t nbodies, struct carom_error *error)
{
    const char *const text[] = {carom_texts_lane, carom_texts_sheet, carom_texts_sheet_kernels};
    for (size_t i = 0; i < nbodies; i++)
        if (accept(&body[i], error) != CAROM_OK)
            return NULL;
    struct carom_rattle_device *d = carom_memory_zeroed(1, sizeof *d);
    struct board *board = carom_memory_zeroed(nbodies, sizeof *board);
    double *work = carom_memory_zeroed(nbodies, sizeof *work);
    if (!d || !board || !work) {
        carom_memory_free(d);
        carom_memory_free(board);
        carom_memory_free(work);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle on a device");
        return NULL;
    }
    *d = (struct carom_rattle_device){.device = device, .board = board, .nbodies = nbodies, .work = work};
    d->program = carom_device_compile(device, "plane solids", text, sizeof text / sizeof *text, error);
    bool good = d->program != NULL;
    for (size_t i = 0; good && i < nbodies; i++) {
        board[i].body = &body[i];
        good = open_board(d, &board[i], error);
    }
    if (good && carom_device_finish(device, error) == CAROM_OK)
        return d;
    carom_rattle_device_free(d);
    return NULL;
}

void carom_rattle_device_free(struct carom_rattle_device *d)
{
    for (size_t i = 0; d && i < d->nbodies; i++) {
        for (size_t m = 0; m < MEMORIES; m++)
            carom_device_release(d->board[i].memory[m]);
        carom_memory_free(d->board[i].loaded);
        carom_memory_free(d->board[i].heard);
        carom_memory_free(d->board[i].pushed);
    }
    if (d) {
        carom_device_program_free(d->program);
        carom_memory_free(d->board);
        carom_memory_free(d->work);
    }
    carom_memory_free(d);
}

/* --- passes ------------------------------------------------------------------------------------------------------- */

#define GIVE(b, which)               \
    {                                \
        .memory = (b)->memory[which] \
    }

/* pressures at the places where the cells are */
static void press(struct carom_rattle_device *d, struct board *b)
{
    const size_t places[2] = {b->step.nx, b->step.ny};
    const struct carom_device_argument argument[] = {{.value = &b->step, .size = sizeof b->step},
                                                     GIVE(b, PLACES),
                                                     GIVE(b, SCALE),
                                                     GIVE(b, FIRST),
                                                     GIVE(b, PUSHED),
                                                     GIVE(b, PRESSURE)};
    carom_device_run(d->program, "press", places, argument, sizeof argument / sizeof *argument);
}

/* ends a step of size `end`, begins one of size `begin`; 0: does not */
static void advance(struct carom_rattle_device *d, struct board *b, double end, double begin)
{
    const struct carom_solid_sort *sort = &b->body->solid->sorts[0];
    const size_t places[2] = {b->step.nx, b->step.ny};
    struct step *t = &b->step;
    t->ends = end > 0.0;
    t->begins = begin > 0.0;
    t->end[0] = t->end[1] = 0.5 * end * sort->inverse_mass;
    t->begin[0] = t->begin[1] = 0.5 * begin * sort->inverse_mass;
    t->end[2] = 0.5 * end;
    t->begin[2] = 0.5 * begin;
    t->h = begin;
    t->rate = begin * sort->inverse_inertia[2];
    const struct carom_device_argument argument[] = {{.value = t, .size = sizeof *t},
                                                     GIVE(b, PLACES),
                                                     GIVE(b, PLACES_NEXT),
                                                     GIVE(b, VELOCITIES),
                                                     GIVE(b, PRESSURE),
                                                     GIVE(b, HELD),
                                                     GIVE(b, FIRST),
                                                     GIVE(b, PUSHED),
                                                     GIVE(b, WRONG)};
    carom_device_run(d->program, "advance", places, argument, sizeof argument / sizeof *argument);
    if (begin > 0.0) {
        struct carom_device_memory *last = b->memory[PLACES];
        b->memory[PLACES] = b->memory[PLACES_NEXT];
        b->memory[PLACES_NEXT] = last;
    }
}

/* loaded cells, into their places among all; their pressures too, once those are known */
static void hear(struct carom_rattle_device *d, struct board *b, double *q, double *pressure)
{
    const size_t places[2] = {b->nloaded, 1};
    const struct carom_device_argument argument[] = {GIVE(b, PLACES), GIVE(b, PRESSURE), GIVE(b, LOADED),
                                                     GIVE(b, HEARD)};
    carom_device_run(d->program, "sample", places, argument, sizeof argument / sizeof *argument);
    carom_device_read(b->memory[HEARD], b->heard, SAMPLED * b->nloaded * sizeof(double));
    for (size_t i = 0; i < b->nloaded; i++) {
        memcpy(q + 4 * (size_t)b->loaded[i], b->heard + SAMPLED * i, 4 * sizeof *q);
        pressure[b->loaded[i]] = b->heard[SAMPLED * i + 4];
    }
}

/* Pressures at t, and how far loaded faces are out, at the start of a step or (which = 1) at its end. */
static void evaluate(struct carom_rattle_device *d, struct board *b, double t, double *q, size_t which)
{
    const struct carom_solid *s = b->body->solid;
    if (s->nloads > 0) {
        if (which == 1)
            hear(d, b, q, b->body->work.pressure);
        carom_solid_loads_tell(s, t, q, b->pushed);
        carom_device_write(b->memory[PUSHED], b->pushed, s->nentries * sizeof *b->pushed);
    }
    press(d, b);
    if (s->nloads > 0) {
        hear(d, b, q, b->body->work.pressure);
        carom_solid_loads_extend(s, t, b->body->work.pressure, b->body->extension + which * carom_solid_loads_faces(s));
    }
}

static double work_of_loads(const struct board *b, double t0, const double *q0, double t1, const double *q1)
{
    const struct carom_solid *s = b->body->solid;
    const size_t faces = carom_solid_loads_faces(s);
    double *extension = b->body->extension;
    const double work = carom_solid_loads_work(s, t0, q0, extension, t1, q1, extension + faces);
    memcpy(extension, extension + faces, faces * sizeof *extension);
    return work;
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

static void fetch(struct board *b, struct carom_state *state, enum memory places, enum memory velocities)
{
    carom_device_read(b->memory[places], state->q + b->body->member->q0, 4 * width(b));
    carom_device_read(b->memory[velocities], state->v + b->body->member->v0, 3 * width(b));
}

static void keep(struct board *b, enum memory places, enum memory velocities)
{
    carom_device_copy(b->memory[PLACES], b->memory[places], 4 * width(b));
    carom_device_copy(b->memory[VELOCITIES], b->memory[velocities], 3 * width(b));
}

/* the state as it stands, on the device and, to go back to, once more */
static void begin(struct carom_rattle_device *d, struct board *b, struct carom_state *state, bool fresh)
{
    const int32_t none = 0;
    if (fresh) {
        carom_device_write(b->memory[PLACES], state->q + b->body->member->q0, 4 * width(b));
        carom_device_write(b->memory[VELOCITIES], state->v + b->body->member->v0, 3 * width(b));
    }
    keep(b, SAVED_PLACES, SAVED_VELOCITIES);
    carom_device_write(b->memory[WRONG], &none, sizeof none);
    evaluate(d, b, state->time, state->q + b->body->member->q0, 0);
}

static bool went_wrong(struct carom_rattle_device *d)
{
    int32_t any = 0;
    for (size_t i = 0; i < d->nbodies; i++) {
        int32_t wrong = 0;
        carom_device_read(d->board[i].memory[WRONG], &wrong, sizeof wrong);
        any |= wrong;
    }
    return any != 0;
}

/* the clock and the counts of a state, to go back to */
struct mark {
    double time, time_low;
    uint64_t step;
    struct carom_counts counts;
};

static enum carom_status go_back(struct carom_rattle_device *d, struct carom_stepper *stepper,
                                 struct carom_state *state, const struct mark *mark, struct carom_error *error)
{
    for (size_t i = 0; i < d->nbodies; i++) {
        fetch(&d->board[i], state, SAVED_PLACES, SAVED_VELOCITIES);
        state->work[i] = d->work[i];
    }
    state->time = mark->time;
    state->time_low = mark->time_low;
    state->step = mark->step;
    stepper->counts = mark->counts;
    return carom_device_finish(d->device, error);
}

/* one step of all bodies: `before` is the size of the one that has not ended yet, 0: none; last: of the call */
static void one_step(struct carom_rattle_device *d, struct carom_stepper *stepper, struct carom_state *state,
                     double before, double h, bool last, double t0, double t1)
{
    for (size_t i = 0; i < d->nbodies; i++) {
        struct board *b = &d->board[i];
        const struct carom_member *m = b->body->member;
        carom_rattle_carry_on(b->body->solid, stepper->before->q + m->q0, state->q + m->q0);
        if (last && before > 0.0)
            advance(d, b, before, 0.0);
        if (last)
            keep(b, LAST_PLACES, LAST_VELOCITIES);
        advance(d, b, last ? 0.0 : before, h);
        evaluate(d, b, t1, state->q + m->q0, 1);
        if (b->body->solid->nloads > 0)
            state->work[i] += work_of_loads(b, t0, stepper->before->q + m->q0, t1, state->q + m->q0);
        if (last) {
            advance(d, b, h, 0.0);
            fetch(b, state, PLACES, VELOCITIES);
        }
    }
    carom_stepper_count(stepper, h);
    stepper->counts.evaluations++;
}

void carom_rattle_device_before(struct carom_rattle_device *d, struct carom_state *before)
{
    for (size_t i = 0; d->pending && i < d->nbodies; i++)
        fetch(&d->board[i], before, LAST_PLACES, LAST_VELOCITIES);
    d->pending = false;
}

enum carom_status carom_rattle_device_steps(struct carom_rattle_device *d, struct carom_stepper *stepper,
                                            struct carom_state *state, const struct carom_bound *bound, bool fresh,
                                            bool *wrong, struct carom_error *error)
{
    const struct mark mark = {state->time, state->time_low, state->step, stepper->counts};
    const double step = state->memory[CAROM_RATTLE_STEP];
    double before = 0.0;
    bool last = false;
    d->pending = false;
    for (size_t i = 0; i < d->nbodies; i++) {
        d->work[i] = state->work[i];
        begin(d, &d->board[i], state, fresh);
    }
    for (size_t taken = 0; !last; taken++) {
        const double h = carom_stepper_size(state, step, bound->t_stop), t0 = state->time;
        carom_stepper_turn(stepper, state);
        carom_stepper_arrive(state, h, bound->t_stop);
        last = carom_stepper_done(stepper, state, bound, taken + 1);
        one_step(d, stepper, state, before, h, last, t0, carom_rattle_end(state, bound));
        before = h;
    }
    *wrong = went_wrong(d);
    const enum carom_status status = carom_device_finish(d->device, error);
    d->pending = status == CAROM_OK && !*wrong;
    if (status != CAROM_OK || !*wrong)
        return status;
    return go_back(d, stepper, state, &mark, error);
}
