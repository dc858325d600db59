/* Balls under verlet, as many contacts side by side as the library does not take here, are the same to the bit: springs
 * of all forms that lanes know and none, in plane and space, with parameters of the pair or of each contact, dampers
 * that a step bears and such that it does not, contacts that open, close, slide and stick. */
#ifndef __x86_64__
#define CAROM_LANES 4 /* the library has two, but those of x86-64 with AVX2 four */
#endif
#include "scheme/compliant/packing/verlet_lanes_moves.h"
#include "scheme/compliant/packing/verlet_lanes_pass.h"

#include "base/random.h"
#include "bodies.h"
#include "scheme/stepper.h"

enum { SIDE = 5, MOST = SIDE * SIDE * SIDE };

static const struct carom_verlet_passes others = {press_some, kick_some, drift_some, finish_some};

struct crowd {
    size_t dimension;
    const struct carom_friction *friction; /* NULL: none */
    double form, gamma_t, radius_power;
    bool same; /* are all balls of one size? */
};

/* balls beside each other, thrown about between joined sides */
static struct carom_sim *make_sim(const struct crowd *c)
{
    const double param[] = {1e4, 2e-3}, rub[] = {0.3, 0.0, 8e3, c->gamma_t, c->form};
    const size_t n = c->dimension == 2 ? SIDE * SIDE : MOST;
    struct carom_bodies *b = bodies_of(c->dimension, n, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_random random;
    double v[6 * MOST];
    carom_random_start(&random, 11);
    b->pairing[0].friction = c->friction;
    b->pairing[0].param[0].radius_power = b->pairing[0].rub[2].radius_power = c->radius_power;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->bounded = true;
    for (size_t k = 0; k < c->dimension; k++) {
        b->periodic[k] = true;
        b->high[k] = 2.0 * SIDE;
    }
    for (size_t i = 0; i < n; i++)
        bodies_ball(b, i, c->same ? 0.99 : 0.97 + 0.02 * carom_random_uniform(&random), 1.0,
                    1.0 + 2.0 * (double)(i % SIDE), 1.0 + 2.0 * (double)(i / SIDE % SIDE),
                    c->dimension == 2 ? 0.0 : 1.0 + 2.0 * (double)(i / SIDE / SIDE));
    for (size_t i = 0; i < n * carom_bodies_nv(b); i++)
        v[i] = 2.0 * carom_random_uniform(&random) - 1.0;
    return bodies_sim(b, v, &carom_scheme_verlet, "step", 2e-3, 1e9);
}

static uint64_t hash_after(const struct crowd *c, const struct carom_verlet_passes *passes, size_t steps,
                           size_t *touching)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = make_sim(c);
    CHECK_OR_STOP(sim);
    if (passes)
        ((struct carom_verlet_bodies_work *)sim->stepper->work)->passes = passes;
    CHECK_STATUS(carom_sim_step(sim, steps, &error), CAROM_OK);
    const struct carom_contacts *list = sim->state->contacts;
    *touching = 0;
    for (size_t j = 0; j < list->n; j++)
        *touching += !carom_list_is_empty(list, j);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return hash;
}

int main(void)
{
    static const struct crowd crowds[] = {
        {2, NULL, 0.0, 0.0, 0.5, false},
        {3, NULL, 0.0, 0.0, 0.0, true},
        {2, &carom_friction_mindlin, (double)CAROM_FORM_RESCALED, 2e-3, 0.5, false},
        {3, &carom_friction_mindlin, (double)CAROM_FORM_RESCALED, 2e-3, 0.0, false},
        {3, &carom_friction_mindlin, (double)CAROM_FORM_FORCE, 0.0, 0.5, true},
        {3, &carom_friction_mindlin, (double)CAROM_FORM_SPRING, 10.0, 0.0, false},
        {2, &carom_friction_cundall_strack, 0.0, 2e-3, 0.0, true},
        {3, &carom_friction_cundall_strack, 0.0, 2e-3, 0.0, false},
    };
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++)
        for (size_t steps = 1; steps <= 1000; steps *= 10) {
            size_t touching, touch;
            const uint64_t hash = hash_after(&crowds[i], NULL, steps, &touching);
            CHECK(hash_after(&crowds[i], &others, steps, &touch) == hash && touch == touching);
            CHECK(steps < 100 || touching > 1);
        }
    return check_end();
}
