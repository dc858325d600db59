/* Verlet for discs and spheres on a device (src/kernel/packing.cl). The processor searches for contacts and works them
 * out once for a list; the device then takes steps until the list may be incomplete, a body has left the cell of its
 * anchor or the call ends. Two pages of bodies and of what contacts have lost take turns, so that the state before the
 * last comes back, too. Contacts that end write what they have lost into a log, which is booked here in the order in
 * which the processor's blocks do it. Whatever goes wrong, the processor takes the steps from the last state that it
 * knows, and says why. */
#include "scheme/compliant/packing/verlet_bodies_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/press.h"
#include "kernel/spring.h"
#include "scheme/compliant/packing/verlet_board.h"
#include "scheme/stepper.h"

struct carom_verlet_bodies_device {
    struct carom_verlet_board board;
    bool there; /* its page is the state at this step and time */
    uint64_t step;
    double time;
};

/* --- which -------------------------------------------------------------------------------------------------------- */

/* what devices take, if they do not take this pairing */
static const char *lack_of_pairing(const struct carom_verlet_bodies_work *w, const struct carom_pairing *p)
{
    struct carom_ball_friction_law law;
    double form[CAROM_LAW_FORM];
    for (enum carom_way way = 0; way < CAROM_WAYS; way++)
        if (carom_pairing_resists(p, way) && !carom_verlet_lanes_plain(p, way, &law))
            return "friction, and resistance to rolling and twisting, of one coefficient (mindlin not potential)";
    if (!p->law->form)
        return "laws hertz, kuwabara-kono, hunt-crossley, hertz-dashpot, linear-dashpot and power";
    carom_verlet_board_form(w, p, NULL, 0, form);
    if (!carom_kernel_rooted_form(form[CAROM_LAW_P], form[CAROM_LAW_GAMMA], form[CAROM_LAW_B]))
        return "contacts whose exponents are 1, 5/4, 3/2, 2 or 5/2";
    return p->ending == CAROM_END_GAP ? NULL : "damped contacts with contact_end: gap";
}

static const char *lack_of(const struct carom_verlet_bodies_work *w)
{
    const struct carom_bodies *b = w->bodies;
    const char *lacks = b->nleads > 0   ? "bodies that nobody leads"
                        : b->nloads > 0 ? "discs and spheres without loads"
                                        : NULL;
    for (size_t i = 0; i < b->n && !lacks; i++)
        if (!carom_bodies_round(&b->body[i]) && !carom_meet_is_flat(b, i))
            lacks = "discs, spheres and walls that stand still: planes, and boxes around them along the axes";
    for (size_t p = 0; p < b->npairings && !lacks; p++)
        lacks = lack_of_pairing(w, &b->pairing[p]);
    return lacks;
}

/* radius: with a skin of the largest ones', small balls would have all too many near them */
static double smallest(const struct carom_bodies *b)
{
    double radius = b->largest;
    for (size_t i = 0; i < b->n; i++)
        if (carom_bodies_round(&b->body[i]))
            radius = fmin(radius, b->body[i].radius);
    return radius;
}

enum carom_status carom_verlet_bodies_device_create(struct carom_verlet_bodies_device **created,
                                                    struct carom_device *device, struct carom_stepper *stepper,
                                                    struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const char *lacks = lack_of(w);
    if (lacks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "devices take %s under verlet; device: none runs this scene on the processor", lacks);
    struct carom_verlet_bodies_device *d = carom_memory_zeroed(1, sizeof *d);
    if (!d)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet on a device");
    if (carom_verlet_board_open(&d->board, device, w, error)) {
        w->search.thickest = 0.6 * smallest(w->bodies);
        *created = d;
        return CAROM_OK;
    }
    carom_verlet_bodies_device_free(d);
    return error ? error->status : CAROM_E_REFUSED;
}

void carom_verlet_bodies_device_free(struct carom_verlet_bodies_device *d)
{
    if (!d)
        return;
    carom_verlet_board_close(&d->board);
    carom_memory_free(d);
}

void carom_verlet_bodies_device_anew(struct carom_verlet_bodies_device *d)
{
    if (d)
        d->there = false;
}

/* --- from the device ---------------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
    const struct carom_verlet_ended *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->contact < y->contact ? -1 : x->contact > y->contact;
}

struct log {
    const struct carom_verlet_bodies_work *w;
    const struct carom_contacts *c;
    struct carom_verlet_ended *ended;
    const size_t *first; /* of each step */
};

static void order_step(void *own, size_t step)
{
    const struct log *log = own;
    const size_t first = log->first[step], end = log->first[step + 1];
    for (size_t i = first; i < end; i++)
        if (log->ended[i].contact < log->c->n) /* what a device that has failed tells is anything */
            log->ended[i].block = carom_verlet_guests_owner(log->w, &log->c->key[log->ended[i].contact]);
    if (end > first)
        qsort(log->ended + first, end - first, sizeof *log->ended, by_order);
}

/* the log, in order; NULL: out of memory */
static const struct carom_verlet_ended *read_log(struct carom_verlet_bodies_device *d, const struct carom_contacts *c,
                                                 size_t count, size_t steps, struct carom_error *error)
{
    struct log log = {.w = d->board.w, .c = c};
    log.ended = carom_verlet_board_steps_log(&d->board, count, steps, &log.first, error);
    if (log.ended)
        carom_threads_run(log.w->search.threads, order_step, &log, steps);
    return log.ended;
}

/* books what ended in steps before `step`, block by block, from entry i on; returns where it stopped */
static size_t book(const struct carom_verlet_board *b, struct carom_contacts *c, const struct carom_verlet_ended *ended,
                   size_t i, size_t count, size_t step)
{
    while (i < count && ended[i].step < step) {
        struct carom_sum sum[CAROM_BOARD_LOSSES] = {{0.0, 0.0}};
        const struct carom_verlet_ended *first = &ended[i];
        for (; i < count && ended[i].step == first->step && ended[i].block == first->block; i++)
            for (size_t k = 0; k < b->losses; k++)
                carom_sum_add(&sum[k], ended[i].lost[k]);
        for (size_t k = 0; k < b->losses; k++) {
            carom_list_book(c, b->lost[k], sum[k].high);
            carom_list_book(c, b->lost[k], sum[k].low);
        }
    }
    return i;
}

/* the clock after so many steps */
static void advance(struct carom_stepper *stepper, struct carom_state *state, double step, double t_stop, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double h = carom_stepper_size(state, step, t_stop);
        carom_stepper_arrive(state, h, t_stop);
        carom_stepper_count(stepper, h);
        stepper->counts.evaluations++;
    }
}

/* the state after the steps that the device has taken, in the midst of a call: nobody asks for the one before it */
static enum carom_status stop_over(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                   struct carom_state *state, double t_stop, const int32_t marks[CAROM_BOARD_MARKS],
                                   struct carom_error *error)
{
    const size_t done = (size_t)marks[CAROM_BOARD_DONE], count = (size_t)marks[CAROM_BOARD_LOGGED];
    const struct carom_verlet_ended *ended = read_log(d, state->contacts, count, done, error);
    if (!ended)
        return CAROM_E_MEMORY;
    book(&d->board, state->contacts, ended, 0, count, done);
    if (!carom_verlet_board_fetch(&d->board, (size_t)d->board.now, state, error))
        return CAROM_E_MEMORY;
    advance(stepper, state, d->board.w->step_size, t_stop, done);
    return carom_device_finish(d->board.device, error);
}

/* the same at its end, and the one before it */
static enum carom_status come_back(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                   struct carom_state *state, double t_stop, const int32_t marks[CAROM_BOARD_MARKS],
                                   struct carom_error *error)
{
    const size_t done = (size_t)marks[CAROM_BOARD_DONE], count = (size_t)marks[CAROM_BOARD_LOGGED];
    const double step = d->board.w->step_size;
    const size_t nq = d->board.w->bodies->n * carom_bodies_nq(d->board.w->bodies);
    const struct carom_verlet_ended *ended = read_log(d, state->contacts, count, done, error);
    if (!ended)
        return CAROM_E_MEMORY;
    const size_t booked = book(&d->board, state->contacts, ended, 0, count, done - 1);
    struct carom_contacts *other = stepper->before->contacts;
    memcpy(other->retired, state->contacts->retired, sizeof other->retired);
    book(&d->board, other, ended, booked, count, done);
    if (done > 1 && !carom_verlet_board_fetch(&d->board, (size_t)(1 - d->board.now), state, error))
        return CAROM_E_MEMORY;
    advance(stepper, state, step, t_stop, done - 1);
    carom_stepper_begin_step(stepper, state);
    memcpy(state->q, stepper->before->q, nq * sizeof *state->q);
    if (!carom_verlet_board_fetch(&d->board, (size_t)d->board.now, state, error))
        return CAROM_E_MEMORY;
    advance(stepper, state, step, t_stop, 1);
    stepper->switched = marks[CAROM_BOARD_SWITCHED] != 0;
    stepper->switched_first = stepper->switched_last = 0;
    return carom_device_finish(d->board.device, error);
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

/* how many steps of one size the call may take now, by the clock alone; what is watched, one at a time */
static size_t plan(const struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                   size_t taken, double *h)
{
    enum { MOST = 1 << 20 };
    const double time = state->time, low = state->time_low,
                 step = ((const struct carom_stepper_options *)stepper->options)->step;
    const uint64_t number = state->step;
    size_t count = 0;
    *h = carom_stepper_size(state, step, bound->t_stop);
    do {
        carom_stepper_arrive(state, *h, bound->t_stop);
        count++;
    } while (!bound->watch && count < MOST && !carom_stepper_done(stepper, state, bound, taken + count) &&
             carom_stepper_size(state, step, bound->t_stop) == *h);
    state->time = time;
    state->time_low = low;
    state->step = number;
    return count;
}

/* the device has stopped since someone may have come near unseen: the list is made anew */
static enum carom_status look_around(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                     struct carom_state *state, bool *wrong, struct carom_error *error)
{
    const double pace = carom_verlet_board_steps_pace(&d->board);
    d->there = false;
    *wrong = !(pace < HUGE_VAL);
    if (*wrong)
        return CAROM_OK;
    const enum carom_status status = carom_verlet_ready_around(stepper, state, pace, error);
    *wrong = !(d->board.w->search.skin > 4.0 * pace);
    return status;
}

/* contacts at the state, on the device */
static enum carom_status present(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                 struct carom_state *state, bool *wrong, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = d->board.w;
    if (d->there && d->step == state->step && d->time == state->time)
        return CAROM_OK;
    const enum carom_status status = carom_verlet_ready_prepare(stepper, state, error);
    *wrong = w->extras || state->contacts->n > UINT32_MAX / 4;
    return status != CAROM_OK || *wrong ? status : carom_verlet_board_send(&d->board, state, error);
}

enum carom_status carom_verlet_bodies_device_steps(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                                   struct carom_state *state, const struct carom_bound *bound,
                                                   size_t *taken, bool *wrong, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = d->board.w;
    *taken = 0;
    do {
        double h;
        int32_t marks[CAROM_BOARD_MARKS];
        enum carom_status status = present(d, stepper, state, wrong, error);
        if (status != CAROM_OK || *wrong)
            return status;
        stepper->switched = false;
        const size_t count = plan(stepper, state, bound, *taken, &h);
        carom_verlet_board_steps_run(&d->board, h, count, marks);
        status = carom_device_finish(d->board.device, error);
        *wrong = marks[CAROM_BOARD_WRONG] || (marks[CAROM_BOARD_DEEP] && !stepper->deep.found);
        d->there = status == CAROM_OK && !*wrong;
        if (!d->there)
            return status;
        const size_t done = (size_t)marks[CAROM_BOARD_DONE];
        if (done > 0)
            status = (done < count ? stop_over : come_back)(d, stepper, state, bound->t_stop, marks, error);
        *taken += done;
        w->ready = false; /* on the processor nothing belongs to this state */
        if (status == CAROM_OK && marks[CAROM_BOARD_FAR])
            d->there = !carom_bodies_anchor(w->bodies, state->q);
        else if (status == CAROM_OK && marks[CAROM_BOARD_HALT] &&
                 (size_t)marks[CAROM_BOARD_LOGGED] <= d->board.stride.room / 2)
            status = look_around(d, stepper, state, wrong, error);
        w->step = d->step = state->step;
        w->time = d->time = state->time;
        if (status != CAROM_OK || *wrong) {
            d->there = false;
            return status;
        }
    } while (*taken == 0 || !carom_stepper_done(stepper, state, bound, *taken));
    return CAROM_OK;
}
