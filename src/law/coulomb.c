/* Coulomb's friction without a spring, smooth at rest: F = mu N slip / max(|slip|, slip_speed). What should stick,
 * creeps slower than slip_speed. */
#include "law/friction_spring.h"

struct coulomb {
    double mu, mu_static, slip_speed;
};

static const struct carom_param params[] = {
    {"mu", CAROM_REAL, offsetof(struct coulomb, mu), CAROM_REQUIRED, 0.0, HUGE_VAL, "1", "coefficient of friction",
     NULL},
    {"mu_static", CAROM_REAL, offsetof(struct coulomb, mu_static), 0.0, 0.0, 0.0, "1",
     "0: this law has one coefficient", NULL},
    {"slip_speed", CAROM_REAL, offsetof(struct coulomb, slip_speed), 1e-3, CAROM_POSITIVE, HUGE_VAL, "m/s",
     "slip speed above which friction is full", NULL},
    CAROM_PARAM_END,
};

/* force over slip */
static double answer(const double *const *param, size_t j, double normal, double speed, double step,
                     const double *mobility)
{
    return carom_spring_none(param[0][j], param[2][j], normal, speed, step, step > 0.0 ? mobility[j] : 0.0);
}

static void moment(const struct carom_friction_moment *m)
{
    for (size_t j = 0; j < m->n; j++) {
        double square = 0.0;
        for (size_t k = 0; k < m->width; k++)
            square += m->slip[k][j] * m->slip[k][j];
        const double drag =
            m->deform[j] > 0.0 ? answer(m->param, j, m->normal[j], sqrt(square), m->step, m->mobility) : 0.0;
        for (size_t k = 0; k < m->width; k++) {
            if (m->force)
                m->force[k][j] = -drag * m->slip[k][j];
            if (m->spring_rate)
                m->spring_rate[k][j] = 0.0;
        }
        if (m->power)
            m->power[j] = drag * square;
        double *const zeros[] = {m->push, m->energy, m->change};
        for (int i = 0; i < 3; i++)
            if (zeros[i])
                zeros[i][j] = 0.0;
        if (m->margin)
            m->margin[j] = HUGE_VAL;
    }
}

/* both ends by their normal forces, the slip of the whole step between them */
static void step(const struct carom_friction_step *s)
{
    for (size_t j = 0; j < s->n; j++) {
        double square = 0.0;
        for (size_t k = 0; k < s->width; k++)
            square += s->slide[k][j] * s->slide[k][j];
        const double speed = sqrt(square) / s->h;
        const double normal0 = s->deform0[j] > 0.0 ? s->normal0[j] : 0.0;
        const double normal1 = s->deform1[j] > 0.0 ? s->normal1[j] : 0.0;
        const double mean = s->normal_mean ? answer(s->param, j, s->normal_mean[j], speed, s->step, s->mobility)
                                           : 0.5 * (answer(s->param, j, normal0, speed, s->step, s->mobility) +
                                                    answer(s->param, j, normal1, speed, s->step, s->mobility));
        for (size_t k = 0; k < s->width; k++) {
            s->impulse[k][j] = -mean * s->slide[k][j];
            s->spring1[k][j] = s->force1[k][j] = 0.0;
        }
        s->push1[j] = s->change[j] = 0.0;
        s->lost[j] = mean * square / s->h;
    }
}

const struct carom_friction carom_friction_coulomb = {
    .kind = {"coulomb", "friction against the slip, viscous below slip_speed", params, sizeof(struct coulomb)},
    .moment = moment,
    .step = step,
};
