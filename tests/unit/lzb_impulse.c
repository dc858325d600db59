/* Impact lzb-impulse: binary collisions return es, first order in dP, the counts of steps of the report's table 2, the
 * rules of a first step by hand, random rows and nets of contacts whose energy closes, what is heard and refused. */
#include "impact/lzb_impulse.h"

#include <float.h>

#include "base/random.h"
#include "carom/impact.h"
#include "rigid.h"

enum { MOST = 64 };

static const struct carom_lzb_impulse_options usual = {.impact_steps = 100000000};
static const double zeros[MOST];

struct blow {
    double after[MOST], impulse[MOST], lost[MOST], estimate, duration;
    size_t iterations;
};

static double kinetic(const struct carom_model *model, const double *v)
{
    double sum, stored;
    model->member[0].part->energy(model->member[0].own, 0.0, zeros, v, NULL, &sum, &stored);
    return sum;
}

static void set_frame(struct carom_frame *frame, const struct carom_model *model)
{
    size_t contact[MOST];
    for (size_t j = 0; j < model->nc; j++)
        contact[j] = j;
    CHECK_STATUS(carom_frame_open(frame, model, model->nc, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(frame, 0.0, zeros, contact, model->nc, NULL), CAROM_OK);
}

/* all contacts of the model struck at once; energy and approach are checked whatever the case */
static enum carom_status strike(const struct carom_model *model, const struct carom_lzb_impulse_options *options,
                                const double *v, const double *k, const double *p, const struct carom_trace *trace,
                                struct blow *blow, struct carom_error *error)
{
    struct carom_frame frame;
    set_frame(&frame, model);
    struct carom_striker *striker = carom_striker_create(&carom_impact_lzb_impulse, model, options, model->nc, NULL);
    CHECK_OR_STOP(striker != NULL);
    struct carom_collision c = {.frame = &frame,
                                .e = model->group[0].param[CAROM_RIGID_E],
                                .k = k,
                                .p = p,
                                .trace = trace,
                                .v = v,
                                .after = blow->after,
                                .impulse = blow->impulse,
                                .lost = blow->lost};
    const enum carom_status status = carom_impact_lzb_impulse.solve(striker, &c, error);
    blow->estimate = c.estimate;
    blow->duration = c.duration;
    blow->iterations = c.iterations;
    if (status == CAROM_OK) {
        double rate[MOST], lost = 0.0;
        carom_frame_rates(&frame, blow->after, rate);
        for (size_t j = 0; j < model->nc; j++) {
            CHECK(blow->impulse[j] >= 0.0);
            CHECK(rate[j] >= -1e-12);
            lost += blow->lost[j];
        }
        const double before = kinetic(model, v);
        CHECK_NEAR(before - kinetic(model, blow->after), lost, 1e-12 * before);
        if (options->safeguards == 0)
            CHECK(lost >= -1e-13 * before);
    }
    carom_striker_free(striker);
    carom_frame_close(&frame);
    return status;
}

/* --- closed forms ------------------------------------------------------------------------------------------------ */

static void check_pair(void)
{
    static const double es[] = {1.0, 0.8, 0.3, 0.01, 0.0}, powers[] = {1.0, 1.5, 2.2};
    const double mass[2] = {2.0, 3.0}, v[2] = {4.0, -1.0}, k = 700.0;
    for (size_t i = 0; i < 5; i++)
        for (size_t n = 0; n < 3; n++)
            for (int how = 0; how < 4; how++) {
                const struct row row = {.n = 2, .mass = mass, .e_all = es[i]};
                const struct carom_lzb_impulse_options o = {
                    .dP = 1e-4 * 6.0, .impact_steps = 1000000, .safeguards = how & 1, .stiffness = how / 2};
                struct carom_model *model = row_model(&row);
                struct blow blow;
                CHECK_STATUS(strike(model, &o, v, &k, &powers[n], NULL, &blow, NULL), CAROM_OK);
                const double impulse = (1.0 + es[i]) * 6.0;
                /* with safeguards es is exact but for what is left; else a step may be given back too much */
                CHECK_NEAR(blow.impulse[0], impulse, how & 1 ? 3.0 * o.dP : 1e-5);
                if (!(how & 1))
                    CHECK(blow.estimate < 1e-4);
                carom_model_free(model);
            }
}

/* the time of a binary collision, es = 1: 2.9432 d / V with the deepest overlap d */
static void check_time(void)
{
    const double v[2] = {1.0, 0.0}, k = 1.0, deepest = pow(1.25 * 0.5, 0.4);
    const struct row row = {.n = 2, .e_all = 1.0};
    struct carom_model *model = row_model(&row);
    struct blow blow;
    CHECK_STATUS(strike(model, &usual, v, &k, NULL, NULL, &blow, NULL), CAROM_OK);
    CHECK_NEAR(blow.duration, 2.9432747 * deepest, 1e-3);
    carom_model_free(model);
}

/* --- the report's chains ----------------------------------------------------------------------------------------- */

static struct carom_model *steel_chain(size_t n, double es, double *k)
{
    double mass[MOST];
    for (size_t i = 0; i < n; i++) {
        mass[i] = 4.0 / 3.0 * 3.14159265358979323846 * 1e-6 * 7780.0;
        k[i] = 4.0 / 3.0 * sqrt(0.005) * 203e9 / (2.0 * (1.0 - 0.09));
    }
    const struct row row = {.n = n, .mass = mass, .e_all = es};
    return row_model(&row);
}

static void check_table(void)
{
    static const struct {
        double dP;
        size_t steps;
    } rows[] = {{1e-4, 4621}, {1e-5, 45912}};
    double k[MOST];
    const double v[21] = {1.0};
    struct carom_model *model = steel_chain(21, 1.0, k);
    for (size_t i = 0; i < 2; i++) {
        const struct carom_lzb_impulse_options o = {
            .dP = rows[i].dP, .threshold = DBL_EPSILON, .safeguards = 1, .impact_steps = 1000000};
        struct blow blow;
        CHECK_STATUS(strike(model, &o, v, k, NULL, NULL, &blow, NULL), CAROM_OK);
        CHECK(blow.iterations == rows[i].steps);
        CHECK(kinetic(model, blow.after) > kinetic(model, v)); /* the printed scheme creates energy */
    }
    carom_model_free(model);
}

/* halving the step halves the error, with safeguards too, and the estimate is near it */
static void check_order(void)
{
    double k[MOST], off[2], truth[MOST];
    const double v[MOST] = {1.0};
    struct carom_model *model = steel_chain(6, 0.9, k);
    struct blow blow;
    struct carom_lzb_impulse_options o = {.dP = 2e-7, .impact_steps = 10000000};
    CHECK_STATUS(strike(model, &o, v, k, NULL, NULL, &blow, NULL), CAROM_OK);
    memcpy(truth, blow.after, sizeof truth);
    for (int i = 0; i < 2; i++) {
        o.dP = i ? 1e-5 : 2e-5;
        off[i] = 0.0;
        CHECK_STATUS(strike(model, &o, v, k, NULL, NULL, &blow, NULL), CAROM_OK);
        for (size_t b = 0; b < 6; b++)
            off[i] = fmax(off[i], fabs(blow.after[b] - truth[b]));
        CHECK(off[i] < 1.5 * blow.estimate && blow.estimate < 3.0 * off[i]);
    }
    CHECK(off[0] / off[1] > 1.7 && off[0] / off[1] < 2.3);
    carom_model_free(model);
}

/* --- the rules --------------------------------------------------------------------------------------------------- */

/* first step: (12) between two contacts that approach; second: (11) for those, (13) for one that begins */
static void check_rules(void)
{
    const double v[4] = {2.0, 1.5, 0.0, 0.0}, k[3] = {10.0, 30.0, 20.0}, dP = 1e-3;
    const struct row row = {.n = 4, .e_all = 1.0};
    struct carom_model *model = row_model(&row);
    struct carom_frame frame;
    struct carom_lzb_walk walk;
    double rate[MOST];
    set_frame(&frame, model);
    carom_frame_rates(&frame, v, rate);
    CHECK_OR_STOP(carom_lzb_walk_open(&walk, 3, 4));
    const struct carom_lzb_impulse_options o = {.dP = dP, .safeguards = 1};
    const struct carom_lzb_walk_manner manner = carom_lzb_impulse_manner(&o, &frame, rate, 0.0);
    carom_lzb_walk_begin(&walk, &frame, v, k, NULL, model->group[0].param[0], &manner);
    CHECK(walk.primary == 1);
    carom_lzb_walk_step(&walk);
    const double *d = walk.d + 1;
    CHECK_NEAR(d[1], dP, 0.0);
    CHECK_NEAR(d[0], k[0] / k[1] * pow(0.5 / 1.5, 1.5) * dP, 1e-18);
    CHECK(d[2] == 0.0);
    for (size_t j = 0; j < 2; j++) /* (17) */
        CHECK_NEAR(walk.F[j], pow(2.5, 0.6) * pow(k[j], 0.4) * pow(walk.E[j], 0.6), 1e-15 * walk.F[j]);
    const double share = pow(k[0] / k[1], 0.4) * pow(walk.E[0] / walk.E[1], 0.6) * dP;
    const double begun = k[2] / k[1] * pow(walk.a[2] * dP / walk.E[1], 1.5) * dP;
    CHECK(walk.primary == 1 && walk.a[2] > 0.0);
    carom_lzb_walk_step(&walk);
    CHECK_NEAR(d[0], share, 1e-15 * share);
    CHECK_NEAR(d[2], begun, 1e-14 * begun);
    for (int i = 0; i < 3000 && carom_lzb_walk_goes_on(&walk); i++)
        carom_lzb_walk_step(&walk);
    for (size_t j = 0; j < 3; j++) /* the root that is carried along stays true */
        CHECK_NEAR(walk.F[j], pow(2.5, 0.6) * pow(k[j], 0.4) * pow(walk.E[j], 0.6), 4e-15 * walk.F[j]);
    carom_lzb_walk_close(&walk);
    carom_frame_close(&frame);
    carom_model_free(model);
}

/* --- random sets ------------------------------------------------------------------------------------------------- */

/* beads with contacts between any two of them: not a row, H is full */
static struct carom_model *net(size_t n, size_t nc, struct carom_random *random, const double *e)
{
    int32_t pair[MOST][2];
    double mass[MOST];
    for (size_t i = 0; i < n; i++)
        mass[i] = pow(10.0, 3.0 * carom_random_uniform(random) - 2.0);
    for (size_t j = 0; j < nc; j++) {
        pair[j][0] = (int32_t)carom_random_below(random, n);
        do
            pair[j][1] = (int32_t)carom_random_below(random, n);
        while (pair[j][1] == pair[j][0]);
    }
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(n, mass, NULL, NULL, NULL);
    CHECK_OR_STOP(model && beads);
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    CHECK_STATUS(
        carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, nc, (const int32_t(*)[2])pair, zeros, columns, NULL),
        CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

static void check_random(void)
{
    const uint64_t seed = 20110501;
    struct carom_random random;
    carom_random_start(&random, seed);
    size_t refused = 0;
    for (int trial = 0; trial < 500; trial++) {
        const size_t n = 2 + carom_random_below(&random, 7),
                     nc = trial % 2 ? n - 1 : 1 + carom_random_below(&random, n);
        double e[MOST], k[MOST], p[MOST], v[MOST], mass[MOST];
        for (size_t j = 0; j < n; j++) {
            const double u = carom_random_uniform(&random);
            e[j] = u < 0.1 ? 0.0 : u > 0.9 ? 1.0 : carom_random_uniform(&random);
            k[j] = pow(10.0, 3.0 * carom_random_uniform(&random));
            p[j] = trial % 3 == 0 ? 1.0 + carom_random_uniform(&random) : 1.5;
            v[j] = 2.0 * carom_random_uniform(&random) - 1.0;
            mass[j] = pow(10.0, 3.0 * carom_random_uniform(&random) - 2.0);
        }
        const struct row row = {.n = n, .mass = mass, .e = e};
        struct carom_model *model = trial % 2 ? row_model(&row) : net(n, nc, &random, e);
        const struct carom_beads *beads = model->member[0].own;
        double stop = 0.0, momentum = 0.0, size = 0.0;
        struct carom_frame frame;
        set_frame(&frame, model);
        double rate[MOST];
        carom_frame_rates(&frame, v, rate);
        for (size_t j = 0; j < nc; j++)
            stop = fmax(stop, -rate[j] / frame.diagonal[j]);
        carom_frame_close(&frame);
        const struct carom_lzb_impulse_options o = {
            .dP = stop > 0.0 ? 1e-2 * stop : 1.0, .stiffness = trial % 5 == 0, .impact_steps = 300000};
        struct blow blow;
        struct carom_error error;
        const enum carom_status status = strike(model, &o, v, k, p, NULL, &blow, &error);
        refused += status != CAROM_OK;
        for (size_t i = 0; status == CAROM_OK && i < n; i++) {
            momentum += beads->mass[i] * (blow.after[i] - v[i]);
            size += beads->mass[i] * fabs(v[i]);
        }
        CHECK(fabs(momentum) <= 1e-12 * size);
        if (status != CAROM_OK)
            CHECK_CONTAINS(error.text, "impact_steps");
        carom_model_free(model);
    }
    printf("seed %llu: %zu of 500 refused\n", (unsigned long long)seed, refused);
    CHECK(refused <= 10); /* light beads between heavy ones, which take more steps than are allowed here */
}

/* a row and the same row as a net: the same to rounding */
static void check_dense(void)
{
    const double v[5] = {1.0, 0.2, 0.0, 0.0, -0.7}, e[4] = {0.9, 0.6, 0.95, 0.8}, k[4] = {1.0, 2.0, 1.5, 0.7};
    const struct row row = {.n = 5, .e = e};
    struct carom_model *model = row_model(&row);
    struct blow one, two;
    const struct carom_lzb_impulse_options o = {.dP = 1e-3, .impact_steps = 100000};
    CHECK_STATUS(strike(model, &o, v, k, NULL, NULL, &one, NULL), CAROM_OK);
    const double mass[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
    const int32_t pair[4][2] = {{2, 3}, {0, 1}, {1, 2}, {3, 4}};
    const size_t order[4] = {2, 0, 1, 3};
    struct carom_model *other = carom_model_create();
    double e2[4], k2[4];
    for (size_t j = 0; j < 4; j++) {
        e2[j] = e[order[j]];
        k2[j] = k[order[j]];
    }
    const double *const columns[CAROM_RIGID_COLUMNS] = {e2};
    CHECK_STATUS(carom_model_add(other, &carom_part_beads, carom_beads_create(5, mass, NULL, NULL, NULL), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_join(other, &carom_law_rigid, CAROM_END_GAP, 4, pair, zeros, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(other, NULL), CAROM_OK);
    CHECK(!(other->offers & CAROM_CHAIN));
    CHECK_STATUS(strike(other, &o, v, k2, NULL, NULL, &two, NULL), CAROM_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(one.after[i], two.after[i], 1e-9);
    carom_model_free(model);
    carom_model_free(other);
}

/* --- listening, refusing ----------------------------------------------------------------------------------------- */

struct heard {
    size_t count;
    double last, most, impulse[MOST];
};

static void hear(void *own, size_t contact, double time, double force)
{
    struct heard *heard = own;
    CHECK(time >= heard->last && force > 0.0);
    heard->last = time;
    heard->most = fmax(heard->most, force);
    heard->impulse[contact] += force;
    heard->count++;
}

static void check_heard(void)
{
    double k[MOST];
    const double v[MOST] = {1.0};
    struct carom_model *model = steel_chain(6, 0.9, k);
    const struct carom_lzb_impulse_options o = {.dP = 1e-5, .impact_steps = 1000000};
    struct heard heard = {0};
    const struct carom_trace trace = {.every = 1e-7, .force = hear, .own = &heard};
    struct blow loud, silent;
    CHECK_STATUS(strike(model, &o, v, k, NULL, &trace, &loud, NULL), CAROM_OK);
    CHECK_STATUS(strike(model, &o, v, k, NULL, NULL, &silent, NULL), CAROM_OK);
    CHECK(memcmp(loud.after, silent.after, 6 * sizeof(double)) == 0 && heard.count > 1000);
    for (size_t j = 0; j < 5; j++) /* forces add up to impulses */
        CHECK_NEAR(heard.impulse[j] * 1e-7, loud.impulse[j], 2e-4 * loud.impulse[j]);
    carom_model_free(model);
}

static void check_refused(void)
{
    const double v[3] = {1.0, 0.3, -0.2}, bad_k[2] = {1.0, -1.0}, bad_p[2] = {1.5, 0.5}, wrong[3] = {nan(""), 0.0, 0.0};
    const struct row held = {.n = 3, .left = true, .right = true, .e_all = 1.0}, row = {.n = 3, .e_all = 1.0};
    const struct carom_lzb_impulse_options o = {.impact_steps = 50000};
    struct carom_error error = {0};
    struct blow blow;
    struct carom_model *model = row_model(&held);
    CHECK_STATUS(strike(model, &o, v, NULL, NULL, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "contacts 0 to 3 are held between walls with es = 1");
    carom_model_free(model);
    const double es[4] = {1.0, 0.99, 1.0, 1.0};
    const struct row lossy = {.n = 3, .left = true, .right = true, .e = es},
                     open = {.n = 3, .left = true, .e_all = 1.0};
    const struct carom_lzb_impulse_options enough = {.dP = 1e-3, .impact_steps = 3000000};
    model = row_model(&lossy);
    CHECK_STATUS(strike(model, &enough, v, NULL, NULL, NULL, &blow, &error), CAROM_OK);
    carom_model_free(model);
    model = row_model(&open);
    CHECK_STATUS(strike(model, &enough, v, NULL, NULL, NULL, &blow, &error), CAROM_OK);
    CHECK_STATUS(strike(model, &(struct carom_lzb_impulse_options){.dP = 1e-3, .impact_steps = 9}, v, NULL, NULL, NULL,
                        &blow, &error),
                 CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "9 steps of dP = 0.002 did not end an impact of 3 contacts, contact 0 the first");
    carom_model_free(model);
    model = row_model(&row);
    CHECK_STATUS(strike(model, &o, v, bad_k, NULL, NULL, &blow, &error), CAROM_E_INPUT);
    CHECK_STATUS(strike(model, &o, v, NULL, bad_p, NULL, &blow, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "contact 2");
    CHECK_STATUS(strike(model, &o, wrong, NULL, NULL, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_STATUS(strike(model, &o, zeros, NULL, NULL, NULL, &blow, &error), CAROM_OK);
    CHECK(blow.iterations == 0 && blow.impulse[0] == 0.0);
    carom_model_free(model);
}

int main(void)
{
    check_pair();
    check_time();
    check_table();
    check_order();
    check_rules();
    check_random();
    check_dense();
    check_heard();
    check_refused();
    return check_end();
}
