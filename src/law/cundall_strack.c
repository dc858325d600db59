/* Friction after Cundall and Strack: a tangential spring of constant stiffness under Coulomb's cone. */
#include "law/friction_spring.h"

struct cundall_strack {
    double mu, mu_static, k_t, gamma_t;
};

static const struct carom_param params[] = {
    {"mu", CAROM_REAL, offsetof(struct cundall_strack, mu), CAROM_REQUIRED, 0.0, HUGE_VAL, "1",
     "coefficient of friction", NULL},
    {"mu_static", CAROM_REAL, offsetof(struct cundall_strack, mu_static), 0.0, 0.0, HUGE_VAL, "1",
     "of contacts that stick; 0: mu", NULL},
    {"k_t", CAROM_REAL, offsetof(struct cundall_strack, k_t), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "N/m",
     "tangential stiffness", NULL},
    {"gamma_t", CAROM_REAL, offsetof(struct cundall_strack, gamma_t), 0.0, 0.0, HUGE_VAL, "s",
     "viscous time of the tangential spring", NULL},
    CAROM_PARAM_END,
};

static struct carom_friction_spring spring_of(const double *const *param, size_t j, double d0, double d1)
{
    const double k0 = d0 > 0.0 ? param[2][j] : 0.0, k1 = d1 > 0.0 ? param[2][j] : 0.0;
    return (struct carom_friction_spring){.mu = param[0][j],
                                          .mu_static = fmax(param[0][j], param[1][j]),
                                          .gamma = param[3][j],
                                          .form = CAROM_FORM_SPRING,
                                          .stiffness = {k0, k1},
                                          .mean = 0.5 * (k0 + k1)};
}

static void moment(const struct carom_friction_moment *m)
{
    for (size_t j = 0; j < m->n; j++) {
        const struct carom_friction_spring spring = spring_of(m->param, j, m->deform[j], m->deform[j]);
        carom_friction_spring_moment(m, j, &spring);
    }
}

static void step(const struct carom_friction_step *s)
{
    for (size_t j = 0; j < s->n; j++) {
        const struct carom_friction_spring spring = spring_of(s->param, j, s->deform0[j], s->deform1[j]);
        carom_friction_spring_step(s, j, &spring);
    }
}

static double stiffness(const double *const *param, size_t j, double deform)
{
    return deform > 0.0 ? param[2][j] : 0.0;
}

static double onset(const double *const *param, size_t j)
{
    (void)param, (void)j;
    return 1.0;
}

const struct carom_friction carom_friction_cundall_strack = {
    .kind = {"cundall-strack", "a tangential spring of constant stiffness under Coulomb's cone", params,
             sizeof(struct cundall_strack)},
    .spring = true,
    .moment = moment,
    .step = step,
    .stiffness = stiffness,
    .onset = onset,
};
