/* Dense packings, see packing_dense.h. Balls drawn anywhere, a little larger than asked for, repel each other where
 * they overlap, as springs do, and go to rest by FIRE (Bitzek, Koskinen, Gaehler, Moseler and Gumbsch 2006): inertia,
 * with the velocity turned towards the force and stopped where it goes uphill. As soon as none of them overlaps at its
 * own size they are where they should be; no energy has to become exactly zero for that. Balls that come to rest in
 * equilibrium with overlaps are jammed. */
#include "model/place/packing_dense.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define MOST 10000 /* steps of one relaxation */
#define SWELL 1e-3 /* how much larger balls are than they should be, as a factor */
#define EVEN 1e-7  /* squares of forces that are left over those of pushes: equilibrium */
#define AGAIN 4000 /* balls that may be drawn anew, all of them together, where they jam: few scatter widely */
#define FINE 0.002 /* how well the size is found at which jammed balls come free */

struct pairs {
    size_t n, room;
    size_t *first; /* n + 1: partners of each ball with larger numbers */
    uint32_t *partner;
    double (*then)[3]; /* places when the list was made */
};

struct relax {
    struct carom_ball_cells *balls;
    struct pairs pairs;
    double (*v)[3], (*f)[3];
    const struct carom_progress *progress;
    double skin;  /* of the list */
    double scale; /* of all radii */
    /* of the forces as they are */
    bool overlaps;               /* at the right size? */
    double force, pushes, power; /* squares of forces on balls and of pushes at contacts, and f.v */
};

static bool open_relax(struct relax *w, struct carom_ball_cells *balls)
{
    const size_t n = balls->n;
    *w = (struct relax){.balls = balls, .skin = 0.3 * balls->largest};
    return carom_memory_together(CAROM_ROOM(w->v, n), CAROM_ROOM(w->f, n), CAROM_ROOM(w->pairs.then, n),
                                 CAROM_ROOM(w->pairs.first, n + 1));
}

static void close_relax(struct relax *w)
{
    carom_memory_free_all(w->v, w->pairs.partner);
}

/* --- who is near ------------------------------------------------------------------------------------------------- */

static bool add_partner(struct pairs *p, uint32_t j)
{
    if (!carom_memory_room(&p->partner, p->n, &p->room, 1024, sizeof *p->partner))
        return false;
    p->partner[p->n++] = j;
    return true;
}

/* the distance at which balls i and j touch; those who are held keep their size */
static double touch(const struct relax *w, size_t i, size_t j)
{
    const struct carom_ball_cells *c = w->balls;
    return j < c->n ? w->scale * (c->radius[i] + c->radius[j]) : w->scale * c->radius[i] + c->radius[j];
}

static bool find_partners(struct relax *w, size_t i)
{
    const struct carom_ball_cells *c = w->balls;
    const double larger = w->scale * (1.0 + SWELL);
    size_t cell[27];
    const size_t ncells = carom_ball_cells_around(c, c->x[i], cell);
    for (size_t at = 0; at < ncells; at++)
        for (uint32_t j = c->head[cell[at]]; j != CAROM_BALL_CELLS_NONE; j = c->next[j]) {
            const double reach =
                (j < c->n ? larger * (c->radius[i] + c->radius[j]) : (1.0 + SWELL) * touch(w, i, j)) + w->skin;
            double d[3];
            if (j > i && carom_ball_cells_apart(c, c->x[i], c->x[j], d) < reach * reach && !add_partner(&w->pairs, j))
                return false;
        }
    return true;
}

static bool find_pairs(struct relax *w)
{
    struct carom_ball_cells *c = w->balls;
    const double reach =
        c->held > 0 ? (w->scale * c->largest + c->widest) * (1.0 + SWELL) : 2.0 * w->scale * (1.0 + SWELL) * c->largest;
    if (!carom_ball_cells_clear(c, reach + w->skin))
        return false;
    for (size_t i = c->n; i-- > 0;) {
        carom_ball_cells_wrap(c, c->x[i]);
        carom_ball_cells_enter(c, i);
    }
    w->pairs.n = 0;
    for (size_t i = 0; i < c->n; i++) {
        w->pairs.first[i] = w->pairs.n;
        if (!find_partners(w, i))
            return false;
    }
    w->pairs.first[c->n] = w->pairs.n;
    memcpy(w->pairs.then, c->x, c->n * sizeof *c->x);
    return true;
}

/* is the list still complete? */
static bool holds(const struct relax *w)
{
    for (size_t i = 0; i < w->balls->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const double d = w->balls->x[i][k] - w->pairs.then[i][k];
            square += d * d;
        }
        if (!(square < 0.25 * w->skin * w->skin))
            return false;
    }
    return true;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* balls i and j push each other by what they overlap */
static void push_apart(struct relax *w, size_t i, size_t j)
{
    const struct carom_ball_cells *c = w->balls;
    const double sum = touch(w, i, j), larger = sum * (1.0 + SWELL);
    double d[3];
    const double square = carom_ball_cells_apart(c, c->x[i], c->x[j], d);
    if (!(square < larger * larger))
        return;
    const double distance = sqrt(square), push = larger - distance;
    w->overlaps |= !(distance - sum >= c->margin);
    w->pushes += push * push;
    if (!(distance > 0.0)) { /* on top of each other: any direction does */
        w->f[i][0] -= push;
        if (j < c->n)
            w->f[j][0] += push;
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double share = push / distance * d[k];
        w->f[i][k] -= share;
        if (j < c->n)
            w->f[j][k] += share;
    }
}

static void find_forces(struct relax *w)
{
    const struct carom_ball_cells *c = w->balls;
    memset(w->f, 0, c->n * sizeof *w->f);
    w->overlaps = false;
    w->force = w->pushes = w->power = 0.0;
    for (size_t i = 0; i < c->n; i++) {
        const double radius = w->scale * c->radius[i], swollen = radius * SWELL;
        const double gap = fmin(carom_ball_cells_walls(c, c->x[i], radius + swollen, w->f[i]),
                                carom_ball_cells_inner(c, c->x[i], radius + swollen, w->f[i]));
        w->overlaps |= !(gap + swollen >= c->margin);
        w->pushes += gap < 0.0 ? gap * gap : 0.0;
        for (size_t at = w->pairs.first[i]; at < w->pairs.first[i + 1]; at++)
            push_apart(w, i, w->pairs.partner[at]);
    }
    for (size_t i = 0; i < c->n; i++)
        for (int k = 0; k < 3; k++) {
            w->force += w->f[i][k] * w->f[i][k];
            w->power += w->f[i][k] * w->v[i][k];
        }
}

/* --- going to rest ----------------------------------------------------------------------------------------------- */

/* FIRE's own numbers; masses and springs are 1 */
struct pace {
    double step, mix;
    int downhill; /* steps in a row */
};

static const struct pace at_first = {.step = 0.1, .mix = 0.1};

static void choose_pace(struct relax *w, struct pace *pace)
{
    if (w->power > 0.0) {
        if (++pace->downhill > 5) {
            pace->step = fmin(1.1 * pace->step, 0.5);
            pace->mix *= 0.99;
        }
        return;
    }
    *pace = (struct pace){.step = fmax(0.5 * pace->step, 0.02), .mix = at_first.mix};
    memset(w->v, 0, w->balls->n * sizeof *w->v);
}

static void take_step(struct relax *w, const struct pace *pace)
{
    double speed = 0.0;
    for (size_t i = 0; i < w->balls->n; i++)
        for (int k = 0; k < 3; k++) {
            w->v[i][k] += pace->step * w->f[i][k];
            speed += w->v[i][k] * w->v[i][k];
        }
    const double turn = w->force > 0.0 ? pace->mix * sqrt(speed / w->force) : 0.0;
    for (size_t i = 0; i < w->balls->n; i++)
        for (int k = 0; k < 3; k++) {
            w->v[i][k] = (1.0 - pace->mix) * w->v[i][k] + turn * w->f[i][k];
            w->balls->x[i][k] += pace->step * w->v[i][k];
        }
}

/* Until nothing overlaps at the right size, or the balls are jammed: in equilibrium, or near it for too long. */
static enum carom_status relax(struct relax *w, double scale, bool *free)
{
    struct pace pace = at_first;
    bool complete = false;
    w->scale = scale;
    memset(w->v, 0, w->balls->n * sizeof *w->v);
    for (int i = 0; i < MOST; i++) {
        if (!complete && !find_pairs(w))
            return CAROM_E_MEMORY;
        find_forces(w);
        *free = !w->overlaps;
        if (*free || w->force < EVEN * w->pushes)
            return CAROM_OK;
        if (!carom_progress_go_on(w->progress, scale < 1.0 ? 1.0 : (double)i / MOST))
            return CAROM_E_STOPPED;
        choose_pace(w, &pace);
        take_step(w, &pace);
        complete = holds(w);
    }
    return CAROM_OK;
}

/* jammed balls made smaller until they come free: down by steps that double, then in between */
static enum carom_status shrink(struct relax *w, double *reached)
{
    double high = 1.0, scale = 1.0 - FINE;
    *reached = 0.0;
    while (high - *reached > FINE && scale > 0.0) {
        bool free;
        const enum carom_status status = relax(w, scale, &free);
        if (status != CAROM_OK)
            return status;
        *(free ? reached : &high) = scale;
        scale = *reached > 0.0 ? 0.5 * (*reached + high) : 1.0 - 2.0 * (1.0 - scale);
    }
    return CAROM_OK;
}

static void draw(struct carom_ball_cells *balls, struct carom_random *random)
{
    for (size_t i = 0; i < balls->n; i++)
        carom_ball_cells_draw(balls, random, balls->radius[i], balls->x[i]);
}

enum carom_status carom_packing_dense(struct carom_ball_cells *balls, struct carom_random *random, uint32_t *was,
                                      const struct carom_progress *progress, double *reached, struct carom_error *error)
{
    struct relax w;
    bool free = false;
    draw(balls, random);
    enum carom_status status = open_relax(&w, balls) && carom_ball_cells_sort(balls, was) ? CAROM_OK : CAROM_E_MEMORY;
    w.progress = progress;
    for (size_t again = 0; status == CAROM_OK && !free && again <= AGAIN / balls->n; again++) {
        if (again > 0)
            draw(balls, random);
        status = relax(&w, 1.0, &free);
    }
    *reached = 1.0;
    if (status == CAROM_OK && !free)
        status = shrink(&w, reached);
    close_relax(&w);
    if (status == CAROM_E_MEMORY)
        return carom_error_set(error, status, "out of memory for a packing of %zu balls", balls->n);
    if (status == CAROM_E_STOPPED)
        return carom_error_set(error, status, "stopped while %zu balls were being packed", balls->n);
    return CAROM_OK;
}
