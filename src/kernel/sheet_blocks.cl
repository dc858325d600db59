/* Steps of rattle on a plane box of one material where the processor plays a device: each place has some columns and
 * rows of cells and goes up through them as the processor does (solid_sheet_pass.h, rattle_sheet_pass.h), four cells at
 * a time: a row arrives, the one before is measured, the one before that is moved on. Same formulas, same order: same
 * bits. Compiled after sheet.h, between wide.cl and narrow.cl, turn.h, four.cl and sheet_step.cl, and lines that say
 * how many columns a place looks at, ALONG, of which four on either side are neighbours', and LINES rows. */

#define PAD 4
enum { LESS = 2, SINE = 3, PLACES = 4 };
enum { GAP_X, GAP_Y, APART_X, APART_Y, INVERSE, MEASURES };

/* Rows at hand: cells as links see them; measures of links to the right and upwards, how far these are open by axis;
 * pressures; what links upwards do. */
struct rows {
    double place[3][PLACES][ALONG + PAD], link[2][2][MEASURES][ALONG], open[2][2][PAD + ALONG];
    double pressure[2][ALONG + PAD], above[2][CAROM_SHEET_PULLS][ALONG];
};

/* where a place is at work: the column at which its rows begin and how many of them it looks at; its own rows */
struct field {
    int left, along, bottom, top;
};

ALWAYS_INLINE struct field field_of(const struct step *t)
{
    const int left = (int)get_global_id(0) * (ALONG - 2 * PAD) - PAD, bottom = (int)get_global_id(1) * LINES;
    const int along = (int)t->nx - left + PAD;
    return (struct field){left, min(ALONG, (along + 3) / 4 * 4), bottom, min(bottom + LINES, (int)t->ny)};
}

/* columns of four cells; beyond the ends there are the last ones again, so that rows are full of something harmless */
ALWAYS_INLINE int4 columns(const struct step *t, int x)
{
    return clamp(x + (int4)(0, 1, 2, 3), 0, (int)t->nx - 1);
}

ALWAYS_INLINE bool inside(const struct step *t, int x)
{
    return x >= 0 && x + 4 <= (int)t->nx;
}

ALWAYS_INLINE void arrive(const struct step *t, const struct field *w, int y, __global const double4 *q,
                          struct rows *r)
{
    double (*place)[ALONG + PAD] = r->place[y % 3];
    __global const double4 *cell = q + (size_t)y * t->nx;
    for (int l = 0; l < w->along + PAD; l += 4) {
        const int at = w->left + l;
        const int4 x = columns(t, at);
        double4 row[4], own[4], less, sine;
        EACH(k) row[k] = inside(t, at) ? cell[at + k] : cell[x[k]];
        swap(row, own);
        carom_sheet_angle(own[2], own[3], &less, &sine);
        vstore4(own[0], 0, place[0] + l);
        vstore4(own[1], 0, place[1] + l);
        vstore4(less, 0, place[LESS] + l);
        vstore4(sine, 0, place[SINE] + l);
    }
}

/* Links along an axis from cells of row y. Those that would lead over an end are struck out. */
ALWAYS_INLINE void measure(const struct step *t, const struct field *w, int k, int y, struct rows *r)
{
    const struct carom_sheet_axis a = t->axis[k];
    const int c = 1 - k, shift = k == 0 ? 1 : 0;
    const double (*i)[ALONG + PAD] = r->place[y % 3], (*j)[ALONG + PAD] = r->place[(y + k) % 3];
    double (*to)[ALONG] = r->link[k][y % 2], *opens = r->open[k][y % 2] + PAD;
    for (int l = 0; l < w->along; l += 4) {
        const int x = w->left + l;
        const double4 along[1] = {vload4(0, j[k] + l + shift) - vload4(0, i[k] + l)},
                      aside[1] = {vload4(0, j[c] + l + shift) - vload4(0, i[c] + l)},
                      less[1] = {vload4(0, i[LESS] + l) + vload4(0, j[LESS] + l + shift)},
                      sine[1] = {vload4(0, i[SINE] + l) + vload4(0, j[SINE] + l + shift)};
        double4 gap[2], apart[2], inverse, square, open;
        carom_sheet_measure(1, a, k, along, aside, less, sine, &gap[k], &gap[c], &apart[k], &inverse, &square, &open);
        apart[c] = aside[0];
        if (any(square > CAROM_SHEET_NEAR))
            carom_sheet_measure_far(a, gap, apart, &inverse, &open);
        if (k == 0 && (x < 0 || x + 4 >= (int)t->nx)) {
            const int4 at = x + (int4)(0, 1, 2, 3);
            const long4 is = convert_long4(at >= 0 && at + 1 < (int)t->nx);
            open = select(NONE, open, is);
            inverse = select(NONE, inverse, is);
            for (int e = 0; e < 2; e++)
                gap[e] = select(NONE, gap[e], is);
        }
        for (int e = 0; e < 2; e++) {
            vstore4(gap[e], 0, to[GAP_X + e] + l);
            vstore4(apart[e], 0, to[APART_X + e] + l);
        }
        vstore4(inverse, 0, to[INVERSE] + l);
        vstore4(open, 0, opens + l);
    }
}

/* pressures of row y, whose links are measured, as are those below; with what loads add */
ALWAYS_INLINE void press_row(const struct step *t, const struct field *w, int y, __global const double *scale,
                             __global const int *first, __global const struct push *push, struct rows *r)
{
    const double *across = r->open[0][y % 2] + PAD, *up = r->open[1][y % 2] + PAD,
                 *down = r->open[1][(y + 1) % 2] + PAD;
    __global const double *of_row = scale + (y + 1 == (int)t->ny ? 2 : y == 0 ? 0 : 1) * t->nx;
    for (int l = 0; l < w->along; l += 4) {
        const int at = w->left + l;
        const int4 x = columns(t, at);
        double4 sum = vload4(0, across + l - 1) + vload4(0, across + l);
        sum += vload4(0, down + l) + vload4(0, up + l);
        double4 p = sum * (inside(t, at) ? vload4(0, of_row + at)
                                         : (double4)(of_row[x.s0], of_row[x.s1], of_row[x.s2], of_row[x.s3]));
        for (int k = 0; k < 4 && t->loads; k++)
            p[k] = swollen(p[k], (size_t)y * t->nx + x[k], first, push);
        vstore4(p, 0, r->pressure[y % 2] + l);
    }
}

ALWAYS_INLINE void pull(const struct carom_sheet_axis a, const double (*m)[ALONG], int l, double4 open,
                        double4 pressures, const double4 less[2], const double4 sine[2],
                        double4 out[CAROM_SHEET_PULLS])
{
    const double4 gap[2] = {vload4(0, m[GAP_X] + l), vload4(0, m[GAP_Y] + l)},
                  apart[2] = {vload4(0, m[APART_X] + l), vload4(0, m[APART_Y] + l)};
    carom_sheet_pull(a, gap, apart, vload4(0, m[INVERSE] + l), open, pressures, less, sine, out);
}

/* what links from row y to the one above do */
ALWAYS_INLINE void pull_up(const struct step *t, const struct field *w, int y, struct rows *r)
{
    const double (*i)[ALONG + PAD] = r->place[y % 3], (*j)[ALONG + PAD] = r->place[(y + 1) % 3];
    for (int l = 0; l < w->along; l += 4) {
        const double4 less[2] = {vload4(0, i[LESS] + l), vload4(0, j[LESS] + l)},
                      sine[2] = {vload4(0, i[SINE] + l), vload4(0, j[SINE] + l)},
                      p = vload4(0, r->pressure[y % 2] + l) + vload4(0, r->pressure[(y + 1) % 2] + l);
        double4 out[CAROM_SHEET_PULLS];
        pull(t->axis[1], r->link[1][y % 2], l, vload4(0, r->open[1][y % 2] + PAD + l), p, less, sine, out);
        for (int e = 0; e < CAROM_SHEET_PULLS; e++)
            vstore4(out[e], 0, r->above[y % 2][e] + l);
    }
}

/* the turn of a step of four cells, as in rattle_sheet_pass.h; false: too fast */
ALWAYS_INLINE bool turn(double4 x, double4 *a, double4 *d)
{
    const double4 xs[1] = {x}, w[1] = {x * x};
    bool good = true;
    double4 old[2] = {*a, *d};
    carom_sheet_turn(1, xs, w, a, d);
    if (any(w[0] > CAROM_SHEET_SLOW))
        EACH(l)
    if (w[0][l] > CAROM_SHEET_SLOW) {
        double e[2];
        const double mend = 1.5 - 0.5 * (old[0][l] * old[0][l] + old[1][l] * old[1][l]), a0 = mend * old[0][l],
                     d0 = mend * old[1][l];
        if (carom_turn_plane(x[l], e)) {
            (*a)[l] = a0 * e[0] - d0 * e[1];
            (*d)[l] = d0 * e[0] + a0 * e[1];
        } else {
            good = false;
        }
    }
    return good;
}

/* one half of a kick, where nothing holds */
ALWAYS_INLINE void kick(const struct step *t, const double gain[3], size_t i, int count, const double4 f[3],
                        __global const uchar *held, double4 u[3])
{
    for (int k = 0; k < 3; k++) {
        const double4 v = u[k] + gain[k] * f[k];
        if (!t->holds)
            u[k] = v;
        for (int l = 0; t->holds && l < count; l++)
            if (!(held[i + l] >> (k == 2 ? 5 : k) & 1U))
                u[k][l] = v[l];
    }
}

/* The second kick of the step that ends, the first kick and the drift of the one that begins, or one of the two, of
 * `count` cells from i on. wrong: set where a cell turns too fast or its motion is not finite; the processor then says
 * which. */
ALWAYS_INLINE void move(const struct step *t, size_t i, int count, double4 f[3], __global const double4 *q0,
                        __global double4 *q1, __global double *v, __global const uchar *held, __global int *wrong)
{
    double4 u[3] = {NONE, NONE, NONE}, row[4], x[4];
    if (count == 4) {
        const double4 a = vload4(0, v + 3 * i), b = vload4(1, v + 3 * i), c = vload4(2, v + 3 * i);
        u[0] = (double4)(a.s0, a.s3, b.s2, c.s1);
        u[1] = (double4)(a.s1, b.s0, b.s3, c.s2);
        u[2] = (double4)(a.s2, b.s1, c.s0, c.s3);
    }
    for (int l = 0; l < count && count < 4; l++)
        for (int k = 0; k < 3; k++)
            u[k][l] = v[3 * (i + l) + k];
    if (t->ends)
        kick(t, t->end, i, count, f, held, u);
    if (t->ends && !all(size_of(u[0]) + size_of(u[1]) + size_of(u[2]) < INFINITY))
        *wrong = 1;
    if (t->begins) {
        kick(t, t->begin, i, count, f, held, u);
        EACH(l) row[l] = q0[i + min((int)l, count - 1)];
        swap(row, x);
        if (!turn(t->rate * still(u[2], t->still[1]), &x[2], &x[3]))
            *wrong = 1;
        for (int k = 0; k < 2; k++)
            x[k] = x[k] + t->h * still(u[k], t->still[0]);
        swap(x, row);
        for (int l = 0; l < count; l++)
            q1[i + l] = row[l];
    }
    if (count == 4) {
        vstore4((double4)(u[0].s0, u[1].s0, u[2].s0, u[0].s1), 0, v + 3 * i);
        vstore4((double4)(u[1].s1, u[2].s1, u[0].s2, u[1].s2), 1, v + 3 * i);
        vstore4((double4)(u[2].s2, u[0].s3, u[1].s3, u[2].s3), 2, v + 3 * i);
    }
    for (int l = 0; l < count && count < 4; l++)
        for (int k = 0; k < 3; k++)
            v[3 * (i + l) + k] = u[k][l];
}

/* forces of row y, by which its cells move on */
ALWAYS_INLINE void leave(const struct step *t, const struct field *w, int y, const struct rows *r,
                         __global const double4 *q0, __global double4 *q1, __global double *v,
                         __global const uchar *held, __global const int *first, __global const struct push *push,
                         __global double *force, __global int *wrong)
{
    const double arm[2] = {t->axis[0].arm, t->axis[1].arm}, weight[2] = {t->weight[0], t->weight[1]};
    const double *less = r->place[y % 3][LESS], *sine = r->place[y % 3][SINE], *p = r->pressure[y % 2];
    double4 before[CAROM_SHEET_PULLS];
    for (int l = 0; l < w->along - PAD; l += 4) {
        const double4 both_less[2] = {vload4(0, less + l), vload4(0, less + l + 1)},
                      both_sine[2] = {vload4(0, sine + l), vload4(0, sine + l + 1)};
        double4 right[CAROM_SHEET_PULLS], side[CAROM_SHEET_PULLS], pile[CAROM_SHEET_PULLS], f[3];
        pull(t->axis[0], r->link[0][y % 2], l, vload4(0, r->open[0][y % 2] + PAD + l),
             vload4(0, p + l) + vload4(0, p + l + 1), both_less, both_sine, right);
        for (int e = 0; e < CAROM_SHEET_PULLS && l > 0; e++) {
            const double4 left = (double4)(before[e].s3, right[e].s012);
            side[e] = carom_sheet_both(e, right[e], left);
            pile[e] = carom_sheet_both(e, vload4(0, r->above[y % 2][e] + l), vload4(0, r->above[(y + 1) % 2][e] + l));
        }
        for (int e = 0; e < CAROM_SHEET_PULLS; e++)
            before[e] = right[e];
        if (l == 0) /* neighbours' */
            continue;
        const size_t i = (size_t)y * t->nx + w->left + l;
        const int count = min(4, (int)t->nx - w->left - l);
        carom_sheet_gather(arm, weight, side, pile, both_less[0], both_sine[0], f);
        for (int k = 0; k < count && t->keeps; k++)
            for (int e = 0; e < 3; e++)
                force[3 * (i + k) + e] = f[e][k];
        for (int k = 0; k < count && t->loads; k++) {
            double one[3] = {f[0][k], f[1][k], f[2][k]};
            shove(i + k, 3, first, push, one);
            for (int e = 0; e < 3; e++)
                f[e][k] = one[e];
        }
        move(t, i, count, f, q0, q1, v, held, wrong);
    }
}

ALWAYS_INLINE void strike(double (*row)[ALONG], int count)
{
    for (int e = 0; e < count; e++)
        for (int l = 0; l < ALONG; l++)
            row[e][l] = 0.0;
}

/* row y has come, if there is one: the links of the row before are measured, and its pressures are known */
ALWAYS_INLINE void settle(const struct step *t, const struct field *w, int y, __global const double4 *q,
                          __global const double *scale, __global const int *first, __global const struct push *push,
                          struct rows *r)
{
    if (y < (int)t->ny)
        arrive(t, w, y, q, r);
    if (y - 1 < max(w->bottom - 2, 0) || y - 1 >= (int)t->ny)
        return;
    measure(t, w, 0, y - 1, r);
    if (y < (int)t->ny)
        measure(t, w, 1, y - 1, r);
    else
        for (int l = 0; l < ALONG; l++)
            r->open[1][(y - 1) % 2][PAD + l] = 0.0;
    press_row(t, w, y - 1, scale, first, push, r);
}

ALWAYS_INLINE void begin(struct rows *r)
{
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < PAD + ALONG; l++)
            r->open[0][k][l] = r->open[1][k][l] = r->pressure[k][l] = 0.0;
    strike(r->above[0], CAROM_SHEET_PULLS);
    strike(r->above[1], CAROM_SHEET_PULLS);
}

/* pressures alone, which the processor wants to know of loaded cells */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
press(const struct step t, __global const double4 *q, __global const double *scale, __global const int *first,
      __global const struct push *push, __global double *pressure)
{
    const struct field w = field_of(&t);
    struct rows r;
    begin(&r);
    for (int y = max(w.bottom - 2, 0); y <= w.top; y++) {
        settle(&t, &w, y, q, scale, first, push, &r);
        for (int l = PAD; l < ALONG - PAD && w.left + l < (int)t.nx && y - 1 >= w.bottom; l++)
            pressure[(size_t)(y - 1) * t.nx + w.left + l] = r.pressure[(y - 1) % 2][l];
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
        __global const double *scale, __global const uchar *held, __global const int *first,
        __global const struct push *push, __global double *force, __global int *wrong)
{
    const struct field w = field_of(&t);
    struct rows r;
    begin(&r);
    for (int y = max(w.bottom - 2, 0); y < w.top + 2; y++) {
        settle(&t, &w, y, q0, scale, first, push, &r);
        if (y - 2 < max(w.bottom - 1, 0))
            continue;
        if (y - 1 < (int)t.ny)
            pull_up(&t, &w, y - 2, &r);
        else
            strike(r.above[y % 2], CAROM_SHEET_PULLS);
        if (y - 2 >= w.bottom)
            leave(&t, &w, y - 2, &r, q0, q1, v, held, first, push, force, wrong);
    }
}

/* a step begins with forces that were kept */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
depart(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
       __global const uchar *held, __global const int *first, __global const struct push *push,
       __global const double *force, __global int *wrong)
{
    const struct field w = field_of(&t);
    for (int y = w.bottom; y < w.top; y++)
        for (int x = w.left + PAD; x < min(w.left + ALONG - PAD, (int)t.nx); x += 4) {
            const size_t i = (size_t)y * t.nx + x;
            const int count = min(4, (int)t.nx - x);
            double4 f[3] = {NONE, NONE, NONE};
            for (int k = 0; k < count; k++) {
                double one[3] = {force[3 * (i + k)], force[3 * (i + k) + 1], force[3 * (i + k) + 2]};
                if (t.loads)
                    shove(i + k, 3, first, push, one);
                for (int e = 0; e < 3; e++)
                    f[e][k] = one[e];
            }
            move(&t, i, count, f, q0, q1, v, held, wrong);
        }
}
