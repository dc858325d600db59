/* Spans of awake beads: waking at their ends, sleeping where all is quiet. */
#include "scheme/compliant/window.h"

#include <string.h>

#include "base/memory.h"

enum carom_status carom_window_open(struct carom_window *w, const struct carom_model *model, size_t reach,
                                    struct carom_error *error)
{
    *w = (struct carom_window){.chain = carom_chain_of(model), .reach = reach};
    w->room = w->chain.n / (reach + 1) + 2; /* spans are longer than reach and do not touch */
    w->span = carom_memory_zeroed(w->room, sizeof *w->span);
    w->next = carom_memory_zeroed(w->room, sizeof *w->span);
    w->quiet = carom_memory_zeroed(w->chain.n, 1);
    return w->span && w->next && w->quiet ? CAROM_OK
                                          : carom_error_set(error, CAROM_E_MEMORY, "out of memory for the window");
}

void carom_window_close(struct carom_window *w)
{
    carom_memory_free_all(w->span, w->next, w->quiet);
    *w = (struct carom_window){0};
}

static struct carom_span span_of(const struct carom_chain *c, size_t first, size_t last)
{
    return (struct carom_span){.first = first,
                               .last = last,
                               .inner = first == 0 ? 0 : first + c->shift,
                               .outer = last == c->n ? c->nc : last + c->shift - 1};
}

/* the awake runs among beads [first, last), appended to `next` */
static size_t collect(const struct carom_window *w, size_t first, size_t last, const double *since, size_t count)
{
    for (size_t i = first, run; i < last; i = run) {
        for (run = i; run < last && (since[run] == CAROM_WINDOW_AWAKE) == (since[i] == CAROM_WINDOW_AWAKE); run++)
            ;
        if (since[i] == CAROM_WINDOW_AWAKE && count < w->room)
            w->next[count++] = span_of(&w->chain, i, run);
    }
    return count;
}

static void take_next(struct carom_window *w, size_t count)
{
    struct carom_span *const hold = w->span;
    w->span = w->next;
    w->next = hold;
    w->count = count;
}

void carom_window_load(struct carom_window *w, const double *since)
{
    take_next(w, collect(w, 0, w->chain.n, since, 0));
}

/* where bead i is at t */
static double place(size_t i, double t, const double *q, const double *w, const double *since)
{
    return since[i] == CAROM_WINDOW_AWAKE ? q[i] : q[i] + w[i] * (t - since[i]);
}

/* is contact j open and not closing, or too little of both to matter? */
static bool contact_quiet(const struct carom_window *win, size_t j, double t, const double *q, const double *w,
                          const double *since)
{
    const struct carom_chain *c = &win->chain;
    double deform = -c->gap[j], rate = 0.0;
    if (c->moving && c->left_wall && j == 0)
        deform += c->wall[0].place;
    if (c->moving && c->right_wall && j == c->nc - 1)
        deform -= c->wall[1].place;
    if (!(c->left_wall && j == 0)) {
        deform += place(j - c->shift, t, q, w, since);
        rate += w[j - c->shift];
    }
    if (!(c->right_wall && j == c->nc - 1)) {
        deform -= place(j - c->shift + 1, t, q, w, since);
        rate -= w[j - c->shift + 1];
    }
    return deform <= win->depth && rate <= win->pace;
}

enum { MANY = 64 }; /* loads */

/* does a drive stand still from t on, up to the next break? */
static bool drive_quiet(const struct carom_drive *drive, double t)
{
    return carom_signal_quiet(&drive->place, t) > t;
}

static bool force_quiet(const struct carom_load *load, double t)
{
    return carom_signal_quiet(&load->force, t) > t && carom_signal_value(&load->force, t) == 0.0;
}

/* the bead that a drive moves, or that is beside its wall */
static size_t bead_of(const struct carom_chain *c, const struct carom_drive *drive)
{
    return drive->which >= 0 ? (size_t)drive->which : drive->which == CAROM_WALL_LEFT ? 0 : c->n - 1;
}

/* may bead i sleep, as far as all is concerned that acts on it beside contacts and springs? */
static bool load_quiet(const struct carom_chain *c, size_t i, double t, double q, double w)
{
    const struct carom_beads *b = c->beads;
    if (b->weight && b->weight[i] != 0.0)
        return false;
    if (b->string && b->string[i] > 0.0 && !(q == 0.0 && w == 0.0))
        return false;
    if (b->damper && b->damper[i] != 0.0 && w != 0.0)
        return false;
    if (b->pushed && b->pushed[i] && b->nloads > MANY) /* to look for its own would take too long */
        return false;
    for (size_t k = 0; b->pushed && b->pushed[i] && k < b->nloads; k++)
        if (b->load[k].bead == i && !force_quiet(&b->load[k], t))
            return false;
    for (size_t k = 0; k < b->ndrives; k++)
        if (bead_of(c, &b->drive[k]) == i && !drive_quiet(&b->drive[k], t))
            return false;
    return true;
}

/* could bead i sleep, as far as its own contacts are concerned? A local spring keeps it awake unless it is at rest */
static bool bead_quiet(const struct carom_window *win, size_t i, double t, const double *q, const double *w,
                       const double *since)
{
    const struct carom_chain *c = &win->chain;
    if (c->beads->spring && c->beads->spring[i] != 0.0 && !(q[i] == 0.0 && w[i] == 0.0))
        return false;
    if (c->beads->loaded && !load_quiet(c, i, t, q[i], w[i]))
        return false;
    if (i + c->shift > 0 && !contact_quiet(win, i + c->shift - 1, t, q, w, since))
        return false;
    return i + c->shift >= c->nc || contact_quiet(win, i + c->shift, t, q, w, since);
}

static void wake(size_t i, double t, double *q, const double *w, double *since)
{
    q[i] = place(i, t, q, w, since);
    since[i] = CAROM_WINDOW_AWAKE;
}

/* Are beads [first, last) of a span quiet? Most ends of spans are, at most steps, and this looks at each contact once;
 * a doubtful no sends to the longer way. */
static bool end_quiet(const struct carom_window *win, size_t first, size_t last, double t, const double *q,
                      const double *w, const double *since)
{
    const struct carom_chain *c = &win->chain;
    size_t from, to;
    if (c->beads->spring || c->beads->loaded)
        return false;
    carom_chain_beside(c, first, last, &from, &to);
    bool quiet = contact_quiet(win, from, t, q, w, since) && contact_quiet(win, to - 1, t, q, w, since);
    for (size_t j = from + 1; j + 1 < to; j++) { /* both beads awake */
        const size_t i = j - c->shift;
        quiet &= (-c->gap[j] + q[i] - q[i + 1] <= win->depth) & (w[i] - w[i + 1] <= win->pace);
    }
    return quiet;
}

/* grows the ends of the spans until `reach` quiet beads are inside each; true if any grew */
static bool wake_ends(struct carom_window *win, double t, double *q, const double *w, double *since)
{
    const struct carom_chain *c = &win->chain;
    bool grew = false;
    for (size_t k = 0; k < win->count; k++) {
        struct carom_span *s = &win->span[k];
        size_t first = s->first, last = s->last;
        const size_t reach = last - first < win->reach ? last - first : win->reach;
        const bool still_left = first == 0 || end_quiet(win, first, first + reach, t, q, w, since);
        const bool still_right = last == c->n || end_quiet(win, last - reach, last, t, q, w, since);
        if (still_left & still_right)
            continue;
        for (size_t i = s->first; first > 0 && i < s->last && i < first + win->reach; i++)
            while (first > 0 && i < first + win->reach && !bead_quiet(win, i, t, q, w, since))
                wake(--first, t, q, w, since);
        for (size_t i = s->last; last < c->n && i > s->first && i + win->reach > last; i--)
            while (last < c->n && i + win->reach > last && !bead_quiet(win, i - 1, t, q, w, since))
                wake(last++, t, q, w, since);
        grew |= first != s->first || last != s->last;
        *s = span_of(c, first, last);
    }
    return grew;
}

/* after growing, spans may touch or overlap */
static void merge(struct carom_window *win)
{
    size_t kept = 0;
    for (size_t k = 0; k < win->count; k++) {
        if (kept > 0 && win->span[k].first <= win->span[kept - 1].last) {
            const size_t last =
                win->span[k].last > win->span[kept - 1].last ? win->span[k].last : win->span[kept - 1].last;
            win->span[kept - 1] = span_of(&win->chain, win->span[kept - 1].first, last);
        } else {
            win->span[kept++] = win->span[k];
        }
    }
    win->count = kept;
}

/* quiet beads of a span more than `reach` away from any that is not quiet fall asleep; true if any did */
static bool rest_in(struct carom_window *win, const struct carom_span *s, double t, const double *q, const double *w,
                    double *since)
{
    for (size_t i = s->first; i < s->last; i++)
        win->quiet[i] = bead_quiet(win, i, t, q, w, since);
    bool any = false;
    size_t run = 0;
    for (size_t i = s->first; i < s->last; i = run) {
        for (run = i; run < s->last && win->quiet[run] == win->quiet[i]; run++)
            ;
        if (!win->quiet[i])
            continue;
        /* of the run [i, run) keep `reach` beside a neighbour that moves, and two more, or it would wake at once */
        const size_t from = i == s->first ? i : i + win->reach + 2, to = run == s->last ? run : run - win->reach - 2;
        if (run - i <= 2 * (win->reach + 2) || from >= to)
            continue;
        for (size_t j = from; j < to; j++)
            since[j] = t;
        any = true;
    }
    return any;
}

/* beads on which a load or drive begins to act wake wherever they are; true if any did */
static bool wake_loaded(struct carom_window *win, double t, double *q, const double *w, double *since)
{
    const struct carom_chain *c = &win->chain;
    const struct carom_beads *b = c->beads;
    bool woke = false;
    for (size_t k = 0; k < b->nloads + b->ndrives; k++) {
        const bool load = k < b->nloads;
        const size_t i = load ? b->load[k].bead : bead_of(c, &b->drive[k - b->nloads]);
        if (since[i] == CAROM_WINDOW_AWAKE ||
            (load ? force_quiet(&b->load[k], t) : drive_quiet(&b->drive[k - b->nloads], t)))
            continue;
        wake(i, t, q, w, since);
        woke = true;
    }
    if (woke)
        carom_window_load(win, since);
    return woke;
}

bool carom_window_update(struct carom_window *win, double t, double *q, const double *w, double *since, bool rest)
{
    const bool woke = win->chain.beads->loaded && wake_loaded(win, t, q, w, since);
    if (win->chain.moving)
        carom_chain_clock(&win->chain, t);
    const bool grew = wake_ends(win, t, q, w, since) || woke;
    if (grew)
        merge(win);
    bool rested = false;
    for (size_t k = 0; rest && k < win->count; k++)
        rested |= rest_in(win, &win->span[k], t, q, w, since);
    const size_t wide = win->count;
    if (rested) {
        size_t count = 0;
        for (size_t k = 0; k < wide; k++)
            count = collect(win, win->span[k].first, win->span[k].last, since, count);
        take_next(win, count);
    } else if (grew) {
        memcpy(win->next, win->span, wide * sizeof *win->span);
    }
    win->nnext = wide;
    return grew || rested;
}

void carom_window_advance(const struct carom_window *win, double t, const double *w, const double *since, double *q)
{
    for (size_t i = 0; i < win->chain.n; i++)
        q[i] = place(i, t, q, w, since);
}
