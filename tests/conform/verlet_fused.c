/* The fused step of verlet is the general one to the bit: chains of 1 to 200 beads, with and without walls, contacts
 * open and closed, random masses, gaps and stiffnesses. A team of threads takes the general phases. */
#include "base/threads.h"
#include "chain.h"

static uint64_t run(const struct chain *chain, struct carom_threads *threads)
{
    struct carom_model *model = chain_model(chain);
    const double step = 0.05;
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    struct carom_stepper *stepper = carom_stepper_create(&carom_scheme_verlet, model, &step, &scales, threads, NULL);
    struct carom_state *state = carom_state_create(model, 0);
    CHECK_OR_STOP(stepper && state);
    memcpy(state->q, chain->q, chain->n * sizeof(double));
    memcpy(state->v, chain->v, chain->n * sizeof(double));
    for (int watch = 0; watch < 2; watch++) {
        const struct carom_bound bound = {.t_stop = 100.0, .t_dense = HUGE_VAL, .steps = 40, .watch = watch == 1};
        for (int i = 0; i < 20; i++)
            CHECK_STATUS(carom_scheme_verlet.step(stepper, state, &bound, NULL), CAROM_OK);
    }
    const uint64_t hash = carom_state_hash(state);
    carom_stepper_free(stepper);
    carom_state_free(state);
    carom_model_free(model);
    return hash;
}

int main(int argc, char **argv)
{
    static struct chain chain;
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    struct carom_threads *team = carom_threads_create(2);
    CHECK_OR_STOP(team != NULL);
    for (size_t n = 1; n <= 200; n = n < 60 ? n + 1 : n + 23)
        for (int walls = 0; walls < 4; walls++) {
            const double param[] = {1.0};
            if (n == 1 && walls == 0)
                continue;
            chain_uniform(&chain, n, walls & 1, walls & 2, &carom_law_hertz, CAROM_END_GAP, param);
            for (size_t i = 0; i < n; i++) {
                chain.mass[i] = 0.5 + carom_random_uniform(&random);
                chain.v[i] = carom_random_uniform(&random) - 0.5;
                chain.q[i] = 0.2 * carom_random_uniform(&random);
            }
            for (size_t j = 0; j < chain.nc; j++) {
                chain.param[j][0] = 0.5 + carom_random_uniform(&random);
                chain.gap[j] = 0.2 * carom_random_uniform(&random) - 0.1;
            }
            CHECK(run(&chain, NULL) == run(&chain, team));
        }
    carom_threads_free(team);
    return check_end();
}
