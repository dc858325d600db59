/* Resistance to rolling and to twisting: a torque that is never larger than mu R N, with R the effective radius of the
 * two bodies and N the normal force. The laws are those of friction, of Cundall and Strack and of Coulomb; slip is R
 * times the relative spin, and what they answer is the torque over R. (Ai, Chen, Rotter and Ooi 2011 call them models C
 * and A; below slip_speed the second is their viscous one, B.) */
#include "carom/friction.h"

struct spring {
    double mu, mu_static, k, gamma;
};

static const struct carom_param spring_params[] = {
    {"mu", CAROM_REAL, offsetof(struct spring, mu), CAROM_REQUIRED, 0.0, HUGE_VAL, "1",
     "torque of bodies that give way over radius and normal force", NULL},
    {"mu_static", CAROM_REAL, offsetof(struct spring, mu_static), 0.0, 0.0, HUGE_VAL, "1",
     "of bodies that do not yet; 0: mu", NULL},
    {"k", CAROM_REAL, offsetof(struct spring, k), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "N/m",
     "stiffness: torque over angle and radius squared", NULL},
    {"gamma", CAROM_REAL, offsetof(struct spring, gamma), 0.0, 0.0, HUGE_VAL, "s", "viscous time of the spring", NULL},
    CAROM_PARAM_END,
};

static void spring_moment(const struct carom_friction_moment *m)
{
    carom_friction_cundall_strack.moment(m);
}

static void spring_step(const struct carom_friction_step *s)
{
    carom_friction_cundall_strack.step(s);
}

static double stiffness(const double *const *param, size_t j, double deform)
{
    return carom_friction_cundall_strack.stiffness(param, j, deform);
}

static double onset(const double *const *param, size_t j)
{
    return carom_friction_cundall_strack.onset(param, j);
}

const struct carom_friction carom_resistance_spring = {
    .kind = {"spring", "a spring that gives way at mu x radius x normal force", spring_params, sizeof(struct spring)},
    .spring = true,
    .moment = spring_moment,
    .step = spring_step,
    .stiffness = stiffness,
    .onset = onset,
};

struct constant {
    double mu, mu_static, slip_speed;
};

static const struct carom_param constant_params[] = {
    {"mu", CAROM_REAL, offsetof(struct constant, mu), CAROM_REQUIRED, 0.0, HUGE_VAL, "1",
     "torque over radius and normal force", NULL},
    {"mu_static", CAROM_REAL, offsetof(struct constant, mu_static), 0.0, 0.0, 0.0, "1",
     "0: this law has one coefficient", NULL},
    {"slip_speed", CAROM_REAL, offsetof(struct constant, slip_speed), 1e-3, CAROM_POSITIVE, HUGE_VAL, "m/s",
     "radius x spin above which the torque is full; below, it is viscous", NULL},
    CAROM_PARAM_END,
};

static void constant_moment(const struct carom_friction_moment *m)
{
    carom_friction_coulomb.moment(m);
}

static void constant_step(const struct carom_friction_step *s)
{
    carom_friction_coulomb.step(s);
}

const struct carom_friction carom_resistance_constant = {
    .kind = {"constant", "a torque mu x radius x normal force against the spin, viscous below slip_speed",
             constant_params, sizeof(struct constant)},
    .moment = constant_moment,
    .step = constant_step,
};
