/* Sums over contacts of discs and spheres, see grains.h. A body in equilibrium has the mean stress
 * sum of (x - centre) f / V over its contacts (Love 1927, Weber 1966); a contact of two balls so gives the branch
 * between their centres, one with a wall the way up to its surface, and a region that ends at walls has exactly force
 * over area. */
#include "record/grains.h"

#include <string.h>

#include "base/memory.h"

/* --- life ------------------------------------------------------------------------------------------------------ */

bool carom_grains_reserve(struct carom_grains *g, size_t n)
{
    *g = (struct carom_grains){.n = n, .depth = 1.0};
    g->radius = carom_memory_zeroed(n, sizeof(double));
    g->mass = carom_memory_zeroed(n, sizeof(double));
    g->volume = carom_memory_zeroed(n, sizeof(double));
    return g->radius != NULL && g->mass != NULL && g->volume != NULL;
}

bool carom_grains_open(struct carom_grains *g, const struct carom_bodies *b)
{
    if (!carom_grains_reserve(g, b->n))
        return false;
    double depth = 0.0;
    g->dimension = b->dimension;
    g->bounded = b->bounded;
    for (size_t k = 0; k < 3; k++) {
        g->periodic[k] = k < b->dimension && b->periodic[k];
        g->low[k] = b->low[k];
        g->high[k] = b->high[k];
    }
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        g->mass[i] = body->mass;
        if (body->surface != CAROM_BALL || body->inside)
            continue;
        g->radius[i] = body->radius;
        g->volume[i] = body->volume;
        depth = fmax(depth, body->depth);
    }
    g->depth = b->dimension == 2 && depth > 0.0 ? depth : 1.0;
    return true;
}

void carom_grains_close(struct carom_grains *g)
{
    carom_memory_free_all(g->radius, g->mass, g->volume);
    *g = (struct carom_grains){0};
}

/* --- one contact ----------------------------------------------------------------------------------------------- */

void carom_grains_way(const struct carom_grains *g, const double *a, const double *b, double way[3])
{
    way[2] = 0.0;
    for (size_t k = 0; k < g->dimension; k++) {
        const double side = g->high[k] - g->low[k];
        way[k] = a[k] - b[k];
        if (g->periodic[k])
            way[k] -= side * floor(way[k] / side + 0.5);
    }
}

bool carom_grains_branch(const struct carom_grains *g, const struct carom_grains_moment *m,
                         const struct carom_touch *touch, int side, double arm[3], double force[3])
{
    const uint64_t i = touch->pair[side] - 1;
    if (i >= g->n || !(g->radius[i] > 0.0))
        return false;
    carom_grains_way(g, touch->point, m->place + g->dimension * i, arm);
    for (int k = 0; k < 3; k++)
        force[k] = side == 0 ? -touch->force[k] : touch->force[k];
    return true;
}

void carom_grains_add(double t[CAROM_GRAINS_TENSOR], double scale, const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3; /* yz, xz, xy stand behind the diagonal */
        t[k] += scale * a[k] * b[k];
        t[3 + k] += 0.5 * scale * (a[i] * b[j] + a[j] * b[i]);
    }
}

static void times(double t[CAROM_GRAINS_TENSOR], double scale)
{
    for (int k = 0; k < CAROM_GRAINS_TENSOR; k++)
        t[k] *= scale;
}

void carom_grains_stress(const struct carom_grains *g, const struct carom_grains_moment *m,
                         double (*stress)[CAROM_GRAINS_TENSOR])
{
    double arm[3], force[3];
    memset(stress, 0, g->n * sizeof *stress);
    for (size_t j = 0; j < m->ntouches; j++)
        for (int side = 0; side < 2; side++)
            if (carom_grains_branch(g, m, &m->touch[j], side, arm, force))
                carom_grains_add(stress[m->touch[j].pair[side] - 1], 1.0, arm, force);
    for (size_t i = 0; i < g->n; i++)
        times(stress[i], g->volume[i] > 0.0 ? 1.0 / g->volume[i] : 0.0);
}

/* --- regions --------------------------------------------------------------------------------------------------- */

bool carom_grains_whole(const struct carom_grains *g, struct carom_region *region)
{
    memcpy(region->low, g->low, sizeof g->low);
    memcpy(region->high, g->high, sizeof g->high);
    return g->bounded;
}

static double region_volume(const struct carom_grains *g, const struct carom_region *region)
{
    double volume = g->depth;
    for (size_t k = 0; k < g->dimension; k++)
        volume *= region->high[k] - region->low[k];
    return volume;
}

/* what lies on a face belongs to the region above it, so that regions side by side count everything once */
static bool is_inside(const struct carom_grains *g, const struct carom_region *region, const double *place)
{
    for (size_t k = 0; region != NULL && k < g->dimension; k++)
        if (!(place[k] >= region->low[k] && place[k] < region->high[k]))
            return false;
    return true;
}

/* the part of the way from `start` along `arm` that lies in the region moved by `shift` */
static double share(const struct carom_grains *g, const struct carom_region *region, const double *start,
                    const double arm[3], const double shift[3])
{
    double from = 0.0, to = 1.0;
    for (size_t k = 0; k < g->dimension; k++) {
        const double low = region->low[k] + shift[k] - start[k], high = region->high[k] + shift[k] - start[k];
        if (arm[k] == 0.0 && !(low <= 0.0 && high > 0.0))
            return 0.0;
        if (arm[k] == 0.0)
            continue;
        from = fmax(from, arm[k] > 0.0 ? low / arm[k] : high / arm[k]);
        to = fmin(to, arm[k] > 0.0 ? high / arm[k] : low / arm[k]);
    }
    return fmax(to - from, 0.0);
}

/* places are inside the domain, but ways from them may lead through a joined side into the region beyond it */
static double share_with_images(const struct carom_grains *g, const struct carom_region *region, const double *start,
                                const double arm[3])
{
    double sum = 0.0;
    for (int image = 0; image < 27; image++) {
        const int step[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        double shift[3];
        bool there = true;
        for (size_t k = 0; k < 3; k++) {
            there = there && (step[k] == 0 || g->periodic[k]);
            shift[k] = step[k] * (g->high[k] - g->low[k]);
        }
        if (there)
            sum += share(g, region, start, arm, shift);
    }
    return sum;
}

void carom_grains_region_stress(const struct carom_grains *g, const struct carom_region *region,
                                const struct carom_grains_moment *m, double stress[CAROM_GRAINS_TENSOR])
{
    double arm[3], force[3];
    memset(stress, 0, CAROM_GRAINS_TENSOR * sizeof *stress);
    for (size_t j = 0; j < m->ntouches; j++)
        for (int side = 0; side < 2; side++) {
            if (!carom_grains_branch(g, m, &m->touch[j], side, arm, force))
                continue;
            const double *start = m->place + g->dimension * (m->touch[j].pair[side] - 1);
            carom_grains_add(stress, share_with_images(g, region, start, arm), arm, force);
        }
    times(stress, 1.0 / region_volume(g, region));
}

void carom_grains_region_kinetic(const struct carom_grains *g, const struct carom_region *region,
                                 const struct carom_grains_moment *m, double stress[CAROM_GRAINS_TENSOR])
{
    const size_t d = g->dimension;
    double mass = 0.0, mean[3] = {0.0};
    memset(stress, 0, CAROM_GRAINS_TENSOR * sizeof *stress);
    for (size_t i = 0; i < g->n; i++) {
        const bool counts = g->radius[i] > 0.0 && is_inside(g, region, m->place + d * i);
        mass += counts ? g->mass[i] : 0.0;
        for (size_t k = 0; k < d && counts; k++)
            mean[k] += g->mass[i] * m->velocity[d * i + k];
    }
    for (size_t i = 0; i < g->n; i++) {
        double v[3] = {0.0};
        if (!(g->radius[i] > 0.0 && mass > 0.0) || !is_inside(g, region, m->place + d * i))
            continue;
        for (size_t k = 0; k < d; k++)
            v[k] = m->velocity[d * i + k] - mean[k] / mass;
        carom_grains_add(stress, -g->mass[i], v, v);
    }
    times(stress, 1.0 / region_volume(g, region));
}

void carom_grains_fabric(const struct carom_grains *g, const struct carom_region *region,
                         const struct carom_grains_moment *m, double fabric[CAROM_GRAINS_TENSOR])
{
    size_t contacts = 0;
    memset(fabric, 0, CAROM_GRAINS_TENSOR * sizeof *fabric);
    for (size_t j = 0; j < m->ntouches; j++)
        if (is_inside(g, region, m->touch[j].point)) {
            carom_grains_add(fabric, 1.0, m->touch[j].normal, m->touch[j].normal);
            contacts++;
        }
    times(fabric, contacts > 0 ? 1.0 / (double)contacts : 0.0);
}

double carom_grains_coordination(const struct carom_grains *g, const struct carom_region *region,
                                 const struct carom_grains_moment *m)
{
    size_t balls = 0, ends = 0;
    for (size_t i = 0; i < g->n; i++)
        balls += g->radius[i] > 0.0 && is_inside(g, region, m->place + g->dimension * i);
    for (size_t j = 0; j < m->ntouches; j++)
        for (int side = 0; side < 2; side++) {
            const uint64_t i = m->touch[j].pair[side] - 1;
            ends += i < g->n && g->radius[i] > 0.0 && is_inside(g, region, m->place + g->dimension * i);
        }
    return balls > 0 ? (double)ends / (double)balls : 0.0;
}
