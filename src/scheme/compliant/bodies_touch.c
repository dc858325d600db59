/* What contacts push too much or too little in a step of dp5 that begins or ends near touch. There a force goes like a
 * power of the time since touch, Kuwabara and Kono's like its root, whose integral the weights of the step miss, and of
 * that the estimated error sees a tenth or less. Every contact near touch is asked along the dense output, by Gauss'
 * rule in the root of the time since touch, whatever its law and friction. */
#include <string.h>

#include "base/vec.h"
#include "model/bodies/move.h"
#include "scheme/compliant/bodies_glance.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, SIDE = 6, NUMBERS = 2 * SIDE + CAROM_RETIRED_KINDS + 1 };

static const double nearly = 0.3; /* of the force at the other end: this near touch the weights must be put right */

/* The forces of one contact, on both bodies, then its losses by mechanism, then the work of leads; `early`: their
 * moments about the end of the step, which displacements follow. */
struct effect {
    double of[NUMBERS], early[2 * SIDE];
};

/* the couple on b of what resists rolling and twisting */
static void couple_of(const struct carom_glance *g, double couple[3])
{
    const struct carom_act *look = &g->w->look;
    const struct carom_body *body = g->w->bodies->body;
    const size_t rolls = look->columns.width[CAROM_ROLLS], twists = look->columns.width[CAROM_TWISTS];
    const double lever = carom_meet_lever(&body[g->one.key->a], &body[g->one.key->b]);
    for (int k = 0; k < 3; k++)
        couple[k] = twists > 0 ? lever * look->tangent[CAROM_TWISTS][0][0] * look->meeting[0].normal[k] : 0.0;
    for (size_t k = 0; k < rolls; k++)
        couple[rolls == 1 ? 2 : k] += lever * look->tangent[CAROM_ROLLS][k][0];
}

/* the force on b along the contact's plane */
static void across_of(const struct carom_glance *g, double across[3])
{
    const struct carom_act *look = &g->w->look;
    double tangential[3] = {0.0};
    across[0] = across[1] = across[2] = 0.0;
    for (size_t k = 0; k < look->columns.width[CAROM_SLIDES]; k++)
        tangential[k] = look->tangent[CAROM_SLIDES][k][0];
    if (look->columns.width[CAROM_SLIDES] > 0)
        carom_act_spatial(look, &look->meeting[0], tangential, across);
}

/* the forces and torques on both bodies, as numbers of their velocities */
static void wrenches_of(const struct carom_glance *g, double normal, double out[2 * SIDE])
{
    const struct carom_meeting *m = &g->w->look.meeting[0];
    const size_t d = g->w->bodies->dimension;
    double across[3], couple[3], torque[3];
    across_of(g, across);
    couple_of(g, couple);
    for (int s = 0; s < 2; s++) {
        const double sign = s == 1 ? 1.0 : -1.0;
        carom_vec_cross(m->arm[s], across, torque);
        for (size_t k = 0; k < d; k++)
            out[s * SIDE + (int)k] = sign * (normal * m->normal[k] + across[k]);
        for (size_t k = d == 2 ? 2 : 0; k < 3; k++)
            out[s * SIDE + (int)(d == 2 ? k : 3 + k)] = sign * (torque[k] + couple[k]);
    }
}

/* what the contact does where the glance has just looked, as bodies_rates.c has it, `weight` times; of the step `left`
 * is still to come */
static void add_effect(const struct carom_glance *g, double weight, double left, struct effect *sum)
{
    struct carom_dp5_bodies *w = g->w;
    struct carom_act *look = &w->look;
    const double rate = look->rate[0], *v = w->dense + g->stepper->model->nq;
    double now[NUMBERS] = {0.0}, *lost = now + 2 * SIDE, total = look->elastic[0] + look->drag[0] * rate;
    lost[CAROM_RETIRED_VISCOUS] = look->drag[0] * rate * rate;
    carom_act_power(look, &g->one, &lost[CAROM_RETIRED_VISCOUS]);
    for (int way = 0; way < CAROM_WAYS; way++)
        if (look->columns.width[way] > 0) {
            total += look->push[way][0];
            lost[CAROM_RETIRED_FRICTION + way] = look->friction_loss[way][0];
            lost[CAROM_RETIRED_CHANGE] += look->change[way][0];
        }
    wrenches_of(g, total, now);
    now[NUMBERS - 1] = carom_act_work(look, &g->one, &total, w->bodies->frictional ? look->tangent : NULL, v);
    for (int i = 0; i < NUMBERS; i++)
        sum->of[i] += weight * now[i];
    for (int i = 0; i < 2 * SIDE; i++)
        sum->early[i] += weight * left * now[i];
}

/* the integral over the step, and less what the weights made of it */
static void find_missed(struct carom_glance *g, bool ends, struct effect *sum)
{
    static const double place[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
    static const double weighs[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};
    *sum = (struct effect){{0.0}, {0.0}};
    for (int i = 0; i < 8; i++) {
        const double root = 0.5 + (i < 4 ? -0.5 : 0.5) * place[i % 4], since = root * root;
        const double s = ends ? 1.0 - since : since;
        carom_bodies_glance_at(g, s);
        add_effect(g, weighs[i % 4] * root, ends ? since : 1.0 - since, sum);
    }
    for (size_t s = 0; s + 1 < STAGES; s++) {
        carom_bodies_glance_stage(g, s);
        add_effect(g, -carom_dormand_prince_weight(s), 1.0 - carom_dormand_prince_node(s), sum);
    }
}

/* what a body has missed is put into y and forgotten; returns how much it is, in units of the scales */
static double put_right(struct carom_stepper *stepper, size_t i, double *y)
{
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b), nq = carom_bodies_nq(b), d = b->dimension;
    const struct carom_body *body = &b->body[i];
    const double h = w->step.h, speed = stepper->scales.speed, length = stepper->scales.length;
    double *impulse = w->missed + 2 * i * nv, *early = impulse + nv, move[SIDE], moved[10], worst = 0.0;
    for (size_t k = 0; k < nv; k++) {
        const double mass = body->fixed ? 0.0 : k < d ? body->mass : body->inertia;
        const double dv = mass > 0.0 ? h * impulse[k] / mass : 0.0, part = k < d ? 1.0 : body->radius;
        move[k] = mass > 0.0 ? h * h * early[k] / mass : 0.0;
        y[stepper->model->nq + i * nv + k] += dv;
        worst = fmax(worst, part * fmax(speed > 0.0 ? fabs(dv) / speed : 0.0, fabs(move[k]) / length));
        impulse[k] = early[k] = 0.0;
    }
    carom_move_body(d == 2, y + i * nq, move, moved);
    memcpy(y + i * nq, moved, nq * sizeof *moved);
    return worst;
}

/* Does contact j come from touch in the step, or go there? +1 and -1. What presses with a memory touches where its
 * force begins. */
static int is_near(const struct carom_dp5_bodies *w, size_t j)
{
    const enum carom_contact_phase phase = carom_dp5_bodies_phase(w, j, CAROM_SLIDES);
    const double before = w->pressed[j], after = w->act.elastic[j];
    if (phase == CAROM_CONTACT_OPEN || phase == CAROM_CONTACT_CUT)
        return 0;
    return before < nearly * after ? 1 : after < nearly * before ? -1 : 0;
}

/* of contact j: bodies remember it until all contacts have been asked, losses have it at once */
static void remember(struct carom_stepper *stepper, size_t j, const struct effect *sum)
{
    struct carom_dp5_bodies *w = stepper->work;
    const size_t nv = carom_bodies_nv(w->bodies), body[2] = {w->at.key[j].a, w->at.key[j].b};
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < nv; k++) {
            w->missed[2 * body[s] * nv + k] += sum->of[s * SIDE + k];
            w->missed[(2 * body[s] + 1) * nv + k] += sum->early[s * SIDE + k];
        }
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        w->trial[carom_dp5_bodies_losses(stepper) + i * w->n + j] += w->step.h * sum->of[2 * SIDE + i];
    w->trial[w->ny - 1] += w->step.h * sum->of[NUMBERS - 1];
}

double carom_bodies_touch_correct(struct carom_stepper *stepper, double t)
{
    struct carom_dp5_bodies *w = stepper->work;
    double worst = 0.0;
    for (size_t j = 0; j < w->n; j++) {
        const int near = is_near(w, j);
        struct carom_glance g;
        struct effect sum;
        if (near == 0)
            continue;
        carom_bodies_glance_begin(&g, stepper, t, j, CAROM_SLIDES);
        find_missed(&g, near < 0, &sum);
        remember(stepper, j, &sum);
    }
    for (size_t j = 0; j < w->n; j++)
        if (is_near(w, j) != 0) {
            worst = fmax(worst, put_right(stepper, w->at.key[j].a, w->trial));
            worst = fmax(worst, put_right(stepper, w->at.key[j].b, w->trial));
        }
    return worst;
}
