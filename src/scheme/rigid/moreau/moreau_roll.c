/* Resistance to rolling and twisting in a step of moreau-jean, see moreau_roll.h. It is friction whose cone has the
 * height of another contact's normal impulse, and such a row can be had from the solvers as they are: it is a contact
 * with mu = 1 whose normal belongs to a number that nothing but the other normal impulse moves, as far as it takes to
 * allow mu times that. W is not symmetric by these entries; nothing in the solvers needs it to be. (The cone of all
 * five components at once: Acary and Bourrier 2021.) */
#include "scheme/rigid/moreau/moreau_roll.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_between.h"
#include "scheme/rigid/moreau/moreau_friction.h"

enum carom_status carom_moreau_roll_open(struct carom_moreau_graph *w, struct carom_error *error)
{
    if (w->bodies->nrub[CAROM_ROLLS] + w->bodies->nrub[CAROM_TWISTS] == 0)
        return CAROM_OK;
    w->roll = carom_memory_zeroed(1, sizeof *w->roll);
    if (w->roll)
        w->roll->extra = carom_memory_zeroed(w->bodies->n, sizeof *w->roll->extra);
    return w->roll && w->roll->extra ? CAROM_OK
                                     : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
}

void carom_moreau_roll_close(struct carom_moreau_graph *w)
{
    struct carom_moreau_roll *o = w->roll;
    if (!o)
        return;
    carom_memory_free_all(o->turn, o->pair, o->at, o->width, o->extra, o->h, o->response, o->b, o->mu, o->impulse, o);
    w->roll = NULL;
}

/* --- what resists ------------------------------------------------------------------------------------------------- */

/* lever times relative spin about an axis, bodies that are led moving as in `led`; v NULL: nobody else moves */
static double rate_about(const struct carom_moreau_graph *w, const struct carom_moreau_turn *t, const double *axis,
                         const double *v, const double *led)
{
    const struct carom_contact_key *key = &w->touch[t->contact].key;
    const size_t d = w->bodies->dimension, nv = carom_bodies_nv(w->bodies);
    double rate = 0.0;
    for (int s = 0; s < 2; s++) {
        const uint32_t body = s ? key->b : key->a;
        const double *of = w->bodies->body[body].fixed ? led : v, sign = s ? t->lever : -t->lever;
        for (size_t k = 0; of && k < nv - d; k++)
            rate += sign * axis[d == 2 ? 2 : k] * of[body * nv + d + k];
    }
    return rate;
}

/* a row of h: lever times the axis among the spins of body s */
static void fill_spin(const struct carom_moreau_graph *w, const struct carom_moreau_turn *t, int s, const double *axis,
                      double *row)
{
    const size_t d = w->bodies->dimension, nv = carom_bodies_nv(w->bodies);
    memset(row, 0, nv * sizeof *row);
    for (size_t k = 0; k < nv - d; k++)
        row[d + k] = (s ? t->lever : -t->lever) * axis[d == 2 ? 2 : k];
}

static void set_axes(const struct carom_moreau_graph *w, struct carom_moreau_turn *t)
{
    const double *tangent = w->friction->tangent + 6 * t->contact, up[3] = {0.0, 0.0, 1.0};
    const bool plane = w->bodies->dimension == 2;
    t->count = t->way == CAROM_ROLLS && !plane ? 2 : 1;
    memcpy(t->axis[0], plane ? up : t->way == CAROM_TWISTS ? w->touch[t->contact].normal : tangent, sizeof up);
    memcpy(t->axis[1], tangent + 3, sizeof up);
    double row[6], response[6];
    t->mobility = 0.0;
    for (int s = 0; s < 2; s++) {
        const struct carom_contact_key *key = &w->touch[t->contact].key;
        fill_spin(w, t, s, t->axis[0], row);
        carom_bodies_respond(w->bodies, s ? key->b : key->a, w->place, row, response);
        for (size_t k = 0; k < carom_bodies_nv(w->bodies); k++)
            t->mobility += row[k] * response[k];
    }
}

/* what the contact resisted with before, along the axes of now */
static void guess_impulse(const struct carom_moreau_graph *w, struct carom_moreau_turn *t,
                          const struct carom_state *from, double h)
{
    const struct carom_columns columns = carom_list_columns(w->bodies);
    const size_t was = carom_moreau_graph_find(from->contacts, &w->touch[t->contact].key);
    for (size_t k = 0; k < t->count; k++) {
        t->impulse[k] = 0.0;
        for (size_t l = 0; was < from->contacts->n && l < columns.width[t->way]; l++)
            t->impulse[k] += h * (columns.width[t->way] == 1 ? 1.0 : t->axis[k][l]) *
                             from->contacts->column[columns.spring[t->way] + l][was];
    }
}

enum carom_status carom_moreau_roll_set(struct carom_moreau_graph *w, const struct carom_state *from,
                                        const double *freely, double h, bool guess, struct carom_error *error)
{
    struct carom_moreau_roll *o = w->roll;
    size_t n = 0;
    if (2 * w->n > o->room) {
        const size_t room = 3 * w->n + 16;
        if (!carom_memory_widen(&o->turn, o->room, room, sizeof *o->turn))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", w->n);
        o->room = room;
    }
    for (size_t i = 0; i < w->n; i++) {
        w->touch[i].turn = n;
        for (int k = 0; k < 2; k++) {
            const struct carom_moreau_touch *touch = &w->touch[i];
            const struct carom_body *a = &w->bodies->body[touch->key.a], *b = &w->bodies->body[touch->key.b];
            const double lever = carom_meet_lever(a, b);
            if (!(touch->resists[k] > 0.0 && lever > 0.0) || (a->fixed && b->fixed)) /* neither would own its rows */
                continue;
            struct carom_moreau_turn *t = &o->turn[n++];
            if (guess)
                *t = (struct carom_moreau_turn){.contact = i, .way = k ? CAROM_TWISTS : CAROM_ROLLS, .lever = lever};
            t->mu = touch->resists[k];
            set_axes(w, t);
            if (guess)
                guess_impulse(w, t, from, h);
            for (size_t l = 0; l < t->count; l++) {
                t->before[l] = rate_about(w, t, t->axis[l], from->v, w->mean);
                t->drift[l] = rate_about(w, t, t->axis[l], NULL, w->mean);
                t->freely[l] = rate_about(w, t, t->axis[l], freely, w->mean);
            }
        }
    }
    o->n = n;
    return CAROM_OK;
}

/* --- the problem -------------------------------------------------------------------------------------------------- */

/* the first of its bodies that moves owns the numbers that a row of resistance has for itself */
static int owner_of(const struct carom_moreau_graph *w, const struct carom_moreau_turn *t)
{
    return w->friction->pair[2 * t->contact] < w->bodies->n ? 0 : 1;
}

/* numbers of its own: for its normal, and for a tangent that it does not have */
static size_t own_numbers(const struct carom_moreau_graph *w, const struct carom_moreau_turn *t)
{
    return w->bodies->dimension - t->count;
}

static enum carom_status make_room(struct carom_moreau_graph *w, struct carom_error *error)
{
    struct carom_moreau_roll *o = w->roll;
    const size_t n = w->n + o->n, dim = w->bodies->dimension, none = w->bodies->n, nv = carom_bodies_nv(w->bodies);
    size_t numbers = 0;
    bool good = true;
    memset(o->extra, 0, none * sizeof *o->extra);
    for (size_t k = 0; k < o->n; k++) {
        struct carom_moreau_turn *t = &o->turn[k];
        const size_t owner = w->friction->pair[2 * t->contact + (size_t)owner_of(w, t)];
        t->seat = nv + o->extra[owner];
        o->extra[owner] += own_numbers(w, t);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < 2; s++) {
            const size_t body = w->friction->pair[2 * (i < w->n ? i : o->turn[i - w->n].contact) + s];
            numbers += body < none ? dim * (nv + o->extra[body]) : 0;
        }
    if (n > o->sides) {
        const size_t room = n + n / 2 + 16, old = o->sides;
        good = carom_memory_widen(&o->pair, 2 * old, 2 * room, sizeof *o->pair) &&
               carom_memory_widen(&o->at, 2 * old, 2 * room, sizeof *o->at) &&
               carom_memory_widen(&o->width, 2 * old, 2 * room, sizeof *o->width) &&
               carom_memory_widen(&o->b, dim * old, dim * room, sizeof *o->b) &&
               carom_memory_widen(&o->mu, old, room, sizeof *o->mu) &&
               carom_memory_widen(&o->impulse, dim * old, dim * room, sizeof *o->impulse);
        o->sides = good ? room : old;
    }
    if (good && numbers > o->numbers) {
        const size_t room = numbers + numbers / 2, old = o->numbers;
        good = carom_memory_widen(&o->h, old, room, sizeof *o->h) &&
               carom_memory_widen(&o->response, old, room, sizeof *o->response);
        o->numbers = good ? room : old;
    }
    return good ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
}

/* rows of one side of a contact, as wide as its body; its normal impulse moves what allows resistance */
static void fill_contact(struct carom_moreau_graph *w, size_t i, size_t s)
{
    struct carom_moreau_roll *o = w->roll;
    const size_t dim = w->bodies->dimension, nv = carom_bodies_nv(w->bodies), width = o->width[2 * i + s];
    double *h = o->h + o->at[2 * i + s], *response = o->response + o->at[2 * i + s];
    for (size_t k = 0; k < dim; k++) {
        memcpy(h + k * width, w->friction->h + ((2 * i + s) * dim + k) * nv, nv * sizeof *h);
        memcpy(response + k * width, w->friction->response + ((2 * i + s) * dim + k) * nv, nv * sizeof *h);
    }
    for (size_t k = w->touch[i].turn; k < o->n && o->turn[k].contact == i; k++)
        if (owner_of(w, &o->turn[k]) == (int)s)
            response[o->turn[k].seat] = -o->turn[k].mu * o->turn[k].mobility;
}

/* the same of what resists */
static void fill_turn(struct carom_moreau_graph *w, const struct carom_moreau_turn *t, size_t i, size_t s)
{
    struct carom_moreau_roll *o = w->roll;
    const size_t width = o->width[2 * i + s];
    double *h = o->h + o->at[2 * i + s], *response = o->response + o->at[2 * i + s];
    for (size_t k = 0; k < t->count; k++) {
        fill_spin(w, t, (int)s, t->axis[k], h + (k + 1) * width);
        carom_bodies_respond(w->bodies, o->pair[2 * i + s], w->place, h + (k + 1) * width, response + (k + 1) * width);
    }
    for (size_t k = 0; owner_of(w, t) == (int)s && k < own_numbers(w, t); k++) {
        const size_t row = k == 0 ? 0 : t->count + k;
        h[row * width + t->seat + k] = 1.0;
        response[row * width + t->seat + k] = t->mobility;
    }
}

static void fill_problem(struct carom_moreau_graph *w, const struct carom_friction_system *of, const double *r)
{
    struct carom_moreau_roll *o = w->roll;
    const size_t n = w->n + o->n, dim = w->bodies->dimension, none = w->bodies->n, nv = carom_bodies_nv(w->bodies);
    size_t numbers = 0;
    memcpy(o->b, of->b, w->n * dim * sizeof *o->b);
    memcpy(o->mu, of->mu, w->n * sizeof *o->mu);
    memcpy(o->impulse, r, w->n * dim * sizeof *o->impulse);
    for (size_t i = 0; i < n; i++) {
        const struct carom_moreau_turn *t = i < w->n ? NULL : &o->turn[i - w->n];
        for (size_t s = 0; s < 2; s++) {
            const size_t body = o->pair[2 * i + s] = w->friction->pair[2 * (t ? t->contact : i) + s];
            o->at[2 * i + s] = numbers;
            o->width[2 * i + s] = body < none ? nv + o->extra[body] : 0;
            numbers += dim * o->width[2 * i + s];
        }
        for (size_t k = 0; t && k < dim; k++) {
            const bool turns = k > 0 && k <= t->count;
            o->b[dim * i + k] = turns ? t->freely[k - 1] : 0.0;
            o->impulse[dim * i + k] = turns ? t->impulse[k - 1] : k == 0 ? t->mu * o->impulse[dim * t->contact] : 0.0;
        }
        o->mu[i] = t ? 1.0 : o->mu[i];
    }
    if (numbers == 0) /* nobody moves, and there may be no memory yet */
        return;
    memset(o->h, 0, numbers * sizeof *o->h);
    memset(o->response, 0, numbers * sizeof *o->response);
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < 2; s++)
            if (o->pair[2 * i + s] < none && i < w->n)
                fill_contact(w, i, s);
            else if (o->pair[2 * i + s] < none)
                fill_turn(w, &o->turn[i - w->n], i, s);
}

static void take_over(struct carom_moreau_graph *w, double *r)
{
    struct carom_moreau_roll *o = w->roll;
    const size_t dim = w->bodies->dimension;
    memcpy(r, o->impulse, dim * w->n * sizeof *r);
    for (size_t k = 0; k < o->n; k++)
        for (size_t l = 0; l < o->turn[k].count; l++)
            o->turn[k].impulse[l] = o->impulse[dim * (w->n + k) + 1 + l];
}

enum carom_status carom_moreau_roll_solve(struct carom_moreau_graph *w, const struct carom_friction_system *of,
                                          enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                          double *r, struct carom_friction_islands_report *report,
                                          struct carom_error *error)
{
    struct carom_moreau_roll *o = w->roll;
    if (make_room(w, error) != CAROM_OK)
        return error->status;
    fill_problem(w, of, r);
    struct carom_friction_system system = *of;
    system.n = w->n + o->n;
    system.pair = o->pair;
    system.at = o->at;
    system.width = o->width;
    system.h = o->h;
    system.response = o->response;
    system.b = o->b;
    system.mu = o->mu;
    if (carom_friction_islands_solve(&w->friction->islands, &system, solver, aims, o->impulse, report, error) !=
        CAROM_OK)
        return error->status;
    take_over(w, r);
    return CAROM_OK;
}

/* --- what is kept ------------------------------------------------------------------------------------------------- */

void carom_moreau_roll_push(const struct carom_moreau_graph *w, double *v, bool once)
{
    const struct carom_moreau_roll *o = w->roll;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < o->n; i++) {
        const double part = once ? w->touch[o->turn[i].contact].once : 1.0;
        for (int s = 0; s < 2 && part > 0.0; s++) {
            const struct carom_moreau_turn *t = &o->turn[i];
            const uint32_t body = s ? w->touch[t->contact].key.b : w->touch[t->contact].key.a;
            for (size_t k = 0; !w->bodies->body[body].fixed && k < t->count; k++) {
                double row[6], response[6];
                fill_spin(w, t, s, t->axis[k], row);
                carom_bodies_respond(w->bodies, body, w->place, row, response);
                for (size_t l = 0; l < nv; l++)
                    v[body * nv + l] += part * t->impulse[k] * response[l];
            }
        }
    }
}

void carom_moreau_roll_book(struct carom_moreau_graph *w, struct carom_state *to)
{
    for (size_t i = 0; i < w->roll->n; i++) {
        struct carom_moreau_turn *t = &w->roll->turn[i];
        for (size_t k = 0; k < t->count; k++) {
            t->after[k] = t->drift[k] + rate_about(w, t, t->axis[k], to->v, NULL);
            const double once = w->touch[t->contact].once * t->impulse[k];
            const struct carom_moreau_push push = {t->impulse[k] - once, once, t->before[k], t->after[k],
                                                   w->rigid.struck ? rate_about(w, t, t->axis[k], w->jump, NULL) : 0.0};
            carom_moreau_between_take(&push, &w->lost[CAROM_MOREAU_ROLLING + (t->way - CAROM_ROLLS)]);
            carom_moreau_between_lead(w, &push, t->drift[k]);
            to->work[0] -= t->impulse[k] * t->drift[k];
        }
    }
}

void carom_moreau_roll_keep(const struct carom_moreau_graph *w, size_t i, double h, struct carom_contacts *list,
                            size_t j)
{
    const struct carom_columns columns = carom_list_columns(w->bodies);
    for (size_t k = w->touch[i].turn; k < w->roll->n && w->roll->turn[k].contact == i; k++) {
        const struct carom_moreau_turn *t = &w->roll->turn[k];
        for (size_t l = 0; l < columns.width[t->way]; l++) {
            double force = columns.width[t->way] == 1 ? t->impulse[0] : 0.0;
            for (size_t m = 0; m < t->count && columns.width[t->way] > 1; m++)
                force += t->impulse[m] * t->axis[m][l];
            list->column[columns.spring[t->way] + l][j] = force / h;
        }
    }
}
