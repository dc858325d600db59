/* Rates of the links and stiffness-proportional damping: the links' viscous forces are b times the rates of their
 * elastic ones at a frozen configuration, f = -b K' v with K' the part of the stiffness that is a square of rates
 * (it is all of it in an unloaded body). So power v . f <= 0 always for nu >= 0, and rigid motion is not damped. */
#include "model/solid.h"

/* what a link's rates are made of; plane links are links in space that turn about z */
struct rates {
    const struct carom_solid_shape *shape;
    size_t cell[2];
    double arm[2][3], normal[3], aside[3];
    double gap[3], twist[3]; /* rates of Du and of the relative turn, space axes */
    double open;             /* of Du . n, the normal at rest */
    double axes[4];          /* of the first cell, in which `bend` is given */
};

static void velocity(const struct carom_solid *s, const double *w, size_t cell, double v[3], double spin[3])
{
    const double *at = w + s->fast * cell;
    for (int k = 0; k < 3; k++) {
        v[k] = k < s->dimension ? at[k] : 0.0;
        spin[k] = s->dimension == 3 ? at[3 + k] : k == 2 ? at[2] : 0.0;
    }
}

static void find(const struct carom_solid *s, const double *q, const double *w, const struct carom_solid_link *l,
                 struct rates *r)
{
    double v[2][3], spin[2][3], turn[2][4], apart[3];
    r->shape = &s->shape[l->shape];
    for (int side = 0; side < 2; side++) {
        double arm[3];
        r->cell[side] = l->cell[side];
        velocity(s, w, l->cell[side], v[side], spin[side]);
        carom_solid_quaternion(s, q, l->cell[side], turn[side]);
        for (int k = 0; k < 3; k++)
            arm[k] = r->shape->arm[k] - (side == 1 ? r->shape->apart[k] : 0.0);
        carom_solid_turn(turn[side], arm, r->arm[side]);
    }
    const double *from = q + s->wide * l->cell[0], *to = q + s->wide * l->cell[1];
    double sweep[2][3], length = 0.0, gap[3];
    carom_solid_cross(spin[0], r->arm[0], sweep[0]);
    carom_solid_cross(spin[1], r->arm[1], sweep[1]);
    for (int k = 0; k < 3; k++) {
        apart[k] = r->shape->apart[k] + (k < s->dimension ? to[k] - from[k] : 0.0);
        length += apart[k] * apart[k];
        gap[k] = apart[k] + r->arm[1][k] - r->arm[0][k];
        r->gap[k] = v[1][k] - v[0][k] + sweep[1][k] - sweep[0][k];
        r->twist[k] = spin[1][k] - spin[0][k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        r->normal[k] = apart[k] / length;
    /* Du . n changes with the normal as well */
    const double open = carom_solid_dot(gap, r->normal);
    r->open = carom_solid_dot(r->gap, r->normal);
    for (int k = 0; k < 3; k++) {
        r->aside[k] = (gap[k] - open * r->normal[k]) / length;
        r->open += r->aside[k] * (v[1][k] - v[0][k]);
    }
    for (int k = 0; k < 4; k++)
        r->axes[k] = turn[0][k];
}

/* B twist in space axes */
static void bend(const struct carom_solid *s, const struct rates *r, double out[3])
{
    const double *b = r->shape->bend;
    if (s->dimension == 2) {
        out[0] = out[1] = 0.0;
        out[2] = b[0] * r->twist[2];
        return;
    }
    double x[3], y[3];
    carom_solid_turn_back(r->axes, r->twist, x);
    y[0] = b[0] * x[0] + b[5] * x[1] + b[4] * x[2];
    y[1] = b[5] * x[0] + b[1] * x[1] + b[3] * x[2];
    y[2] = b[4] * x[0] + b[3] * x[1] + b[2] * x[2];
    carom_solid_turn(r->axes, y, out);
}

static void add(const struct carom_solid *s, size_t cell, double sign, const double force[3], const double torque[3],
                double *f)
{
    double *at = f + s->fast * cell;
    for (int k = 0; k < s->dimension; k++)
        at[k] += sign * force[k];
    for (int k = 0; k < 3 && s->dimension == 3; k++)
        at[3 + k] += torque[k];
    if (s->dimension == 2)
        at[2] += torque[2];
}

double carom_solid_rates_drag(const struct carom_solid *s, const double *q, const double *w, double *rate, double *f)
{
    struct rates r;
    double power = 0.0;
    for (size_t i = 0; i < s->n; i++)
        rate[i] = 0.0;
    for (size_t l = 0; l < s->nlinks; l++) {
        find(s, q, w, &s->link[l], &r);
        for (int side = 0; side < 2; side++)
            rate[r.cell[side]] += r.shape->part[side] * r.open;
    }
    if (!f)
        return 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        power += sort->lambda * sort->share * rate[i] * rate[i];
    }
    for (size_t l = 0; l < s->nlinks; l++) {
        find(s, q, w, &s->link[l], &r);
        double press = 0.0, grip[3], flex[3], torque[2][3];
        for (int side = 0; side < 2; side++) {
            const struct carom_solid_sort *sort = carom_solid_sort_of(s, r.cell[side]);
            press += r.shape->part[side] * sort->lambda * sort->share * rate[r.cell[side]];
        }
        bend(s, &r, flex);
        for (int k = 0; k < 3; k++)
            grip[k] = r.shape->stiff * r.gap[k] + press * r.normal[k];
        carom_solid_cross(r.arm[0], grip, torque[0]);
        carom_solid_cross(grip, r.arm[1], torque[1]);
        for (int k = 0; k < 3; k++) {
            torque[0][k] += flex[k];
            torque[1][k] -= flex[k];
            grip[k] += press * r.aside[k];
        }
        add(s, r.cell[0], 1.0, grip, torque[0], f);
        add(s, r.cell[1], -1.0, grip, torque[1], f);
        power += r.shape->stiff * carom_solid_dot(r.gap, r.gap) + carom_solid_dot(flex, r.twist);
    }
    return power;
}
