/* The hardest pressed contact of a run. */
#include "scene/contact/yield.h"

#include <math.h>
#include <stdio.h>

#include "base/power.h"
#include "model/frame.h"
#include "scene/named.h"

#define PI 3.14159265358979323846

double carom_yield_curved(const struct carom_bodies *bodies, const struct carom_body *body)
{
    const double r = body->radius, sphere = 4.0 / 3.0 * PI * r * r * r;
    const bool disc = bodies->dimension == 2 && !(fabs(body->volume - sphere) < 1e-9 * sphere);
    return body->surface == CAROM_BALL && !body->inside && !disc && r > 0.0 ? 1.0 / r : 0.0;
}

static const struct carom_body *side_of(const struct carom_bodies *bodies, uint64_t number)
{
    return number > 0 && number <= bodies->n ? &bodies->body[number - 1] : NULL;
}

/* what the bodies of an episode are as a pair; NULL: that is not known */
static const struct carom_yield_pair *pair_of(const struct carom_yield *y, const struct carom_episode *episode)
{
    if (!y->classes) {
        const size_t contact = carom_frame_number(y->model, episode->contact);
        return contact < y->n ? &y->pair[contact] : NULL;
    }
    const struct carom_bodies *bodies = carom_model_bodies(y->model);
    const struct carom_body *a = side_of(bodies, episode->contact >> 32),
                            *b = side_of(bodies, episode->contact & UINT32_MAX);
    return a != NULL && b != NULL ? &y->pair[a->material * y->n + b->material] : NULL;
}

/* pressures go with the third root of forces */
static double pressed(const struct carom_yield *y, const struct carom_episode *episode)
{
    const struct carom_yield_pair *pair = pair_of(y, episode);
    if (pair == NULL || !(pair->bears > 0.0))
        return 0.0;
    double curved = 1.0;
    if (y->classes) {
        const struct carom_bodies *bodies = carom_model_bodies(y->model);
        curved = carom_yield_curved(bodies, side_of(bodies, episode->contact >> 32)) +
                 carom_yield_curved(bodies, side_of(bodies, episode->contact & UINT32_MAX));
    }
    return carom_power(episode->peak_force * curved * curved / pair->bears, 1.0 / 3.0);
}

static enum carom_status look_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    (void)error;
    struct carom_yield *y = own;
    y->model = layout->model;
    y->pressed = 0.0;
    return CAROM_OK;
}

static enum carom_status look_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    (void)own, (void)row, (void)error;
    return CAROM_OK;
}

void carom_yield_look(struct carom_yield *y, const struct carom_episode *episode)
{
    const double ratio = pressed(y, episode);
    if (ratio > y->pressed) {
        y->pressed = ratio;
        y->hardest = *episode;
    }
}

/* "the contact of bodies 1 and 2", or of those that have names */
static void name_bodies(const struct carom_scene *scene, uint64_t contact, char *who, size_t room)
{
    const size_t body[2] = {(size_t)(contact >> 32), (size_t)(contact & UINT32_MAX)};
    const char *name[2] = {carom_named_own(scene, body[0] - 1), carom_named_own(scene, body[1] - 1)};
    if (name[0] && name[1])
        snprintf(who, room, "the contact of %.40s and %.40s", name[0], name[1]);
    else if (name[0] || name[1])
        snprintf(who, room, "the contact of %.40s and body %zu", name[0] ? name[0] : name[1], body[name[0] ? 1 : 0]);
    else
        snprintf(who, room, "the contact of bodies %zu and %zu", body[0], body[1]);
}

bool carom_yield_say(const struct carom_yield *y, const struct carom_scene *scene, bool si, char text[CAROM_YIELD_TEXT])
{
    const uint64_t contact = y->hardest.contact;
    char who[120];
    if (!(y->pressed > 1.0))
        return false;
    if (y->classes)
        name_bodies(scene, contact, who, sizeof who);
    else
        snprintf(who, sizeof who, "contact %zu", carom_frame_number(y->model, contact));
    snprintf(text, CAROM_YIELD_TEXT,
             "%s would yield: its force of %.4g%s at t = %.6g%s presses %.3g times as hard as %s withstands "
             "elastically, so that real forces are lower and real losses higher",
             who, y->hardest.peak_force, si ? " N" : "", y->hardest.peak_time, si ? " s" : "", y->pressed,
             pair_of(y, &y->hardest)->softer);
    return true;
}

static enum carom_status look_episode(void *own, const struct carom_episode *episode, struct carom_error *error)
{
    (void)error;
    carom_yield_look(own, episode);
    return CAROM_OK;
}

static void look_release(void *own)
{
    (void)own;
}

const struct carom_sink carom_yield_sink = {
    .kind = {.name = "yield", .text = "the hardest pressed contact"},
    .open = look_open,
    .row = look_row,
    .episode = look_episode,
    .release = look_release,
};
