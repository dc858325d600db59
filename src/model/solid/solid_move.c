/* How cells follow a step, displacements and turns, in space and in the plane. Threads may share the work. */
#include "model/solid/solid.h"

#include "base/angle.h"

struct moving {
    const struct carom_solid *s;
    const double *q, *step;
    double *moved;
};

static void move_space(void *own, size_t first, size_t last)
{
    const struct moving *c = own;
    const double *q = c->q, *step = c->step;
    double *moved = c->moved;
    for (size_t i = first; i < last; i++) {
        double turn[4], next[4], w[3], size = 0.0;
        carom_quat_turn(carom_solid_sort_of(c->s, i)->frame, step + 6 * i + 3, w);
        const double half = 0.5 * carom_vec_norm(w), shrink = half > 0.0 ? 0.5 * carom_angle_sin(half) / half : 0.5;
        turn[0] = carom_angle_cos(half);
        for (int k = 0; k < 3; k++) {
            turn[k + 1] = shrink * w[k];
            moved[7 * i + (size_t)k] = q[7 * i + (size_t)k] + step[6 * i + (size_t)k];
        }
        carom_quat_product(q + 7 * i + 3, turn, next);
        for (int k = 0; k < 4; k++)
            size += next[k] * next[k];
        size = sqrt(size);
        for (size_t k = 0; k < 4; k++)
            moved[7 * i + 3 + k] = next[k] / size;
    }
}

static void move_plane(void *own, size_t first, size_t last)
{
    const struct moving *m = own;
    const double *q = m->q, *step = m->step;
    double *moved = m->moved;
    for (size_t i = first; i < last; i++) {
        const double half = 0.5 * step[3 * i + 2], c = carom_angle_cos(half), d = carom_angle_sin(half);
        const double x = q[4 * i + 2] * c - q[4 * i + 3] * d, y = q[4 * i + 3] * c + q[4 * i + 2] * d;
        const double size = sqrt(x * x + y * y);
        moved[4 * i] = q[4 * i] + step[3 * i];
        moved[4 * i + 1] = q[4 * i + 1] + step[3 * i + 1];
        moved[4 * i + 2] = x / size;
        moved[4 * i + 3] = y / size;
    }
}

void carom_solid_move_shared(const struct carom_solid *s, struct carom_threads *threads, const double *q,
                             const double *step, double *moved)
{
    carom_threads_share(threads, s->dimension == 3 ? move_space : move_plane, &(struct moving){s, q, step, moved},
                        s->n);
}

void carom_solid_move(const void *own, const double *q, const double *step, double *moved)
{
    carom_solid_move_shared(own, NULL, q, step, moved);
}
