/* What scenes write, and what is read of it: the lines of files.txt are run as those of scenes.txt are, and mixed in is
 * every group, attribute and number of the run file (but checkpoints, which are written by the clock, and versions),
 * every byte of the table, and the stress, fabric and fields that are read back for discs and spheres. The scene is
 * read again from what it keeps and, with discs and spheres, from its own run; every fourth line is taken up again in
 * the middle; of one file every dataset is replaced by one of another shape, and what readers say of that counts,
 * too. Runs may fail: then the sentence does. Where a change is meant to change files,
 *
 *     SOURCE=$PWD build/tests/conform/files --write
 *
 * writes the table again. */
#include "files.h"
#include "record/export/fclib.h"
#include "record/fields.h"
#include "record/run_grains.h"
#include "stored_file.h"

/* --- the same, as the library reads it ---------------------------------------------------------------------------- */

static void mix_fields(struct carom_run_grains *g, enum carom_fields_kernel kernel)
{
    double low[3], high[3], cell[3];
    struct carom_fields f = {.kernel = kernel};
    struct carom_error error = {CAROM_OK, ""};
    if (carom_run_grains_bounds(g, 1, low, high, &error) != CAROM_OK) {
        mix_text(error.text);
        return;
    }
    mix_reals(low, 3);
    mix_reals(high, 3);
    f.width = carom_fields_usual_width(&g->grains, kernel);
    for (int k = 0; k < 3; k++)
        cell[k] = 2.0 * carom_fields_usual_cell(&g->grains, kernel, f.width);
    CHECK_OR_STOP(carom_fields_open(&f, &g->grains, low, high, cell, &error) == CAROM_OK);
    carom_fields_read(&f, &g->grains, &g->moment);
    mix_reals(f.fraction, f.n);
    mix_reals(f.density, f.n);
    mix_reals(f.velocity[0], 3 * f.n);
    mix_reals(f.stress[0], CAROM_GRAINS_TENSOR * f.n);
    mix_reals(f.kinetic[0], CAROM_GRAINS_TENSOR * f.n);
    carom_fields_close(&f);
}

static void mix_grains(const struct carom_run_file *run, bool fields)
{
    struct carom_run_grains g;
    struct carom_error error = {CAROM_OK, ""};
    double(*stress)[CAROM_GRAINS_TENSOR];
    if (carom_run_grains_open(&g, run, &error) != CAROM_OK) {
        mix_text(error.text);
        return;
    }
    stress = carom_memory_zeroed(g.grains.n + 1, sizeof *stress);
    for (uint64_t row = 0; row < run->rows; row += 3) {
        if (carom_run_grains_read(&g, row, &error) != CAROM_OK)
            break;
        mix_reals(&g.time, 1);
        mix_reals(g.moment.place, g.grains.dimension * g.grains.n);
        carom_grains_stress(&g.grains, &g.moment, stress);
        mix_reals(stress[0], CAROM_GRAINS_TENSOR * g.grains.n);
    }
    mix_text(error.text);
    if (fields) {
        mix_fields(&g, CAROM_FIELDS_LUCY);
        mix_fields(&g, CAROM_FIELDS_GAUSSIAN);
    }
    carom_memory_free(stress);
    carom_run_grains_close(&g);
}

static void mix_reading(const char *path)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(run != NULL);
    for (size_t i = 0; i < run->nitems; i++) {
        const struct carom_run_item *item = &run->item[i];
        mix_text(item->path);
        mix_text(item->name);
        mix_text(item->unit);
        mix((uint64_t)item->extent);
        mix(item->width);
        mix(item->depth);
        mix(item->length);
    }
    mix_reals(&run->scales.speed, 1);
    mix_reals(&run->scales.length, 1);
    mix_reals(&run->scales.contact_time, 1);
    mix_reals((const double[]){run->tol, run->estimate, run->growth, run->horizon, run->sight}, 5);
    for (size_t i = 0; i < run->nc; i++)
        mix_reals((const double[]){run->pair[i][0], run->pair[i][1]}, 2);
    if (run->listed)
        mix_grains(run, true);
    carom_run_file_close(run);
}

/* --- the same, damaged -------------------------------------------------------------------------------------------- */

/* What a reader says of it, who reads all of it if it can be opened. */
static void mix_reader(const char *path)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    mix_text(error.text);
    for (size_t i = 0; run != NULL && i < run->nitems; i++) {
        double *read = carom_memory_zeroed(run->item[i].width + 1, sizeof *read);
        mix((uint64_t)carom_run_file_read(run, &run->item[i], 0, 1, read, &error));
        mix_reals(read, run->item[i].width);
        carom_memory_free(read);
    }
    if (run != NULL && run->listed)
        mix_grains(run, false);
    carom_run_file_close(run);
}

/* A dataset of the file, at every path below a group, in another shape and type. */
/* NOLINTNEXTLINE(misc-no-recursion): groups are as deep as the layout is */
static void mix_damages(const char *from, hid_t group, const char *above)
{
    static const hsize_t extent[2] = {3, 512};
    H5G_info_t about;
    char name[200], path[400];
    CHECK_OR_STOP(H5Gget_info(group, &about) >= 0);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        snprintf(path, sizeof path, "%.190s/%s", above, name);
        if (H5Iget_type(object) == H5I_GROUP)
            mix_damages(from, object, path);
        for (int scalar = 0; scalar < 2 && H5Iget_type(object) == H5I_DATASET; scalar++) {
            file_copy(from, "bent.h5");
            const hid_t bent = H5Fopen("bent.h5", H5F_ACC_RDWR, H5P_DEFAULT);
            const hid_t space = scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(2, extent, NULL);
            H5Ldelete(bent, path, H5P_DEFAULT);
            const hid_t set = H5Dcreate2(bent, path, scalar ? H5T_STD_I64LE : H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
            H5Dclose(set);
            H5Sclose(space);
            H5Fclose(bent);
            mix_reader("bent.h5");
        }
        H5Oclose(object);
    }
}

static void mix_damaged(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK_OR_STOP(file >= 0);
    mix_damages(path, file, "");
    H5Fclose(file);
}

/* --- scenes that begin with it ------------------------------------------------------------------------------------ */

#define KEPT 64

/* A scene that is read anew with one more override, and once more from what it keeps of other files: both are the
 * same. */
static void mix_again(const struct line *line, const char *text, const char *more)
{
    const char *set[WORDS + 1], *kept[KEPT];
    size_t nset = line->nset, nkept = 0;
    struct carom_error error = {CAROM_OK, ""};
    memcpy(set, line->set, sizeof line->set);
    if (more != NULL)
        set[nset++] = more;
    struct carom_scene *scene = carom_scene_parse("again.yaml", text, strlen(text), set, nset, &error);
    mix_text(error.text);
    if (scene == NULL)
        return;
    char *lines = carom_memory_text(scene->set);
    for (char *at = strtok(lines, "\n"); at != NULL && nkept < KEPT; at = strtok(NULL, "\n"))
        kept[nkept++] = at;
    struct carom_scene *again = carom_scene_parse("again.yaml", text, strlen(text), kept, nkept, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(again != NULL && again->model->nq == scene->model->nq);
    CHECK(memcmp(scene->q, again->q, scene->model->nq * sizeof(double)) == 0);
    CHECK(memcmp(scene->v, again->v, scene->model->nv * sizeof(double)) == 0);
    CHECK_TEXT(again->set, scene->set);
    mix_scene(scene);
    carom_scene_free(scene);
    carom_scene_free(again);
    carom_memory_free(lines);
}

/* --- a scene ------------------------------------------------------------------------------------------------------ */

static void mix_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK_OR_STOP(file != NULL);
    for (int c; (c = getc(file)) != EOF;)
        mix((uint64_t)c);
    fclose(file);
}

/* The contact problem of the last step, where the scheme tells it: as it is, and as it comes back out of a file. */
static void mix_problem(struct carom_stepper *stepper)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_friction_data data = {0}, back = {0};
    struct carom_fclib read = {0};
    double *r = NULL, *u = NULL;
    if (!stepper->scheme->problem || stepper->scheme->problem(stepper, &data, &r, &u, &error) != CAROM_OK ||
        data.n == 0) {
        mix_text(error.text);
        return;
    }
    const size_t square = data.dim * data.dim;
    mix_reals(data.block, data.first[data.n] * square);
    mix_reals(data.b, data.n * data.dim);
    mix_reals(data.mu, data.n);
    mix_reals(r, data.n * data.dim);
    mix_reals(u, data.n * data.dim);
    remove("problem.h5");
    CHECK_STATUS(carom_fclib_write("problem.h5", "a title", &data, r, u, &error), CAROM_OK);
    mix_run_file("problem.h5");
    CHECK_STATUS(carom_fclib_read("problem.h5", &read, &error), CAROM_OK);
    CHECK_STATUS(carom_fclib_reduce(&read, &back, &error), CAROM_OK);
    CHECK_OR_STOP(back.n == data.n && back.dim == data.dim && back.first[back.n] == data.first[data.n]);
    CHECK(memcmp(back.b, data.b, data.n * data.dim * sizeof *data.b) == 0);
    CHECK(memcmp(back.mu, data.mu, data.n * sizeof *data.mu) == 0);
    carom_fclib_close(&read);
    carom_friction_data_close(&back);
    carom_friction_data_close(&data);
    carom_memory_free(r);
    carom_memory_free(u);
}

static void mix_files(const struct line *line, const char *text, bool listed)
{
    mix_run_file("run.h5");
    mix_reading("run.h5");
    mix_again(line, text, NULL);
    if (!listed)
        return;
    mix_again(line, text, "start={run: run.h5}");
    mix_again(line, text, "start=[{run: run.h5, at: 0}]");
    mix_again(line, text, "bodies=[{run: run.h5, name: a}]");
}

static void run_line(const struct line *line, size_t i, bool write)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = bind_line(line);
    if (scene == NULL)
        return;
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL);
    struct carom_memory *memory = carom_sink_memory_new();
    static const char *const made[] = {"run.h5", "run.csv", "run_contacts.csv"};
    for (size_t k = 0; k < 3; k++) /* a file notes what it replaces */
        remove(made[k]);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new("run.h5"), NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_csv, carom_sink_csv_new("run.csv"), NULL), CAROM_OK);
    mix((uint64_t)carom_sim_run(sim, NULL, &error));
    mix_text(error.text);
    mix_memory(memory);
    mix_sim(sim);
    mix_bytes("run.csv");
    if (memory->listed)
        mix_bytes("run_contacts.csv");
    mix_problem(sim->stepper);
    if (error.status == CAROM_OK)
        mix_files(line, scene->text, memory->listed);
    if (i == 0) /* one stands for all: each of its 90 datasets is damaged in a file of its own */
        mix_damaged("run.h5");
    if (i % 4 == 0 && !write && error.status == CAROM_OK)
        run_halves(line);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(int argc, char **argv)
{
    return compare_lines("files.txt", 23, argc, argv, run_line);
}
