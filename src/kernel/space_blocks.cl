/* Steps of rattle on bodies in space where the processor plays a device: blocks of cells, whose numbers stand cell by
 * cell, as the processor goes through them (solid_grid_pass.h, solid_slice_pass.h, rattle_space_pass.h). Same formulas,
 * same order: same bits. Compiled after brick.h, pair.h and turn.h, all between wide.cl and narrow.cl, and after
 * hinge.h, four.cl and block.cl; BOXES as in space.cl. */

/* --- numbers of four cells ---------------------------------------------------------------------------------------- */

/* `wide` numbers of each cell, 5 to 8: the first four and the last four */
ALWAYS_INLINE void numbers_of(__global const double *x, uint wide, uint4 i, double4 out[8])
{
    double4 row[2][4];
    EACH(l)
    {
        __global const double *from = x + wide * (size_t)i[l];
        row[0][l] = vload4(0, from);
        row[1][l] = vload4(0, from + wide - 4);
    }
    swap(row[0], out);
    swap(row[1], out + 4);
}

/* six numbers of each cell, record by record */
struct six {
    double4 four[4];
    double2 two[4];
};

ALWAYS_INLINE struct six six_of(const double4 x[6])
{
    struct six s;
    swap(x, s.four);
    EACH(l) s.two[l] = (double2)(x[4][l], x[5][l]);
    return s;
}

ALWAYS_INLINE void onto(__global double *f, const struct six *s, uint l)
{
    vstore4(vload4(0, f) + s->four[l], 0, f);
    vstore2(vload2(0, f + 4) + s->two[l], 0, f + 4);
}

ALWAYS_INLINE void off(__global double *f, const struct six *s, uint l)
{
    vstore4(vload4(0, f) - s->four[l], 0, f);
    vstore2(vload2(0, f + 4) - s->two[l], 0, f + 4);
}

#if BOXES

/* --- links of boxes ----------------------------------------------------------------------------------------------- */

/* four cells from the first on; beyond the last there is that again */
ALWAYS_INLINE uint4 cells_from(uint i, uint last)
{
    return min(i + (uint4)(0, 1, 2, 3), (uint4)(last - 1));
}

ALWAYS_INLINE struct carom_brick look(__global const double *q, uint4 i)
{
    double4 x[8];
    numbers_of(q, 7, i, x);
    return (struct carom_brick){{x[0], x[1], x[2]}, x[3], {x[5], x[6], x[7]}};
}

ALWAYS_INLINE uint stride_of(const struct step *t, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? t->grid[0] : t->grid[0] * t->grid[1];
}

/* which of the cells have a neighbour after them along each axis */
ALWAYS_INLINE void linked(const struct step *t, uint i, long4 after[3])
{
    const uint nx = t->grid[0], ny = t->grid[1], nz = t->grid[2];
    const uint x = i % nx, y = i / nx % ny;
    if (x + 4 < nx) { /* nearly always: all in one row, with others after them */
        after[0] = (long4)(-1);
        after[1] = (long4)(y + 1 < ny ? -1 : 0);
        after[2] = (long4)(i / nx / ny + 1 < nz ? -1 : 0);
        return;
    }
    const uint4 at = i + (uint4)(0, 1, 2, 3), row = at / nx, z = row / ny;
    after[0] = convert_long4(at - row * nx + 1 < nx);
    after[1] = convert_long4(row - z * ny + 1 < ny);
    after[2] = convert_long4(z + 1 < nz);
}

/* Links along an axis from cells i on, of those that have one: onto the dilatations of their second cells, as far as
 * these are before `last`, and onto `own`. Cells without one add 0, which changes nothing. */
ALWAYS_INLINE void dilate(const struct step *t, uint i, const struct carom_brick *here, long4 have, int axis, uint last,
                          __global const double *q, __global double *sum, double4 *own)
{
    const uint other = i + stride_of(t, axis);
    const struct shape *s = &t->axis[axis];
    struct carom_brick_bond b;
    if (other >= t->n)
        return;
    const struct carom_brick there = look(q, cells_from(other, t->n));
    carom_brick_join(here, &there, axis, s->apart[axis], &b);
    const double4 open = carom_brick_open(&b), add = select(NONE, s->part[1] * open, have);
    *own += select(NONE, s->part[0] * open, have);
    if (other + 4 <= last)
        vstore4(vload4(0, sum + other) + add, 0, sum + other);
    else
        for (uint l = 0; other + l < last; l++)
            sum[other + l] += add[l];
}

/* the same of forces */
ALWAYS_INLINE void pull(const struct step *t, uint i, const struct carom_brick *here, long4 have, int axis, uint last,
                        __global const double *q, __global const double *pressure, __global double *f, double4 own[6])
{
    const uint other = i + stride_of(t, axis);
    const struct shape *s = &t->axis[axis];
    struct carom_brick_bond b;
    double4 one[6], two[6];
    if (other >= t->n)
        return;
    const uint4 cells = cells_from(i, t->n), others = cells_from(other, t->n);
    const struct carom_brick there = look(q, others);
    carom_brick_join(here, &there, axis, s->apart[axis], &b);
    carom_brick_pull(here, &there, &b, s->stiff, s->bend,
                     s->part[0] * at(pressure, cells) + s->part[1] * at(pressure, others), one, two);
    for (int e = 0; e < 6; e++) {
        own[e] += select(NONE, one[e], have);
        two[e] = select(NONE, two[e], have);
    }
    const struct six six = six_of(two);
    EACH(l)
    if (other + l < last)
        off(f + 6 * (size_t)(other + l), &six, l);
}

/* What links along an axis bring in from cells before the block, `to` dilatations or, where there are pressures,
 * forces. */
ALWAYS_INLINE void come_in(const struct step *t, struct block b, int axis, __global const double *q,
                           __global const double *pressure, __global double *to)
{
    const uint stride = stride_of(t, axis);
    for (uint i = b.first > stride ? b.first - stride : 0; i < b.first; i += 4) {
        const struct carom_brick here = look(q, cells_from(i, t->n));
        double4 own[6] = {NONE, NONE, NONE, NONE, NONE, NONE}; /* another block's affair */
        long4 after[3];
        linked(t, i, after);
        after[axis] &= convert_long4(i + (uint4)(0, 1, 2, 3) < b.first);
        if (pressure)
            pull(t, i, &here, after[axis], axis, b.last, q, pressure, to, own);
        else
            dilate(t, i, &here, after[axis], axis, b.last, q, to, own);
    }
}

/* in the order in which the processor meets links */
ALWAYS_INLINE void dilate_block(const struct step *t, struct block b, __global const double *q, __global double *sum)
{
    come_in(t, b, 2, q, NULL, sum);
    come_in(t, b, 1, q, NULL, sum);
    come_in(t, b, 0, q, NULL, sum);
    for (uint i = b.first; i < b.last; i += 4) {
        const struct carom_brick here = look(q, cells_from(i, t->n));
        double4 own = NONE;
        long4 after[3];
        linked(t, i, after);
        dilate(t, i, &here, after[0], 0, b.last, q, sum, &own);
        dilate(t, i, &here, after[1], 1, b.last, q, sum, &own);
        dilate(t, i, &here, after[2], 2, b.last, q, sum, &own);
        for (uint l = 0; l < 4 && i + l < b.last; l++)
            sum[i + l] += own[l];
    }
}

ALWAYS_INLINE void pull_block(const struct step *t, struct block b, __global const double *q,
                              __global const double *pressure, __global double *f)
{
    come_in(t, b, 2, q, pressure, f);
    come_in(t, b, 1, q, pressure, f);
    come_in(t, b, 0, q, pressure, f);
    for (uint i = b.first; i < b.last; i += 4) {
        const struct carom_brick here = look(q, cells_from(i, t->n));
        double4 own[6] = {NONE, NONE, NONE, NONE, NONE, NONE};
        long4 after[3];
        linked(t, i, after);
        pull(t, i, &here, after[0], 0, b.last, q, pressure, f, own);
        pull(t, i, &here, after[1], 1, b.last, q, pressure, f, own);
        pull(t, i, &here, after[2], 2, b.last, q, pressure, f, own);
        const struct six six = six_of(own);
        EACH(l)
        if (i + l < b.last)
            onto(f + 6 * (size_t)(i + l), &six, l);
    }
}

#else

/* --- links with records ------------------------------------------------------------------------------------------- */

ALWAYS_INLINE struct carom_pair_side_of_four look(__global const double *q, uint4 i)
{
    double4 x[8];
    numbers_of(q, 7, i, x);
    return (struct carom_pair_side_of_four){{x[0], x[1], x[2]}, x[3], {x[5], x[6], x[7]}};
}

ALWAYS_INLINE struct carom_pair_form_of_four form_at(const struct step *t, __global const double *made, uint4 i)
{
    const size_t n = t->nshapes;
    double4 x[9];
    for (int c = 0; c < 9; c++)
        x[c] = made_at(made + c * n, i);
    return (struct carom_pair_form_of_four){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[7], x[8]}};
}

ALWAYS_INLINE struct carom_pair_stiffness_of_four stiffness_at(const struct step *t, __global const double *made,
                                                               uint4 i)
{
    const size_t n = t->nshapes;
    struct carom_pair_stiffness_of_four s = {made_at(made + 6 * n, i)};
    for (int c = 0; c < 6; c++)
        s.bend[c] = made_at(made + (9 + c) * n, i);
    return s;
}

/* four links with their cells */
struct bond {
    struct carom_pair_side_of_four i, j;
    struct carom_pair_form_of_four form;
    struct carom_pair_stretch_of_four stretch;
};

ALWAYS_INLINE struct bond join(const struct step *t, const struct four *l, __global const double *q,
                               __global const double *made)
{
    struct bond b = {look(q, l->own), look(q, l->other), form_at(t, made, l->shape)};
    b.stretch = carom_pair_stretch_of(&b.i, &b.j, &b.form);
    return b;
}

/* What links do to their first cells is added up apart, in `own` if that is not NULL, and joins the rest when it is
 * complete; second cells feel it as far as they are in the block. */
ALWAYS_INLINE void dilate(const struct step *t, const struct four *l, struct block b, __global const double *q,
                          __global const double *made, __global double *sum, __global double *own)
{
    const struct bond s = join(t, l, q, made);
    const double4 open = carom_pair_open(&s.i, &s.j, &s.form, &s.stretch);
    const double4 one = s.form.part[0] * open, two = s.form.part[1] * open;
    EACH(k)
    {
        if (own && k < l->count)
            own[l->own[k]] += one[k];
        if (k < l->count && has(b, l->other[k]))
            sum[l->other[k]] += two[k];
    }
}

ALWAYS_INLINE void pull(const struct step *t, const struct four *l, struct block b, __global const double *q,
                        __global const double *made, __global const double *pressure, __global double *f,
                        __global double *own)
{
    const struct bond s = join(t, l, q, made);
    const struct carom_pair_stiffness_of_four stiffness = stiffness_at(t, made, l->shape);
    const double4 press = s.form.part[0] * at(pressure, l->own) + s.form.part[1] * at(pressure, l->other);
    const struct carom_pair_pull_of_four p = carom_pair_pull_of(&s.i, &s.j, &s.form, &stiffness, &s.stretch, press);
    const double4 one[6] = {p.force.x, p.force.y, p.force.z, p.on_first.x, p.on_first.y, p.on_first.z};
    const double4 two[6] = {p.force.x, p.force.y, p.force.z, p.off_second.x, p.off_second.y, p.off_second.z};
    const struct six on = six_of(one), from = six_of(two);
    EACH(k)
    {
        if (own && k < l->count)
            onto(own + 6 * (size_t)l->own[k], &on, k);
        if (k < l->count && has(b, l->other[k]))
            off(f + 6 * (size_t)l->other[k], &from, k);
    }
}

ALWAYS_INLINE void dilate_block(const struct step *t, struct block b, __global const double *q,
                                __global const uint *start, __global const uint *end, __global const double *made,
                                __global double *sum, __global double *own)
{
    const struct links r = links_of(t, b, start);
    for (uint i = b.first; i < b.last; i++)
        own[i] = 0.0;
    for (uint k = r.early; k < r.first; k += 4) {
        const struct four l = four_of(t, end, k, r.first);
        if (any(&l, b))
            dilate(t, &l, b, q, made, sum, NULL);
    }
    for (uint k = r.first; k < r.last; k += 4) {
        const struct four l = four_of(t, end, k, r.last);
        dilate(t, &l, b, q, made, sum, own);
    }
    for (uint i = b.first; i < b.last; i++)
        sum[i] += own[i];
}

ALWAYS_INLINE void pull_block(const struct step *t, struct block b, __global const double *q,
                              __global const double *pressure, __global const uint *start, __global const uint *end,
                              __global const double *made, __global double *f, __global double *own)
{
    const struct links r = links_of(t, b, start);
    for (size_t i = 6 * (size_t)b.first; i < 6 * (size_t)b.last; i++)
        own[i] = 0.0;
    for (uint k = r.early; k < r.first; k += 4) {
        const struct four l = four_of(t, end, k, r.first);
        if (any(&l, b))
            pull(t, &l, b, q, made, pressure, f, NULL);
    }
    for (uint k = r.first; k < r.last; k += 4) {
        const struct four l = four_of(t, end, k, r.last);
        pull(t, &l, b, q, made, pressure, f, own);
    }
    for (size_t i = 6 * (size_t)b.first; i < 6 * (size_t)b.last; i++)
        f[i] += own[i];
}

#endif

/* --- cells -------------------------------------------------------------------------------------------------------- */

/* four cells of a portion, the last of them again beyond it; turn: what the turn of a step comes from, and its size */
struct group {
    uint4 i, sort;
    uint count;
    bool alike; /* all of one sort */
    struct carom_lane3_of_four turn;
    double4 size;
};

ALWAYS_INLINE struct group group_of(uint i, uint last, __global const uint *sort)
{
    struct group g = {min(i + (uint4)(0, 1, 2, 3), (uint4)(last - 1))};
    g.count = min(4U, last - i);
    g.sort = (uint4)(sort[g.i.s0], sort[g.i.s1], sort[g.i.s2], sort[g.i.s3]);
    g.alike = g.sort.s0 == g.sort.s1 && g.sort.s0 == g.sort.s2 && g.sort.s0 == g.sort.s3;
    return g;
}

/* a number of the sorts of cells, from where the first sort has it */
ALWAYS_INLINE double4 of_sorts(const struct group *g, __global const double *x)
{
    const size_t wide = sizeof(struct sort) / sizeof(double);
    return g->alike ? (double4)(x[wide * g->sort.s0])
                    : (double4)(x[wide * g->sort.s0], x[wide * g->sort.s1], x[wide * g->sort.s2], x[wide * g->sort.s3]);
}

ALWAYS_INLINE struct carom_lane3_of_four three_of_sorts(const struct group *g, __global const double *x)
{
    return (struct carom_lane3_of_four){of_sorts(g, x), of_sorts(g, x + 1), of_sorts(g, x + 2)};
}

ALWAYS_INLINE struct carom_turn frame_of(const struct group *g, __global const struct sort *sorts)
{
    return (struct carom_turn){of_sorts(g, sorts->frame), three_of_sorts(g, sorts->frame + 1)};
}

/* the axes that a cell does not turn about, while it turns about others */
ALWAYS_INLINE unsigned hinges(unsigned held)
{
    return held >> 3 == 7 ? 0 : held >> 3;
}

/* half a step of force, where nothing holds; turns are held if all are */
ALWAYS_INLINE void kick(const struct step *t, const struct group *g, double time, __global const uchar *held,
                        __global const double *q0, __global const struct sort *sorts, const double4 f[6], double4 u[6])
{
    const double4 light = time * of_sorts(g, &sorts->inverse_mass);
    double4 v[6];
    for (int k = 0; k < 6; k++)
        v[k] = u[k] + (k < 3 ? light : (double4)(time)) * f[k];
    for (int k = 0; k < 6 && t->holds; k++)
        EACH(l)
    {
        const unsigned mask = held[g->i[l]];
        if (k >= 3 ? mask >> 3 == 7 : mask >> k & 1)
            v[k][l] = u[k][l];
    }
    for (int k = 0; k < 6; k++)
        u[k] = v[k];
    for (uint l = 0; l < 4 && t->holds; l++) {
        __global const struct sort *s = &sorts[g->sort[l]];
        double at[4], frame[4], inverse[3], axes[4], momentum[3];
        if (hinges(held[g->i[l]]) == 0)
            continue;
        for (int k = 0; k < 4; k++) {
            at[k] = q0[7 * (size_t)g->i[l] + 3 + k];
            frame[k] = s->frame[k];
            inverse[k % 3] = s->inverse_inertia[k % 3];
            momentum[k % 3] = u[3 + k % 3][l];
        }
        carom_quat_product(at, frame, axes);
        carom_hinge_balance(hinges(held[g->i[l]]), inverse, axes, momentum);
        for (int k = 0; k < 3; k++)
            u[3 + k][l] = momentum[k];
    }
}

/* By forces f: the second kick of the step that ends, the first kick and the way of the one that begins, or one of the
 * two. wrong: set where the motion is not finite. */
ALWAYS_INLINE void move(const struct step *t, struct group *g, __global const double *force, __global const double *q0,
                        __global double *q1, __global double *v, __global const struct sort *sorts,
                        __global const uchar *held, __global int *wrong)
{
    double4 f[8], u[8], x[8], sum = NONE;
    numbers_of(force, 6, g->i, f);
    numbers_of(v, 6, g->i, u);
    for (int k = 4; k < 6; k++) { /* the last four of six begin with two of the first */
        f[k] = f[k + 2];
        u[k] = u[k + 2];
    }
    if (t->ends)
        kick(t, g, t->end, held, q0, sorts, f, u);
    for (int k = 0; k < 6; k++)
        sum += size_of(u[k]);
    if (!all(sum < INFINITY))
        *wrong = 1;
    g->size = NONE;
    if (t->begins) {
        kick(t, g, t->begin, held, q0, sorts, f, u);
        for (int k = 0; k < 6; k++)
            u[k] = still(u[k], t->still[k >= 3]);
        numbers_of(q0, 7, g->i, x);
        for (int k = 0; k < 3; k++)
            x[k] = x[k] + t->h * u[k];
        const struct carom_lane3_of_four momentum = {u[3], u[4], u[5]};
        struct carom_turn q = {x[3], {x[5], x[6], x[7]}};
        if (t->framed)
            q = carom_turn_product(q, frame_of(g, sorts));
        const struct carom_lane3_of_four moment = carom_turn_back(q, momentum),
                                         inverse = three_of_sorts(g, sorts->inverse_inertia);
        g->turn = (struct carom_lane3_of_four){still(moment.x * (t->begin * inverse.x), t->still[2]),
                                               still(moment.y * (t->begin * inverse.y), t->still[2]),
                                               still(moment.z * (t->begin * inverse.z), t->still[2])};
        g->size = size_of(g->turn.x) + size_of(g->turn.y) + size_of(g->turn.z);
        double4 to[4];
        swap(x, to);
        for (uint l = 0; l < g->count; l++)
            vstore3(to[l].s012, 0, q1 + 7 * (size_t)g->i[l]);
    }
    const struct six six = six_of(u);
    for (uint l = 0; l < g->count; l++) {
        vstore4(six.four[l], 0, v + 6 * (size_t)g->i[l]);
        vstore2(six.two[l], 0, v + 6 * (size_t)g->i[l] + 4);
    }
}

/* the turn of a cell with hinges; false: too fast */
ALWAYS_INLINE bool turn_hinged(unsigned held, double h, __global const struct sort *s, __global const double *q0,
                               __global const double *v, __global double *q1)
{
    double at[4], next[4], inverse[3], frame[4], momentum[3];
    for (int k = 0; k < 4; k++) {
        at[k] = q0[3 + k];
        frame[k] = s->frame[k];
        inverse[k % 3] = s->inverse_inertia[k % 3];
        momentum[k % 3] = v[3 + k % 3];
    }
    const bool good = carom_hinge_step(hinges(held), inverse, frame, h, at, momentum, next);
    for (int k = 0; k < 4; k++)
        q1[3 + k] = next[k];
    return good;
}

/* The turns of cells. largest: size of any in their portion; lopsided: of the portion. wrong: set where a cell turns
 * beyond the bound, which is the processor's to do. */
ALWAYS_INLINE void turn(const struct step *t, const struct group *g, double largest, double lopsided,
                        __global const double *q0, __global double *q1, __global const double *v,
                        __global const struct sort *sorts, __global const uchar *held, __global int *wrong)
{
    double4 x[8], row[4], to[4];
    struct carom_turn e;
    if (!all(g->size <= 0.5 * CAROM_TURN_BOUND))
        *wrong = 1;
    numbers_of(q0, 7, g->i, x);
    if (carom_turn_is_small(largest, lopsided)) {
        e = carom_turn_small_step(g->turn);
    } else {
        const int rounds = largest <= 0.5 * CAROM_TURN_BOUND ? carom_turn_rounds(largest, lopsided) : 0;
        struct carom_lane3_of_four y = g->turn;
        for (int r = 0; r < rounds; r++)
            y = carom_turn_round(g->turn, three_of_sorts(g, sorts->skew), y);
        e = carom_turn_step(y);
    }
    if (t->framed)
        e.w = carom_turn_forth(frame_of(g, sorts), e.w);
    const struct carom_turn q = carom_turn_on((struct carom_turn){x[3], {x[5], x[6], x[7]}}, e);
    row[0] = g->size > 0.0 ? q.a : x[3];
    row[1] = g->size > 0.0 ? q.w.x : x[5];
    row[2] = g->size > 0.0 ? q.w.y : x[6];
    row[3] = g->size > 0.0 ? q.w.z : x[7];
    swap(row, to);
    for (uint l = 0; l < g->count; l++) {
        const size_t i = g->i[l];
        vstore4(to[l], 0, q1 + 7 * i + 3);
        if (t->holds && hinges(held[i]) != 0 &&
            !turn_hinged(held[i], t->h, &sorts[g->sort[l]], q0 + 7 * i, v + 6 * i, q1 + 7 * i))
            *wrong = 1;
    }
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* pressures of a block's cells */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
press(const struct step t, __global const double *q, __global const uint *start, __global const uint *end,
      __global const double *made, __global const uint *sort, __global const struct sort *sorts,
      __global const int *first, __global const struct push *push, __global double *pressure, __global double *apart)
{
    const struct block b = block_of(&t);
    for (uint i = b.first; i < b.last; i++)
        pressure[i] = pushed(&t, i, first, push);
#if BOXES
    dilate_block(&t, b, q, pressure);
#else
    dilate_block(&t, b, q, start, end, made, pressure, apart);
#endif
    for (uint i = b.first; i < b.last; i++)
        pressure[i] *= sorts[sort[i]].factor;
}

/* Forces of a block's cells, then kicks, way and turns of a step, portion by portion. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
advance(const struct step t, __global const double *q0, __global double *q1, __global double *v,
        __global const double *pressure, __global const uint *start, __global const uint *end,
        __global const double *made, __global const uint *sort, __global const struct sort *sorts,
        __global const uchar *held, __global const int *first, __global const struct push *push,
        __global const double *lopsided, __global double *force, __global int *wrong, __global double *apart)
{
    const struct block b = block_of(&t);
    if (t.forces != TAKEN) {
        load_block(&t, b, sort, sorts, first, push, 3, force);
#if BOXES
        pull_block(&t, b, q0, pressure, force);
#else
        pull_block(&t, b, q0, pressure, start, end, made, force, apart);
#endif
    }
    for (uint i = b.first; i < b.last; i += CAROM_TURN_PORTION) {
        const uint last = min(i + CAROM_TURN_PORTION, b.last), groups = (last - i + 3) / 4;
        struct group g[CAROM_TURN_PORTION / 4];
        double4 size = NONE;
        for (uint k = 0; k < groups; k++) {
            g[k] = group_of(i + 4 * k, last, sort);
            move(&t, &g[k], force, q0, q1, v, sorts, held, wrong);
            size = g[k].size > size ? g[k].size : size;
        }
        const double one = size.s0 > size.s1 ? size.s0 : size.s1, two = size.s2 > size.s3 ? size.s2 : size.s3,
                     largest = one > two ? one : two;
        for (uint k = 0; k < groups && t.begins; k++)
            turn(&t, &g[k], largest, lopsided[i / CAROM_TURN_PORTION], q0, q1, v, sorts, held, wrong);
    }
}
