/* Bodies asleep, see bodies_window.h. */
#include "scheme/compliant/bodies_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, RINGS = 6, NEAR = 2, FEW = 100, AGAIN = 16, LONG = 64 };

/* walls that turn, by themselves or led, reach as far as the farthest body, awake or not */
static bool has_turning_walls(const struct carom_bodies *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->body[i].surface != CAROM_BALL && !b->body[i].fixed)
            return true;
    for (size_t i = 0; i < b->n; i++)
        if (b->body[i].lead >= 0 && b->body[i].surface != CAROM_BALL)
            for (int k = 0; k < 3; k++)
                if (b->lead[b->body[i].lead].turn[k] != 0.0)
                    return true;
    return false;
}

enum carom_status carom_bodies_window_open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_dp5_options *options = stepper->options;
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    if (!options->window || b->n < FEW || has_turning_walls(b))
        return CAROM_OK;
    struct carom_bodies_window *window = w->window = carom_memory_zeroed(1, sizeof *window);
    if (!window)
        return carom_memory_error_for(error, "bodies asleep");
    window->rings = RINGS;
    window->some = *b;
    window->some.body = NULL;
    window->some.load = b->nloads > 0 ? carom_memory_zeroed(b->nloads, sizeof *b->load) : NULL;
    window->options = *options;
    window->options.window = false;
    window->place = carom_memory_zeroed(b->n, sizeof *window->place);
    window->queue = carom_memory_zeroed(b->n, sizeof *window->queue);
    if (!window->place || !window->queue || (b->nloads > 0 && !window->some.load))
        return carom_memory_error_for(error, "bodies asleep");
    memset(window->place, 0xff, b->n * sizeof *window->place);
    for (size_t i = 0; i < b->n; i++)
        window->nwalls += b->body[i].surface != CAROM_BALL || b->body[i].inside;
    return CAROM_OK;
}

/* the guest and all that is made for so many bodies */
static void dismiss(struct carom_bodies_window *window)
{
    if (window->guest.work)
        carom_dp5_bodies.close(&window->guest);
    carom_state_free(window->guest.before);
    carom_state_free(window->state);
    carom_state_free(window->view);
    carom_memory_free_all(window->some.body, window->number, window->ring);
    window->guest.before = window->state = window->view = NULL;
    window->some.body = NULL;
    window->number = NULL;
    window->ring = NULL;
    window->room = 0;
}

void carom_bodies_window_close(struct carom_dp5_bodies *w)
{
    struct carom_bodies_window *window = w->window;
    if (!window)
        return;
    dismiss(window);
    carom_memory_free_all(window->some.load, window->place, window->queue, window->contact, window);
    w->window = NULL;
}

static void set_size(struct carom_bodies_window *window, size_t n)
{
    window->some.n = n;
    window->model.nq = window->member.nq = n * carom_bodies_nq(&window->some);
    window->model.nv = window->member.nv = n * carom_bodies_nv(&window->some);
}

/* a guest for n bodies and more */
static enum carom_status invite(struct carom_stepper *stepper, size_t n, struct carom_error *error)
{
    const struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    const size_t room = n + n / 2;
    dismiss(window);
    window->model = *stepper->model;
    window->member = stepper->model->member[0];
    window->member.own = &window->some;
    window->model.member = &window->member;
    set_size(window, room);
    window->some.body = carom_memory_zeroed(room, sizeof *window->some.body);
    window->number = carom_memory_zeroed(room, sizeof *window->number);
    window->ring = carom_memory_zeroed(room, 1);
    window->guest = *stepper;
    window->guest.model = &window->model;
    window->guest.options = &window->options;
    window->guest.work = NULL;
    window->guest.before = window->some.body ? carom_state_create(&window->model, stepper->before->nmemory) : NULL;
    window->state = window->some.body ? carom_state_create(&window->model, stepper->before->nmemory) : NULL;
    window->view = window->some.body ? carom_state_create(&window->model, stepper->before->nmemory) : NULL;
    if (!window->number || !window->ring || !window->guest.before || !window->state || !window->view)
        return carom_memory_error_for(error, "bodies asleep");
    const enum carom_status status = carom_dp5_bodies.open(&window->guest, error);
    if (status != CAROM_OK)
        return status;
    struct carom_dp5_bodies *own = window->guest.work;
    own->guest = true;
    own->smallest = w->smallest;
    struct carom_search *search = &own->search; /* nobody is sought: it holds what is known of those awake */
    if (!carom_memory_widen(&search->wall, 0, window->nwalls, sizeof *search->wall) ||
        !carom_memory_widen(&search->turned, 0, window->nwalls, sizeof *search->turned) ||
        !carom_memory_widen(&search->farthest, 0, window->nwalls, sizeof *search->farthest))
        return carom_memory_error_for(error, "bodies asleep");
    window->room = room;
    return CAROM_OK;
}

/* --- who is awake ------------------------------------------------------------------------------------------------ */

/* Does body i move, or is it about to? `n` bodies of a stepper, at the end of a step. */
static bool moves(const struct carom_stepper *stepper, const struct carom_state *state, size_t i)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const size_t nv = carom_bodies_nv(w->bodies);
    const double *v = state->v + i * nv, *a = w->step.k[STAGES - 1] + stepper->model->nq + i * nv;
    for (size_t k = 0; k < nv; k++)
        if (v[k] != 0.0 || a[k] != 0.0)
            return true;
    return false;
}

/* body i is awake, so many contacts away from what moves */
static void wake(struct carom_bodies_window *window, uint32_t i, uint32_t ring, size_t *count)
{
    if (window->place[i] != UINT32_MAX)
        return;
    window->place[i] = ring;
    window->queue[(*count)++] = i;
}

/* those that move, or are led or loaded, in window->queue, with their ring in window->place */
static size_t seeds(const struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    const struct carom_bodies *b = w->bodies;
    size_t count = 0;
    if (window->open) {
        const size_t n = window->some.n;
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            window->place[window->number[i]] = UINT32_MAX;
            if (moves(&window->guest, window->state, i) || b->body[window->number[i]].lead >= 0)
                window->number[kept++] = window->number[i];
        }
        for (size_t i = 0; i < kept; i++)
            wake(window, window->number[i], 0, &count);
    } else {
        for (size_t i = 0; i < b->n; i++)
            if (moves(stepper, state, i) || b->body[i].lead >= 0)
                wake(window, (uint32_t)i, 0, &count);
    }
    for (size_t j = 0; j < b->nloads; j++)
        wake(window, (uint32_t)b->load[j].body, 0, &count);
    return count;
}

/* rings of neighbours are added; walls that stand still pass nothing on. Too many: false */
static bool add_rings(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t *count)
{
    struct carom_bodies_window *window = w->window;
    for (size_t at = 0; at < *count; at++) {
        const uint32_t i = window->queue[at], ring = window->place[i];
        if (2 * *count > w->bodies->n)
            return false;
        if (ring == window->rings || (w->bodies->body[i].fixed && w->bodies->body[i].lead < 0))
            continue;
        for (size_t k = w->search.first[i]; k < w->search.first[i + 1]; k++) {
            const struct carom_contact_key *key = &c->key[w->search.side[k] / 2];
            wake(window, w->search.side[k] & 1 ? key->a : key->b, ring + 1, count);
        }
    }
    return true;
}

/* contacts between bodies awake, in the order of all */
static bool list_contacts(const struct carom_dp5_bodies *w, const struct carom_contacts *c)
{
    struct carom_bodies_window *window = w->window;
    size_t n = 0;
    for (size_t i = 0; i < window->some.n; i++) {
        const size_t from = w->search.first[window->number[i]], to = w->search.first[window->number[i] + 1];
        if (n + (to - from) > window->contact_room) {
            const size_t room = 2 * n + (to - from) + 64;
            if (!carom_memory_widen(&window->contact, n, room, sizeof *window->contact))
                return false;
            window->contact_room = room;
        }
        for (size_t k = from; k < to; k++) {
            const size_t j = w->search.side[k] / 2;
            if (!(w->search.side[k] & 1) && window->place[c->key[j].b] != UINT32_MAX)
                window->contact[n++] = (uint32_t)j;
        }
    }
    window->ncontacts = n;
    if (c->npairings > 1)
        qsort(window->contact, n, sizeof *window->contact, carom_sorted_numbers);
    return true;
}

/* --- gathering --------------------------------------------------------------------------------------------------- */

static void gather_bodies(const struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    const struct carom_bodies *b = w->bodies;
    struct carom_search *search = &((struct carom_dp5_bodies *)window->guest.work)->search;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    size_t all_walls = 0;
    search->nwalls = 0;
    search->skin = w->search.skin;
    for (size_t i = 0; i < window->some.n; i++) {
        const size_t from = window->number[i];
        window->some.body[i] = b->body[from];
        memcpy(window->state->q + i * nq, state->q + from * nq, nq * sizeof(double));
        memcpy(window->state->v + i * nv, state->v + from * nv, nv * sizeof(double));
        memcpy(search->centre[i], w->search.centre[from], sizeof search->centre[i]);
        while (all_walls < w->search.nwalls && w->search.wall[all_walls] < from)
            all_walls++;
        if (all_walls == w->search.nwalls || w->search.wall[all_walls] != from)
            continue;
        search->wall[search->nwalls] = (uint32_t)i;
        memcpy(search->turned[search->nwalls], w->search.turned[all_walls], sizeof *search->turned);
        search->farthest[search->nwalls++] = w->search.farthest[all_walls];
    }
    for (size_t j = 0; j < b->nloads; j++) {
        window->some.load[j] = b->load[j];
        window->some.load[j].body = window->place[b->load[j].body];
    }
}

static bool gather_contacts(const struct carom_dp5_bodies *w, const struct carom_contacts *from)
{
    struct carom_bodies_window *window = w->window;
    struct carom_contacts *to = window->state->contacts;
    const size_t n = window->ncontacts;
    if (!carom_list_reserve(to, n) || !carom_list_claim(to, w->act.columns.phase))
        return false;
    to->n = n;
    for (size_t p = 0; p <= to->npairings; p++)
        to->first[p] = 0;
    for (size_t j = 0; j < n; j++) {
        const struct carom_contact_key *key = &from->key[window->contact[j]];
        to->key[j] =
            (struct carom_contact_key){key->pairing, window->place[key->a], window->place[key->b], key->feature};
        to->first[key->pairing + 1]++;
    }
    for (size_t p = 0; p < to->npairings; p++)
        to->first[p + 1] += to->first[p];
    for (size_t i = 0; i < to->ncolumns; i++)
        for (size_t j = 0; (i < to->nfixed || to->own[i]) && j < n; j++)
            to->column[i][j] = from->column[i][window->contact[j]];
    memcpy(to->retired, from->retired, sizeof to->retired);
    carom_list_copy(window->guest.before->contacts, to);
    return !window->guest.before->contacts->lacking;
}

/* the guest's own numbers for those awake: the ring that must not move, the clock, what the scheme remembers */
static bool make_ready(const struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    struct carom_dp5_bodies *own = window->guest.work;
    const size_t n = window->some.n;
    struct carom_state *to = window->state;
    set_size(window, window->room); /* room for as many as may wake before the next guest */
    bool good = carom_bodies_rates_reserve(&window->guest, window->ncontacts);
    set_size(window, n);
    good = good && carom_bodies_rates_reserve(&window->guest, window->ncontacts);
    good = good && gather_contacts(w, state->contacts) && carom_search_index(&own->search, to->contacts);
    memcpy(own->jumps, w->jumps, w->bodies->npairings * sizeof *own->jumps);
    own->rim = window->queue;
    own->nrim = 0;
    for (size_t i = 0; i < n; i++)
        if (window->ring[i] == window->rings && !window->some.body[i].fixed)
            window->queue[own->nrim++] = (uint32_t)i;
    to->time = state->time;
    to->time_low = state->time_low;
    to->step = state->step;
    to->work[0] = state->work[0];
    memcpy(to->memory, state->memory, state->nmemory * sizeof(double));
    return good;
}

void carom_bodies_window_reset(struct carom_dp5_bodies *w, size_t wait)
{
    if (!w->window)
        return;
    memset(w->window->place, 0xff, w->bodies->n * sizeof *w->window->place);
    w->window->open = false;
    w->window->wait = wait;
}

/* Who is awake from now on. Where that is nearly everybody, all are stepped. */
static enum carom_status choose(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    size_t count = seeds(stepper, state);
    if (!add_rings(w, state->contacts, &count)) {
        carom_bodies_window_reset(w, AGAIN);
        return CAROM_OK;
    }
    if (!window->open) { /* sleepers are alike in both blocks */
        memcpy(stepper->before->q, state->q, state->nq * sizeof(double));
        memcpy(stepper->before->v, state->v, state->nv * sizeof(double));
        carom_list_copy(stepper->before->contacts, state->contacts);
    }
    if (count > window->room) {
        const enum carom_status status = invite(stepper, count, error);
        if (status != CAROM_OK)
            return status;
    }
    qsort(window->queue, count, sizeof *window->queue, carom_sorted_numbers);
    for (size_t i = 0; i < count; i++) {
        window->number[i] = window->queue[i];
        window->ring[i] = (unsigned char)window->place[window->number[i]];
        window->place[window->number[i]] = (uint32_t)i;
    }
    set_size(window, count);
    if (!list_contacts(w, state->contacts))
        return carom_memory_error_for(error, "bodies asleep");
    gather_bodies(stepper, state);
    window->open = true;
    window->wait = LONG;
    return make_ready(stepper, state) ? CAROM_OK : carom_memory_error_for(error, "bodies asleep");
}

/* --- scattering -------------------------------------------------------------------------------------------------- */

/* numbers of those awake, out of a state of theirs into one of all */
static void scatter(const struct carom_bodies_window *window, const struct carom_state *from, struct carom_state *to)
{
    const struct carom_contacts *c = from->contacts;
    const size_t nq = carom_bodies_nq(&window->some), nv = carom_bodies_nv(&window->some);
    for (size_t i = 0; i < window->some.n; i++) {
        memcpy(to->q + window->number[i] * nq, from->q + i * nq, nq * sizeof(double));
        memcpy(to->v + window->number[i] * nv, from->v + i * nv, nv * sizeof(double));
    }
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        for (size_t j = 0; c->own[i] && j < c->n; j++)
            to->contacts->column[i][window->contact[j]] = c->column[i][j];
    memcpy(to->contacts->retired, c->retired, sizeof c->retired);
    to->work[0] = from->work[0];
}

void carom_bodies_window_dense(struct carom_stepper *stepper, double t, struct carom_state *view)
{
    struct carom_bodies_window *window = ((struct carom_dp5_bodies *)stepper->work)->window;
    window->guest.asked = stepper->asked;
    carom_dp5_bodies.dense(&window->guest, window->state, t, window->view);
    scatter(window, window->view, view);
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

/* The list is made anew if `way` is not below 0, and whoever is awake is found anew. */
static enum carom_status begin_anew(struct carom_stepper *stepper, struct carom_state *state, double way,
                                    struct carom_error *error)
{
    struct carom_bodies_window *window = ((struct carom_dp5_bodies *)stepper->work)->window;
    scatter(window, window->state, stepper->before); /* who falls asleep now is alike in both blocks */
    const enum carom_status status = way < 0.0 ? CAROM_OK : carom_dp5_bodies_renew(stepper, state, way, error);
    return status == CAROM_OK ? choose(stepper, state, error) : status;
}

/* has what moves come so near to the rim that it may reach it? */
static bool has_spread(const struct carom_bodies_window *window)
{
    for (size_t i = 0; i < window->some.n; i++)
        if (window->ring[i] >= NEAR && moves(&window->guest, window->state, i))
            return true;
    return false;
}

/* the guest's step becomes everybody's */
static void take_over(struct carom_stepper *stepper, struct carom_state *state, const struct carom_deep *deep)
{
    struct carom_bodies_window *window = ((struct carom_dp5_bodies *)stepper->work)->window;
    const struct carom_stepper *guest = &window->guest;
    carom_stepper_begin_step(stepper, state);
    scatter(window, window->state, state);
    state->time = window->state->time;
    state->time_low = window->state->time_low;
    state->step = window->state->step;
    memcpy(state->memory, window->state->memory, state->nmemory * sizeof(double));
    stepper->switched = guest->switched;
    stepper->switched_first = stepper->switched_last = 0;
    if (!deep->found && guest->deep.found) {
        stepper->deep = guest->deep;
        stepper->deep.a = window->number[guest->deep.a];
        stepper->deep.b = window->number[guest->deep.b];
    }
    window->wait = has_spread(window) ? 0 : window->wait - 1;
}

/* A step of the guest; *taken is false where everybody is awake again, and none was. */
static enum carom_status guest_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                    bool *taken, struct carom_error *error)
{
    struct carom_bodies_window *window = ((struct carom_dp5_bodies *)stepper->work)->window;
    enum carom_status status = window->wait == 0 ? begin_anew(stepper, state, -1.0, error) : CAROM_OK;
    while (status == CAROM_OK && window->open) {
        struct carom_dp5_bodies *own = window->guest.work;
        if (!carom_search_holds(&own->search, window->state->q)) {
            status = begin_anew(stepper, state, 0.0, error);
            continue;
        }
        const struct carom_deep deep = stepper->deep;
        window->guest.counts = stepper->counts;
        window->guest.deep = deep;
        own->reached = false;
        own->strayed = 0.0;
        status = carom_dp5_bodies_advance(&window->guest, window->state, t_stop, error);
        if (own->reached) { /* someone behind the rim may have been moved */
            if (status == CAROM_OK && !(own->strayed > 0.0))
                carom_state_swap(window->state, window->guest.before);
            window->rings += RINGS;
            status = begin_anew(stepper, state, -1.0, error);
            window->rings = RINGS;
            continue;
        }
        stepper->counts = window->guest.counts;
        if (status == CAROM_OK && own->strayed > 0.0) {
            status = begin_anew(stepper, state, own->strayed, error);
            continue;
        }
        *taken = true;
        if (status == CAROM_OK)
            take_over(stepper, state, &deep);
        return status;
    }
    return status;
}

enum carom_status carom_bodies_window_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                           struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_bodies_window *window = w->window;
    bool taken = false;
    enum carom_status status = CAROM_OK;
    if (window && !window->open && window->wait == 1 && w->n == state->contacts->n)
        status = choose(stepper, state, error);
    if (status == CAROM_OK && window && window->open)
        status = guest_step(stepper, state, t_stop, &taken, error);
    if (taken || status != CAROM_OK)
        return status;
    status = carom_dp5_bodies_advance(stepper, state, t_stop, error);
    if (window)
        window->wait = window->wait > 1 ? window->wait - 1 : 1;
    return status;
}
