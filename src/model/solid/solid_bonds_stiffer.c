/* How stiff nonlinear links may become: the strain that the motion can bring them to, by its energy, and the slope of
 * their law up to there. */
#include "model/solid/solid_bonds.h"
#include "solve/root.h"

struct reach {
    double a, b;   /* of the law e + a e^2 + b e^3, with its sign of e turned where links are pressed */
    double energy; /* per volume, over Young's modulus */
};

static double stored(const struct reach *r, double e)
{
    return e * e * (0.5 + r->a / 3.0 * e + r->b / 4.0 * e * e);
}

static double lacks(void *own, double e)
{
    const struct reach *r = own;
    return stored(r, e) - r->energy;
}

/* the largest slope of the law on the way to the strain that takes this energy beside that of `from` */
static double steepest(struct reach r, double from)
{
    r.energy += fmax(stored(&r, from), 0.0);
    /* laws that fall are not for bodies: ten times the strain of linear links is beyond all that do not */
    const double to = carom_root_near(lacks, &r, 0.0, 10.0 * sqrt(2.0 * r.energy), 0.0), end = fmax(from, to);
    const double turn = r.b < 0.0 ? -r.a / (3.0 * r.b) : -1.0, most = turn > 0.0 && turn < end ? turn : end;
    return 1.0 + (2.0 * r.a + 3.0 * r.b * most) * most;
}

static double largest_strain(const struct carom_solid *s, const double *q)
{
    double most = 0.0;
    for (size_t l = 0; l < s->nlinks; l++) {
        const size_t i = s->link[l].cell[0], j = s->link[l].cell[1];
        double now = 0.0, once = 0.0;
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            const double apart = s->centre[j][k] - s->centre[i][k],
                         moved = apart + q[s->wide * j + k] - q[s->wide * i + k];
            now += moved * moved;
            once += apart * apart;
        }
        most = fmax(most, fabs(sqrt(now / once) - 1.0));
    }
    return most;
}

double carom_solid_bonds_stiffer(const struct carom_solid *s, const double *q, double speed)
{
    const double a = s->nonlinear.quadratic, b = s->nonlinear.cubic;
    double most = 1.0, heavy = 0.0;
    if (a == 0.0 && b == 0.0)
        return 1.0;
    for (size_t m = 0; m < s->nmaterials; m++)
        heavy = fmax(heavy, s->material[m].density / s->material[m].young);
    const double strain = largest_strain(s, q);
    /* waves of the speed v that meet, or come back from what is held, have the energy of 2 v */
    for (int side = 0; side < 2; side++)
        most = fmax(most, steepest((struct reach){side == 0 ? a : -a, b, 2.0 * heavy * speed * speed}, strain));
    return most;
}
