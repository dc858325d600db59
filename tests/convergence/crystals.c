/* Crystals under implicit schemes of fixed step: numbers that independent programs found (k = 1, step 0.1), beside the
 * law itself; ledger and momenta. */
#include "crystals.h"
#include "check.h"

struct number {
    const struct carom_scheme *scheme; /* of the law itself: dp5 */
    bool paper;
    double energy, v[3];
};

/* one crystal, and the velocity of which body is told */
struct crystal {
    struct carom_bodies *(*make)(double *v);
    size_t told;
    double until;
    const struct number *number;
    size_t n;
};

static const struct number pair[] = {
    {&carom_scheme_dp5, false, .474614091540, {.232426457583, -.052077221860}},
    {&carom_scheme_theta, false, .474739654655, {.232225067265, -.052163289636}},
    {&carom_scheme_energy_momentum, false, .474654179570, {.232298107379, -.052111212994}},
    {&carom_scheme_cn_reg, false, .474693320950, {.232370376628, -.052124346608}},
    {&carom_scheme_gl_reg, false, .474613917173, {.232426279967, -.052077148755}},
    {&carom_scheme_irk, false, .474424046770, {.232275443410, -.051993166260}},
};

static const struct number hexagonal[] = {
    {&carom_scheme_dp5, false, .359258849896, {.572109756316, .000674036434}},
    {&carom_scheme_theta, false, .360634484768, {.572568340408, .000668210059}},
    {&carom_scheme_energy_momentum, false, .359728414687, {.572449231751, .000672323763}},
    {&carom_scheme_cn_reg, false, .359771053080, {.572489221404, .000669855744}},
    {&carom_scheme_gl_reg, false, .359257315599, {.572109709771, .000674051144}},
};

static const struct number cubic[] = {
    {&carom_scheme_dp5, false, .419283697790, {.066810360260, .092536402114, .102659997687}},
    {&carom_scheme_theta, false, .419951472747, {.066692399908, .092320159273, .102428595819}},
    {&carom_scheme_energy_momentum, false, .419570712194, {.066777051005, .092459682475, .102578590900}},
    {&carom_scheme_gl_reg, false, .419292071314, {.066811388679, .092536333870, .102660436077}},
    {&carom_scheme_irk, false, .418587873764, {.066698887895, .092430880126, .102539886730}},
};

static const struct crystal crystals[] = {
    {crystals_pair, 1, 4.0, pair, sizeof pair / sizeof *pair},
    {crystals_hexagonal, 5, 6.0, hexagonal, sizeof hexagonal / sizeof *hexagonal},
    {crystals_cubic, 7, 6.0, cubic, sizeof cubic / sizeof *cubic},
};

static struct carom_sim *run(const struct crystal *c, const struct carom_scheme *scheme, double step)
{
    double v[64] = {0.0};
    const bool law = scheme == &carom_scheme_dp5;
    struct carom_sim *sim = bodies_sim(c->make(v), v, scheme, law ? "tol" : "step", law ? 1e-11 : step, c->until);
    bodies_run(sim);
    return sim;
}

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof crystals / sizeof *crystals; i++)
        for (size_t k = 0; k < crystals[i].n; k++) {
            const struct number *number = &crystals[i].number[k];
            struct carom_sim *sim = run(&crystals[i], number->scheme, 0.1);
            const struct carom_bodies *b = carom_model_bodies(sim->model);
            const struct carom_ledger ledger = bodies_ledger(sim);
            CHECK_NEAR(ledger.kinetic + ledger.stored, number->energy, 1e-9);
            for (size_t d = 0; d < b->dimension; d++) {
                const double v = sim->view->v[crystals[i].told * carom_bodies_nv(b) + d];
                CHECK_NEAR(v, number->v[d], 1e-9);
            }
            carom_sim_free(sim);
        }
}

int main(void)
{
    test_numbers();
    return check_end();
}
