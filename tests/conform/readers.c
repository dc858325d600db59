/* Readers of tables, meshes, triangles and units: the files of tests/fuzz/corpus as they are, and cut, with a byte too
 * many, too few or another one at every place of them; the sentences and the numbers that come of all that have one
 * stored hash for each file (readers.txt). Fuzzing asks whether readers survive; this, whether they say and read the
 * same. Where that is meant to change,
 *
 *     SOURCE=$PWD build/tests/conform/readers --write
 *
 * writes the table again. YAML is left out: its parser's sentences are those of the library that is installed. */
#include "carom/scene.h"
#include "files.h"
#include "fuzz.h"
#include "scene/space/import.h"
#include "scene/space/import_corners.h"
#include "scene/text/units.h"
#include "stored.h"

enum { BYTES = 4096, CORNERS = 256, PLACES = 500 };

static void mix_error(enum carom_status status, const struct carom_error *error)
{
    mix((uint64_t)status);
    mix_text(status == CAROM_OK ? "" : error->text);
}

static void read_bodies(const uint8_t *data, size_t size)
{
    struct carom_import import;
    struct carom_error error = {CAROM_OK, ""};
    const enum carom_status status = carom_import_file(&import, fuzz_file(data, size), "file", size % 2 == 0, &error);
    mix_error(status, &error);
    for (size_t c = 0; status == CAROM_OK && c < CAROM_IMPORT_COLUMNS; c++)
        if (import.column[c] != NULL)
            mix_reals(import.column[c], import.n);
    mix(import.n);
    mix(import.nkinds);
    mix_reals(import.low, import.boxed ? 3 : 0);
    mix_reals(import.high, import.boxed ? 3 : 0);
    carom_import_free(&import);
}

static void read_corners(const uint8_t *data, size_t size)
{
    static double point[CORNERS][3];
    struct carom_error error = {CAROM_OK, ""};
    size_t n = 0;
    if (size == 0)
        return;
    const char *name = data[0] % 2 == 0 ? "a.stl" : "a.obj";
    const enum carom_status status =
        carom_import_corners(fuzz_file(data + 1, size - 1), name, point, CORNERS, &n, &error);
    mix_error(status, &error);
    mix_reals(point[0], status == CAROM_OK ? 3 * n : 0);
}

static void read_units(const uint8_t *data, size_t size)
{
    static const char *const asked[] = {"N/m^(3/2)", "Pa", "s", "m/s", "1", "kg"};
    char *text = fuzz_text(data, size);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_quantity quantity = {0};
    struct carom_dimension dimension = {0};
    const enum carom_status status = carom_units_read(text, &quantity, &error);
    mix_error(status, &error);
    mix_reals(&quantity.value, status == CAROM_OK);
    for (size_t i = 0; status == CAROM_OK && i < sizeof asked / sizeof *asked; i++)
        if (carom_units_dimension(asked[i], NULL, &dimension, &error) == CAROM_OK)
            mix_error(carom_units_check(text, &quantity, asked[i], &dimension, &error), &error);
    mix_error(carom_units_dimension(text, NULL, &dimension, &error), &error);
    free(text);
}

/* a force over time; the file is among what the scene keeps */
static void read_table_file(const uint8_t *data, size_t size)
{
    char text[300];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "bodies: [chain: {count: 2, radius: 5 mm, material: steel}]\n"
             "loads: [{body: 1, force: {shape: table, file: %s}}]\nrun: {until: 1 ms}\n",
             fuzz_file(data, size));
    struct carom_scene *scene = carom_scene_parse("scene", text, strlen(text), NULL, 0, &error);
    const char *said = strstr(error.text, "file: ");
    mix((uint64_t)error.status);
    mix_text(said != NULL ? strchr(said + 6, ' ') : error.text); /* not the file's number */
    mix_text(scene != NULL ? scene->set : "");
    mix_text(scene != NULL ? scene->notes : "");
    carom_scene_free(scene);
}

/* as it is, and with each damage at some places */
static void read_damaged(const uint8_t *data, size_t size, void (*read)(const uint8_t *data, size_t size))
{
    static const char other[] = "0-a\n,. e9(#";
    static uint8_t bent[BYTES + 1];
    const size_t stride = size / PLACES + 1;
    read(data, size);
    for (size_t at = 0; at < size; at += stride)
        for (int damage = 0; damage < 4; damage++) {
            const size_t gone = damage == 1 ? 1 : 0, more = damage == 2 ? 1 : 0;
            memcpy(bent, data, at);
            memcpy(bent + at + more, data + at + gone, size - at - gone);
            if (damage > 1)
                bent[at] = (uint8_t)other[(at + size) % (sizeof other - 1)];
            read(bent, damage == 0 ? at : size + more - gone);
        }
}

/* the scene of a line is a file of the corpus here */
static void run_line(const struct line *line, size_t i, bool write)
{
    static const struct {
        const char *folder;
        void (*read)(const uint8_t *data, size_t size);
    } readers[] = {
        {"/bodies/", read_bodies}, {"/corners/", read_corners}, {"/units/", read_units}, {"/table/", read_table_file}};
    static uint8_t data[BYTES];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("SOURCE"), line->scene);
    const size_t size = file_read(path, data, sizeof data);
    for (size_t r = 0; r < sizeof readers / sizeof *readers; r++)
        if (strstr(line->scene, readers[r].folder) != NULL)
            read_damaged(data, size, readers[r].read);
    (void)i;
    (void)write;
}

int main(int argc, char **argv)
{
    dup2(STDERR_FILENO, 3); /* the file in memory is number 4, which scenes keep, whatever was open before */
    for (int file = 4; file < 256; file++)
        close(file);
    fuzz_file((const uint8_t *)"", 0); /* before the table that --write opens */
    return compare_lines("readers.txt", 1, argc, argv, run_line);
}
