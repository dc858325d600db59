/* Bodies that only others hold, and balls, as wholes: a small dense system of the springs between them, and what it
 * leaves free. */
#include "model/solid/rest/solid_rest_wholes.h"

#include <string.h>

#include "model/solid/solid.h"
#include "model/solid/solid_turns.h"

#define LOOSE 1e-8 /* a body is that much softer one way than another where nothing holds it */
#define AGAIN 1e-3 /* of its stiffness: what the dense system has of a contact that is open but near */

/* --- bodies as wholes --------------------------------------------------------------------------------------------- */

/* columns of Cholesky's factor of how lightly a body moves: motions of mass 1 across each other */
static size_t add_rigid(const struct carom_solid_rigid *rigid, size_t owner, struct carom_rest_mode *mode)
{
    size_t n = 0;
    for (int k = 0; k < 6; k++) {
        double column[6];
        for (int c = 0; c < 6; c++) {
            column[c] = rigid->weight[c][k];
            for (size_t m = 0; m < n; m++)
                column[c] -= mode[m].motion[c] * mode[m].motion[k];
        }
        if (!rigid->free[k] || !(column[k] > 1e-6 * rigid->weight[k][k]))
            continue;
        mode[n] = (struct carom_rest_mode){.owner = owner};
        for (int c = 0; c < 6; c++)
            mode[n].motion[c] = column[c] / sqrt(column[k]);
        n++;
    }
    return n;
}

static void add_modes(struct carom_rest *w)
{
    w->nmodes = 0;
    for (size_t o = 0; o < w->solids + w->balls; o++) {
        w->mode_first[o] = w->nmodes;
        if (o < w->solids && carom_rest_settles(w, o))
            w->nmodes += add_rigid(&w->body[o].rigid, o, &w->mode[w->nmodes]);
        for (size_t k = 0; o >= w->solids && w->ball[o - w->solids] && k < w->d; k++) {
            struct carom_rest_mode *mode = &w->mode[w->nmodes++];
            *mode = (struct carom_rest_mode){.owner = o};
            mode->motion[k] = 1.0 / sqrt(w->who.strike->balls->mass[o - w->solids]);
        }
    }
    w->mode_first[w->solids + w->balls] = w->nmodes;
}

/* how an end grows with a mode of its owner */
static double grows(const struct carom_rest *w, const struct carom_rest_end *end, const struct carom_rest_mode *mode)
{
    double arm[3], sweep[3], rate = 0.0;
    for (int k = 0; k < 3; k++)
        arm[k] = mode->owner < w->solids ? end->place[k] - w->body[mode->owner].rigid.middle[k] : 0.0;
    carom_vec_cross(mode->motion + 3, arm, sweep);
    for (int k = 0; k < 3; k++)
        rate += end->along[k] * (mode->motion[k] + sweep[k]) + end->twist[k] * mode->motion[3 + k];
    return rate;
}

/* a spring joins two owners at most, of up to six modes */
static void add_spring(struct carom_rest *w, const struct carom_rest_springs *s, const struct carom_rest_spring *spring)
{
    const double stiff = fmax(spring->stiff, AGAIN * spring->near);
    size_t number[12], n = 0;
    double rate[12] = {0.0};
    for (size_t e = spring->first; e < spring->first + spring->count; e++) {
        const size_t owner = carom_rest_owner(w, &s->end[e]);
        for (size_t m = w->mode_first[owner]; m < w->mode_first[owner + 1]; m++) {
            size_t i = 0;
            while (i < n && number[i] != m)
                i++;
            number[i] = m;
            n += i == n ? 1 : 0;
            rate[i] += grows(w, &s->end[e], &w->mode[m]);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->matrix[number[i] * w->nmodes + number[j]] += stiff * rate[i] * rate[j];
}

/* Cholesky's factor, the diagonal inverted; modes that nothing holds are left alone */
static void factorise(struct carom_rest *w)
{
    const size_t n = w->nmodes;
    double *a = w->matrix;
    memset(w->stiffest, 0, (w->solids + w->balls) * sizeof *w->stiffest);
    for (size_t i = 0; i < n; i++)
        w->stiffest[w->mode[i].owner] = fmax(w->stiffest[w->mode[i].owner], a[i * n + i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            for (size_t k = 0; k < j; k++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            if (j < i)
                a[i * n + j] *= a[j * n + j];
            else
                a[i * n + i] = a[i * n + i] > LOOSE * w->stiffest[w->mode[i].owner] ? 1.0 / sqrt(a[i * n + i]) : 0.0;
        }
}

/* what the dense system does not hold, of size 1 and across each other */
static void find_slides(struct carom_rest *w)
{
    const size_t n = w->nmodes;
    w->nslides = 0;
    for (size_t m = 0; m < n; m++) {
        double *x = w->slide + w->nslides * n, size = 0.0;
        if (w->matrix[m * n + m] != 0.0)
            continue;
        memset(x, 0, n * sizeof *x);
        x[m] = 1.0;
        for (size_t i = m; i-- > 0;) {
            for (size_t j = i + 1; j <= m; j++)
                x[i] -= w->matrix[j * n + i] * x[j];
            x[i] *= w->matrix[i * n + i];
        }
        for (size_t s = 0; s < w->nslides; s++) {
            const double *other = w->slide + s * n, part = carom_vec_product(n, x, other);
            for (size_t i = 0; i < n; i++)
                x[i] -= part * other[i];
        }
        size = sqrt(carom_vec_product(n, x, x));
        for (size_t i = 0; i < n; i++)
            x[i] /= size;
        w->nslides++;
    }
}

void carom_solid_rest_wholes_find(struct carom_rest *w)
{
    add_modes(w);
    memset(w->matrix, 0, w->nmodes * w->nmodes * sizeof *w->matrix);
    for (size_t i = 0; i < w->then.n; i++)
        add_spring(w, &w->then, &w->then.spring[i]);
    factorise(w);
    find_slides(w);
}

/* the sum of forces on a solid, and their moment; r in axes of space */
static void add_up(const struct carom_solid_settle *b, const double *r, double sum[6])
{
    const struct carom_solid *s = b->s;
    memset(sum, 0, 6 * sizeof *sum);
    for (size_t i = 0; i < s->n; i++) {
        const double *of = r + s->fast * i;
        double arm[3], force[3] = {0.0}, moment[3];
        for (int k = 0; k < 3; k++)
            arm[k] = s->centre[i][k] + (k < s->dimension ? b->kept[s->wide * i + (size_t)k] : 0.0) - b->rigid.middle[k];
        memcpy(force, of, (size_t)s->dimension * sizeof *force);
        carom_vec_cross(arm, force, moment);
        for (int k = 0; k < 3; k++) {
            sum[k] += force[k];
            sum[3 + k] += moment[k] + (s->dimension == 3 ? of[3 + k] : k == 2 ? of[2] : 0.0);
        }
    }
}

/* z += the body moved by `motion`, or the forces that speed it up so; z in axes of cells */
static void carry(const struct carom_rest *w, struct carom_solid_settle *b, const double motion[6], bool forces,
                  double *z)
{
    const struct carom_solid *s = b->s;
    for (size_t i = 0; i < s->n; i++) {
        double arm[3], sweep[3];
        double *to = b->step + s->fast * i;
        const unsigned held = s->held ? s->held[i] : 0U;
        for (int k = 0; k < 3; k++)
            arm[k] = s->centre[i][k] + (k < s->dimension ? b->kept[s->wide * i + (size_t)k] : 0.0) - b->rigid.middle[k];
        carom_vec_cross(motion + 3, arm, sweep);
        for (size_t k = 0; k < s->fast; k++) {
            const size_t c = k < (size_t)s->dimension || s->dimension == 3 ? k : 5;
            to[k] = held >> c & 1U ? 0.0 : motion[c] + (c < 3 ? sweep[c] : 0.0);
            to[k] *= !forces ? 1.0 : c < 3 ? carom_solid_sort_of(s, i)->mass : carom_solid_sort_of(s, i)->inertia[2];
        }
    }
    carom_solid_turns_to_axes(s, w->of->threads, b->kept, b->step);
    for (size_t i = 0; i < s->fast * s->n; i++)
        z[i] += b->step[i];
}

static void project(struct carom_rest *w, const double *r)
{
    for (size_t o = 0; o < w->solids + w->balls; o++) {
        double sum[6] = {0.0};
        if (w->mode_first[o] == w->mode_first[o + 1])
            continue;
        if (o < w->solids) {
            struct carom_solid_settle *b = &w->body[o];
            carom_solid_turns_to_space(b->s, w->of->threads, b->kept, r + w->from[o], b->step);
            add_up(b, b->step, sum);
        } else {
            memcpy(sum, r + w->from[o], w->d * sizeof *sum);
        }
        for (size_t m = w->mode_first[o]; m < w->mode_first[o + 1]; m++) {
            w->push[m] = 0.0;
            for (int c = 0; c < 6; c++)
                w->push[m] += w->mode[m].motion[c] * sum[c];
        }
    }
}

/* z += all bodies moved by x times their modes, or what speeds them up so */
void carom_solid_rest_wholes_carry(struct carom_rest *w, const double *x, bool forces, double *z)
{
    for (size_t o = 0; o < w->solids + w->balls; o++) {
        double motion[6] = {0.0};
        for (size_t m = w->mode_first[o]; m < w->mode_first[o + 1]; m++)
            for (int c = 0; c < 6; c++)
                motion[c] += x[m] * w->mode[m].motion[c];
        if (o >= w->solids)
            for (size_t k = 0; k < w->d; k++)
                z[w->from[o] + k] += motion[k] * (forces ? w->who.strike->balls->mass[o - w->solids] : 1.0);
        else if (w->mode_first[o] < w->mode_first[o + 1])
            carry(w, &w->body[o], motion, forces, z + w->from[o]);
    }
}

/* z += what bodies as wholes do under r */
void carom_solid_rest_wholes_move(struct carom_rest *w, const double *r, double *z)
{
    const size_t n = w->nmodes;
    double *x = w->push;
    project(w, r);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            x[i] -= w->matrix[i * n + j] * x[j];
        x[i] *= w->matrix[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= w->matrix[j * n + i] * x[j];
        x[i] *= w->matrix[i * n + i];
    }
    carom_solid_rest_wholes_carry(w, x, false, z);
}

/* Takes out of a slope what pushes bodies where nothing holds them, and keeps it. */
void carom_solid_rest_wholes_slide(struct carom_rest *w, double *g)
{
    const size_t n = w->nmodes;
    if (w->nslides == 0)
        return;
    project(w, g);
    memset(w->left, 0, n * sizeof *w->left);
    for (size_t s = 0; s < w->nslides; s++) {
        const double part = carom_vec_product(n, w->push, w->slide + s * n);
        for (size_t m = 0; m < n; m++)
            w->left[m] -= part * w->slide[s * n + m];
    }
    carom_solid_rest_wholes_carry(w, w->left, true, g);
}
