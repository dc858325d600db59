/* Run files, changed, of rows, mechanisms, impacts with a time of their own, discs and solids: whoever reads them ends
 * with numbers or with a sentence. The first byte says which file, the second who reads it. */
#include <math.h>

#include "fuzz_bend.h"
#include "record/run_file.h"
#include "record/run_grains.h"
#include "scene/space/import.h"
#include "study/follow/run_summary.h"
#include "study/page/page.h"
#include "study/pulse/front.h"
#include "study/pulse/pulse_run.h"

static const char *const scenes[] = {
    "bodies:\n  - striker: {side: left, velocity: 1, radius: 5 mm, material: steel}\n"
    "  - chain: {count: 4, radius: 5 mm, material: steel}\n  - wall: {side: right, material: steel}\n"
    "run: {until: 60 us, tol: 1e-4}\n"
    "record: {every: 4 us, events: true, probes: [u, v, contact_force, contact_dissipated]}\n"
    "sensors: [{name: s, body: 3, bandwidth: 1e5}]\n",
    "theory: lzb\nbodies: [chain: {count: 4, radius: 10 mm, material: steel}]\n"
    "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}}\nstart: [{body: 1, velocity: 0.5}]\n"
    "run: {until: 0.1 ms}\nrecord: {every: 10 us, impact_every: 10 us, probes: [u, v, contact_force]}\n",
    "units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: pendulum, length: 1, gravity: 10, wall: -0.2}]\n"
    "contacts: {e: 0.8}\nstart: [{body: 1, displacement: -0.9}]\nrun: {until: 2, tol: 1e-5}\n"
    "record: {every: 0.2, events: true, probes: [u, v, gap, contact_force]}\n",
    "theory: solid\nbodies:\n  - solid:\n      box: {size: [1.0, 0.6, 0.4], cells: [2, 2, 1]}\n"
    "      material: {young: 1e6, poisson: 0.3, density: 1000}\n      sensors: {corner: [1, 0.6, 0.4]}\n"
    "start: [{velocity: [0, 0.1, 0]}]\nrun: {until: 0.02}\n"
    "record: {every: 0.01, probes: [u, v, rotation, stress]}\n",
    "units: none\ngravity: [0, -1]\ndomain: [[0, 0], [9, 9]]\nperiodic: [x]\nbodies:\n"
    "  - lattice: {kind: square, count: [2, 2], radius: 0.5, mass: 1, at: [1, 0.5]}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: hertz, k: 100}\n"
    "start: [{body: 1, velocity: [0.5, 0]}]\nrun: {until: 1, scheme: verlet}\n"
    "record: {every: 0.25, probes: [position, v, contacts], events: true}\n",
};

enum { BASES = sizeof scenes / sizeof *scenes, ROWS = 16, WIDE = 4096 };

/* --- readers ----------------------------------------------------------------------------------------------------- */

static void read_items(const struct carom_run_file *run, struct carom_error *error)
{
    static double out[ROWS * WIDE];
    struct carom_run_about about;
    carom_run_about(run, &about);
    for (size_t i = 0; i < about.nitems; i++) {
        const struct carom_run_item *item = &about.item[i];
        const uint64_t rows = item->width <= WIDE ? (about.rows < ROWS ? about.rows : ROWS) : 0;
        fuzz_error(carom_run_file_read(run, item, about.rows - rows, rows, out, error), error);
        fuzz_need(carom_run_file_item(run, item->path) != NULL, "an item that is not found");
    }
}

static void read_tables(const struct carom_run_file *run, struct carom_error *error)
{
    static union {
        double time[ROWS];
        uint64_t step[ROWS];
        struct carom_event event[ROWS];
        struct carom_episode episode[ROWS];
        struct carom_blow blow[ROWS];
        struct carom_blow_force force[ROWS];
        struct carom_touch touch[ROWS];
    } out;
    struct carom_run_about a;
    carom_run_about(run, &a);
#define FIRST(n) ((n) < ROWS ? (n) : ROWS)
    fuzz_error(carom_run_file_times(run, 0, FIRST(a.rows), out.time, error), error);
    fuzz_error(carom_run_file_steps(run, 0, FIRST(a.rows), out.step, error), error);
    fuzz_error(carom_run_file_events(run, 0, FIRST(a.events), out.event, error), error);
    fuzz_error(carom_run_file_episodes(run, 0, FIRST(a.episodes), out.episode, error), error);
    fuzz_error(carom_run_file_blows(run, 0, FIRST(a.impacts), out.blow, error), error);
    fuzz_error(carom_run_file_forces(run, 0, FIRST(a.forces), out.force, error), error);
    fuzz_error(carom_run_file_touches(run, 0, FIRST(a.touches), out.touch, error), error);
    for (uint64_t i = 0; a.touches > 0 && i < FIRST(a.rows); i++) {
        uint64_t first = 0, count = 0;
        const enum carom_status status = carom_run_file_touching(run, i, &first, &count, error);
        fuzz_error(status, error);
        fuzz_need(status != CAROM_OK || (first <= a.touches && count <= a.touches - first), "contacts beyond the end");
    }
#undef FIRST
}

static void read_pulse(const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_pulse_request request = carom_pulse_run_request();
    struct carom_pulse_table table = {0};
    request.train = true;
    fuzz_error(carom_pulse_run_measure(run, &request, &table, error), error);
    carom_pulse_run_free(&table);
}

static void read_front(const struct carom_run_file *run, struct carom_error *error)
{
    const struct carom_front_request request = carom_front_request();
    struct carom_front front = {0};
    fuzz_error(carom_front_measure(run, &request, &front, error), error);
    carom_front_free(&front);
}

static void read_grains(const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_run_grains grains = {0};
    enum carom_status status = carom_run_grains_open(&grains, run, error);
    for (uint64_t row = 0; status == CAROM_OK && row < run->rows && row < ROWS; row++)
        status = carom_run_grains_read(&grains, row, error);
    fuzz_error(status, error);
    carom_run_grains_close(&grains);
}

static void read_last(const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_run_checkpoint last;
    fuzz_error(carom_run_file_last(run, &last, error), error);
}

static void (*const of_run[])(const struct carom_run_file *, struct carom_error *) = {
    read_items, read_tables, read_pulse, read_front, read_grains, read_last};

/* --- readers that open the file themselves ----------------------------------------------------------------------- */

static void write_page(const char *path, struct carom_error *error)
{
    static const char viewer[] = "<!doctype html>\n" CAROM_PAGE_MARK "\n";
    static char output[128];
    bool written = false;
    if (output[0] == '\0')
        snprintf(output, sizeof output, "%s", fuzz_bend_path("page.html"));
    const struct carom_page page = {.viewer = viewer, .length = sizeof viewer - 1, .nfiles = 1, .file = &path};
    fuzz_error(carom_page_write(&page, output, &written, error), error);
    unlink(output);
}

static void import(const char *path, struct carom_error *error)
{
    struct carom_import import = {0};
    fuzz_error(carom_import_run(&import, path, "fuzz", true, HUGE_VAL, error), error);
    carom_import_free(&import);
}

static void recall(const char *path, struct carom_error *error)
{
    char theory[64], title[256];
    bool si;
    struct carom_run_summary found = {0};
    fuzz_error(carom_summary_from_file(path, theory, sizeof theory, title, sizeof title, &si, &found, error), error);
    carom_run_summary_free(&found);
}

static void check(const char *path, struct carom_error *error)
{
    fuzz_error(carom_run_check(path, error), error);
}

static void (*const of_path[])(const char *, struct carom_error *) = {write_page, import, recall, check};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_bend_base base[BASES];
    for (size_t i = 0; base[BASES - 1].data == NULL && i < BASES; i++)
        fuzz_bend_run(&base[i], scenes[i]);
    struct fuzz_bend_bytes from = {data, size};
    const size_t which = fuzz_bend_byte(&from) % BASES, nruns = sizeof of_run / sizeof *of_run;
    const size_t who = fuzz_bend_byte(&from) % (nruns + sizeof of_path / sizeof *of_path);
    const char *path = fuzz_bend(&base[which], &from);
    struct carom_error error = {CAROM_OK, ""};
    if (who >= nruns) {
        of_path[who - nruns](path, &error);
        return 0;
    }
    struct carom_run_file *run = carom_run_file_open(path, &error);
    fuzz_error(run == NULL ? error.status : CAROM_OK, &error);
    fuzz_need(run != NULL || (error.status != CAROM_OK && size > 2), "no file and no error, or a good one is refused");
    if (run != NULL)
        of_run[who](run, &error);
    carom_run_file_close(run);
    return 0;
}
