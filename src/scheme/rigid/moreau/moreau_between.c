/* Views inside a step, see moreau_between.h. */
#include "scheme/rigid/moreau/moreau_between.h"

#include <string.h>

#include "model/bodies/tumble.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/stepper.h"

static const enum carom_retired mechanisms[CAROM_MOREAU_LOSSES] = {CAROM_RETIRED_VISCOUS, CAROM_RETIRED_FRICTION,
                                                                   CAROM_RETIRED_NUMERICAL, CAROM_RETIRED_ROLLING,
                                                                   CAROM_RETIRED_TWISTING};

/* --- what impulses take ------------------------------------------------------------------------------------------ */

void carom_moreau_between_take(const struct carom_moreau_push *push, struct carom_moreau_course *lost)
{
    lost->even -= push->even * push->before;
    lost->square -= 0.5 * push->even * (push->after - push->before - push->jump);
    lost->late -= 0.5 * push->even * push->jump;
    lost->once -= 0.5 * push->once * (push->before + push->after);
}

void carom_moreau_between_lead(struct carom_moreau_graph *w, const struct carom_moreau_push *push, double drift)
{
    w->work.even -= push->even * drift;
    w->work.once -= push->once * drift;
}

void carom_moreau_between_add(struct carom_moreau_course *sum, const struct carom_moreau_course *more)
{
    sum->even += more->even;
    sum->square += more->square;
    sum->late += more->late;
    sum->once += more->once;
}

double carom_moreau_between_all(const struct carom_moreau_course *course)
{
    return course->even + course->square + course->late + course->once;
}

/* a part s into the step, whose blow is at `blow` */
static double till(const struct carom_moreau_course *course, double s, double blow)
{
    const double late = s > blow ? course->late * (s - blow) / (1.0 - blow) : 0.0;
    return s * (course->even + s * course->square) + late + (s >= blow ? course->once : 0.0);
}

void carom_moreau_between_start(struct carom_moreau_graph *w)
{
    memset(w->jump, 0, w->rigid.model->nv * sizeof *w->jump);
    memset(w->lost, 0, sizeof w->lost);
    w->work = (struct carom_moreau_course){0};
}

static bool was_struck(const struct carom_moreau_graph *w, const struct carom_state *from)
{
    const double *status = from->contacts->column[carom_list_columns(w->bodies).phase];
    bool struck = false;
    for (size_t j = 0; j < from->contacts->n && !struck; j++)
        struck = status[j] == CAROM_RIGID_STEP_STRUCK;
    return struck;
}

void carom_moreau_between_once(struct carom_moreau_graph *w, const struct carom_state *from)
{
    const bool again = was_struck(w, from);
    for (size_t i = 0; i < w->n; i++) {
        struct carom_moreau_touch *t = &w->touch[i];
        t->once = t->struck || again ? 1.0 : fmax(1.0 - t->bore / w->impulse[i], 0.0);
    }
}

double carom_moreau_between_book(const struct carom_moreau_graph *w, struct carom_state *to)
{
    double sum = 0.0;
    for (size_t k = 0; k < CAROM_MOREAU_LOSSES; k++) {
        const double lost = carom_moreau_between_all(&w->lost[k]);
        if (lost != 0.0)
            carom_list_book(to->contacts, mechanisms[k], lost);
        sum += lost;
    }
    return sum;
}

/* what rounding may make of the works of this step's impulses */
static double rounding(const struct carom_moreau_graph *w)
{
    const size_t dim = w->bodies->dimension;
    double size = 0.0;
    for (size_t i = 0; i < w->n && !w->friction; i++) {
        const struct carom_moreau_touch *t = &w->touch[i];
        size += w->impulse[i] * (fabs(t->before) + w->impulse[i] * (t->inverse[0] + t->inverse[1]));
    }
    for (size_t k = 0; w->friction && k < dim * w->n; k++)
        size += fabs(w->friction->impulse[k]) *
                (fabs(w->friction->before[k]) + fabs(w->friction->after[k]) + fabs(w->friction->bare[k]));
    for (size_t l = 0; w->joints && l < w->joints->nlimits; l++) {
        const struct carom_moreau_bond *limit = &w->joints->limit[l];
        size += limit->impulse * (fabs(limit->before) + fabs(limit->after));
    }
    return 1e-12 * size;
}

double carom_moreau_between_created(const struct carom_moreau_graph *w, double lost)
{
    for (size_t l = 0; w->joints && l < w->joints->nlimits; l++)
        lost -= 0.5 * w->joints->limit[l].impulse * (w->joints->limit[l].before + w->joints->limit[l].after);
    return lost < -rounding(w) ? -lost : 0.0;
}

/* --- what turning takes ------------------------------------------------------------------------------------------ */

/* twice by how much the energy of body i is more with the inertia of q than with that of the middle */
static double excess(const struct carom_moreau_graph *w, size_t i, const double *q, const double *v)
{
    const struct carom_bodies *b = w->bodies;
    const size_t at = i * carom_bodies_nq(b) + 3;
    const double *spin = v + i * carom_bodies_nv(b) + 3;
    return carom_tumble_energy(&b->body[i], q + at, spin) - carom_tumble_energy(&b->body[i], w->place + at, spin);
}

static bool tumbles(const struct carom_bodies *b, size_t i)
{
    return b->dimension == 3 && !b->body[i].fixed && b->body[i].moments[0] > 0.0;
}

/* The moment that turned body i about itself. It stands across the spin of which the last turn of the step was made;
 * where turns came to an end before they stood still, that is not quite the spin of the step, and does work. */
static void gyre_of(const struct carom_moreau_graph *w, size_t i, const double *v, double gyre[3])
{
    const size_t at = i * carom_bodies_nv(w->bodies) + 3;
    const double theta = w->options->theta;
    double mean[3];
    for (size_t k = 0; k < 3; k++)
        mean[k] = theta * w->trial[at + k] + (1.0 - theta) * v[at + k];
    carom_tumble_gyre(&w->bodies->body[i], w->place + i * carom_bodies_nq(w->bodies) + 3, mean, gyre);
}

/* the work of that moment in the step */
static double gyre_work(const struct carom_moreau_graph *w, size_t i, const double *v0, const double *v1, double h)
{
    const size_t at = i * carom_bodies_nv(w->bodies) + 3;
    double gyre[3], mean[3];
    gyre_of(w, i, v0, gyre);
    for (size_t k = 0; k < 3; k++)
        mean[k] = 0.5 * (v0[at + k] + v1[at + k]);
    return h * carom_vec_dot(gyre, mean);
}

void carom_moreau_between_tumble(const struct carom_moreau_graph *w, const struct carom_state *from, double h,
                                 struct carom_state *to)
{
    double gained = 0.0;
    for (size_t i = 0; i < w->bodies->n; i++)
        if (tumbles(w->bodies, i))
            gained += 0.5 * (excess(w, i, to->q, to->v) - excess(w, i, from->q, from->v)) +
                      gyre_work(w, i, from->v, to->v, h);
    if (gained != 0.0)
        carom_list_book(to->contacts, CAROM_RETIRED_NUMERICAL, -gained);
}

/* The same on the way, where spins are not yet those of the whole step; `step`: how far bodies have turned. */
static double gained_till(const struct carom_moreau_graph *w, const struct carom_state *from, const double *step,
                          const struct carom_state *view)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    double gained = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        double gyre[3];
        if (!tumbles(b, i))
            continue;
        gyre_of(w, i, from->v, gyre);
        gained += 0.5 * (excess(w, i, view->q, view->v) - excess(w, i, from->q, from->v));
        gained += carom_vec_dot(gyre, step + i * nv + 3);
    }
    return gained;
}

/* --- the view ---------------------------------------------------------------------------------------------------- */

static void move(struct carom_stepper *stepper, const struct carom_state *state, double h, double s, double blow,
                 struct carom_state *view)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const struct carom_state *from = stepper->before;
    const double theta = w->options->theta, late = fmax(s - blow, 0.0);
    for (size_t i = 0; i < model->nv; i++) {
        const double even = state->v[i] - from->v[i] - w->jump[i];
        w->step[i] = h * (s * (from->v[i] + (0.5 * s + theta - 0.5) * even) + late * w->jump[i]);
        view->v[i] = from->v[i] + s * even + (s >= blow ? w->jump[i] : 0.0);
    }
    carom_motion_move(model, from->q, w->step, view->q);
}

static void spend(const struct carom_moreau_graph *w, const struct carom_state *from, const struct carom_state *state,
                  double s, double blow, struct carom_state *view)
{
    const size_t parts = w->rigid.model->nparts;
    const double rest = state->work[0] - from->work[0] - carom_moreau_between_all(&w->work);
    for (size_t i = 0; i < 2 * parts; i++)
        view->spent[i] = from->spent[i] + s * (state->spent[i] - from->spent[i]);
    view->work[0] = from->work[0] + s * rest + till(&w->work, s, blow);
    memcpy(view->contacts->retired, from->contacts->retired, sizeof view->contacts->retired);
    for (size_t k = 0; k < CAROM_MOREAU_LOSSES; k++)
        carom_list_book(view->contacts, mechanisms[k], till(&w->lost[k], s, blow));
}

void carom_moreau_between_view(struct carom_stepper *stepper, const struct carom_state *state, double t,
                               struct carom_state *view)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double h = (state->time - from->time) + (state->time_low - from->time_low);
    const double s = ((t - from->time) - from->time_low) / h, blow = 1.0 - w->options->theta;
    const bool at_start = carom_stepper_meets(from, t, h);
    carom_state_view(view, at_start || (w->rigid.struck && s < blow) ? from : state);
    carom_state_clock(view, t);
    if (at_start)
        return;
    move(stepper, state, h, s, blow, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
    if (w->joints)
        carom_moreau_joints_part(w, s, view);
    spend(w, from, state, s, blow, view);
    if (w->friction)
        carom_list_book(view->contacts, CAROM_RETIRED_NUMERICAL, -gained_till(w, from, w->step, view));
}
