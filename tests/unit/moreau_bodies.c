/* Scheme moreau-jean on discs and spheres: closed forms, statics, what is kept, driven walls, and the certificate of
 * its contact problems. */
#include "base/vec.h"
#include "bodies.h"
#include "model/bodies/list.h"
#include "rigid.h"
#include "solve/contact/friction_data.h"

static struct carom_bodies *make(size_t dimension, size_t n, size_t leads, double e)
{
    const double param[] = {e, 1.0, 1.5, 0.0, 0.0};
    return bodies_of(dimension, n, leads, &carom_law_rigid, CAROM_END_GAP, param);
}

/* The contact problem of the last step, as it can be written, and its answer: impulses of these forces. Every two of
 * its contacts have a body in common. */
static void check_problem(struct carom_stepper *stepper, const double *force, size_t n, double step)
{
    struct carom_friction_data data;
    double *r, *u;
    CHECK_STATUS(stepper->scheme->problem(stepper, &data, &r, &u, NULL), CAROM_OK);
    CHECK_OR_STOP(data.n == n && data.dim == 2 && data.first[n] == n * n);
    for (size_t i = 0; i < n; i++) {
        CHECK(data.mu[i] == 0.0 && r[2 * i + 1] == 0.0);
        CHECK_NEAR(r[2 * i], step * force[i], 1e-13);
        CHECK_NEAR(u[2 * i], 0.0, 1e-13);
    }
    carom_friction_data_close(&data);
    carom_memory_free_all(r, u);
}

/* two spheres, oblique, with spins: the error of places falls with the step, momenta and energy are kept */
static void two_spheres(void)
{
    double last = 0.0;
    for (int halving = 0; halving < 3; halving++) {
        struct carom_bodies *b = make(3, 2, 0, 1.0);
        bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
        bodies_ball(b, 1, 0.5, 3.0, 2.0, 0.4, 0.2);
        const double v[12] = {1.0, 0.1, 0.0, 0.0, 2.0, 0.0, -0.5};
        struct play play = play_bodies(b, v, ldexp(0.0137, -3 * halving), 3.0);
        const double *w = play.state->v, mass[2] = {1.0, 3.0}, place[2][3] = {{0.0}, {2.0, 0.4, 0.2}};
        double p[3] = {0.0}, l[3] = {0.0};
        for (size_t i = 0; i < 2; i++) {
            double now[3], turn[3], at_first[3];
            carom_bodies_centre(b, i, play.state->q, now);
            carom_vec_cross(now, w + 6 * i, turn);
            carom_vec_cross(place[i], v + 6 * i, at_first);
            for (int k = 0; k < 3; k++) {
                p[k] += mass[i] * (w[6 * i + (size_t)k] - v[6 * i + (size_t)k]);
                l[k] += mass[i] * (turn[k] - at_first[k]);
                CHECK(w[6 * i + 3 + (size_t)k] == v[6 * i + 3 + (size_t)k]);
            }
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(p[k], 0.0, 1e-14);
            CHECK_NEAR(l[k], 0.0, 1e-12);
        }
        const struct carom_ledger ledger = play_ledger(&play);
        CHECK_NEAR(ledger.kinetic, 0.5 * (1.0 + 0.01 + 3.0 * 0.25) + 0.5 * 0.1 * 4.0, 1e-13);
        CHECK_NEAR(ledger.residual, 0.0, 1e-14);
        const double change = fabs(w[1] - last);
        last = w[1];
        CHECK(halving == 0 || change < 0.05 / (double)(halving * halving * halving));
        play_close(&play);
    }
}

/* two discs in a groove: forces by statics */
static void groove(void)
{
    struct carom_bodies *b = make(2, 4, 0, 0.3);
    const double h = sqrt(0.5), v[12] = {0.0};
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 2.0 * h, 0.0);
    bodies_ball(b, 1, 1.0, 1.0, 0.0, 2.0 * h + 2.0, 0.0);
    bodies_plane(b, 2, 0.0, 0.0, h, h);
    bodies_plane(b, 3, 0.0, 0.0, -h, h);
    b->gravity[1] = -1.0;
    struct play play = play_bodies(b, v, 0.01, 2.0);
    const struct carom_contacts *list = play.state->contacts;
    const double *force = list->column[carom_list_columns(b).history + CAROM_RIGID_FORCE];
    CHECK(list->n == 3);
    CHECK_NEAR(force[0], 1.0, 1e-12);
    CHECK_NEAR(force[1], sqrt(2.0), 1e-12);
    CHECK_NEAR(force[2], sqrt(2.0), 1e-12);
    check_problem(play.stepper, force, 3, 0.01);
    for (size_t i = 0; i < 12; i++)
        CHECK_NEAR(play.state->v[i], 0.0, 1e-14);
    play_close(&play);
}

/* a floor that is driven up evenly carries a disc with it, and its work is what the disc gains */
static void lifted(void)
{
    static const double time[] = {0.0, 10.0}, height[] = {0.0, 10.0};
    struct carom_bodies *b = make(2, 2, 1, 0.0);
    bodies_ball(b, 0, 0.5, 2.0, 0.0, 0.5, 0.0);
    bodies_plane(b, 1, 0.0, 0.0, 0.0, 1.0);
    b->body[1].lead = 0;
    b->lead[0].signal =
        (struct carom_signal){.shape = CAROM_SHAPE_TABLE, .amplitude = 1.0, .count = 2, .time = time, .height = height};
    b->lead[0].displacement[1] = 1.0;
    b->gravity[1] = -1.0;
    const double v[6] = {0.0, 1.0, 0.0, 0.0, 1.0};
    struct play play = play_bodies(b, v, 0.01, 3.0);
    double centre[3];
    carom_bodies_centre(b, 0, play.state->q, centre);
    CHECK_NEAR(centre[1], 3.5, 1e-12);
    CHECK_NEAR(play.state->v[1], 1.0, 1e-13);
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK_NEAR(ledger.work, 6.0, 1e-11);
    CHECK_NEAR(ledger.residual, 0.0, 1e-11);
    play_close(&play);
}

/* many discs fall into a box and are packed: one problem of many contacts, its certificate, no energy made */
static void packed(void)
{
    enum { WIDE = 10, HIGH = 9, N = WIDE * HIGH };
    struct carom_bodies *b = make(2, N + 1, 0, 0.2);
    double v[3 * (N + 1)] = {0.0};
    for (size_t i = 0; i < N; i++)
        bodies_ball(b, i, 0.5, 1.0, 0.55 + 1.1 * (double)(i % WIDE) + (i / WIDE % 2 ? 0.1 : -0.02),
                    0.5 + 1.02 * (double)(i / WIDE), 0.0);
    b->body[N].surface = CAROM_BOX;
    b->body[N].inside = b->body[N].fixed = true;
    b->body[N].at[0] = 5.6;
    b->body[N].at[1] = 10.0;
    b->body[N].size[0] = 5.6;
    b->body[N].size[1] = 10.0;
    b->gravity[1] = -1.0;
    struct play play = play_bodies(b, v, 0.01, 5.0);
    const struct carom_ledger ledger = play_ledger(&play);
    printf("%zu contacts, residual %.1e, gap %.1e\n", play.state->contacts->n, play.stepper->worst_residual,
           play.stepper->worst_gap);
    CHECK(play.state->contacts->n > 100);
    CHECK(play.stepper->worst_residual <= 1e-12);
    CHECK(play.stepper->created <= 1e-12);
    CHECK(play.stepper->worst_gap > -0.02);
    CHECK(ledger.impact > 1.0);
    CHECK_NEAR(ledger.residual, 0.0, 1e-11);
    play_close(&play);
}

static void refused(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_bodies *b = make(2, 2, 0, 0.5);
    bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.5, 1.0, 0.9, 0.0, 0.0);
    struct play play = play_begin(bodies_model(b), &carom_scheme_moreau_jean, 0.01);
    double q[10];
    carom_bodies_rest(b, q);
    CHECK_STATUS(play_start(&play, &carom_scheme_moreau_jean, q, NULL, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "bodies 1 and 2 overlap by 0.1 at the start");
    play_close(&play);
}

int main(void)
{
    two_spheres();
    groove();
    lifted();
    packed();
    refused();
    return check_end();
}
