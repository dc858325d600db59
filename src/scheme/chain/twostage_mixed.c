/* Mixed passes: row of bead i is (m + Q_left + Q_right + Q_spring) dZ - Q_left dZ_left - Q_right dZ_right = G - m Z,
 * G the push of h^2 A^2 f + h A r over the stages and Q its slope. Works for singular A too. */
#include "scheme/chain/twostage.h"

#include "scheme/compensated.h"

/* a contact as the rows beside it see it */
struct hold {
    struct carom_pair push;   /* h^2 A^2 f + h A r */
    struct carom_block slope; /* its derivative in the overlaps at the stages */
};

static struct hold hold_of(const struct carom_twostage *w, const struct carom_stage_block *b, size_t j)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_pair f = {b->elastic[0][j], b->elastic[1][j]};
    const struct carom_pair r = {b->viscous[0][j] - s->tailored * f.a, b->viscous[1][j] - s->tailored * f.b};
    const double f1 = b->slope[0][j], f2 = b->slope[1][j];
    const double r1 = b->drag[0][j] - s->tailored * f1, r2 = b->drag[1][j] - s->tailored * f2;
    const struct carom_pair of_f = carom_block_apply(s->f_to_z, f), of_r = carom_block_apply(s->r_to_z, r);
    const struct carom_block *p = &s->f_to_z, *q = &s->r_to_z;
    return (struct hold){
        {of_f.a + of_r.a, of_f.b + of_r.b},
        {p->a * f1 + q->a * r1, p->b * f2 + q->b * r2, p->c * f1 + q->c * r1, p->d * f2 + q->d * r2},
    };
}

/* the places of bead i at the stages */
static inline struct carom_pair stages_of(const struct carom_stages *s, size_t i)
{
    return (struct carom_pair){s->x[i] + (s->reach.a * s->v[i] + s->z1[i]),
                               s->x[i] + (s->reach.b * s->v[i] + s->z2[i])};
}

/* what local forces, loads and dampers make of Z, and the slope of it in Z, without sign */
static struct carom_pair local(const struct carom_twostage *w, size_t i, struct carom_block *slope)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_beads *b = w->chain.beads;
    const struct carom_block *p = &s->spring_to_z, *q = &s->r_to_z;
    const struct carom_pair at = stages_of(s, i), load = {w->loads->force[0][i], w->loads->force[1][i]};
    const double c = carom_loads_damper(b, i), s1 = carom_loads_stiffness(b, i, at.a),
                 s2 = carom_loads_stiffness(b, i, at.b);
    const struct carom_pair f = {carom_loads_local(b, i, at.a), carom_loads_local(b, i, at.b)};
    const struct carom_pair of_f = carom_block_apply(*p, f), of_load = carom_block_apply(w->loads->to_z, load);
    const struct carom_pair drag = carom_block_apply(*q, at);
    *slope =
        (struct carom_block){s1 * p->a + c * q->a, s2 * p->b + c * q->b, s1 * p->c + c * q->c, s2 * p->d + c * q->d};
    return (struct carom_pair){of_f.a + of_load.a - c * drag.a, of_f.b + of_load.b - c * drag.b};
}

static void load_row(const struct carom_twostage *w, size_t i, struct carom_block *pivot, struct carom_pair *right)
{
    struct carom_block slope;
    const struct carom_pair push = local(w, i, &slope);
    *pivot = carom_block_sum(*pivot, slope);
    right->a += push.a;
    right->b += push.b;
}

/* bead i without its contacts: pivot and right side */
static void bare_row(struct carom_twostage *w, size_t i, struct carom_block *pivot, struct carom_pair *right)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_beads *beads = w->chain.beads;
    const double mass = beads->mass[i], far = fabs(s->x[i]);
    *pivot = (struct carom_block){mass, 0.0, 0.0, mass};
    *right = (struct carom_pair){-mass * s->z1[i], -mass * s->z2[i]};
    if (w->loads)
        load_row(w, i, pivot, right);
    if (beads->spring && !w->loads) {
        const double spring = beads->spring[i];
        const struct carom_pair at = {s->x[i] + (s->reach.a * s->v[i] + s->z1[i]),
                                      s->x[i] + (s->reach.b * s->v[i] + s->z2[i])};
        const struct carom_pair pull = carom_block_apply(s->spring_to_z, at);
        *pivot = carom_block_sum(*pivot, carom_block_scaled(spring, s->spring_to_z));
        right->a -= spring * pull.a;
        right->b -= spring * pull.b;
    }
    w->farthest = far > w->farthest ? far : w->farthest;
}

/* how strongly Z of bead i answers to its own displacement */
static void note_stiffness(struct carom_twostage *w, const struct hold *hold, size_t i)
{
    const double top = fabs(hold->slope.a) + fabs(hold->slope.b), bottom = fabs(hold->slope.c) + fabs(hold->slope.d);
    const double stiff = 2.0 * (top > bottom ? top : bottom) * w->chain.beads->inverse_mass[i];
    w->stiffest = stiff > w->stiffest ? stiff : w->stiffest;
}

/* bead i joins an end; `way` 1 from the left, -1 from the right */
static void pass(struct carom_twostage *w, struct carom_front *front, struct hold *back, const struct hold *next,
                 size_t i, double way)
{
    struct carom_block pivot;
    struct carom_pair right;
    if (carom_loads_driven(w->chain.beads, i)) { /* its Z stands */
        w->row[i] = *front = (struct carom_front){{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}};
        *back = *next;
        return;
    }
    bare_row(w, i, &pivot, &right);
    pivot = carom_block_sum(pivot, carom_block_sum(back->slope, next->slope));
    right.a += way * (back->push.a - next->push.a);
    right.b += way * (back->push.b - next->push.b);
    *front = carom_front_advance(*front, carom_block_scaled(-1.0, back->slope), pivot,
                                 carom_block_scaled(-1.0, next->slope), right);
    w->row[i] = *front;
    *back = *next;
}

static void close_gap(struct carom_twostage *w, const struct carom_front *left, const struct hold *left_hold,
                      const struct carom_front *right, const struct hold *right_hold, size_t i)
{
    struct carom_block pivot;
    struct carom_pair rest;
    if (carom_loads_driven(w->chain.beads, i)) {
        w->row[i] = (struct carom_front){{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}};
        return;
    }
    bare_row(w, i, &pivot, &rest);
    const struct carom_block slope = carom_block_sum(left_hold->slope, right_hold->slope);
    const struct carom_block taken = carom_block_sum(carom_block_product(left_hold->slope, left->coupled),
                                                     carom_block_product(right_hold->slope, right->coupled));
    pivot = carom_block_sum(pivot, carom_block_sum(slope, carom_block_scaled(-1.0, taken)));
    const struct carom_pair from_left = carom_block_apply(left_hold->slope, left->known);
    const struct carom_pair from_right = carom_block_apply(right_hold->slope, right->known);
    rest.a += (left_hold->push.a - right_hold->push.a) + (from_left.a + from_right.a);
    rest.b += (left_hold->push.b - right_hold->push.b) + (from_left.b + from_right.b);
    w->row[i] = (struct carom_front){{0.0, 0.0, 0.0, 0.0}, carom_block_apply(carom_block_inverse(pivot), rest)};
}

void carom_twostage_mixed_eliminate(struct carom_twostage *w, const struct carom_model *model)
{
    const struct carom_chain *chain = &w->chain;
    const size_t n = chain->n, shift = chain->shift, middle = n / 2, behind = n - 1 - middle;
    struct carom_stage_block a, b;
    struct carom_front left = {0}, right = {0};
    struct hold left_hold = {0}, right_hold = {0}, next;
    w->stiffest = w->farthest = 0.0;
    if (chain->left_wall) {
        carom_twostage_sweep_contacts(w, model, 0, 1, &a);
        left_hold = hold_of(w, &a, 0);
        note_stiffness(w, &left_hold, 0);
    }
    if (chain->right_wall) {
        carom_twostage_sweep_contacts(w, model, chain->nc - 1, chain->nc, &b);
        right_hold = hold_of(w, &b, 0);
        note_stiffness(w, &right_hold, n - 1);
    }
    for (size_t first = 0; first < middle; first += CAROM_TWOSTAGE_BLOCK) {
        const size_t count = middle - first < CAROM_TWOSTAGE_BLOCK ? middle - first : CAROM_TWOSTAGE_BLOCK;
        const size_t more = behind - first < count ? behind - first : count;
        carom_twostage_sweep_contacts(w, model, first + shift, first + count + shift, &a);
        const size_t end = n - 1 - first + shift;
        carom_twostage_sweep_contacts(w, model, end - more, end, &b);
        for (size_t k = 0; k < count; k++) {
            next = hold_of(w, &a, k);
            note_stiffness(w, &next, first + k);
            pass(w, &left, &left_hold, &next, first + k, 1.0);
            if (k >= more)
                continue;
            next = hold_of(w, &b, more - 1 - k);
            note_stiffness(w, &next, n - 1 - first - k);
            pass(w, &right, &right_hold, &next, n - 1 - first - k, -1.0);
        }
    }
    close_gap(w, &left, &left_hold, &right, &right_hold, middle);
}

/* largest of what has been seen: updates and Z, both as sums over the stages */
struct sizes {
    double update, z;
    int broken;
};

/* Z of bead i takes its update, which follows from that of its neighbour on the way */
static inline struct carom_pair take(const struct carom_front *row, struct carom_pair next, double *z1, double *z2,
                                     struct sizes *most)
{
    const struct carom_pair more = carom_block_apply(row->coupled, next);
    const struct carom_pair update = {row->known.a + more.a, row->known.b + more.b};
    *z1 += update.a;
    *z2 += update.b;
    const double size = fabs(update.a) + fabs(update.b), z = fabs(*z1) + fabs(*z2);
    most->broken |= !(size < HUGE_VAL);
    most->update = size > most->update ? size : most->update;
    most->z = z > most->z ? z : most->z;
    return update;
}

double carom_twostage_mixed_substitute(struct carom_twostage *w, double *largest)
{
    const size_t n = w->chain.n, middle = n / 2, behind = n - 1 - middle;
    const struct carom_front *row = w->row;
    double *z1 = w->stages.z1, *z2 = w->stages.z2;
    const struct carom_pair none = {0.0, 0.0};
    struct sizes a = {0.0, 0.0, 0}, b = {0.0, 0.0, 0};
    struct carom_pair left = take(&row[middle], none, &z1[middle], &z2[middle], &a), right = left;
    for (size_t k = 1; k <= behind; k++) {
        const size_t i = middle - k, j = middle + k;
        left = take(&row[i], left, &z1[i], &z2[i], &a);
        right = take(&row[j], right, &z1[j], &z2[j], &b);
    }
    if (behind < middle)
        take(&row[0], left, &z1[0], &z2[0], &a);
    *largest = a.z > b.z ? a.z : b.z;
    return a.broken || b.broken ? HUGE_VAL : a.update > b.update ? a.update : b.update;
}

/* pushes on the beads of a block at both stages */
struct pushes {
    double f[2][CAROM_TWOSTAGE_BLOCK], r[2][CAROM_TWOSTAGE_BLOCK];
};

static void push_all(const struct carom_twostage *w, size_t first, size_t last, struct carom_stage_block *b,
                     struct pushes *p)
{
    for (int i = 0; i < 2; i++) {
        carom_chain_push(&w->chain, first, last, b->elastic[i], b->first, p->f[i]);
        for (size_t j = 0; j < b->n; j++)
            b->viscous[i][j] -= w->stages.tailored * b->elastic[i][j]; /* becomes the rest r */
        carom_chain_push(&w->chain, first, last, b->viscous[i], b->first, p->r[i]);
    }
}

/* the same of a chain with loads */
static bool move_loaded(const struct carom_twostage *w, size_t i, const struct pushes *p, size_t k,
                        struct carom_stage_motion *motion)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_beads *b = w->chain.beads;
    if (carom_loads_driven(b, i)) {
        motion->rate[0][k + 1] = carom_twostage_loads_bead(w->loads, &w->chain, i, 0).rate;
        motion->rate[1][k + 1] = carom_twostage_loads_bead(w->loads, &w->chain, i, 1).rate;
        return true;
    }
    struct carom_block slope;
    const double inverse = b->inverse_mass[i], c = carom_loads_damper(b, i);
    const struct carom_pair at = stages_of(s, i), own = local(w, i, &slope);
    const struct carom_pair f = {p->f[0][k], p->f[1][k]}, r = {p->r[0][k] - c * at.a, p->r[1][k] - c * at.b};
    const struct carom_pair rest = {p->r[0][k], p->r[1][k]};
    const struct carom_pair of_f = carom_block_apply(s->f_to_z, f), of_r = carom_block_apply(s->r_to_z, rest);
    const struct carom_pair pull = {carom_loads_local(b, i, at.a), carom_loads_local(b, i, at.b)};
    const double g1 = w->loads->force[0][i], g2 = w->loads->force[1][i];
    const double lack1 = s->z1[i] - (of_f.a + of_r.a + own.a) * inverse;
    const double lack2 = s->z2[i] - (of_f.b + of_r.b + own.b) * inverse;
    const double whole1 = f.a + pull.a, whole2 = f.b + pull.b;
    const double dx = (s->f_to_x.a * f.a + s->f_to_x.b * f.b) + (s->r_to_x.a * r.a + s->r_to_x.b * r.b) +
                      (s->spring_to_x.a * pull.a + s->spring_to_x.b * pull.b) +
                      (w->loads->to_x.a * g1 + w->loads->to_x.b * g2);
    const double dv = s->f_to_v.a * whole1 + s->f_to_v.b * whole2 + 0.5 * s->h * (g1 + g2);
    carom_compensated_add(s->x[i], s->x_low[i], s->h * s->v[i] + dx * inverse, &s->to->q[i], &s->x_rest[i]);
    carom_compensated_add(s->v[i], s->v_low[i], dv * inverse, &s->to->v[i], &s->v_rest[i]);
    motion->rate[0][k + 1] = s->v[i] + (s->r_to_z.a * (whole1 + g1) + s->r_to_z.b * (whole2 + g2) + r.a) * inverse;
    motion->rate[1][k + 1] = s->v[i] + (s->r_to_z.c * (whole1 + g1) + s->r_to_z.d * (whole2 + g2) + r.b) * inverse;
    return fabs(lack1) <= s->goal && fabs(lack2) <= s->goal && fabs(s->to->q[i]) < HUGE_VAL &&
           fabs(s->to->v[i]) < HUGE_VAL;
}

static bool move(const struct carom_twostage *w, size_t i, const struct pushes *p, size_t k,
                 struct carom_stage_motion *motion)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_beads *beads = w->chain.beads;
    const double inverse = beads->inverse_mass[i], spring = beads->spring ? beads->spring[i] : 0.0;
    const struct carom_pair at = {s->x[i] + (s->reach.a * s->v[i] + s->z1[i]),
                                  s->x[i] + (s->reach.b * s->v[i] + s->z2[i])};
    const struct carom_pair f = {p->f[0][k], p->f[1][k]}, r = {p->r[0][k], p->r[1][k]};
    const struct carom_pair of_f = carom_block_apply(s->f_to_z, f), of_r = carom_block_apply(s->r_to_z, r);
    const struct carom_pair pull = carom_block_apply(s->spring_to_z, at);
    const double lack1 = s->z1[i] - (of_f.a + of_r.a - spring * pull.a) * inverse;
    const double lack2 = s->z2[i] - (of_f.b + of_r.b - spring * pull.b) * inverse;
    const double whole1 = f.a - spring * at.a, whole2 = f.b - spring * at.b; /* force, springs included */
    const double dx = (s->f_to_x.a * f.a + s->f_to_x.b * f.b) + (s->r_to_x.a * r.a + s->r_to_x.b * r.b) -
                      spring * (s->spring_to_x.a * at.a + s->spring_to_x.b * at.b);
    const double dv = s->f_to_v.a * whole1 + s->f_to_v.b * whole2;
    carom_compensated_add(s->x[i], s->x_low[i], s->h * s->v[i] + dx * inverse, &s->to->q[i], &s->x_rest[i]);
    carom_compensated_add(s->v[i], s->v_low[i], dv * inverse, &s->to->v[i], &s->v_rest[i]);
    motion->rate[0][k + 1] = s->v[i] + (s->r_to_z.a * whole1 + s->r_to_z.b * whole2 + r.a) * inverse;
    motion->rate[1][k + 1] = s->v[i] + (s->r_to_z.c * whole1 + s->r_to_z.d * whole2 + r.b) * inverse;
    return fabs(lack1) <= s->goal && fabs(lack2) <= s->goal && fabs(s->to->q[i]) < HUGE_VAL &&
           fabs(s->to->v[i]) < HUGE_VAL;
}

bool carom_twostage_mixed_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from)
{
    const struct carom_chain *chain = &w->chain;
    struct carom_stage_block b;
    struct carom_stage_motion motion;
    struct pushes pushes;
    bool good = true;
    for (size_t first = 0, last; first < chain->n && good; first = last) {
        last = first + CAROM_TWOSTAGE_BLOCK < chain->n ? first + CAROM_TWOSTAGE_BLOCK : chain->n;
        size_t begin, end;
        carom_chain_beside(chain, first, last, &begin, &end);
        carom_twostage_sweep_contacts(w, model, begin, end, &b);
        push_all(w, first, last, &b, &pushes);
        for (size_t i = first; i < last; i++)
            good &= w->loads ? move_loaded(w, i, &pushes, i - first, &motion) : move(w, i, &pushes, i - first, &motion);
        if (w->quadrature && good)
            carom_twostage_ledger_stages(w, model, from, first, last, &b, &motion);
    }
    return good;
}
