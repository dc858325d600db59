/* What joints of bodies that are one mechanism carry, see linkage.h. */
#include <string.h>

#include "model/bodies/linkage_see.h"
#include "solve/dense.h"

/* `push` along a row of joint j, or along its coordinate */
static void carry(const struct carom_linkage *l, size_t j, bool coordinate, size_t which, const double *q, double push,
                  bool moment, double *out)
{
    const struct carom_joint_row row = carom_linkage_see_joint_row(l, j, coordinate, which, q);
    const size_t d = l->bodies->dimension;
    if (moment && d == 2)
        out[j] += push * row.moment[2];
    for (size_t k = 0; !(moment && d == 2) && k < d; k++)
        out[d * j + k] += push * (moment ? row.moment[k] : row.of[1][k]);
}

/* how fast rows would change their rates if nothing were accelerated: differences along the motion, of fourth order */
static void bend_rows(const struct carom_linkage *l, size_t n, const double *q, const double *v, double *bend)
{
    static const double stencil[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    double step[CAROM_MECHANISM_WIDTH], x[CAROM_MECHANISM_PLACES], row[CAROM_LINKAGE_SQUARE];
    double value[CAROM_MECHANISM_WIDTH], drift[CAROM_MECHANISM_WIDTH];
    const double pace = carom_linkage_see_pace(l, q, v), h = 1e-3 / pace; /* turns by a thousandth of a radian */
    memset(bend, 0, l->nrows * sizeof *bend);
    if (!(pace > 0.0))
        return;
    for (int s = 0; s < 4; s++) {
        for (size_t c = 0; c < n; c++)
            step[c] = stencil[s] * h * v[c];
        carom_linkage_see_move(l, q, step, x);
        carom_linkage_see_rows(l, 0.0, x, value, row, drift);
        for (size_t i = 0; i < l->nrows; i++)
            for (size_t c = 0; c < n; c++)
                bend[i] += weight[s] * row[i * n + c] * v[c];
    }
    for (size_t i = 0; i < l->nrows; i++)
        bend[i] /= h;
}

/* what each row that joints hold pushes, with the forces f of everything else */
static void hold_against(const struct carom_linkage *l, const double *q, const double *v, const double *f, double *held)
{
    const size_t n = carom_linkage_nv(l);
    double row[CAROM_LINKAGE_SQUARE], s[CAROM_LINKAGE_SQUARE], free[CAROM_MECHANISM_WIDTH];
    carom_linkage_see_weigh(l, q, row, s);
    carom_linkage_see_respond(l, q, f, free);
    bend_rows(l, n, q, v, held);
    for (size_t i = 0; i < l->nrows; i++) {
        held[i] = -held[i];
        for (size_t c = 0; c < n; c++)
            held[i] -= row[i * n + c] * free[c];
    }
    carom_dense_cholesky(l->nrows, s, 0.0);
    carom_dense_cholesky_solve(l->nrows, s, held);
}

void carom_linkage_carry(const struct carom_model *model, const struct carom_state *view, bool moment, double *out)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const double *q = view->q;
    double f[CAROM_MECHANISM_WIDTH], held[CAROM_MECHANISM_WIDTH];
    const size_t deep = l->bodies->dimension == 3 ? 3 : moment ? 1 : 2;
    memset(out, 0, deep * l->bodies->njoints * sizeof *out);
    memset(f, 0, sizeof f);
    carom_linkage_see_force(l, view->time, q, view->v, f);
    for (size_t i = 0; i < l->nplaces; i++) {
        const struct carom_linkage_place *p = &l->place[i];
        struct carom_linkage_seen seen;
        carom_linkage_see(l, i, q, &seen);
        carom_linkage_see_spread(l, &seen, false, view->force[i], f);
        if (view->nfriction > 0 && l->bodies->dimension == 2)
            carom_linkage_see_spread(l, &seen, true, view->friction[i], f);
        for (size_t k = 0; view->nfriction > 0 && l->bodies->dimension == 3 && k < 3; k++) {
            carom_linkage_see_pass(l, i, k, q, &seen);
            carom_linkage_see_spread(l, &seen, true, view->force[view->nfriction + 3 * i + k], f);
        }
        if (p->joint != SIZE_MAX)
            carry(l, p->joint, true, 0, q, p->sign * p->lever * view->force[i], moment, out);
    }
    for (size_t j = 0; j < l->bodies->njoints; j++)
        if (l->bodies->joint[j].motor == CAROM_MOTOR_EFFORT)
            carry(l, j, true, 0, q, l->bodies->joint[j].drive, moment, out);
    hold_against(l, q, view->v, f, held);
    for (size_t i = 0, which = 0; i < l->nrows; i++) {
        which = i > 0 && l->joint[i - 1] == l->joint[i] ? which + 1 : 0;
        carry(l, l->joint[i], false, which, q, held[i], moment, out);
    }
}
