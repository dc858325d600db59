/* Scenes of rows that can be run but hardly mean what they say: a sentence each among the notes, nothing is refused.
 * Sizes come from the scales, that is from a pair that closes with V. */
#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "carom/bodies.h"
#include "model/beads/loads_scale.h"
#include "scene/bind.h"

#define DEEP 0.1 /* of a radius: who starts so far inside its neighbour was pulled the wrong way */

/* Does anything but contacts and a weight along the line act? */
static bool is_pushed(const struct carom_bind *b)
{
    return b->string != NULL || b->spring != NULL || carom_tree_find(b->r.tree->root, "loads") != NULL;
}

/* when a gap is closed that begins to shrink at `towards`, and does so ever faster by `pull` */
static double meets_at(double gap, double towards, double pull)
{
    const double sum = towards + sqrt(towards * towards + 2.0 * pull * gap);
    return !(gap > 0.0) ? 0.0 : sum > 0.0 ? 2.0 * gap / sum : HUGE_VAL;
}

static enum carom_status note_striker(struct carom_bind *b, const struct carom_bind_striker *striker)
{
    const bool left = striker->side == CAROM_KEYS_LEFT;
    const size_t opening = left ? striker->first + striker->count : striker->first;
    const double towards = (left ? 1.0 : -1.0) * b->scene->v[striker->first];
    /* what it falls onto falls likewise, unless a wall holds it */
    const double pull = b->wall[left].node != NULL ? (left ? 1.0 : -1.0) * b->gravity : 0.0;
    if (is_pushed(b) || opening == 0 || opening == b->n || pull < 0.0)
        return CAROM_OK;
    if (towards < 0.0 && b->gravity == 0.0)
        return carom_bind_note(b, "the striker moves away from what it should strike: to the right is positive");
    const double gap = b->gap[opening], time = meets_at(gap, towards, pull);
    if (isinf(time))
        return carom_bind_note(b, "the striker never arrives: its velocity is 0");
    if (!(time > b->scene->until))
        return CAROM_OK;
    return carom_bind_note(b, "the striker never arrives: its gap of %g%s takes %g%s, and the run ends at %g%s", gap,
                           b->r.si ? " m" : "", time, b->r.si ? " s" : "", b->scene->until, b->r.si ? " s" : "");
}

/* The earliest moment at which bodies of a row may meet that do not touch yet, or approach: 0 where that is not known.
 * *right: the body after the contact. */
static double first_meeting(const struct carom_bind *b, size_t *right)
{
    const double *q = b->scene->q, *v = b->scene->v;
    double first = HUGE_VAL;
    for (size_t i = 0; i <= b->n; i++) {
        const bool walls[] = {i == 0, i == b->n};
        if ((walls[0] && b->wall[0].node == NULL) || (walls[1] && b->wall[1].node == NULL))
            continue;
        const double from = walls[0] ? 0.0 : q[i - 1], to = walls[1] ? 0.0 : q[i],
                     gap = to - from +
                           (walls[1]   ? b->wall[1].gap
                            : walls[0] ? b->wall[0].gap
                                       : b->gap[i]),
                     towards = (walls[0] ? 0.0 : v[i - 1]) - (walls[1] ? 0.0 : v[i]);
        const bool rests = !(towards > 0.0) && (gap == 0.0 || (gap < 0.0 && b->gravity != 0.0));
        const double time = rests ? HUGE_VAL : meets_at(gap, towards, fabs(b->gravity));
        if (time < first)
            first = time, *right = i;
    }
    return is_pushed(b) ? 0.0 : first;
}

/* The angle of an end bead that starts inside its neighbour was meant the other way; `sign`: of pulling it in there. */
static enum carom_status note_pulled(struct carom_bind *b, size_t body, size_t opening, double sign)
{
    const double *q = b->scene->q;
    const size_t next = opening == body ? body - 1 : body + 1;
    if (b->string == NULL || b->radius == NULL || !(b->string[body] > 0.0) ||
        !(sign * (q[body] - q[next]) > b->gap[opening] + DEEP * b->radius[body]))
        return CAROM_OK;
    const double angle = q[body] / b->string[body] * 57.295779513082321;
    return carom_bind_note(b, "body %zu is pulled into its neighbours; did you mean an angle of %.3g deg?", body + 1,
                           -angle);
}

/* does a table end before the run, and not with 0? */
static bool lasts(const struct carom_bind *b, const struct carom_signal *s)
{
    return s->shape == CAROM_SHAPE_TABLE && s->count > 1 && s->height[s->count - 1] != 0.0 &&
           s->time[s->count - 1] < b->scene->until;
}

/* `push`: what the signal of a load is multiplied by */
static enum carom_status note_lasting(struct carom_bind *b, size_t body, const struct carom_signal *s, double push,
                                      size_t more)
{
    char others[48] = "";
    if (more > 0)
        snprintf(others, sizeof others, " (and %zu more such load%s)", more, carom_plural(more));
    return carom_bind_note(b,
                           "the force on body %zu stays at the last value of its table, %.6g%s, from t = %.6g%s to the "
                           "end of the run%s: a last point of 0 would end it",
                           body + 1, push * s->height[s->count - 1], b->r.si ? " N" : "", s->time[s->count - 1],
                           b->r.si ? " s" : "", others);
}

/* forces whose tables have ended push for ever: one sentence for all of them */
static enum carom_status note_tables(struct carom_bind *b)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const struct carom_beads *beads = bodies ? NULL : carom_model_chain(b->scene->model);
    const size_t count = bodies ? bodies->nloads : beads ? beads->nloads : 0;
    size_t found = 0, first = 0;
    for (size_t k = 0; k < count; k++)
        if (lasts(b, bodies ? &bodies->load[k].signal : &beads->load[k].force))
            first = found++ == 0 ? k : first;
    if (found == 0)
        return CAROM_OK;
    if (!bodies)
        return note_lasting(b, beads->load[first].bead, &beads->load[first].force, 1.0, found - 1);
    const struct carom_body_load *load = &bodies->load[first];
    const double *f = load->force;
    return note_lasting(b, load->body, &load->signal, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), found - 1);
}

/* bodies of a row that would meet too late, where no striker was told of */
static enum carom_status note_meeting(struct carom_bind *b, bool *alone)
{
    size_t right = 0;
    const char *s = b->r.si ? " s" : "";
    const double until = b->scene->until, first = first_meeting(b, &right);
    *alone = first > until;
    if (!*alone || b->nstrikers > 0 || isinf(first))
        return CAROM_OK;
    char who[64];
    if (right == 0 || right == b->n)
        snprintf(who, sizeof who, "body %zu would meet the wall", right == 0 ? 1 : b->n);
    else
        snprintf(who, sizeof who, "bodies %zu and %zu would meet", right, right + 1);
    return carom_bind_note(b, "nothing is struck: %s at t = %.4g%s, and the run ends at %g%s", who, first, s, until, s);
}

/* How far contacts overlap, and whether they yield; `alone`: nothing meets, and only a run may tell. */
static enum carom_status odd_sizes(struct carom_bind *b, bool alone)
{
    const bool bodies = carom_model_bodies(b->scene->model) != NULL;
    const double speed = alone ? 0.0 : carom_bind_yield_closing(b);
    if (!bodies && carom_bind_rigid(b))
        return CAROM_OK;
    const enum carom_status deep =
        bodies ? carom_bind_deep_bodies(b, speed) : carom_bind_deep(b, b->scene->model->nc, speed);
    return deep == CAROM_OK ? carom_bind_yield(b, speed) : deep;
}

enum carom_status carom_bind_odd(struct carom_bind *b)
{
    bool alone = false;
    const bool row = b->theory != CAROM_KEYS_SOLID && b->mass != NULL;
    if (note_tables(b) != CAROM_OK)
        return b->r.error->status;
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    if (bodies != NULL)
        return carom_bind_space_odd(b, &alone) == CAROM_OK ? odd_sizes(b, alone) : b->r.error->status;
    if (!row)
        return carom_bind_solid_odd(b);
    if (b->gravity != 0.0 && b->string != NULL &&
        carom_bind_note(b, "gravity at the top level acts along the line, as on a slope; for strings write strings: "
                           "{gravity: 9.81}") != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < b->nstrikers; i++)
        if (note_striker(b, &b->striker[i]) != CAROM_OK)
            return b->r.error->status;
    if (b->n > 1 && (note_pulled(b, 0, 1, 1.0) != CAROM_OK || note_pulled(b, b->n - 1, b->n - 1, -1.0) != CAROM_OK))
        return b->r.error->status;
    if (!(b->scene->scales.speed > 0.0))
        return carom_bind_note(b, b->gravity != 0.0
                                      ? "nothing moves: all bodies rest under gravity"
                                      : "nothing moves: give start a velocity, or a striker, a load, gravity");
    return note_meeting(b, &alone) == CAROM_OK ? odd_sizes(b, alone) : b->r.error->status;
}
