/* All that stands in a scene of theory solid: one solid or several with names, balls and rigid planes that they strike,
 * and their contacts and ties. To contacts of balls a solid is flat and heavy where they meet; faces of solids meet
 * with the stiffness of half a cell on either side, unless k is given. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid.h"
#include "scene/solid/bind_solid.h"

/* everything, while it is gathered */
struct gathering {
    struct carom_node *bodies;
    size_t nsolids, nballs, nwalls;
    struct carom_bind_body *body; /* its solid is NULL once the model has it */
    struct carom_strike_wall *wall;
    double *v; /* of balls */
    int dimension;
    double depth, gravity[3]; /* depth: of a plane scene; gravity: of balls */
};

static bool is_entry(const struct carom_node *entry, const char *word)
{
    return entry->kind == CAROM_NODE_MAP && entry->count == 1 && strcmp(entry->first->key, word) == 0;
}

static size_t count(const struct carom_node *bodies, const char *word)
{
    size_t n = 0;
    for (const struct carom_node *entry = bodies->first; entry != NULL; entry = entry->next)
        n += word != NULL ? is_entry(entry, word) : carom_bind_solid_balls_is(entry);
    return n;
}

bool carom_bind_solid_is(const struct carom_node *root)
{
    const struct carom_node *bodies = carom_tree_find(root, "bodies");
    for (const struct carom_node *entry = bodies != NULL && bodies->kind == CAROM_NODE_LIST ? bodies->first : NULL;
         entry != NULL; entry = entry->next)
        if (entry->kind == CAROM_NODE_MAP && entry->first != NULL && strcmp(entry->first->key, "solid") == 0)
            return true;
    return false;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct carom_node *entry)
{
    const struct carom_node *name = entry->first->kind == CAROM_NODE_MAP ? carom_tree_find(entry->first, "name") : NULL;
    return name != NULL && name->text != NULL ? name->text : "";
}

enum carom_status carom_bind_solid_meant(struct carom_bind *b, struct carom_node *entry, const struct carom_node *root,
                                         const struct carom_solid *s, bool *meant)
{
    static const char *const choices[] = {"face", "box", "near", "set"};
    const struct carom_node *bodies = carom_tree_find(root, "bodies");
    struct carom_node *node = carom_tree_find(entry, "body");
    const char *word = NULL, *names[CAROM_STRIKE_SOLIDS];
    size_t n = 0;
    *meant = node == NULL;
    for (size_t i = 0; node == NULL && count(bodies, "solid") > 1 && i < sizeof choices / sizeof *choices; i++)
        if (carom_tree_find(entry, choices[i]) != NULL)
            return carom_value_wrong_key(&b->r, carom_tree_find(entry, choices[i]),
                                         "%s: of which solid? There are several: give body: name beside it",
                                         choices[i]);
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    for (const struct carom_node *one = bodies->first; one != NULL && n < CAROM_STRIKE_SOLIDS; one = one->next)
        if (is_entry(one, "solid") && *name_of(one) != '\0')
            names[n++] = name_of(one);
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], word) == 0) {
            *meant = strcmp(s->name, word) == 0;
            return CAROM_OK;
        }
    if (n == 0)
        return carom_value_wrong_key(&b->r, node,
                                     "body: the solid has no name: leave body out, or give the solid name: %s",
                                     carom_tree_short(word).text);
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    return carom_value_unknown(&b->r, &at_value, "solid", word, names, n);
}

/* solids and planes of one name, and sensors, could not be told apart */
static enum carom_status check_names(struct carom_bind *b, const struct gathering *g)
{
    for (size_t i = 0; i < g->nsolids; i++) {
        const struct carom_solid *s = g->body[i].solid;
        if (g->nsolids > 1 && *s->name == '\0')
            return carom_value_wrong_key(&b->r, g->body[i].map,
                                         "solid: name is missing: where there are several, each has one");
        for (size_t j = 0; j < i; j++) {
            const struct carom_solid *other = g->body[j].solid;
            if (strcmp(s->name, other->name) == 0)
                return carom_value_wrong(&b->r, carom_tree_find(g->body[i].map, "name"),
                                         "another solid has the name %s", s->name);
            for (size_t k = 0; k < s->nsensors * other->nsensors; k++)
                if (strcmp(s->sensor[k / other->nsensors].name, other->sensor[k % other->nsensors].name) == 0)
                    return carom_value_wrong_key(&b->r, carom_tree_find(g->body[i].map, "sensors"),
                                                 "sensors: %s has a sensor %s, too", other->name,
                                                 s->sensor[k / other->nsensors].name);
        }
        for (size_t w = 0; w < g->nwalls; w++)
            if (strcmp(s->name, g->wall[w].name) == 0)
                return carom_value_wrong(&b->r, carom_tree_find(g->body[i].map, "name"), "a plane has the name %s",
                                         s->name);
    }
    return CAROM_OK;
}

/* --- planes ------------------------------------------------------------------------------------------------------- */

static enum carom_status read_wall(struct carom_bind *b, struct carom_node *map, const struct gathering *g, size_t i)
{
    struct carom_strike_wall *wall = &g->wall[i];
    const size_t d = (size_t)g->dimension;
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_plane) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *at = carom_tree_find(map, "at"), *normal = carom_tree_find(map, "normal"),
                      *name = carom_tree_find(map, "name");
    if (at == NULL || normal == NULL)
        return carom_value_wrong_key(&b->r, map, "plane: %s is missing, such as {at: [0, 0, 0], normal: [0, 0, 1]}",
                                     at == NULL ? "at" : "normal");
    const char *word = NULL;
    if (carom_value_vector(&b->r, at, "m", d, false, wall->at) != CAROM_OK ||
        carom_value_vector(&b->r, normal, "1", d, false, wall->normal) != CAROM_OK ||
        (name != NULL && carom_value_text(&b->r, name, &word) != CAROM_OK))
        return b->r.error->status;
    double most = 0.0;
    for (size_t k = 0; k < d; k++)
        most = fmax(most, fabs(wall->normal[k]));
    if (!(most > 0.0))
        return carom_value_wrong(&b->r, normal, "has no direction: all of it is 0");
    for (size_t k = 0; k < d; k++)
        wall->normal[k] /= most; /* the square of a very large or small number is none */
    const double size = carom_vec_norm(wall->normal);
    for (size_t k = 0; k < d; k++)
        wall->normal[k] /= size;
    if (word == NULL)
        snprintf(wall->name, sizeof wall->name, i == 0 ? "wall" : "wall%zu", i + 1);
    else if (!carom_bind_solid_record_name(word) || strlen(word) >= sizeof wall->name || strcmp(word, "balls") == 0 ||
             strcmp(word, "solid") == 0)
        return carom_value_wrong(&b->r, name,
                                 "'%s' is not a name of up to 31 letters, digits, - and _, or has a meaning of its own",
                                 carom_tree_short(word).text);
    else
        snprintf(wall->name, sizeof wall->name, "%s", word);
    for (size_t j = 0; j < i; j++)
        if (strcmp(g->wall[j].name, wall->name) == 0)
            return carom_value_wrong_key(&b->r, map, "another plane has the name %s", wall->name);
    return CAROM_OK;
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

static uint32_t rigid(const struct carom_bind *b)
{
    uint32_t number = 0;
    for (size_t i = 0; i < b->nmaterials && number == 0; i++)
        if (b->material[i].name != NULL && strcmp(b->material[i].name, "rigid") == 0)
            number = (uint32_t)i + 1;
    return number;
}

/* bodies as contacts know them, balls, solids, planes: what they are made of and called */
static enum carom_status make_sides(struct carom_bind *b, const struct gathering *g, const char **called)
{
    const size_t n = g->nballs;
    for (size_t i = 0; i < n; i++)
        called[i] = "balls";
    for (size_t i = 0; i < g->nsolids + g->nwalls; i++)
        b->mass[n + i] = b->radius[n + i] = HUGE_VAL;
    for (size_t i = 0; i < g->nsolids; i++) {
        const char *name = carom_solid_at(b->scene->model, i)->name;
        called[n + i] = *name != '\0' ? name : "solid";
        if (carom_bind_materials_number(b, carom_tree_find(g->body[i].map, "material"), true, &b->made_of[n + i]) !=
            CAROM_OK)
            return b->r.error->status;
    }
    for (size_t i = 0; i < g->nwalls; i++) {
        called[n + g->nsolids + i] = g->wall[i].name;
        b->made_of[n + g->nsolids + i] = rigid(b);
    }
    return CAROM_OK;
}

void carom_bind_solid_sides(size_t balls, size_t nc, const int32_t (*pair)[2], int32_t (*side)[2])
{
    for (size_t j = 0; j < nc; j++)
        for (int k = 0; k < 2; k++)
            side[j][k] = pair[j][k] >= 0 ? pair[j][k] : (int32_t)balls + CAROM_STRIKE_SOLID - pair[j][k];
}

/* 1 / mass of one side of a meeting; what is held somewhere does not move as a whole */
static double lightness(const struct carom_solid_strike *strike, uint32_t body)
{
    const struct carom_solid *s = body < strike->nbodies ? strike->body[body].solid : NULL;
    double mass = 0.0;
    for (size_t i = 0; s != NULL && i < s->n; i++)
        mass += carom_solid_sort_of(s, i)->mass;
    return s != NULL && s->nholds == 0 ? 1.0 / mass : 0.0;
}

static enum carom_status join(struct carom_bind *b, const struct carom_node *root, const struct gathering *g)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(b->scene->model);
    const size_t nc = carom_solid_strike_count(g->nsolids, g->nballs, g->nwalls), cells = b->n,
                 sides = g->nballs + g->nsolids + g->nwalls;
    int32_t(*pair)[2] = carom_memory_zeroed(2 * nc, sizeof *pair);
    double *gap = carom_memory_zeroed(3 * nc, sizeof *gap), *faces = gap + nc, *meeting = faces + nc;
    const char **called = carom_memory_zeroed(sides, sizeof *called);
    enum carom_status status =
        pair != NULL && gap != NULL && called != NULL ? make_sides(b, g, called) : carom_bind_memory(b);
    if (status == CAROM_OK) {
        carom_solid_strike_pairs(g->nsolids, g->nballs, g->nwalls, pair);
        carom_bind_solid_sides(g->nballs, nc, (const int32_t(*)[2])pair, pair + nc);
        for (size_t m = 0; m < strike->nmeets; m++) {
            const struct carom_strike_meet *meet = &strike->meet[m];
            const double light = lightness(strike, meet->body[0]) + lightness(strike, meet->body[1]);
            faces[strike->meets_first + m] = meet->area / meet->compliance;
            meeting[strike->meets_first + m] = light > 0.0 ? 1.0 / light : HUGE_VAL;
        }
        b->pair = (const int32_t(*)[2])(pair + nc);
        b->called = called;
        b->faces = faces;
        b->meeting = meeting;
        b->spoken = strike->meets_first;
        b->n = sides;
        status = carom_bind_contacts_of(b, root, nc, (const int32_t(*)[2])pair, gap);
        b->pair = NULL;
        b->called = NULL;
        b->faces = b->meeting = NULL;
        b->n = cells;
    }
    carom_memory_free_all(pair, gap, called);
    return status;
}

/* --- ties --------------------------------------------------------------------------------------------------------- */

static enum carom_status tie(struct carom_bind *b, struct carom_node *entry)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(b->scene->model);
    if (carom_value_map_of(&b->r, entry, &carom_keys_solid_tie) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *between = carom_tree_find(entry, "between");
    const char *word[2];
    if (between == NULL)
        return carom_value_wrong_key(&b->r, entry, "between is missing: two solids");
    if (carom_value_list_of(&b->r, between, 2, "solid") != CAROM_OK ||
        carom_value_text(&b->r, between->first, &word[0]) != CAROM_OK ||
        carom_value_text(&b->r, between->last, &word[1]) != CAROM_OK)
        return b->r.error->status;
    for (size_t m = 0; s != NULL && m < s->nmeets; m++) {
        const struct carom_strike_meet *meet = &s->meet[m];
        const char *one = carom_bind_solid_places_side(s, meet->body[0]),
                   *two = carom_bind_solid_places_side(s, meet->body[1]);
        const bool these = (strcmp(one, word[0]) == 0 && strcmp(two, word[1]) == 0) ||
                           (strcmp(one, word[1]) == 0 && strcmp(two, word[0]) == 0);
        size_t points = 0;
        if (!these || meet->body[1] >= s->nbodies)
            continue;
        if (meet->tied)
            return carom_value_wrong(&b->r, between, "they are tied already");
        if (carom_solid_strike_tie(b->scene->model, m, b->scene->q, &points, b->r.error) != CAROM_OK)
            return b->r.error->status;
        if (points == 0)
            return carom_value_wrong(&b->r, between, "%s and %s do not touch at the start: there is nothing to tie",
                                     one, two);
        return CAROM_OK;
    }
    return carom_value_wrong(&b->r, between, "%s and %s are not two solids of this scene",
                             carom_tree_short(word[0]).text, carom_tree_short(word[1]).text);
}

static enum carom_status add_ties(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "ties");
    if (list != NULL && carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *entry = list != NULL ? list->first : NULL; entry != NULL; entry = entry->next)
        if (tie(b, entry) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static enum carom_status read_solids(struct carom_bind *b, const struct carom_node *root, struct gathering *g)
{
    size_t i = 0;
    for (struct carom_node *entry = g->bodies->first; entry != NULL; entry = entry->next) {
        if (!is_entry(entry, "solid"))
            continue;
        entry->used = true;
        g->body[i].map = entry->first;
        if (carom_bind_solid_one(b, root, &g->body[i]) != CAROM_OK)
            return b->r.error->status;
        const struct carom_solid *s = g->body[i++].solid, *first = g->body[0].solid;
        if (s->dimension != first->dimension || (s->dimension == 2 && s->depth != first->depth))
            return carom_value_wrong_key(&b->r, entry->first,
                                         "solid: all solids of a scene are of space, or of the plane with one depth");
    }
    g->dimension = g->body[0].solid->dimension;
    g->depth = g->body[0].solid->depth;
    return CAROM_OK;
}

static enum carom_status read_walls(struct carom_bind *b, struct gathering *g)
{
    size_t i = 0;
    for (struct carom_node *entry = g->bodies->first; entry != NULL; entry = entry->next) {
        if (!is_entry(entry, "plane"))
            continue;
        entry->used = true;
        if (read_wall(b, entry->first, g, i++) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* solids first, then balls; the starts of all of them one after the other */
static enum carom_status make_model(struct carom_bind *b, const struct carom_node *root, struct gathering *g)
{
    struct carom_model *model = b->scene->model = carom_model_create();
    if (model == NULL)
        return carom_bind_memory(b);
    for (size_t i = 0; i < g->nsolids; i++) {
        struct carom_solid *s = g->body[i].solid;
        g->body[i].solid = NULL; /* the model frees it */
        if (carom_model_add(model, carom_solid_part(s), s, b->r.error) != CAROM_OK)
            return b->r.error->status;
    }
    if (g->nballs > 0) {
        struct carom_solid_balls *balls = NULL;
        const size_t meets = carom_solid_strike_count(g->nsolids, 0, g->nwalls),
                     rubbing = carom_solid_strike_count(g->nsolids, g->nballs, g->nwalls) - meets;
        if (carom_bind_solid_balls(b, g->bodies, g->nballs, g->dimension, g->depth,
                                   carom_bind_solid_friction_is(root) ? rubbing : 0,
                                   carom_tree_find(root, "joints") != NULL, &balls, g->v) != CAROM_OK ||
            carom_bind_solid_joints(b, root, g->bodies, g->nsolids, g->body, balls, g->v) != CAROM_OK) {
            carom_solid_balls_free(balls);
            return b->r.error->status;
        }
        memcpy(balls->gravity, g->gravity, sizeof balls->gravity);
        if (carom_model_add(model, &carom_part_solid_balls, balls, b->r.error) != CAROM_OK)
            return b->r.error->status;
    }
    if (model->nparts == 1) { /* there may be a million cells: no copy */
        b->scene->q = g->body[0].q;
        b->scene->v = g->body[0].v;
        g->body[0].q = g->body[0].v = NULL;
        return CAROM_OK;
    }
    b->scene->q = carom_memory_zeroed(model->nq, sizeof *b->scene->q);
    b->scene->v = carom_memory_zeroed(model->nv, sizeof *b->scene->v);
    if (b->scene->q == NULL || b->scene->v == NULL)
        return carom_bind_memory(b);
    for (size_t i = 0; i < g->nsolids; i++) {
        const struct carom_member *m = &model->member[i];
        memcpy(b->scene->q + m->q0, g->body[i].q, m->nq * sizeof(double));
        memcpy(b->scene->v + m->v0, g->body[i].v, m->nv * sizeof(double));
    }
    if (g->nballs > 0) {
        const struct carom_member *balls = &model->member[g->nsolids];
        const size_t own = carom_solid_balls_anchors_v(balls->own);
        carom_solid_balls_start(balls->own, b->scene->q + balls->q0);
        memcpy(b->scene->v + balls->v0, g->v, own * sizeof(double));
        carom_bind_solid_joints_start(balls->own, g->body, b->scene->v + balls->v0 + own);
    }
    return CAROM_OK;
}

/* how many balls there are, which lattices say, and what pulls them */
static enum carom_status read_balls(struct carom_bind *b, const struct carom_node *root, struct gathering *g)
{
    struct carom_node *gravity = carom_tree_find(root, "gravity");
    if (carom_bind_solid_balls_count(b, g->bodies, g->dimension, &g->nballs) != CAROM_OK)
        return b->r.error->status;
    return g->nballs > 0 && gravity != NULL
               ? carom_value_vector(&b->r, gravity, "m/s^2", (size_t)g->dimension, false, g->gravity)
               : CAROM_OK;
}

static enum carom_status gather(struct carom_bind *b, const struct carom_node *root, struct gathering *g)
{
    g->body = carom_memory_zeroed(g->nsolids, sizeof *g->body);
    g->wall = carom_memory_zeroed(g->nwalls, sizeof *g->wall);
    if (g->body == NULL || g->wall == NULL)
        return carom_bind_memory(b);
    if (read_solids(b, root, g) != CAROM_OK || read_walls(b, g) != CAROM_OK || check_names(b, g) != CAROM_OK ||
        read_balls(b, root, g) != CAROM_OK)
        return b->r.error->status;
    const size_t sides = g->nballs + g->nsolids + g->nwalls;
    g->v = carom_memory_zeroed(6 * g->nballs, sizeof *g->v);
    b->mass = carom_memory_zeroed(sides, sizeof *b->mass);
    b->radius = carom_memory_zeroed(sides, sizeof *b->radius);
    b->made_of = carom_memory_zeroed(sides, sizeof *b->made_of);
    if (g->v == NULL || b->mass == NULL || b->radius == NULL || b->made_of == NULL)
        return carom_bind_memory(b);
    b->n = 0;
    for (size_t i = 0; i < g->nsolids; i++)
        b->n += g->body[i].solid->n;
    if (make_model(b, root, g) != CAROM_OK)
        return b->r.error->status;
    if (sides == 1)
        return add_ties(b, root) == CAROM_OK ? carom_model_finish(b->scene->model, b->r.error) : b->r.error->status;
    if (carom_solid_strike_add(b->scene->model, g->nwalls, g->wall, b->r.error) != CAROM_OK ||
        join(b, root, g) != CAROM_OK || carom_bind_solid_places(b, root) != CAROM_OK)
        return b->r.error->status;
    if (add_ties(b, root) != CAROM_OK || carom_bind_solid_rest(b, root, g->nsolids, g->body) != CAROM_OK)
        return b->r.error->status;
    return carom_bind_solid_places_pressed(b);
}

/* what stands in line elsewhere is a crystal of one row here, as it has a place in the plane or in space */
static enum carom_status check_rows(struct carom_bind *b, const struct carom_node *bodies)
{
    static const char *const rows[] = {"chain", "bead", "striker"};
    for (const struct carom_node *entry = bodies->first; entry != NULL && count(bodies, "solid") > 0;
         entry = entry->next) {
        if (is_entry(entry, "mechanism"))
            return carom_bind_solid_joints_instead(b, entry->first);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (is_entry(entry, rows[i]))
                return carom_tree_error_key(b->r.tree, entry->first, CAROM_E_REFUSED, b->r.error,
                                            "%s: beside a solid balls have places: write spheres or discs, or a row of "
                                            "them, such as - lattice: {kind: sc, count: [1, 1, 20], radius: 1 cm, at: "
                                            "[0, 0, 1 cm], material: steel}",
                                            rows[i]);
    }
    return CAROM_OK;
}

/* which entry does not belong there: the first that is of no such kind, or the first of all */
static struct carom_node *stranger(struct carom_node *bodies)
{
    for (struct carom_node *entry = bodies->first; entry != NULL && count(bodies, "solid") > 0; entry = entry->next)
        if (!is_entry(entry, "solid") && !is_entry(entry, "plane") && !carom_bind_solid_balls_is(entry))
            return entry;
    return bodies->first != NULL ? bodies->first : bodies;
}

static enum carom_status wrong_bodies(struct carom_bind *b, struct carom_node *bodies)
{
    static const char *const names[] = {"solid", "sphere", "disc", "lattice", "plane"};
    const struct carom_node *entry = stranger(bodies);
    const struct carom_node *body = entry->kind == CAROM_NODE_MAP && entry->first != NULL ? entry->first : NULL;
    const char *meant = body != NULL ? carom_param_nearest(body->key, names, sizeof names / sizeof *names) : NULL;
    if (meant != NULL && !is_entry(entry, meant))
        return carom_value_wrong_key(&b->r, body, "unknown body '%s', did you mean '%s'?",
                                     carom_tree_short(body->key).text, meant);
    return carom_value_wrong(&b->r, entry,
                             "theory solid takes a solid, - solid: {box: ..., material: steel}, and after it other "
                             "solids, spheres (in the plane discs), lattices of them and planes that they strike");
}

enum carom_status carom_bind_solid(struct carom_bind *b, const struct carom_node *root)
{
    struct gathering g = {.bodies = carom_tree_find(root, "bodies")};
    if (g.bodies == NULL)
        return carom_value_wrong_key(&b->r, root,
                                     "bodies is missing: what there is, such as - solid: {box: ..., material: steel}");
    if (carom_value_list(&b->r, g.bodies) != CAROM_OK)
        return b->r.error->status;
    g.nsolids = count(g.bodies, "solid");
    g.nwalls = count(g.bodies, "plane");
    if (check_rows(b, g.bodies) != CAROM_OK)
        return b->r.error->status;
    if (g.nsolids == 0 || g.bodies->count != g.nsolids + count(g.bodies, NULL) + g.nwalls ||
        !is_entry(g.bodies->first, "solid"))
        return wrong_bodies(b, g.bodies);
    if (g.nsolids > CAROM_STRIKE_SOLIDS || g.nwalls > CAROM_STRIKE_WALLS)
        return carom_tree_error_key(b->r.tree, g.bodies, CAROM_E_REFUSED, b->r.error,
                                    "bodies: at most %d solids and %d planes so far, not %zu and %zu",
                                    CAROM_STRIKE_SOLIDS, CAROM_STRIKE_WALLS, g.nsolids, g.nwalls);
    const enum carom_status status = gather(b, root, &g);
    for (size_t i = 0; g.body != NULL && i < g.nsolids; i++) {
        carom_solid_free(g.body[i].solid);
        carom_memory_free_all(g.body[i].q, g.body[i].v);
    }
    carom_memory_free_all(g.body, g.wall, g.v);
    return status;
}
