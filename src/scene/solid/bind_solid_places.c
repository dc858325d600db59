/* What touches in a scene of theory solid as it starts: laws that faces can have, bodies that stand in each other, and
 * those that are pressed. */
#include <stdio.h>
#include <string.h>

#include "model/solid/strike/solid_push.h"
#include "scene/solid/bind_solid.h"

const char *carom_bind_solid_places_side(const struct carom_solid_strike *s, size_t body)
{
    return body >= s->nbodies ? s->wall[body - s->nbodies].name : s->body[body].solid->name;
}

#define MOST_DEPTH 0.1   /* of a cell: what is pressed more has hardly been meant */
#define LEAST_DEPTH 1e-6 /* what touches overlaps by rounding: corners of general cells are kept in single precision */

/* faces are layers of springs: with other laws pieces far from each other would feel each other */
static enum carom_status check_faces(struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    struct carom_node *contacts = carom_tree_find(root, "contacts");
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    carom_solid_press_boxes(model, b->scene->q, box);
    for (size_t m = 0; model->nh == 0 && m < s->nmeets; m++) {
        const struct carom_strike_meet *meet = &s->meet[m];
        const size_t j = s->meets_first + m;
        const char *one = carom_bind_solid_places_side(s, meet->body[0]),
                   *two = carom_bind_solid_places_side(s, meet->body[1]);
        double force[2] = {0.0, 0.0}, deepest = 0.0;
        for (int i = 0; i < 2; i++) {
            const double overlap = 1e-6 * (1.0 + i);
            const struct carom_response want = {.elastic = &force[i]};
            carom_contacts_evaluate(model, j, j + 1, &overlap, NULL, NULL, &want);
        }
        if (!(fabs(force[1] - 2.0 * force[0]) <= 1e-9 * force[1]))
            return carom_tree_error_key(b->r.tree, contacts != NULL ? contacts : root, CAROM_E_REFUSED, b->r.error,
                                        "contacts: faces of %s and %s need a linear law: linear-dashpot, or power with "
                                        "p: 1",
                                        *one != '\0' ? one : "the solid", two);
        carom_solid_push_overlap(model, meet, box, b->scene->q, NULL, NULL, &deepest);
        if (deepest > MOST_DEPTH || carom_solid_press_inside(model, meet, box, b->scene->q) ||
            carom_solid_cross(model, meet, b->scene->q, MOST_DEPTH))
            return carom_value_wrong_key(&b->r, carom_tree_find(root, "bodies"),
                                         "bodies: %s stands in %s by more than a tenth of a cell at the start",
                                         *one != '\0' ? one : "the solid", two);
    }
    return CAROM_OK;
}

/* of a ball and a solid, however deep it is inside */
static double overlap_with(const struct carom_bind *b, size_t body, size_t ball)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    double place[1][3];
    carom_solid_balls_place(s->balls, ball, b->scene->q + model->member[s->balls_member].q0, place[0]);
    return s->balls->radius[ball] -
           carom_solid_press_distance(&s->body[body], b->scene->q + model->member[body].q0, (const double(*)[3])place);
}

struct name {
    char text[40];
};

/* one side of a contact */
static struct name called(const struct carom_solid_strike *s, int32_t side)
{
    struct name name = {"the solid"};
    const char *own = side < 0 ? carom_bind_solid_places_side(s, (size_t)(CAROM_STRIKE_SOLID - side)) : "";
    if (side >= 0)
        snprintf(name.text, sizeof name.text, "ball %d", (int)side + 1);
    else if (*own != '\0')
        snprintf(name.text, sizeof name.text, "%s", own);
    return name;
}

/* laws of small overlaps end long before a ball stands inside of something */
static enum carom_status check_places(struct carom_bind *b, const struct carom_node *bodies)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    enum { BLOCK = 64 };
    double overlaps[BLOCK];
    for (size_t j = 0; j < s->meets_first; j++) {
        if (j % BLOCK == 0)
            carom_contacts_deform_some(model, j, j + BLOCK < s->meets_first ? j + BLOCK : s->meets_first, 0.0,
                                       b->scene->q, NULL, overlaps, NULL);
        double overlap = overlaps[j % BLOCK];
        const int32_t *pair = model->pair[j];
        if (j < s->balls_first && !carom_solid_balls_fastened(s->balls, j % s->nballs, j / s->nballs))
            overlap = fmax(overlap, overlap_with(b, j / s->nballs, j % s->nballs));
        if (!(overlap > 0.1 * s->balls->radius[pair[1]]))
            continue;
        return carom_value_wrong_key(
            &b->r, bodies, "bodies: ball %d stands in %s, by %g at the start: a tenth of its radius is the most",
            (int)pair[1] + 1, called(s, pair[0]).text, overlap);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_solid_places(struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_node *bodies = carom_tree_find(root, "bodies");
    return check_places(b, bodies) == CAROM_OK ? check_faces(b, root) : b->r.error->status;
}

/* how far contact j is pressed at the start: 0 if it is by rounding alone */
static double pressed(const struct carom_bind *b, const struct carom_press_box *box, size_t j)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    double overlap, deepest = 0.0;
    if (j < s->meets_first) {
        carom_contacts_deform_some(model, j, j + 1, 0.0, b->scene->q, NULL, &overlap, NULL);
        return overlap > LEAST_DEPTH * s->balls->radius[model->pair[j][1]] ? overlap : 0.0;
    }
    const struct carom_strike_meet *meet = &s->meet[j - s->meets_first];
    if (meet->tied)
        return 0.0;
    overlap = carom_solid_push_overlap(model, meet, box, b->scene->q, NULL, NULL, &deepest);
    return deepest > LEAST_DEPTH ? overlap : 0.0;
}

/* what is pressed at the start has energy that nobody has given it by name; in one sentence for all */
enum carom_status carom_bind_solid_places_pressed(struct carom_bind *b)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    double most = 0.0, sum = 0.0;
    size_t worst = 0, count = 0;
    carom_solid_press_boxes(model, b->scene->q, box);
    for (size_t j = 0; model->nh == 0 && j < model->nc; j++) {
        double energy = 0.0;
        const struct carom_response want = {.energy = &energy};
        const double overlap = pressed(b, box, j);
        if (!(overlap > 0.0))
            continue;
        carom_contacts_evaluate(model, j, j + 1, &overlap, NULL, NULL, &want);
        worst = energy > most || count == 0 ? j : worst;
        most = fmax(most, energy);
        sum += energy;
        count++;
    }
    if (count == 0)
        return CAROM_OK;
    const int32_t *pair = model->pair[worst];
    char more[40] = "";
    if (count > 1)
        snprintf(more, sizeof more, ", and %zu pair%s more", count - 1, count > 2 ? "s" : "");
    return carom_bind_note(b, "%s and %s%s overlap at the start: they are pressed, with an energy of %.3g%s",
                           called(s, pair[0]).text, called(s, pair[1]).text, more, sum, b->r.si ? " J" : "");
}
