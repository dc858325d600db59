/* Scheme event on discs and spheres: flights, meetings with balls and walls, contacts that last, refusals. */
#include "base/vec.h"
#include "contact_graphs.h"
#include "events.h"
#include "model/bodies/list.h"

/* n balls and one plane `floor` below them at y = 0 if asked for */
static struct carom_bodies *make(size_t dimension, size_t n, double e)
{
    const double param[] = {e, 1.0, 1.5, 0.0, 0.0};
    return bodies_of(dimension, n, 0, &carom_law_rigid, CAROM_END_GAP, param);
}

static void open_log(struct log *log, struct carom_bodies *b, int impact, const double *v)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = bodies_model(b);
    double *q = carom_memory_zeroed(model->nq, sizeof *q);
    carom_bodies_rest(b, q);
    CHECK(log_open(log, model, impact, 1e-9, q, v, &error));
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    carom_memory_free(q);
}

static void run(struct log *log, double until)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(log_run(log, until, SIZE_MAX, &error), CAROM_OK);
    if (error.status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
}

/* two spheres, oblique: the normal part of the relative velocity turns to -e times itself, all else stays */
static void two_spheres(void)
{
    const double e = 0.7, m[2] = {1.0, 3.0};
    struct carom_bodies *b = make(3, 2, e);
    struct log log;
    bodies_ball(b, 0, 0.5, m[0], 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.7, m[1], 3.0, 0.4, 0.3);
    const double v[12] = {1.0, 0.1, 0.0, 0.0, 2.0, 0.0, -0.5, 0.0, 0.1, 1.0, 0.0, 0.0};
    const double apart[3] = {3.0, 0.4, 0.3}, past[3] = {-1.5, -0.1, 0.1};
    const double a = carom_vec_dot(past, past), half = carom_vec_dot(apart, past),
                 c = carom_vec_dot(apart, apart) - 1.2 * 1.2, t = c / (-half + sqrt(half * half - a * c));
    open_log(&log, b, MOREAU, v);
    run(&log, 4.0);
    double n[3], after[3], before[3];
    for (int k = 0; k < 3; k++)
        n[k] = (apart[k] + t * past[k]) / 1.2;
    const double rate = carom_vec_dot(n, past), p = -(1.0 + e) * rate / (1.0 / m[0] + 1.0 / m[1]);
    CHECK(log.count == 1 && carom_event_body(&log.event[0], 0) == 1 && carom_event_body(&log.event[0], 1) == 2);
    CHECK_NEAR(log.event[0].time, t, 1e-15);
    CHECK_NEAR(log.event[0].impulse, p, 1e-14);
    CHECK_NEAR(log.event[0].after, -e * rate, 1e-14);
    for (int k = 0; k < 3; k++) {
        before[k] = v[k] - p * n[k] / m[0];
        after[k] = v[6 + k] + p * n[k] / m[1];
        CHECK_NEAR(log.play.state->v[k], before[k], 1e-14);
        CHECK_NEAR(log.play.state->v[6 + k], after[k], 1e-14);
        CHECK(log.play.state->v[3 + k] == v[3 + k]); /* frictionless: spins stay */
        double centre[3];
        carom_bodies_centre(b, 1, log.play.state->q, centre);
        CHECK_NEAR(centre[k], apart[k] + t * v[6 + k] + (4.0 - t) * after[k], 1e-14);
    }
    log_close(&log);
}

/* a ball that bounces and slides along a floor: instants, the end of its bounces, and what it slides on with */
static void bouncing(void)
{
    const double e = 0.5, g = 10.0;
    struct carom_bodies *b = make(2, 2, e);
    struct log log;
    bodies_ball(b, 0, 0.5, 2.0, 0.0, 5.5, 0.0);
    bodies_plane(b, 1, 0.0, 0.0, 0.0, 1.0);
    b->gravity[1] = -g;
    const double v[6] = {1.0, 0.0, 0.0};
    open_log(&log, b, NEWTON, v);
    run(&log, 5.0);
    double t = 1.0, speed = 10.0;
    for (size_t i = 0; i < 10; i++) {
        CHECK_NEAR(log.event[i].time, t, 1e-14);
        CHECK_NEAR(log.event[i].before, -speed, 1e-12);
        speed *= e;
        t += 2.0 * speed / g;
    }
    const struct carom_event *last = &log.event[log.count - 1];
    CHECK(last->kind == CAROM_EVENT_CLOSE);
    CHECK_NEAR(last->time, 3.0, 1e-12);
    double centre[3];
    carom_bodies_centre(b, 0, log.play.state->q, centre);
    CHECK_NEAR(centre[0], 5.0, 1e-14);
    CHECK_NEAR(centre[1], 0.5, 1e-12);
    CHECK(log.play.state->v[1] == 0.0 && log.play.state->contacts->n == 1);
    const struct carom_columns columns = carom_list_columns(b);
    CHECK_NEAR(log.play.state->contacts->column[columns.history + CAROM_RIGID_FORCE][0], 20.0, 1e-12);
    log_close(&log);
}

/* three discs in a funnel of planes at rest: forces by statics; and a ball in the corner of a box */
static void at_rest(void)
{
    struct carom_bodies *b = make(2, 4, 0.3);
    struct log log;
    const double h = sqrt(0.5);
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 2.0 * h, 0.0);
    bodies_ball(b, 1, 1.0, 1.0, 0.0, 2.0 * h + 2.0, 0.0);
    bodies_plane(b, 2, 0.0, 0.0, h, h);
    bodies_plane(b, 3, 0.0, 0.0, -h, h);
    b->gravity[1] = -1.0;
    const double v[12] = {0.0};
    open_log(&log, b, MOREAU, v);
    run(&log, 100.0);
    const struct carom_contacts *list = log.play.state->contacts;
    const double *force = list->column[carom_list_columns(b).history + CAROM_RIGID_FORCE];
    CHECK(list->n == 3);
    CHECK_NEAR(force[0], 1.0, 1e-12);
    CHECK_NEAR(force[1], sqrt(2.0), 1e-12);
    CHECK_NEAR(force[2], sqrt(2.0), 1e-12);
    for (size_t i = 0; i < 12; i++)
        CHECK(log.play.state->v[i] == 0.0);
    for (size_t i = 0; i < 10; i++)
        CHECK(log.play.state->q[i] == 0.0);
    log_close(&log);
}

/* a ball through gravity inside a box, a circle and past the corner of a box: energy is kept, and places by hand */
static void walls(void)
{
    struct carom_bodies *b = make(2, 3, 1.0);
    struct log log;
    bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
    b->body[1] = (struct carom_body){
        .surface = CAROM_BOX, .fixed = true, .at = {3.0, 1.0}, .size = {1.0, 1.0}, .frame = {1.0}, .lead = -1};
    b->body[2] = (struct carom_body){
        .surface = CAROM_BALL, .inside = true, .fixed = true, .radius = 10.0, .frame = {1.0}, .lead = -1};
    const double v[9] = {2.0, 0.0}; /* to the corner (2, 0) of the box: head-on would be y = 0 */
    open_log(&log, b, MOREAU, v);
    run(&log, 1.0);
    CHECK(log.count == 1);
    CHECK_NEAR(log.event[0].time, 0.75, 1e-14);
    CHECK_NEAR(log.play.state->v[0], -2.0, 1e-13);
    run(&log, 7.0); /* back through the middle to the circle */
    CHECK(log.count == 2);
    CHECK_NEAR(log.event[1].time, 0.75 + 11.0 / 2.0, 1e-13);
    CHECK_NEAR(log.play.state->v[0], 2.0, 1e-13);
    log_close(&log);
    b = make(2, 2, 1.0);
    bodies_ball(b, 0, 0.5, 1.0, 0.1, 0.0, 0.0);
    b->body[1] = (struct carom_body){
        .surface = CAROM_BALL, .inside = true, .fixed = true, .radius = 2.0, .frame = {1.0}, .lead = -1};
    b->gravity[1] = -1.0;
    const double still[6] = {0.3, 0.2};
    open_log(&log, b, MOREAU, still);
    run(&log, 200.0);
    double centre[3];
    carom_bodies_centre(b, 0, log.play.state->q, centre);
    const double *w = log.play.state->v;
    CHECK(log.count > 60);
    CHECK_NEAR(0.5 * (w[0] * w[0] + w[1] * w[1]) + centre[1], 0.5 * (0.09 + 0.04), 1e-12);
    CHECK(log.play.stepper->worst_gap > -1e-13);
    log_close(&log);
}

/* a row of discs is the chain of beads of the same masses, under every impact law */
static void row(int impact)
{
    enum { N = 6 };
    const double mass[N] = {1.0, 2.0, 1.0, 1.0, 3.0, 1.0}, e = 0.8;
    struct carom_bodies *b = make(2, N, e);
    for (size_t i = 0; i < N; i++)
        bodies_ball(b, i, 0.5, mass[i], (double)i + (i > 0 ? 0.5 : 0.0) + (i > 3 ? 0.25 : 0.0), 0.0, 0.0);
    const double v[3 * N] = {1.0}, speed[N] = {1.0}, gap[N - 1] = {0.5, 0.0, 0.0, 0.25, 0.0};
    struct log discs, beads;
    open_log(&discs, b, impact, v);
    beads = log_row(&(struct row){.n = N, .mass = mass, .gap = gap, .e_all = e, .v = speed}, impact, 5.0, SIZE_MAX);
    run(&discs, 5.0);
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(discs.play.state->v[3 * i], beads.play.state->v[i], impact < 2 ? 1e-14 : 1e-8);
        CHECK_NEAR(discs.play.state->q[5 * i], beads.play.state->q[i], impact < 2 ? 1e-13 : 1e-7);
        CHECK(discs.play.state->v[3 * i + 1] == 0.0);
    }
    log_close(&discs);
    log_close(&beads);
}

/* A light disc between two heavy ones that come together strikes them in turn, infinitely often before they meet: then
 * all have one velocity, whatever the impact law. */
static void collapse(int impact)
{
    for (int slower = 1; slower < 4; slower++) {
        struct carom_bodies *b = make(2, 3, 0.1 * slower);
        struct log log;
        bodies_ball(b, 0, 0.5, 2.0, 0.0, 0.0, 0.0);
        bodies_ball(b, 1, 0.5, 0.1, 1.5, 0.0, 0.0);
        bodies_ball(b, 2, 0.5, 2.0, 3.0, 0.0, 0.0);
        const double v[9] = {0.5};
        open_log(&log, b, impact, v);
        run(&log, 10.0);
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(log.play.state->v[3 * i], 1.0 / 4.1, 1e-13);
        const struct carom_ledger ledger = play_ledger(&log.play);
        CHECK_NEAR(ledger.impact, 0.25 - 0.5 / 4.1, 1e-13);
        CHECK_NEAR(ledger.residual, 0.0, 1e-15);
        log_close(&log);
    }
}

/* the break of fifteen: what all impact laws keep */
static void rack(const char *impact)
{
    struct graph g = graph_of(4);
    double before[6], after[6];
    g.at[0][0] -= 2.0;
    g.at[0][1] = 0.1;
    struct carom_sim *sim = graph_sim(&g, impact, 1e-9, 30.0);
    graph_momenta(&g, sim->state->v, before);
    bodies_run(sim);
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    for (size_t i = 0; i < 16; i++)
        carom_bodies_centre(b, i, sim->view->q, g.at[i]);
    graph_momenta(&g, sim->view->v, after);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(after[k], before[k], 1e-13);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.kinetic, 0.5, 1e-12);
    CHECK_NEAR(ledger.residual, 0.0, 1e-14);
    CHECK(sim->stepper->counts.evaluations >= 1 && sim->stepper->worst_gap > -1e-13);
    carom_sim_free(sim);
}

static void refused(struct carom_bodies *b, const double *v, const char *part)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = bodies_model(b);
    struct log log;
    double *q = carom_memory_zeroed(model->nq, sizeof *q);
    carom_bodies_rest(b, q);
    if (log_open(&log, model, MOREAU, 1e-9, q, v, &error)) {
        log_run(&log, 10.0, SIZE_MAX, &error);
        log_close(&log);
    }
    CHECK(error.status != CAROM_OK);
    if (!strstr(error.text, part))
        fprintf(stderr, "\"%s\" has no \"%s\"\n", error.text, part);
    CHECK(strstr(error.text, part) != NULL);
    carom_memory_free(q);
}

static void refusals(void)
{
    const double still[9] = {0.0}, sideways[9] = {0.0, 0.0, 0.0, 0.1};
    struct carom_bodies *b = make(2, 2, 1.0);
    bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.5, 1.0, 0.9, 0.0, 0.0);
    refused(b, still, "bodies 1 and 2 start overlapping by 0.1; rigid bodies cannot overlap");
    b = make(2, 2, 0.0); /* a disc slides around one that stands still */
    bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.5, 1.0, 0.0, 1.0, 0.0);
    b->body[0].fixed = true;
    b->gravity[1] = -1.0;
    refused(b, sideways,
            "bodies 1 and 2 stay in contact from t = 0 on and slide around each other, which scheme event does not "
            "follow (only along planes and inside boxes); moreau-adaptive does where up to ten bodies move, five in");
    b = make(2, 3, 1.0);
    bodies_ball(b, 0, 0.5, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.5, 1.0, 5.0, 0.0, 0.0);
    bodies_plane(b, 2, 0.0, -2.0, 0.0, 1.0);
    b->body[2].fixed = false;
    b->body[2].mass = 1.0;
    refused(b, still, "takes walls that stand still, and body 3 moves");
}

int main(void)
{
    two_spheres();
    bouncing();
    at_rest();
    walls();
    for (int impact = 0; impact < 3; impact++)
        row(impact);
    collapse(MOREAU);
    collapse(NEWTON);
    rack("moreau");
    rack("newton");
    rack("lzb");
    refusals();
    return check_end();
}
