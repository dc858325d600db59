/* Finding and changing the modes of contacts; see modes.h. */
#include "scheme/compliant/modes.h"

#include <float.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/latch.h"
#include "solve/root.h"

enum { FEW = 6 };                   /* changes in one step that are worth locating */
static const double at_once = 1e-9; /* a change so early in a step is one of its start: no step of its own */

enum carom_status carom_modes_open(struct carom_modes *m, struct carom_rates *rates, struct carom_error *error)
{
    *m = (struct carom_modes){.rates = rates};
    m->mode = carom_memory_zeroed(rates->model->nc, sizeof *m->mode);
    m->room = carom_memory_zeroed(rates->regular ? 0 : rates->model->nq + rates->model->nv, sizeof(double));
    for (size_t i = 0; i < rates->model->ngroups; i++)
        m->phases |= rates->model->group[i].law->turn != NULL;
    return m->mode && m->room ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for contact modes");
}

void carom_modes_close(struct carom_modes *m)
{
    carom_memory_free_all(m->mode, m->room);
    *m = (struct carom_modes){0};
}

bool carom_modes_has_phases(const struct carom_modes *m, size_t j)
{
    return m->phases && carom_model_group(m->rates->model, j)->law->turn;
}

void carom_modes_margins(const struct carom_modes *m, size_t j, const double *history, double deform, double rate,
                         double margin[2])
{
    const struct carom_group *g = carom_model_group(m->rates->model, j);
    const double *column[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < g->law->nh; c++)
        column[c] = history + g->history0 + c * g->count;
    g->law->margin((const double *const *)g->param, column, j - g->first, deform, rate, margin);
}

/* the next phase of contact j; notes if it is stiffer than the last */
static void turn(struct carom_modes *m, size_t j, double *history, double deform, int by)
{
    const struct carom_group *g = carom_model_group(m->rates->model, j);
    double *column[CAROM_LAW_WIDTH], slope[2] = {0.0, 0.0};
    struct carom_response want = {.slope = &slope[0]};
    for (size_t c = 0; c < g->law->nh; c++)
        column[c] = history + g->history0 + c * g->count;
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, history, &want);
    g->law->turn((const double *const *)g->param, column, j - g->first, deform, by);
    want.slope = &slope[1];
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, history, &want);
    if (slope[0] > 0.0)
        m->stiffer = fmax(m->stiffer, slope[1] / slope[0]);
}

/* turns over a phase that is over; true if it was */
static bool settle_phase(struct carom_modes *m, size_t j, double *history, double deform, double rate)
{
    double margin[2];
    carom_modes_margins(m, j, history, deform, rate, margin);
    if (!(margin[0] < 0.0 || margin[1] < 0.0))
        return false;
    turn(m, j, history, deform, margin[0] < 0.0 ? 0 : 1);
    return true;
}

bool carom_modes_can_be_cut(const struct carom_modes *m, size_t j)
{
    return m->rates->cut && carom_model_group(m->rates->model, j)->ending != CAROM_END_GAP;
}

void carom_modes_start(struct carom_modes *m, double t, const double *q, const double *v, double *history)
{
    enum { MOST = 4 }; /* open, loading, unloading: a start may be anywhere */
    const struct carom_model *model = m->rates->model;
    m->rates->history = history;
    for (size_t j = 0; j < model->nc; j++) {
        double deform, rate;
        carom_contacts_deform_some(model, j, j + 1, t, q, v, &deform, &rate);
        for (int i = 0; i < MOST && carom_modes_has_phases(m, j) && settle_phase(m, j, history, deform, rate); i++)
            ;
        m->mode[j] = deform > 0.0 ? CAROM_CONTACT_STICKS : CAROM_CONTACT_OPEN;
        if (deform > 0.0 && carom_modes_can_be_cut(m, j) &&
            (carom_latch_holds(model, history, j) || carom_rates_force(m->rates, j, q, v, &deform) < 0.0))
            m->mode[j] = CAROM_CONTACT_CUT;
        if (m->rates->cut)
            m->rates->cut[j] = m->mode[j] == CAROM_CONTACT_CUT ? 1.0 : 0.0;
        if (carom_rates_jumps(m->rates, j))
            m->rates->acts[j] = m->mode[j] == CAROM_CONTACT_OPEN ? 0 : 1;
    }
    m->nchanged = CAROM_MODES_MANY;
}

void carom_modes_load_cut(struct carom_modes *m, const double *memory)
{
    for (size_t j = 0; m->rates->cut && j < m->rates->model->nc; j++)
        m->rates->cut[j] = memory[j] == CAROM_MODES_CUT ? 1.0 : 0.0;
    for (size_t j = 0; m->rates->acts && j < m->rates->model->nc; j++)
        if (carom_rates_jumps(m->rates, j))
            m->rates->acts[j] = memory[j] == CAROM_CONTACT_OPEN ? 0 : 1;
}

void carom_modes_load(struct carom_modes *m, const double *memory)
{
    for (size_t j = 0; j < m->rates->model->nc; j++)
        m->mode[j] = memory[j] == CAROM_MODES_CUT ? CAROM_CONTACT_CUT : (int64_t)memory[j];
    carom_modes_load_cut(m, memory);
    m->nchanged = 0;
}

/* the contacts that can have changed: those of awake spans, or all */
static bool contacts_of(const struct carom_modes *m, size_t k, size_t *first, size_t *last)
{
    const struct carom_rates *r = m->rates;
    *first = r->regular ? k < r->window.count ? r->window.span[k].inner : 0 : 0;
    *last = r->regular ? k < r->window.count ? r->window.span[k].outer : 0 : r->model->nc;
    return k < (r->regular ? r->window.count : 1);
}

static double saved(const struct carom_modes *m, size_t j)
{
    return m->mode[j] == CAROM_CONTACT_CUT ? CAROM_MODES_CUT : (double)m->mode[j];
}

void carom_modes_save(const struct carom_modes *m, double *memory)
{
    size_t first, last;
    if (m->nchanged < CAROM_MODES_MANY)
        for (size_t i = 0; i < m->nchanged; i++)
            memory[m->changed[i]] = saved(m, m->changed[i]);
    else
        for (size_t k = 0; contacts_of(m, k, &first, &last); k++)
            for (size_t j = first; j < last; j++)
                memory[j] = saved(m, j);
}

static void set_mode(struct carom_modes *m, size_t j, enum carom_contact_phase mode)
{
    if (m->mode[j] == mode)
        return;
    m->mode[j] = mode;
    if (m->nchanged < CAROM_MODES_MANY - 1)
        m->changed[m->nchanged++] = j;
    else
        m->nchanged = CAROM_MODES_MANY;
}

double carom_modes_deform(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double s,
                          double *rate)
{
    const struct carom_model *model = m->rates->model;
    double deform;
    if (!m->rates->regular) {
        carom_dormand_prince_dense(step, s, 0, model->nq + model->nv, m->room);
        carom_contacts_deform_some(model, j, j + 1, t + s * step->h, m->room, m->room + model->nq, &deform, rate);
        return deform;
    }
    const int32_t left = model->pair[j][0], right = model->pair[j][1];
    double left_rate = 0.0, right_rate = 0.0;
    const double a = left >= 0 ? carom_dormand_prince_value(step, s, (size_t)left, &left_rate) : 0.0;
    const double b = right >= 0 ? carom_dormand_prince_value(step, s, (size_t)right, &right_rate) : 0.0;
    *rate = left_rate - right_rate;
    deform = a - b - model->gap[j];
    const struct carom_drive *wall = left < 0 ? model->wall[0] : right < 0 ? model->wall[1] : NULL;
    if (wall) { /* within the step, also where it ends on a break */
        const struct carom_motion motion = carom_loads_motion(wall, fmin(t + s * step->h, m->rates->chain.time));
        deform += left < 0 ? motion.place : -motion.place;
        *rate += left < 0 ? motion.rate : -motion.rate;
    }
    return deform;
}

double carom_modes_force(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double s)
{
    double rate, elastic, drag;
    const double deform = carom_modes_deform(m, step, t, j, s, &rate);
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, m->rates->history, &want);
    return elastic + drag * rate;
}

/* Has contact j, now in its mode, left it at s? A cut contact may open unseen, since it carries nothing; one that has
 * latched does nothing else, as its law says 0. */
static bool has_left(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double s)
{
    double rate;
    const double deform = carom_modes_deform(m, step, t, j, s, &rate);
    if (carom_modes_has_phases(m, j)) {
        double margin[2];
        carom_modes_margins(m, j, step->y0 + m->rates->model->nq + m->rates->model->nv, deform, rate, margin);
        m->seen = margin[0] < 0.0 ? 0 : 1;
        return margin[0] < 0.0 || margin[1] < 0.0;
    }
    if (m->mode[j] == CAROM_CONTACT_OPEN)
        return deform > 0.0;
    if (!carom_modes_can_be_cut(m, j))
        return !(deform > 0.0);
    double elastic, drag;
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, m->rates->history, &want);
    const double force = elastic + drag * rate;
    return m->mode[j] == CAROM_CONTACT_CUT ? deform > 0.0 && force > 0.0 : !(deform > 0.0) || force < 0.0;
}

/* An overlap is the difference of displacements: below this it is their rounding. */
static double grain(const struct carom_modes *m, size_t j, const double *q)
{
    const struct carom_model *model = m->rates->model;
    const int32_t left = model->pair[j][0], right = model->pair[j][1];
    if (!m->rates->regular)
        return 0.0;
    return 4.0 * DBL_EPSILON * ((left >= 0 ? fabs(q[left]) : 0.0) + (right >= 0 ? fabs(q[right]) : 0.0));
}

/* the same at the end of the step, cheaply: gaps are known there, forces are asked only where they matter */
static bool has_left_at_end(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j)
{
    const bool closed = m->rates->deform[j] > 0.0;
    if (carom_modes_has_phases(m, j)) {
        double margin[2];
        carom_modes_margins(m, j, step->y0 + m->rates->model->nq + m->rates->model->nv, m->rates->deform[j],
                            m->rates->rate[j], margin);
        return margin[0] < -m->small || margin[1] < -m->slow;
    }
    if (fabs(m->rates->deform[j]) <= m->small || fabs(m->rates->deform[j]) <= grain(m, j, step->y1))
        return false;
    if (m->mode[j] == CAROM_CONTACT_OPEN)
        return closed;
    return carom_modes_can_be_cut(m, j) ? has_left(m, step, t, j, 1.0) : !closed;
}

/* A contact inside a step; `known`: between beads or with walls that stand still, its overlap has terms of its own */
struct path {
    struct carom_modes *m;
    const struct carom_dormand_prince *step;
    double t;
    size_t j;
    bool known;
    struct carom_dormand_prince_terms terms;
};

static void find_terms(struct path *p)
{
    const struct carom_model *model = p->m->rates->model;
    const int32_t left = model->pair[p->j][0], right = model->pair[p->j][1];
    struct carom_dormand_prince_terms a = {0}, b = {0};
    p->known = p->m->rates->regular && !(left < 0 && model->wall[0]) && !(right < 0 && model->wall[1]);
    if (p->known && left >= 0)
        a = carom_dormand_prince_terms_of(p->step, (size_t)left);
    if (p->known && right >= 0)
        b = carom_dormand_prince_terms_of(p->step, (size_t)right);
    p->terms = (struct carom_dormand_prince_terms){.start = a.start - b.start - model->gap[p->j],
                                                   .rise = a.rise - b.rise,
                                                   .early = a.early - b.early,
                                                   .late = a.late - b.late,
                                                   .last = a.last - b.last};
}

static double overlap_at(void *own, double s)
{
    const struct path *p = own;
    double rate;
    return p->known ? carom_dormand_prince_along(&p->terms, s)
                    : carom_modes_deform(p->m, p->step, p->t, p->j, s, &rate);
}

static bool left_at(void *own, double s)
{
    const struct path *p = own;
    return has_left(p->m, p->step, p->t, p->j, s);
}

/* the place in (0, before] where contact j leaves its mode, or `before` */
static double locate(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double before)
{
    const double fine = 1e-15;
    struct path path = {.m = m, .step = step, .t = t, .j = j};
    if (carom_modes_has_phases(m, j) || carom_modes_can_be_cut(m, j) || left_at(&path, 0.0))
        return carom_root_switch(left_at, &path, 0.0, before, fine, 60);
    find_terms(&path);
    double place = carom_root_near(overlap_at, &path, 0.0, before, fine);
    /* on the far side: laws whose force jumps would be taken for closed in a step that begins open */
    for (double more = fine; place < before && !left_at(&path, place); more *= 2.0)
        place = fmin(place + more, before);
    return place;
}

/* Are contacts [first, last) at the end of the step as their modes say, and nothing but gaps decides? Most steps end
 * so, and short chains would pay for longer looks. */
static bool all_stay(const struct carom_modes *m, size_t first, size_t last)
{
    const double *restrict deform = m->rates->deform;
    const int64_t *restrict mode = m->mode;
    int64_t off = 0;
    if (m->rates->cut || m->phases)
        return false;
    for (size_t j = first; j < last; j++)
        off |= (int64_t)(mode[j] == CAROM_CONTACT_STICKS) ^ (int64_t)(deform[j] > 0.0);
    return off == 0;
}

void carom_modes_begin(struct carom_modes *m)
{
    m->nchanged = 0;
}

double carom_modes_first(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t *which)
{
    const size_t nc = m->rates->model->nc;
    double earliest = 1.0;
    size_t count = 0, first, last;
    *which = nc;
    m->stiffer = 1.0;
    m->calm = true;
    m->many = false;
    for (size_t k = 0; contacts_of(m, k, &first, &last); k++) {
        if (all_stay(m, first, last))
            continue;
        m->calm = false;
        for (size_t j = first; j < last; j++) {
            if (!has_left_at_end(m, step, t, j))
                continue;
            if (++count > FEW && !m->rates->cut && !m->rates->acts && !m->phases) {
                *which = nc;
                m->many = true;
                return 1.0;
            }
            if (!has_left(m, step, t, j, earliest))
                continue;
            double place = locate(m, step, t, j, earliest);
            if (carom_modes_has_phases(m, j)) {
                has_left(m, step, t, j, place);
                m->by = m->seen;
                place = fmax(place, at_once);
            } else if (carom_rates_jumps(m->rates, j)) {
                place = fmax(place, at_once);
            } else if (place < at_once && (!carom_modes_can_be_cut(m, j) || m->mode[j] == CAROM_CONTACT_OPEN)) {
                set_mode(m, j, m->mode[j] == CAROM_CONTACT_OPEN ? CAROM_CONTACT_STICKS : CAROM_CONTACT_OPEN);
                continue;
            }
            earliest = place;
            *which = j;
        }
    }
    return earliest;
}

double carom_modes_shallow(const struct carom_modes *m, size_t j)
{
    return m->mode[j] == CAROM_CONTACT_STICKS && carom_rates_jumps(m->rates, j) ? 300.0 * m->small : m->small;
}

/* Of a contact that force ends: is its rate further beyond the one at which it would than a step may err by, at the end
 * of the step? Forces near 0 tremble. */
static bool pulls(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j)
{
    double rate, elastic, drag;
    const double deform = carom_modes_deform(m, step, t, j, 1.0, &rate);
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, m->rates->history, &want);
    return fabs(elastic + drag * rate) > 1e4 * m->slow * drag;
}

bool carom_modes_passed(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t which)
{
    size_t first, last;
    for (size_t k = 0; contacts_of(m, k, &first, &last); k++)
        for (size_t j = all_stay(m, first, last) ? last : first; j < last; j++)
            if (j != which && has_left_at_end(m, step, t, j) &&
                (carom_modes_can_be_cut(m, j)
                     ? pulls(m, step, t, j)
                     : carom_modes_has_phases(m, j) || fabs(m->rates->deform[j]) > carom_modes_shallow(m, j)))
                return true;
    return false;
}

/* Contact j is cut, or acts again. Where it latches, all its law would have stored from now on is clipped, and from now
 * on the law says 0. */
static void cut(struct carom_modes *m, size_t j, double *y, bool now)
{
    struct carom_rates *r = m->rates;
    carom_rates_switch(r, j, y, now);
    const size_t at = r->model->latches ? carom_latch_place(r->model, j) : SIZE_MAX;
    if (at == SIZE_MAX)
        return;
    y[r->model->nq + r->model->nv + at] = 1.0;
    y[r->nstate + r->model->nc + j] += carom_latch_energy(r->model, j, r->deform[j]);
}

/* a cut contact has opened: it carried nothing before and carries nothing now */
static void mend(struct carom_modes *m, size_t j, double *y)
{
    const struct carom_model *model = m->rates->model;
    const size_t at = model->latches ? carom_latch_place(model, j) : SIZE_MAX;
    set_mode(m, j, CAROM_CONTACT_OPEN);
    carom_rates_act(m->rates, j, y, false);
    m->rates->cut[j] = 0.0;
    if (at != SIZE_MAX)
        y[model->nq + model->nv + at] = 0.0;
}

/* a contact that leaves `closed` is cut if it still overlaps and can be, else open */
static void flip(struct carom_modes *m, size_t j, double *y)
{
    const int64_t old = m->mode[j];
    if (carom_modes_has_phases(m, j)) {
        turn(m, j, y + m->rates->model->nq + m->rates->model->nv, m->rates->deform[j], m->by);
        return;
    }
    const bool ends = old == CAROM_CONTACT_STICKS && carom_modes_can_be_cut(m, j) && m->rates->deform[j] > 0.0;
    set_mode(m, j, ends ? CAROM_CONTACT_CUT : old == CAROM_CONTACT_STICKS ? CAROM_CONTACT_OPEN : CAROM_CONTACT_STICKS);
    carom_rates_act(m->rates, j, y, m->mode[j] != CAROM_CONTACT_OPEN);
    if (ends || old == CAROM_CONTACT_CUT)
        cut(m, j, y, ends);
}

bool carom_modes_change(struct carom_modes *m, size_t which, double *y)
{
    const bool none = which == m->rates->model->nc;
    bool changed = false;
    size_t first, last;
    for (size_t k = 0; !(none && m->calm) && contacts_of(m, k, &first, &last); k++)
        for (size_t j = none && all_stay(m, first, last) ? last : first; j < last; j++) {
            const bool closed = m->rates->deform[j] > 0.0;
            if (j == which) {
                changed |= m->rates->cut || carom_modes_has_phases(m, j) || carom_rates_jumps(m->rates, j);
                flip(m, j, y);
            } else if (carom_modes_has_phases(m, j)) {
                changed |= settle_phase(m, j, y + m->rates->model->nq + m->rates->model->nv, m->rates->deform[j],
                                        m->rates->rate[j]);
            } else if (m->mode[j] == CAROM_CONTACT_CUT && !closed) {
                mend(m, j, y);
                changed = true;
            } else if (closed != (m->mode[j] != CAROM_CONTACT_OPEN) && fabs(m->rates->deform[j]) <= grain(m, j, y)) {
                continue; /* rounding opens and closes nothing */
            } else if (m->mode[j] != CAROM_CONTACT_CUT && (none || fabs(m->rates->deform[j]) <= m->small)) {
                set_mode(m, j,
                         closed ? CAROM_CONTACT_STICKS : CAROM_CONTACT_OPEN); /* not worth locating, or too many */
                changed |= carom_rates_act(m->rates, j, y, closed);
            }
        }
    return changed;
}

/* contact j, whose rate jumps by so much */
static bool jerk(struct carom_modes *m, size_t j, double jump, double *y)
{
    const struct carom_rates *r = m->rates;
    double elastic, drag;
    if (jump == 0.0 || j >= r->chain.nc || !carom_modes_can_be_cut(m, j) || !(r->deform[j] > 0.0) ||
        m->mode[j] == CAROM_CONTACT_OPEN || carom_latch_holds(r->model, y + r->model->nq + r->model->nv, j))
        return false;
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(r->model, j, j + 1, r->deform + j, NULL, r->history, &want);
    const double force = elastic + drag * (r->rate[j] + jump);
    if (m->mode[j] == CAROM_CONTACT_CUT ? !(force > 0.0) : !(force < 0.0))
        return false;
    const bool ends = m->mode[j] == CAROM_CONTACT_STICKS;
    set_mode(m, j, ends ? CAROM_CONTACT_CUT : CAROM_CONTACT_STICKS);
    cut(m, j, y, ends);
    return true;
}

bool carom_modes_jerk(struct carom_modes *m, double t, double *y)
{
    const struct carom_rates *r = m->rates;
    bool changed = false;
    for (size_t k = 0; r->cut && k < r->chain.beads->ndrives; k++) {
        const struct carom_drive *drive = &r->chain.beads->drive[k];
        const double before = carom_loads_motion(drive, carom_loads_before(t)).rate;
        const double jump = carom_loads_motion(drive, t).rate - before;
        size_t left, right;
        carom_chain_contacts(&r->chain, drive->which, &left, &right);
        changed |= jerk(m, left, -jump, y);
        changed |= jerk(m, right, jump, y);
    }
    return changed;
}
