/* A dense crowd of balls that leave the cells of their anchors every few steps: verlet goes on from what the last step
 * left as from a state at which all contacts are worked out anew, to the bit. */
#include "bodies.h"
#include "draws.h"

struct crowd {
    size_t dimension;
    const struct carom_law *law;
    double edge; /* of the cells of anchors, where balls have radii of about 1 */
};

enum { SIDE = 6, STEPS = 1500 };

static struct carom_sim *begin(const struct crowd *c, uint64_t seed)
{
    const double kk[] = {1e3, 0.05}, dashpot[] = {1e3, 2e-3}, rub[] = {0.4, 0.0, 500.0, 0.5};
    const bool flat = c->dimension == 2;
    const size_t n = flat ? SIDE * SIDE : (size_t)SIDE * SIDE * SIDE;
    struct carom_bodies *b =
        bodies_of(c->dimension, n, 0, c->law, CAROM_END_FORCE, c->law == &carom_law_kuwabara_kono ? kk : dashpot);
    const size_t nv = carom_bodies_nv(b);
    struct carom_random random;
    double *v = carom_memory_zeroed(n * nv, sizeof *v);
    carom_random_start(&random, seed);
    b->pairing[0].friction = &carom_friction_cundall_strack;
    for (size_t i = 0; i < 4; i++)
        b->pairing[0].rub[i].param = rub[i];
    for (size_t i = 0; i < n; i++) {
        const double x = 1.98 * (double)(i % SIDE), y = 1.98 * (double)(i / SIDE % SIDE),
                     z = 1.98 * (double)(i / SIDE / SIDE);
        bodies_ball(b, i, draw_between(&random, 0.9, 1.0), 1.0, x, y, z);
        v[i * nv] = 3.0 + draw_between(&random, -1.0, 1.0); /* all fly, and rattle */
        for (size_t k = 1; k < nv; k++)
            v[i * nv + k] = draw_between(&random, -1.0, 1.0);
    }
    struct carom_model *model = bodies_model(b);
    b->edge = c->edge;
    struct carom_sim *sim = bodies_sim_of(model, b, v, &carom_scheme_verlet, "step", 2e-3, 1e3, NULL);
    carom_memory_free(v);
    return sim;
}

static void test_crowd(const struct crowd *c)
{
    const uint64_t seed = 20261 + c->dimension;
    struct carom_sim *on = begin(c, seed), *anew = begin(c, seed);
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_bound bound = {.t_stop = 1e3, .t_dense = HUGE_VAL, .steps = 1};
    size_t touched = 0;
    CHECK_OR_STOP(on != NULL && anew != NULL);
    for (size_t i = 0; i < STEPS; i++) {
        CHECK_STATUS(carom_scheme_verlet.start(anew->stepper, anew->state, &error), CAROM_OK);
        CHECK_STATUS(anew->stepper->scheme->step(anew->stepper, anew->state, &bound, &error), CAROM_OK);
        CHECK_STATUS(on->stepper->scheme->step(on->stepper, on->state, &bound, &error), CAROM_OK);
        CHECK_OR_STOP(error.status == CAROM_OK);
        CHECK(carom_state_hash(on->state) == carom_state_hash(anew->state));
        touched += on->stepper->switched;
    }
    CHECK(touched > STEPS / 20);                                                              /* it is a crowd */
    CHECK(on->state->q[carom_bodies_nq(carom_model_bodies(on->model)) - c->dimension] > 5.0); /* and has come far */
    carom_sim_free(on);
    carom_sim_free(anew);
}

int main(void)
{
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < 2; i++) {
            const double edge = i == 0 ? 0.25 : 0.0625;
            test_crowd(&(struct crowd){dimension, &carom_law_kuwabara_kono, edge});
            test_crowd(&(struct crowd){dimension, &carom_law_linear_dashpot, edge});
        }
    return check_end();
}
