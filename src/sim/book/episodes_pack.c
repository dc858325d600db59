/* A book written down and read again: what is left out, contacts under way with the last two looks at them, the largest
 * peaks kept, the largest left out; of plain rows momenta at the start, what has passed through contacts and who is
 * looked at closer; of surfaces of solids rows that wait. */
#include "sim/book/episodes_pack.h"

#include <string.h>

#include "base/memory.h"
#include "sim/between/impulses_solid.h"

_Static_assert(sizeof(struct carom_impulses_solid) == CAROM_IMPULSES_SOLID_REALS * sizeof(double), "a push");

enum {
    LEFT,
    STRIDE,
    SEEN,
    TIME_1,
    TIME_2,
    ENDED,
    UNDER_WAY,
    KEPT,
    BEST,
    HEAD
};                                                  /* what comes first; the last three count */
enum { SMOOTH = 11, COPY = 4 + CAROM_SCHEME_HEAD }; /* numbers about leaps, and of a copy beside its beads */
enum { ONE = 16, PUSH = CAROM_IMPULSES_SOLID_REALS, ROW = 1 + CAROM_EPISODE_REALS, VECTOR = 3 };

/* numbers of a contact under way, of a row and of one that waits; of solids with vectors */
static size_t one(const struct carom_episodes *e)
{
    return e->sums.push ? ONE + PUSH : ONE;
}

static size_t row(const struct carom_episodes *e)
{
    return e->sums.push ? ROW + VECTOR : ROW;
}

static size_t wait(const struct carom_episodes *e)
{
    return row(e) + 1;
}

/* all numbers of a contact under way, in their order */
static void places(const struct carom_episodes *e, size_t j, double *at[ONE - 1])
{
    const struct carom_peak_force *p = &e->peak;
    double *const all[ONE - 1] = {
        &e->since[j],          &e->speed[j],        &e->lost[j],           &e->sums.impulse[j],  &e->sums.overlap[j],
        &p->largest[j],        &p->when[j],         &p->look[1].deform[j], &p->look[1].rate[j],  &p->look[1].force[j],
        &p->look[2].deform[j], &p->look[2].rate[j], &p->look[2].force[j],  &p->look[1].times[j], &p->look[2].times[j]};
    memcpy(at, all, sizeof all);
}

static void count(const struct carom_episodes *e, size_t counts[3])
{
    counts[0] = counts[1] = counts[2] = 0;
    for (size_t j = 0; j < e->n; j++) {
        counts[0] += e->closed[j];
        counts[1] += e->kept[j] > 0.0;
        counts[2] += e->best && e->best[j].impulse != 0.0;
    }
}

static size_t length(const struct carom_episodes *e, const size_t counts[3])
{
    return HEAD + one(e) * counts[0] + 2 * counts[1] + row(e) * counts[2] + 2 * e->peak.nh;
}

/* --- plain rows -------------------------------------------------------------------------------------------------- */

static size_t swings_length(const struct carom_episodes *e)
{
    return e->swings.on ? 7 * e->swings.chain.n + 3 * e->n + 1 + SMOOTH + 3 * COPY : 0;
}

/* A copy of the row, which courses through it need. */
static void copy_write(const struct carom_swings_copy *c, size_t beads, double *to)
{
    const double head[4] = {(double)c->from, (double)c->to, (c->smooth ? 1.0 : 0.0) + (c->calm ? 2.0 : 0.0), c->time};
    memcpy(to, head, sizeof head);
    memcpy(to + 4, c->state.memory, CAROM_SCHEME_HEAD * sizeof *to);
    memcpy(to + COPY, c->state.q, beads * sizeof *to);
    memcpy(to + COPY + beads, c->state.v, beads * sizeof *to);
}

static void copy_read(struct carom_swings_copy *c, size_t beads, size_t contacts, const double *from)
{
    const bool good = from[0] >= 0.0 && from[1] >= from[0] && from[1] <= (double)contacts;
    c->from = good ? (size_t)from[0] : 0;
    c->to = good ? (size_t)from[1] : 0;
    c->smooth = good && (from[2] == 1.0 || from[2] == 3.0);
    c->calm = good && from[2] >= 2.0;
    c->time = from[3];
    memcpy(c->state.memory, from + 4, CAROM_SCHEME_HEAD * sizeof *from);
    memcpy(c->state.q, from + COPY, beads * sizeof *from);
    memcpy(c->state.v, from + COPY + beads, beads * sizeof *from);
}

static void swings_write(const struct carom_episodes *e, double *to)
{
    const struct carom_swings *s = &e->swings;
    const size_t beads = s->on ? s->chain.n : 0;
    if (!s->on)
        return;
    memcpy(to, s->start, (beads + e->n) * sizeof *to); /* and the overlaps that come after them */
    memcpy(to + beads + e->n, e->sums.impulse, e->n * sizeof *to);
    for (size_t j = 0; j < e->n; j++)
        to[beads + 2 * e->n + j] = s->pending[j];
    const double last[1 + SMOOTH] = {s->wall,
                                     (double)e->leap,
                                     (double)s->turned_at,
                                     (double)s->smooth_from,
                                     (double)e->looked,
                                     (double)e->next,
                                     (double)s->stretch.on,
                                     s->stretch.h,
                                     s->stretch.force[0],
                                     s->stretch.force[1],
                                     s->stretch.force[2],
                                     e->apart};
    memcpy(to + beads + 3 * e->n, last, sizeof last);
    to += beads + 3 * e->n + 1 + SMOOTH;
    for (size_t i = 0; i < 3; i++)
        copy_write(s->copy[i], beads, to + i * (COPY + 2 * beads));
}

/* of a file that may say anything */
static uint64_t step_of(double number)
{
    return number >= 0.0 && number < 0x1p53 ? (uint64_t)number : 0;
}

static void swings_read(struct carom_episodes *e, const double *from, bool leaps)
{
    struct carom_swings *s = &e->swings;
    const size_t beads = s->chain.n;
    memcpy(s->start, from, (beads + e->n) * sizeof *from);
    memcpy(e->sums.impulse, from + beads + e->n, e->n * sizeof *from);
    for (size_t j = 0; j < e->n; j++) {
        s->pending[j] = from[beads + 2 * e->n + j] > 0.0;
        s->npending += s->pending[j];
    }
    from += beads + 3 * e->n;
    s->wall = from[0];
    e->leap = e->stride;
    if (!leaps || !(from[1] >= 1.0 && from[1] <= 1e9))
        return;
    e->leap = (uint64_t)from[1];
    e->apart = from[11];
    s->leaps = e->leap > e->stride || e->apart > 0.0;
    s->turned_at = step_of(from[2]);
    s->smooth_from = step_of(from[3]);
    e->looked = step_of(from[4]);
    e->next = step_of(from[5]);
    s->stretch = (struct carom_swings_stretch){from[6] > 0.0, from[7], {from[8], from[9], from[10]}};
    from += 1 + SMOOTH;
    for (size_t i = 0; i < 3; i++)
        copy_read(s->copy[i], beads, e->n, from + i * (COPY + 2 * beads));
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static void row_write(const struct carom_episodes *e, const struct carom_episode *b, double *to)
{
    const double all[ROW] = {(double)b->contact, b->closed,  b->opened,     b->speed,  b->peak_force,
                             b->peak_time,       b->impulse, b->dissipated, b->overlap};
    memcpy(to, all, sizeof all);
    if (e->sums.push)
        memcpy(to + ROW, b->impulse_vector, sizeof b->impulse_vector);
}

static struct carom_episode row_read(const struct carom_episodes *e, size_t j, const double *from)
{
    struct carom_episode read = {.contact = j,
                                 .closed = from[1],
                                 .opened = from[2],
                                 .speed = from[3],
                                 .peak_force = from[4],
                                 .peak_time = from[5],
                                 .impulse = from[6],
                                 .dissipated = from[7],
                                 .overlap = from[8]};
    if (e->sums.push)
        memcpy(read.impulse_vector, from + ROW, sizeof read.impulse_vector);
    return read;
}

static void wait_write(const struct carom_episodes *e, double *to)
{
    for (size_t j = 0; e->faces.waiting > 0 && j < e->n; j++)
        if (carom_episodes_faces_waits(&e->faces, j)) {
            row_write(e, &e->faces.row[j], to);
            to[row(e)] = e->faces.lost[j];
            to += wait(e);
        }
}

/* ----------------------------------------------------------------------------------------------------------------- */

bool carom_episodes_pack_write(struct carom_episodes *e)
{
    const struct carom_look *look = e->peak.look;
    size_t counts[3];
    carom_swings_note_settle_all(&e->swings, &e->sums, &e->peak);
    carom_swings_tell_all(&e->swings, &e->peak, e->closed);
    count(e, counts);
    e->npack = length(e, counts) + swings_length(e) + wait(e) * e->faces.waiting;
    if (e->npack > e->pack_room) {
        carom_memory_free(e->pack);
        e->pack_room = e->npack + e->npack / 4;
        e->pack = carom_memory_zeroed(e->pack_room, sizeof *e->pack);
    }
    if (!e->pack)
        return e->npack = e->pack_room = 0, false;
    const double head[HEAD] = {(double)e->left, (double)e->stride, (double)e->peak.seen, look[1].time,     look[2].time,
                               e->ended,        (double)counts[0], (double)counts[1],    (double)counts[2]};
    double *to = e->pack, *at[ONE - 1];
    memcpy(to, head, sizeof head);
    to += HEAD;
    for (size_t j = 0; j < e->n && counts[0] > 0; j++)
        if (e->closed[j]) {
            places(e, j, at);
            *to++ = (double)j;
            for (size_t i = 0; i < ONE - 1; i++)
                *to++ = *at[i];
            if (e->sums.push)
                memcpy(to, &e->sums.push[j], PUSH * sizeof *to);
            to += one(e) - ONE;
        }
    for (size_t j = 0; j < e->n; j++)
        if (e->kept[j] > 0.0)
            *to++ = (double)j, *to++ = e->kept[j];
    for (size_t j = 0; e->best && j < e->n; j++)
        if (e->best[j].impulse != 0.0) {
            row_write(e, &e->best[j], to);
            to += row(e);
        }
    for (size_t i = 1; i < 3 && e->peak.nh > 0; i++, to += e->peak.nh)
        memcpy(to, look[i].history, e->peak.nh * sizeof *to);
    swings_write(e, to);
    wait_write(e, to + swings_length(e));
    return true;
}

/* a contact's number, or n if there is no such */
static size_t number(const struct carom_episodes *e, double x)
{
    return x >= 0.0 && x < (double)e->n ? (size_t)x : e->n;
}

static bool read_open(struct carom_episodes *e, const double *from)
{
    const size_t j = number(e, from[0]);
    double *at[ONE - 1];
    if (j == e->n || e->peak.n == 0)
        return false;
    places(e, j, at);
    for (size_t i = 0; i < ONE - 1; i++)
        *at[i] = from[1 + i];
    if (e->sums.push)
        memcpy(&e->sums.push[j], from + ONE, PUSH * sizeof *from);
    if (!e->closed[j])
        carom_episodes_mark(e, j, e->since[j]);
    return true;
}

static bool read_best(struct carom_episodes *e, const double *from)
{
    const size_t j = number(e, from[0]);
    if (j == e->n || (!e->best && !(e->best = carom_memory_zeroed(e->n, sizeof *e->best))))
        return false;
    e->best[j] = row_read(e, j, from);
    return true;
}

static bool read_wait(struct carom_episodes *e, const double *from)
{
    const size_t j = number(e, from[0]);
    if (j == e->n || carom_episodes_faces_waits(&e->faces, j))
        return false;
    const struct carom_episode waits = row_read(e, j, from);
    return carom_episodes_faces_wait(&e->faces, &waits, from[row(e)]);
}

bool carom_episodes_pack_read(struct carom_episodes *e, const double *pack, size_t npack)
{
    if (e->most == 0 || npack < HEAD)
        return false;
    size_t counts[3];
    for (size_t i = 0; i < 3; i++) {
        if (!(pack[UNDER_WAY + i] >= 0.0 && pack[UNDER_WAY + i] <= (double)e->n))
            return false;
        counts[i] = (size_t)pack[UNDER_WAY + i];
    }
    const size_t most = length(e, counts), rest = npack > most ? npack - most : 0;
    e->swings.on = e->swings.on && rest > 0; /* files of earlier versions have nothing of plain rows */
    const size_t waiting = e->faces.n > 0 ? rest / wait(e) : 0;
    const size_t old = most + e->swings.chain.n + 3 * e->n + 1; /* nothing about leaps, or too little */
    const bool older = e->swings.on && (npack == old || npack == old + 5);
    if ((npack != most + swings_length(e) + wait(e) * waiting && !older) ||
        !(pack[STRIDE] >= 0.0 && pack[STRIDE] <= 65536.0))
        return false;
    e->left = (uint64_t)pack[LEFT];
    e->stride = (uint64_t)pack[STRIDE];
    e->peak.seen = (uint64_t)pack[SEEN];
    e->peak.look[1].time = pack[TIME_1];
    e->peak.look[2].time = pack[TIME_2];
    e->ended = pack[ENDED];
    const double *from = pack + HEAD;
    bool good = true;
    for (size_t i = 0; i < counts[0]; i++, from += one(e))
        good &= read_open(e, from);
    for (size_t i = 0; i < counts[1]; i++, from += 2)
        if (number(e, from[0]) < e->n)
            e->kept[number(e, from[0])] = from[1];
    for (size_t i = 0; i < counts[2]; i++, from += row(e))
        good &= read_best(e, from);
    for (size_t i = 1; i < 3 && e->peak.nh > 0; i++, from += e->peak.nh)
        memcpy(e->peak.look[i].history, from, e->peak.nh * sizeof *from);
    for (size_t i = 0; i < waiting; i++, from += wait(e))
        good &= read_wait(e, from);
    if (e->swings.on)
        swings_read(e, from, !older);
    for (size_t j = e->first; j < e->last && !e->swings.on && !e->sums.push; j++)
        if (e->closed[j])
            carom_impulses_recall(&e->sums, &e->peak, e->peak.own, j);
    return good;
}
