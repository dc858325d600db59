/* Impact laws on random sets of contacts (springy_draw.h): velocities, impulses, losses, forces on the way, estimates
 * and steps have the bits they had when the table below was made. Laws that go through a blow step by step correct
 * themselves, so a slip in how they choose their steps, or when they stop, hardly shows in what property.lzb asks.
 * Where a change is meant to change the way,
 *
 *     build/tests/conform/blows --write
 *
 * prints the table again. */
#include "impact/lzb_impulse.h"
#include "impact/rough.h"
#include "springy_draw.h"
#include "stored.h"

enum { SAMPLES = 400 };

static void hear(void *own, size_t contact, double time, double force)
{
    (void)own;
    mix(contact);
    mix_reals((const double[]){time, force}, 2);
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    (void)own;
    mix_reals((const double[]){time, duration, estimate}, 3);
}

static void strike(const struct carom_impact *impact, const struct springy_sample *s, const void *options, bool heard)
{
    const struct carom_trace trace = {.every = 0.25, .force = hear, .end = hear_end};
    struct springy_blow blow = {0};
    struct carom_error error = {CAROM_OK, ""};
    mix((uint64_t)springy_strike(impact, s->model, options, s->v, heard ? &trace : NULL, &blow, &error));
    mix_text(error.text);
    mix_reals(blow.after, s->nv);
    mix_reals(blow.impulse, s->nc);
    mix_reals(blow.lost, s->nc);
    mix_reals((const double[]){blow.estimate, blow.duration}, 2);
    mix(blow.steps);
}

/* long rows that are struck at one end, or from both: spans come and go, and bodies at rest are reached late */
static void draw_long_row(struct springy_sample *s, struct carom_random *random)
{
    s->n = s->nv = 10 + carom_random_below(random, 30);
    s->nc = s->n - 1;
    for (size_t i = 0; i < s->n; i++)
        s->mass[i] = springy_decades(random, carom_random_below(random, 3) == 0 ? 1.0 : 0.0);
    s->v[0] = draw_between(random, 0.5, 2.0);
    s->v[s->n - 1] = carom_random_below(random, 2) ? -draw_between(random, 0.0, 1.0) : 0.0;
    springy_draw_contacts(s, random);
    if (carom_random_below(random, 2))
        s->e[0] = 1e-10; /* taken for 0, which the estimate tells */
    s->options.impact_work = 0.1;
    s->model = springy_row(s->n, false, false, s->mass, s->e, s->k, s->p);
}

static void run_lzb(struct carom_random *random, size_t k)
{
    struct springy_sample s = {0};
    springy_draw(&s, random);
    strike(&carom_impact_lzb, &s, &s.options, k % 4 == 0);
    carom_model_free(s.model);
}

static void run_long(struct carom_random *random, size_t k)
{
    struct springy_sample s = {0};
    if (k >= SAMPLES / 16)
        return;
    draw_long_row(&s, random);
    strike(&carom_impact_lzb, &s, &s.options, k % 4 == 0);
    carom_model_free(s.model);
}

static void run_impulse(struct carom_random *random, size_t k)
{
    struct springy_sample s = {0};
    springy_draw(&s, random);
    const struct carom_lzb_impulse_options options = {.dP = carom_power(10.0, draw_between(random, -3.0, -1.0)),
                                                      .safeguards = k % 3 == 0,
                                                      .stiffness = s.options.stiffness,
                                                      .impact_steps = 500};
    strike(&carom_impact_lzb_impulse, &s, &options, k % 3 == 1);
    carom_model_free(s.model);
}

static void run_at_once(struct carom_random *random, size_t k)
{
    static const struct carom_impact *const laws[] = {&carom_impact_newton, &carom_impact_moreau, &carom_impact_poisson,
                                                      &carom_impact_stronge};
    const struct carom_rough_options coarse = {.impact_tol = 1e-3};
    struct springy_sample s = {0};
    springy_draw(&s, random);
    const bool path = k % 4 >= 2;
    if (!path || s.nc <= 4) /* paths of more contacts may take seconds */
        strike(laws[k % 4], &s, path ? &coarse : NULL, false);
    carom_model_free(s.model);
}

static const struct {
    const char *name;
    void (*run)(struct carom_random *random, size_t k);
    uint64_t hash;
} families[] = {
    {"lzb", run_lzb, 0x7053d50c83f4b5fa},
    {"lzb in long rows", run_long, 0xd404e0077b1f1c11},
    {"lzb-impulse", run_impulse, 0xdce74d18099ee52f},
    {"newton, moreau, poisson, stronge", run_at_once, 0x9d71fd921a9f7613},
};

int main(int argc, char **argv)
{
    const bool write = argc > 1 && strcmp(argv[1], "--write") == 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        hash = 1;
        for (size_t k = 0; k < SAMPLES; k++) {
            struct carom_random random;
            carom_random_start(&random, 1000 * f + k);
            families[f].run(&random, k);
        }
        if (write)
            printf("%s 0x%016" PRIx64 "\n", families[f].name, hash);
        else if (hash != families[f].hash)
            fprintf(stderr, "%s: other bits or another way\n", families[f].name);
        CHECK(write || hash == families[f].hash);
    }
    return check_end();
}
