/* Stress and strain of cells: the mean over a cell of forces on its faces times their arms, (1/V) sum x f, made
 * symmetric; strain by Hooke's law. Exact where the stress is uniform. Cells that are cut where they are held show the
 * half that is left; a plane they slide on has no shear, one they stick to shows what the body's links carry. */
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"

/* shear of axes a and b as x_a f_b, x_b f_a or the mean of both, which torques make equal where nothing is held */
static double shear(const struct carom_solid *s, size_t cell, unsigned a, unsigned b, const double x[3],
                    const double f[3])
{
    const unsigned cut = carom_solid_sort_of(s, cell)->halved;
    const bool on_a = cut >> a & 1U, on_b = cut >> b & 1U;
    if (!on_a && !on_b)
        return 0.5 * (x[a] * f[b] + x[b] * f[a]);
    const unsigned along = on_a ? b : a; /* in the plane */
    const unsigned held = s->held ? (unsigned)s->held[cell] : 0U, across = on_a ? a : b;
    const bool slides = held >> across & 1U && !(held >> along & 1U); /* one that absorbs is not held at all */
    return !(on_a && on_b) && !slides ? x[on_a ? a : b] * f[along] : 0.0;
}

/* stress += x f / V */
static void add(const struct carom_solid *s, double (*stress)[6], size_t cell, double sign, const double x[3],
                const double f[3])
{
    const double inverse = sign / carom_solid_sort_of(s, cell)->volume;
    for (int k = 0; k < 3; k++)
        stress[cell][k] += inverse * x[k] * f[k];
    stress[cell][3] += inverse * shear(s, cell, 1, 2, x, f);
    stress[cell][4] += inverse * shear(s, cell, 0, 2, x, f);
    stress[cell][5] += inverse * shear(s, cell, 0, 1, x, f);
}

/* What is left of a link that breaks, and its faces that are pressed on each other: by so much of `apart`, or as cells
 * of the body meet. */
static void weaken(const struct carom_solid *s, const double *q, size_t link, double closed, const double apart[3],
                   double force[3])
{
    const double gone = s->breaks ? carom_solid_fracture_damage(s, q)[link] : 0.0;
    double pull[9];
    if (!(gone > 0.0))
        return;
    if (s->self)
        carom_solid_self_closed(s, q, link, pull);
    for (int k = 0; k < 3; k++)
        force[k] = (1.0 - gone) * force[k] + gone * (s->self ? pull[k] : closed * apart[k]);
}

static void add_link(const struct carom_solid *s, const double *pressure, const double *q,
                     const struct carom_solid_link *l, double (*stress)[6])
{
    const struct carom_solid_shape *shape = &s->shape[l->shape];
    const double *from = q + s->wide * l->cell[0], *to = q + s->wide * l->cell[1];
    const double share = s->cut[l->shape].share;
    double arm[2][3], apart[3], gap[3], force[3], length = 0.0, press = 0.0;
    for (int side = 0; side < 2; side++) {
        double turn[4], x[3];
        for (int k = 0; k < 3; k++)
            x[k] = shape->arm[k] - (side == 1 ? shape->apart[k] : 0.0);
        carom_solid_quaternion(s, q, l->cell[side], turn);
        carom_quat_turn(turn, x, arm[side]);
        press += shape->part[side] * pressure[l->cell[side]];
        carom_quat_shift(turn, x, x);
        for (int k = 0; k < 3; k++)
            gap[k] = side == 0 ? -x[k] : gap[k] + x[k];
        if (s->flow) {
            carom_solid_yield_open(s, q, l->cell[side], shape->apart, side == 0 ? share : 1.0 - share, x);
            for (int k = 0; k < 3; k++)
                gap[k] -= x[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double moved = k < s->dimension ? to[k] - from[k] : 0.0;
        apart[k] = shape->apart[k] + moved;
        gap[k] += moved;
        length += apart[k] * apart[k];
    }
    length = sqrt(length);
    press += carom_solid_bonds_beyond(s, (size_t)(l - s->link), carom_vec_dot(gap, apart) / length);
    for (int k = 0; k < 3; k++)
        force[k] = shape->stiff * gap[k] + press * apart[k] / length;
    weaken(s, q, (size_t)(l - s->link), -shape->stiff * fmax(-carom_vec_dot(gap, apart), 0.0) / (length * length),
           apart, force);
    add(s, stress, l->cell[0], 1.0, arm[0], force);
    add(s, stress, l->cell[1], -1.0, arm[1], force);
}

static void add_loads(const struct carom_solid *s, double t, const double *q, double (*stress)[6])
{
    for (size_t l = 0; l < s->nloads; l++) {
        const struct carom_solid_load *load = &s->load[l];
        const double height = carom_signal_value(&load->signal, t);
        for (size_t i = 0; carom_solid_loads_on_faces(load) && i < load->count; i++) {
            const struct carom_solid_face *face = &s->face[load->at[i]];
            double force[3], arm[3];
            carom_solid_loads_face(s, load, face, height, q, force, arm);
            add(s, stress, face->cell, 1.0, arm, force);
        }
    }
}

void carom_solid_stress(const struct carom_solid *s, double t, const double *q, double *scratch, double (*stress)[6])
{
    const struct carom_solid_work work = carom_solid_forces_work(s, false, scratch);
    carom_solid_forces_pressures(s, &work, NULL, t, q);
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 6; k++)
            stress[i][k] = 0.0;
    for (size_t l = 0; l < s->nlinks; l++)
        add_link(s, work.pressure, q, &s->link[l], stress);
    add_loads(s, t, q, stress);
    for (size_t i = 0; s->kind == CAROM_SOLID_STRAIN && i < s->n; i++)
        stress[i][2] = s->material[carom_solid_sort_of(s, i)->material].poisson * (stress[i][0] + stress[i][1]);
}

void carom_solid_stress_strain(const struct carom_solid *s, size_t cell, const double stress[6], double strain[6])
{
    const struct carom_solid_material *m = &s->material[carom_solid_sort_of(s, cell)->material];
    const double trace = stress[0] + stress[1] + stress[2];
    for (int k = 0; k < 6; k++)
        strain[k] = ((1.0 + m->poisson) * stress[k] - (k < 3 ? m->poisson * trace : 0.0)) / m->young;
}
