/* The end of a step of the one-step forms: velocities, and what it took. Energy-momentum loses what its dampers take,
 * (V1 - V0)(d1 - d0)/h in each contact, and nothing else; the others lose or create something by themselves, which is
 * told apart as `numerical`. */
#include <string.h>

#include "base/sum.h"
#include "base/threads.h"
#include "carom/law.h"
#include "scheme/crystal/crystal.h"
#include "scheme/mean_path.h"

/* drift of both bodies past each other along what contact j gave, those that stand or are led left out */
static double along(const struct carom_crystal *w, size_t j)
{
    const struct carom_contact_key *key = &w->list->key[j];
    double sum = 0.0;
    for (size_t k = 0; k < w->dim; k++) {
        const double a = w->ease[key->a] > 0.0 ? w->target[key->a * w->dim + k] : 0.0;
        const double b = w->ease[key->b] > 0.0 ? w->target[key->b * w->dim + k] : 0.0;
        sum += w->impulse[j][k] * (b - a);
    }
    return sum;
}

static bool is_led(const struct carom_crystal *w, size_t j)
{
    const struct carom_contact_key *key = &w->list->key[j];
    return w->bodies->body[key->a].lead >= 0 || w->bodies->body[key->b].lead >= 0;
}

static void note(const struct carom_crystal *w, size_t j, struct carom_crystal_block *found)
{
    const struct carom_contact_key *key = &w->list->key[j];
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    const bool was = w->end[0].deform[j] > 0.0, is = w->end[1].deform[j] > 0.0;
    const bool a_ball = a->surface == CAROM_BALL && !a->inside, b_ball = b->surface == CAROM_BALL && !b->inside;
    const double radius = !a_ball ? b->radius : !b_ball ? a->radius : fmin(a->radius, b->radius);
    found->switched |= was != is;
    found->ended |= !is;
    if (found->deep == SIZE_MAX && w->end[1].deform[j] > 0.1 * radius)
        found->deep = j;
}

/* what gravity does by the way that theta adds to that of the velocities */
static double added(const struct carom_crystal *w, size_t j)
{
    const struct carom_contact_key *key = &w->list->key[j];
    const int sides = (w->ease[key->b] > 0.0) - (w->ease[key->a] > 0.0);
    double sum = 0.0;
    for (size_t k = 0; k < w->dim; k++)
        sum += w->bodies->gravity[k] * w->aside[j][k];
    return sides * sum;
}

static const struct carom_law *law_of(const struct carom_crystal *w, size_t j)
{
    return w->bodies->pairing[w->list->key[j].pairing].law;
}

/* what contact j remembers at the end of a step */
static void recall(const struct carom_crystal *w, const struct carom_contacts *from, struct carom_contacts *to,
                   size_t j)
{
    const struct carom_law *law = law_of(w, j);
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    struct carom_mean_path path;
    carom_crystal_params(w, from, 0, param);
    carom_crystal_history(w, from, 0, history);
    carom_mean_path_find(law, param, history, j, w->end[0].deform[j], w->end[1].deform[j], &path);
    for (size_t i = 0; i < law->nh; i++)
        to->column[w->columns.history + i][j] = path.history[i];
}

/* losses of contact j; w->mean becomes what leads put in through it */
static void book(const struct carom_crystal *w, struct carom_state *to, size_t j, double h)
{
    const struct carom_crystal_end *a = &w->end[0], *b = &w->end[1];
    const double change = b->deform[j] - a->deform[j], damper = b->viscous[j] - a->viscous[j];
    const double stored = b->energy[j] - a->energy[j];
    const double viscous = w->form == CAROM_CRYSTAL_GL_REG ? w->spent[j]
                           : law_of(w, j)->nh > 0          ? w->mean[j] * change - stored
                                                           : damper * change / h;
    double *const *column = to->contacts->column + w->columns.lost;
    const bool led = is_led(w, j);
    column[CAROM_RETIRED_VISCOUS][j] += viscous;
    if (carom_crystal_complex(w))
        return; /* what leads put in is known, and what is not booked shows as the ledger's residual */
    if (w->form == CAROM_CRYSTAL_THETA && !led)
        column[CAROM_RETIRED_NUMERICAL][j] -= along(w, j) / h + stored + viscous;
    else if (w->form != CAROM_CRYSTAL_EM)
        column[CAROM_RETIRED_NUMERICAL][j] += w->mean[j] * change - stored;
    if (w->form == CAROM_CRYSTAL_THETA)
        column[CAROM_RETIRED_NUMERICAL][j] += added(w, j);
    w->mean[j] = led ? along(w, j) / h + (w->mean[j] + damper / h) * change : 0.0;
}

static void book_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    struct carom_crystal *w = s->w;
    struct carom_contacts *c = s->to->contacts;
    const size_t first = block * CAROM_CRYSTAL_CONTACTS, last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, c->n);
    struct carom_crystal_block found = {.deep = SIZE_MAX};
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        if (w->carried[i])
            memcpy(c->column[i] + first, s->from->contacts->column[i] + first, (last - first) * sizeof(double));
    for (size_t j = first; j < last; j++) {
        if (!(w->end[0].deform[j] > 0.0) && !(w->end[1].deform[j] > 0.0) &&
            (w->form != CAROM_CRYSTAL_GL_REG || w->spent[j] == 0.0))
            continue;
        note(w, j, &found);
        book(w, s->to, j, s->h);
        if (law_of(w, j)->nh > 0)
            recall(w, s->from->contacts, c, j);
    }
    w->found[block] = found;
}

/* velocities; w->target becomes the way that goes with them, h (v0 + v1)/2 */
static void speed_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    struct carom_crystal *w = s->w;
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies),
                 last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        const double *v = w->begin + i * nv;
        double *to = s->to->v + i * nv;
        if (w->ease[i] == 0.0)
            continue;
        for (size_t k = 0; k < dim; k++) {
            to[k] = v[k] + w->ease[i] * (w->given[i * dim + k] + s->h * w->load[i * dim + k]);
            w->target[i * dim + k] = 0.5 * s->h * (v[k] + to[k]);
        }
        memcpy(to + dim, v + dim, (nv - dim) * sizeof *to);
    }
}

/* what leads did and, where one force acts all through the step, loads; in the order of contacts, not of blocks */
static double work_of(const struct carom_crystal *w, double middle)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_sum led = {0.0, 0.0};
    for (size_t j = 0; j < w->list->n && b->nleads > 0; j++)
        if (w->mean[j] != 0.0)
            carom_sum_add(&led, w->mean[j]);
    double work = carom_sum_value(&led);
    for (size_t j = 0; j < b->nloads && !carom_crystal_complex(w); j++) {
        const struct carom_body_load *load = &b->load[j];
        const double value = carom_signal_value(&load->signal, middle);
        for (size_t k = 0; k < w->dim && w->ease[load->body] > 0.0; k++)
            work += value * load->force[k] * w->target[load->body * w->dim + k];
    }
    return work;
}

static void retire(struct carom_crystal *w, struct carom_state *to, size_t block)
{
    struct carom_contacts *c = to->contacts;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, c->n);
    for (size_t j = block * CAROM_CRYSTAL_CONTACTS; j < last; j++)
        if (!(w->end[1].deform[j] > 0.0) && !carom_list_is_empty(c, j))
            carom_list_retire(c, &w->columns, j);
}

void carom_crystal_ledger_close(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                                double h, double middle)
{
    struct carom_crystal *w = stepper->work;
    struct carom_crystal_sweep sweep = {.w = w, .from = from, .to = to, .h = h};
    const size_t blocks = carom_crystal_blocks(to->contacts->n, CAROM_CRYSTAL_CONTACTS);
    if (!carom_crystal_complex(w))
        carom_threads_run(w->threads, speed_block, &sweep, carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES));
    carom_threads_run(w->threads, book_block, &sweep, blocks);
    memcpy(to->contacts->retired, from->contacts->retired, sizeof to->contacts->retired);
    to->work[0] += work_of(w, middle);
    if (w->bodies->frictional)
        carom_crystal_friction_end(stepper, from, to, h);
    stepper->switched = false;
    stepper->switched_first = stepper->switched_last = 0;
    for (size_t i = 0; i < blocks; i++) {
        const struct carom_crystal_block *found = &w->found[i];
        stepper->switched |= found->switched;
        if (found->ended)
            retire(w, to, i);
        if (found->deep < to->contacts->n && !stepper->deep.found) {
            const struct carom_contact_key *key = &to->contacts->key[found->deep];
            stepper->deep = (struct carom_deep){true, key->a, key->b, from->time + h, w->end[1].deform[found->deep]};
        }
    }
}
