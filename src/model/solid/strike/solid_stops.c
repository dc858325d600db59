/* Limits of joints: k (d + gamma d') along the coordinate of the joint, d how far it is beyond a limit. */
#include "model/solid/strike/solid_stops.h"

#include "base/angle.h"
#include "base/memory.h"
#include "base/power.h"
#include "solve/dense.h"

#define SAME 1e-12 /* joints that say what others do */
#define HELD 1e-9  /* of what it would be without joints: rounding has left that */

double carom_solid_stops_beyond(const struct carom_solid_balls *b, size_t j, const double *q,
                                struct carom_solid_joint_row *row)
{
    const struct carom_joint *joint = &b->joint[j];
    *row = (struct carom_solid_joint_row){.joint = joint};
    carom_solid_balls_coordinate(b, joint, q, &row->row);
    return fmax(row->row.gap - joint->limit[1], 0.0) - fmax(joint->limit[0] - row->row.gap, 0.0);
}

double carom_solid_stops_energy(const struct carom_solid_balls *b, const double *q)
{
    double sum = 0.0;
    for (size_t j = 0; j < b->njoints; j++) {
        struct carom_solid_joint_row row;
        const double beyond = b->joint[j].limited ? carom_solid_stops_beyond(b, j, q, &row) : 0.0;
        sum += 0.5 * b->stop[j].k * beyond * beyond;
    }
    return sum;
}

bool carom_solid_stops_mobility(const struct carom_solid_balls *b, size_t j, const double *q, double *out)
{
    const size_t n = carom_solid_balls_held(b);
    struct carom_solid_joint_row *held = carom_memory_zeroed(n, sizeof *held), row;
    double *matrix = carom_memory_zeroed(n * n + 2 * n, sizeof *matrix), *push = matrix ? matrix + n * n : NULL;
    size_t *order = carom_memory_zeroed(n, sizeof *order);
    const bool room = held && matrix && order;
    if (room) {
        (void)carom_solid_stops_beyond(b, j, q, &row);
        carom_solid_balls_rows(b, q, held);
        for (size_t i = 0; i < n; i++)
            push[n + i] = 1.0 / sqrt(carom_solid_balls_answer(b, &held[i], &held[i])); /* their units differ */
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                matrix[i * n + k] = push[n + i] * push[n + k] * carom_solid_balls_answer(b, &held[i], &held[k]);
            push[i] = push[n + i] * carom_solid_balls_answer(b, &held[i], &row);
        }
        carom_dense_solve(n, matrix, push, order, SAME);
        const double freely = *out = carom_solid_balls_answer(b, &row, &row);
        for (size_t i = 0; i < n; i++)
            *out -= push[i] * push[n + i] * carom_solid_balls_answer(b, &row, &held[i]);
        *out = *out > HELD * freely ? *out : 0.0;
    }
    carom_memory_free_all(held, matrix, order);
    return room;
}

double carom_solid_stops_gamma(double k, double mobility, double e)
{
    const double fall = -carom_power_log(e); /* in half a swing */
    return mobility > 0.0 ? 2.0 * fall / sqrt((CAROM_ANGLE_PI * CAROM_ANGLE_PI + fall * fall) * k * mobility) : 0.0;
}

double carom_solid_stops_frequency(const struct carom_solid_balls *b)
{
    double square = 0.0;
    for (size_t j = 0; j < b->njoints; j++)
        square = fmax(square, b->stop[j].k * b->stop[j].mobility);
    return sqrt(square);
}
