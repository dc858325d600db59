/* Impacts against closed forms: a cradle pair by pair and at once, unequal masses, walls, collapse; energy lost adds up
 * to the kinetic energy lost; what is refused. */
#include "carom/impact.h"
#include "base/random.h"
#include "model/frame.h"
#include "parts.h"
#include "rigid.h"

enum { MOST = 64 };

struct blow {
    double after[MOST], impulse[MOST], lost[MOST];
    double residual;
    size_t iterations;
};

static double unfelt; /* of all collisions */

static double kinetic(const struct carom_model *model, const double *q, const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        double part, stored;
        m->part->energy(m->own, 0.0, q + m->q0, v + m->v0, NULL, &part, &stored);
        sum += part;
    }
    return sum;
}

/* all contacts of the model struck at once */
static enum carom_status strike(const struct carom_impact *impact, struct carom_model *model, const double *q,
                                const double *v, struct blow *blow, struct carom_error *error)
{
    struct carom_frame frame;
    size_t contact[MOST];
    double e[MOST];
    for (size_t j = 0; j < model->nc; j++) {
        contact[j] = j;
        e[j] = model->group[0].param[0][j];
    }
    CHECK_STATUS(carom_frame_open(&frame, model, model->nc, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.0, q, contact, model->nc, NULL), CAROM_OK);
    struct carom_striker *striker = carom_striker_create(impact, model, NULL, model->nc, NULL);
    CHECK_OR_STOP(striker != NULL);
    struct carom_collision c = {
        .frame = &frame, .e = e, .v = v, .after = blow->after, .impulse = blow->impulse, .lost = blow->lost};
    c.unfelt = unfelt;
    const enum carom_status status = impact->solve(striker, &c, error);
    blow->residual = c.residual;
    blow->iterations = c.iterations;
    double lost = 0.0, moved = 0.0;
    for (size_t j = 0; status == CAROM_OK && j < model->nc; j++) {
        lost += blow->lost[j];
        moved += frame.drift[j] * blow->impulse[j];
        CHECK(blow->impulse[j] >= 0.0);
    }
    if (status == CAROM_OK) {
        const double before = kinetic(model, q, v);
        CHECK_NEAR(before - kinetic(model, q, blow->after), lost + moved, 1e-13 * (1.0 + before));
    }
    carom_striker_free(striker);
    carom_frame_close(&frame);
    return status;
}

static const double zeros[MOST];

/* one bead strikes n that touch: pair by pair the last one leaves, at once all move */
static void check_cradle(void)
{
    const double v[5] = {1.0};
    const struct row row = {.n = 5, .e_all = 1.0}, three = {.n = 3, .e_all = 1.0};
    struct carom_model *model = row_model(&row), *small = row_model(&three);
    struct blow blow;
    CHECK_STATUS(strike(&carom_impact_newton, model, zeros, v, &blow, NULL), CAROM_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(blow.after[i], i == 4 ? 1.0 : 0.0, 1e-15);
    CHECK(blow.iterations == 4);
    CHECK_STATUS(strike(&carom_impact_moreau, small, zeros, v, &blow, NULL), CAROM_OK);
    const double known[3] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}; /* the rates afterwards are 1 and 0 */
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(blow.after[i], known[i], 1e-14);
    carom_model_free(model);
    carom_model_free(small);
}

static void check_pair(void)
{
    const double mass[2] = {2.0, 3.0}, v[2] = {4.0, -1.0}, e = 0.3;
    const struct row row = {.n = 2, .mass = mass, .e_all = e};
    const struct carom_impact *const impacts[] = {&carom_impact_newton, &carom_impact_moreau};
    for (size_t k = 0; k < 2; k++) {
        struct carom_model *model = row_model(&row);
        struct blow blow;
        CHECK_STATUS(strike(impacts[k], model, zeros, v, &blow, NULL), CAROM_OK);
        const double p = (1.0 + e) * 5.0 * 6.0 / 5.0;
        CHECK_NEAR(blow.impulse[0], p, 1e-14);
        CHECK_NEAR(blow.after[0], 4.0 - p / 2.0, 1e-14);
        CHECK_NEAR(blow.after[1], -1.0 + p / 3.0, 1e-14);
        CHECK_NEAR(blow.lost[0], 0.5 * 1.2 * 25.0 * (1.0 - e * e), 1e-13);
        carom_model_free(model);
    }
}

/* three beads meeting with e = .05 collapse: infinitely many impacts of pairs, together at last */
static void check_collapse(void)
{
    const double v[3] = {1.0, 0.0, -1.0};
    const struct row row = {.n = 3, .e_all = 0.05};
    struct carom_model *model = row_model(&row);
    struct blow blow;
    CHECK_STATUS(strike(&carom_impact_newton, model, zeros, v, &blow, NULL), CAROM_OK);
    CHECK(blow.iterations > 5);
    CHECK_NEAR(blow.after[0] + blow.after[1] + blow.after[2], 0.0, 1e-14);
    CHECK(blow.after[1] - blow.after[0] >= -1e-15);
    CHECK(blow.after[2] - blow.after[1] >= -1e-15);
    CHECK(kinetic(model, zeros, blow.after) < 1e-3);
    carom_model_free(model);
}

/* between two walls with e = 1 pair by pair never ends, and at once has no answer either */
static void check_refused(void)
{
    const double v[3] = {1.0, 0.3, -0.2};
    const struct row row = {.n = 3, .left = true, .right = true, .e_all = 1.0};
    struct carom_model *model = row_model(&row);
    struct carom_error error = {0};
    struct blow blow;
    CHECK_STATUS(strike(&carom_impact_newton, model, zeros, v, &blow, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "did not end");
    CHECK_CONTAINS(error.text, "e = 1 never come to rest under any impact law, give e below 1 or a gap");
    carom_model_free(model);
    const double wrong[3] = {nan(""), 0.0, 0.0};
    const struct row free_row = {.n = 3, .e_all = 1.0};
    model = row_model(&free_row);
    CHECK(strike(&carom_impact_newton, model, zeros, wrong, &blow, &error) == CAROM_E_NUMERIC);
    CHECK(strike(&carom_impact_moreau, model, zeros, wrong, &blow, &error) == CAROM_E_NUMERIC);
    carom_model_free(model);
}

/* random rows, one e: both laws never create energy, moreau obeys its law, newton leaves nothing approaching */
static void check_random(void)
{
    struct carom_random random;
    carom_random_start(&random, 11);
    for (int trial = 0; trial < 300; trial++) {
        double mass[MOST], v[MOST];
        const size_t n = 2 + (size_t)carom_random_below(&random, 20);
        const double e = trial % 5 == 0 ? 1.0 : carom_random_uniform(&random);
        for (size_t i = 0; i < n; i++) {
            mass[i] = exp(carom_random_normal(&random));
            v[i] = carom_random_normal(&random);
        }
        const struct row row = {.n = n, .left = trial % 2 == 0, .mass = mass, .e_all = e};
        struct carom_model *model = row_model(&row);
        struct blow blow;
        const double before = kinetic(model, zeros, v);
        double rate[MOST], after[MOST];
        CHECK_STATUS(strike(&carom_impact_moreau, model, zeros, v, &blow, NULL), CAROM_OK);
        CHECK(kinetic(model, zeros, blow.after) <= before * (1.0 + 1e-13));
        carom_contacts_deform(model, 0.0, zeros, v, after, rate);
        double now[MOST];
        carom_contacts_deform(model, 0.0, zeros, blow.after, after, now);
        for (size_t j = 0; j < model->nc; j++) {
            const double w = -now[j] - e * rate[j];
            CHECK(w >= -1e-12);
            CHECK_NEAR(w * blow.impulse[j], 0.0, 1e-11);
        }
        CHECK_STATUS(strike(&carom_impact_newton, model, zeros, v, &blow, NULL), CAROM_OK);
        CHECK(kinetic(model, zeros, blow.after) <= before * (1.0 + 1e-13));
        carom_contacts_deform(model, 0.0, zeros, blow.after, after, now);
        for (size_t j = 0; j < model->nc; j++)
            CHECK(now[j] <= 1e-12);
        for (size_t j = 0; j < model->nc; j++)
            CHECK(blow.lost[j] >= -1e-15);
        carom_model_free(model);
    }
}

/* newton as its head describes it, on velocities: the pair that approaches fastest, until none does; how many pairs */
static size_t strike_plainly(size_t n, const double *mass, const double *e, double *v, double *impulse, double *lost)
{
    double least = 0.0;
    for (size_t pairs = 0;; pairs++) {
        size_t at = 0;
        for (size_t j = 1; j + 1 < n; j++)
            if (v[j] - v[j + 1] > (v[at] - v[at + 1]) * (1.0 + 1e-11))
                at = j;
        const double approach = v[at] - v[at + 1], both = mass[at] * mass[at + 1] / (mass[at] + mass[at + 1]);
        least = pairs == 0 ? 1e-13 * approach : least;
        if (!(approach > fmax(least, 0.0)))
            return pairs;
        const double p = (1.0 + e[at]) * approach * both;
        v[at] -= p / mass[at];
        v[at + 1] += p / mass[at + 1];
        impulse[at] += p;
        lost[at] += 0.5 * both * approach * approach * (1.0 - e[at] * e[at]);
    }
}

static void check_plainly(void)
{
    struct carom_random random;
    carom_random_start(&random, 26);
    size_t pairs = 0;
    for (int trial = 0; trial < 400; trial++) {
        double mass[MOST], v[MOST], after[MOST], e[MOST], impulse[MOST] = {0.0}, lost[MOST] = {0.0};
        const size_t n = 2 + (size_t)carom_random_below(&random, 18);
        for (size_t i = 0; i < n; i++) {
            mass[i] = trial % 3 == 0 ? 1.0 : exp(0.5 * carom_random_normal(&random));
            v[i] = after[i] = trial % 4 == 0 ? (double)(i == 0) : carom_random_normal(&random);
            e[i] = trial % 5 == 0 ? 1.0 : 0.8 + 0.2 * carom_random_uniform(&random);
        }
        const struct row row = {.n = n, .mass = mass, .e = e};
        struct carom_model *model = row_model(&row);
        struct blow blow;
        CHECK_STATUS(strike(&carom_impact_newton, model, zeros, v, &blow, NULL), CAROM_OK);
        pairs += blow.iterations;
        CHECK(blow.iterations == strike_plainly(n, mass, e, after, impulse, lost));
        for (size_t i = 0; i < n; i++)
            CHECK_NEAR(blow.after[i], after[i], 1e-11);
        for (size_t j = 0; j + 1 < n; j++) {
            CHECK_NEAR(blow.impulse[j], impulse[j], 1e-11);
            CHECK_NEAR(blow.lost[j], lost[j], 1e-11);
        }
        carom_model_free(model);
    }
    CHECK(pairs > 4000);
}

/* unequal e at coupled contacts can create energy: the first bead rebounds from a pair that takes up its motion without
 * loss at one contact and sticks at the other, which was opening; `lost` says so (strike() has checked the sum) */
static void check_unequal(void)
{
    const double v[3] = {1.0, 0.0, 0.5}, e[2] = {1.0, 0.0};
    const struct row row = {.n = 3, .e = e};
    struct carom_model *model = row_model(&row);
    struct blow blow;
    CHECK_STATUS(strike(&carom_impact_moreau, model, zeros, v, &blow, NULL), CAROM_OK);
    CHECK_NEAR(blow.after[0], -1.0 / 6.0, 1e-14);
    CHECK_NEAR(blow.after[1], 5.0 / 6.0, 1e-14);
    CHECK_NEAR(blow.after[2], 5.0 / 6.0, 1e-14);
    CHECK_NEAR(blow.lost[0], 0.0, 1e-15);
    CHECK_NEAR(blow.lost[1], 0.625 - 17.0 / 24.0, 1e-14);
    carom_model_free(model);
}

static const struct pendulum pendulum = {2.0, 1.0, 0.7, 9.81, 0.1, 0.3, 5.0};
static const struct box box = {2.0, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 9.81};

static void *copy(const void *from, size_t size)
{
    void *to = carom_memory_zeroed(1, size);
    CHECK_OR_STOP(to != NULL);
    memcpy(to, from, size);
    return to;
}

/* parts: a moving port does work, a box lands on four corners of a face at once (redundant contacts) */
static void check_parts(void)
{
    const double gap[4] = {0.0}, e[4] = {0.5, 0.5, 0.5, 0.5};
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    const double q[2] = {0.1, 0.4}, v[2] = {-1.0, -2.0}, place[7] = {0, 0, 0.6, 1, 0, 0, 0}, fall[6] = {0.3, 0, -2};
    struct blow blow;
    for (size_t k = 0; k < 2; k++) {
        const struct carom_impact *impact = k ? &carom_impact_newton : &carom_impact_moreau;
        struct carom_model *model = carom_model_create();
        CHECK_STATUS(carom_model_add(model, &part_pendulum, copy(&pendulum, sizeof pendulum), NULL), CAROM_OK);
        CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1,
                                      (const int32_t[][2]){{CAROM_WALL_LEFT, 1}}, gap, columns, NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
        CHECK_STATUS(strike(impact, model, q, v, &blow, NULL), CAROM_OK);
        CHECK(blow.impulse[0] > 0.0);
        carom_model_free(model);
        model = carom_model_create();
        CHECK_STATUS(carom_model_add(model, &part_box, copy(&box, sizeof box), NULL), CAROM_OK);
        CHECK_STATUS(carom_model_join(
                         model, &carom_law_rigid, CAROM_END_GAP, 4,
                         (const int32_t[][2]){
                             {CAROM_WALL_LEFT, 0}, {CAROM_WALL_LEFT, 1}, {CAROM_WALL_LEFT, 2}, {CAROM_WALL_LEFT, 3}},
                         gap, columns, NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
        CHECK_STATUS(strike(impact, model, place, fall, &blow, NULL), CAROM_OK);
        if (k == 0) { /* at once: straight up again with e, impulses m (1 + e) 2 in all */
            CHECK_NEAR(blow.after[2], 1.0, 1e-13);
            CHECK_NEAR(blow.after[3], 0.0, 1e-13);
            CHECK_NEAR(blow.after[4], 0.0, 1e-13);
            CHECK_NEAR(blow.impulse[0] + blow.impulse[1] + blow.impulse[2] + blow.impulse[3], 6.0, 1e-12);
        }
        carom_model_free(model);
    }
}

/* a slow impact along a path is off by less than what is not felt, and no better than that asks; a fast one is as good
 * as ever */
static void check_unfelt(void)
{
    const struct carom_impact *const impacts[] = {&carom_impact_poisson, &carom_impact_stronge};
    const struct row row = {.n = 4, .e_all = 0.5};
    const double v[2][4] = {{1e-4}, {1.0}};
    for (size_t k = 0; k < 4; k++) {
        struct carom_model *model = row_model(&row);
        struct blow fine, coarse;
        double off = 0.0;
        CHECK_STATUS(strike(impacts[k / 2], model, zeros, v[k % 2], &fine, NULL), CAROM_OK);
        unfelt = 1e-10;
        CHECK_STATUS(strike(impacts[k / 2], model, zeros, v[k % 2], &coarse, NULL), CAROM_OK);
        unfelt = 0.0;
        for (size_t i = 0; i < 4; i++)
            off = fmax(off, fabs(fine.after[i] - coarse.after[i]));
        CHECK(k % 2 == 0 ? off > 0.0 && off <= 1e-10 : off == 0.0);
        carom_model_free(model);
    }
}

int main(void)
{
    check_unfelt();
    check_cradle();
    check_pair();
    check_collapse();
    check_refused();
    check_random();
    check_plainly();
    check_unequal();
    check_parts();
    return check_end();
}
