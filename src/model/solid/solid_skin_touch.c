/* What cells have of a contact: see solid_skin_touch.h. Arms are summed by shares until all are known. */
#include "model/solid/solid_skin_touch.h"

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/solid_turns.h"

void carom_solid_skin_touch_close(struct carom_skin_pool *pool)
{
    carom_memory_free(pool->touch);
    *pool = (struct carom_skin_pool){0};
}

/* what a cell has of the touches from `first` on; NULL: there is no memory */
static struct carom_skin_touch *touch_of(struct carom_skin_pool *pool, size_t first, uint32_t cell)
{
    for (size_t i = pool->n; i > first; i--)
        if (pool->touch[i - 1].cell == cell)
            return &pool->touch[i - 1];
    if (!carom_memory_room(&pool->touch, pool->n, &pool->room, 64, sizeof *pool->touch)) {
        pool->full = true;
        return NULL;
    }
    pool->touch[pool->n] = (struct carom_skin_touch){.cell = cell};
    return &pool->touch[pool->n++];
}

void carom_solid_skin_touch_add(struct carom_skin_pool *pool, size_t first, uint32_t cell, const double arm[3],
                                const double along[3], double share)
{
    struct carom_skin_touch *t = touch_of(pool, first, cell);
    double twist[3];
    if (!t)
        return;
    carom_vec_cross(arm, along, twist);
    t->share += share;
    for (int k = 0; k < 3; k++) {
        t->along[k] += along[k];
        t->twist[k] += twist[k];
        t->arm[k] += share * arm[k];
    }
}

void carom_solid_skin_touch_finish(struct carom_skin_pool *pool, size_t first)
{
    double all = 0.0;
    for (size_t i = first; i < pool->n; i++)
        all += pool->touch[i].share;
    for (size_t i = first; i < pool->n; i++) {
        struct carom_skin_touch *t = &pool->touch[i];
        for (int k = 0; k < 3; k++)
            t->arm[k] = t->share > 0.0 ? t->arm[k] / t->share : 0.0;
        t->share /= all;
    }
}

void carom_solid_skin_touch_spot(struct carom_skin_pool *pool, const struct carom_skin_grip *grip,
                                 const double normal[3])
{
    const size_t first = pool->n;
    for (size_t i = 0; i < grip->ncells; i++) {
        double along[3];
        for (int k = 0; k < 3; k++)
            along[k] = grip->share[i] * normal[k];
        carom_solid_skin_touch_add(pool, first, grip->cell[i], grip->arm[i], along, grip->share[i]);
    }
    carom_solid_skin_touch_finish(pool, first);
}

/* the spin of a cell in space axes, from velocities as the part has them */
static void spin_of(const struct carom_solid *s, size_t cell, const double *q, const double *v, double spin[3])
{
    double axes[4];
    spin[0] = spin[1] = 0.0;
    if (s->dimension == 2) {
        spin[2] = v[3 * cell + 2];
        return;
    }
    carom_solid_turns_axes(s, cell, q, axes);
    carom_quat_turn(axes, v + 6 * cell + 3, spin);
}

double carom_solid_skin_touch_rate(const struct carom_solid *s, const struct carom_skin_touch *t, const double *q,
                                   const double *v)
{
    double spin[3];
    spin_of(s, t->cell, q, v, spin);
    double rate = carom_vec_dot(t->twist, spin);
    for (size_t k = 0; k < (size_t)s->dimension; k++)
        rate += t->along[k] * v[s->fast * t->cell + k];
    return rate;
}
