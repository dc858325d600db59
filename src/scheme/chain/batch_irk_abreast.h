/* The passes over four chains, in registers of two numbers or of four. Square roots have loops of their own, because
 * short loops keep the processor busier than long ones; elimination comes in from both ends, which gives recursions
 * that do not wait for each other. */
#ifndef CAROM_SCHEME_CHAIN_BATCH_IRK_ABREAST_H
#define CAROM_SCHEME_CHAIN_BATCH_IRK_ABREAST_H

#include "base/lane.h"
#include "scheme/chain/batch_irk_pass.h"
#include "scheme/compensated.h"

enum { REGISTERS = CAROM_BATCH_IRK_WIDTH / CAROM_LANES };

#define EACH_REGISTER(p) for (size_t p = 0; p < REGISTERS; p++)
#define GET(slot, field) carom_lane_load((slot)->field + CAROM_LANES * p)
#define PUT(slot, field, value) carom_lane_store((slot)->field + CAROM_LANES * p, value)

/* --- Newton ------------------------------------------------------------------------------------------------------- */

/* overlap of the contact of a slot now, negative: a gap */
ALWAYS_INLINE carom_lane overlap(const struct carom_irk_slot *s, size_t p)
{
    return GET(s, x) - GET(s + 1, x) - GET(s, gap);
}

struct matrix {
    carom_lane a, b, c, d;
};

static void predict(struct carom_irk_block *b)
{
    struct carom_irk_lanes *l = &b->lanes;
    struct matrix carried[REGISTERS];
    carom_lane_mask known[REGISTERS];
    carom_lane farthest[REGISTERS] = {{0}};
    EACH_REGISTER(p)
    {
        carried[p] = (struct matrix){GET(l, carried[0]), GET(l, carried[1]), GET(l, carried[2]), GET(l, carried[3])};
        known[p] = GET(l, known) > 0.0;
    }
    for (struct carom_irk_slot *s = b->slot + 1, *end = s + b->n; s < end; s++)
        EACH_REGISTER(p)
        {
            const carom_lane last1 = GET(s, z1), last2 = GET(s, z2);
            const carom_lane z1 = carried[p].a * last1 + carried[p].b * last2,
                             z2 = carried[p].c * last1 + carried[p].d * last2;
            PUT(s, z1, carom_lane_where(known[p], z1));
            PUT(s, z2, carom_lane_where(known[p], z2));
            farthest[p] = carom_lane_max(carom_lane_abs(GET(s, x)), farthest[p]);
        }
    EACH_REGISTER(p)
    PUT(l, farthest, farthest[p]);
}

ALWAYS_INLINE void press(carom_lane stiffness, carom_lane d, carom_lane *force, carom_lane *slope)
{
    const carom_lane root = carom_lane_sqrt(d);
    *force = stiffness * (d * root);
    *slope = 1.5 * stiffness * root;
}

/* Force and, if `slopes`, slope of all contacts at both stages, two slots at a time (the last one may be padding), so
 * that many square roots are under way. */
ALWAYS_INLINE void press_stages(const struct carom_irk_block *b, bool slopes)
{
    carom_lane reach1[REGISTERS], reach2[REGISTERS];
    EACH_REGISTER(p)
    {
        reach1[p] = GET(&b->lanes, reach[0]);
        reach2[p] = GET(&b->lanes, reach[1]);
    }
    for (struct carom_irk_slot *first = b->slot, *end = first + b->n; first <= end; first += 2) {
        carom_lane d1[2][REGISTERS], d2[2][REGISTERS];
        for (size_t i = 0; i < 2; i++)
            EACH_REGISTER(p)
            {
                const struct carom_irk_slot *s = first + i;
                const carom_lane d = overlap(s, p), rate = GET(s, v) - GET(s + 1, v);
                d1[i][p] = carom_lane_positive(d + (reach1[p] * rate + (GET(s, z1) - GET(s + 1, z1))));
                d2[i][p] = carom_lane_positive(d + (reach2[p] * rate + (GET(s, z2) - GET(s + 1, z2))));
            }
        for (size_t i = 0; i < 2; i++)
            EACH_REGISTER(p)
            {
                struct carom_irk_slot *s = first + i;
                const carom_lane k = GET(s, stiffness);
                carom_lane f1, f2, s1, s2;
                press(k, d1[i][p], &f1, &s1);
                press(k, d2[i][p], &f2, &s2);
                PUT(s, f1, f1);
                PUT(s, f2, f2);
                if (slopes) {
                    PUT(s, s1, s1);
                    PUT(s, s2, s2);
                }
            }
    }
}

/* An end of the elimination: the row passed last, and how stiff its beads are. */
struct end {
    carom_lane e11, e12, e21, e22, k1, k2, stiffest;
};

/* a row under way */
struct row {
    carom_lane p11, p12, p21, p22, t; /* pivot block, inverse of its determinant */
    carom_lane r1, r2;
};

/* The pivot of a bead's row that joins an end; contacts are kept in slots. */
ALWAYS_INLINE void set_pivot(struct row *row, const struct carom_irk_slot *s, const struct carom_irk_slot *back,
                             const struct carom_irk_slot *ahead, struct end *end, size_t p)
{
    const carom_lane s1 = GET(back, s1), s2 = GET(back, s2), sum1 = s1 + GET(ahead, s1), sum2 = s2 + GET(ahead, s2);
    row->p11 = GET(s, m11) + (sum1 - s1 * end->e11);
    row->p12 = GET(s, m12) + s1 * end->e12;
    row->p21 = GET(s, m21) + s2 * end->e21;
    row->p22 = GET(s, m22) + (sum2 - s2 * end->e22);
    row->t = 1.0 / (row->p11 * row->p22 - row->p12 * row->p21);
    end->stiffest = carom_lane_max(carom_lane_max(sum1, sum2) * GET(s, inverse_mass), end->stiffest);
}

/* its right side */
ALWAYS_INLINE void weigh(struct row *row, const struct carom_irk_slot *s, const struct carom_irk_slot *back,
                         const struct carom_irk_slot *ahead, const struct end *end, size_t p, bool right)
{
    const carom_lane z1 = GET(s, z1), z2 = GET(s, z2);
    const carom_lane g1 = GET(back, f1) - GET(ahead, f1), g2 = GET(back, f2) - GET(ahead, f2);
    const carom_lane held1 = GET(s, m11) * z1 + GET(s, m12) * z2, held2 = GET(s, m21) * z1 + GET(s, m22) * z2;
    const carom_lane carried1 = GET(back, s1) * end->k1, carried2 = GET(back, s2) * end->k2;
    row->r1 = right ? carried1 - (g1 + held1) : (g1 - held1) + carried1; /* forces push beads of the right half back */
    row->r2 = right ? carried2 - (g2 + held2) : (g2 - held2) + carried2;
}

/* and what is left of it */
ALWAYS_INLINE void leave(const struct row *row, struct carom_irk_slot *s, const struct carom_irk_slot *ahead,
                         struct end *end, size_t p)
{
    const carom_lane n1 = GET(ahead, s1), n2 = GET(ahead, s2), t = row->t;
    end->e11 = (row->p22 * n1) * t;
    end->e12 = (row->p12 * n2) * t;
    end->e21 = (row->p21 * n1) * t;
    end->e22 = (row->p11 * n2) * t;
    end->k1 = (row->p22 * row->r1 - row->p12 * row->r2) * t;
    end->k2 = (row->p11 * row->r2 - row->p21 * row->r1) * t;
    PUT(s, e11, end->e11);
    PUT(s, e12, end->e12);
    PUT(s, e21, end->e21);
    PUT(s, e22, end->e22);
    PUT(s, k1, end->k1);
    PUT(s, k2, end->k2);
}

/* the last row, where both ends meet; its solution is k */
static void meet(const struct carom_irk_block *b, struct carom_irk_slot *s, struct end *l, const struct end *r,
                 size_t p)
{
    const carom_lane z1 = GET(s, z1), z2 = GET(s, z2), x = GET(s, x), v = GET(s, v), spring = {0};
    const carom_lane m11 = GET(s, m11), m12 = GET(s, m12), m21 = GET(s, m21), m22 = GET(s, m22);
    const carom_lane s1l = GET(s - 1, s1), s2l = GET(s - 1, s2), s1r = GET(s, s1), s2r = GET(s, s2);
    const carom_lane x1 = x + (GET(&b->lanes, reach[0]) * v + z1), x2 = x + (GET(&b->lanes, reach[1]) * v + z2);
    const carom_lane sum1 = s1l + s1r, sum2 = s2l + s2r;
    const carom_lane rest1 =
        (GET(s - 1, f1) - GET(s, f1)) - (m11 * z1 + m12 * z2) - spring * x1 + (s1l * l->k1 + s1r * r->k1);
    const carom_lane rest2 =
        (GET(s - 1, f2) - GET(s, f2)) - (m21 * z1 + m22 * z2) - spring * x2 + (s2l * l->k2 + s2r * r->k2);
    const carom_lane p11 = m11 + (sum1 - (s1l * l->e11 + s1r * r->e11)), p12 = m12 + (s1l * l->e12 + s1r * r->e12);
    const carom_lane p21 = m21 + (s2l * l->e21 + s2r * r->e21), p22 = m22 + (sum2 - (s2l * l->e22 + s2r * r->e22));
    const carom_lane t = 1.0 / (p11 * p22 - p12 * p21);
    l->stiffest = carom_lane_max(carom_lane_max(sum1, sum2) * GET(s, inverse_mass), l->stiffest);
    PUT(s, k1, (t * p22) * rest1 + (-t * p12) * rest2);
    PUT(s, k2, (-t * p21) * rest1 + (t * p11) * rest2);
}

/* Newton's matrix and residual at Z, eliminated from both ends */
static void eliminate(const struct carom_irk_block *b, struct carom_irk_sizes *sizes)
{
    const size_t middle = b->n / 2, behind = b->n - 1 - middle;
    struct carom_irk_slot *s = b->slot + 1, *r = b->slot + b->n;
    struct end left[REGISTERS], right[REGISTERS];
    EACH_REGISTER(p)
    left[p] = right[p] = (struct end){{0}, {0}, {0}, {0}, {0}, {0}, {0}};
    for (size_t k = 0; k < behind; k++, s++, r--) { /* stage by stage, so that divisions overlap */
        struct row row[2][REGISTERS];
        EACH_REGISTER(p)
        {
            set_pivot(&row[0][p], s, s - 1, s, &left[p], p);
            set_pivot(&row[1][p], r, r, r - 1, &right[p], p);
        }
        EACH_REGISTER(p)
        {
            weigh(&row[0][p], s, s - 1, s, &left[p], p, false);
            weigh(&row[1][p], r, r, r - 1, &right[p], p, true);
        }
        EACH_REGISTER(p)
        {
            leave(&row[0][p], s, s, &left[p], p);
            leave(&row[1][p], r, r - 1, &right[p], p);
        }
    }
    for (size_t k = behind; k < middle; k++, s++)
        EACH_REGISTER(p)
        {
            struct row row;
            set_pivot(&row, s, s - 1, s, &left[p], p);
            weigh(&row, s, s - 1, s, &left[p], p, false);
            leave(&row, s, s, &left[p], p);
        }
    EACH_REGISTER(p)
    {
        meet(b, s, &left[p], &right[p], p);
        PUT(sizes, stiffest, carom_lane_max(left[p].stiffest, right[p].stiffest));
    }
}

/* what substitution keeps of one chain's update so far */
struct tally {
    carom_lane x1l, x2l, x1r, x2r; /* the last updates at either end */
    carom_lane largest;
    carom_lane_mask update, keep;
};

/* Z += (x1, x2) in live chains; the size of the new one */
ALWAYS_INLINE carom_lane move(struct carom_irk_slot *s, struct tally *t, carom_lane x1, carom_lane x2, size_t p)
{
    const carom_lane old1 = GET(s, z1), old2 = GET(s, z2), new1 = old1 + x1, new2 = old2 + x2;
    const carom_lane size = carom_lane_abs(x1) + carom_lane_abs(x2);
    PUT(s, z1, carom_lane_pick(t->keep, new1, old1));
    PUT(s, z2, carom_lane_pick(t->keep, new2, old2));
    t->update = carom_lane_larger(t->update, size);
    return carom_lane_abs(new1) + carom_lane_abs(new2);
}

ALWAYS_INLINE void next_row(const struct carom_irk_slot *s, carom_lane *x1, carom_lane *x2, size_t p)
{
    const carom_lane y1 = GET(s, k1) + (GET(s, e11) * *x1 - GET(s, e12) * *x2);
    const carom_lane y2 = GET(s, k2) + (GET(s, e22) * *x2 - GET(s, e21) * *x1);
    *x1 = y1;
    *x2 = y2;
}

static void substitute(const struct carom_irk_block *b, struct carom_irk_sizes *sizes)
{
    const size_t middle = b->n / 2, behind = b->n - 1 - middle;
    struct carom_irk_slot *s = b->slot + middle + 1, *r = s + 1;
    const bool *live = b->lanes.live;
    struct tally t[REGISTERS];
    EACH_REGISTER(p)
    {
        const carom_lane x1 = GET(s, k1), x2 = GET(s, k2);
        t[p] = (struct tally){.x1l = x1, .x1r = x1, .x2l = x2, .x2r = x2};
        for (size_t i = 0; i < CAROM_LANES; i++)
            t[p].keep[i] = live[CAROM_LANES * p + i] ? -1 : 0;
        t[p].largest = move(s, &t[p], x1, x2, p);
    }
    s--;
    for (size_t k = behind; k < middle; k++, s--) /* only at the left end; these Z are not looked at, as in one chain */
        EACH_REGISTER(p)
        {
            next_row(s, &t[p].x1l, &t[p].x2l, p);
            move(s, &t[p], t[p].x1l, t[p].x2l, p);
        }
    for (size_t k = 0; k < behind; k++, s--, r++)
        EACH_REGISTER(p)
        {
            next_row(s, &t[p].x1l, &t[p].x2l, p);
            next_row(r, &t[p].x1r, &t[p].x2r, p);
            const carom_lane zl = move(s, &t[p], t[p].x1l, t[p].x2l, p), zr = move(r, &t[p], t[p].x1r, t[p].x2r, p);
            t[p].largest = carom_lane_max(zl, carom_lane_max(zr, t[p].largest));
        }
    EACH_REGISTER(p)
    {
        PUT(sizes, update, (carom_lane)t[p].update);
        PUT(sizes, largest, t[p].largest);
    }
}

static void update(struct carom_irk_block *b, struct carom_irk_sizes *sizes)
{
    press_stages(b, true);
    eliminate(b, sizes);
    substitute(b, sizes);
}

/* --- the end of a step -------------------------------------------------------------------------------------------- */

/* The push of the contacts beside the first beads: a chain without a left wall has only the one ahead. */
static carom_lane first_push(const struct carom_irk_block *b, carom_lane back, carom_lane ahead, size_t p)
{
    carom_lane sum = back - ahead;
    for (size_t i = 0; i < CAROM_LANES; i++)
        sum[i] = b->lanes.left_wall[CAROM_LANES * p + i] ? sum[i] : -ahead[i];
    return sum;
}

/* the coefficients of two chains */
struct ends {
    carom_lane m11, m12, m21, m22, goal, bx1, bx2, bv1, bv2, h;
};

static struct ends ends_of(const struct carom_irk_block *b, size_t p)
{
    const struct carom_irk_lanes *l = &b->lanes;
    return (struct ends){GET(l, both[0]), GET(l, both[1]), GET(l, both[2]), GET(l, both[3]), GET(l, goal),
                         GET(l, to_x[0]), GET(l, to_x[1]), GET(l, to_v[0]), GET(l, to_v[1]), carom_lane_all(b->h)};
}

/* one bead with the pushes g1 and g2 at the stages; ones where all is well */
ALWAYS_INLINE carom_lane_mask arrive(struct carom_irk_slot *s, const struct ends *e, carom_lane g1, carom_lane g2,
                                     size_t p)
{
    const carom_lane inverse = GET(s, inverse_mass), v = GET(s, v), a1 = g1 * inverse, a2 = g2 * inverse;
    const carom_lane lack1 = GET(s, z1) - (e->m11 * a1 + e->m12 * a2), lack2 = GET(s, z2) - (e->m21 * a1 + e->m22 * a2);
    carom_lane x1, v1, x_low, v_low;
    carom_compensated_lanes(GET(s, x), GET(s, x_low), e->h * v + (e->bx1 * a1 + e->bx2 * a2), &x1, &x_low);
    carom_compensated_lanes(v, GET(s, v_low), e->bv1 * a1 + e->bv2 * a2, &v1, &v_low);
    PUT(s, x_to, x1);
    PUT(s, v_to, v1);
    PUT(s, x_low_to, x_low);
    PUT(s, v_low_to, v_low);
    return (carom_lane_abs(lack1) <= e->goal) & (carom_lane_abs(lack2) <= e->goal) & (carom_lane_abs(x1) < HUGE_VAL) &
           (carom_lane_abs(v1) < HUGE_VAL);
}

static void finish(struct carom_irk_block *b, bool *good)
{
    struct carom_irk_slot *s = b->slot + 1;
    struct ends ends[REGISTERS];
    carom_lane_mask well[REGISTERS];
    press_stages(b, false);
    EACH_REGISTER(p)
    {
        ends[p] = ends_of(b, p);
        well[p] = arrive(s, &ends[p], first_push(b, GET(s - 1, f1), GET(s, f1), p),
                         first_push(b, GET(s - 1, f2), GET(s, f2), p), p);
    }
    for (const struct carom_irk_slot *end = b->slot + b->n; s++ < end;)
        EACH_REGISTER(p)
    well[p] &= arrive(s, &ends[p], GET(s - 1, f1) - GET(s, f1), GET(s - 1, f2) - GET(s, f2), p);
    for (size_t c = 0; c < CAROM_BATCH_IRK_WIDTH; c++)
        good[c] = well[c / CAROM_LANES][c % CAROM_LANES] != 0;
}

static void switched(const struct carom_irk_block *b, bool *switched)
{
    carom_lane_mask changes[REGISTERS] = {{0}};
    for (const struct carom_irk_slot *s = b->slot, *end = s + b->n; s <= end; s++)
        EACH_REGISTER(p)
        {
            const carom_lane d = GET(s, x_to) - GET(s + 1, x_to) - GET(s, gap);
            changes[p] |= (overlap(s, p) > 0.0) ^ (d > 0.0);
        }
    for (size_t c = 0; c < CAROM_BATCH_IRK_WIDTH; c++)
        switched[c] = changes[c / CAROM_LANES][c % CAROM_LANES] != 0;
}

static void settle(struct carom_irk_block *b, bool damped)
{
    const double inverse = 1.0 / b->h;
    for (struct carom_irk_slot *s = b->slot, *end = s + b->n; s <= end; s++)
        EACH_REGISTER(p)
        {
            const carom_lane x = GET(s, x_to), v = GET(s, v_to), x_low = GET(s, x_low_to), v_low = GET(s, v_low_to);
            if (damped) {
                const carom_lane d = x - GET(s + 1, x_to) - GET(s, gap), closed = carom_lane_positive(d);
                const carom_lane viscous = GET(s, gamma) * (GET(s, stiffness) * (closed * carom_lane_sqrt(closed)));
                PUT(s, lost, GET(s, lost) + (d - overlap(s, p)) * inverse * (viscous - GET(s, viscous)));
                PUT(s, viscous, viscous);
            }
            PUT(s, x, x);
            PUT(s, v, v);
            PUT(s, x_low, x_low);
            PUT(s, v_low, v_low);
        }
}

/* --- views -------------------------------------------------------------------------------------------------------- */

static void impulses(struct carom_irk_block *b)
{
    for (struct carom_irk_slot *s = b->slot, *end = s + b->n; s <= end; s++)
        EACH_REGISTER(p)
        {
            const carom_lane d = carom_lane_positive(overlap(s, p));
            PUT(s, viscous, GET(s, gamma) * (GET(s, stiffness) * (d * carom_lane_sqrt(d))));
        }
}

#endif
