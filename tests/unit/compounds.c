/* Capsules and compounds: mass, centre and moments against closed forms, gaps against differences in all kinds of
 * places, and sentences where parts cannot be a body. */
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "model/bodies/shapes_round.h"

static const double pi = 3.14159265358979323846;

static struct carom_scene *read_bodies(const char *bodies, struct carom_error *error)
{
    char text[4000];
    snprintf(text, sizeof text,
             "units: none\ntheory: nonsmooth\nmaterials: {a: {young: 1, poisson: 0.3, density: 3}}\nbodies:\n%s\n"
             "contacts: {law: rigid, e: 0}\nrun: {until: 1, scheme: moreau-jean, step: 0.01}\n",
             bodies);
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, error);
}

static struct carom_scene *good(const char *bodies)
{
    struct carom_error error;
    struct carom_scene *scene = read_bodies(bodies, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static void refused(const char *bodies, const char *sentence)
{
    struct carom_error error;
    struct carom_scene *scene = read_bodies(bodies, &error);
    CHECK(scene == NULL && (error.status == CAROM_E_INPUT || error.status == CAROM_E_REFUSED));
    CHECK_CONTAINS(error.text, sentence);
    carom_scene_free(scene);
}

/* mass, centre and moments (rising; in the plane the last) of the first body */
static void weighs(const char *entry, double mass, const double at[3], const double moments[3])
{
    struct carom_scene *scene = good(entry);
    const struct carom_bodies *b = carom_model_bodies(scene->model);
    const struct carom_body *body = &b->body[0];
    double sorted[3];
    CHECK_NEAR(body->mass, mass, 1e-13 * mass);
    for (size_t k = 0; k < 3; k++) {
        CHECK_NEAR(body->at[k], at[k], 1e-13);
        sorted[k] = body->moments[0] > 0.0 ? body->moments[k] : body->inertia;
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t l = 0; l < 2 - k; l++)
            if (sorted[l] > sorted[l + 1]) {
                const double hold = sorted[l];
                sorted[l] = sorted[l + 1];
                sorted[l + 1] = hold;
            }
    for (size_t k = b->dimension == 2 ? 2 : 0; k < 3; k++)
        CHECK_NEAR(sorted[k], moments[k], 1e-12 * moments[2]);
    carom_scene_free(scene);
}

static void weights(void)
{
    const double r = 0.3, l = 2.0, area = pi * r * r + 2.0 * r * l, half = 4.0 * r / (3.0 * pi);
    const double flat =
        3.0 * (pi * r * r * (0.5 * r * r + 0.25 * l * l + l * half) + 2.0 * r * l * (l * l + 4 * r * r) / 12);
    weighs("  - capsule: {at: [1, 2], length: 2, radius: 0.3, axis: [3, 4], material: a}", 3.0 * area,
           (const double[3]){1, 2, 0}, (const double[3]){0, 0, flat});
    const double tube = 3.0 * pi * r * r * l, balls = 3.0 * 4.0 / 3.0 * pi * r * r * r;
    const double along = 0.5 * tube * r * r + 0.4 * balls * r * r;
    const double across = tube * (0.25 * r * r + l * l / 12) + balls * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    weighs("  - capsule: {at: [1, 2, 3], length: 2, radius: 0.3, axis: [3, 4, 5], material: a}", tube + balls,
           (const double[3]){1, 2, 3}, (const double[3]){along, across, across});
    /* a box of two halves, each given in its own way */
    weighs("  - compound: {at: [1, 1], mass: 6, parts: [box: {at: [-0.25, 0], size: [0.5, 2]}, polygon: {at: [0, -1], "
           "points: [[0, 0], [0.5, 0], [0.5, 2], [0, 2]]}]}",
           6.0, (const double[3]){1, 1, 0}, (const double[3]){0, 0, 6.0 * (1.0 + 4.0) / 12.0});
    weighs(
        "  - compound: {at: [0, 0, 1], turn: {axis: [0, 0, 1], angle: 0.7}, mass: 12, parts: [box: {at: [0, 0, 0.5], "
        "size: [3, 2, 1]}, box: {at: [0, 0, -0.5], size: [2, 1, 3], turn: {axis: [1, 1, 1], angle: "
        "2.0943951023931953}}]}",
        12.0, (const double[3]){0, 0, 1}, (const double[3]){8, 13, 13});
    /* a dumbbell without a rod, its centre off the middle: 2 m at 1, m at -2; and an L of three squares */
    weighs(
        "  - compound: {at: [0, 0], parts: [disc: {at: [3, 0], radius: 0.5, mass: 2}, disc: {radius: 0.5, mass: 1}]}",
        3.0, (const double[3]){2, 0, 0}, (const double[3]){0, 0, 2.0 * (1.0 + 0.125) + 1.0 * (4.0 + 0.125)});
    weighs(
        "  - compound: {at: [0, 0], turn: 1, material: a, thickness: 2, parts: [box: {size: [1, 1]}, box: {at: [1, 0], "
        "size: [1, 1]}, box: {at: [0, 1], size: [1, 1]}]}",
        18.0, (const double[3]){(cos(1.0) - sin(1.0)) / 3, (cos(1.0) + sin(1.0)) / 3, 0},
        (const double[3]){0, 0, 18.0 * (1.0 / 6.0 + 4.0 / 9.0)});
    /* spheres about a point weigh as their tensor says: m d^2 for two of them, and 2/5 m r^2 each */
    weighs("  - compound: {at: [0, 0, 0], parts: [sphere: {at: [1, 1, 1], radius: 0.5, mass: 1}, sphere: {at: [-1, -1, "
           "-1], "
           "radius: 0.5, mass: 1}]}",
           2.0, (const double[3]){0, 0, 0}, (const double[3]){0.2, 6.2, 6.2});
}

static double chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / 16777216.0 - 0.5;
}

/* Rates by arms and normals are slopes of gaps, in whatever place the two may touch. */
static void slopes_of_gaps(const char *one, const char *other, size_t least)
{
    char text[2000];
    uint64_t seed = 5;
    size_t seen = 0;
    snprintf(text, sizeof text, "  - %s\n  - %s\n", one, other);
    struct carom_scene *scene = good(text);
    const struct carom_bodies *b = carom_model_bodies(scene->model);
    const size_t nv = carom_bodies_nv(b);
    for (int round = 0; round < 300; round++) {
        double q[20], moved[20], ahead[20], back[20], v[12], step[12];
        carom_bodies_rest(b, q);
        for (size_t k = 0; k < 2 * nv; k++) {
            step[k] = b->body[k / nv].fixed ? 0.0 : (k % nv < b->dimension ? 1.0 : 4.0) * chance(&seed);
            v[k] = b->body[k / nv].fixed ? 0.0 : chance(&seed);
        }
        carom_bodies_move(b, 0, 2, q, step, moved);
        for (int way = 0; way < 2; way++) {
            for (size_t k = 0; k < 2 * nv; k++)
                step[k] = (way ? -1e-6 : 1e-6) * v[k];
            carom_bodies_move(b, 0, 2, moved, step, way ? back : ahead);
        }
        struct carom_contact_key key = {0, 0, 1, 0};
        uint32_t feature[CAROM_SHAPES_MOST];
        const size_t n = carom_shapes_places(b, &key, moved, feature);
        for (size_t k = 0; n != SIZE_MAX && k < n; k++) {
            struct carom_meeting m, m1, m0;
            double slip[3];
            key.feature = feature[k];
            CHECK(carom_shapes_has(b, 0, 1, feature[k]));
            CHECK(k == 0 || feature[k] > feature[k - 1]);
            carom_shapes_meet(b, &key, moved, &m);
            carom_shapes_meet(b, &key, ahead, &m1);
            carom_shapes_meet(b, &key, back, &m0);
            const double rate = carom_meet_slip(b, &key, &m, v, slip);
            CHECK_NEAR(carom_vec_norm(m.normal), 1.0, 1e-12);
            CHECK_NEAR((m1.gap - m0.gap) / 2e-6, rate, 1e-5 * (1.0 + fabs(m.gap)));
            seen++;
        }
    }
    printf("%zu places of %.20s and %.20s\n", seen, one, other);
    CHECK(seen > least);
    CHECK(!carom_shapes_has(b, 0, 1, UINT32_MAX));
    carom_scene_free(scene);
}

static void slopes(void)
{
    static const char *const plane[] = {
        "capsule: {at: [%g, 0], length: 1, radius: 0.2, mass: 1}", "disc: {at: [%g, 0], radius: 0.4, mass: 1}",
        "polygon: {at: [%g, 0], sides: 5, radius: 0.6, mass: 1}",
        "compound: {at: [%g, 0], parts: [box: {size: [0.6, 0.2], mass: 1}, disc: {at: [0.4, 0.3], radius: 0.3, mass: "
        "1}, "
        "capsule: {at: [-0.3, 0.4], length: 0.5, radius: 0.1, axis: [1, 1], mass: 1}]}"};
    static const char *const space[] = {
        "capsule: {at: [%g, 0, 0], length: 1, radius: 0.2, mass: 1}", "sphere: {at: [%g, 0, 0], radius: 0.4, mass: 1}",
        "polyhedron: {at: [%g, 0, 0], kind: octahedron, radius: 0.6, mass: 1}",
        "compound: {at: [%g, 0, 0], parts: [box: {size: [0.6, 0.2, 0.3], mass: 1}, sphere: {at: [0.4, 0.3, 0], radius: "
        "0.3, "
        "mass: 1}, capsule: {at: [-0.3, 0.4, 0], length: 0.5, radius: 0.1, axis: [1, 1, 1], mass: 1}]}"};
    for (size_t d = 0; d < 2; d++)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++) {
                char one[600], other[600];
                if (i % 3 != 0 && j % 3 != 0)
                    continue; /* neither has pieces */
                snprintf(one, sizeof one, (d ? space : plane)[i], 0.0);
                snprintf(other, sizeof other, (d ? space : plane)[j], 1.4);
                slopes_of_gaps(one, other, 100);
            }
    slopes_of_gaps("plane: {at: [0, -1], normal: [0, 1]}", "capsule: {at: [0, 0], length: 1, radius: 0.2, mass: 1}",
                   500);
    slopes_of_gaps(
        "compound: {at: [0, 0, 0], mass: 1, parts: [box: {size: [1, 1, 1]}, sphere: {at: [1, 0, 0], radius: 0.5}]}",
        "box: {at: [0, 0, 0], size: [6, 6, 6], inside: true}", 1000);
}

/* Where a capsule may touch a box: with its ends, across edges and before corners, but not before those that have more
 * of the box beside them that is nearer. */
static void places_on_a_box(void)
{
    static const struct {
        const char *capsule;
        size_t places;                                                    /* two of them its ends */
    } lying[] = {{"at: [0, 0, 1], length: 3, axis: [1, 0, 0]", 4},        /* across two edges */
                 {"at: [0, 0, 1], length: 0.5, axis: [1, 0, 0]", 2},      /* inside the top */
                 {"at: [1, 0.3, 1], length: 1, axis: [1, 0, 0]", 3},      /* across one edge, near its end */
                 {"at: [1.3, 0.8, 0.8], length: 1, axis: [1, -1, 0]", 3}, /* before a corner */
                 {"at: [0, 0.8, 0.8], length: 1, axis: [0, 1, -1]", 3}};  /* across an edge, outside */
    for (size_t i = 0; i < sizeof lying / sizeof *lying; i++) {
        char text[400];
        uint32_t feature[CAROM_SHAPES_MOST];
        double q[20];
        snprintf(text, sizeof text,
                 "  - capsule: {%s, radius: 0.2, mass: 1}\n  - box: {at: [0, 0, 0], size: [2, 1, 1], mass: 1}\n",
                 lying[i].capsule);
        struct carom_scene *scene = good(text);
        const struct carom_bodies *b = carom_model_bodies(scene->model);
        const struct carom_contact_key key = {0, 0, 1, 0};
        carom_bodies_rest(b, q);
        const size_t n = carom_shapes_places(b, &key, q, feature);
        CHECK(n == lying[i].places);
        if (n != lying[i].places)
            fprintf(stderr, "%zu places, not %zu: %s\n", n, lying[i].places, lying[i].capsule);
        carom_scene_free(scene);
    }
}

static void sentences(void)
{
    refused("  - capsule: {at: [0, 0], radius: 1, mass: 1}", "length");
    refused("  - capsule: {at: [0, 0], radius: 1, length: -1, mass: 1}", "length");
    refused("  - capsule: {at: [0, 0], radius: 1, length: 1}", "needs mass");
    refused("  - capsule: {at: [0, 0], radius: 1, length: 1, mass: 1, axis: [0, 0]}", "points nowhere");
    refused("  - compound: {at: [0, 0], mass: 1}", "parts is missing");
    refused("  - compound: {at: [0, 0], mass: 1, parts: []}", "1 to 32");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [plane: {at: [0, 0], normal: [0, 1]}]}", "part");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [disc: {radius: 1}, disc: {radius: 1, at: [1, 0]}]}",
            "number 1 and 2 overlap");
    refused("  - compound: {at: [0, 0], parts: [disc: {radius: 1, mass: 1}, disc: {radius: 1, at: [3, 0]}]}",
            "to all of them, or to none");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [disc: {radius: 1, mass: 1}]}", "not to both");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [disc: {radius: 1, velocity: [1, 0]}]}",
            "stands with the whole");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [sphere: {radius: 1}]}", "a disc");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [disc: {radius: 1, wide: 2}]}", "wide");
    refused("  - compound: {at: [0, 0], mass: 1, parts: [disc: {radius: 1, at: [1, 2, 3]}]}", "of the plane");
}

/* A ball has one end, whatever the sign of a zero in its place. */
static void ends(void)
{
    struct carom_piece ball = {.end = {{0.0, -0.0, 2.0}, {-0.0, 0.0, 2.0}}, .radius = 1.0};
    CHECK(carom_shapes_round_ends(&ball) == 1);
    for (size_t k = 0; k < 3; k++) {
        struct carom_piece capsule = ball;
        capsule.end[1][k] += 0.5;
        CHECK(carom_shapes_round_ends(&capsule) == 2);
    }
}

int main(void)
{
    ends();
    weights();
    places_on_a_box();
    slopes();
    sentences();
    return check_end();
}
