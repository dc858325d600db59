/* Contacts of a crystal: room for them, their geometry at one place of the bodies, and what their laws say. */
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "carom/law.h"
#include "scheme/crystal/crystal.h"

/* an array and what one contact takes of it */
struct array {
    void **at;
    size_t size;
};

enum { MOST = 14 + 7 * CAROM_CRYSTAL_ENDS };

/* those that a form does without have size 0 */
static void arrays_of(struct carom_crystal *w, struct array all[MOST])
{
    const bool two = carom_crystal_complex(w), theta = w->form == CAROM_CRYSTAL_THETA, rubs = w->bodies->frictional;
    const struct array own[14] = {
        {(void **)&w->balls, sizeof *w->balls},
        {(void **)&w->gamma, theta ? sizeof(double) : 0},
        {(void **)&w->impulse, sizeof *w->impulse},
        {(void **)&w->aside, theta || two ? sizeof *w->aside : 0},
        {(void **)&w->mean, sizeof(double)},
        {(void **)&w->spent, two ? sizeof(double) : 0},
        {(void **)&w->stiff[0], sizeof(double)},
        {(void **)&w->stiff[1], two ? sizeof(double) : 0},
        {(void **)&w->found, sizeof *w->found},
        {(void **)&w->side, 2 * sizeof *w->side},
        {(void **)&w->rub, rubs ? sizeof *w->rub : 0},
        {(void **)&w->pressed, rubs ? sizeof(double) : 0},
        {(void **)&w->closing, rubs ? sizeof(double) : 0},
        {(void **)&w->spin, rubs ? sizeof *w->spin : 0},
    };
    memcpy(all, own, sizeof own);
    for (size_t e = 0; e < CAROM_CRYSTAL_ENDS; e++) {
        struct carom_crystal_end *end = &w->end[e];
        const size_t one = e < 2 || two ? sizeof(double) : 0;
        const struct array of[7] = {
            {(void **)&end->deform, one},     {(void **)&end->elastic, one}, {(void **)&end->slope, one},
            {(void **)&end->viscous, one},    {(void **)&end->drag, one},    {(void **)&end->energy, one},
            {(void **)&end->normal, 3 * one},
        };
        memcpy(all + 14 + 7 * e, of, sizeof of);
    }
}

bool carom_crystal_contacts_reserve(struct carom_crystal *w, size_t n)
{
    struct array all[MOST];
    if (n <= w->contacts && w->balls)
        return true;
    const size_t room = n + n / 4 + 16;
    arrays_of(w, all);
    for (size_t i = 0; i < MOST; i++) {
        const size_t part = all[i].at == (void **)&w->found ? CAROM_CRYSTAL_CONTACTS : 1;
        if (all[i].size > 0 && !carom_memory_widen(all[i].at, carom_crystal_blocks(w->contacts, part),
                                                   carom_crystal_blocks(room, part), all[i].size))
            return false;
    }
    w->contacts = room;
    return true;
}

void carom_crystal_contacts_free(struct carom_crystal *w)
{
    struct array all[MOST];
    arrays_of(w, all);
    for (size_t i = 0; i < MOST; i++)
        carom_memory_free(*all[i].at);
}

/* does a step change column i of the list? */
static bool changes(const struct carom_crystal *w, size_t i)
{
    const size_t lost = w->columns.lost;
    if (i >= w->columns.history && i < w->columns.history + w->bodies->nhistory)
        return true;
    if (w->bodies->frictional && ((i >= w->columns.spring[CAROM_SLIDES] && i < w->columns.phase) ||
                                  i == lost + CAROM_RETIRED_FRICTION || i == lost + CAROM_RETIRED_CHANGE))
        return true;
    return i == lost + CAROM_RETIRED_VISCOUS ||
           (i == lost + CAROM_RETIRED_NUMERICAL && (w->form == CAROM_CRYSTAL_CN_REG || w->form == CAROM_CRYSTAL_THETA));
}

void carom_crystal_contacts_prepare(struct carom_crystal *w, const struct carom_state *state, struct carom_state *other)
{
    const struct carom_contacts *c = state->contacts;
    const double *param[CAROM_LAW_WIDTH];
    for (size_t i = c->nfixed; i < c->ncolumns; i++) {
        w->carried[i] = changes(w, i);
        for (size_t j = 0; j < c->n && !w->carried[i]; j++)
            w->carried[i] = c->column[i][j] != 0.0;
        if (!w->carried[i])
            memset(other->contacts->column[i], 0, c->n * sizeof(double));
    }
    for (size_t j = 0; j < c->n; j++) {
        carom_meet_prepare(w->bodies, &c->key[j], state->q, &w->balls[j]);
        if (!w->gamma)
            continue;
        const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
        carom_crystal_params(w, c, j, param);
        w->gamma[j] = law->viscous_time ? law->viscous_time(param, 0) : 0.0;
    }
}

/* the laws of contacts [first, last) at their overlaps, pairing by pairing; what those with a memory say at the end of
 * a step depends on the way there, which crystal_newton.c knows */
static void evaluate(const struct carom_crystal *w, const struct carom_contacts *c, size_t first, size_t last,
                     const struct carom_crystal_end *end)
{
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    for (size_t p = c->key[first].pairing; first < last; p++) {
        const size_t to = c->first[p + 1] < last ? c->first[p + 1] : last;
        const struct carom_law *law = w->bodies->pairing[p].law;
        if (to <= first)
            continue;
        carom_crystal_params(w, c, first, param);
        carom_crystal_history(w, c, first, history);
        if (law->nh == 0 || end == &w->end[0])
            law->evaluate(&(struct carom_batch){.law = law,
                                                .n = to - first,
                                                .param = param,
                                                .history = history,
                                                .deform = end->deform + first,
                                                .elastic = end->elastic + first,
                                                .slope = end->slope + first,
                                                .viscous = end->viscous + first,
                                                .drag = end->drag + first,
                                                .energy = end->energy + first});
        first = to;
    }
}

/* has neither ball of contact j moved by `shift`? */
static inline bool stays(const struct carom_crystal *w, const struct carom_contacts *c, size_t j, const double *shift)
{
    const double *a = shift + c->key[j].a * w->dim, *b = shift + c->key[j].b * w->dim;
    bool still = !carom_crystal_has_wall(w, j); /* a wall may turn */
    for (size_t k = 0; k < w->dim; k++)
        still &= a[k] == 0.0 && b[k] == 0.0;
    return still;
}

bool carom_crystal_contacts_place_block(struct carom_crystal *w, const struct carom_contacts *c, const double *q,
                                        const double *shift, struct carom_crystal_end *end, size_t block)
{
    const size_t first = block * CAROM_CRYSTAL_CONTACTS, last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, c->n);
    bool apart = true;
    for (size_t j = first; j < last; j++) {
        struct carom_meeting m;
        if (shift && stays(w, c, j, shift)) {
            end->deform[j] = w->end[0].deform[j];
            memcpy(end->normal[j], w->end[0].normal[j], sizeof m.normal);
            continue;
        }
        apart &= carom_crystal_contacts_meet(w, c, j, q, &m);
        end->deform[j] = -m.gap;
        memcpy(end->normal[j], m.normal, sizeof m.normal);
    }
    evaluate(w, c, first, last, end);
    return apart;
}

static void place_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    s->w->found[block].broken = !carom_crystal_contacts_place_block(s->w, s->w->list, s->q, NULL, s->end, block);
}

bool carom_crystal_contacts_place(struct carom_crystal *w, const struct carom_contacts *c, const double *q,
                                  struct carom_crystal_end *end)
{
    struct carom_crystal_sweep sweep = {.w = w, .q = q, .end = end};
    const size_t blocks = carom_crystal_blocks(c->n, CAROM_CRYSTAL_CONTACTS);
    w->list = c;
    carom_threads_run(w->threads, place_block, &sweep, blocks);
    for (size_t i = 0; i < blocks; i++)
        if (w->found[i].broken)
            return false;
    return true;
}
