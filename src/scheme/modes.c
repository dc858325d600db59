/* Finding and changing the modes of contacts; see modes.h. */
#include "scheme/modes.h"

#include "base/memory.h"

enum { FEW = 6 };                   /* changes in one step that are worth locating */
static const double at_once = 1e-9; /* a change so early in a step is one of its start: no step of its own */

enum carom_status carom_modes_open(struct carom_modes *m, struct carom_rates *rates, double small,
                                   struct carom_error *error)
{
    *m = (struct carom_modes){.rates = rates, .small = small};
    m->mode = carom_memory_zeroed(rates->model->nc, 1);
    m->room = carom_memory_zeroed(rates->regular ? 0 : rates->model->nq, sizeof(double));
    return m->mode && m->room ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for contact modes");
}

void carom_modes_close(struct carom_modes *m)
{
    carom_memory_free(m->mode);
    carom_memory_free(m->room);
    *m = (struct carom_modes){0};
}

/* can contact j be cut? Only where force ends it, in a regularised chain; elsewhere the law is clipped as it acts */
static bool can_be_cut(const struct carom_modes *m, size_t j)
{
    const struct carom_model *model = m->rates->model;
    if (!m->rates->cut)
        return false;
    size_t g = 0;
    while (j >= model->group[g].first + model->group[g].count)
        g++;
    return model->group[g].ending == CAROM_END_FORCE;
}

void carom_modes_start(struct carom_modes *m, double t, const double *q, const double *v)
{
    const struct carom_model *model = m->rates->model;
    for (size_t j = 0; j < model->nc; j++) {
        double deform;
        carom_contacts_deform_some(model, j, j + 1, t, q, NULL, &deform, NULL);
        m->mode[j] = deform > 0.0 ? CAROM_MODE_CLOSED : CAROM_MODE_OPEN;
        if (deform > 0.0 && can_be_cut(m, j) && carom_rates_force(m->rates, j, q, v, &deform) < 0.0)
            m->mode[j] = CAROM_MODE_CUT;
        if (m->rates->cut)
            m->rates->cut[j] = m->mode[j] == CAROM_MODE_CUT ? 1.0 : 0.0;
    }
    m->nchanged = CAROM_MODES_MANY;
}

void carom_modes_load_cut(struct carom_modes *m, const double *memory)
{
    for (size_t j = 0; m->rates->cut && j < m->rates->model->nc; j++)
        m->rates->cut[j] = memory[j] == CAROM_MODE_CUT ? 1.0 : 0.0;
}

void carom_modes_load(struct carom_modes *m, const double *memory)
{
    for (size_t j = 0; j < m->rates->model->nc; j++)
        m->mode[j] = (unsigned char)memory[j];
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

void carom_modes_save(const struct carom_modes *m, double *memory)
{
    size_t first, last;
    if (m->nchanged < CAROM_MODES_MANY)
        for (size_t i = 0; i < m->nchanged; i++)
            memory[m->changed[i]] = m->mode[m->changed[i]];
    else
        for (size_t k = 0; contacts_of(m, k, &first, &last); k++)
            for (size_t j = first; j < last; j++)
                memory[j] = m->mode[j];
}

static void set_mode(struct carom_modes *m, size_t j, enum carom_mode mode)
{
    if (m->mode[j] == mode)
        return;
    m->mode[j] = (unsigned char)mode;
    if (m->nchanged < CAROM_MODES_MANY - 1)
        m->changed[m->nchanged++] = j;
    else
        m->nchanged = CAROM_MODES_MANY;
}

/* overlap and its rate at s of the step */
static double deform_at(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double s,
                        double *rate)
{
    const struct carom_model *model = m->rates->model;
    double deform;
    *rate = 0.0;
    if (!m->rates->regular) {
        carom_dormand_prince_dense(step, s, 0, model->nq, m->room);
        carom_contacts_deform_some(model, j, j + 1, t + s * step->h, m->room, NULL, &deform, NULL);
        return deform;
    }
    const int32_t left = model->pair[j][0], right = model->pair[j][1];
    double left_rate = 0.0, right_rate = 0.0;
    const double a = left >= 0 ? carom_dormand_prince_value(step, s, (size_t)left, &left_rate) : 0.0;
    const double b = right >= 0 ? carom_dormand_prince_value(step, s, (size_t)right, &right_rate) : 0.0;
    *rate = left_rate - right_rate;
    return a - b - model->gap[j];
}

/* Has contact j, now in its mode, left it at s? A cut contact may open unseen, since it carries nothing. */
static bool has_left(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double s)
{
    double rate;
    const double deform = deform_at(m, step, t, j, s, &rate);
    if (m->mode[j] == CAROM_MODE_OPEN)
        return deform > 0.0;
    if (!can_be_cut(m, j))
        return !(deform > 0.0);
    double elastic, drag;
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(m->rates->model, j, j + 1, &deform, NULL, NULL, &want);
    const double force = elastic + drag * rate;
    return m->mode[j] == CAROM_MODE_CUT ? deform > 0.0 && force > 0.0 : !(deform > 0.0) || force < 0.0;
}

/* the same at the end of the step, cheaply: gaps are known there, forces are asked only where they matter */
static bool has_left_at_end(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j)
{
    const bool closed = m->rates->deform[j] > 0.0;
    if (fabs(m->rates->deform[j]) <= m->small)
        return false;
    if (m->mode[j] == CAROM_MODE_OPEN)
        return closed;
    return can_be_cut(m, j) ? has_left(m, step, t, j, 1.0) : !closed;
}

/* the place in (0, before] where contact j leaves its mode, or `before` */
static double locate(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j, double before)
{
    double low = 0.0, high = before;
    for (int half = 0; half < 60 && high - low > 1e-15; half++) {
        const double middle = 0.5 * (low + high);
        if (has_left(m, step, t, j, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

double carom_modes_first(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t *which)
{
    const size_t nc = m->rates->model->nc;
    double earliest = 1.0;
    size_t count = 0, first, last;
    *which = nc;
    m->nchanged = 0;
    for (size_t k = 0; contacts_of(m, k, &first, &last); k++)
        for (size_t j = first; j < last; j++) {
            if (!has_left_at_end(m, step, t, j))
                continue;
            if (++count > FEW && !m->rates->cut) {
                *which = nc;
                return 1.0;
            }
            if (!has_left(m, step, t, j, earliest))
                continue;
            const double place = locate(m, step, t, j, earliest);
            if (place < at_once && !can_be_cut(m, j)) {
                set_mode(m, j, m->mode[j] == CAROM_MODE_OPEN ? CAROM_MODE_CLOSED : CAROM_MODE_OPEN);
                continue;
            }
            earliest = place;
            *which = j;
        }
    return earliest;
}

/* a contact that leaves `closed` is cut if it still overlaps and can be, else open */
static void flip(struct carom_modes *m, size_t j, double *y)
{
    const unsigned char old = m->mode[j];
    const bool cut = old == CAROM_MODE_CLOSED && can_be_cut(m, j) && m->rates->deform[j] > 0.0;
    set_mode(m, j, cut ? CAROM_MODE_CUT : old == CAROM_MODE_CLOSED ? CAROM_MODE_OPEN : CAROM_MODE_CLOSED);
    if (cut || old == CAROM_MODE_CUT)
        carom_rates_switch(m->rates, j, y, cut);
}

bool carom_modes_change(struct carom_modes *m, size_t which, double *y)
{
    const bool none = which == m->rates->model->nc;
    bool changed = false;
    size_t first, last;
    for (size_t k = 0; contacts_of(m, k, &first, &last); k++)
        for (size_t j = first; j < last; j++) {
            const bool closed = m->rates->deform[j] > 0.0;
            if (j == which) {
                changed |= m->rates->cut != NULL;
                flip(m, j, y);
            } else if (m->mode[j] == CAROM_MODE_CUT && !closed) {
                set_mode(m, j, CAROM_MODE_OPEN); /* it carried nothing before and carries nothing now */
                m->rates->cut[j] = 0.0;
                changed = true;
            } else if (m->mode[j] != CAROM_MODE_CUT && (none || fabs(m->rates->deform[j]) <= m->small)) {
                set_mode(m, j, closed ? CAROM_MODE_CLOSED : CAROM_MODE_OPEN); /* not worth locating, or too many */
            }
        }
    return changed;
}
