/* Polygons and polyhedra of a scene: regular ones have the mass and the moments of their closed forms and stand with a
 * side below, corners come from STL and OBJ as from a list, and what cannot be a body gets a sentence. */
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "model/bodies/convex.h"

static const double pi = 3.14159265358979323846;

static struct carom_scene *read_entry(const char *entry, const char *more, struct carom_error *error)
{
    char text[4000];
    snprintf(
        text, sizeof text,
        "units: none\ntheory: nonsmooth\nmaterials: {a: {young: 1, poisson: 0.3, density: 3}}\nbodies:\n  - %s\n%s\n"
        "contacts: {law: rigid, e: 0}\nrun: {until: 1, scheme: moreau-jean, step: 0.01}\n",
        entry, more);
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, error);
}

static struct carom_scene *good(const char *entry)
{
    struct carom_error error;
    struct carom_scene *scene = read_entry(entry, "", &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static const struct carom_body *first(const struct carom_scene *scene)
{
    return &carom_model_bodies(scene->model)->body[0];
}

static void refused(const char *entry, const char *sentence)
{
    struct carom_error error;
    struct carom_scene *scene = read_entry(entry, "", &error);
    CHECK(scene == NULL && (error.status == CAROM_E_INPUT || error.status == CAROM_E_REFUSED ||
                            (error.status == CAROM_E_FILE && strstr(error.text, "cannot be read"))));
    CHECK_CONTAINS(error.text, sentence);
    carom_scene_free(scene);
}

/* --- regular ones ------------------------------------------------------------------------------------------------- */

/* `edge` of a radius 1, volume and moment of an edge of 1 */
static void check_solid(const char *kind, size_t corners, double edge, double volume, double moment)
{
    char entry[200];
    const double radius = 0.7, density = 3.0, a = edge * radius, mass = density * volume * a * a * a;
    snprintf(entry, sizeof entry, "polyhedron: {kind: %s, radius: 0.7, at: [1, 2, 3], material: a}", kind);
    struct carom_scene *scene = good(entry);
    const struct carom_body *body = first(scene);
    CHECK(body->convex->ncorners == corners);
    CHECK_NEAR(body->mass, mass, 1e-13 * mass);
    CHECK_NEAR(body->inertia, mass * moment * a * a, 1e-13 * mass);
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(body->at[k], 1.0 + (double)k, 1e-14);
    for (size_t i = 0; i < corners; i++)
        CHECK_NEAR(carom_vec_norm(body->convex->corner[i]), radius, 1e-14);
    carom_scene_free(scene);
}

static void check_solids(void)
{
    const double phi = 0.5 * (1.0 + sqrt(5.0));
    check_solid("tetrahedron", 4, 4.0 / sqrt(6.0), 1.0 / (6.0 * sqrt(2.0)), 1.0 / 20.0);
    check_solid("cube", 8, 2.0 / sqrt(3.0), 1.0, 1.0 / 6.0);
    check_solid("octahedron", 6, sqrt(2.0), sqrt(2.0) / 3.0, 1.0 / 10.0);
    check_solid("dodecahedron", 20, 2.0 / (sqrt(3.0) * phi), (15.0 + 7.0 * sqrt(5.0)) / 4.0,
                (39.0 * phi + 28.0) / 150.0);
    check_solid("icosahedron", 12, 2.0 / sqrt(1.0 + phi * phi), 5.0 * (3.0 + sqrt(5.0)) / 12.0, phi * phi / 10.0);
}

static void check_polygons(void)
{
    for (int n = 3; n < 12; n++) {
        char entry[200];
        const double radius = 0.4, a = 2.0 * radius * sin(pi / n), cot = 1.0 / tan(pi / n);
        const double area = 0.25 * n * a * a * cot, mass = 3.0 * 0.5 * area;
        snprintf(entry, sizeof entry, "polygon: {sides: %d, radius: 0.4, at: [0, 2], material: a, thickness: 0.5}", n);
        struct carom_scene *scene = good(entry);
        const struct carom_body *body = first(scene);
        CHECK(body->convex->ncorners == (size_t)n);
        CHECK_NEAR(body->mass, mass, 1e-13 * mass);
        CHECK_NEAR(body->inertia, mass * a * a / 24.0 * (1.0 + 3.0 * cot * cot), 1e-13 * mass);
        size_t low = 0; /* two corners are the lowest */
        for (size_t i = 0; i < (size_t)n; i++)
            low += body->convex->corner[i][1] < -radius * cos(pi / n) + 1e-12 ? 1 : 0;
        CHECK(low == 2);
        carom_scene_free(scene);
    }
}

/* --- corners ------------------------------------------------------------------------------------------------------ */

/* a wedge: half of a box 2 x 1 x 3, its centre of mass at (2/3, 1/3, 3/2) */
static const double wedge[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {2, 0, 3}, {0, 1, 3}};

static void check_wedge(const char *entry, double scale, double near)
{
    struct carom_scene *scene = good(entry);
    const struct carom_body *body = first(scene);
    const double centre[] = {2.0 / 3.0, 1.0 / 3.0, 1.5}, mass = 9.0 * scale * scale * scale;
    CHECK(body->convex->ncorners == 6 && body->convex->nfaces == 5);
    CHECK_NEAR(body->mass, mass, near * mass);
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(body->at[k], scale * centre[k], near);
    /* of a prism over a right triangle with legs p and q: about its axis (p^2 + q^2) / 18 */
    const double sum = body->moments[0] + body->moments[1] + body->moments[2];
    const double second = (4.0 + 1.0) / 18.0 + 9.0 / 12.0; /* the mean of x^2 + y^2 + z^2 about the centre */
    CHECK_NEAR(sum, 2.0 * mass * scale * scale * second, near * mass);
    carom_scene_free(scene);
}

static size_t write_stl(char *text, size_t room, const char *end)
{
    static const int triangle[8][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                       {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
    size_t n = (size_t)snprintf(text, room, "solid wedge\n");
    for (size_t t = 0; t < 8; t++) {
        n += (size_t)snprintf(text + n, room - n, " facet normal 0 0 0\n\touter loop\n");
        for (size_t c = 0; c < 3; c++) {
            const double *x = wedge[triangle[t][c]];
            n += (size_t)snprintf(text + n, room - n, "\t\tvertex %g %g\t%g\n", x[0], x[1], x[2]);
        }
        n += (size_t)snprintf(text + n, room - n, " endloop\nendfacet\n");
    }
    return n + (size_t)snprintf(text + n, room - n, "%s", end);
}

static size_t write_binary(char *text, const char *head)
{
    memset(text, 0, 84 + 50 * 8);
    memcpy(text, head, strlen(head));
    text[80] = 4;
    for (size_t t = 0; t < 4; t++)
        for (size_t c = 0; c < 3; c++)
            for (size_t k = 0; k < 3; k++) {
                const float x = (float)wedge[(3 * t + c) % 6][k];
                memcpy(text + 84 + 50 * t + 12 + 12 * c + 4 * k, &x, sizeof x);
            }
    return 84 + 50 * 4;
}

static void check_files(void)
{
    static const char obj[] =
        "# wedge\no wedge\nvn 1 0 0\nv 0 0 0\nv 2 0 0 1\n v 0 1 0\nv 0 0 3\nv 2 0 3\nv 0 1 3\nf 1 2 3\n";
    char text[6000];
    check_wedge(
        "polyhedron: {points: [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3], [2, 0, 3], [0, 1, 3]], at: [0, 0, 0], "
        "material: a}",
        1.0, 1e-14);
    file_write("wedge.obj", obj, strlen(obj));
    file_write("wedge.OBJ", obj, strlen(obj));
    check_wedge("polyhedron: {file: wedge.obj, at: [0, 0, 0], material: a}", 1.0, 1e-14);
    check_wedge("polyhedron: {file: wedge.OBJ, at: [0, 0, 0], material: a, scale: 0.1}", 0.1, 1e-14);
    file_write("wedge.stl", text, write_stl(text, sizeof text, "endsolid wedge\n"));
    check_wedge("polyhedron: {file: wedge.stl, at: [0, 0, 0], material: a, scale: 2}", 2.0, 1e-13);
    file_write("binary.stl", text, write_binary(text, "made by a program"));
    check_wedge("polyhedron: {file: binary.stl, at: [0, 0, 0], material: a}", 1.0, 1e-14);
    file_write("binary.stl", text, write_binary(text, "solid, though binary"));
    check_wedge("polyhedron: {file: binary.stl, at: [0, 0, 0], material: a}", 1.0, 1e-14);
}

static void refused_file(const char *name, const char *text, size_t size, const char *sentence)
{
    char entry[200];
    file_write(name, text, size);
    snprintf(entry, sizeof entry, "polyhedron: {file: %s, at: [0, 0, 0], mass: 1}", name);
    refused(entry, sentence);
}

static void check_wrong_files(void)
{
    char text[8000];
    refused("polyhedron: {file: none.stl, at: [0, 0, 0], mass: 1}", "none.stl cannot be read");
    refused_file("w.stl", text, write_stl(text, sizeof text, ""), "w.stl:57: ends before its endsolid");
    refused_file("w.stl", "solid", 5, "w.stl has 0 corners: it is not a valid STL file of a body");
    refused_file("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", 24,
                 "w.obj has 3 corners: it is not a valid OBJ file of a body");
    refused_file("w.obj", "v 0 0 0\nv 1 0\n", 14, "w.obj:2: a corner has three numbers");
    refused_file("w.obj", "v 0 0 nan\n", 10, "w.obj:1: a corner is not a usable number");
    refused_file("w.obj", "v 0 0 1e100\n", 12, "w.obj:1: a corner is not a usable number");
    refused_file("w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n", 32, "t.yaml:5:");
    refused_file("w.stl", text, write_binary(text, "made by a program") - 1, "w.stl: ends in triangle 4 of 4");
    write_binary(text, "made by a program");
    const float none = NAN;
    memcpy(text + 84 + 50 + 12, &none, sizeof none);
    refused_file("w.stl", text, 84 + 200, "w.stl:2: a corner is not a usable number");
    size_t n = 0;
    for (int i = 0; i <= CAROM_CONVEX_CORNERS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "v %d %d 1\n", i, i * i);
    snprintf(text + n, sizeof text - n, "v 0 0 1\n");
    refused_file("w.obj", text, n, "different corners, the most that are possible");
}

static void check_wrong(void)
{
    refused("polygon: {at: [0, 0], mass: 1}", "polygon: give its points, such as [[0, 0], [1, 0], [0, 1]], or sides");
    refused("polygon: {at: [0, 0], mass: 1, sides: 3, radius: 1, points: [[0, 0], [1, 0], [0, 1]]}", "and not both");
    refused("polygon: {at: [0, 0], mass: 1, sides: 3}", "polygon: radius is missing: from its centre to its corners");
    refused("polygon: {at: [0, 0], mass: 1, radius: 1, points: [[0, 0], [1, 0], [0, 1]]}", "radius belongs to sides");
    refused("polygon: {at: [0, 0], sides: 3, radius: 1}", "polygon: one that moves freely needs mass, or material");
    refused("polyhedron: {at: [0, 0, 0], mass: 1}", "polyhedron: give one of points, file (STL or OBJ) and kind");
    refused("polyhedron: {at: [0, 0, 0], mass: 1, kind: cube, file: a.stl, radius: 1}",
            "polyhedron: give one of points");
    refused("polyhedron: {at: [0, 0, 0], mass: 1, kind: cube}", "polyhedron: radius is missing");
    refused("polyhedron: {at: [0, 0, 0], mass: 1, kind: cube, radius: 1, scale: 2}", "scale belongs to file");
    refused("polyhedron: {at: [0, 0, 0], mass: 1, radius: 1, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}",
            "radius belongs to kind");
    struct carom_error error;
    char text[] =
        "units: none\nbodies: [{polygon: {sides: 3, radius: 1, at: [0, 0], mass: 1}}]\ncontacts: {law: hertz, k: 1}\n"
        "run: {until: 1, step: 0.01}\n";
    CHECK(carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error) == NULL);
    CHECK_CONTAINS(error.text, "polygon: such bodies are rigid: theory: nonsmooth, law: rigid and scheme moreau-jean");
}

int main(void)
{
    check_solids();
    check_polygons();
    check_files();
    check_wrong_files();
    check_wrong();
    return check_end();
}
