/* Bodies of plane or space as one mechanism, see linkage.h. */
#include "model/bodies/linkage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/linkage_see.h"
#include "model/bodies/meet.h"
#include "model/bodies/shapes_before.h"
#include "model/bodies/shapes_line.h"
#include "model/bodies/shapes_round.h"
#include "model/bodies/shapes_space.h"
#include "solve/dense.h"

/* --- what a mechanism tells -------------------------------------------------------------------------------------- */

static double distance(const void *own, size_t i, double t, const double *q)
{
    struct carom_linkage_seen seen;
    (void)t;
    carom_linkage_see(own, i, q, &seen);
    return seen.value;
}

static void tell_row(const struct carom_linkage *l, const struct carom_linkage_seen *seen, bool slips, double *slope,
                     double *drift)
{
    memset(slope, 0, carom_linkage_nv(l) * sizeof *slope);
    carom_linkage_see_spread(l, seen, slips, 1.0, slope);
    *drift = 0.0;
}

static void place(const void *own, size_t i, double t, const double *q, double *value, double *out, double *drift)
{
    struct carom_linkage_seen seen;
    (void)t;
    carom_linkage_see(own, i, q, &seen);
    tell_row(own, &seen, false, out, drift);
    *value = seen.value;
}

static void slope(const void *own, size_t i, double t, const double *q, double *out, double *drift)
{
    double value;
    place(own, i, t, q, &value, out, drift);
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *out, double *drift)
{
    struct carom_linkage_seen seen;
    (void)t;
    carom_linkage_see(own, i, q, &seen);
    tell_row(own, &seen, true, out, drift);
}

static double passage(const void *own, size_t i, size_t axis, const double *q, double *out)
{
    struct carom_linkage_seen seen;
    double drift;
    const double normal = carom_linkage_see_pass(own, i, axis, q, &seen);
    tell_row(own, &seen, true, out, &drift);
    return normal;
}

/* the inertia of a body whose moments differ, in the axes of space, at its place of m: symmetric to the last bit */
static void turn_inertia(const struct carom_linkage *l, size_t i, const double *q, size_t n, double *m)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const size_t body[2] = {CAROM_WORLD, i};
    double full[CAROM_LINKAGE_Q], frame[4], axis[3];
    carom_linkage_see_put(l, body, q, full);
    carom_meet_frame(l->bodies, i, full, frame);
    for (size_t k = 0; k < 9; k++)
        m[k / 3 * n + k % 3] = 0.0;
    for (size_t a = 0; a < 3; a++) {
        carom_quat_turn(frame, unit[a], axis);
        for (size_t k = 0; k < 9; k++)
            m[k / 3 * n + k % 3] += l->bodies->body[i].moments[a] * (axis[k / 3] * axis[k % 3]);
    }
}

static void mass(const void *own, const double *q, double *m)
{
    const struct carom_linkage *l = own;
    const size_t n = carom_linkage_nv(l), nv = carom_bodies_nv(l->bodies);
    memset(m, 0, n * n * sizeof *m);
    for (size_t i = 0; i < l->bodies->n; i++) {
        const struct carom_body *body = &l->bodies->body[i];
        const size_t first = nv * l->seat[i];
        if (l->seat[i] == SIZE_MAX)
            continue;
        for (size_t k = 0; k < nv; k++)
            m[(first + k) * n + first + k] = k < l->bodies->dimension ? body->mass : body->inertia;
        if (body->moments[0] > 0.0)
            turn_inertia(l, i, q, n, m + (first + 3) * n + first + 3);
    }
}

/* quaternions change by half of spin times quaternion */
static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_linkage *l = own;
    const size_t wide = carom_linkage_wide(l), nv = carom_bodies_nv(l->bodies);
    for (size_t i = 0; i < carom_linkage_count(l->bodies); i++) {
        const double *spin = v + i * nv + 3, half[4] = {0.0, 0.5 * spin[0], 0.5 * spin[1], 0.5 * spin[2]};
        memcpy(rate + i * wide, v + i * nv, 3 * sizeof *rate);
        carom_quat_product(half, q + i * wide + 3, rate + i * wide + 3);
    }
}

/* turns count by what they move surfaces; quaternions have half angles */
static double lever(const void *own, bool rate, size_t i)
{
    const struct carom_linkage *l = own;
    const size_t wide = rate ? carom_bodies_nv(l->bodies) : carom_linkage_wide(l);
    if (i % wide < l->bodies->dimension)
        return 1.0;
    const double reach = carom_bodies_reach(&l->bodies->body[l->mover[i / wide]]);
    return l->bodies->dimension == 3 && !rate ? 2.0 * reach : reach;
}

static double stored(const void *own, double t, const double *q)
{
    const struct carom_linkage *l = own;
    double sum = 0.0;
    (void)t;
    for (size_t i = 0; i < l->bodies->n; i++)
        for (size_t k = 0; l->seat[i] != SIZE_MAX && k < l->bodies->dimension; k++)
            sum -= l->bodies->body[i].mass * l->bodies->gravity[k] * q[carom_linkage_wide(l) * l->seat[i] + k];
    return sum;
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct carom_linkage *l = own;
    double f[CAROM_MECHANISM_WIDTH] = {0.0};
    carom_linkage_see_push(l, t, q, f);
    *dissipated = *work = 0.0;
    for (size_t k = 0; k < carom_linkage_nv(l); k++)
        *work += f[k] * v[k];
}

static void release(void *own)
{
    struct carom_linkage *l = own;
    carom_bodies_free(l->bodies);
    carom_memory_free_all(l->place, l);
}

/* --- which contacts there are ------------------------------------------------------------------------------------ */

size_t carom_linkage_count(const struct carom_bodies *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        n += !b->body[i].fixed;
    return n;
}

/* --- making one -------------------------------------------------------------------------------------------------- */

/* Has it next to no inertia about its long axis? In axes of space the sum of the three is rounded. */
static bool is_thread(const struct carom_body *body)
{
    return !body->fixed && body->inertia < 1e-14 * fmax(body->moments[0], body->moments[1]);
}

/* what a list of contacts that stays cannot have, or a mechanism */
static enum carom_status accept(const struct carom_bodies *b, struct carom_error *error)
{
    const size_t moving = carom_linkage_count(b);
    size_t changing = 0;
    const bool space = b->dimension == 3;
    const size_t most = CAROM_MECHANISM_WIDTH / carom_bodies_nv(b);
    const char *lacks = moving == 0 || moving > most
                            ? (space ? "1 to 5 bodies of space that move" : "1 to 10 bodies that move")
                        : b->n > CAROM_LINKAGE_BODIES                           ? "at most 64 bodies"
                        : b->periodic[0] || b->periodic[1] || b->periodic[2]    ? "sides that are not joined"
                        : b->outside != CAROM_OUTSIDE_KEEP                      ? "bodies that stay (outside: keep)"
                        : b->nrub[CAROM_ROLLS] > 0 || b->nrub[CAROM_TWISTS] > 0 ? "no resistance to rolling or twisting"
                                                                                : NULL;
    for (size_t i = 0; i < b->n; i++)
        if (b->body[i].lead >= 0 || (b->body[i].surface == CAROM_PLANE && !b->body[i].fixed))
            lacks = "walls that stand still";
    for (size_t i = 0; i < b->nloads; i++)
        changing += b->load[i].signal.shape > CAROM_SHAPE_CONSTANT;
    lacks = changing > 1 ? "at most one load that changes" : lacks;
    if (lacks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "schemes with a tolerance take bodies with joints, corners or friction as one mechanism "
                               "with %s; scheme moreau-jean of theory nonsmooth, with a step in place of tol, takes "
                               "others",
                               lacks);
    for (size_t i = 0; i < b->n; i++)
        if (is_thread(&b->body[i]))
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "body %zu: its moments of inertia are %.3g and %.3g, and this scheme cannot tell the smaller "
                "from none beside the larger; make the body thicker than 1e-7 of its length, or "
                "take scheme moreau-jean, with a step",
                i + 1, b->body[i].inertia, fmax(b->body[i].moments[0], b->body[i].moments[1]));
    for (size_t j = 0; j < b->njoints; j++)
        if (b->joint[j].motor == CAROM_MOTOR_SPEED)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "joint %zu: a motor that keeps its speed runs under scheme moreau-jean alone; here "
                                   "motors have a torque or force",
                                   j + 1);
    return CAROM_OK;
}

/* rows of joints, and that none of them says again what those before it say */
static enum carom_status hold(struct carom_linkage *l, const double *start, struct carom_error *error)
{
    const struct carom_bodies *b = l->bodies;
    const size_t n = carom_linkage_nv(l);
    double row[CAROM_LINKAGE_SQUARE], s[CAROM_LINKAGE_SQUARE];
    size_t bad = 0;
    for (size_t j = 0; j < b->njoints && bad == 0; j++)
        for (size_t k = 0; k < carom_joints_count(b->dimension, &b->joint[j]) && bad == 0; k++) {
            l->joint[l->nrows++] = j;
            bad = l->nrows > n ? l->nrows : 0;
        }
    if (bad == 0)
        carom_linkage_see_weigh(l, start, row, s);
    bad = bad == 0 ? carom_dense_cholesky(l->nrows, s, 1e-10) : bad; /* far above rounding, far below any lever */
    if (bad > 0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "joint %zu holds what those before it hold already, and this scheme needs joints that "
                               "do not; scheme moreau-jean takes them",
                               l->joint[bad - 1] + 1);
    return CAROM_OK;
}

static void make(const struct carom_linkage *l, struct carom_mechanism *out)
{
    const bool turns = l->bodies->dimension == 3;
    *out = (struct carom_mechanism){
        .name = "bodies",
        .n = carom_linkage_nv(l),
        .nq = turns ? carom_linkage_wide(l) * carom_linkage_count(l->bodies) : 0,
        .ndistances = l->nplaces,
        .njoints = l->nrows,
        .constant_mass = !turns,
        .mass = mass,
        .force = carom_linkage_see_force,
        .velocity_terms = true,
        .distance = distance,
        .slope = slope,
        .slip_slope = turns ? NULL : slip_slope,
        .passage = turns && l->bodies->frictional ? passage : NULL,
        .place = place,
        .joints = carom_linkage_see_rows,
        .stored = stored,
        .power = power,
        .still = true,
        .flow = turns ? flow : NULL,
        .move = turns ? carom_linkage_see_move : NULL,
        .pace = turns ? carom_linkage_see_pace : NULL,
        .lever = lever,
        .release = release,
    };
    for (size_t i = 0; i < l->bodies->nloads; i++)
        if (l->bodies->load[i].signal.shape > CAROM_SHAPE_CONSTANT)
            out->signal = &l->bodies->load[i].signal;
}

/* the linkage itself, with the start in its coordinates */
static enum carom_status open(struct carom_linkage *l, const double *q, const double *v, double *start, double *speed,
                              struct carom_error *error)
{
    const struct carom_bodies *b = l->bodies;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), wide = carom_linkage_wide(l);
    size_t n = 0;
    if (accept(b, error) != CAROM_OK)
        return error ? error->status : CAROM_E_REFUSED;
    for (size_t i = 0; i < b->n; i++) {
        l->seat[i] = b->body[i].fixed ? SIZE_MAX : n;
        if (b->body[i].fixed)
            continue;
        double moved[3];
        carom_bodies_moved(b, i, q, moved);
        memcpy(start + wide * n, moved, b->dimension * sizeof *start);
        memcpy(start + wide * n + b->dimension, q + i * nq + b->dimension, (wide - b->dimension) * sizeof *start);
        memcpy(speed + nv * n, v + i * nv, nv * sizeof *speed);
        l->mover[n++] = i;
    }
    const enum carom_status status = carom_linkage_places_find(l, error);
    return status == CAROM_OK ? hold(l, start, error) : status;
}

enum carom_status carom_linkage_add(struct carom_model *model, struct carom_bodies *bodies, bool corners,
                                    const double *q, const double *v, double *start, double *speed,
                                    struct carom_error *error)
{
    struct carom_linkage *l = carom_memory_zeroed(1, sizeof *l);
    if (!l) {
        carom_bodies_free(bodies);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for bodies with joints");
    }
    l->bodies = bodies;
    l->corners = corners;
    const enum carom_status status = open(l, q, v, start, speed, error);
    if (status != CAROM_OK) {
        release(l);
        return status;
    }
    struct carom_mechanism mechanism;
    make(l, &mechanism);
    mechanism.own = l;
    const struct carom_part *kind = mechanism.move ? &carom_part_mechanism_turning : &carom_part_mechanism;
    void *part = carom_mechanism_create(&mechanism, start, speed, error);
    if (!part)
        return error ? error->status : CAROM_E_INPUT;
    const enum carom_status added = carom_model_add(model, kind, part, error);
    return added == CAROM_OK ? carom_linkage_places_join(model, l, error) : added;
}

const struct carom_bodies *carom_linkage_of(const struct carom_model *model)
{
    const struct carom_mechanism *m = carom_mechanism_of(model);
    return m && m->mass == mass ? ((const struct carom_linkage *)m->own)->bodies : NULL;
}

const struct carom_bodies *carom_linkage_bodies(const struct carom_model *model)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    return bodies ? bodies : carom_linkage_of(model);
}

void carom_linkage_stand(const struct carom_model *model, const double *q, const double *v, double *all_q,
                         double *all_v)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const size_t nv = carom_bodies_nv(l->bodies);
    for (size_t i = 0; i < l->bodies->n; i++) {
        const size_t body[2] = {CAROM_WORLD, i};
        carom_linkage_see_put(l, body, q, all_q);
        memset(all_v + i * nv, 0, nv * sizeof *all_v);
        if (l->seat[i] != SIZE_MAX)
            memcpy(all_v + i * nv, v + nv * l->seat[i], nv * sizeof *all_v);
    }
}

/* contacts of the same two bodies stand together: which of them, from 0, and how many there are */
static size_t among_pair(const struct carom_linkage *l, size_t i, size_t *count)
{
    const struct carom_contact_key *key = &l->place[i].key;
    size_t which = 0;
    *count = 0;
    for (size_t j = 0; j < l->nplaces; j++) {
        if (l->place[j].joint != SIZE_MAX || l->place[j].key.a != key->a || l->place[j].key.b != key->b)
            continue;
        which += j < i;
        ++*count;
    }
    return which;
}

static bool is_container(const struct carom_body *body)
{
    return body->surface == CAROM_BOX && body->inside;
}

/* what the facet of a piece is called, and its number */
static void name_facet(const struct carom_piece *piece, uint32_t facet, char *text, size_t room)
{
    const struct carom_convex *c = piece->convex;
    const uint32_t faces = c ? (uint32_t)c->nfaces : 0, edges = c ? (uint32_t)c->nedges : 1;
    if (!c && facet == 1)
        snprintf(text, room, "%s", carom_shapes_round_ends(piece) > 1 ? "the side" : "the middle");
    else if (!c)
        snprintf(text, room, "end %u", facet - 1);
    else if (facet <= faces)
        snprintf(text, room, "%s %u", edges > 0 ? "face" : "side", facet);
    else if (facet <= faces + edges)
        snprintf(text, room, "edge %u", facet - faces);
    else
        snprintf(text, room, "corner %u", facet - faces - edges);
}

/* places that count only where the two are nearest; bodies are counted from 1 */
static void name_corner(const struct carom_bodies *b, const struct carom_contact_key *key, char *text, size_t room)
{
    const unsigned one = (unsigned)key->a + 1, two = (unsigned)key->b + 1;
    struct carom_piece piece[2];
    uint32_t number[2];
    char facet[32];
    const uint32_t feature = carom_shapes_place_at(key, number);
    const bool several[2] = {carom_shapes_pieces(&b->body[key->a]) > 1, carom_shapes_pieces(&b->body[key->b]) > 1};
    const int length = several[0] && several[1]
                           ? snprintf(text, room, "parts %u and %u, ", number[0] + 1, number[1] + 1)
                       : several[0] || several[1]
                           ? snprintf(text, room, "part %u of %u, ", number[several[1]] + 1, several[1] ? two : one)
                           : 0;
    text += length;
    room -= (size_t)length;
    if (carom_shapes_before_flat(b, key)) {
        const struct carom_shapes_corner c = carom_shapes_corner_of(feature);
        snprintf(text, room, "corner %u of %u at side %u", c.corner + 1, c.second ? two : one, c.side + 1);
        return;
    }
    carom_shapes_pieces_at(b, key, piece);
    const bool first = !piece[0].convex; /* the line is the first's */
    const struct carom_piece *line = &piece[!first], *other = &piece[first];
    if (piece[0].convex && piece[1].convex) {
        const struct carom_shapes_two at = carom_shapes_space_of(feature);
        if (at.kind == CAROM_SHAPES_EDGES)
            snprintf(text, room, "edge %u of %u at edge %u", at.one + 1, one, at.two + 1);
        else
            snprintf(text, room, "corner %u of %u at face %u", at.one + 1,
                     at.kind == CAROM_SHAPES_FIRST_CORNER ? one : two, at.two + 1);
        return;
    }
    const struct carom_shapes_line at = carom_shapes_line_of(feature);
    const unsigned mine = first ? one : two, others = first ? two : one;
    if (at.kind == CAROM_LINE_END) {
        name_facet(other, at.number, facet, sizeof facet);
        if (carom_shapes_round_ends(line) > 1)
            snprintf(text, room, "end %u of %u at %s", at.end + 1, mine, facet);
        else
            snprintf(text, room, "%s of %u", facet, others);
    } else if (at.kind == CAROM_LINE_EDGE && !other->convex) {
        snprintf(text, room, "sides that cross");
    } else {
        snprintf(text, room, "%s %u of %u at the side",
                 at.kind == CAROM_LINE_EDGE ? "edge"
                 : other->convex            ? "corner"
                                            : "end",
                 at.number + 1, others);
    }
}

/* of containers the wall is named by the way to it, and places are counted wall by wall */
void carom_linkage_name(const struct carom_model *model, size_t i, char *text, size_t room)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const struct carom_linkage_place *p = &l->place[i];
    const struct carom_bodies *b = l->bodies;
    if (p->joint != SIZE_MAX) {
        snprintf(text, room, "%s limit of joint %zu", p->sign < 0.0 ? "upper" : "lower", p->joint + 1);
        return;
    }
    if (p->corner) {
        const int length = snprintf(text, room, "bodies %u and %u, ", (unsigned)p->key.a + 1, (unsigned)p->key.b + 1);
        name_corner(b, &p->key, text + length, room - (size_t)length);
        return;
    }
    const bool walls = is_container(&b->body[p->key.a]) || is_container(&b->body[p->key.b]);
    const bool corners = carom_shapes_both(b, p->key.a, p->key.b);
    size_t count, which = among_pair(l, i, &count);
    const size_t each = walls && count >= 2 * b->dimension ? count / (2 * b->dimension) : count, wall = which / each;
    int length = snprintf(text, room, "bodies %u and %u", (unsigned)p->key.a + 1, (unsigned)p->key.b + 1);
    if (each < count)
        length += snprintf(text + length, room - (size_t)length, ", wall %c%c", wall % 2 ? '+' : '-', "xyz"[wall / 2]);
    if (each == count || each > 1)
        snprintf(text + length, room - (size_t)length, ", %s %zu", corners ? "corner" : "place", which % each + 1);
}
