/* Uniform passes. Elimination runs in from both ends at once, an end in each half of a vector register; forces come
 * in blocks from the laws (or, for Hertz contacts, from the same formula in place, to the bit). */
#include "scheme/chain/twostage.h"

#include "base/lane.h"
#include "law/kernels.h"
#include "scheme/compensated.h"

/* overlap of contact j at both stages, of bead i with a wall: on its left (-1) or right (1) */
static void deform_wall(const struct carom_twostage *w, size_t j, size_t i, double side, double *d1, double *d2)
{
    const struct carom_stages *s = &w->stages;
    const double d = side * s->x[i] - w->chain.gap[j], v = side * s->v[i];
    *d1 = d + (s->reach.a * v + side * s->z1[i]);
    *d2 = d + (s->reach.b * v + side * s->z2[i]);
}

/* the same for contacts [first, last) between beads; arrays begin with contact `base` */
static void deform_inner(const struct carom_twostage *w, size_t first, size_t last, size_t base, double *restrict d1,
                         double *restrict d2)
{
    const struct carom_stages *s = &w->stages;
    const size_t l = first - w->chain.shift, n = last - first, at = first - base;
    const double *restrict x = s->x + l, *restrict v = s->v + l, *restrict z1 = s->z1 + l, *restrict z2 = s->z2 + l;
    const double *restrict gap = w->chain.gap + first;
    const double r1 = s->reach.a, r2 = s->reach.b;
    for (size_t j = 0; j < n; j++) {
        const double d = (x[j] - x[j + 1]) - gap[j], rate = v[j] - v[j + 1];
        d1[at + j] = d + (r1 * rate + (z1[j] - z1[j + 1]));
        d2[at + j] = d + (r2 * rate + (z2[j] - z2[j + 1]));
    }
}

static void hertz(size_t n, const double *restrict k, const double *restrict deform, double *restrict elastic,
                  double *restrict slope)
{
    for (size_t j = 0; j < n; j++) {
        const double d = carom_kernel_overlap(deform[j]);
        const double root = sqrt(d);
        elastic[j] = k[j] * (d * root);
        slope[j] = 1.5 * k[j] * root;
    }
}

void carom_twostage_sweep_contacts(const struct carom_twostage *w, const struct carom_model *model, size_t first,
                                   size_t last, struct carom_stage_block *out)
{
    const bool wall_left = w->chain.left_wall && first == 0, wall_right = w->chain.right_wall && last == w->chain.nc;
    out->first = first;
    out->n = last - first;
    if (first >= last)
        return;
    if (wall_left)
        deform_wall(w, 0, 0, -1.0, &out->deform[0][0], &out->deform[1][0]);
    if (wall_right)
        deform_wall(w, last - 1, w->chain.n - 1, 1.0, &out->deform[0][out->n - 1], &out->deform[1][out->n - 1]);
    const size_t from = first + (wall_left ? 1 : 0), to = last - (wall_right ? 1 : 0);
    if (from < to)
        deform_inner(w, from, to, first, out->deform[0], out->deform[1]);
    for (int i = 0; w->chain.moving && i < 2; i++) {
        if (wall_left)
            out->deform[i][0] += carom_twostage_loads_wall(w->loads, &w->chain, CAROM_WALL_LEFT, i).place;
        if (wall_right)
            out->deform[i][out->n - 1] -= carom_twostage_loads_wall(w->loads, &w->chain, CAROM_WALL_RIGHT, i).place;
    }
    for (int i = 0; i < 2; i++) {
        if (w->hertz) {
            hertz(out->n, model->group[0].param[0] + first, out->deform[i], out->elastic[i], out->slope[i]);
        } else {
            const struct carom_response want = {.elastic = out->elastic[i],
                                                .slope = out->slope[i],
                                                .viscous = w->uniform ? NULL : out->viscous[i],
                                                .drag = w->uniform ? NULL : out->drag[i]};
            carom_contacts_evaluate(model, first, last, out->deform[i], NULL, NULL, &want);
        }
    }
}

/* Both ends of the elimination side by side: lane 0 comes from the left, lane 1 from the right. */
static inline carom_lane both(const double *from, size_t left, size_t right)
{
    return (carom_lane){from[left], from[right]};
}

/* An eliminated row of either end: x = k + e x_next. Rows i and n - 1 - i share a place. */
struct rows {
    carom_lane e11, e12, e21, e22, k1, k2;
};

/* What the rows are made of, held locally so that the compiler knows that storing rows does not change it. */
struct frame {
    const double *mass, *inverse_mass, *spring, *x, *v, *z1, *z2;
    struct carom_block inverse;
    struct carom_pair reach;
};

/* The ends: the rows passed last, and the contacts between these and the next. */
struct ends {
    struct rows row;
    carom_lane f1, f2, s1, s2;     /* force and slope at both stages */
    carom_lane stiffest, farthest; /* of the rows passed */
};

/* contacts ahead of the ends */
struct ahead {
    carom_lane f1, f2, s1, s2;
};

static const carom_lane way = {1.0, -1.0}; /* forces from behind push on beads of the left half to the right */

static inline struct ahead ahead_of(const struct carom_stage_block *a, size_t i, const struct carom_stage_block *b,
                                    size_t j)
{
    i -= a->first;
    j -= b->first;
    return (struct ahead){{a->elastic[0][i], b->elastic[0][j]},
                          {a->elastic[1][i], b->elastic[1][j]},
                          {a->slope[0][i], b->slope[0][j]},
                          {a->slope[1][i], b->slope[1][j]}};
}

/* Rows of beads i and j: (m/both + S) x - S_back x_back - S_next x_next = push - (m/both) z, S the slopes beside it. */
static inline void pass(const struct frame *w, struct ends *end, const struct ahead *next, size_t i, size_t j,
                        bool springs)
{
    const carom_lane mass = both(w->mass, i, j), z1 = both(w->z1, i, j), z2 = both(w->z2, i, j), x = both(w->x, i, j);
    const carom_lane m11 = mass * w->inverse.a, m12 = mass * w->inverse.b;
    const carom_lane m21 = mass * w->inverse.c, m22 = mass * w->inverse.d;
    carom_lane r1 = way * (end->f1 - next->f1) - (m11 * z1 + m12 * z2) + end->s1 * end->row.k1;
    carom_lane r2 = way * (end->f2 - next->f2) - (m21 * z1 + m22 * z2) + end->s2 * end->row.k2;
    carom_lane sum1 = end->s1 + next->s1, sum2 = end->s2 + next->s2;
    if (springs) {
        const carom_lane spring = both(w->spring, i, j), v = both(w->v, i, j);
        r1 -= spring * (x + (w->reach.a * v + z1));
        r2 -= spring * (x + (w->reach.b * v + z2));
        sum1 += spring;
        sum2 += spring;
    }
    const carom_lane p11 = m11 + (sum1 - end->s1 * end->row.e11), p12 = m12 - end->s1 * end->row.e12;
    const carom_lane p21 = m21 - end->s2 * end->row.e21, p22 = m22 + (sum2 - end->s2 * end->row.e22);
    const carom_lane t = 1.0 / (p11 * p22 - p12 * p21);
    end->row = (struct rows){(p22 * next->s1) * t, -(p12 * next->s2) * t,     -(p21 * next->s1) * t,
                             (p11 * next->s2) * t, (p22 * r1 - p12 * r2) * t, (p11 * r2 - p21 * r1) * t};
    end->f1 = next->f1;
    end->f2 = next->f2;
    end->s1 = next->s1;
    end->s2 = next->s2;
    end->stiffest = carom_lane_max(carom_lane_max(sum1, sum2) * both(w->inverse_mass, i, j), end->stiffest);
    end->farthest = carom_lane_max(carom_lane_abs(x), end->farthest);
}

/* The left end alone passes one more row, where the number of beads is even. */
static void pass_left(const struct frame *w, struct ends *ends, const struct ahead *next, size_t i, bool springs)
{
    struct ends one = *ends;
    pass(w, &one, next, i, i, springs);
    carom_lane *const to[] = {&ends->row.e11, &ends->row.e12, &ends->row.e21, &ends->row.e22,
                              &ends->row.k1,  &ends->row.k2,  &ends->f1,      &ends->f2,
                              &ends->s1,      &ends->s2,      &ends->stiffest};
    const carom_lane from[] = {one.row.e11, one.row.e12, one.row.e21, one.row.e22, one.row.k1,  one.row.k2,
                               one.f1,      one.f2,      one.s1,      one.s2,      one.stiffest};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        (*to[k])[0] = from[k][0];
    ends->farthest = carom_lane_max(one.farthest, ends->farthest);
}

/* The last row, where both ends meet. */
static struct carom_pair close_gap(const struct frame *w, struct ends *e, size_t i)
{
    const double mass = w->mass[i], spring = w->spring ? w->spring[i] : 0.0;
    const struct carom_pair z = {w->z1[i], w->z2[i]};
    const struct carom_block m = carom_block_scaled(mass, w->inverse);
    const struct carom_pair held = carom_block_apply(m, z);
    const double x1 = w->x[i] + (w->reach.a * w->v[i] + z.a), x2 = w->x[i] + (w->reach.b * w->v[i] + z.b);
    const carom_lane carried1 = e->s1 * e->row.k1, carried2 = e->s2 * e->row.k2;
    const carom_lane left11 = e->s1 * e->row.e11, left12 = e->s1 * e->row.e12;
    const carom_lane left21 = e->s2 * e->row.e21, left22 = e->s2 * e->row.e22;
    const struct carom_pair rest = {(e->f1[0] - e->f1[1]) - held.a - spring * x1 + (carried1[0] + carried1[1]),
                                    (e->f2[0] - e->f2[1]) - held.b - spring * x2 + (carried2[0] + carried2[1])};
    const double sum1 = e->s1[0] + e->s1[1] + spring, sum2 = e->s2[0] + e->s2[1] + spring;
    const struct carom_block pivot = {m.a + (sum1 - (left11[0] + left11[1])), m.b - (left12[0] + left12[1]),
                                      m.c - (left21[0] + left21[1]), m.d + (sum2 - (left22[0] + left22[1]))};
    const double stiff = (sum1 > sum2 ? sum1 : sum2) * w->inverse_mass[i], far = fabs(w->x[i]);
    e->stiffest = carom_lane_max((carom_lane){stiff, stiff}, e->stiffest);
    e->farthest = carom_lane_max((carom_lane){far, far}, e->farthest);
    return carom_block_apply(carom_block_inverse(pivot), rest);
}

/* rows first ... first + more - 1 from both ends; a and b are the contacts ahead of them */
static inline void pass_all(const struct frame *w, struct ends *ends, const struct carom_stage_block *a,
                            const struct carom_stage_block *b, size_t shift, size_t n, size_t first, size_t more,
                            bool springs, struct rows *restrict rows)
{
    struct ends e = *ends;
    for (size_t k = 0; k < more; k++) {
        const size_t i = first + k, j = n - 1 - first - k;
        const struct ahead next = ahead_of(a, i + shift, b, j + shift - 1);
        pass(w, &e, &next, i, j, springs);
        rows[first + k] = e.row;
    }
    *ends = e;
}

/* Are all contacts of a row evaluated together? */
static bool is_short(const struct carom_twostage *w)
{
    return w->chain.nc <= CAROM_TWOSTAGE_BLOCK + 2;
}

/* contacts [first, last) into a block, unless it is of a row so short that it has all of them from the beginning */
static void see(const struct carom_twostage *w, const struct carom_model *model, size_t first, size_t last,
                struct carom_stage_block *b)
{
    if (!is_short(w))
        carom_twostage_sweep_contacts(w, model, first, last, b);
}

/* force and slope at walls */
static void meet_walls(const struct carom_twostage *w, const struct carom_model *model, struct carom_stage_block *b,
                       struct ends *ends)
{
    const bool wall[2] = {w->chain.left_wall, w->chain.right_wall};
    const size_t at[2] = {0, w->chain.nc > 0 ? w->chain.nc - 1 : 0};
    for (int i = 0; i < 2; i++) {
        if (!wall[i])
            continue;
        see(w, model, at[i], at[i] + 1, b);
        const size_t k = at[i] - b->first;
        ends->f1[i] = b->elastic[0][k];
        ends->f2[i] = b->elastic[1][k];
        ends->s1[i] = b->slope[0][k];
        ends->s2[i] = b->slope[1][k];
    }
}

void carom_twostage_sweep_eliminate(struct carom_twostage *w, const struct carom_model *model)
{
    const struct carom_chain *chain = &w->chain;
    const struct carom_stages *s = &w->stages;
    const size_t n = chain->n, shift = chain->shift, middle = n / 2, behind = n - 1 - middle;
    const struct frame frame = {chain->beads->mass,
                                chain->beads->inverse_mass,
                                chain->beads->spring,
                                s->x,
                                s->v,
                                s->z1,
                                s->z2,
                                s->inverse,
                                s->reach};
    const bool springs = frame.spring != NULL;
    struct rows *rows = (void *)w->row;
    struct carom_stage_block left, right; /* contacts ahead of the left and of the right end */
    struct carom_stage_block *const a = &left, *const b = is_short(w) ? a : &right;
    struct ends ends = {0};
    if (is_short(w))
        carom_twostage_sweep_contacts(w, model, 0, chain->nc, a);
    meet_walls(w, model, a, &ends);
    for (size_t first = 0; first < middle; first += CAROM_TWOSTAGE_BLOCK) {
        const size_t count = middle - first < CAROM_TWOSTAGE_BLOCK ? middle - first : CAROM_TWOSTAGE_BLOCK;
        const size_t more = behind - first < count ? behind - first : count; /* count, or at the end one less */
        const size_t end = n - 1 - first + shift; /* one past the contact ahead of the right end */
        see(w, model, first + shift, first + count + shift, a);
        see(w, model, end - more, end, b);
        if (springs)
            pass_all(&frame, &ends, a, b, shift, n, first, more, true, rows);
        else
            pass_all(&frame, &ends, a, b, shift, n, first, more, false, rows);
        if (more < count) {
            const struct ahead next = ahead_of(a, first + more + shift, a, first + more + shift);
            pass_left(&frame, &ends, &next, first + more, springs);
            rows[first + more] = ends.row;
        }
    }
    const struct carom_pair met = close_gap(&frame, &ends, middle);
    rows[middle] = (struct rows){.k1 = {met.a, met.a}, .k2 = {met.b, met.b}};
    w->stiffest = ends.stiffest[0] > ends.stiffest[1] ? ends.stiffest[0] : ends.stiffest[1];
    w->farthest = ends.farthest[0] > ends.farthest[1] ? ends.farthest[0] : ends.farthest[1];
}

double carom_twostage_sweep_substitute(struct carom_twostage *w, double *largest)
{
    const size_t n = w->chain.n, middle = n / 2, behind = n - 1 - middle;
    const struct rows *rows = (const void *)w->row;
    double *restrict z1 = w->stages.z1, *restrict z2 = w->stages.z2;
    carom_lane x1 = rows[middle].k1, x2 = rows[middle].k2, update = carom_lane_abs(x1) + carom_lane_abs(x2);
    carom_lane_mask broken = ~(update < HUGE_VAL);
    z1[middle] += x1[0];
    z2[middle] += x2[0];
    const double start = fabs(z1[middle]) + fabs(z2[middle]);
    carom_lane z = {start, start};
    for (size_t k = middle; k-- > 0;) {
        const struct rows r = rows[k];
        const carom_lane y1 = r.k1 + (r.e11 * x1 + r.e12 * x2), y2 = r.k2 + (r.e21 * x1 + r.e22 * x2);
        const size_t i = k, j = n - 1 - k;
        if (k >= behind) { /* a row of the left end only */
            x1[0] = y1[0];
            x2[0] = y2[0];
            z1[i] += x1[0];
            z2[i] += x2[0];
        } else {
            x1 = y1;
            x2 = y2;
            const carom_lane new1 = both(z1, i, j) + x1, new2 = both(z2, i, j) + x2;
            z1[i] = new1[0];
            z1[j] = new1[1];
            z2[i] = new2[0];
            z2[j] = new2[1];
            z = carom_lane_max(carom_lane_abs(new1) + carom_lane_abs(new2), z);
        }
        const carom_lane size = carom_lane_abs(x1) + carom_lane_abs(x2);
        broken |= ~(size < HUGE_VAL);
        update = carom_lane_max(size, update);
    }
    *largest = z[0] > z[1] ? z[0] : z[1];
    if (broken[0] || broken[1])
        return HUGE_VAL;
    return update[0] > update[1] ? update[0] : update[1];
}

/* push on beads [first, last) at one stage, springs included */
static void stage_push(const struct carom_twostage *w, size_t first, size_t last, const struct carom_stage_block *b,
                       int stage, double *push)
{
    const struct carom_stages *s = &w->stages;
    const double *spring = w->chain.beads->spring, *z = stage == 0 ? s->z1 : s->z2;
    const double reach = stage == 0 ? s->reach.a : s->reach.b;
    carom_chain_push(&w->chain, first, last, b->elastic[stage], b->first, push);
    for (size_t i = first; spring && i < last; i++)
        push[i - first] -= spring[i] * (s->x[i] + (reach * s->v[i] + z[i]));
}

/* as many numbers as a register has, or one of them */
ALWAYS_INLINE carom_lane get(const double *from, bool one)
{
    return one ? carom_lane_all(*from) : carom_lane_load(from);
}

ALWAYS_INLINE void put(double *to, carom_lane lane, bool one)
{
    if (one)
        *to = lane[0];
    else
        carom_lane_store(to, lane);
}

/* the step itself from bead i on, with the pushes at g1 and g2, which become accelerations; ones where residuals are
 * within the goal and all is finite */
ALWAYS_INLINE carom_lane_mask arrive(const struct carom_stages *s, const double *inverse_mass, size_t i, double *g1,
                                     double *g2, bool one)
{
    const carom_lane inverse = get(inverse_mass + i, one), a1 = get(g1, one) * inverse, a2 = get(g2, one) * inverse;
    const carom_lane lack1 = get(s->z1 + i, one) - (s->both.a * a1 + s->both.b * a2);
    const carom_lane lack2 = get(s->z2 + i, one) - (s->both.c * a1 + s->both.d * a2);
    const carom_lane v = get(s->v + i, one);
    carom_lane x1, v1, x_rest, v_rest;
    carom_compensated_lanes(get(s->x + i, one), get(s->x_low + i, one),
                            s->h * v + (s->both_to_x.a * a1 + s->both_to_x.b * a2), &x1, &x_rest);
    carom_compensated_lanes(v, get(s->v_low + i, one), s->f_to_v.a * a1 + s->f_to_v.b * a2, &v1, &v_rest);
    put(s->to->q + i, x1, one);
    put(s->to->v + i, v1, one);
    put(s->x_rest + i, x_rest, one);
    put(s->v_rest + i, v_rest, one);
    put(g1, a1, one);
    put(g2, a2, one);
    return (carom_lane_abs(lack1) <= s->goal) & (carom_lane_abs(lack2) <= s->goal) & (carom_lane_abs(x1) < HUGE_VAL) &
           (carom_lane_abs(v1) < HUGE_VAL);
}

/* beads [first, last): false if a residual is above the goal */
static bool move(const struct carom_twostage *w, size_t first, size_t last, double *g1, double *g2)
{
    const struct carom_stages s = w->stages; /* a copy, which no store changes */
    const double *inverse = w->chain.beads->inverse_mass;
    carom_lane_mask good = ~(carom_lane_mask){0};
    size_t i = first;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES)
        good &= arrive(&s, inverse, i, g1 + (i - first), g2 + (i - first), false);
    for (; i < last; i++)
        good &= arrive(&s, inverse, i, g1 + (i - first), g2 + (i - first), true);
    return !carom_lane_any(carom_lane_not(good));
}

bool carom_twostage_sweep_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from)
{
    const struct carom_chain *chain = &w->chain;
    const struct carom_stages *s = &w->stages;
    struct carom_stage_block b;
    struct carom_stage_motion motion;
    double g1[CAROM_TWOSTAGE_BLOCK], g2[CAROM_TWOSTAGE_BLOCK];
    bool good = true;
    for (size_t first = 0, last; first < chain->n && good; first = last) {
        last = first + CAROM_TWOSTAGE_BLOCK < chain->n ? first + CAROM_TWOSTAGE_BLOCK : chain->n;
        size_t begin, end;
        carom_chain_beside(chain, first, last, &begin, &end);
        carom_twostage_sweep_contacts(w, model, begin, end, &b);
        stage_push(w, first, last, &b, 0, g1);
        stage_push(w, first, last, &b, 1, g2);
        good = move(w, first, last, g1, g2);
        if (w->quadrature && good) {
            const double more = w->gamma;
            for (size_t i = first; i < last; i++) {
                const double a1 = g1[i - first], a2 = g2[i - first];
                motion.rate[0][i - first + 1] = s->v[i] + (s->r_to_z.a * a1 + s->r_to_z.b * a2) + more * a1;
                motion.rate[1][i - first + 1] = s->v[i] + (s->r_to_z.c * a1 + s->r_to_z.d * a2) + more * a2;
            }
            carom_twostage_ledger_stages(w, model, from, first, last, &b, &motion);
        }
    }
    return good;
}
