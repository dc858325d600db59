/* What holds do to a body: the forces on held coordinates, turned round, added up hold by hold. Cells that are driven
 * push with what moves the cells around them; what it takes to move themselves is left out. */
#include <string.h>

#include "base/sorted.h"
#include "model/solid/solid.h"
#include "model/solid/solid_rates.h"

size_t carom_solid_reaction_room(const struct carom_solid *s)
{
    if (!s)
        return 0;
    size_t energy, force;
    carom_solid_scratch(s, &energy, &force);
    return force + s->fast * s->n;
}

/* what earlier holds hold of a cell, whose lists rise */
static unsigned held_before(const struct carom_solid *s, size_t hold, uint32_t cell)
{
    unsigned mask = 0;
    for (size_t h = 0; h < hold; h++) {
        size_t low = 0;
        CAROM_SORTED_FIRST(low, s->hold[h].count, s->hold[h].cell[middle] < cell);
        mask |= low < s->hold[h].count && s->hold[h].cell[low] == cell ? s->hold[h].mask : 0U;
    }
    return mask;
}

/* force and torque of a hold on one of its cells, torques in space axes */
static void of_cell(const struct carom_solid *s, size_t hold, uint32_t cell, const double *f, double force[3],
                    double torque[3])
{
    const double *push = f + s->fast * cell;
    const unsigned mask = s->hold[hold].mask & s->held[cell] & ~held_before(s, hold, cell);
    for (unsigned k = 0; k < 3; k++) {
        const double moment = s->dimension == 3 ? push[3 + k] : k == 2 ? push[2] : 0.0;
        force[k] = k < (unsigned)s->dimension && mask >> k & 1U ? -push[k] : 0.0;
        torque[k] = mask >> (3 + k) & 1U ? -moment : 0.0;
    }
}

static void of_hold(const struct carom_solid *s, size_t hold, const double *q, const double *f, double out[6])
{
    const struct carom_solid_hold *h = &s->hold[hold];
    const double none[3] = {0.0, 0.0, 0.0};
    double middle[3] = {0.0, 0.0, 0.0};
    memset(out, 0, 6 * sizeof *out);
    for (size_t i = 0; i < h->count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += s->centre[h->cell[i]][k] / (double)h->count;
    for (size_t i = 0; i < h->count; i++) {
        double place[3], force[3], torque[3], moment[3];
        of_cell(s, hold, h->cell[i], f, force, torque);
        carom_solid_moved(s, q, h->cell[i], none, place);
        for (int k = 0; k < 3; k++)
            place[k] -= middle[k];
        carom_vec_cross(place, force, moment);
        for (int k = 0; k < 3; k++) {
            out[k] += force[k];
            out[3 + k] += moment[k] + torque[k];
        }
    }
}

void carom_solid_reaction(const struct carom_solid *s, double t, const double *q, const double *v, double *room,
                          double (*out)[6])
{
    double *f = room;
    const struct carom_solid_desk desk = carom_solid_desk(s, room + s->fast * s->n);
    carom_solid_forces(s, &desk.work, NULL, t, q, f);
    carom_solid_damp(s, &desk, NULL, q, v, f);
    for (size_t h = 0; h < s->nholds; h++)
        of_hold(s, h, q, f, out[h]);
}
