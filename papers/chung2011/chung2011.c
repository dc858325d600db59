/* Chung and Ooi 2011: one impact of two bodies, of which the first is a sphere, followed from before they touch until
 * they are apart: largest overlap, force and duration, and velocities and spins after it. */
#include "papers/chung2011/chung2011.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/touching.h"
#include "scheme/compliant/dp5_bodies.h"
#include "study/follow/track.h"

/* What rows may ask `of` an impact. Velocities and spins are those of body 1, or of body 2 with a 2 behind. */
enum {
    OVERLAP,     /* largest */
    FORCE,       /* normal force at the largest overlap: the largest one, where nothing damps */
    DURATION,    /* from touch to where the gap opens */
    RESTITUTION, /* separating over closing speed, along the normal at the largest overlap */
    SLIPS,       /* 1: the contact begins with slip, 0: it begins sticking */
    MOMENTUM,    /* change of the momentum over the sum of its parts at the start */
    ANGULAR,     /* change of the angular momentum over the sum of its parts at the start */
    VX,
    VX2 = VX + 6,
    ANSWERS = VX2 + 6
};

static const char *const answer_name[ANSWERS] = {
    "overlap", "force", "duration", "restitution", "slips", "momentum", "angular_momentum",
    "vx",      "vy",    "vz",       "wx",          "wy",    "wz",       "vx2",
    "vy2",     "vz2",   "wx2",      "wy2",         "wz2"};

struct impact {
    struct carom_track track;
    struct carom_touching touching;
    const struct carom_bodies *bodies;
    double velocity[3], momentum[3], angular[3], size[2]; /* of the start; velocity: of body 2 past body 1 */
    double normal[3];                                     /* at the largest overlap */
    double touched;                                       /* when; negative: not yet */
    bool parted, peaked;
    double answer[ANSWERS];
};

/* --- following one impact ----------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void relative(const struct carom_state *view, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = view->v[6 + k] - view->v[k];
}

/* momentum and angular momentum about the origin of bodies that move freely, and the sum of their parts' sizes */
static void momenta(const struct impact *i, const struct carom_state *view, double p[3], double l[3], double size[2])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    size[0] = size[1] = 0.0;
    for (size_t b = 0; b < i->bodies->n; b++) {
        const struct carom_body *body = &i->bodies->body[b];
        const double *v = view->v + 6 * b, *w = v + 3;
        double x[3];
        carom_bodies_centre(i->bodies, b, view->q, x);
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            p[k] += body->mass * v[k];
            l[k] += body->mass * (x[m] * v[n] - x[n] * v[m]) + body->inertia * w[k];
        }
        size[0] += body->mass * sqrt(dot(v, v));
        size[1] += body->mass * sqrt(dot(x, x) * dot(v, v)) + body->inertia * sqrt(dot(w, w));
    }
}

static enum carom_status open_impact(struct impact *i, const struct carom_measuring *m, struct carom_error *error)
{
    char name[512];
    *i = (struct impact){.touched = -1.0};
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = carom_track_open(&i->track, scene, NULL, error);
    carom_scene_free(scene);
    if (status != CAROM_OK)
        return status;
    const struct carom_bodies *bodies = carom_model_bodies(i->track.sim->model);
    if (bodies == NULL || bodies->n != 2 || bodies->dimension != 3)
        return carom_error_set(error, CAROM_E_INPUT, "%s: must be a scene of two bodies in space", name);
    if (strcmp(i->track.sim->stepper->scheme->kind.name, "dp5") != 0) /* whose steps end where contacts change */
        return carom_error_set(error, CAROM_E_INPUT, "%s: must run under dp5", name);
    i->bodies = bodies;
    carom_touching_open(&i->touching, bodies);
    relative(i->track.sim->view, i->velocity);
    momenta(i, i->track.sim->view, i->momentum, i->angular, i->size);
    return CAROM_OK;
}

static void close_impact(struct impact *i)
{
    if (i->bodies != NULL)
        carom_touching_close(&i->touching);
    carom_track_close(&i->track);
}

/* Reads the contact of the view, and how fast its gap grows; 0 where it is open. */
static enum carom_status look(struct impact *i, double *rate, struct carom_error *error)
{
    double v[3];
    *rate = 0.0;
    if (carom_touching_read(&i->touching, i->track.sim->view, error) != CAROM_OK)
        return error->status;
    relative(i->track.sim->view, v);
    if (i->touching.n > 0)
        *rate = dot(v, i->touching.touch[0].normal);
    return CAROM_OK;
}

/* The moment inside the last step at which the gap stands still, by bisection on the dense output. */
static enum carom_status find_peak(struct impact *i, double from, struct carom_error *error)
{
    double to = i->track.sim->view->time, rate;
    for (int k = 0; k < 60 && from < to; k++) {
        const double middle = 0.5 * (from + to);
        if (middle <= from || middle >= to)
            break;
        if (carom_sim_to(i->track.sim, middle, error) != CAROM_OK || look(i, &rate, error) != CAROM_OK)
            return error->status;
        *(rate < 0.0 ? &from : &to) = middle;
    }
    if (carom_sim_to(i->track.sim, to, error) != CAROM_OK || look(i, &rate, error) != CAROM_OK)
        return error->status;
    if (i->touching.n == 0)
        return carom_error_set(error, CAROM_E_NUMERIC, "one step goes through the whole contact; a smaller tol may do");
    const struct carom_touch *touch = &i->touching.touch[0];
    memcpy(i->normal, touch->normal, sizeof i->normal);
    i->answer[OVERLAP] = -touch->gap;
    i->answer[FORCE] = dot(touch->force, touch->normal);
    i->peaked = true;
    return CAROM_OK;
}

/* The list changed in the last step, at its end: they touch, or they part. */
static void note_change(struct impact *i)
{
    const struct carom_state *view = i->track.sim->view;
    if (i->touched < 0.0) {
        const double phase = view->contacts->column[i->touching.act.columns.phase + CAROM_SLIDES][0];
        i->touched = view->time;
        i->answer[SLIPS] = phase == (double)CAROM_CONTACT_SLIPS ? 1.0 : 0.0;
    } else if (i->peaked && !i->parted) {
        i->parted = true;
        i->answer[DURATION] = view->time - i->touched;
    }
}

static void note_end(struct impact *i)
{
    const struct carom_state *view = i->track.sim->view;
    double v[3], p[3], l[3], size[2];
    relative(view, v);
    i->answer[RESTITUTION] = -dot(v, i->normal) / dot(i->velocity, i->normal);
    memcpy(i->answer + VX, view->v, 12 * sizeof(double));
    momenta(i, view, p, l, size);
    for (int k = 0; k < 3; k++) {
        i->answer[MOMENTUM] = fmax(i->answer[MOMENTUM], fabs(p[k] - i->momentum[k]) / i->size[0]);
        i->answer[ANGULAR] = fmax(i->answer[ANGULAR], fabs(l[k] - i->angular[k]) / i->size[1]);
    }
}

static enum carom_status follow(struct impact *i, struct carom_error *error)
{
    struct carom_sim *sim = i->track.sim;
    bool closing = false;
    double rate;
    while (!carom_sim_ended(sim)) {
        const double from = sim->view->time;
        if (carom_sim_step(sim, 1, error) != CAROM_OK || look(i, &rate, error) != CAROM_OK)
            return error->status;
        if (sim->stepper->switched)
            note_change(i);
        if (closing && !i->peaked && rate >= 0.0 && find_peak(i, from, error) != CAROM_OK)
            return error->status;
        closing = rate < 0.0;
    }
    carom_sim_sync(sim);
    note_end(i);
    return i->peaked ? CAROM_OK : carom_error_set(error, CAROM_E_REFUSED, "the bodies do not meet");
}

static enum carom_status run_impact(const struct carom_measuring *m, void *with, double *answer,
                                    struct carom_error *error)
{
    (void)with;
    struct impact i;
    enum carom_status status = open_impact(&i, m, error);
    if (status == CAROM_OK)
        status = follow(&i, error);
    if (status == CAROM_OK)
        memcpy(answer, i.answer, sizeof i.answer);
    close_impact(&i);
    return status;
}

/* --- what rows ask ------------------------------------------------------------------------------------------------ */

static const char *const impact_keys[] = {"scene", "set", "of", NULL};

static enum carom_status read_of(const struct carom_measuring *m, size_t *of, struct carom_error *error)
{
    const char *text;
    if (carom_paper_need(m->paper, m->row, "of", &text, error) != CAROM_OK)
        return error->status;
    for (*of = 0; *of < ANSWERS; (*of)++)
        if (strcmp(text, answer_name[*of]) == 0)
            return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT,
                           "of %s: must be overlap, force, duration, restitution, slips, momentum, angular_momentum, "
                           "or a velocity or spin such as vx or wy2",
                           text);
}

static enum carom_status measure_impact(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    size_t of;
    return read_of(m, &of, error) == CAROM_OK ? carom_measures_pick(m, "impact", run_impact, ANSWERS, of, value, error)
                                              : error->status;
}

const struct carom_measure carom_chung2011_list[] = {{"impact", impact_keys, measure_impact}, {NULL, NULL, NULL}};
