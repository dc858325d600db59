/* Balls that strike a solid: the surface is closed and its area is right, pushes are the slopes of the gap, momentum
 * and angular momentum stay, energy is balanced with order 2, the motion has order 2, damping and its ledger, a ball on
 * a heavy stiff block against Hertz's rebound, friction (momenta with spins, orders, ledger, rolling and sliding in
 * closed form), the same bits with threads and after a step back, refusals. */
#include <string.h>

#include "base/quat.h"
#include "base/random.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"
#include "runs.h"

#define PI 3.14159265358979323846

static const char *const block = "theory: solid\n"
                                 "bodies:\n"
                                 "  - solid: {box: {size: [0.1, 0.1, 0.05], cells: [5, 5, 3]}, material: steel}\n"
                                 "  - sphere: {at: [0.047, 0.052, 0.060002], radius: 0.01, material: steel, velocity: "
                                 "[0.2, 0.1, -1]}\n"
                                 "  - sphere: {at: [0.05, 0.051, 0.0801], radius: 0.01, material: steel, velocity: [0, "
                                 "0, -3]}\n"
                                 "contacts: {law: hertz}\n"
                                 "run: {until: 9e-5}\n";
static const char *const grains =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {voronoi: {box: {size: [0.1, 0.1, 0.05]}, cells: 40, relax: 2}, accept_skew: true, material: steel}\n"
    "  - sphere: {at: [0.047, 0.052, 0.060002], radius: 0.01, material: steel, velocity: [0.2, 0.1, -1]}\n"
    "contacts: {law: hertz}\n"
    "run: {until: 9e-5}\n";
static const char *const plate = "theory: solid\n"
                                 "bodies:\n"
                                 "  - solid: {box: {size: [0.1, 0.05], cells: [10, 5]}, depth: 0.01, material: steel}\n"
                                 "  - disc: {at: [0.0525, 0.0600005], radius: 0.01, material: steel, velocity: [0.3, "
                                 "-1]}\n"
                                 "contacts: {law: hertz}\n"
                                 "run: {until: 9e-5}\n";

static void check_surface(const char *text, double area)
{
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    const struct carom_solid_strike *of = carom_solid_strike_of(scene->model);
    double sum = 0.0, out[3] = {0.0, 0.0, 0.0};
    for (size_t p = 0; p < of->body[0].skin->npieces; p++) {
        double at[3][3], a[3], b[3], cross[3];
        for (int c = 0; c < 3; c++)
            carom_solid_skin_corner(of->body[0].solid, of->body[0].skin, of->body[0].skin->piece[p].corner[c], scene->q,
                                    at[c]);
        for (int k = 0; k < 3; k++) {
            a[k] = at[1][k] - at[0][k];
            b[k] = at[2][k] - at[0][k];
        }
        carom_vec_cross(a, b, cross);
        sum += of->body[0].solid->dimension == 3 ? 0.5 * carom_vec_norm(cross) : carom_vec_norm(a);
        for (int k = 0; k < 3; k++)
            out[k] += 0.5 * cross[k];
    }
    CHECK_NEAR(sum, area, 1e-5 * area);
    CHECK(of->body[0].solid->dimension == 2 || carom_vec_norm(out) < 1e-5 * area); /* closed, and all faces look out */
    carom_scene_free(scene);
}

/* the gap's change under a small motion of every number is what the normal, shares and arms say */
static void check_slopes(const char *text)
{
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    const struct carom_model *model = scene->model;
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    struct carom_random random;
    carom_random_start(&random, 5);
    double *q = scene->q, step = 1e-6, gap[2], rate, overlap;
    for (size_t i = 0; i < of->body[0].solid->n; i++)
        for (int k = 0; k < of->body[0].solid->dimension; k++)
            q[of->body[0].solid->wide * i + (size_t)k] += 1e-5 * carom_random_normal(&random);
    double *way = scene->v; /* a motion along v: velocities, and spins as the part has them */
    for (size_t i = 0; i < model->nv; i++)
        way[i] = carom_random_normal(&random);
    carom_contacts_deform_some(model, 0, 1, 0.0, q, way, &overlap, &rate);
    CHECK_OR_STOP(overlap > -0.001);
    struct carom_state *moved = carom_state_create(model, 0);
    CHECK_OR_STOP(moved != NULL);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < model->nv; i++)
            moved->v[i] = (side == 0 ? -step : step) * way[i];
        for (size_t p = 0; p < model->nparts; p++) {
            const struct carom_member *m = &model->member[p];
            if (m->part->move)
                m->part->move(m->own, q + m->q0, moved->v + m->v0, moved->q + m->q0);
            for (size_t i = 0; !m->part->move && i < m->nq; i++)
                moved->q[m->q0 + i] = q[m->q0 + i] + moved->v[m->v0 + i];
        }
        carom_contacts_deform_some(model, 0, 1, 0.0, moved->q, NULL, &gap[side], NULL);
    }
    CHECK_NEAR((gap[1] - gap[0]) / (2.0 * step), rate, 1e-5 * (1.0 + fabs(rate)));
    carom_state_free(moved);
    carom_scene_free(scene);
}

/* momentum and angular momentum of all, about the origin */
static void momenta(const struct carom_sim *sim, double p[3], double l[3])
{
    const struct carom_solid_strike *of = carom_solid_strike_of(sim->model);
    const struct carom_solid *s = of->body[0].solid;
    const struct carom_member *m = &sim->model->member[of->balls_member];
    const double none[3] = {0.0, 0.0, 0.0};
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (size_t i = 0; i < s->n + of->balls->n; i++) {
        double place[3], push[3] = {0.0, 0.0, 0.0}, sweep[3], own[3] = {0.0, 0.0, 0.0};
        const bool cell = i < s->n;
        const double *v = cell ? sim->view->v + s->fast * i : sim->view->v + m->v0 + (size_t)s->dimension * (i - s->n);
        for (int k = 0; k < s->dimension; k++)
            push[k] = (cell ? carom_solid_inertia(s, i, 0) : of->balls->mass[i - s->n]) * v[k];
        if (cell)
            carom_solid_moved(s, sim->view->q, i, none, place);
        else
            carom_solid_balls_place(of->balls, i - s->n, sim->view->q + m->q0, place);
        if (cell && s->dimension == 2)
            own[2] = carom_solid_inertia(s, i, 2) * v[2];
        if (cell && s->dimension == 3) {
            double turn[4], total[4], spin[3];
            carom_solid_quaternion(s, sim->view->q, i, turn);
            carom_quat_product(turn, carom_solid_sort_of(s, i)->frame, total);
            for (size_t k = 0; k < 3; k++)
                spin[k] = carom_solid_inertia(s, i, 3 + k) * v[3 + k];
            carom_quat_turn(total, spin, own);
        }
        if (!cell && of->balls->inertia) {
            carom_solid_balls_spin(of->balls, i - s->n, sim->view->v + m->v0, own);
            for (int k = 0; k < 3; k++)
                own[k] *= of->balls->inertia[i - s->n];
        }
        carom_vec_cross(place, push, sweep);
        for (int k = 0; k < 3; k++) {
            p[k] += push[k];
            l[k] += sweep[k] + own[k];
        }
    }
}

struct end {
    double v[600]; /* of all */
    size_t nv;
    double residual, lost, friction_loss, most; /* most: largest change of a momentum over its size */
    uint64_t hash;
};

static struct end fly_until(const char *text, double until, double step, const char *law, size_t threads)
{
    char words[3][120];
    snprintf(words[0], sizeof words[0], "run.step=%.17g", step);
    snprintf(words[1], sizeof words[1], "contacts=%s", law);
    snprintf(words[2], sizeof words[2], "run.until=%.17g", until);
    const char *const set[] = {words[0], words[1], words[2]};
    struct carom_scene *scene = runs_scene(text, set, 3);
    scene->threads = threads;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    double p[2][3], l[2][3];
    carom_sim_sync(sim);
    momenta(sim, p[0], l[0]);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
    momenta(sim, p[1], l[1]);
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    struct end end = {.nv = sim->model->nv,
                      .residual = fabs(ledger.residual) / sim->view->energy,
                      .lost = ledger.viscous / sim->view->energy,
                      .friction_loss = ledger.friction / sim->view->energy,
                      .hash = carom_state_hash(sim->view)};
    CHECK_OR_STOP(end.nv <= sizeof end.v / sizeof *end.v);
    memcpy(end.v, sim->view->v, end.nv * sizeof *end.v);
    for (int k = 0; k < 3; k++) {
        end.most = fmax(end.most, fabs(p[1][k] - p[0][k]) / carom_vec_norm(p[0]));
        end.most = fmax(end.most, fabs(l[1][k] - l[0][k]) / carom_vec_norm(l[0]));
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return end;
}

static struct end fly(const char *text, double step, const char *law, size_t threads)
{
    return fly_until(text, 9e-5, step, law, threads);
}

static void check_motion(const char *text)
{
    const char *const hertz = "{law: hertz}";
    const struct end a = fly(text, 2e-7, hertz, 1), b = fly(text, 1e-7, hertz, 1), c = fly(text, 5e-8, hertz, 1);
    printf("momenta %.1e, residual %.1e %.1e %.1e, order %.2f\n", a.most, a.residual, b.residual, c.residual,
           log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)));
    CHECK(a.most < 1e-12 && c.most < 1e-12);
    CHECK(c.residual < 2e-5);
    CHECK_NEAR(log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)), 2.0, 0.4);
    CHECK(fly(text, 2e-7, hertz, 2).hash == a.hash);
}

static void check_damped(void)
{
    const char *const law = "{law: kuwabara-kono, gamma: 2e-6}";
    const struct end a = fly(grains, 2e-7, law, 1), b = fly(grains, 5e-8, law, 1);
    printf("damped: lost %.4f, residual %.1e %.1e, momenta %.1e\n", b.lost, a.residual, b.residual, b.most);
    CHECK(b.lost > 0.1 && b.lost < 0.9);
    CHECK(b.residual < 1e-4 && b.residual < 0.3 * a.residual);
    CHECK(b.most < 1e-12);
}

/* springs that do not slip are smooth, until the contact opens: order 2; the cone makes kinks */
static void check_friction_loss(const char *text, const char *law, bool smooth)
{
    const double until = smooth ? 1.5e-5 : 9e-5;
    const struct end a = fly_until(text, until, 2e-7, law, 1), b = fly_until(text, until, 1e-7, law, 1),
                     c = fly_until(text, until, 5e-8, law, 1);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v));
    printf("%s: momenta %.1e, residual %.1e %.1e %.1e, order %.2f, friction_loss off %.2e\n", law, c.most, a.residual,
           b.residual, c.residual, order, c.friction_loss);
    CHECK(a.most < 1e-12 && c.most < 1e-12);
    CHECK(c.residual < 5e-5);
    CHECK(smooth ? fabs(order - 2.0) < 0.4 : order > 0.9);
    CHECK(smooth ? fabs(c.friction_loss) < 1e-6 : c.friction_loss > 1e-4);
    CHECK(fly_until(text, until, 2e-7, law, 2).hash == a.hash);
}

/* A spring that begins with the root of the overlap, friction that begins with that of a damper: from touch on their
 * order is 2. Where in a step they touch changes errors by half and more, so that three steps by halves tell no order:
 * five steps against a much smaller one do. */
static void check_rubs(const char *text, const char *law, double until, double order)
{
    enum { MANY = 5 };
    const struct end exact = fly_until(text, until, 2e-7 / 64.0, law, 1);
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < MANY; i++) { /* the slope of a line through the errors' logarithms, at places -2 to 2 */
        const struct end end = fly_until(text, until, 2e-7 * exp2(-0.5 * i), law, 1);
        const double off = runs_apart(end.nv, end.v, exact.v);
        sum += (2 - i) * log2(off) / 0.5;
        most = fmax(most, off);
    }
    printf("%s until %g: off by %.1e at most, order %.2f\n", law, until, most, sum / 10.0);
    CHECK_NEAR(sum / 10.0, order, 0.15);
}

/* velocity along x and spin about y of a sphere that struck a heavy stiff block with (v, 0, -1) */
static void strike_block(double v, const char *friction, double out[2])
{
    char text[600];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n"
             "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}, material: {young: 2e14, poisson: 0.3, "
             "density: 1e9}}\n"
             "  - sphere: {at: [0.05, 0.05, 0.11], radius: 0.01, mass: 0.01, velocity: [%g, 0, -1]}\n"
             "contacts: {law: hertz, k: 1e10, friction: %s}\n"
             "run: {until: 1e-4, step: 2e-8}\n",
             v, friction);
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL && carom_sim_run(sim, NULL, &error) == CAROM_OK);
    carom_sim_sync(sim);
    const struct carom_member *m = &sim->model->member[1];
    out[0] = sim->view->v[m->v0];
    out[1] = sim->view->v[m->v0 + 4];
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* Where friction suffices the ball rolls as it leaves, with 5/7 of its speed; where it does not, it takes mu (1 + e)
 * of the normal speed. The ball is pressed flat by up to 2e-5 m, 0.2 % of its radius. */
static void check_closed(void)
{
    double out[2];
    strike_block(0.5, "{law: coulomb, mu: 0.5}", out);
    CHECK_NEAR(out[0], 5.0 / 7.0 * 0.5, 5e-4);
    CHECK_NEAR(0.01 * out[1], out[0], 5e-4);
    const char *const laws[] = {"{law: coulomb, mu: 0.1}", "{law: cundall-strack, k_t: 1e9, mu: 0.1}",
                                "{law: mindlin, k_t: 1e11, mu: 0.1}"};
    for (int i = 0; i < 3; i++) {
        strike_block(3.0, laws[i], out);
        CHECK_NEAR(out[0], 3.0 - 0.1 * 2.0, 2e-4);
        CHECK_NEAR(0.01 * out[1], 2.5 * 0.2, 2e-3);
    }
}

/* A ball that meets an elastic wall leaves with its velocity mirrored, however the wall leans. */
static void check_wall(void)
{
    const double before[3] = {-0.3, 0.2, -1.0}, normal[3] = {0.6, 0.0, 0.8};
    struct carom_scene *scene =
        runs_scene("theory: solid\n"
                   "bodies:\n"
                   "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1], origin: [1, 1, 1]}, material: steel}\n"
                   "  - plane: {at: [0, 0, 0], normal: [0.6, 0, 0.8]}\n"
                   "  - sphere: {at: [0.00606, 0, 0.00808], radius: 0.01, mass: 0.01, velocity: [-0.3, 0.2, -1]}\n"
                   "contacts: {law: hertz, k: 1e9}\n"
                   "run: {until: 4e-4, step: 1e-7}\n",
                   NULL, 0);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL && carom_sim_run(sim, NULL, &error) == CAROM_OK);
    carom_sim_sync(sim);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(sim->view->v[sim->model->member[1].v0 + (size_t)k],
                   before[k] - 2.0 * carom_vec_dot(before, normal) * normal[k], 1e-4);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* A block slides over a plane, onto which its weight presses it: what slows it down is mu times what holds it up. It
 * bounces a little, and vibrates across its way, so that friction does not always point back along it. */
static void check_sliding(const char *plane, const char *gravity, double along)
{
    char text[800];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n"
             "  - solid: {name: block, box: {size: [0.1, 0.1, 0.1], cells: [3, 3, 3]}, material: {young: 1e8, poisson: "
             "0.3, density: 7800}, gravity: %s}\n"
             "  - %s\n"
             "contacts: {mu: 0.3}\n"
             "start: [{velocity: [1, 0, 0]}]\n"
             "run: {until: 0.1}\n",
             gravity, plane);
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL && carom_sim_run(sim, NULL, &error) == CAROM_OK);
    carom_sim_sync(sim);
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    double x = 0.0, z = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        x += sim->view->v[s->fast * i] / (double)s->n;
        z += sim->view->v[s->fast * i + 2] / (double)s->n;
    }
    CHECK_NEAR(x, 1.0 + along * 0.1 - 0.3 * (9.81 * 0.1 + z), 1e-3);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* as the block grows stiff and heavy, a ball leaves it as it came, after Hertz's time 2.9432 (m / (k sqrt(V)))^(2/5) */
static void check_hertz(void)
{
    const char *const text = "theory: solid\n"
                             "bodies:\n"
                             "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}, material: {young: 2e14, "
                             "poisson: 0.3, density: 1e9}}\n"
                             "  - sphere: {at: [0.05, 0.05, 0.11], radius: 0.01, mass: 0.01, velocity: [0, 0, -1]}\n"
                             "contacts: {law: hertz, k: 1e10}\n"
                             "run: {until: 1e-4, step: 2e-8}\n";
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    const double mass = 0.01, k = 1e10, deepest = pow(1.25 * mass / k, 0.4), time = 2.9432 * deepest;
    const size_t at = sim->model->member[1].v0 + 2;
    double opened = 0.0, overlap = 1.0;
    while (overlap > 0.0 && opened < 9e-5) {
        CHECK_OR_STOP(carom_sim_step(sim, 1, &error) == CAROM_OK);
        carom_sim_sync(sim);
        carom_contacts_deform_some(sim->model, 0, 1, 0.0, sim->view->q, NULL, &overlap, NULL);
        opened = sim->view->time;
    }
    CHECK_NEAR(opened, time, 3e-8);
    CHECK_NEAR(sim->view->v[at], 1.0, 1e-4);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

static void check_refused(const char *text, const char *const *set, size_t nset, const char *sentence)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), set, nset, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    if (sim || !strstr(error.text, sentence))
        fprintf(stderr, "%s\n", error.text);
    CHECK(!sim && strstr(error.text, sentence) != NULL);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* Sixteen balls have 136 contacts with a solid and each other; all are looked at. */
static void check_crowd(double apart, const char *sentence)
{
    char text[2000] = "theory: solid\nbodies:\n"
                      "  - solid: {box: {size: [0.1, 0.1, 0.05], cells: [2, 2, 1]}, material: steel}\n";
    size_t at = strlen(text);
    for (int i = 0; i < 16; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  - sphere: {at: [%g, 0.05, 0.07], radius: 0.01, material: steel}\n",
                               0.021 * (i < 15 ? i : 14) + (i < 15 ? 0.0 : apart));
    snprintf(text + at, sizeof text - at, "contacts: {law: hertz}\nrun: {until: 1e-6}\n");
    if (sentence)
        check_refused(text, NULL, 0, sentence);
    else
        carom_scene_free(runs_scene(text, NULL, 0));
}

static void check_refusals(void)
{
    check_crowd(0.021, NULL);
    check_crowd(0.018, "ball 16 stands in ball 15, by 0.002 at the start");
    const char *const other[] = {"run.scheme=dp5"},
                      *const memory[] = {"contacts={law: walton-braun, k1: 1e8, k2: 2e8}"},
                      *const clipped[] = {"contacts={law: kuwabara-kono, gamma: 1e-6, contact_end: force}"},
                      *const coarse[] = {"run.step=1e-4"};
    check_refused(block, other, 1, "only scheme rattle supports what strikes a solid");
    check_refused(block, memory, 1, "without memory");
    check_refused(block, clipped, 1, "contact_end: gap");
    check_refused(block, coarse, 1, "unstable");
    const char *const unknown[] = {"contacts={law: hertz, friction: {law: glue, mu: 1}}"},
                      *const less[] = {"contacts={law: hertz, mu: 0.3, mu_static: 0.2}"};
    check_refused(block, unknown, 1, "there are: ");
    check_refused(block, less, 1, "must not be less than mu");
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - disc: {at: [0.5, 2], radius: 0.1, material: steel, spin: 3}\nrun: {until: 1}\n",
                  NULL, 0, "nothing rubs");
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - sphere: {at: [0.5, 2], radius: 0.1, material: steel}\nrun: {until: 1}\n",
                  NULL, 0, "is a disc");
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - disc: {at: [0.5, 0.9], radius: 0.1, material: steel}\nrun: {until: 1}\n",
                  NULL, 0, "stands in the solid");
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - disc: {at: [0.5, 2], radius: 0.1}\nrun: {until: 1}\n",
                  NULL, 0, "neither a mass nor a material");
}

int main(void)
{
    check_surface(block, 2.0 * 0.1 * 0.1 + 4.0 * 0.1 * 0.05);
    check_surface(grains, 2.0 * 0.1 * 0.1 + 4.0 * 0.1 * 0.05);
    check_surface(plate, 0.3);
    check_slopes(block);
    check_slopes(grains);
    check_slopes(plate);
    check_motion(block);
    check_motion(grains);
    check_motion(plate);
    check_damped();
    check_friction_loss(block, "{law: hertz, friction: {law: cundall-strack, k_t: 1e6, mu: 50}}", true);
    check_friction_loss(plate, "{law: hertz, friction: {law: cundall-strack, k_t: 1e6, mu: 50}}", true);
    check_friction_loss(block, "{law: hertz, mu: 0.2}", false);
    check_friction_loss(grains, "{law: hertz, friction: {law: coulomb, mu: 0.2}}", false);
    check_friction_loss(plate, "{law: kuwabara-kono, gamma: 1e-6, mu: 0.2, mu_static: 0.3}", false);
    check_rubs(grains, "{law: hertz, mu: 0.3}", 9e-5, 2.0);
    check_rubs(block, "{law: hertz, mu: 0.3}", 3e-5, 2.0);
    check_rubs(grains, "{law: kuwabara-kono, gamma: 2e-6, mu: 0.3}", 1e-5, 2.0);
    check_rubs(grains, "{law: kuwabara-kono, gamma: 2e-6, friction: {law: coulomb, mu: 0.05}}", 1e-5, 2.0);
    check_closed();
    check_wall();
    check_sliding("plane: {at: [0, 0, 0], normal: [0, 0, 1]}", "[0, 0, -9.81]", 0.0);
    check_sliding("plane: {at: [0, 0, 0], normal: [0, 0, 1]}", "[2, 0, -9.81]", 2.0); /* down a slope */
    check_hertz();
    check_refusals();
    return check_end();
}
