/* Cells are convex and rigid, so what is inside one of them is told without doubt: a point that is behind all of its
 * faces. Faces that can be met are those without a link, or with one that is broken. Each is felt in the middles of its
 * pieces; where such a point is in another cell it has a depth d, that to the nearest face there that can be met, and
 * the energy k/2 A d^2, A half of the area of the piece (the other body feels the other half), 1 / k the compliance of
 * both halves of cells, as in a link. The force acts in the point, on both cells, along the normal of the face: that is
 * the slope of the energy, since the face is fixed in its cell, and momentum and angular momentum are kept. Where faces
 * of a broken link lie on each other they are as stiff as the link was across its face.
 *
 * Nothing is remembered: cells that have such faces go into bins by their centres, and each then looks around for
 * itself. It works out what the others' points do in it too, so that no cell writes on another and threads change no
 * bit. */
#include "model/solid/solid_self.h"

#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_fracture.h"

enum { BLOCKS = 64 };

void carom_solid_self_free(struct carom_solid_self *self)
{
    if (!self)
        return;
    carom_memory_free_all(self->begin, self->face, self->point, self->reach, self->ease, self);
}

enum carom_status carom_solid_self(struct carom_solid *s, bool pieces, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    s->self = carom_memory_zeroed(1, sizeof *s->self);
    if (s->self)
        s->self->pieces = pieces && s->breaks;
    return s->self && carom_solid_self_build(s, s->self)
               ? CAROM_OK
               : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
}

/* --- who is near -------------------------------------------------------------------------------------------------- */

/* cells that can be met, by the slots of their bins; in one slot by rising number */
struct around {
    const struct carom_solid *s;
    const double *q;
    uint32_t *begin, *cell, *slot; /* slots + 1, n, n */
    uint8_t *broken;               /* n: has it lost a link? */
    double (*at)[3];               /* n: where those of `cell` are, in their order */
    size_t count;
};

size_t carom_solid_self_room(const struct carom_solid *s)
{
    const size_t numbers = s->self ? s->self->slots + 1 + 2 * s->n + s->n / 4 + 1 : 0; /* of 32 bits */
    return numbers / 4 * 2 + (s->self ? 2 + 3 * s->n + s->n % 2 : 0);
}

static bool can_be_met(const struct carom_solid *s, const double *q, const struct carom_self_face *face)
{
    return face->link == CAROM_SELF_FREE || (s->breaks && carom_solid_fracture_damage(s, q)[face->link] == 1.0);
}

/* is there a face that can be met: one without a link, which come first, or (broken) one with? */
static bool has_faces(const struct carom_solid *s, const double *q, size_t cell, uint8_t *broken)
{
    const size_t first = s->self->begin[cell], last = s->self->begin[cell + 1];
    *broken = 0;
    for (size_t f = first; s->breaks && f < last && !*broken; f++)
        *broken = s->self->face[f].link != CAROM_SELF_FREE && can_be_met(s, q, &s->self->face[f]);
    return *broken || (first < last && s->self->face[first].link == CAROM_SELF_FREE);
}

static void centre_of(const struct carom_solid *s, const double *q, size_t cell, double out[3])
{
    out[2] = 0.0;
    for (int k = 0; k < s->dimension; k++)
        out[k] = s->centre[cell][k] + q[s->wide * cell + (size_t)k];
}

/* Beyond 2^52 bins from the origin all are one: such a place is lost anyway. */
static void bin_of(const struct carom_solid *s, const double at[3], int64_t bin[3])
{
    for (int k = 0; k < 3; k++) {
        const double x = floor(at[k] / s->self->wide);
        bin[k] = fabs(x) < 4503599627370496.0 ? (int64_t)x : 0;
    }
}

/* large odd numbers spread bins in a row over the slots */
static size_t slot_of(const struct carom_solid *s, const int64_t bin[3])
{
    const uint64_t mixed = (uint64_t)bin[0] * UINT64_C(0x9E3779B97F4A7C15) +
                           (uint64_t)bin[1] * UINT64_C(0xC2B2AE3D27D4EB4F) +
                           (uint64_t)bin[2] * UINT64_C(0x165667B19E3779F9);
    return (size_t)((mixed ^ mixed >> 29) & (s->self->slots - 1));
}

static size_t slot_of_cell(const struct carom_solid *s, const double *q, size_t cell)
{
    double at[3];
    int64_t bin[3];
    centre_of(s, q, cell, at);
    bin_of(s, at, bin);
    return slot_of(s, bin);
}

bool carom_solid_self_is_whole(const struct carom_solid *s, const double *q)
{
    const double *damage = s->breaks ? carom_solid_fracture_damage(s, q) : NULL;
    for (size_t l = 0; damage && l < s->nlinks && s->self->pieces; l++)
        if (damage[l] == 1.0)
            return false;
    return s->self->pieces;
}

static struct around look_around(const struct carom_solid *s, const double *q, double *room)
{
    const size_t slots = carom_solid_self_is_whole(s, q) ? 0 : s->self->slots;
    struct around a = {.s = s, .q = q, .at = (double(*)[3])room};
    a.begin = (uint32_t *)(a.at + s->n);
    a.cell = a.begin + slots + 1;
    a.slot = a.cell + s->n;
    a.broken = (uint8_t *)(a.slot + s->n);
    memset(a.begin, 0, (slots + 1) * sizeof *a.begin);
    for (size_t i = 0; i < s->n && slots > 0; i++) {
        a.slot[i] = has_faces(s, q, i, &a.broken[i]) ? (uint32_t)slot_of_cell(s, q, i) : UINT32_MAX;
        if (a.slot[i] != UINT32_MAX)
            a.begin[a.slot[i]]++;
    }
    for (size_t i = 1; i <= slots; i++)
        a.begin[i] += a.begin[i - 1];
    for (size_t i = slots > 0 ? s->n : 0; i-- > 0;) /* downwards: slots are filled from their ends */
        if (a.slot[i] != UINT32_MAX)
            a.cell[--a.begin[a.slot[i]]] = (uint32_t)i;
    a.count = a.begin[slots];
    for (size_t i = 0; i < a.count; i++)
        centre_of(s, q, a.cell[i], a.at[i]);
    return a;
}

/* is there a whole link between two cells? */
static bool are_joined(const struct carom_solid *s, const double *q, size_t a, size_t b)
{
    for (size_t f = s->self->begin[a]; f < s->self->begin[a + 1]; f++) {
        const struct carom_self_face *face = &s->self->face[f];
        if (face->link != CAROM_SELF_FREE && !can_be_met(s, q, face) &&
            (s->link[face->link].cell[0] == b || s->link[face->link].cell[1] == b))
            return true;
    }
    return false;
}

/* Neighbours from the start that nothing has parted, and that have hardly moved against each other, do not meet:
 * a twentieth of what their spheres need for that is far less than middles of pieces are from the borders of faces. */
#define HARDLY 0.05

static bool may_meet(const struct around *a, size_t i, size_t j, double far)
{
    const struct carom_solid *s = a->s;
    double square = 0.0, apart = 0.0;
    for (size_t k = 0; k < (size_t)s->dimension; k++) {
        const double u = a->q[s->wide * i + k] - a->q[s->wide * j + k], x = s->centre[i][k] - s->centre[j][k];
        square += u * u;
        apart += x * x;
    }
    return (a->broken[i] || a->broken[j] || square > HARDLY * far * (HARDLY * far) || apart > far * far) &&
           !are_joined(s, a->q, i, j);
}

/* --- what meets --------------------------------------------------------------------------------------------------- */

static struct carom_self_cell cell_of(const struct carom_solid *s, const double *q, size_t number)
{
    struct carom_self_cell c = {.number = number};
    centre_of(s, q, number, c.at);
    carom_solid_quaternion(s, q, number, c.turn);
    return c;
}

/* Faces count as opposed, or as looking the same way, within 60 degrees. */
#define OPPOSED 0.5

/* Is a place outside of cell b? Then some face has it in front: `told`, if that is so again, is looked at first. */
static bool is_outside(const struct carom_solid_self *self, size_t b, const double away[3], size_t *told)
{
    if (!(self->face[*told].offset - carom_vec_dot(self->face[*told].normal, away) > 0.0))
        return true;
    for (size_t f = self->begin[b]; f < self->begin[b + 1]; f++)
        if (!(self->face[f].offset - carom_vec_dot(self->face[f].normal, away) > 0.0)) {
            *told = f;
            return true;
        }
    return false;
}

/* The face of cell b through which a place inside it would leave it soonest, NULL: none that counts. The place is that
 * of a face with this normal, as b sees it. Only what has come in counts: through a face that looks back at it, no
 * farther than to the centre of the cell, or through another one, unless that is one of the same surface, or a face is
 * nearer that cannot be met: then it stands on the border of two cells that hold together. */
static const struct carom_self_face *enters(const struct around *a, size_t b, const double away[3],
                                            const double normal[3], double *depth)
{
    const struct carom_solid_self *self = a->s->self;
    const struct carom_self_face *best = NULL;
    double hidden = HUGE_VAL;
    for (size_t f = self->begin[b]; f < self->begin[b + 1]; f++) {
        const struct carom_self_face *face = &self->face[f];
        const double behind = face->offset - carom_vec_dot(face->normal, away);
        if (!can_be_met(a->s, a->q, face)) {
            hidden = fmin(hidden, behind);
        } else if ((!best || behind < *depth) && behind < face->deep && carom_vec_dot(face->normal, normal) < OPPOSED) {
            best = face;
            *depth = behind;
        }
    }
    return best && (carom_vec_dot(best->normal, normal) < -OPPOSED || *depth < hidden) ? best : NULL;
}

static const struct carom_self_face *is_behind(const struct carom_self_face *face, const double away[3], double *depth)
{
    *depth = face->offset - carom_vec_dot(face->normal, away);
    return *depth > 0.0 && *depth < face->deep ? face : NULL;
}

typedef void take_touch(void *own, const struct carom_self_touch *touch);

/* `only`: the face of b that can be met, NULL: any; `told`: a face of b, the one that had the last point in front */
static void sink_point(const struct around *around, const struct carom_self_cell *a, const struct carom_self_cell *b,
                       const struct carom_self_face *face, const struct carom_self_face *only,
                       const struct carom_self_point *point, size_t *told, take_touch *take, void *own)
{
    struct carom_self_touch touch;
    double away[3], normal[3];
    carom_quat_turn(a->turn, point->arm, touch.at);
    for (int k = 0; k < 3; k++) {
        touch.at[k] += a->at[k];
        away[k] = touch.at[k] - b->at[k];
    }
    carom_quat_turn_back(b->turn, away, away);
    if (!only && is_outside(around->s->self, b->number, away, told))
        return;
    carom_quat_turn(a->turn, face->normal, normal);
    carom_quat_turn_back(b->turn, normal, normal);
    const struct carom_self_face *into =
        only ? is_behind(only, away, &touch.depth) : enters(around, b->number, away, normal, &touch.depth);
    if (!into)
        return;
    carom_quat_turn(b->turn, into->normal, touch.normal);
    touch.area = 0.5 * point->area;
    touch.stiff = touch.area / (face->soft + into->soft);
    take(own, &touch);
}

/* points of cell a in cell b: those near its centre, as a sees it, are looked at */
static void sink(const struct around *around, const struct carom_self_cell *a, const struct carom_self_cell *b,
                 take_touch *take, void *own)
{
    const struct carom_solid_self *self = around->s->self;
    const double reach = self->reach[b->number];
    double centre[3];
    size_t told = self->begin[b->number];
    for (int k = 0; k < 3; k++)
        centre[k] = b->at[k] - a->at[k];
    carom_quat_turn_back(a->turn, centre, centre);
    for (size_t f = self->begin[a->number]; f < self->begin[a->number + 1]; f++) {
        const struct carom_self_face *face = &self->face[f];
        if (!can_be_met(around->s, around->q, face) ||
            !(fabs(carom_vec_dot(face->normal, centre) - face->offset) < reach))
            continue;
        for (uint32_t i = 0; i < face->count; i++) {
            const struct carom_self_point *point = &self->point[face->first + i];
            double away[3];
            for (int k = 0; k < 3; k++)
                away[k] = point->arm[k] - centre[k];
            if (carom_vec_dot(away, away) < reach * reach)
                sink_point(around, a, b, face, NULL, point, &told, take, own);
        }
    }
}

/* A pair of cells whose spheres overlap, and that no link joins. */
typedef void take_pair(void *own, const struct carom_self_cell *a, const struct carom_self_cell *b);

static void pairs_of(const struct around *around, size_t number, take_pair *take, void *own)
{
    const struct carom_solid *s = around->s;
    const int up = s->dimension == 3 ? 1 : 0;
    const struct carom_self_cell a = cell_of(s, around->q, number);
    int64_t bin[3], beside[3], its[3];
    bin_of(s, a.at, bin);
    for (int z = -up; z <= up; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                beside[0] = bin[0] + x;
                beside[1] = bin[1] + y;
                beside[2] = bin[2] + z;
                const size_t slot = slot_of(s, beside);
                for (size_t i = around->begin[slot]; i < around->begin[slot + 1]; i++) {
                    const size_t other = around->cell[i];
                    const double *at = around->at[i];
                    double square = 0.0;
                    for (int k = 0; k < 3; k++)
                        square += (at[k] - a.at[k]) * (at[k] - a.at[k]);
                    const double far = s->self->reach[number] + s->self->reach[other];
                    if (other == number || !(square < far * far))
                        continue;
                    bin_of(s, at, its); /* bins share slots */
                    if (its[0] != beside[0] || its[1] != beside[1] || its[2] != beside[2] ||
                        !may_meet(around, number, other, far))
                        continue;
                    const struct carom_self_cell b = cell_of(s, around->q, other);
                    take(own, &a, &b);
                }
            }
}

/* --- as forces and energy ----------------------------------------------------------------------------------- */

struct telling {
    const struct around *around;
    const struct carom_self_cell *on, *by;
    double sign;
    carom_self_take *take;
    void *own;
    const uint8_t *marked; /* NULL: all cells are asked */
};

static void tell(void *own, const struct carom_self_touch *touch)
{
    const struct telling *t = own;
    t->take(t->own, touch, t->on, t->by, t->sign);
}

static void tell_pair(void *own, const struct carom_self_cell *a, const struct carom_self_cell *b)
{
    struct telling *t = own;
    t->on = a;
    t->by = b;
    t->sign = 1.0;
    sink(t->around, a, b, tell, t);
    t->sign = -1.0;
    sink(t->around, b, a, tell, t);
}

static void tell_block(void *own, size_t block)
{
    struct telling t = *(const struct telling *)own;
    const size_t count = t.around->count;
    for (size_t i = count * block / BLOCKS; i < count * (block + 1) / BLOCKS; i++)
        if (!t.marked || t.marked[t.around->cell[i]])
            pairs_of(t.around, t.around->cell[i], tell_pair, &t);
}

static void tell_each(const struct carom_solid *s, double *room, struct carom_threads *threads, const double *q,
                      const uint8_t *marked, carom_self_take *take, void *own)
{
    const struct around around = look_around(s, q, room);
    struct telling telling = {.around = &around, .take = take, .own = own, .marked = marked};
    carom_threads_run(threads, tell_block, &telling, BLOCKS);
}

void carom_solid_self_each(const struct carom_solid *s, double *room, struct carom_threads *threads, const double *q,
                           carom_self_take *take, void *own)
{
    tell_each(s, room, threads, q, NULL, take, own);
}

void carom_solid_self_act(const struct carom_solid *s, const struct carom_self_touch *touch,
                          const struct carom_self_cell *on, const double force[3], double *f)
{
    const size_t d = (size_t)s->dimension;
    double arm[3], moment[3], *to = f + s->fast * on->number;
    for (int k = 0; k < 3; k++)
        arm[k] = touch->at[k] - on->at[k];
    carom_vec_cross(arm, force, moment);
    for (size_t k = 0; k < d; k++)
        to[k] += force[k];
    for (size_t k = d; k < s->fast; k++)
        to[k] += moment[d == 2 ? 2 : k - 3];
}

struct pushing {
    const struct carom_solid *s;
    double *f;
};

static void push(void *own, const struct carom_self_touch *touch, const struct carom_self_cell *on,
                 const struct carom_self_cell *by, double sign)
{
    const struct pushing *p = own;
    double force[3];
    (void)by;
    for (int k = 0; k < 3; k++)
        force[k] = sign * touch->stiff * touch->depth * touch->normal[k];
    carom_solid_self_act(p->s, touch, on, force, p->f);
}

void carom_solid_self_push_own(const struct carom_solid *s, double *room, struct carom_threads *threads,
                               const double *q, const uint8_t *own, double *f)
{
    struct pushing pushing = {s, f};
    tell_each(s, room, threads, q, own, push, &pushing);
}

void carom_solid_self_push(const struct carom_solid *s, double *room, struct carom_threads *threads, const double *q,
                           double *f)
{
    carom_solid_self_push_own(s, room, threads, q, NULL, f);
}

struct measuring {
    const struct around *around;
    struct carom_sum energy;
};

static void measure(void *own, const struct carom_self_touch *touch)
{
    carom_sum_add(own, 0.5 * touch->stiff * touch->depth * touch->depth);
}

static void measure_pair(void *own, const struct carom_self_cell *a, const struct carom_self_cell *b)
{
    struct measuring *m = own;
    sink(m->around, a, b, measure, &m->energy);
}

double carom_solid_self_energy(const struct carom_solid *s, double *room, const double *q)
{
    const struct around around = look_around(s, q, room);
    struct measuring m = {.around = &around};
    for (size_t i = 0; i < around.count; i++)
        pairs_of(&around, around.cell[i], measure_pair, &m);
    return carom_sum_value(&m.energy);
}

/* --- faces of one link ------------------------------------------------------------------------------------------ */

static const struct carom_self_face *face_of(const struct carom_solid_self *self, size_t cell, size_t link)
{
    size_t f = self->begin[cell];
    while (f < self->begin[cell + 1] && self->face[f].link != link)
        f++;
    return f < self->begin[cell + 1] ? &self->face[f] : NULL;
}

struct closing {
    struct carom_self_cell cell[2];
    double sign, energy, *pull;
};

static void close_point(void *own, const struct carom_self_touch *touch)
{
    struct closing *c = own;
    double arm[2][3], force[3], moment[3];
    for (int k = 0; k < 3; k++) {
        force[k] = c->sign * touch->stiff * touch->depth * touch->normal[k];
        c->pull[k] += force[k];
        for (size_t side = 0; side < 2; side++)
            arm[side][k] = touch->at[k] - c->cell[side].at[k];
    }
    for (size_t side = 0; side < 2; side++) {
        carom_vec_cross(arm[side], force, moment);
        for (size_t k = 0; k < 3; k++)
            c->pull[3 + 3 * side + k] += moment[k];
    }
    c->energy += 0.5 * touch->stiff * touch->depth * touch->depth;
}

double carom_solid_self_closed(const struct carom_solid *s, const double *q, size_t link, double pull[9])
{
    const uint32_t *cell = s->link[link].cell;
    const struct carom_self_face *face[2] = {face_of(s->self, cell[0], link), face_of(s->self, cell[1], link)};
    struct closing c = {{cell_of(s, q, cell[0]), cell_of(s, q, cell[1])}, 1.0, 0.0, pull};
    memset(pull, 0, 9 * sizeof *pull);
    for (size_t side = 0; side < 2 && face[0] && face[1]; side++, c.sign = -1.0)
        for (uint32_t i = 0; i < face[side]->count; i++)
            sink_point(NULL, &c.cell[side], &c.cell[1 - side], face[side], face[1 - side],
                       &s->self->point[face[side]->first + i], NULL, close_point, &c);
    return c.energy;
}
