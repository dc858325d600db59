/* Friction of spheres after Mindlin: a tangential spring whose stiffness goes with the contact's radius,
 * k_t(d) = 8 G* sqrt(R* d), under Coulomb's cone. How a stretched spring answers to a change of the overlap is told by
 * `form`, see friction_spring.h. Which one is the default was measured: tests/conform/mindlin.c prints how far each is
 * from the exact rebound of spheres (root mean square of psi2 over 0 < psi1 <= 6: spring 0.318, potential 0.316, force
 * 0.271, rescaled 0.268) and what it creates (spring and force up to 16 % of the slip's energy, the others none). */
#include "law/friction_spring.h"

struct mindlin {
    double mu, mu_static, k_t, gamma_t, form;
};

static const char *const forms[] = {"spring", "potential", "force", "rescaled", NULL};

static const struct carom_param params[] = {
    {"mu", CAROM_REAL, offsetof(struct mindlin, mu), CAROM_REQUIRED, 0.0, HUGE_VAL, "1", "coefficient of friction",
     NULL},
    {"mu_static", CAROM_REAL, offsetof(struct mindlin, mu_static), 0.0, 0.0, HUGE_VAL, "1",
     "of contacts that stick; 0: mu", NULL},
    {"k_t", CAROM_REAL, offsetof(struct mindlin, k_t), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "N/m^(3/2)",
     "tangential stiffness over the root of the overlap, 8 G* sqrt(R*)", NULL},
    {"gamma_t", CAROM_REAL, offsetof(struct mindlin, gamma_t), 0.0, 0.0, HUGE_VAL, "s",
     "viscous time of the tangential spring", NULL},
    {"form", CAROM_CHOICE, offsetof(struct mindlin, form), CAROM_FORM_RESCALED, 0.0, 3.0, "1",
     "what a change of the overlap does to the spring; rescaled never creates energy", forms},
    CAROM_PARAM_END,
};

/* force forms gather k_t sqrt(d) along the way, whose mean is two thirds of its end */
static double onset(const double *const *param, size_t j)
{
    return param[4][j] == CAROM_FORM_FORCE || param[4][j] == CAROM_FORM_RESCALED ? 2.0 / 3.0 : 1.0;
}

static struct carom_friction_spring spring_of(const double *const *param, size_t j, double d0, double d1)
{
    const double root0 = d0 > 0.0 ? sqrt(d0) : 0.0, root1 = d1 > 0.0 ? sqrt(d1) : 0.0, k = param[2][j];
    return (struct carom_friction_spring){.mu = param[0][j],
                                          .mu_static = fmax(param[0][j], param[1][j]),
                                          .gamma = param[3][j],
                                          .form = (enum carom_friction_form)param[4][j],
                                          .stiffness = {k * root0, k * root1},
                                          .slope = d1 > CAROM_TOUCH ? 0.5 * k / root1 : 0.0,
                                          .onset = onset(param, j)};
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
        struct carom_friction_spring spring = spring_of(s->param, j, s->deform0[j], s->deform1[j]);
        spring.mean = carom_spring_mean_of_roots(spring.stiffness[0], spring.stiffness[1]);
        carom_friction_spring_step(s, j, &spring);
    }
}

static double stiffness(const double *const *param, size_t j, double deform)
{
    return deform > 0.0 ? param[2][j] * sqrt(deform) : 0.0;
}

const struct carom_friction carom_friction_mindlin = {
    .kind = {"mindlin", "a tangential spring of spheres, k_t sqrt(d), under Coulomb's cone", params,
             sizeof(struct mindlin)},
    .spring = true,
    .moment = moment,
    .step = step,
    .stiffness = stiffness,
    .onset = onset,
};
