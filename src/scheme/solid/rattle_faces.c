/* Surfaces that press each other, in kicks: see rattle_faces.h. Sums go over points in their order, so that they are
 * the same whoever has worked out the terms; and each body is pushed by one thread. Springs push with the slopes of an
 * energy k/2 sum w d^2; dampers are in rattle_faces_damp.c. */
#include "scheme/solid/rattle_faces.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "model/solid/strike/solid_push.h"
#include "scheme/solid/rattle_cell.h"

enum { TERMS = 4 };   /* numbers of a point that go into sums */
enum { FEWEST = 64 }; /* points worth telling */

/* --- setting up --------------------------------------------------------------------------------------------------- */

void carom_rattle_faces_close(struct carom_rattle_faces *f)
{
    carom_solid_press_crew_free(f->hands.crew);
    carom_memory_free_all(f->now.press, f->now.point, f->now.end, f->was.press, f->was.point, f->was.end, f->damped,
                          f->found, f->mine, f->term, f->count, f->first);
    *f = (struct carom_rattle_faces){0};
}

static bool is_damped(const struct carom_rattle_faces *f, size_t m)
{
    const size_t j = f->of->meets_first + m;
    double drag = 0.0;
    const struct carom_response want = {.drag = &drag};
    carom_contacts_evaluate(f->model, j, j + 1, &f->of->meet[m].compliance, NULL, NULL, &want);
    return drag > 0.0;
}

static bool make_room(const struct carom_rattle_faces *f, struct carom_rattle_touching *touching, bool points)
{
    touching->press = carom_memory_zeroed(f->most, sizeof *touching->press);
    touching->point = carom_memory_zeroed(points ? f->most : 0, sizeof *touching->point);
    touching->end = carom_memory_zeroed(f->of->nmeets + 1, sizeof *touching->end);
    return touching->press && touching->point && touching->end;
}

/* every piece may touch once; tied points come on top */
bool carom_rattle_faces_open(struct carom_rattle_faces *f, const struct carom_model *model,
                             struct carom_threads *threads)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    *f = (struct carom_rattle_faces){.model = model, .of = of, .threads = threads};
    for (size_t i = 0; of->nmeets > 0 && i < of->nbodies; i++)
        f->most += of->body[i].skin->npieces;
    for (size_t m = 0; m < of->nmeets; m++)
        f->most += of->meet[m].nties;
    f->damped = carom_memory_zeroed(of->nmeets, sizeof *f->damped);
    for (size_t m = 0; f->damped && model->damped && m < of->nmeets; m++)
        f->any |= f->damped[m] = is_damped(f, m);
    f->term = carom_memory_zeroed(TERMS * f->most, sizeof *f->term);
    f->hands = (struct carom_press_hands){of->nmeets > 0 ? carom_solid_press_crew_create(threads) : NULL, 0, 1};
    return f->damped && f->term && make_room(f, &f->now, f->any) && (!f->any || make_room(f, &f->was, true));
}

bool carom_rattle_faces_join(struct carom_rattle_faces *f, const struct carom_rattle_crew *crew)
{
    f->crew = crew;
    f->now.n = 0; /* on all */
    f->found = carom_memory_zeroed(f->most, sizeof *f->found);
    f->mine = carom_memory_zeroed(f->most, sizeof *f->mine);
    f->count = carom_memory_zeroed(2 * f->of->nmeets * crew->count, sizeof *f->count);
    f->first = carom_memory_zeroed(crew->count + 1, sizeof *f->first);
    return f->found && f->mine && f->count && f->first;
}

/* Are there so many points that each process works out a part of them? All answer alike. */
static bool shares(const struct carom_rattle_faces *f)
{
    return f->crew && f->now.n >= FEWEST;
}

/* points of process k: [part(k), part(k + 1)) */
static size_t part(const struct carom_rattle_faces *f, size_t k)
{
    return f->now.n * k / f->crew->count;
}

/* all hear of so many terms of each point */
static void tell_terms(const struct carom_rattle_faces *f, size_t wide)
{
    for (size_t k = 0; k <= f->crew->count; k++)
        f->first[k] = wide * part(f, k);
    f->crew->tell(f->crew->ranks, f->term, f->first);
}

/* --- where they touch --------------------------------------------------------------------------------------------- */

/* points of one meeting, from either side, into `press` as far as there is room */
struct taking {
    const struct carom_rattle_faces *f;
    size_t m;
    const double *q;
    struct carom_press *press;
    size_t n, most, side[2];
    uint32_t body; /* of side 0 */
};

static void take(void *own, const struct carom_press *press)
{
    struct taking *t = own;
    const bool damped = t->f->damped[t->m];
    if (!(press->depth > 0.0) && !(damped && carom_rattle_faces_damp_before(t->f, t->m, press) != SIZE_MAX))
        return;
    if (t->n < t->most) {
        t->press[t->n] = *press;
        if (damped)
            carom_solid_push_normal(t->f->model, t->q, press, t->press[t->n].normal);
    }
    t->n++;
    t->side[press->end[0].body != t->body]++;
}

/* numbers of points that process k has found */
static double *count_of(const struct carom_rattle_faces *f, size_t k)
{
    return f->count + 2 * f->of->nmeets * k;
}

static bool is_dealt(const struct carom_rattle_faces *f, size_t m, const struct carom_press_box *box)
{
    return carom_solid_press_deals(f->model, &f->of->meet[m], box);
}

/* What this process finds of meetings that are dealt out; false: all together found more than there is room for. */
static bool deal(struct carom_rattle_faces *f, const struct carom_press_box *box, const double *q)
{
    const size_t own = f->crew->own, counts = 2 * f->of->nmeets;
    const struct carom_press_hands mine = {f->hands.crew, own, f->crew->count};
    struct taking t = {.f = f, .q = q, .press = f->now.press, .most = f->most};
    for (size_t m = 0; m < f->of->nmeets; m++) {
        t.m = m;
        t.side[0] = t.side[1] = 0;
        t.body = f->of->meet[m].body[0];
        if (is_dealt(f, m, box))
            carom_solid_press_find(f->model, &f->of->meet[m], box, q, &mine, take, &t);
        for (size_t side = 0; side < 2; side++)
            count_of(f, own)[2 * m + side] = (double)t.side[side];
    }
    for (size_t k = 0; k <= f->crew->count; k++)
        f->first[k] = counts * k;
    f->crew->tell(f->crew->ranks, f->count, f->first);
    for (size_t k = 0; k < f->crew->count; k++) {
        f->first[k + 1] = f->first[k] * (k > 0);
        for (size_t i = 0; i < counts; i++)
            f->first[k + 1] += (size_t)count_of(f, k)[i];
    }
    return f->first[f->crew->count] <= f->most;
}

/* What all have found, which the first numbers tell, by processes. */
static void hear(struct carom_rattle_faces *f)
{
    enum { WIDE = sizeof(struct carom_press) / sizeof(double) };
    _Static_assert(sizeof(struct carom_press) % sizeof(double) == 0, "points travel as numbers");
    const size_t from = f->first[f->crew->own], n = f->first[f->crew->own + 1] - from;
    memcpy(f->found + from, f->now.press, n * sizeof *f->found);
    for (size_t k = 0; k <= f->crew->count; k++)
        f->first[k] *= WIDE;
    f->crew->tell(f->crew->ranks, (double *)f->found, f->first);
    for (size_t k = 0; k <= f->crew->count; k++)
        f->first[k] /= WIDE;
}

/* those of one meeting in their order: of either side, process by process */
static void merge(struct carom_rattle_faces *f, size_t m, struct taking *t)
{
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < f->crew->count; k++) {
            const size_t count = (size_t)count_of(f, k)[2 * m + side];
            const size_t fits = t->n >= t->most ? 0 : count < t->most - t->n ? count : t->most - t->n;
            memcpy(t->press + t->n, f->found + f->first[k], fits * sizeof *t->press);
            f->first[k] += count;
            t->n += count;
        }
}

/* is a force needed here on a cell of this end? */
static bool is_mine(const struct carom_rattle_faces *f, const struct carom_press_end *end)
{
    bool mine = false;
    if (end->body >= f->of->nbodies)
        return false;
    const struct carom_solid_skin *skin = f->of->body[end->body].skin;
    for (int c = 0; c < 3 && !mine; c++) {
        const struct carom_skin_corner *corner = &skin->corner[skin->piece[end->piece].corner[c]];
        for (uint32_t i = 0; i < corner->count && !mine; i++)
            mine = f->crew->mine[end->body][skin->owner[corner->first + i].cell] != 0;
    }
    return mine;
}

/* What there is now is what was there when the step began. */
static void turn(struct carom_rattle_faces *f, bool stepped)
{
    const struct carom_rattle_touching was = f->was;
    if (!f->any)
        return;
    f->was = f->now;
    f->now = was;
    f->now.n = f->was.n; /* by which all know who shares */
    f->was.n = stepped ? f->was.n : 0;
}

void carom_rattle_faces_find(struct carom_rattle_faces *f, const double *q, bool stepped, double *overlap)
{
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    turn(f, stepped);
    struct taking t = {.f = f, .q = q, .press = f->now.press, .most = f->most};
    if (f->of->nmeets > 0)
        carom_solid_press_boxes(f->model, q, box);
    const bool dealt = shares(f) && deal(f, box, q);
    if (dealt)
        hear(f);
    for (size_t m = 0; m < f->of->nmeets; m++) {
        double square = 0.0;
        size_t i = t.n < t.most ? t.n : t.most;
        t.m = m;
        t.body = f->of->meet[m].body[0];
        if (dealt && is_dealt(f, m, box))
            merge(f, m, &t);
        else
            carom_solid_press_find(f->model, &f->of->meet[m], box, q, &f->hands, take, &t);
        f->now.end[m] = t.n < t.most ? t.n : t.most;
        for (; i < f->now.end[m]; i++) {
            const struct carom_press *p = &f->now.press[i];
            square += p->depth > 0.0 ? p->weight * p->depth * p->depth : 0.0;
        }
        overlap[f->of->meets_first + m] = sqrt(square);
    }
    f->full = t.n > t.most;
    f->now.n = t.n < t.most ? t.n : t.most;
    for (size_t i = 0; shares(f) && i < f->now.n; i++)
        for (int e = 0; e < 2; e++)
            f->mine[i][e] = is_mine(f, &f->now.press[i].end[e]);
}

enum carom_status carom_rattle_faces_bounded(const struct carom_rattle_faces *f, double t, struct carom_error *error)
{
    for (size_t i = 0; i < f->now.n; i++) {
        const struct carom_strike_body *b = &f->of->body[f->now.press[i].end[0].body];
        if (f->full || f->now.press[i].depth > 0.5 * b->reach)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "solid %s is half a cell inside what it strikes, or apart from what it is tied to, "
                                   "at t = %g: k is too small, the body too fast or the step too long",
                                   b->solid->name, t);
    }
    return CAROM_OK;
}

/* --- how fast they close; turning is angular momentum here -------------------------------------------------------- */

/* false: this end is a wall's */
static bool grip_of(const struct carom_rattle_faces *f, const struct carom_press_end *end, const double *q,
                    struct carom_skin_grip *grip)
{
    if (end->body >= f->of->nbodies)
        return false;
    const struct carom_strike_body *b = &f->of->body[end->body];
    carom_solid_skin_grip(b->solid, b->skin, end->piece, end->share, q + f->model->member[end->body].q0, grip);
    return true;
}

static double along(const struct carom_rattle_faces *f, size_t body, const struct carom_skin_grip *grip,
                    const double normal[3], const double *q, const double *v)
{
    const struct carom_solid *s = f->of->body[body].solid;
    const struct carom_member *cells = &f->model->member[body];
    const size_t d = (size_t)s->dimension;
    double rate = 0.0;
    for (size_t i = 0; i < grip->ncells; i++) {
        double spin[3], sweep[3];
        carom_rattle_cell_sweep(s, grip->cell[i], grip->arm[i], q + cells->q0, v + cells->v0, spin, sweep);
        for (size_t k = 0; k < d; k++)
            rate += grip->share[i] * normal[k] * sweep[k];
    }
    return rate;
}

/* what both ends of a point add to the rate of its depth */
static void close_in(const struct carom_rattle_faces *f, const struct carom_press *p, const double *q, const double *v,
                     double term[2])
{
    for (int e = 0; e < 2; e++) {
        struct carom_skin_grip grip;
        term[e] = grip_of(f, &p->end[e], q, &grip)
                      ? (e == 0 ? -1.0 : 1.0) * along(f, p->end[e].body, &grip, p->normal, q, v)
                      : 0.0;
    }
}

/* Terms of points [from, from + n), which threads work out together. */
struct terms {
    const struct carom_rattle_faces *f;
    const struct carom_rattle_load *load; /* of friction, */
    const double *q, *v;                  /* or of rates */
    size_t from;
};

/* of points that this process works out, which all then hear */
static void work_out(const struct carom_rattle_faces *f, carom_threads_span *span, struct terms *terms, size_t wide)
{
    const size_t to = shares(f) ? part(f, f->crew->own + 1) : f->now.n;
    terms->f = f;
    terms->from = shares(f) ? part(f, f->crew->own) : 0;
    carom_threads_share(to - terms->from < FEWEST ? NULL : f->threads, span, terms, to - terms->from);
    if (shares(f))
        tell_terms(f, wide);
}

static void span_rates(void *own, size_t first, size_t last)
{
    const struct terms *t = own;
    const struct carom_rattle_faces *f = t->f;
    for (size_t i = t->from + first, m = 0; i < t->from + last; i++) {
        double *term = f->term + 2 * i;
        while (i >= f->now.end[m])
            m++;
        term[0] = term[1] = 0.0;
        if (f->damped[m])
            close_in(f, &f->now.press[i], t->q, t->v, term);
    }
}

void carom_rattle_faces_rates(struct carom_rattle_faces *f, const double *q, const double *v)
{
    struct terms terms = {.q = q, .v = v};
    work_out(f, span_rates, &terms, 2);
    for (size_t i = 0; i < f->now.n; i++)
        f->now.point[i].rate = f->term[2 * i] + f->term[2 * i + 1];
}

/* --- pushes ------------------------------------------------------------------------------------------------------- */

/* Friction acts midway between both ends, so that it turns nothing. */
static void lean(const struct carom_press *p, int e, struct carom_skin_grip *grip)
{
    for (size_t i = 0; i < grip->ncells; i++)
        for (int k = 0; k < 3; k++)
            grip->arm[i][k] += (e == 0 ? 0.5 : -0.5) * p->depth * p->normal[k];
}

/* what point i pushes in this kick */
static double share_of(const struct carom_rattle_faces *f, const struct carom_rattle_load *l, size_t m, size_t i)
{
    const size_t j = f->of->meets_first + m;
    const struct carom_press *p = &f->now.press[i];
    const double spring = p->depth > 0.0 ? l->push[j] * p->weight * p->depth / l->overlap[j] : 0.0;
    return f->damped[m] ? spring + p->weight * f->now.point[i].damp : spring;
}

static bool pushes(const struct carom_rattle_faces *f, const struct carom_rattle_load *l, size_t m)
{
    const size_t j = f->of->meets_first + m;
    return f->damped[m] || (l->push[j] != 0.0 && l->overlap[j] > 0.0);
}

static bool rubs(const struct carom_rattle_faces *f, const struct carom_rattle_load *l, size_t m)
{
    return l->friction && !f->of->meet[m].tied && pushes(f, l, m);
}

/* What dampers pull together, and what has come apart in this step, does not rub. */
static void span_friction(void *own, size_t first, size_t last)
{
    const struct terms *t = own;
    const struct carom_rattle_faces *f = t->f;
    for (size_t i = t->from + first, m = 0; i < t->from + last; i++) {
        const struct carom_press *p = &f->now.press[i];
        struct carom_skin_grip grip[2];
        struct carom_skin_grip *held[2] = {NULL, NULL};
        while (i >= f->now.end[m])
            m++;
        if (!rubs(f, t->load, m))
            continue;
        const double share = share_of(f, t->load, m, i);
        memset(f->term + TERMS * i, 0, TERMS * sizeof *f->term);
        if (!(p->depth > 0.0 && share > 0.0))
            continue;
        for (int e = 0; e < 2; e++)
            if (grip_of(f, &p->end[e], t->load->kick->q, &grip[e])) {
                held[e] = &grip[e];
                lean(p, e, held[e]);
            }
        carom_rattle_friction_faces(t->load->friction, m, p, held, share, t->load->kick, f->term + TERMS * i);
    }
}

/* a meeting whose bodies are pushed */
struct pushing {
    const struct carom_rattle_faces *f;
    const struct carom_rattle_load *load;
    size_t m;
    struct carom_rattle_push *onto;
    struct carom_rattle_body *body;
};

static void push_end(const struct pushing *s, size_t i, int e)
{
    const struct carom_rattle_faces *f = s->f;
    const struct carom_press *p = &f->now.press[i];
    const double share = share_of(f, s->load, s->m, i);
    struct carom_skin_grip grip;
    if (!(p->depth > 0.0) && share == 0.0) /* apart since the step before */
        return;
    if ((shares(f) && !f->mine[i][e]) || !grip_of(f, &p->end[e], s->load->kick->q, &grip))
        return;
    carom_rattle_push_point(s->onto, s->body, p->end[e].body, &grip, p->normal, e == 0 ? -share : share);
    if (!rubs(f, s->load, s->m))
        return;
    lean(p, e, &grip);
    carom_rattle_push_point(s->onto, s->body, p->end[e].body, &grip, f->term + TERMS * i,
                            e == 0 ? -1.0 : 1.0); /* against what it says */
}

/* one of both bodies: either has points of which it is end 0 */
static void push_side(void *own, size_t side)
{
    const struct pushing *s = own;
    const struct carom_rattle_faces *f = s->f;
    for (size_t i = carom_rattle_faces_first(&f->now, s->m); i < f->now.end[s->m]; i++)
        push_end(s, i, f->now.press[i].end[0].body == f->of->meet[s->m].body[side] ? 0 : 1);
}

void carom_rattle_faces_push(struct carom_rattle_faces *f, const struct carom_rattle_load *l,
                             struct carom_rattle_push *onto, struct carom_rattle_body *body)
{
    struct pushing pushing = {.f = f, .load = l, .onto = onto, .body = body};
    size_t *const m = &pushing.m;
    if (l->friction)
        work_out(f, span_friction, &(struct terms){.load = l}, TERMS);
    for (*m = 0; *m < f->of->nmeets; ++*m) {
        const size_t first = carom_rattle_faces_first(&f->now, *m), end = f->now.end[*m];
        if (pushes(f, l, *m))
            carom_threads_run(end - first < FEWEST ? NULL : f->threads, push_side, &pushing, 2);
        for (size_t i = first; i < end && rubs(f, l, *m); i++)
            carom_rattle_friction_book(l->friction, *m, &f->now.press[i], l->kick->h, f->term + TERMS * i);
    }
}
