/* Implicit steps, see event_stiff.h: Rang and Angermann's ROS34PW2 (BIT 45, 2005), linearly implicit of order 3 with an
 * estimate of order 2, L-stable, and of order 3 with any matrix. The matrix has what is stiff and no more: how
 * accelerations change as friction turns with each slip, one column and one row a contact. */
#include "scheme/rigid/event/event_stiff.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/beads/loads.h"
#include "model/ports.h"
#include "scheme/rigid/event/event_cone.h"
#include "scheme/rigid/event/event_friction.h"
#include "solve/dense.h"

enum { STAGES = 4 };
static const double own = 0.43586652150845900;
static const double alpha[STAGES][STAGES] = {
    {0.0}, {0.87173304301691801}, {0.84457060015369423, -0.11299064236484185}, {0.0, 0.0, 1.0}};
static const double lower[STAGES][STAGES] = {{0.0},
                                             {-0.87173304301691801},
                                             {-0.90338057013044082, 0.054180672388095326},
                                             {0.24212380706095346, -1.2232505839045147, 0.54526025533510214}};
static const double weight[STAGES] = {0.24212380706095346, -1.2232505839045147, 1.5452602553351020,
                                      0.43586652150845900};
static const double second[STAGES] = {0.37810903145819369, -0.096042292212423178, 0.5, 0.21793326075422950};

void carom_event_stiff_close(struct carom_event_smooth *s)
{
    struct carom_event_stiff *f = &s->stiff;
    carom_memory_free_all(f->turned, f->turns, f->across, f->factor, f->small, f->base, f->row, f->contact);
}

bool carom_event_stiff_open(struct carom_event_smooth *s, const struct carom_model *model)
{
    struct carom_event_stiff *f = &s->stiff;
    const size_t nc = model->nc, nv = model->nv;
    if (s->frame.tangents < 2)
        return true;
    f->turned = carom_memory_zeroed(nc * nv, sizeof(double));
    f->turns = carom_memory_zeroed(nc * nv, sizeof(double));
    f->across = carom_memory_zeroed(3 * nc, sizeof(double));
    f->factor = carom_memory_zeroed(nc * nc, sizeof(double));
    f->small = carom_memory_zeroed(nc, sizeof(double));
    f->base = carom_memory_zeroed(nv, sizeof(double));
    f->row = carom_memory_zeroed(nc, sizeof *f->row);
    f->contact = carom_memory_zeroed(nc, sizeof *f->contact);
    return f->turned && f->turns && f->across && f->factor && f->small && f->base && f->row && f->contact;
}

/* --- what is stiff ------------------------------------------------------------------------------------------------ */

/* accelerations by the forces of the frame's contacts */
static void pushed(struct carom_event_smooth *s, size_t nv, double *out)
{
    memset(out, 0, nv * sizeof *out);
    carom_event_friction_hold(s, true);
    carom_frame_push(&s->frame, s->lambda, out);
    carom_frame_friction(&s->frame, s->along, out);
}

/* how they change with the angle of the slip of held contact i */
static void turn(struct carom_event_smooth *s, size_t nv, size_t i, double *out)
{
    const double little = 1e-4;
    double *against = s->rub.against + 2 * i;
    const double was[2] = {against[0], against[1]};
    against[0] -= little * was[1];
    against[1] += little * was[0];
    pushed(s, nv, out);
    memcpy(against, was, sizeof was);
    for (size_t k = 0; k < nv; k++)
        out[k] = (out[k] - s->stiff.base[k]) / little;
}

/* how that angle changes with velocities, and with the slip as a vector of space; s->drag is spent */
static void angle(struct carom_event_smooth *s, size_t nv, size_t i, double *out, double across[3])
{
    const double *slip = s->slips + 2 * i, square = slip[0] * slip[0] + slip[1] * slip[1];
    for (size_t k = 0; k < 3; k++)
        across[k] = (slip[0] * s->frame.axes[i][3 + k] - slip[1] * s->frame.axes[i][k]) / square;
    for (size_t k = 0; k < nv; k++) {
        memset(s->force, 0, nv * sizeof(double));
        s->force[k] = 1.0;
        carom_frame_slips(&s->frame, s->frame.slide, s->force, s->drag);
        out[k] = ((s->drag[2 * i + 1] - s->frame.slide[2 * i + 1]) * slip[0] -
                  (s->drag[2 * i] - s->frame.slide[2 * i]) * slip[1]) /
                 square;
    }
}

/* At the start of a step, whose rates have just been found. */
static void look(struct carom_event_work *w)
{
    struct carom_event_smooth *s = &w->smooth;
    struct carom_event_stiff *f = &s->stiff;
    const size_t nv = w->model->nv;
    f->n = 0;
    pushed(s, nv, f->base);
    for (size_t i = 0; i < s->nheld; i++)
        if (carom_event_cone_turns(w, i))
            turn(s, nv, i, f->turned + nv * f->n++);
    f->n = 0;
    for (size_t i = 0; i < s->nheld; i++)
        if (carom_event_cone_turns(w, i)) {
            angle(s, nv, i, f->turns + nv * f->n, f->across + 3 * f->n);
            f->contact[f->n++] = s->held[i];
        }
}

/* out += `share` times how far the slips at the places q + step x are turned */
static void add_turn(struct carom_stepper *stepper, const double *x, double step, double share, double *out)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_event_stiff *f = &s->stiff;
    double normal[3], pass[3];
    for (size_t k = 0; k < stepper->model->nq; k++)
        s->moved[k] = s->start[k] + step * x[k];
    for (size_t i = 0; i < f->n; i++) {
        carom_ports_passage(stepper->model, f->contact[i], s->moved, s->start + stepper->model->nq, normal, pass);
        out[i] += share * carom_vec_dot(f->across + 3 * i, pass);
    }
}

/* f->small = rows times x, rates of places and velocities: as bodies go on, slips turn too */
static void rows(struct carom_stepper *stepper, const double *x)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_stiff *f = &w->smooth.stiff;
    const double little = 1e-5 * w->length / w->speed;
    const size_t nq = w->model->nq, nv = w->model->nv;
    for (size_t i = 0; i < f->n; i++)
        f->small[i] = carom_vec_product(nv, f->turns + nv * i, x + nq);
    add_turn(stepper, x, little, 0.5 / little, f->small);
    add_turn(stepper, x, -little, -0.5 / little, f->small);
}

/* out += factor times columns times f->small */
static void add_columns(const struct carom_event_stiff *f, size_t nv, double factor, double *out)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < nv; k++)
            out[k] += factor * f->small[i] * f->turned[nv * i + k];
}

/* 1 - own h rows columns */
static void factorise(struct carom_event_stiff *f, size_t nv, double h)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->n; j++)
            f->factor[i * f->n + j] = (i == j) - own * h * carom_vec_product(nv, f->turns + nv * i, f->turned + nv * j);
    carom_dense_factor(f->n, f->factor, f->row, NULL);
}

/* x becomes (1 - own h columns rows)^-1 x */
static void relax(struct carom_stepper *stepper, double h, double *x)
{
    struct carom_event_stiff *f = &((struct carom_event_work *)stepper->work)->smooth.stiff;
    rows(stepper, x);
    carom_dense_factor_solve(f->n, f->factor, f->row, f->small);
    add_columns(f, stepper->model->nv, own * h, x + stepper->model->nq);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* out = y0 + h sum of `part` times the slopes so far, k[1] ... */
static void gather(const struct carom_event_smooth *s, const double *part, size_t n, double *out)
{
    for (size_t i = 0; i < s->ny; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += part[j] * s->step.k[1 + j][i];
        out[i] = s->start[i] + s->step.h * sum;
    }
}

/* slope number i, into k[1 + i] */
static void slope(struct carom_stepper *stepper, double t, size_t i)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const size_t nq = stepper->model->nq, nv = stepper->model->nv;
    const double h = s->step.h;
    double *k = s->step.k[1 + i], part = 0.0;
    for (size_t j = 0; j < i; j++)
        part += alpha[i][j];
    if (i == 0) {
        memcpy(k, s->step.k[0], s->ny * sizeof *k);
    } else {
        gather(s, alpha[i], i, s->stage);
        carom_event_smooth_rates(stepper, fmin(t + part * h, carom_loads_within(t, t + h)), s->stage, k);
    }
    memset(s->slope, 0, (nq + nv) * sizeof(double));
    for (size_t j = 0; j < i; j++)
        for (size_t c = 0; c < nq + nv; c++)
            s->slope[c] += lower[i][j] * s->step.k[1 + j][c];
    rows(stepper, s->slope);
    add_columns(&s->stiff, nv, h, k + nq);
    relax(stepper, h, k);
}

void carom_event_stiff_stages(struct carom_stepper *stepper, double t, double h)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    double less[STAGES];
    carom_event_smooth_rates(stepper, t, s->start, s->step.k[0]);
    look(stepper->work);
    factorise(&s->stiff, stepper->model->nv, h);
    for (size_t i = 0; i < STAGES; i++) {
        slope(stepper, t, i);
        less[i] = weight[i] - second[i];
    }
    gather(s, weight, STAGES, s->end);
    gather(s, less, STAGES, s->stage);
    for (size_t i = 0; i < s->ny; i++)
        s->stage[i] -= s->start[i];
    carom_event_smooth_rates(stepper, carom_loads_within(t, t + h), s->end, s->step.k[6]);
    carom_dormand_prince_stand_in(&s->step, s->ny, s->stage);
}
