/* A box of rigid cells with elastic links, written down from its energy alone and as plainly as can be,
 *
 *     U = sum over links (1/2 k |Du|^2 + 2 r^T B r)
 *       + sum over cells 1/2 lambda share (sum over links part Du.n + pulls)^2,
 *
 * see src/model/solid/solid_pair.h for the letters; it shares no code with that. One loop over links, no lanes, no
 * tables, momenta in axes of space, steps by extrapolation of midpoints (Gragg, Bulirsch and Stoer) to 12th order.
 * Plane bodies are bodies in space that have no third row. */
#ifndef CAROM_TESTS_REFERENCE_CELLS_H
#define CAROM_TESTS_REFERENCE_CELLS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CELLS_MOST = 80, CELLS_LINKS = 240, CELLS_WIDE = 13, CELLS_ROOM = CELLS_MOST * CELLS_WIDE, CELLS_COLUMNS = 6 };
enum cells_shape { CELLS_CONSTANT, CELLS_SINE, CELLS_HALF_SINE, CELLS_RAMP };

struct cells_signal {
    enum cells_shape shape;
    double start, duration, frequency;
};

struct cells_material {
    double young, poisson, density;
};

/* of a link along `axis`, from cell a to b */
struct cells_link {
    int a, b, axis;
    double stiff, part[2], bend[3];
};

struct cells_body {
    int d, count[3], n, nlinks;
    bool plane_stress;
    double edge[3], damping, gravity[3];
    struct cells_material material[2];
    int split; /* cells from this x on are of the second material */
    double centre[CELLS_MOST][3], volume[CELLS_MOST], mass[CELLS_MOST], inertia[CELLS_MOST][3];
    double lambda[CELLS_MOST], shear[CELLS_MOST], share[CELLS_MOST];
    unsigned held[CELLS_MOST], cut[CELLS_MOST]; /* bits: x, y, z, turns about them; across which axes it is cut */
    struct cells_link link[CELLS_LINKS];
    /* one load on a face: traction of fixed direction or, with `follows`, pressure; one force; one drive */
    int pushed_axis, pushed_end; /* -1: none; 0 or 1 */
    double push[3];
    bool follows;
    int forced; /* a cell; -1: none */
    double force[3];
    int driven_axis; /* side `driven_end` is moved along `driven_axis` by `way`; -1: none */
    int driven_side, driven_end;
    double way;
    struct cells_signal push_signal, force_signal, drive_signal;
    double t, middle, y[CELLS_ROOM]; /* of each cell: u, quaternion, v, angular momentum */
};

/* --- vectors and turns ------------------------------------------------------------------------------------------- */

static double cells_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cells_cross(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static void cells_product(const double p[4], const double q[4], double out[4])
{
    double c[3];
    cells_cross(p + 1, q + 1, c);
    out[0] = p[0] * q[0] - cells_dot(p + 1, q + 1);
    for (int k = 0; k < 3; k++)
        out[k + 1] = p[0] * q[k + 1] + q[0] * p[k + 1] + c[k];
}

static void cells_matrix(const double q[4], double r[3][3])
{
    const double a = q[0], b = q[1], c = q[2], d = q[3], s = a * a + b * b + c * c + d * d;
    const double m[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                            {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
                            {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = m[i][j] / s;
}

static void cells_turn(const double r[3][3], const double x[3], double out[3])
{
    const double y[3] = {cells_dot(r[0], x), cells_dot(r[1], x), cells_dot(r[2], x)};
    memcpy(out, y, sizeof y);
}

/* --- building ---------------------------------------------------------------------------------------------------- */

static int cells_number(const struct cells_body *c, const int at[3])
{
    return at[0] + c->count[0] * (at[1] + c->count[1] * at[2]);
}

static void cells_place(const struct cells_body *c, int i, int at[3])
{
    at[0] = i % c->count[0];
    at[1] = i / c->count[0] % c->count[1];
    at[2] = i / c->count[0] / c->count[1];
}

static const struct cells_material *cells_of(const struct cells_body *c, int i)
{
    return &c->material[i % c->count[0] >= c->split];
}

static double cells_halves(unsigned axes)
{
    return 1.0 / (double)((axes & 1U ? 2 : 1) * (axes & 2U ? 2 : 1) * (axes & 4U ? 2 : 1));
}

/* whole sides that are held along their normal are cut */
static void cells_cut(struct cells_body *c)
{
    for (int axis = 0; axis < c->d; axis++)
        for (int end = 0; end < 2; end++) {
            bool all = c->count[axis] > 1;
            for (int turn = 0; turn < 2; turn++)
                for (int i = 0; i < c->n; i++) {
                    int at[3];
                    cells_place(c, i, at);
                    if (at[axis] != (end ? c->count[axis] - 1 : 0))
                        continue;
                    if (turn == 0)
                        all &= c->held[i] >> axis & 1U;
                    else if (all)
                        c->cut[i] |= 1U << axis;
                }
        }
}

static void cells_weigh(struct cells_body *c, int i)
{
    const struct cells_material *m = cells_of(c, i);
    const double whole = c->edge[0] * c->edge[1] * c->edge[2];
    int at[3];
    double loose = 0.0;
    cells_place(c, i, at);
    for (int k = 0; k < c->d; k++) {
        c->centre[i][k] = (at[k] + 0.5) * c->edge[k];
        loose += ((at[k] == 0) + (at[k] + 1 == c->count[k]) - (int)(c->cut[i] >> k & 1U)) * whole / (2.0 * c->d);
    }
    c->volume[i] = whole * cells_halves(c->cut[i]);
    c->mass[i] = m->density * c->volume[i];
    for (int k = 0; k < 3; k++) {
        const double p = c->edge[(k + 1) % 3], q = c->edge[(k + 2) % 3];
        c->inertia[i][k] = c->mass[i] * (p * p + q * q) / 12.0;
    }
    c->shear[i] = 0.5 * m->young / (1.0 + m->poisson);
    c->lambda[i] =
        m->young * m->poisson / ((1.0 + m->poisson) * (1.0 - (c->plane_stress ? m->poisson : 2.0 * m->poisson)));
    c->share[i] =
        1.0 / (c->volume[i] + c->d * c->lambda[i] / (2.0 * c->shear[i]) * fmax(loose, 0.0) * cells_halves(c->cut[i]));
}

static void cells_join(struct cells_body *c, int a, int b, int axis)
{
    const struct cells_material *m = cells_of(c, a), *o = cells_of(c, b);
    struct cells_link *l = &c->link[c->nlinks++];
    const double across = cells_halves(c->cut[a] & c->cut[b] & ~(1U << axis)), far = c->edge[axis];
    const double area = across * c->edge[(axis + 1) % 3] * c->edge[(axis + 2) % 3];
    const double ga = m->young / (1.0 + m->poisson), gb = o->young / (1.0 + o->poisson);
    const double g = 2.0 / (1.0 / ga + 1.0 / gb), e = 2.0 / (1.0 / m->young + 1.0 / o->young);
    *l = (struct cells_link){.a = a, .b = b, .axis = axis, .stiff = area / far * g};
    l->part[0] = 0.5 * area * g / ga;
    l->part[1] = 0.5 * area * g / gb;
    double polar = 0.0;
    for (int k = 0; k < 3; k++)
        if (k != axis && (c->d == 3 || k == 2)) {
            const double thick = c->edge[3 - axis - k];
            l->bend[k] = e * area * thick * thick / 12.0 / far;
            polar += l->bend[k] / e;
        }
    l->bend[axis] = g * polar;
}

/* counts, edges, materials, holds, loads are there; then this */
static void cells_build(struct cells_body *c)
{
    c->n = c->count[0] * c->count[1] * c->count[2];
    c->nlinks = 0;
    cells_cut(c);
    for (int i = 0; i < c->n; i++)
        cells_weigh(c, i);
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->d; k++) {
            int at[3];
            cells_place(c, i, at);
            if (++at[k] < c->count[k])
                cells_join(c, i, cells_number(c, at), k);
        }
    memset(c->y, 0, sizeof c->y);
    for (int i = 0; i < c->n; i++)
        c->y[CELLS_WIDE * i + 3] = 1.0;
}

/* --- what acts ---------------------------------------------------------------------------------------------------- */

/* at t, as it is in the middle of a step: breaks stand at the ends of steps */
static double cells_signal(const struct cells_signal *s, double t, double middle, bool rate)
{
    const double w = s->shape == CELLS_SINE        ? 6.283185307179586 * s->frequency
                     : s->shape == CELLS_HALF_SINE ? 3.141592653589793 / s->duration
                                                   : 0.0;
    const double x = t - s->start, in = middle - s->start;
    if (s->shape == CELLS_CONSTANT)
        return rate ? 0.0 : 1.0;
    if (in < 0.0 || (s->shape == CELLS_HALF_SINE && in > s->duration))
        return 0.0;
    if (s->shape == CELLS_RAMP && in > s->duration)
        return rate ? 0.0 : 1.0;
    if (s->shape == CELLS_RAMP)
        return (rate ? 1.0 : x) / s->duration;
    return rate ? w * cos(w * x) : sin(w * x);
}

static bool cells_on_side(const struct cells_body *c, int i, int axis, int end)
{
    int at[3];
    cells_place(c, i, at);
    return axis >= 0 && at[axis] == (end ? c->count[axis] - 1 : 0);
}

/* the force on the pushed face of a cell, and how the face is pulled along its normal */
static double cells_face(const struct cells_body *c, int i, const double r[3][3], double height, double force[3])
{
    const int axis = c->pushed_axis;
    const double sign = c->pushed_end ? 1.0 : -1.0;
    const double area = c->edge[(axis + 1) % 3] * c->edge[(axis + 2) % 3] * cells_halves(c->cut[i] & ~(1U << axis));
    for (int k = 0; k < 3; k++)
        force[k] = area * height * (c->follows ? -c->push[0] * sign * r[k][axis] : c->push[k]);
    return height * (c->follows ? -c->push[0] : sign * c->push[axis]);
}

static void cells_push(const struct cells_body *c, double t, const double *y, double (*r)[3][3], double *f,
                       double *swell)
{
    const double height = cells_signal(&c->push_signal, t, c->middle, false),
                 other = cells_signal(&c->force_signal, t, c->middle, false);
    (void)y;
    for (int i = 0; i < c->n; i++) {
        for (int k = 0; k < 3; k++)
            f[6 * i + k] += c->mass[i] * c->gravity[k] + (i == c->forced ? other * c->force[k] : 0.0);
        if (!cells_on_side(c, i, c->pushed_axis, c->pushed_end))
            continue;
        double force[3], arm[3] = {0.0, 0.0, 0.0}, torque[3];
        const double pull = cells_face(c, i, (const double(*)[3])r[i], height, force);
        arm[c->pushed_axis] = (c->pushed_end ? 0.5 : -0.5) * c->edge[c->pushed_axis];
        cells_turn((const double(*)[3])r[i], arm, arm);
        cells_cross(arm, force, torque);
        for (int k = 0; k < 3; k++) {
            f[6 * i + k] += force[k];
            f[6 * i + 3 + k] += torque[k];
        }
        const double whole = c->edge[0] * c->edge[1] * c->edge[2] / (2.0 * c->d);
        swell[i] += c->d * whole * cells_halves(c->cut[i] & ~(1U << c->pushed_axis)) * pull / (2.0 * c->shear[i]);
    }
}

struct cells_gap {
    double gap[3], n[3], far, arm[2][3]; /* Du, direction and distance of the centres, arms to the interface */
};

static struct cells_gap cells_gap(const struct cells_body *c, const struct cells_link *l, const double *y,
                                  double (*r)[3][3])
{
    struct cells_gap g;
    const double half = 0.5 * c->edge[l->axis];
    for (int k = 0; k < 3; k++) {
        g.arm[0][k] = half * r[l->a][k][l->axis];
        g.arm[1][k] = -half * r[l->b][k][l->axis];
        g.n[k] = y[CELLS_WIDE * l->b + k] - y[CELLS_WIDE * l->a + k] + (k == l->axis ? 2.0 * half : 0.0);
        g.gap[k] = g.n[k] + g.arm[1][k] - g.arm[0][k];
    }
    g.far = sqrt(cells_dot(g.n, g.n));
    for (int k = 0; k < 3; k++)
        g.n[k] /= g.far;
    return g;
}

static void cells_pull(const struct cells_link *l, const struct cells_gap *g, const double *y, double press,
                       double (*r)[3][3], double *f)
{
    double grip[3], torque[2][3], turn[3], rel[4];
    const double *qa = y + CELLS_WIDE * l->a + 3, *qb = y + CELLS_WIDE * l->b + 3;
    const double back[4] = {qa[0], -qa[1], -qa[2], -qa[3]};
    for (int k = 0; k < 3; k++)
        grip[k] = l->stiff * g->gap[k] + press * g->n[k];
    cells_cross(g->arm[0], grip, torque[0]);
    cells_cross(g->arm[1], grip, torque[1]);
    cells_product(back, qb, rel);
    const double bent[3] = {l->bend[0] * rel[1], l->bend[1] * rel[2], l->bend[2] * rel[3]};
    cells_cross(rel + 1, bent, turn);
    for (int k = 0; k < 3; k++)
        turn[k] = 2.0 * (turn[k] + rel[0] * bent[k]);
    cells_turn((const double(*)[3])r[l->a], turn, turn);
    for (int k = 0; k < 3; k++) {
        const double pull = grip[k] + press * (g->gap[k] - cells_dot(g->gap, g->n) * g->n[k]) / g->far;
        f[6 * l->a + k] += pull;
        f[6 * l->b + k] -= pull;
        f[6 * l->a + 3 + k] += torque[0][k] + turn[k];
        f[6 * l->b + 3 + k] -= torque[1][k] + turn[k];
    }
}

static void cells_forces(const struct cells_body *c, double t, const double *y, double (*r)[3][3], double *f)
{
    static struct cells_gap gap[CELLS_LINKS];
    double swell[CELLS_MOST] = {0.0};
    memset(f, 0, 6 * (size_t)c->n * sizeof *f);
    cells_push(c, t, y, r, f, swell);
    for (int l = 0; l < c->nlinks; l++) {
        const struct cells_link *link = &c->link[l];
        gap[l] = cells_gap(c, link, y, r);
        const double open = cells_dot(gap[l].gap, gap[l].n);
        swell[link->a] += link->part[0] * open;
        swell[link->b] += link->part[1] * open;
    }
    for (int i = 0; i < c->n; i++)
        swell[i] *= c->lambda[i] * c->share[i]; /* now the pressure */
    for (int l = 0; l < c->nlinks; l++) {
        const struct cells_link *link = &c->link[l];
        const double press = link->part[0] * swell[link->a] + link->part[1] * swell[link->b];
        cells_pull(link, &gap[l], y, press, r, f);
    }
}

/* --- motion ------------------------------------------------------------------------------------------------------- */

/* spin from the angular momentum, less what holds about axes of space take */
static void cells_spin(const struct cells_body *c, int i, const double r[3][3], const double *momentum, double spin[3])
{
    const unsigned turns = c->held[i] >> 3 & 7U;
    double inverse[3][3], m[3] = {momentum[0], momentum[1], momentum[2]};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            inverse[a][b] = 0.0;
            for (int k = 0; k < 3; k++)
                inverse[a][b] += r[a][k] * r[b][k] / c->inertia[i][k];
        }
    for (int sweep = 0; sweep < (turns ? 60 : 0); sweep++) /* one axis: once; two: until both are still */
        for (int k = 0; k < 3; k++)
            if (turns >> k & 1U)
                m[k] -= cells_dot(inverse[k], m) / inverse[k][k];
    cells_turn((const double(*)[3])inverse, m, spin);
    for (int k = 0; k < 3; k++)
        if (turns == 7U || (c->d == 2 && (k < 2 || turns & 4U)))
            spin[k] = 0.0;
}

static bool cells_driven(const struct cells_body *c, int i)
{
    return c->driven_axis >= 0 && cells_on_side(c, i, c->driven_side, c->driven_end);
}

static void cells_rates(const struct cells_body *c, double t, const double *y, double *rate)
{
    static double r[CELLS_MOST][3][3], f[6 * CELLS_MOST];
    for (int i = 0; i < c->n; i++)
        cells_matrix(y + CELLS_WIDE * i + 3, r[i]);
    cells_forces(c, t, y, r, f);
    for (int i = 0; i < c->n; i++) {
        const double *at = y + CELLS_WIDE * i;
        double *out = rate + CELLS_WIDE * i, spin[4] = {0.0, 0.0, 0.0, 0.0};
        cells_spin(c, i, (const double(*)[3])r[i], at + 10, spin + 1);
        cells_product(spin, at + 3, out + 3);
        for (int k = 0; k < 4; k++)
            out[3 + k] *= 0.5;
        for (int k = 0; k < 3; k++) {
            const bool held = (c->held[i] >> k & 1U) || k >= c->d;
            out[k] = held ? 0.0 : at[7 + k];
            out[7 + k] = held ? 0.0 : f[6 * i + k] / c->mass[i] - c->damping * at[7 + k];
            out[10 + k] = f[6 * i + 3 + k] - c->damping * at[10 + k];
        }
        if (cells_driven(c, i)) { /* moves as it is told; its velocity is set when asked for */
            out[c->driven_axis] = c->way * cells_signal(&c->drive_signal, t, c->middle, true);
            out[7 + c->driven_axis] = 0.0;
        }
    }
}

/* Gragg's midpoints: `steps` of them over h */
static void cells_midpoints(const struct cells_body *c, double h, int steps, double *out)
{
    static double a[CELLS_ROOM], rate[CELLS_ROOM];
    const int n = CELLS_WIDE * c->n;
    const double s = h / steps;
    memcpy(a, c->y, (size_t)n * sizeof *a);
    cells_rates(c, c->t, a, rate);
    for (int j = 0; j < n; j++)
        out[j] = a[j] + s * rate[j];
    for (int i = 1; i < steps; i++) {
        cells_rates(c, c->t + i * s, out, rate);
        for (int j = 0; j < n; j++) {
            const double next = a[j] + 2.0 * s * rate[j];
            a[j] = out[j];
            out[j] = next;
        }
    }
    cells_rates(c, c->t + h, out, rate);
    for (int j = 0; j < n; j++)
        out[j] = 0.5 * (a[j] + out[j] + s * rate[j]);
}

static void cells_step(struct cells_body *c, double h)
{
    static double table[CELLS_COLUMNS][CELLS_ROOM];
    const int n = CELLS_WIDE * c->n;
    c->middle = c->t + 0.5 * h;
    for (int k = 0; k < CELLS_COLUMNS; k++) {
        cells_midpoints(c, h, 2 * (k + 1), table[k]);
        for (int m = k - 1; m >= 0; m--) {
            const double q = (double)(k + 1) / (double)(m + 1), factor = 1.0 / (q * q - 1.0);
            for (int j = 0; j < n; j++)
                table[m][j] = table[m + 1][j] + factor * (table[m + 1][j] - table[m][j]);
        }
    }
    memcpy(c->y, table[0], (size_t)n * sizeof *c->y);
    c->t += h;
    for (int i = 0; i < c->n; i++) {
        double *q = c->y + CELLS_WIDE * i + 3, size = 0.0;
        for (int k = 0; k < 4; k++)
            size += q[k] * q[k];
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(size);
    }
}

/* To time t in steps of at most h, none of which passes a break of a signal. */
static void cells_to(struct cells_body *c, double t, double h)
{
    const struct cells_signal *all[3] = {&c->push_signal, &c->force_signal, &c->drive_signal};
    while (c->t < t) {
        double stop = t;
        for (int i = 0; i < 3; i++) {
            const double breaks[2] = {all[i]->start, all[i]->start + all[i]->duration};
            for (int k = 0; k < 2; k++)
                if (breaks[k] > c->t * (1.0 + 1e-12) && breaks[k] < stop)
                    stop = breaks[k];
        }
        const double from = c->t, count = ceil((stop - from) / h);
        for (double i = 1.0; i <= count; i++)
            cells_step(c, (stop - from) / count);
        c->t = stop;
    }
}

#endif
