/* Discs and spheres out of files: CSV, VTK of every kind, data files of LAMMPS, run files. What is placed is what the
 * file says, in the units of its columns; what is wrong in a file is said with its line. */
#include <hdf5.h>

#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "record/export/vtu.h"

static const double pi = 3.14159265358979323846;

/* A scene whose first entry of bodies is this one. */
static struct carom_scene *read_entry(const char *entry, const char *more, struct carom_error *error)
{
    char text[3000];
    snprintf(text, sizeof text,
             "bodies:\n  - %s\n%s\ncontacts: {law: hertz}\nrun: {until: 1 us, step: 0.1 us}\n"
             "record: {probes: [position, v, spin]}\n",
             entry, more);
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, error);
}

static struct carom_scene *good(const char *entry, const char *more)
{
    struct carom_error error;
    struct carom_scene *scene = read_entry(entry, more, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

/* Body i of a scene: centre, radius, velocity, spin about z (of the plane) or y (of space). */
static void check_body(const struct carom_scene *scene, size_t i, const double at[3], double radius, const double v[3],
                       double spin)
{
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    CHECK_OR_STOP(bodies != NULL && i < bodies->n);
    const size_t d = bodies->dimension, nv = d == 2 ? 3 : 6;
    for (size_t k = 0; k < d; k++) {
        CHECK_NEAR(bodies->body[i].at[k], at[k], 1e-15 * fabs(at[k]));
        CHECK_NEAR(scene->v[i * nv + k], v[k], 1e-15 * fabs(v[k]));
    }
    CHECK_NEAR(bodies->body[i].radius, radius, 1e-15 * radius);
    CHECK_NEAR(scene->v[i * nv + (d == 2 ? 2 : 4)], spin, 1e-15 * fabs(spin));
}

static const double rest[3] = {0.0, 0.0, 0.0};

static void refused(const char *name, const char *text, const char *entry, const char *sentence)
{
    struct carom_error error;
    file_put(name, text);
    CHECK(read_entry(entry, "", &error) == NULL);
    CHECK(error.status == CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, sentence);
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

static void test_csv(void)
{
    file_put(
        "balls.csv",
        "\xef\xbb\xbf# two of steel, one of brass\nx [mm], y [mm], radius [mm], vx [m/s], vy, spin [rpm], material\n"
        "0, 0, 5, 1, -3, 60, steel\n\n20, 0, 6, 0, 0, 0, brass\n40, 1, 5, 0.5, 0, 0, steel\n");
    struct carom_scene *scene = good("{file: balls.csv}", "");
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    CHECK(bodies->n == 3 && bodies->dimension == 2);
    check_body(scene, 0, rest, 0.005, (const double[]){1.0, -3.0, 0.0}, 2.0 * pi);
    check_body(scene, 1, (const double[]){0.02, 0.0, 0.0}, 0.006, rest, 0.0);
    check_body(scene, 2, (const double[]){0.04, 0.001, 0.0}, 0.005, (const double[]){0.5, 0.0, 0.0}, 0.0);
    CHECK(bodies->body[0].material == bodies->body[2].material && bodies->body[0].material != bodies->body[1].material);
    CHECK(bodies->body[0].mass == bodies->body[2].mass && bodies->body[0].mass < bodies->body[1].mass);
    carom_scene_free(scene);
    const char *const separated[] = {"x y z\n1e-2 2 3\n", "x;y;z\n1e-2;2;3\n", "x\ty\tz\n1e-2\t2\t3\n"};
    for (size_t i = 0; i < 3; i++) {
        file_put("plain.csv", separated[i]);
        scene = good("{file: plain.csv, radius: 1 mm, material: steel, shift: [1, 0, 0.5], velocity: [0, 0, 2]}", "");
        check_body(scene, 0, (const double[]){1.01, 2.0, 3.5}, 0.001, (const double[]){0.0, 0.0, 2.0}, 0.0);
        carom_scene_free(scene);
    }
    file_put("heavy.csv", "id,x,y,z,radius,mass,vx,vy,vz,spin_y\n9,1,2,3,0.1,7,1,2,3,4\n8,2,2,3,0.2,8,0,0,0,0\n");
    scene = good("{file: heavy.csv, material: steel}", "");
    check_body(scene, 0, (const double[]){1.0, 2.0, 3.0}, 0.1, (const double[]){1.0, 2.0, 3.0}, 4.0);
    CHECK(carom_model_bodies(scene->model)->body[0].mass == 7.0);
    carom_scene_free(scene);
}

static void test_wrong_csv(void)
{
    static const char entry[] = "{file: a.csv, material: steel}";
    refused("a.csv", "x,y,radius\n0,0,1\n1,1\n", entry, "a.csv:3: the line has 2 cells, the header names 3");
    refused("a.csv", "x,y,radius\n0,0,-1\n", entry, "a.csv:2: the radius of body 1 must be positive, got -1");
    refused("a.csv", "x,y,radius\n0,nan,1\n", entry, "a.csv:2: cell 2, 'nan', is not a finite number");
    refused("a.csv", "x,y,radius\n0,1e999,1\n", entry, "a.csv:2: cell 2, '1e999', is not a finite number");
    refused("a.csv", "x,y,raduis\n0,0,1\n", entry, "a.csv:1: unknown column 'raduis', did you mean 'radius'?");
    refused("a.csv", "0,0,1\n", entry, "a.csv:1: the first line names the columns, such as x,y,radius");
    refused("a.csv", "", entry, "a.csv:1: the first line names the columns");
    refused("a.csv", "x,y,radius\n", entry, "a.csv has no bodies");
    refused("a.csv", "x,radius\n1,1\n", entry, "a.csv:1: there is no column x or no column y");
    refused("a.csv", "x,y,x\n1,1,1\n", entry, "a.csv:1: the column x appears twice");
    refused("a.csv", "x [kg],y,radius\n1,1,1\n", entry, "a.csv:1: 1 kg is a mass, expected a length, such as 10 mm");
    refused("a.csv", "x,y\n1,1\n", entry, "it has no radius: give radius: here");
    refused("a.csv", "x,y,radius\n0,0,1\n1.5,0,1\n", entry, "bodies 1 and 2 overlap by 0.5 m");
    refused("a.csv", "x,y,radius,material\n1,1,1,stele\n", "{file: a.csv}",
            "unknown material 'stele', did you mean 'steel'?");
}

/* --- VTK ---------------------------------------------------------------------------------------------------------- */

static const char legacy[] = "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET POLYDATA\nPOINTS 2 double\n"
                             "0 0 0 1 0 0\nVERTICES 2 4\n1 0 1 1\nPOINT_DATA 2\nSCALARS radius float 1\n"
                             "LOOKUP_TABLE default\n0.1 0.2\nFIELD FieldData 2\nid 1 2 int\n1 2\n"
                             "velocity 3 2 double\n0 0 1 0 0 2\n";
static const char xml[] =
    "<?xml version=\"1.0\"?>\n"
    "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\"><PolyData><Piece NumberOfPoints=\"2\">\n"
    "<PointData><DataArray type=\"Float32\" Name=\"Radius\" format=\"ascii\"> 0.125 0.25 </DataArray></PointData>\n"
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0\n"
    "1 0 0</DataArray></Points></Piece></PolyData></VTKFile>\n";

static void test_vtk(void)
{
    file_put("old.vtk", legacy);
    struct carom_scene *scene = good("{file: old.vtk, material: steel}", "");
    check_body(scene, 0, rest, 0.1, (const double[]){0.0, 0.0, 1.0}, 0.0);
    check_body(scene, 1, (const double[]){1.0, 0.0, 0.0}, 0.2, (const double[]){0.0, 0.0, 2.0}, 0.0);
    carom_scene_free(scene);
    file_put("new.vtp", xml);
    for (int plane = 0; plane < 2; plane++) {
        scene = good("{file: new.vtp, material: steel}", plane ? "domain: [[-1, -1], [2, 1]]" : "");
        CHECK(carom_model_bodies(scene->model)->dimension == (plane ? 2 : 3));
        check_body(scene, 0, rest, 0.125, rest, 0.0);
        check_body(scene, 1, (const double[]){1.0, 0.0, 0.0}, 0.25, rest, 0.0);
        carom_scene_free(scene);
    }
}

static void refused_change(const char *name, const char *text, const char *old, const char *new, const char *sentence)
{
    char changed[3000], entry[100];
    const char *at = strstr(text, old);
    CHECK_OR_STOP(at != NULL);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    snprintf(entry, sizeof entry, "{file: %s, material: steel}", name);
    refused(name, changed, entry, sentence);
}

/* as other programs write it: a length and numbers in base64, in one stream or in two */
static void test_base64(void)
{
    static const char text[] =
        "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\"><PolyData>"
        "<Piece NumberOfPoints=\"2\"><PointData><DataArray type=\"Float64\" Name=\"Radius\" format=\"binary\">\n"
        "EAAAAAAAAAAAAAAAAADAPwAAAAAAANA/\n</DataArray></PointData><Points>"
        "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">GAAAAAAAAAA=AAAAAAAAAAAAAAAAAACAPw"
        "AAAAAAAAAA</DataArray></Points></Piece></PolyData></VTKFile>\n";
    file_put("packed.vtp", text);
    struct carom_scene *scene = good("{file: packed.vtp, material: steel}", "");
    check_body(scene, 0, rest, 0.125, rest, 0.0);
    check_body(scene, 1, (const double[]){1.0, 0.0, 0.0}, 0.25, rest, 0.0);
    carom_scene_free(scene);
    refused_change("a.vtp", text, "ANA/", "", "a.vtp:1: radius breaks off, or is not in base64");
    refused_change("a.vtp", text, "ANA/", "AN!/", "a.vtp:1: radius breaks off, or is not in base64");
}

/* what is written with its numbers appended as raw bytes comes back to the bit */
static void test_appended(void)
{
    static const double point[] = {0.1, 0.2, 0.3, 1.1, 0.2, 0.3}, radius[] = {0.11, 0.12}, mass[] = {3.0, 4.0};
    static const double velocity[] = {1.0, 2.0, 1.0 / 3.0, 0.0, 0.0, -1.0};
    static const int64_t connectivity[] = {0, 1}, offset[] = {1, 2};
    static const uint8_t type[] = {CAROM_VTU_VERTEX, CAROM_VTU_VERTEX};
    static const struct carom_vtu_field fields[] = {
        {"radius", false, 1, radius, NULL}, {"mass", false, 1, mass, NULL}, {"velocity", false, 3, velocity, NULL}};
    const struct carom_vtu grid = {2, point, 2, connectivity, offset, type, NULL, NULL, 3, fields, 0.0};
    CHECK_STATUS(carom_vtu_write("raw.vtu", &grid, NULL), CAROM_OK);
    struct carom_scene *scene = good("{file: raw.vtu, material: steel}", "");
    check_body(scene, 0, point, 0.11, velocity, 0.0);
    check_body(scene, 1, point + 3, 0.12, velocity + 3, 0.0);
    carom_scene_free(scene);
}

static void test_wrong_vtk(void)
{
    refused_change("a.vtk", legacy, "0.1 0.2", "0.1 0x1p3", "a.vtk:12: a number should stand here, not '0x1p3'");
    refused_change("a.vtk", legacy, "0.1 0.2", "0.1 x", "a.vtk:12: a number should stand here, not 'x'");
    refused_change("a.vtk", legacy, "0.1 0.2", "0.1 -2", "the radius of body 2 must be positive, got -2");
    refused_change("a.vtk", legacy, "ASCII", "BINARY", "a.vtk:3: a legacy VTK file is taken in ASCII only");
    refused_change("a.vtk", legacy, "POINTS 2", "POINTS 3000000000", "a.vtk:");
    refused_change("a.vtk", legacy, "velocity 3 2", "velocity 3 200", "a.vtk:");
    refused_change("a.vtp", xml, "\"2\"", "\"3\"", "a.vtp:");
    refused_change("a.vtp", xml, "0.125", "0.12z", "a.vtp:");
    refused_change("a.vtp", xml, "\"2\"", "\"1\"", "and NumberOfPoints=\"1\" asks for 1 each");
    refused_change("a.vtp", xml, "</PointData>",
                   "<DataArray Name=\"radius\" format=\"ascii\">1 1</DataArray></PointData>",
                   "radius stands twice in the file");
    refused_change("a.vtp", xml, "format=\"ascii\"> 0", "format=\"appended\" offset=\"0\"> 0", "a.vtp:");
}

/* --- LAMMPS ------------------------------------------------------------------------------------------------------- */

static const char lammps[] = "LAMMPS data file\n\n3 atoms\n2 atom types\n\n0 1 xlo xhi\n0 1 ylo yhi\n0 2 zlo zhi\n\n"
                             "Atoms # sphere\n\n1 1 0.1 2500 0.5 0.5 0.5\n3 2 0.1 1000 0.5 0.5 0.7 0 0 0\n"
                             "2 1 0.1 2500 0.5 0.3 0.7\n\nVelocities\n\n3 0 0 -1 0 0 0\n1 0 0 0 0 0 0\n2 0 0 0 0 1 0\n";

static void test_lammps(void)
{
    file_put("some.data", lammps);
    struct carom_scene *scene = good("{file: some.data, materials: [steel, glass]}", "domain: file\nperiodic: [x]");
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const double places[3][3] = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.7}, {0.5, 0.3, 0.7}}, falls[3] = {0.0, 0.0, -1.0};
    check_body(scene, 0, places[0], 0.05, rest, 0.0);
    check_body(scene, 1, places[1], 0.05, falls, 0.0);
    check_body(scene, 2, places[2], 0.05, rest, 1.0);
    for (size_t i = 0; i < 3; i++) {
        const double mass = (i == 1 ? 1000.0 : 2500.0) * 4.0 / 3.0 * pi * 0.05 * 0.05 * 0.05;
        CHECK_NEAR(bodies->body[i].mass, mass, 1e-15 * mass);
        CHECK((bodies->body[i].material == bodies->body[0].material) == (i != 1));
    }
    CHECK(bodies->low[0] == 0.0 && bodies->high[2] == 2.0);
    carom_scene_free(scene);
    refused_change("a.data", lammps, "sphere", "atomic", "a.data:10: atoms must be of style sphere: Atoms # sphere");
    refused_change("a.data", lammps, "1 1 0.1", "1 1 -0.1",
                   "a.data:12: the radius of body 1 must be positive, got -0.05");
    refused_change("a.data", lammps, "3 atoms", "30 atoms",
                   "a.data:16: an atom of style sphere is: number type diameter");
    refused_change("a.data", lammps, "3 atoms", "3000000000 atoms", "a.data:3: the file has no 3000000000 atoms");
    refused_change("a.data", lammps, "3 0 0 -1", "9 0 0 -1", "a.data:18:");
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* what a stranger may have done to a run file */
static void replace(const char *path, const char *name, hid_t type, const void *bytes)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t stored = type >= 0 ? H5Tcopy(type) : H5Dget_type(set);
    CHECK(H5Dwrite(set, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    H5Tclose(stored);
    H5Dclose(set);
    CHECK(H5Fclose(file) >= 0);
}

static void test_run(void)
{
    static const char first[] = "packing: {count: 4, radius: 10 mm, spread: 0.2, in: [[0, 0], [0.2, 0.1]], seed: 3, "
                                "material: steel, velocity: [0, -1]}";
    struct carom_scene *scene = good(first, "gravity: [0, -9.81]");
    struct carom_sim *sim = carom_scene_sim(scene, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new("first.h5"), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    struct carom_scene *next = good("{run: first.h5, material: steel, name: heap}", "gravity: [0, -9.81]");
    const struct carom_bodies *old = carom_model_bodies(sim->model), *new = carom_model_bodies(next->model);
    CHECK(new->n == 4);
    carom_sim_sync(sim);
    for (size_t i = 0; i < 4; i++) {
        const double *q = sim->view->q + 5 * i, *v = sim->view->v + 3 * i;
        for (size_t k = 0; k < 2; k++)
            CHECK_NEAR(new->body[i].at[k], old->body[i].at[k] + q[k], 1e-15);
        CHECK(memcmp(next->v + 3 * i, v, 3 * sizeof *v) == 0);
        CHECK(new->body[i].mass == old->body[i].mass &&new->body[i].radius == old->body[i].radius);
    }
    carom_scene_free(next);
    struct carom_error error;
    CHECK(read_entry("{run: first.h5, material: steel, at: 1 s}", "", &error) == NULL);
    CHECK_CONTAINS(error.text, "run: first.h5 has no sample at 1");
    CHECK(read_entry("{run: none.h5, material: steel}", "", &error) == NULL && error.status == CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "run: none.h5 cannot be read: No such file or directory");
    CHECK(read_entry("{file: first.h5, material: steel}", "", &error) == NULL);
    CHECK_CONTAINS(error.text, "first.h5 is a run file: write run: instead of file:");
    replace("first.h5", "particles/bodies/radius", H5T_NATIVE_DOUBLE, (const double[]){0.01, -0.01, 0.01, 0.01});
    CHECK(read_entry("{run: first.h5, material: steel}", "", &error) == NULL);
    CHECK_CONTAINS(error.text, "first.h5:1: the radius of body 2 must be positive, got -0.01");
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* where only displacements were recorded, and a wall stands among the bodies */
static void test_moved(void)
{
    static const char text[] =
        "units: none\nbodies:\n  - disc: {at: [1, 2], radius: 0.5, mass: 1, velocity: [3, 1]}\n"
        "  - plane: {at: [0, -9], normal: [0, 1]}\n"
        "  - disc: {at: [4, 7], radius: 0.25, mass: 2, velocity: [0, -1]}\n"
        "contacts: {law: hertz, k: 1}\nrun: {until: 0.5}\nrecord: {every: 0.25, probes: [u, v]}\n",
                      next[] =
                          "units: none\nbodies: [{run: moved.h5}]\ncontacts: {law: hertz, k: 1}\nrun: {until: 1}\n";
    const double place[2][2] = {{2.5, 2.5}, {4.0, 6.5}}, radius[2] = {0.5, 0.25};
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, NULL);
    struct carom_sim *sim = carom_scene_sim(scene, NULL);
    CHECK_OR_STOP(sim != NULL);
    void *sink = carom_sink_hdf5_new("moved.h5");
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    struct carom_scene *from = carom_scene_parse("t.yaml", next, strlen(next), NULL, 0, NULL);
    CHECK_OR_STOP(from != NULL && carom_model_bodies(from->model)->n == 2);
    for (size_t i = 0; i < 2; i++) {
        const struct carom_body *body = &carom_model_bodies(from->model)->body[i];
        CHECK_NEAR(body->at[0], place[i][0], 1e-12);
        CHECK_NEAR(body->at[1], place[i][1], 1e-12);
        CHECK(body->radius == radius[i]);
    }
    carom_scene_free(from);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* --- going on where a run has ended ------------------------------------------------------------------------------- */

static const char pour[] =
    "units: none\ngravity: [0, -1]\nbodies:\n"
    "  - packing: {count: 6, radius: 1, spread: 0.2, in: [[0, 0], [20, 6]], seed: 3}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\n  - plane: {at: [0, 0], normal: [1, 0]}\n"
    "  - plane: {at: [20, 0], normal: [-1, 0]}\n"
    "contacts: {law: kuwabara-kono, k: 1e4, gamma: 0.01, friction: {law: cundall-strack, mu: 0.3, k_t: 1e3}}\n";

/* Runs that scene with more lines, into a file unless that is NULL. */
static struct carom_sim *run_pour(const char *more, const char *path)
{
    char text[1000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text, "%s%s", pour, more);
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    void *sink = path != NULL ? carom_sink_hdf5_new(path) : NULL;
    if (path != NULL)
        CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_sync(sim);
    carom_scene_free(scene);
    return sim;
}

static double apart(const struct carom_state *a, const struct carom_state *b)
{
    double most = 0.0;
    for (size_t i = 0; i < a->nv; i++)
        most = fmax(most, fabs(a->v[i] - b->v[i]));
    for (size_t i = 0; i < a->nq; i++)
        most = fmax(most, fabs(a->q[i] - b->q[i]));
    return most;
}

static void refused_from(const char *option, const char *sentence)
{
    char text[1000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text, "%sstart: {run: half.h5}\nrun: {until: 4, scheme: verlet, step: 0.002}\n", pour);
    CHECK(carom_scene_parse("t.yaml", text, strlen(text), &option, 1, &error) == NULL);
    CHECK_CONTAINS(error.text, sentence);
}

static void test_from(void)
{
    struct carom_sim *whole = run_pour("run: {until: 8, scheme: verlet, step: 0.002}\n", NULL);
    struct carom_sim *half = run_pour("run: {until: 4, scheme: verlet, step: 0.002}\n", "half.h5");
    struct carom_sim *next = run_pour("run: {until: 4, scheme: verlet, step: 0.002}\nstart: {run: half.h5}\n", NULL);
    struct carom_sim *sample =
        run_pour("run: {until: 4, scheme: verlet, step: 0.002}\nstart: [{run: half.h5, at: 4}]\n", NULL);
    CHECK(apart(whole->view, half->view) > 0.1);
    CHECK_NEAR(apart(whole->view, next->view), 0.0, 1e-12);  /* springs of friction are remembered */
    CHECK_NEAR(apart(whole->view, sample->view), 0.0, 1e-4); /* a sample does not have them */
    CHECK(apart(next->view, sample->view) > 0.0);
    carom_sim_free(whole);
    carom_sim_free(half);
    carom_sim_free(next);
    carom_sim_free(sample);
    refused_from("bodies.1.packing.count=7", "half.h5: the run has 9 bodies, this scene 10");
    refused_from("bodies.1.packing.radius=1.01", "half.h5: body 1 has the radius 0.964383 there, 0.974027 here");
    refused_from("bodies.1.packing.mass=2", "half.h5: body 1 has the mass 1 there, 2 here");
    refused_from("start.run=none.h5", "run: none.h5 cannot be read: No such file or directory");
    refused_from("start.body=1", "body: a run to start from sets all bodies and stands alone");
    refused_from("start.at=3.3333", "half.h5 has no sample at 3.3333, the nearest is at 3.");
    refused_from("start.at=1.0001", "half.h5 has no sample at 1.0001, the nearest is at 1");
    static const char wrong[388] = "units: none\nbodies: {}\n";
    replace("half.h5", "parameters/scene", -1, wrong);
    refused_from("start.run=half.h5", "bodies");
}

/* A wall that was pressed before the run stands where it was pressed to. */
static void test_pressed_before(void)
{
    static const char text[] =
        "units: none\nbodies:\n  - disc: {at: [0, 1], radius: 1, mass: 1}\n"
        "  - plane: {at: [0, 0], normal: [0, 1]}\n  - plane: {name: lid, at: [0, 2], normal: [0, -1]}\n"
        "contacts: {law: hertz, k: 10}\nrun: {until: 1, scheme: verlet, step: 0.01}\nstart: [%s]\n";
    char scene[1000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(scene, sizeof scene, text, "{body: 1, settle: true, press: {lid: 0.1}}");
    struct carom_scene *pressed = carom_scene_parse("t.yaml", scene, strlen(scene), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    struct carom_sim *sim = carom_scene_sim(pressed, &error);
    CHECK_OR_STOP(sim != NULL);
    void *sink = carom_sink_hdf5_new("pressed.h5");
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    snprintf(scene, sizeof scene, text, "{run: pressed.h5, at: 1}");
    struct carom_scene *stands = carom_scene_parse("t.yaml", scene, strlen(scene), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(stands != NULL);
    const size_t lid = 2 * carom_bodies_nq(carom_model_bodies(stands->model));
    CHECK(pressed->q[lid + 1] < -0.01);
    CHECK(stands->q[lid] == pressed->q[lid] && stands->q[lid + 1] == pressed->q[lid + 1]);
    carom_sim_free(sim);
    carom_scene_free(pressed);
    carom_scene_free(stands);
}

int main(void)
{
    test_csv();
    test_wrong_csv();
    test_vtk();
    test_appended();
    test_base64();
    test_wrong_vtk();
    test_lammps();
    test_run();
    test_moved();
    test_from();
    test_pressed_before();
    return check_end();
}
