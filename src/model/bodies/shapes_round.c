/* Round pieces, see shapes_round.h. What they must not do is come nearer than their radius to the other's line or
 * surface, and the distance of two convex sets is that of an end of a line from the other set, of a corner from a line,
 * or of two lines that pass each other. Each of these is a place: a true bound wherever the two stand, smooth, with a
 * key that stays. Kept are those in which the other's nearest point lies so that no other place is nearer. */
#include "model/bodies/shapes_round.h"

#include <string.h>

#include "base/quat.h"
#include "model/bodies/shapes_line.h"

/* Features: what meets what, and its number. */
enum {
    KIND = 1 << 16,
    FIRST_END = 0,  /* an end of a before all of b */
    SECOND_END = 1, /* of b before all of a */
    CORNER = 2,     /* of the convex one before the line of the round one */
    ACROSS = 3      /* two lines past each other: of an edge of the convex one, else number 0 */
};

static const double parallel = 1e-3; /* sine of an angle below which lines count as parallel, as in shapes_space.c */

/* Cosine by which a line may lean over a face and still count as nearest to the face's edge or corner: one that lies on
 * the face and beyond its edge leans by nothing but rounding, and the bound is true in any case. */
static const double lean = 0.05;

/* Part of a line by which an end of another is at its end: where both are, to rounding, it is always the first's that
 * counts. The direction between the two leans by as little. */
static const double at_end = 1e-9;

/* a piece as it stands, in axes of space from the centre of a */
struct stand {
    const struct carom_piece *piece;
    double frame[4], at[3], end[2][3];
};

uint32_t carom_shapes_round_ends(const struct carom_piece *piece)
{
    const double *a = piece->end[0], *b = piece->end[1];
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] ? 1 : 2;
}

static void stands_of(const struct carom_bodies *b, const struct carom_contact_key *key,
                      const struct carom_piece piece[2], const double *q, struct stand of[2])
{
    double apart[3], du[3];
    carom_meet_between(b, key->a, key->b, q, apart, du);
    for (int s = 0; s < 2; s++) {
        of[s].piece = &piece[s];
        carom_meet_frame(b, s ? key->b : key->a, q, of[s].frame);
        for (int k = 0; k < 3; k++)
            of[s].at[k] = s ? apart[k] + du[k] : 0.0;
        for (int e = 0; e < 2 && !piece[s].convex; e++) {
            carom_quat_turn(of[s].frame, piece[s].end[e], of[s].end[e]);
            for (int k = 0; k < 3; k++)
                of[s].end[e][k] += of[s].at[k];
        }
    }
}

static void place_of(const struct stand *x, const double own[3], double out[3])
{
    carom_quat_turn(x->frame, own, out);
    for (int k = 0; k < 3; k++)
        out[k] += x->at[k];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* part of the way from end to end at which a line is nearest to x, between 0 and 1 */
static double nearest_on(const double end[2][3], const double x[3], double at[3])
{
    double along[3], from[3];
    minus(end[1], end[0], along);
    minus(x, end[0], from);
    const double square = carom_vec_dot(along, along);
    const double part = square > 0.0 ? fmin(fmax(carom_vec_dot(from, along) / square, 0.0), 1.0) : 0.0;
    for (int k = 0; k < 3; k++)
        at[k] = end[0][k] + part * along[k];
    return part;
}

/* Where two lines pass each other: parts of their ways; false: not between the ends of both, or they are parallel. */
static bool pass(const double one[2][3], const double two[2][3], double near[2][3])
{
    double a[3], b[3], apart[3], across[3], beside[3];
    minus(one[1], one[0], a);
    minus(two[1], two[0], b);
    minus(two[0], one[0], apart);
    carom_vec_cross(a, b, across);
    const double square = carom_vec_dot(across, across);
    if (!(square > parallel * parallel * carom_vec_dot(a, a) * carom_vec_dot(b, b)))
        return false;
    carom_vec_cross(apart, b, beside);
    const double s = carom_vec_dot(beside, across) / square;
    carom_vec_cross(apart, a, beside);
    const double t = carom_vec_dot(beside, across) / square;
    for (int k = 0; k < 3; k++) {
        near[0][k] = one[0][k] + s * a[k];
        near[1][k] = two[0][k] + t * b[k];
    }
    return s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
}

static void edge_of(const struct stand *x, uint32_t edge, double end[2][3])
{
    for (int e = 0; e < 2; e++)
        place_of(x, x->piece->convex->corner[x->piece->convex->edge[edge].corner[e]], end[e]);
}

/* --- one place ---------------------------------------------------------------------------------------------------- */

/* The line of a round piece is `apart` from the place `there` of the other one, in the direction `towards`: they touch
 * halfway between two round ones, and on the surface of a convex one. */
static void join(const struct stand of[2], int round, const double there[3], const double towards[3], double apart,
                 struct carom_meeting *m)
{
    const double mine = of[round].piece->radius, other = of[!round].piece->convex ? 0.0 : of[!round].piece->radius;
    m->gap = apart - mine - other;
    const double ahead = of[!round].piece->convex ? 0.0 : other + 0.5 * m->gap;
    for (int k = 0; k < 3; k++) {
        const double point = there[k] + ahead * towards[k];
        m->normal[k] = round ? towards[k] : -towards[k];
        m->arm[0][k] = point - of[0].at[k];
        m->arm[1][k] = point - of[1].at[k];
    }
}

/* the same where the direction is that between the two places */
static void join_straight(const struct stand of[2], int round, const double here[3], const double there[3],
                          struct carom_meeting *m)
{
    double towards[3];
    minus(here, there, towards);
    const double length = carom_vec_norm(towards);
    for (int k = 0; k < 3; k++)
        towards[k] = length > 0.0 ? towards[k] / length : k == 0;
    join(of, round, there, towards, length, m);
}

static void meet_end(const struct stand of[2], int side, uint32_t end, struct carom_meeting *m)
{
    const struct stand *other = &of[!side];
    const double *here = of[side].end[end];
    double there[3], towards[3], from[3];
    if (!other->piece->convex) {
        nearest_on((const double(*)[3])other->end, here, there);
        join_straight(of, side, here, there, m);
        return;
    }
    minus(here, other->at, from);
    carom_quat_turn_back(other->frame, from, from);
    const double apart = carom_convex_apart(other->piece->convex, from, towards);
    carom_quat_turn(other->frame, towards, towards);
    for (int k = 0; k < 3; k++)
        there[k] = here[k] - apart * towards[k];
    join(of, side, there, towards, apart, m);
}

static void meet_place(const struct stand of[2], uint32_t feature, struct carom_meeting *m)
{
    const uint32_t kind = feature / KIND, number = feature % KIND;
    const int round = of[0].piece->convex != NULL; /* the side whose line it is */
    const double(*const line)[3] = (const double(*)[3])of[round].end;
    double near[2][3], edge[2][3];
    if (kind <= SECOND_END) {
        meet_end(of, (int)kind, number, m);
        return;
    }
    if (kind == CORNER) {
        place_of(&of[!round], of[!round].piece->convex->corner[number], near[1]);
        nearest_on(line, near[1], near[0]);
    } else {
        if (of[!round].piece->convex)
            edge_of(&of[!round], number, edge);
        else
            memcpy(edge, of[!round].end, sizeof edge);
        pass(line, (const double(*)[3])edge, near);
    }
    join_straight(of, round, near[0], near[1], m);
}

void carom_shapes_round_meet(const struct carom_bodies *b, const struct carom_contact_key *key,
                             const struct carom_piece piece[2], uint32_t feature, const double *q,
                             struct carom_meeting *out)
{
    struct stand of[2];
    if (feature >= CAROM_SHAPES_LINE) {
        carom_shapes_line_meet(b, key, piece, feature, q, out);
        return;
    }
    stands_of(b, key, piece, q, of);
    meet_place(of, feature, out);
}

bool carom_shapes_round_has(size_t dimension, const struct carom_piece piece[2], uint32_t feature)
{
    const uint32_t kind = feature / KIND, number = feature % KIND;
    const struct carom_convex *convex = piece[0].convex ? piece[0].convex : piece[1].convex;
    if (kind <= SECOND_END)
        return !piece[kind].convex && number < carom_shapes_round_ends(&piece[kind]);
    if (kind == CORNER)
        return convex && number < convex->ncorners;
    return kind == ACROSS && dimension == 3 && number < (convex ? convex->nedges : 1);
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

struct found {
    uint32_t *feature;
    size_t n;
    const struct stand *of;
    bool deep; /* one of them lies too deep to tell in which direction out is */
};

/* Kinds and numbers come in rising order. */
static void add(struct found *f, uint32_t kind, uint32_t number)
{
    struct carom_meeting m;
    const struct carom_piece *one = f->of[0].piece, *two = f->of[1].piece;
    const double round = one->convex ? two->radius : two->convex ? one->radius : fmin(one->radius, two->radius);
    meet_place(f->of, kind * KIND + number, &m);
    f->deep |= !(m.gap >= -0.5 * round);
    if (f->n < CAROM_SHAPES_MOST)
        f->feature[f->n++] = kind * KIND + number;
}

/* an end of one: well between the ends of the other's line, or nearest to one of its ends which is nearest to it */
static bool is_before(const struct stand *x, uint32_t end, const struct stand *y, bool mutual)
{
    double at[3], back[3];
    const double part = nearest_on((const double(*)[3])y->end, x->end[end], at);
    const bool point = carom_shapes_round_ends(y->piece) == 1;
    if (!point && part > at_end && part < 1.0 - at_end)
        return true;
    if (!mutual)
        return false;
    const double there = nearest_on((const double(*)[3])x->end, y->end[part > 0.5], back);
    return carom_shapes_round_ends(x->piece) == 1 || fabs(there - (double)end) <= at_end;
}

static void find_round(struct found *f, size_t dimension)
{
    const struct stand *of = f->of;
    double near[2][3];
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t end = 0; end < carom_shapes_round_ends(of[s].piece); end++)
            if (is_before(&of[s], end, &of[!s], s == 0))
                add(f, s ? SECOND_END : FIRST_END, end);
    if (!pass((const double(*)[3])of[0].end, (const double(*)[3])of[1].end, near))
        return;
    f->deep |= dimension == 2; /* they cross */
    if (dimension == 3)
        add(f, ACROSS, 0);
}

/* does `away`, from a corner or an edge to the line, lead into the direction `along` of a side that leaves it? */
static bool leans(const double away[3], const double along[3])
{
    return carom_vec_dot(away, along) > lean * carom_vec_norm(away) * carom_vec_norm(along);
}

/* is corner c nearer to the place `from` (own axes) than what lies around it? */
static bool corner_faces(const struct carom_convex *c, uint32_t corner, const double from[3], bool flat)
{
    double away[3], along[3];
    minus(from, c->corner[corner], away);
    for (uint32_t k = 0; k < 2 && flat; k++) {
        const uint32_t next = (corner + (k ? 1 : (uint32_t)c->ncorners - 1)) % (uint32_t)c->ncorners;
        minus(c->corner[next], c->corner[corner], along);
        if (leans(away, along))
            return false;
    }
    for (size_t e = 0; e < c->nedges && !flat; e++)
        for (int k = 0; k < 2; k++) {
            if (c->edge[e].corner[k] != corner)
                continue;
            minus(c->corner[c->edge[e].corner[!k]], c->corner[corner], along);
            if (leans(away, along))
                return false;
        }
    return true;
}

/* the same of an edge; `on`: its place nearest to `from` */
static bool edge_faces(const struct carom_convex *c, const struct carom_convex_edge *edge, const double on[3],
                       const double from[3])
{
    double away[3], along[3], in[3];
    minus(from, on, away);
    minus(c->corner[edge->corner[1]], c->corner[edge->corner[0]], along);
    for (int k = 0; k < 2; k++) {
        carom_vec_cross(c->face[edge->face[k]].normal, along, in); /* into the first face, out of the second */
        for (int d = 0; d < 3; d++)
            in[d] *= k ? -1.0 : 1.0;
        if (leans(away, in))
            return false;
    }
    return true;
}

/* Does a line run through the inside of the body? Its ends may both be outside, and no corner or edge be near. */
static bool runs_through(const struct carom_convex *c, const double line[2][3])
{
    double low = 0.0, high = 1.0;
    for (size_t i = 0; i < c->nfaces && low < high; i++) {
        const double out[2] = {carom_vec_dot(c->face[i].normal, line[0]) - c->face[i].room,
                               carom_vec_dot(c->face[i].normal, line[1]) - c->face[i].room};
        if (out[0] >= 0.0 && out[1] >= 0.0)
            return false;
        if (out[0] > 0.0)
            low = fmax(low, out[0] / (out[0] - out[1]));
        if (out[1] > 0.0)
            high = fmin(high, out[0] / (out[0] - out[1]));
    }
    return low < high;
}

static void find_convex(struct found *f, size_t dimension)
{
    const int round = f->of[0].piece->convex != NULL;
    const struct stand *x = &f->of[!round];
    const struct carom_convex *c = x->piece->convex;
    double line[2][3], at[3], near[2][3];
    for (uint32_t end = 0; end < carom_shapes_round_ends(f->of[round].piece); end++)
        add(f, round ? SECOND_END : FIRST_END, end);
    if (carom_shapes_round_ends(f->of[round].piece) == 1)
        return;
    for (int e = 0; e < 2; e++) { /* in the axes of the convex one */
        minus(f->of[round].end[e], x->at, at);
        carom_quat_turn_back(x->frame, at, line[e]);
    }
    f->deep |= runs_through(c, (const double(*)[3])line);
    for (uint32_t k = 0; k < c->ncorners; k++) {
        const double part = nearest_on((const double(*)[3])line, c->corner[k], at);
        if (part > 0.0 && part < 1.0 && corner_faces(c, k, at, dimension == 2))
            add(f, CORNER, k);
    }
    for (uint32_t e = 0; e < c->nedges; e++) {
        double edge[2][3];
        for (int k = 0; k < 2; k++)
            memcpy(edge[k], c->corner[c->edge[e].corner[k]], sizeof *edge);
        if (pass((const double(*)[3])line, (const double(*)[3])edge, near) &&
            edge_faces(c, &c->edge[e], near[1], near[0]))
            add(f, ACROSS, e);
    }
}

size_t carom_shapes_round_places(const struct carom_bodies *b, const struct carom_contact_key *pair,
                                 const struct carom_piece piece[2], const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST])
{
    struct stand of[2];
    struct found f = {.feature = feature, .of = of};
    stands_of(b, pair, piece, q, of);
    if (piece[0].convex || piece[1].convex)
        find_convex(&f, b->dimension);
    else
        find_round(&f, b->dimension);
    return f.deep ? SIZE_MAX : f.n;
}
