/* Episodes of contacts that come and go, see episodes_list.h. All schemes of such contacts step places and velocities
 * themselves, so that no views are needed. */
#include "sim/book/episodes_list.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "carom/law.h"
#include "model/bodies/meet.h"
#include "model/motion.h"
#include "model/peak_force.h"
#include "sim/between/inside.h"
#include "sim/between/interval.h"

enum { HISTORY = CAROM_EPISODES_LIST_HISTORY };

void carom_episodes_list_open(struct carom_episodes_list *e, const struct carom_sim *sim)
{
    *e = (struct carom_episodes_list){.stride = 1};
    if (!sim->recorder || !sim->state->contacts)
        return;
    e->most = carom_recorder_wants_episodes(sim->recorder);
    e->rigid = sim->stepper->scheme->tells;
    e->inside = !e->rigid && carom_inside_helps(sim);
    e->recent = -HUGE_VAL;
    e->bodies = carom_model_bodies(sim->model);
    e->columns = carom_list_columns(e->bodies);
}

void carom_episodes_list_close(struct carom_episodes_list *e)
{
    carom_memory_free_all(e->way, e->best, e->pack);
    *e = (struct carom_episodes_list){0};
}

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of contacts");
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* where the best of a pair stands, or would */
static size_t place_of(const struct carom_episodes_list *e, uint64_t pair)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, e->nbest, e->best[middle].contact < pair);
    return low;
}

static enum carom_status leave_out(struct carom_episodes_list *e, const struct carom_episode *row,
                                   struct carom_error *error)
{
    const size_t at = place_of(e, row->contact);
    e->left++;
    if (at < e->nbest && e->best[at].contact == row->contact) {
        const struct carom_episode *best = &e->best[at];
        const bool stronger = row->peak_force > 0.0 ? row->peak_force > best->peak_force : row->impulse > best->impulse;
        e->best[at] = stronger ? *row : *best;
        return CAROM_OK;
    }
    if (!carom_memory_room(&e->best, e->nbest, &e->best_room, 64, sizeof *e->best))
        return no_memory(error);
    memmove(e->best + at + 1, e->best + at, (e->nbest++ - at) * sizeof *e->best);
    e->best[at] = *row;
    return CAROM_OK;
}

static enum carom_status keep(struct carom_episodes_list *e, const struct carom_episode *row,
                              struct carom_recorder *recorder, struct carom_error *error)
{
    if (carom_recorder_tally(recorder)->episodes >= e->most)
        return leave_out(e, row, error);
    return carom_recorder_episode(recorder, row, error);
}

enum carom_status carom_episodes_list_struck(struct carom_episodes_list *e, const struct carom_event *event,
                                             struct carom_recorder *recorder, struct carom_error *error)
{
    const struct carom_episode row = carom_episodes_impact(event);
    return event->kind == CAROM_EVENT_IMPACT ? keep(e, &row, recorder, error) : CAROM_OK;
}

static enum carom_status write_row(struct carom_episodes_list *e, const struct carom_episodes_way *w, double opened,
                                   struct carom_recorder *recorder, struct carom_error *error)
{
    const struct carom_episode row = {.contact = carom_event_key_pair(&w->key),
                                      .closed = w->since,
                                      .opened = opened,
                                      .speed = w->speed,
                                      .peak_force = w->peak,
                                      .peak_time = w->peak > 0.0 ? w->when : w->since,
                                      .impulse = w->impulse,
                                      .dissipated = w->lost,
                                      .overlap = w->overlap};
    return keep(e, &row, recorder, error);
}

/* --- one contact ------------------------------------------------------------------------------------------------- */

/* the law of a contact with its parameters */
struct pressed {
    const struct carom_law *law;
    enum carom_ending ending;
    const double *param[CAROM_LAW_WIDTH];
};

static struct pressed law_of(const struct carom_episodes_list *e, const struct carom_contacts *c, size_t j)
{
    const struct carom_pairing *pairing = &e->bodies->pairing[c->key[j].pairing];
    struct pressed p = {.law = pairing->law, .ending = pairing->ending};
    for (size_t i = 0; i < carom_param_count(p.law->kind.params); i++)
        p.param[i] = &c->column[e->columns.param + i][j];
    return p;
}

static double force_of(const void *own, size_t j, const double *history, double deform, double rate)
{
    const struct pressed *p = own;
    const double *const remembered[HISTORY] = {history, history + 1};
    (void)j;
    return carom_contact_force_of(p->law, p->ending, p->param, remembered, deform, rate);
}

/* a further look at contact j of a state's list */
static void see(struct carom_episodes_list *e, struct carom_episodes_way *w, const struct carom_contacts *c, size_t j,
                const struct pressed *p, double time, double deform, double rate)
{
    for (int i = 0; i < 2; i++) {
        w->time[i] = w->time[i + 1];
        w->deform[i] = w->deform[i + 1];
        w->rate[i] = w->rate[i + 1];
        w->force[i] = w->force[i + 1];
        memcpy(w->history[i], w->history[i + 1], sizeof w->history[i]);
    }
    for (size_t i = 0; i < p->law->nh && i < HISTORY; i++)
        w->history[2][i] = c->column[e->columns.history + i][j];
    w->time[2] = time;
    w->deform[2] = deform;
    w->rate[2] = rate;
    w->force[2] = deform > 0.0 ? force_of(p, 0, w->history[2], deform, rate) : 0.0;
    w->looks++;
}

/* the looks of one contact as those of all contacts are */
static struct carom_peak_force peak_of(struct carom_episodes_way *w, const struct pressed *p)
{
    struct carom_peak_force peak = {
        .n = 1, .seen = w->looks, .largest = &w->peak, .when = &w->when, .force = force_of, .own = p};
    for (int i = 0; i < 3; i++)
        peak.look[i] = (struct carom_look){.time = w->time[i],
                                           .deform = &w->deform[i],
                                           .rate = &w->rate[i],
                                           .force = &w->force[i],
                                           .times = &w->time[i],
                                           .history = w->history[i]};
    return peak;
}

static void look_at(const struct carom_episodes_list *e, const struct carom_contact_key *key,
                    const struct carom_state *at, double *deform, double *rate)
{
    struct carom_meeting m;
    double slip[3];
    carom_meet(e->bodies, key, at->q, &m);
    *deform = -m.gap;
    *rate = -carom_meet_slip(e->bodies, key, &m, at->v, slip);
}

/* Peaks and overlaps in the last step. The view becomes its middle, once for all contacts. */
static void follow_inside(const struct carom_episodes_list *e, struct carom_sim *sim, struct carom_episodes_way *w,
                          struct carom_peak_force *peak)
{
    struct carom_course_past middle = {.time = carom_inside_time(sim)};
    carom_inside_ends(peak, 0, &w->overlap);
    if (!(w->time[1] < middle.time && middle.time < w->time[2]) || !carom_inside_promises(peak, 0, w->overlap, false))
        return;
    if (sim->view->time != middle.time)
        sim->stepper->scheme->dense(sim->stepper, sim->state, middle.time, sim->view);
    look_at(e, &w->key, sim->view, &middle.deform, &middle.rate);
    carom_inside_climb(peak, 0, &middle, &w->overlap);
}

static struct carom_interval last_interval(const struct carom_episodes_way *w, const struct pressed *p)
{
    const double h = w->time[2] - w->time[1];
    return (struct carom_interval){.deform = {{w->deform[1], w->deform[2]}, {h * w->rate[1], h * w->rate[2]}},
                                   .h = h,
                                   .force = {w->force[1], w->force[2]},
                                   .law = force_of,
                                   .own = p,
                                   .history = w->history[1]};
}

/* What has happened since the look before; `sim`, unless it is NULL, in its last step. */
static void follow(const struct carom_episodes_list *e, struct carom_sim *sim, struct carom_episodes_way *w,
                   const struct pressed *p)
{
    const struct carom_interval interval = last_interval(w, p);
    if (w->looks < 2 || !(interval.h > 0.0))
        return;
    w->impulse += carom_interval_impulse(&interval);
    struct carom_peak_force peak = peak_of(w, p);
    if (e->inside && sim) {
        follow_inside(e, sim, w, &peak);
        return;
    }
    w->overlap = fmax(w->overlap, carom_interval_overlap(&interval));
    carom_peak_force_note_some(&peak, 0, 1);
}

static double lost_by(const struct carom_episodes_list *e, const struct carom_contacts *c, size_t j)
{
    double sum = 0.0;
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        sum += c->column[e->columns.lost + i][j];
    return sum;
}

/* --- those under way --------------------------------------------------------------------------------------------- */

static size_t index_of(const struct carom_episodes_list *e, const struct carom_contact_key *key)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, e->n, carom_list_order(&e->way[middle].key, key) < 0);
    return low;
}

/* room between steps grows with the number of contacts that are closed at once */
static struct carom_episodes_way *insert(struct carom_episodes_list *e, const struct carom_contact_key *key)
{
    if (!carom_memory_room(&e->way, e->n, &e->room, 64, sizeof *e->way))
        return NULL;
    const size_t at = index_of(e, key);
    memmove(e->way + at + 1, e->way + at, (e->n++ - at) * sizeof *e->way);
    e->way[at] = (struct carom_episodes_way){.key = *key};
    return &e->way[at];
}

enum carom_status carom_episodes_list_begin(struct carom_episodes_list *e, const struct carom_sim *sim,
                                            struct carom_error *error)
{
    const struct carom_state *state = sim->state;
    const struct carom_contacts *c = state->contacts;
    const struct carom_param *step = carom_param_find(sim->stepper->scheme->kind.params, "step");
    const double h = step ? carom_param_value(step, sim->stepper->options) : 0.0;
    const double r = h > 0.0 ? sim->scales.contact_time / h : 1.0, stride = r / fmax(8.0, 1.2 * sqrt(r));
    if (e->most == 0 || e->begun || e->rigid)
        return CAROM_OK;
    e->begun = true;
    e->stride = !(stride > 1.0) ? 1 : stride < 65536.0 ? (uint64_t)stride : 65536; /* see episodes.c */
    for (size_t j = 0; j < c->n; j++) {
        double deform, rate;
        look_at(e, &c->key[j], state, &deform, &rate);
        if (!(deform > 0.0))
            continue;
        struct carom_episodes_way *w = insert(e, &c->key[j]);
        if (!w)
            return no_memory(error);
        const struct pressed p = law_of(e, c, j);
        w->since = state->time;
        w->speed = fmax(rate, 0.0); /* as in episodes_faces.c */
        see(e, w, c, j, &p, state->time, deform, rate);
    }
    return CAROM_OK;
}

/* closes the book on w; its contact may not be in the list of now any more */
static enum carom_status open_up(struct carom_episodes_list *e, struct carom_sim *sim, struct carom_episodes_way *w,
                                 const struct carom_event *event, const double deform[2], const double rate[2],
                                 struct carom_error *error)
{
    const struct carom_state *before = sim->stepper->before;
    const size_t j = carom_list_find(before->contacts, &w->key);
    if (j < before->contacts->n) {
        const struct pressed p = law_of(e, before->contacts, j);
        if (before->time > w->time[2]) {
            see(e, w, before->contacts, j, &p, before->time, deform[0], rate[0]);
            follow(e, NULL, w, &p);
        }
        w->lost = fmax(w->lost, lost_by(e, before->contacts, j));
        see(e, w, before->contacts, j, &p, sim->state->time, deform[1], rate[1]);
        w->force[2] = 0.0;
        follow(e, sim, w, &p);
        const struct carom_interval last = last_interval(w, &p);
        w->lost += p.law->nh == 0 ? carom_interval_loss(&last) : 0.0;
    }
    const enum carom_status status = write_row(e, w, event->time, sim->recorder, error);
    const size_t at = (size_t)(w - e->way);
    memmove(w, w + 1, (--e->n - at) * sizeof *w);
    return status;
}

enum carom_status carom_episodes_list_turned(struct carom_episodes_list *e, struct carom_sim *sim,
                                             const struct carom_contact_key *key, const struct carom_event *event,
                                             const double deform[2], const double rate[2], struct carom_error *error)
{
    const size_t at = index_of(e, key);
    const bool there = at < e->n && carom_list_order(&e->way[at].key, key) == 0;
    const struct carom_state *before = sim->stepper->before, *state = sim->state;
    if ((event->kind == CAROM_EVENT_CLOSE) == there)
        return CAROM_OK;
    if (there)
        return open_up(e, sim, &e->way[at], event, deform, rate, error);
    const size_t j = carom_list_find(state->contacts, key);
    struct carom_episodes_way *w = insert(e, key);
    if (!w || j == state->contacts->n)
        return no_memory(error);
    const struct pressed p = law_of(e, state->contacts, j);
    w->since = event->time;
    w->speed = -event->before;
    e->recent = fmax(e->recent, event->time);
    see(e, w, state->contacts, j, &p, before->time, deform[0], rate[0]);
    w->force[2] = 0.0;
    return CAROM_OK;
}

/* a look at those under way, as they are in `at` */
static void look_all(struct carom_episodes_list *e, struct carom_sim *sim, const struct carom_state *at)
{
    const struct carom_state *state = sim->state;
    const struct carom_contacts *c = state->contacts;
    for (size_t i = 0, j = 0; i < e->n; i++) { /* both are in the order of keys */
        struct carom_episodes_way *w = &e->way[i];
        double deform, rate;
        while (j < c->n && carom_list_order(&c->key[j], &w->key) < 0)
            j++;
        if (j == c->n || carom_list_order(&c->key[j], &w->key) != 0 || !(state->time > w->time[2]))
            continue;
        const struct pressed p = law_of(e, c, j);
        look_at(e, &w->key, at, &deform, &rate);
        see(e, w, c, j, &p, state->time, deform, rate);
        follow(e, at == state ? sim : NULL, w, &p);
        w->lost = lost_by(e, c, j);
    }
}

/* What begins at a break has other rates than what has just ended there: forces may jump from a peak, and where an
 * overlap grows before it and falls after it, neither side turns. */
static void go_on(struct carom_episodes_list *e, const struct carom_state *state, const struct carom_state *at)
{
    const struct carom_contacts *c = state->contacts;
    for (size_t i = 0; i < e->n; i++) {
        struct carom_episodes_way *w = &e->way[i];
        const size_t j = carom_list_find(c, &w->key);
        if (j == c->n || w->time[2] != state->time)
            continue;
        const struct pressed p = law_of(e, c, j);
        w->overlap = fmax(w->overlap, w->deform[2]);
        if (w->force[2] > w->peak)
            w->peak = w->force[2], w->when = w->time[2];
        look_at(e, &w->key, at, &w->deform[2], &w->rate[2]);
        w->force[2] = w->deform[2] > 0.0 ? force_of(&p, 0, w->history[2], w->deform[2], w->rate[2]) : 0.0;
    }
}

void carom_episodes_list_look(struct carom_episodes_list *e, struct carom_sim *sim, bool breaks)
{
    const struct carom_state *state = sim->state;
    struct carom_state *view = sim->view;
    if (e->n == 0)
        return;
    if (!breaks) {
        look_all(e, sim, state);
        return;
    }
    carom_sim_sync(sim);
    carom_motion_impose(sim->model, nextafter(state->time, -HUGE_VAL), view->q, view->v);
    look_all(e, sim, view);
    carom_motion_impose(sim->model, state->time + state->time_low, view->q, view->v);
    go_on(e, state, view);
}

enum carom_status carom_episodes_list_end(struct carom_episodes_list *e, struct carom_sim *sim,
                                          struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    const struct carom_contacts *c = sim->state->contacts;
    if (e->most == 0)
        return CAROM_OK;
    carom_episodes_list_look(e, sim, false);
    for (size_t i = 0; i < e->n && status == CAROM_OK; i++) {
        const size_t j = carom_list_find(c, &e->way[i].key);
        if (j < c->n) {
            const struct pressed p = law_of(e, c, j);
            struct carom_peak_force peak = peak_of(&e->way[i], &p);
            carom_peak_force_end_some(&peak, 0, 1);
        }
        status = write_row(e, &e->way[i], HUGE_VAL, sim->recorder, error);
    }
    for (size_t i = 0; i < e->nbest && status == CAROM_OK; i++) {
        status = carom_recorder_episode(sim->recorder, &e->best[i], error);
        e->left--;
    }
    return status == CAROM_OK ? carom_recorder_left_out(sim->recorder, e->left, error) : status;
}

/* --- checkpoints ------------------------------------------------------------------------------------------------- */

enum { LEFT, STRIDE, WAYS, BEST, HEAD };
enum { REALS = 7 + 12 + 3 * HISTORY, WAY = 5 + REALS, ROW = 2 + CAROM_EPISODE_REALS };

/* from `since` on all entries of a contact under way are doubles */
static_assert(sizeof(struct carom_episodes_way) == offsetof(struct carom_episodes_way, since) + 8 * REALS, "a way");

const double *carom_episodes_list_pack(struct carom_episodes_list *e, size_t *n)
{
    *n = HEAD + WAY * e->n + ROW * e->nbest + 1;
    if (*n > e->pack_room) {
        carom_memory_free(e->pack);
        e->pack_room = *n + *n / 4;
        e->pack = carom_memory_zeroed(e->pack_room, sizeof *e->pack);
    }
    if (!e->pack)
        return e->pack_room = 0, NULL;
    const double head[HEAD] = {(double)e->left, (double)e->stride, (double)e->n, (double)e->nbest};
    double *to = memcpy(e->pack, head, sizeof head);
    to += HEAD;
    for (size_t i = 0; i < e->n; i++, to += WAY) {
        const struct carom_episodes_way *w = &e->way[i];
        const double name[5] = {w->key.pairing, w->key.a, w->key.b, w->key.feature, (double)w->looks};
        memcpy(to, name, sizeof name);
        memcpy(to + 5, &w->since, REALS * sizeof *to);
    }
    for (size_t i = 0; i < e->nbest; i++, to += ROW) {
        const struct carom_episode *b = &e->best[i];
        to[0] = (double)(b->contact >> 32);
        to[1] = (double)(b->contact & UINT32_MAX);
        memcpy(to + 2, &b->closed, CAROM_EPISODE_REALS * sizeof *to);
    }
    *to = e->recent;
    return e->pack;
}

static bool is_whole(double x)
{
    return x >= 0.0 && x <= (double)UINT32_MAX;
}

static bool read_way(struct carom_episodes_list *e, const double *from)
{
    bool good = from[4] >= 0.0 && from[4] < 0x1p53;
    for (int i = 0; i < 4; i++)
        good = good && is_whole(from[i]);
    if (!good || !(from[0] < (double)e->bodies->npairings))
        return false;
    const struct carom_contact_key key = {(uint32_t)from[0], (uint32_t)from[1], (uint32_t)from[2], (uint32_t)from[3]};
    struct carom_episodes_way *w = insert(e, &key);
    if (!w)
        return false;
    w->looks = (uint64_t)from[4];
    memcpy(&w->since, from + 5, REALS * sizeof *from);
    return true;
}

bool carom_episodes_list_unpack(struct carom_episodes_list *e, const double *pack, size_t n)
{
    if (e->most == 0 || n < HEAD || !is_whole(pack[WAYS]) || !is_whole(pack[BEST]) || !(pack[STRIDE] >= 1.0) ||
        !(pack[STRIDE] <= 65536.0))
        return false;
    const double known = HEAD + WAY * pack[WAYS] + ROW * pack[BEST]; /* older files do not say when one closed last */
    if ((double)n != known && (double)n != known + 1.0)
        return false;
    if ((double)n > known)
        e->recent = pack[n - 1];
    const size_t ways = (size_t)pack[WAYS], rows = (size_t)pack[BEST];
    const double *from = pack + HEAD;
    bool good = true;
    for (size_t i = 0; i < ways && good; i++, from += WAY)
        good = read_way(e, from);
    for (size_t i = 0; i < rows && good; i++, from += ROW) {
        struct carom_episode row = {.contact = carom_event_pair((uint64_t)from[0], (uint64_t)from[1])};
        memcpy(&row.closed, from + 2, CAROM_EPISODE_REALS * sizeof *from);
        good = leave_out(e, &row, NULL) == CAROM_OK;
    }
    e->left = (uint64_t)pack[LEFT];
    e->stride = (uint64_t)pack[STRIDE];
    e->begun = good;
    return good;
}
