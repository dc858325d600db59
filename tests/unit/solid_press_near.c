/* Surfaces of solids are compared with what is near them only: every piece is as deep as if it were
 * compared with all; threads find the same together, in the same order, and push alike. How fast flat sides close. */
#include <string.h>

#include "base/threads.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_push.h"
#include "runs.h"

/* boxes and Voronoi cells with an edge first, and plates; more cells than a row of them has */
static const char *const scenes[] = {
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.1, 0.05], cells: [15, 12, 3]}, material: steel}\n"
    "  - solid: {name: high, box: {size: [0.06, 0.05, 0.04], cells: [7, 5, 2], origin: [0.013, 0.027, 0.05001]}, "
    "material: aluminium}\n"
    "start: [{body: high, velocity: [2, 1, -10], spin: [30, -20, 40]}]\n"
    "run: {until: 2e-5}\n",
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.1, 0.05], cells: [4, 4, 2]}, material: steel}\n"
    "  - solid: {name: high, voronoi: {box: {size: [0.06, 0.05, 0.04], origin: [0.013, 0.027, 0.05001]}, cells: 90, "
    "relax: 2}, accept_skew: true, material: steel}\n"
    "start: [{body: high, velocity: [2, 1, -10], spin: [30, -20, 40]}]\n"
    "run: {until: 1e-5}\n",
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.05], cells: [40, 5]}, depth: 0.01, material: steel}\n"
    "  - solid: {name: high, box: {size: [0.04, 0.03], cells: [5, 4], origin: [0.033, 0.05001]}, depth: 0.01, "
    "material: steel}\n"
    "start: [{body: high, velocity: [2, -10], spin: 60}]\n"
    "run: {until: 2e-5}\n",
};

/* what was found of one body's pieces on the other, by piece; NaN: nothing */
struct found {
    double depth[2][4000];
};

static void note(void *own, const struct carom_press *press)
{
    struct found *found = own;
    found->depth[press->end[0].body][press->end[0].piece] = press->depth;
}

static struct carom_sim *open(const char *text, struct carom_scene **scene)
{
    struct carom_error error = {CAROM_OK, ""};
    *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = *scene ? carom_scene_sim(*scene, &error) : NULL;
    if (!sim || carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL && error.status == CAROM_OK);
    carom_sim_sync(sim);
    return sim;
}

/* how far the middle of a piece is from the other body, compared with all of its surface */
static double distance(const struct carom_sim *sim, size_t side, size_t piece)
{
    static const double middle[2][3] = {{0.5, 0.5, 0.0}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    const struct carom_strike_body *body = carom_solid_strike_of(sim->model)->body;
    const struct carom_member *member = sim->model->member;
    double place[1][3];
    carom_solid_skin_place(body[side].solid, body[side].skin, piece, middle[body[side].solid->dimension == 3],
                           sim->view->q + member[side].q0, place[0]);
    return carom_solid_press_distance(&body[1 - side], sim->view->q + member[1 - side].q0, (const double(*)[3])place);
}

/* all that was found, in its order */
struct order {
    size_t n;
    struct carom_press press[8000];
};

static void keep(void *own, const struct carom_press *press)
{
    struct order *order = own;
    CHECK_OR_STOP(order->n < sizeof order->press / sizeof *order->press);
    order->press[order->n++] = *press;
}

/* parts of either side, one after the other, are all of it */
static void check_parts(const struct carom_sim *sim, const struct carom_press_box *box, const struct order *all)
{
    static struct order part;
    enum { PARTS = 3 };
    size_t at = 0;
    for (uint32_t side = 0; side < 2; side++)
        for (size_t k = 0; k < PARTS; k++) {
            part.n = 0;
            carom_solid_press_find(sim->model, &carom_solid_strike_of(sim->model)->meet[0], box, sim->view->q,
                                   &(struct carom_press_hands){NULL, k, PARTS}, keep, &part);
            for (size_t i = 0; i < part.n; i++)
                if (part.press[i].end[0].body == side)
                    CHECK(memcmp(&part.press[i], &all->press[at++], sizeof *all->press) == 0);
        }
    CHECK(at == all->n);
}

static void check_crew(const struct carom_sim *sim, const struct carom_press_box *box)
{
    static struct order alone, together;
    const struct carom_strike_meet *meet = &carom_solid_strike_of(sim->model)->meet[0];
    alone.n = 0;
    carom_solid_press_find(sim->model, meet, box, sim->view->q, NULL, keep, &alone);
    CHECK(alone.n > 20);
    for (size_t count = 2; count <= 5; count++) {
        struct carom_threads *threads = carom_threads_create(count);
        struct carom_press_crew *crew = carom_solid_press_crew_create(threads);
        CHECK_OR_STOP(crew != NULL);
        for (int again = 0; again < 2; again++) {
            together.n = 0;
            carom_solid_press_find(sim->model, meet, box, sim->view->q, &(struct carom_press_hands){crew, 0, 1}, keep,
                                   &together);
            CHECK(together.n == alone.n);
            CHECK(memcmp(together.press, alone.press, alone.n * sizeof *alone.press) == 0);
        }
        carom_solid_press_crew_free(crew);
        carom_threads_free(threads);
    }
    check_parts(sim, box, &alone);
}

/* runs of one, two and three threads, that press each other with all of a face */
static void check_threads(void)
{
    static const char blocks[] =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {name: low, box: {size: [0.1, 0.1, 0.05], cells: [10, 10, 3]}, material: steel}\n"
        "  - solid: {name: high, box: {size: [0.1, 0.1, 0.03], cells: [8, 8, 2], origin: [0, 0, 0.05001]}, "
        "material: aluminium}\n"
        "start: [{body: high, velocity: [2, 1, -10], spin: [3, -2, 4]}]\n"
        "run: {until: 3e-5}\n";
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        char threads[32];
        snprintf(threads, sizeof threads, "run.threads=%d", i + 1);
        struct carom_scene *scene = runs_scene(blocks, (const char *const[]){threads}, 1);
        struct carom_error error = {CAROM_OK, ""};
        struct carom_sim *sim = carom_scene_sim(scene, &error);
        CHECK_OR_STOP(sim != NULL && carom_sim_run(sim, NULL, &error) == CAROM_OK);
        hash[i] = carom_state_hash(sim->state);
        carom_sim_free(sim);
        carom_scene_free(scene);
    }
    CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void check_all(const char *text)
{
    static struct found found;
    struct carom_scene *scene;
    struct carom_sim *sim = open(text, &scene);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    const struct carom_solid_strike *strike = carom_solid_strike_of(sim->model);
    const double sight = fmax(strike->body[0].reach, strike->body[1].reach);
    size_t seen = 0, deep = 0;
    memset(found.depth, 0xff, sizeof found.depth);
    carom_solid_press_boxes(sim->model, sim->view->q, box);
    carom_solid_press_find(sim->model, &strike->meet[0], box, sim->view->q, NULL, note, &found);
    for (size_t side = 0; side < 2; side++)
        for (size_t p = 0; p < strike->body[side].skin->npieces; p++) {
            CHECK_OR_STOP(p < sizeof found.depth[0] / sizeof found.depth[0][0]);
            const double far = distance(sim, side, p), depth = found.depth[side][p];
            CHECK(fabs(far) < sight ? depth == -far : isnan(depth));
            seen += fabs(far) < sight;
            deep += depth > 0.0;
        }
    printf("%zu pieces are near, %zu press\n", seen, deep);
    CHECK(seen > 20 && deep > 0); /* or nothing was tried */
    check_crew(sim, box);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* how fast flat sides close, apart and pressed, is how fast the bodies do, whatever else they do along them */
static void check_speed(void)
{
    struct carom_scene *scene = runs_scene(scenes[2], (const char *const[]){"start.1.spin=0"}, 1);
    const struct carom_model *model = scene->model;
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    const struct carom_solid *high = of->body[1].solid;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    for (int k = 0; k < 3; k++) {
        double rate;
        carom_solid_press_boxes(model, scene->q, box);
        CHECK_NEAR(carom_solid_push_speed(model, &of->meet[0], box, scene->q, scene->v), k < 2 ? 10.0 : -10.0, 1e-9);
        const double overlap = carom_solid_push_overlap(model, &of->meet[0], box, scene->q, scene->v, &rate, NULL);
        CHECK((overlap > 0.0) == (k == 1));
        if (k != 1) {
            CHECK_NEAR(overlap, -1e-5, 1e-12);
            CHECK_NEAR(rate, k ? -10.0 : 10.0, 1e-9);
        }
        for (size_t i = 0; i < high->n; i++) {
            scene->q[model->member[1].q0 + high->wide * i + 1] += k == 0 ? -3e-5 : 3e-5;
            scene->v[model->member[1].v0 + high->fast * i + 1] *= k == 1 ? -1.0 : 1.0;
        }
    }
    carom_scene_free(scene);
}

int main(void)
{
    check_speed();
    check_threads();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        check_all(scenes[i]);
    return check_end();
}
