/* The fused step of verlet is the general one to the bit, step by step, with the same word on whether a contact opened
 * or closed: chains of 1 to 200 beads, with and without walls, random masses and stiffnesses, contacts all closed, all
 * open, some of both, or barely touching, steps of two sizes, and velocities that overflow. A team of threads takes the
 * general phases. So are the passes over viscoelastic spheres; rows of two groups of contacts go without them. */
#include "scheme/compliant/verlet_fused.h"

#include "base/threads.h"
#include "chain.h"
#include "scheme/compliant/verlet_spheres.h"

/* a chain stepped both ways */
struct pair {
    struct carom_model *model[2];
    struct carom_stepper *stepper[2];
    struct carom_state *state[2];
};

static struct pair pair_open(struct chain *chain, const double *step, struct carom_threads *team)
{
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    const bool damped = chain->law[0] == &carom_law_kuwabara_kono;
    struct pair p = {.model = {chain_model(chain)}};
    chain->split = damped ? chain->nc - 1 : 0;
    p.model[1] = chain_model(chain);
    chain->split = 0;
    CHECK(carom_verlet_fused_fits(p.model[0]) == !damped);
    CHECK((carom_verlet_spheres_choose(p.model[0]) != NULL) == damped);
    CHECK(!damped || chain->nc == 1 || carom_verlet_spheres_choose(p.model[1]) == NULL);
    for (int way = 0; way < 2; way++) {
        struct carom_threads *threads = way == 0 || damped ? NULL : team;
        p.stepper[way] = carom_stepper_create(&carom_scheme_verlet, p.model[way], step, &scales, threads, NULL);
        p.state[way] = carom_state_create(p.model[way], 0);
        CHECK_OR_STOP(p.stepper[way] && p.state[way]);
        memcpy(p.state[way]->q, chain->q, chain->n * sizeof(double));
        memcpy(p.state[way]->v, chain->v, chain->n * sizeof(double));
    }
    return p;
}

static void pair_close(struct pair *p)
{
    for (int way = 0; way < 2; way++) {
        carom_stepper_free(p->stepper[way]);
        carom_state_free(p->state[way]);
        carom_model_free(p->model[way]);
    }
}

/* One step or a few; 1 if contacts opened or closed in the last, 0 if none did, -1 if velocities overflowed. */
static int pair_step(struct pair *p, double t_stop, size_t steps)
{
    const struct carom_bound bound = {.t_stop = t_stop, .t_dense = HUGE_VAL, .steps = steps};
    enum carom_status status[2];
    for (int way = 0; way < 2; way++)
        status[way] = carom_scheme_verlet.step(p->stepper[way], p->state[way], &bound, NULL);
    CHECK(status[0] == status[1]);
    CHECK(carom_state_hash(p->state[0]) == carom_state_hash(p->state[1]));
    if (status[0] != CAROM_OK)
        return -1;
    CHECK(p->stepper[0]->switched == p->stepper[1]->switched);
    CHECK(p->stepper[0]->counts.evaluations == p->stepper[1]->counts.evaluations);
    return p->stepper[0]->switched;
}

/* what the contacts of a chain are like */
enum mood { CLOSED, OPEN, MIXED, TOUCHING, MOODS };

static void chain_random(struct chain *chain, const struct carom_law *law, size_t n, int walls, enum mood mood,
                         struct carom_random *random)
{
    const double param[] = {1.0, 0.05};
    const double least[] = {-0.3, 0.1, -0.1, 0.0}, range[] = {0.1, 0.1, 0.2, 0.0};
    chain_uniform(chain, n, walls & 1, walls & 2, law, CAROM_END_GAP, param);
    for (size_t i = 0; i < n; i++) {
        chain->mass[i] = 0.5 + carom_random_uniform(random);
        chain->v[i] = mood == TOUCHING ? -0.0 : (mood == CLOSED ? 0.01 : 1.0) * (carom_random_uniform(random) - 0.5);
    }
    if (mood == TOUCHING)
        chain->v[n / 2] = 1.0;
    for (size_t j = 0; j < chain->nc; j++) {
        chain->param[j][0] = 0.5 + carom_random_uniform(random);
        chain->param[j][1] *= 0.5 + carom_random_uniform(random); /* what Hertz contacts do not have */
        chain->gap[j] = least[mood] + range[mood] * carom_random_uniform(random);
    }
}

/* rows of all lengths, through steps with and without a switch */
static void check_rows(const struct carom_law *law, struct carom_threads *team, struct carom_random *random)
{
    static struct chain chain;
    const double step = 0.05;
    size_t seen[MOODS][2] = {{0}};
    for (size_t n = 1; n <= 200; n = n < 70 ? n + 1 : n + 13)
        for (int walls = n == 1 ? 1 : 0; walls < 4; walls++)
            for (enum mood mood = 0; mood < MOODS; mood++) {
                chain_random(&chain, law, n, walls, mood, random);
                struct pair p = pair_open(&chain, &step, team);
                for (int i = 0; i < 60; i++)
                    seen[mood][pair_step(&p, 100.0, 1) == 1]++;
                const double shorter = p.state[0]->time + 2.3 * step; /* the last step is, too */
                for (int i = 0; i < 3; i++)
                    pair_step(&p, shorter, 1);
                CHECK(p.state[0]->time == shorter);
                pair_step(&p, 100.0, 20);
                pair_close(&p);
            }
    /* each kind of step was among them: with and without a switch, from all closed and from others */
    CHECK(seen[CLOSED][0] > 0 && seen[CLOSED][1] > 0 && seen[MIXED][0] > 0 && seen[MIXED][1] > 0);
    CHECK(seen[OPEN][0] > 0 && seen[TOUCHING][1] > 0);
}

static void check_overflow(const struct carom_law *law, struct carom_threads *team, struct carom_random *random)
{
    static struct chain chain;
    const double step = 0.05;
    for (size_t n = 1; n <= 60; n++) {
        chain_random(&chain, law, n, 3, MIXED, random);
        chain.v[n - 1 - n / 3] = 1.7e308;
        struct pair p = pair_open(&chain, &step, team);
        int last = 0;
        for (int i = 0; i < 40 && last >= 0; i++)
            last = pair_step(&p, 100.0, 1);
        CHECK(last == -1);
        pair_close(&p);
    }
    /* velocities that add up to more than a number can hold are no failure */
    chain_random(&chain, law, 50, 0, OPEN, random);
    for (size_t i = 0; i < 50; i++)
        chain.v[i] = 1e306 * (double)i;
    struct pair p = pair_open(&chain, &step, team);
    CHECK(pair_step(&p, 1.0, 1) >= 0);
    pair_close(&p);
}

int main(int argc, char **argv)
{
    const struct carom_law *const laws[] = {&carom_law_hertz, &carom_law_kuwabara_kono};
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    struct carom_threads *team = carom_threads_create(2);
    CHECK_OR_STOP(team != NULL);
    for (size_t i = 0; i < 2; i++) {
        check_rows(laws[i], team, &random);
        check_overflow(laws[i], team, &random);
    }
    carom_threads_free(team);
    return check_end();
}
