/* Contacts of bodies that are one mechanism, see linkage_places.h. */
#include "model/bodies/linkage_places.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/quat.h"
#include "carom/law.h"
#include "model/bodies/facets.h"
#include "model/bodies/joints.h"
#include "model/bodies/linkage_see.h"
#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/bodies/shapes.h"
#include "model/bodies/shapes_before.h"

enum { PLACES = 1200 }; /* with corners before sides, at most */

/* false: out of memory */
static bool add_place(struct carom_linkage *l, const struct carom_linkage_place *place)
{
    if (!carom_memory_widen(&l->place, l->nplaces, l->nplaces + 1, sizeof *l->place))
        return false;
    l->place[l->nplaces++] = *place;
    return true;
}

static enum carom_status add_contacts(struct carom_linkage *l, const struct carom_contact_key *pair, bool corner,
                                      const uint32_t *feature, size_t n, struct carom_error *error)
{
    for (size_t k = 0; k < n; k++) {
        const struct carom_linkage_place place = {
            {pair->pairing, pair->a, pair->b, feature[k]}, SIZE_MAX, 1.0, 1.0, corner};
        if (!add_place(l, &place))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for contacts of bodies");
    }
    return CAROM_OK;
}

static bool is_wall(const struct carom_body *body)
{
    return body->surface == CAROM_PLANE || (body->surface == CAROM_BOX && body->inside);
}

/* every corner of each before every side of the other, and what else may be nearest */
static enum carom_status add_sides(struct carom_linkage *l, const struct carom_contact_key *pair,
                                   struct carom_error *error)
{
    uint32_t feature[CAROM_SHAPES_MOST];
    const size_t n = carom_shapes_before_list(l->bodies, pair, feature);
    if (n == SIZE_MAX || l->nplaces + n > PLACES)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "bodies %u and %u: with them there are more than %d places where corners, sides and edges "
            "may meet, and this scheme takes no more; scheme moreau-jean does, and `meet: false` in "
            "contacts, `between` two, lets them pass",
            (unsigned)pair->a + 1, (unsigned)pair->b + 1, PLACES);
    return add_contacts(l, pair, true, feature, n, error);
}

/* bodies that do not meet here */
static enum carom_status refuse(const struct carom_linkage *l, const struct carom_contact_key *pair,
                                struct carom_error *error)
{
    const bool plane = l->bodies->dimension == 2;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "bodies %u and %u: here boxes and %s meet planes, box-shaped containers and %s, not each "
                           "other, and capsules and compounds only the first two; %s%sscheme moreau-jean lets all of "
                           "them meet, and `meet: false` in contacts, `between` two, lets them pass",
                           (unsigned)pair->a + 1, (unsigned)pair->b + 1, plane ? "polygons" : "polyhedra",
                           plane ? "discs" : "spheres",
                           carom_shapes_before_has(l->bodies, pair) ? "scheme event lets these two meet; " : "",
                           l->bodies->body[pair->a].fixed || l->bodies->body[pair->b].fixed
                               ? "a fixed one that others meet with one side alone can be a plane through that side, "
                                 "`plane: {at, normal}`; "
                               : "");
}

/* every corner before the plane, or before each wall of the container */
static enum carom_status add_corners(struct carom_linkage *l, const struct carom_contact_key *pair,
                                     struct carom_error *error)
{
    const struct carom_body *a = &l->bodies->body[pair->a], *b = &l->bodies->body[pair->b];
    const uint32_t walls = (is_wall(a) ? a : b)->surface == CAROM_PLANE ? 1 : 2 * (uint32_t)l->bodies->dimension;
    uint32_t feature[CAROM_SHAPES_MOST];
    if (l->corners && carom_shapes_before_has(l->bodies, pair))
        return add_sides(l, pair, error);
    if (!is_wall(a) && !is_wall(b))
        return refuse(l, pair, error);
    for (uint32_t w = 0; w < walls; w++) {
        const struct carom_contact_key wall = {pair->pairing, pair->a, pair->b, w};
        const size_t n = carom_shapes_places(l->bodies, &wall, NULL, feature);
        if (add_contacts(l, pair, false, feature, n, error) != CAROM_OK)
            return CAROM_E_MEMORY;
    }
    return CAROM_OK;
}

static enum carom_status add_pair(struct carom_linkage *l, size_t i, size_t j, struct carom_error *error)
{
    static const uint32_t every[6] = {0, 1, 2, 3, 4, 5}; /* walls of a container */
    const struct carom_bodies *b = l->bodies;
    const uint32_t pairing = b->meets[b->body[i].material * b->nmaterials + b->body[j].material];
    const struct carom_contact_key pair = {pairing, (uint32_t)i, (uint32_t)j, 0};
    if (pairing == CAROM_UNPAIRED || carom_joints_join(b, i, j) || (l->seat[i] == SIZE_MAX && l->seat[j] == SIZE_MAX))
        return CAROM_OK;
    if (carom_shapes_both(b, i, j))
        return add_corners(l, &pair, error);
    const size_t features = carom_meet_features(&b->body[i], &b->body[j]);
    return add_contacts(l, &pair, false, every, b->dimension == 2 && features > 4 ? 4 : features, error);
}

static enum carom_status add_limits(struct carom_linkage *l, size_t j, struct carom_error *error)
{
    for (int side = 0; side < 2 && l->bodies->joint[j].limited; side++)
        if (!add_place(l, &(struct carom_linkage_place){
                              .joint = j, .sign = side ? -1.0 : 1.0, .lever = l->bodies->joint[j].lever}))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for limits of joints");
    return CAROM_OK;
}

enum carom_status carom_linkage_places_find(struct carom_linkage *l, struct carom_error *error)
{
    for (size_t i = 0; i < l->bodies->n; i++)
        for (size_t j = i + 1; j < l->bodies->n; j++)
            if (add_pair(l, i, j, error) != CAROM_OK)
                return error ? error->status : CAROM_E_REFUSED;
    for (size_t j = 0; j < l->bodies->njoints; j++)
        if (add_limits(l, j, error) != CAROM_OK)
            return CAROM_E_MEMORY;
    return CAROM_OK;
}

/* the columns of the rigid law, contact after contact */
enum carom_status carom_linkage_places_join(struct carom_model *model, const struct carom_linkage *l,
                                            struct carom_error *error)
{
    const size_t n = l->nplaces;
    double *room = carom_memory_zeroed((CAROM_RIGID_COLUMNS + 1) * n, sizeof *room);
    int32_t(*pair)[2] = carom_memory_zeroed(n, sizeof *pair);
    const double *column[CAROM_RIGID_COLUMNS];
    enum carom_status status = room && pair ? CAROM_OK : carom_memory_error(error);
    for (size_t c = 0; c < CAROM_RIGID_COLUMNS && status == CAROM_OK; c++) {
        column[c] = room + (c + 1) * n;
        for (size_t i = 0; i < n; i++)
            room[(c + 1) * n + i] = l->place[i].joint == SIZE_MAX ? carom_list_param(l->bodies, &l->place[i].key, c)
                                    : c == CAROM_RIGID_E          ? l->bodies->joint[l->place[i].joint].e
                                                                  : carom_law_rigid.kind.params[c].standard;
    }
    for (size_t i = 0; i < n && status == CAROM_OK; i++) {
        pair[i][0] = CAROM_WALL_LEFT;
        pair[i][1] = (int32_t)i;
    }
    if (status == CAROM_OK)
        status =
            carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, n, (const int32_t(*)[2])pair, room, column, error);
    carom_memory_free_all(room, pair);
    return status;
}

bool carom_linkage_places_corners(const struct carom_model *model)
{
    const struct carom_linkage *l = carom_linkage_of(model) ? carom_mechanism_of(model)->own : NULL;
    bool any = false;
    for (size_t i = 0; l && i < l->nplaces; i++)
        any |= l->place[i].corner;
    return any;
}

static double swift_of(const struct carom_linkage *l, size_t j, const double *v);

bool carom_linkage_places_before(const struct carom_model *model, size_t j, const double *q, const double *v,
                                 struct carom_linkage_before *out)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const struct carom_contact_key *key = &l->place[j].key;
    const size_t body[2] = {key->a, key->b};
    double full[CAROM_LINKAGE_Q];
    struct carom_shapes_before before;
    if (!l->place[j].corner)
        return false;
    const bool flat = carom_shapes_before_flat(l->bodies, key);
    carom_linkage_see_put(l, body, q, full);
    carom_shapes_before(l->bodies, key, full, &before);
    *out = (struct carom_linkage_before){.beyond = before.beyond,
                                         .through = before.through,
                                         .pace = before.pace,
                                         .rate = v && !flat ? swift_of(l, j, v) : 0.0};
    for (int s = 0; s < 2 && v && flat; s++)
        for (size_t k = 0; l->seat[body[s]] != SIZE_MAX && k < 3; k++)
            out->rate += before.row[s][k] * v[3 * l->seat[body[s]] + k];
    return true;
}

bool carom_linkage_places_two(const struct carom_model *model, size_t j, size_t body[2], uint32_t part[2])
{
    const struct carom_linkage_place *p = &((const struct carom_linkage *)carom_mechanism_of(model)->own)->place[j];
    body[0] = p->key.a;
    body[1] = p->key.b;
    carom_shapes_place_at(&p->key, part);
    return p->corner;
}

bool carom_linkage_places_at(const struct carom_model *model, size_t j, const double *q, double at[3], double normal[3])
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    double full[CAROM_LINKAGE_Q];
    struct carom_meeting m;
    size_t body[2];
    uint32_t part[2];
    if (!carom_linkage_places_two(model, j, body, part))
        return false;
    carom_linkage_see_put(l, body, q, full);
    carom_meet(l->bodies, &l->place[j].key, full, &m);
    for (int k = 0; k < 3; k++) {
        at[k] = m.arm[0][k];
        normal[k] = m.normal[k];
    }
    return true;
}

/* --- facets ------------------------------------------------------------------------------------------------------- */

static const struct carom_linkage *linkage_of(const struct carom_model *model)
{
    return carom_linkage_of(model) ? carom_mechanism_of(model)->own : NULL;
}

/* the wall whose facets a ball meets in contact j; NULL: none */
static const struct carom_body *wall_of(const struct carom_linkage *l, size_t j, bool *second)
{
    const struct carom_contact_key *key = &l->place[j].key;
    const struct carom_body *a = &l->bodies->body[key->a], *b = &l->bodies->body[key->b];
    *second = carom_bodies_round(a);
    if (l->place[j].joint != SIZE_MAX || carom_bodies_round(a) == carom_bodies_round(b) ||
        !carom_facets_has(*second ? b : a))
        return NULL;
    return *second ? b : a;
}

/* where the centre of the ball of contact j is, in the axes of the wall */
static const struct carom_body *ball_before(const struct carom_linkage *l, size_t j, const double *q, double x[3])
{
    const struct carom_contact_key *key = &l->place[j].key;
    const size_t body[2] = {key->a, key->b};
    double full[CAROM_LINKAGE_Q], du[3], frame[4];
    bool second;
    const struct carom_body *wall = wall_of(l, j, &second);
    if (!wall)
        return NULL;
    carom_linkage_see_put(l, body, q, full);
    carom_meet_between(l->bodies, body[second], body[!second], full, x, du);
    carom_meet_frame(l->bodies, body[second], full, frame);
    for (int k = 0; k < 3; k++)
        x[k] += du[k];
    carom_quat_turn_back(frame, x, x);
    return wall;
}

bool carom_linkage_places_facets(const struct carom_model *model)
{
    const struct carom_linkage *l = linkage_of(model);
    bool any = false, second;
    for (size_t i = 0; l && i < l->nplaces; i++)
        any |= wall_of(l, i, &second) != NULL;
    return any;
}

uint32_t carom_linkage_places_facet(const struct carom_model *model, size_t j, const double *q)
{
    const struct carom_linkage *l = linkage_of(model);
    double x[3];
    const struct carom_body *wall = ball_before(l, j, q, x);
    return wall ? carom_facets_of(wall, l->bodies->dimension, x) : 0;
}

double carom_linkage_places_left(const struct carom_model *model, size_t j, uint32_t facet, const double *q)
{
    const struct carom_linkage *l = linkage_of(model);
    double x[3];
    const struct carom_body *wall = ball_before(l, j, q, x);
    return wall && facet > 0 ? carom_facets_left(wall, l->bodies->dimension, facet, x) : HUGE_VAL;
}

void carom_linkage_places_view(const struct carom_model *model, struct carom_linkage_view *view)
{
    view->model = *model;
    view->member = model->member[0];
    view->mechanism = *carom_mechanism_of(model);
    view->linkage = *(const struct carom_linkage *)view->mechanism.own;
    view->model.member = &view->member;
    view->member.own = &view->mechanism;
    view->mechanism.own = &view->linkage;
}

void carom_linkage_places_keep(struct carom_linkage_view *view, const uint32_t *facet)
{
    view->linkage.kept = facet;
}

/* --- how large and fast ------------------------------------------------------------------------------------------- */

double carom_linkage_places_thin(const struct carom_model *model)
{
    const struct carom_bodies *b = carom_linkage_of(model);
    const struct carom_linkage *l = b ? carom_mechanism_of(model)->own : NULL;
    double thin = HUGE_VAL;
    for (size_t i = 0; b && i < l->nplaces; i++) {
        const struct carom_contact_key *key = &l->place[i].key;
        if (l->place[i].joint != SIZE_MAX)
            continue;
        const double one = carom_shapes_thickness(&b->body[key->a]), two = carom_shapes_thickness(&b->body[key->b]);
        thin = fmax(one, two) < HUGE_VAL ? fmin(thin, fmin(one, two)) : thin;
    }
    return thin;
}

/* how fast the surface of body i moves at most */
static double fastest_of(const struct carom_linkage *l, size_t i, const double *v)
{
    const struct carom_bodies *b = l->bodies;
    double part[2] = {0.0, 0.0}; /* squares of velocity and spin */
    if (l->seat[i] == SIZE_MAX)
        return 0.0;
    for (size_t k = 0; k < carom_bodies_nv(b); k++) {
        const double rate = v[carom_bodies_nv(b) * l->seat[i] + k];
        part[k >= b->dimension] += rate * rate;
    }
    return sqrt(part[0]) + sqrt(part[1]) * carom_bodies_reach(&b->body[i]);
}

double carom_linkage_places_fastest(const struct carom_model *model, const double *v)
{
    const struct carom_bodies *b = carom_linkage_of(model);
    double most = 0.0;
    for (size_t i = 0; b && i < b->n; i++)
        most = fmax(most, fastest_of(carom_mechanism_of(model)->own, i, v));
    return most;
}

double carom_linkage_places_spin(const struct carom_model *model, const double *v)
{
    const struct carom_bodies *b = carom_linkage_of(model);
    const size_t n = b ? carom_linkage_count(b) : 0, nv = b ? carom_bodies_nv(b) : 0;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double square = 0.0;
        for (size_t k = b->dimension; k < nv; k++)
            square += v[nv * i + k] * v[nv * i + k];
        most = fmax(most, sqrt(square));
    }
    return most;
}

static double swift_of(const struct carom_linkage *l, size_t j, const double *v)
{
    return fastest_of(l, l->place[j].key.a, v) + fastest_of(l, l->place[j].key.b, v);
}

double carom_linkage_places_swift(const struct carom_model *model, size_t j, const double *v)
{
    const struct carom_linkage *l = carom_linkage_of(model) ? carom_mechanism_of(model)->own : NULL;
    if (!l || l->place[j].joint != SIZE_MAX)
        return HUGE_VAL;
    return swift_of(l, j, v);
}
