/* Holds that leave a cell one or two axes to turn about. They act by torques about the held axes of space, as large as
 * it takes; where those are not principal axes of the cell, its angular momentum about them is not 0. */
#include "model/solid/solid_turns.h"

#include <string.h>

/* J^-1 x in space axes */
static void spin_of(const struct carom_solid_sort *sort, const double turn[4], const double x[3], double out[3])
{
    double own[3];
    carom_quat_turn_back(turn, x, own);
    for (int k = 0; k < 3; k++)
        own[k] *= sort->inverse_inertia[k];
    carom_quat_turn(turn, own, out);
}

void carom_solid_turns_to_space(const struct carom_solid *s, const double *q, const double *x, double *out)
{
    memcpy(out, x, s->fast * s->n * sizeof *x);
    for (size_t i = 0; s->dimension == 3 && i < s->n; i++) {
        double turn[4];
        carom_solid_turns_axes(s, i, q, turn);
        carom_quat_turn(turn, x + 6 * i + 3, out + 6 * i + 3);
    }
}

void carom_solid_turns_to_axes(const struct carom_solid *s, const double *q, double *x)
{
    for (size_t i = 0; s->dimension == 3 && i < s->n; i++) {
        double turn[4];
        carom_solid_turns_axes(s, i, q, turn);
        carom_quat_turn_back(turn, x + 6 * i + 3, x + 6 * i + 3);
    }
}

void carom_solid_turns_balance(const struct carom_solid *s, size_t cell, const double *q, double momentum[3])
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    const unsigned held = carom_solid_turns_held(s, cell);
    double turn[4], spin[3], answer[2][3];
    int axis[2] = {0, 0}, count = 0;
    for (int k = 0; k < 3; k++)
        if (held >> k & 1U)
            axis[count++] = k;
    carom_solid_turns_axes(s, cell, q, turn);
    spin_of(sort, turn, momentum, spin);
    for (int i = 0; i < count; i++) {
        const double along[3] = {axis[i] == 0, axis[i] == 1, axis[i] == 2};
        spin_of(sort, turn, along, answer[i]);
    }
    if (count == 1) {
        momentum[axis[0]] -= spin[axis[0]] / answer[0][axis[0]];
    } else if (count == 2) {
        const double a = answer[0][axis[0]], b = answer[1][axis[0]], c = answer[0][axis[1]], d = answer[1][axis[1]];
        const double x = spin[axis[0]], y = spin[axis[1]], whole = a * d - b * c;
        momentum[axis[0]] -= (d * x - b * y) / whole;
        momentum[axis[1]] -= (a * y - c * x) / whole;
    }
}

void carom_solid_turns_still(const struct carom_solid *s, const double *q, double *v)
{
    for (size_t i = 0; s->held && i < s->n; i++) {
        const unsigned held = carom_solid_turns_held(s, i);
        double turn[4], spin[3];
        if (held == 0U)
            continue;
        carom_solid_turns_axes(s, i, q, turn);
        carom_quat_turn(turn, v + 6 * i + 3, spin);
        for (int k = 0; k < 3; k++)
            if (held >> k & 1U)
                spin[k] = 0.0;
        carom_quat_turn_back(turn, spin, v + 6 * i + 3);
    }
}
