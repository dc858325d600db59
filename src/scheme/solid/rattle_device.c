/* RATTLE on a device: the same operations in the same order as on the processor, so the same bits. States stay on the
 * device during a call; at its end the last comes back, and the one before it when dense output asks. Between steps a
 * pass ends one and begins the next. Loads are the processor's: it hears where loaded cells are, a few numbers, and
 * tells what acts on them, so that signals and the work of loads are worked out in one place. Where bodies are damped,
 * driven or absorb, rattle_acts.c goes on between the passes, which then end steps apart from beginning them. How a
 * pass goes is said in rattle_board_plane.c and rattle_board_space.c. */
#include "scheme/solid/rattle_device.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_sheet.h"
#include "scheme/solid/rattle_acts.h"
#include "scheme/stepper.h"

/* how bodies go on a device; a program is compiled for each way that any of them goes */
static const struct carom_board_way *const ways[] = {&carom_rattle_board_plane, &carom_rattle_board_space_flat,
                                                     &carom_rattle_board_space_boxes, &carom_rattle_board_space};

enum { WAYS = sizeof ways / sizeof *ways };

/* what has been put into a body, and what it has lost */
struct account {
    double work, spent, losses[CAROM_SOLID_LOSSES];
};

struct carom_rattle_device {
    struct carom_device *device;
    struct carom_device_program *program[WAYS];
    size_t nbodies;
    struct carom_board *board;
    struct account *account; /* nbodies: at the start of a call */
    bool pending;            /* the start of the last step is still on the device */
};

static size_t width(const struct carom_board *b)
{
    return b->body->solid->n * sizeof(double);
}

/* numbers that are heard of a loaded cell: its place, and its pressure */
static size_t heard(const struct carom_board *b)
{
    return b->body->solid->wide + 1;
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

static size_t way_of(const struct carom_solid *s)
{
    return s->dimension == 2 ? (carom_solid_sheet_fits(s) ? 0 : 1) : s->gridded ? 2 : 3;
}

static bool compile(struct carom_rattle_device *d, size_t which, struct carom_error *error)
{
    const struct carom_board_way *way = ways[which];
    if (d->program[which])
        return true;
    d->program[which] = carom_device_compile(d->device, way->name, way->text, way->ntexts, error);
    if (d->program[which])
        carom_device_group(d->program[which], way->group, 1);
    return d->program[which] != NULL;
}

static enum carom_status accept(const struct carom_rattle_body *body, struct carom_error *error)
{
    const char *general = carom_rattle_limit_lacks(body->solid);
    const struct carom_board_way *way = ways[way_of(body->solid)];
    const char *lacks = general ? general : way->lacks ? way->lacks(body) : NULL;
    return lacks ? carom_error_set(error, CAROM_E_REFUSED,
                                   "devices take %s; device: none runs this one on the processor", lacks)
                 : CAROM_OK;
}

/* bytes of each memory that all have */
static void sizes(const struct carom_board *b, size_t size[CAROM_BOARD_COMMON])
{
    const struct carom_solid *s = b->body->solid;
    memset(size, 0, CAROM_BOARD_COMMON * sizeof *size);
    size[CAROM_BOARD_PLACES] = size[CAROM_BOARD_PLACES_NEXT] = s->wide * width(b);
    size[CAROM_BOARD_SAVED_PLACES] = size[CAROM_BOARD_LAST_PLACES] = s->wide * width(b);
    size[CAROM_BOARD_VELOCITIES] = s->fast * width(b);
    size[CAROM_BOARD_SAVED_VELOCITIES] = size[CAROM_BOARD_LAST_VELOCITIES] = s->fast * width(b);
    size[CAROM_BOARD_PRESSURE] = width(b);
    size[CAROM_BOARD_HELD] = s->held ? s->n : 1;
    size[CAROM_BOARD_FIRST] = s->nloads > 0 ? s->n * sizeof(int32_t) : 1;
    size[CAROM_BOARD_PUSHED] = s->nentries * sizeof(struct carom_solid_pushed);
    size[CAROM_BOARD_LOADED] = b->nloaded * sizeof(int32_t);
    size[CAROM_BOARD_HEARD] = heard(b) * b->nloaded * sizeof(double);
    size[CAROM_BOARD_WRONG] = sizeof(int32_t);
}

/* which cells are loaded, and where the entries of each begin */
static bool list_loads(struct carom_board *b, int32_t **first)
{
    const struct carom_solid *s = b->body->solid;
    *first = carom_memory_zeroed(s->n, sizeof **first);
    b->loaded = carom_memory_zeroed(s->nentries, sizeof *b->loaded);
    b->pushed = carom_memory_zeroed(s->nentries, sizeof *b->pushed);
    b->heard = carom_memory_zeroed(heard(b) * s->nentries, sizeof *b->heard);
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

static bool open_board(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    int32_t *first = NULL;
    size_t size[CAROM_BOARD_COMMON];
    bool good = list_loads(b, &first) || carom_rattle_board_lost(error);
    const void *const from[CAROM_BOARD_COMMON] = {[CAROM_BOARD_LOADED] = b->loaded,
                                                  [CAROM_BOARD_HELD] = s->held,
                                                  [CAROM_BOARD_FIRST] = s->nloads > 0 ? first : NULL};
    sizes(b, size);
    for (size_t m = 0; good && m < CAROM_BOARD_COMMON; m++)
        good = carom_rattle_board_fill(b, m, from[m], size[m], error);
    carom_memory_free(first);
    good = good && b->way->open(b, error);
    return good && (carom_rattle_acts_are(s) ? carom_rattle_acts_open(b, error)
                                             : carom_rattle_board_fill(b, CAROM_BOARD_FORCES, NULL, 0, error));
}

struct carom_rattle_device *carom_rattle_device_create(struct carom_device *device, struct carom_rattle_body *body,
                                                       size_t nbodies, struct carom_error *error)
{
    for (size_t i = 0; i < nbodies; i++)
        if (accept(&body[i], error) != CAROM_OK)
            return NULL;
    struct carom_rattle_device *d = carom_memory_zeroed(1, sizeof *d);
    struct carom_board *board = carom_memory_zeroed(nbodies, sizeof *board);
    struct account *account = carom_memory_zeroed(nbodies, sizeof *account);
    if (!d || !board || !account) {
        carom_memory_free_all(d, board, account);
        carom_rattle_board_lost(error);
        return NULL;
    }
    *d = (struct carom_rattle_device){.device = device, .board = board, .nbodies = nbodies, .account = account};
    bool good = true;
    for (size_t i = 0; good && i < nbodies; i++) {
        const size_t way = way_of(body[i].solid);
        good = compile(d, way, error);
        board[i] =
            (struct carom_board){.body = &body[i], .way = ways[way], .device = device, .program = d->program[way]};
        good = good && open_board(&board[i], error);
    }
    if (good && carom_device_finish(device, error) == CAROM_OK)
        return d;
    carom_rattle_device_free(d);
    return NULL;
}

void carom_rattle_device_free(struct carom_rattle_device *d)
{
    for (size_t i = 0; d && i < d->nbodies; i++) {
        for (size_t m = 0; m < CAROM_BOARD_MEMORIES; m++)
            carom_device_release(d->board[i].memory[m]);
        carom_memory_free_all(d->board[i].loaded, d->board[i].heard, d->board[i].pushed, d->board[i].own);
        carom_rattle_acts_free(d->board[i].acts);
    }
    if (d) {
        for (size_t w = 0; w < WAYS; w++)
            carom_device_program_free(d->program[w]);
        carom_memory_free_all(d->board, d->account);
    }
    carom_memory_free(d);
}

/* --- passes ------------------------------------------------------------------------------------------------------- */

/* ends a step of size `end`, begins one of size `begin`; 0: does not */
static void advance(struct carom_board *b, double end, double begin, enum carom_board_forces forces)
{
    b->way->advance(b, end, begin, forces);
    if (begin > 0.0) {
        struct carom_device_memory *last = b->memory[CAROM_BOARD_PLACES];
        b->memory[CAROM_BOARD_PLACES] = b->memory[CAROM_BOARD_PLACES_NEXT];
        b->memory[CAROM_BOARD_PLACES_NEXT] = last;
    }
}

/* loaded cells, into their places among all; their pressures too, once those are known */
static void hear(struct carom_board *b, double *q, double *pressure)
{
    const size_t places[2] = {b->nloaded, 1}, wide = b->body->solid->wide;
    const uint64_t n = b->body->solid->n, count = b->nloaded;
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &count, .size = sizeof count}};
    const size_t memory[] = {CAROM_BOARD_PLACES, CAROM_BOARD_PRESSURE, CAROM_BOARD_LOADED, CAROM_BOARD_HEARD};
    carom_rattle_board_run(b, "sample", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
    carom_device_read(b->memory[CAROM_BOARD_HEARD], b->heard, heard(b) * b->nloaded * sizeof(double));
    for (size_t i = 0; i < b->nloaded; i++) {
        memcpy(q + wide * b->loaded[i], b->heard + heard(b) * i, wide * sizeof *q);
        pressure[b->loaded[i]] = b->heard[heard(b) * i + wide];
    }
}

/* Pressures at t, and how far loaded faces are out, at the start of a step or (which = 1) at its end. */
static void evaluate(struct carom_board *b, double t, double *q, size_t which)
{
    const struct carom_solid *s = b->body->solid;
    if (s->nloads > 0) {
        if (which == 1)
            hear(b, q, b->body->work.pressure);
        carom_solid_loads_tell(s, t, q, b->pushed);
        carom_device_write(b->memory[CAROM_BOARD_PUSHED], b->pushed, s->nentries * sizeof *b->pushed);
    }
    b->way->press(b);
    if (s->nloads > 0) {
        hear(b, q, b->body->work.pressure);
        carom_solid_loads_extend(s, t, b->body->work.pressure, b->body->extension + which * carom_solid_loads_faces(s));
    }
}

static double work_of_loads(const struct carom_board *b, double t0, const double *q0, double t1, const double *q1)
{
    const struct carom_solid *s = b->body->solid;
    const size_t faces = carom_solid_loads_faces(s);
    double *extension = b->body->extension;
    const double work =
        carom_solid_loads_work(s, NULL, &(struct carom_solid_way){t0, q0, extension, t1, q1, extension + faces});
    memcpy(extension, extension + faces, faces * sizeof *extension);
    return work;
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

/* Numbers of all cells come and go as the processor has them, cell by cell. Where the device has them kind by kind, the
 * places to be are free to lay them out in. */
static bool is_laid(const struct carom_board *b)
{
    return b->way->lay != NULL;
}

static void send(struct carom_board *b, const double *from, enum carom_board_memory to, size_t each)
{
    const bool laid = is_laid(b);
    carom_device_write(b->memory[laid ? CAROM_BOARD_PLACES_NEXT : to], from, each * width(b));
    if (laid)
        b->way->lay(b, "lay_out", CAROM_BOARD_PLACES_NEXT, to, each);
}

static void receive(struct carom_board *b, enum carom_board_memory from, double *to, size_t each)
{
    const bool laid = is_laid(b);
    if (laid)
        b->way->lay(b, "lay_back", from, CAROM_BOARD_PLACES_NEXT, each);
    carom_device_read(b->memory[laid ? CAROM_BOARD_PLACES_NEXT : from], to, each * width(b));
}

static void fetch(struct carom_board *b, struct carom_state *state, enum carom_board_memory places,
                  enum carom_board_memory velocities)
{
    receive(b, places, state->q + b->body->member->q0, b->body->solid->wide);
    receive(b, velocities, state->v + b->body->member->v0, b->body->solid->fast);
}

static void keep(struct carom_board *b, enum carom_board_memory places, enum carom_board_memory velocities)
{
    carom_device_copy(b->memory[CAROM_BOARD_PLACES], b->memory[places], b->body->solid->wide * width(b));
    carom_device_copy(b->memory[CAROM_BOARD_VELOCITIES], b->memory[velocities], b->body->solid->fast * width(b));
}

/* the state as it stands, on the device and, to go back to, once more */
static void begin(struct carom_board *b, struct carom_state *state, bool fresh)
{
    const int32_t none = 0;
    if (fresh) {
        send(b, state->q + b->body->member->q0, CAROM_BOARD_PLACES, b->body->solid->wide);
        send(b, state->v + b->body->member->v0, CAROM_BOARD_VELOCITIES, b->body->solid->fast);
    }
    keep(b, CAROM_BOARD_SAVED_PLACES, CAROM_BOARD_SAVED_VELOCITIES);
    carom_device_write(b->memory[CAROM_BOARD_WRONG], &none, sizeof none);
    evaluate(b, state->time, state->q + b->body->member->q0, 0);
    if (b->acts) {
        carom_rattle_acts_forget(b);
        advance(b, 0.0, 0.0, CAROM_BOARD_KEPT);
        carom_rattle_acts_feel(b);
    }
}

static bool went_wrong(struct carom_rattle_device *d)
{
    int32_t any = 0;
    for (size_t i = 0; i < d->nbodies; i++) {
        int32_t wrong = 0;
        carom_device_read(d->board[i].memory[CAROM_BOARD_WRONG], &wrong, sizeof wrong);
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

/* from the state, or `back` to it */
static void keep_account(const struct carom_board *b, size_t number, bool back, struct carom_state *state,
                         struct account *a)
{
    double *losses = carom_solid_losses(b->body->solid, state->q + b->body->member->q0);
    if (back) {
        state->work[number] = a->work;
        state->spent[number] = a->spent;
    } else {
        a->work = state->work[number];
        a->spent = state->spent[number];
    }
    if (losses)
        memcpy(back ? losses : a->losses, back ? a->losses : losses, sizeof a->losses);
}

static enum carom_status go_back(struct carom_rattle_device *d, struct carom_stepper *stepper,
                                 struct carom_state *state, const struct mark *mark, struct carom_error *error)
{
    for (size_t i = 0; i < d->nbodies; i++) {
        fetch(&d->board[i], state, CAROM_BOARD_SAVED_PLACES, CAROM_BOARD_SAVED_VELOCITIES);
        keep_account(&d->board[i], i, true, state, &d->account[i]);
    }
    state->time = mark->time;
    state->time_low = mark->time_low;
    state->step = mark->step;
    stepper->counts = mark->counts;
    return carom_device_finish(d->device, error);
}

/* A body's step from t0 to t1: `before` is the size of the one that has not ended yet, 0: none; last: of the call. */
static void plain_step(struct carom_board *b, const struct carom_state *from, struct carom_state *state, size_t number,
                       double before, double h, bool last, double t0, double t1)
{
    const struct carom_member *m = b->body->member;
    if (last && before > 0.0)
        advance(b, before, 0.0, CAROM_BOARD_FRESH);
    if (last)
        keep(b, CAROM_BOARD_LAST_PLACES, CAROM_BOARD_LAST_VELOCITIES);
    advance(b, last ? 0.0 : before, h, CAROM_BOARD_FRESH);
    evaluate(b, t1, state->q + m->q0, 1);
    if (b->body->solid->nloads > 0)
        state->work[number] += work_of_loads(b, t0, from->q + m->q0, t1, state->q + m->q0);
    if (last)
        advance(b, h, 0.0, CAROM_BOARD_FRESH);
}

/* The same of a body that is damped, driven or absorbs: all of the step. */
static void whole_step(struct carom_board *b, const struct carom_state *from, struct carom_state *state, size_t number,
                       double h, bool last, double t0, double t1)
{
    const struct carom_member *m = b->body->member;
    const struct carom_solid *s = b->body->solid;
    double *q = state->q + m->q0;
    if (last)
        keep(b, CAROM_BOARD_LAST_PLACES, CAROM_BOARD_LAST_VELOCITIES);
    carom_rattle_acts_damp(b, h, false, from->v + m->v0);
    advance(b, 0.0, h, CAROM_BOARD_TAKEN);
    carom_rattle_acts_drive(b, t1, q, state->v + m->v0);
    if (carom_solid_driven(s))
        carom_rattle_acts_work(b, carom_rattle_drive_work(b->body, from, state, t1));
    evaluate(b, t1, q, 1);
    advance(b, h, 0.0, CAROM_BOARD_KEPT);
    carom_rattle_acts_feel(b);
    if (carom_solid_driven(s))
        carom_rattle_acts_work(b, carom_rattle_drive_work(b->body, from, state, t1) +
                                      carom_rattle_drive_gain(b->body, from, state));
    if (s->nloads > 0)
        carom_rattle_acts_work(b, work_of_loads(b, t0, from->q + m->q0, t1, q));
    carom_rattle_acts_damp(b, h, true, state->v + m->v0);
    if (carom_rattle_acts_end(b, h) || last)
        carom_rattle_acts_count(b, state, number);
}

/* one step of all bodies, as plain_step() */
static void one_step(struct carom_rattle_device *d, struct carom_stepper *stepper, struct carom_state *state,
                     double before, double h, bool last, double t0, double t1)
{
    for (size_t i = 0; i < d->nbodies; i++) {
        struct carom_board *b = &d->board[i];
        const struct carom_member *m = b->body->member;
        if (b->acts && last) { /* dense output wants to know what was lost before */
            carom_rattle_acts_count(b, stepper->before, i);
            state->work[i] = stepper->before->work[i];
            state->spent[i] = stepper->before->spent[i];
        }
        carom_rattle_carry_on(b->body->solid, stepper->before->q + m->q0, state->q + m->q0);
        if (b->acts)
            whole_step(b, stepper->before, state, i, h, last, t0, t1);
        else
            plain_step(b, stepper->before, state, i, before, h, last, t0, t1);
        if (last)
            fetch(b, state, CAROM_BOARD_PLACES, CAROM_BOARD_VELOCITIES);
    }
    carom_stepper_count(stepper, h);
    stepper->counts.evaluations++;
}

void carom_rattle_device_before(struct carom_rattle_device *d, struct carom_state *before)
{
    for (size_t i = 0; d->pending && i < d->nbodies; i++)
        fetch(&d->board[i], before, CAROM_BOARD_LAST_PLACES, CAROM_BOARD_LAST_VELOCITIES);
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
        keep_account(&d->board[i], i, false, state, &d->account[i]);
        begin(&d->board[i], state, fresh);
    }
    for (size_t taken = 0; !last; taken++) {
        const double h = carom_stepper_size(state, step, bound->t_stop), t0 = state->time;
        carom_stepper_begin_step(stepper, state);
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
