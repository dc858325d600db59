/* Scenes of rows that can be run but hardly mean what they say: a sentence each among the notes, nothing is refused.
 * Sizes come from the scales, that is from a pair that closes with V. */
#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "carom/bodies.h"
#include "model/beads/loads_scale.h"
#include "scene/bind.h"

#define DEEP 0.1 /* of a radius: what laws of contact are made for */

static enum carom_status note_deep(struct carom_bind *b)
{
    double least = HUGE_VAL;
    for (size_t i = 0; b->radius != NULL && i < b->n; i++)
        least = b->radius[i] > 0.0 ? fmin(least, b->radius[i]) : least;
    const bool apart = !(b->scene->scales.contact_time > 0.0) || /* U is no overlap then */
                       carom_loads_scale_falls(b->scene->model, b->scene->q, b->scene->until) > 0.0;
    if (apart || !(b->scene->scales.length > DEEP * least))
        return CAROM_OK;
    return carom_bind_note(b,
                           "contacts will overlap by about %.2g%s, more than a tenth of the smallest radius, which "
                           "laws of contact are not made for",
                           b->scene->scales.length, b->r.si ? " m" : "");
}

static enum carom_status note_striker(struct carom_bind *b, const struct carom_bind_striker *striker)
{
    const bool left = striker->side == CAROM_KEYS_LEFT;
    const size_t opening = left ? striker->first + striker->count : striker->first;
    const double towards = (left ? 1.0 : -1.0) * b->scene->v[striker->first];
    const bool pushed = b->gravity != 0.0 || b->string != NULL || b->spring != NULL ||
                        carom_tree_find(b->r.tree->root, "loads") != NULL;
    if (pushed || opening == 0 || opening == b->n)
        return CAROM_OK;
    if (towards < 0.0)
        return carom_bind_note(b, "the striker moves away from what it should strike: to the right is positive");
    const double gap = b->gap[opening];
    if (towards == 0.0 && gap > 0.0)
        return carom_bind_note(b, "the striker never arrives: its velocity is 0");
    if (!(gap > towards * b->scene->until))
        return CAROM_OK;
    return carom_bind_note(b, "the striker never arrives: its gap of %g%s takes %g%s, and the run ends at %g%s", gap,
                           b->r.si ? " m" : "", gap / towards, b->r.si ? " s" : "", b->scene->until,
                           b->r.si ? " s" : "");
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

enum carom_status carom_bind_odd(struct carom_bind *b)
{
    const bool row = b->theory != CAROM_KEYS_SOLID && b->mass != NULL;
    if (note_tables(b) != CAROM_OK)
        return b->r.error->status;
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    if (bodies != NULL)
        return carom_bind_space_odd(b) == CAROM_OK ? carom_bind_yield(b) : b->r.error->status;
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
    if (carom_bind_rigid(b))
        return CAROM_OK;
    return note_deep(b) == CAROM_OK ? carom_bind_yield(b) : b->r.error->status;
}
