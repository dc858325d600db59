/* Each allocation of writing a page fails once: the answer is a sentence, that of memory or of a file that could not be
 * read for lack of it, and no half of a page is left. In part every third. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "study/page/page.h"

static const char chain_text[] = "units: none\nbodies: [chain: {count: 3}]\nstart: [{body: 1, velocity: 1}]\n"
                                 "run: {until: 3}\nrecord: {every: 1}\n";
static const char solid_text[] = "theory: solid\nbodies: [solid: {box: {size: [1 m, 1 m, 1 m], cells: [3, 3, 3]},"
                                 " material: steel}]\nrun: {until: 1 us}\nrecord: {every: 1 us, probes: [u]}\n";
static const char bodies_text[] = "units: none\ngravity: [0, -1]\ndomain: [[0, 0], [9, 9]]\nperiodic: [x]\nbodies:\n"
                                  "  - lattice: {kind: square, count: [2, 2], radius: 0.5, mass: 1, at: [1, 0.5]}\n"
                                  "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: hertz, k: 100}\n"
                                  "run: {until: 1, scheme: verlet}\nrecord: {every: 0.5}\n";
static const char viewer[] = "<!doctype html>\n" CAROM_PAGE_MARK "\n";

static bool make_run(const char *text, const char *path)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    const bool good =
        sim && carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), &error) == CAROM_OK &&
        carom_sim_run(sim, NULL, &error) == CAROM_OK;
    if (!good)
        printf("%s\n", error.text);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return good;
}

static void fail_each(const char *file)
{
    const struct carom_page page = {
        .viewer = viewer, .length = sizeof viewer - 1, .title = "title", .nfiles = 1, .file = &file};
    unsigned long nth = 1, well = 0; /* a failure may do no harm: only several in a row mean that none is left */
    for (; nth < 20000 && well < 20; nth += (unsigned long)check_take(3, 1)) {
        struct carom_error error = {CAROM_OK, ""};
        bool written = false;
        unlink("page/out.html");
        carom_memory_fail(nth);
        const enum carom_status status = carom_page_write(&page, "page/out.html", &written, &error);
        carom_memory_fail(0);
        CHECK(written == (access("page/out.html", F_OK) == 0));
        CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
        CHECK(status == CAROM_OK || status == CAROM_E_MEMORY || status == CAROM_E_FILE || status == CAROM_E_INPUT);
        well = status == CAROM_OK ? well + 1 : 0;
    }
    printf("%s: %lu allocations\n", file, nth);
    CHECK(nth > 30);
}

int main(void)
{
    mkdir("page", 0777);
    CHECK_OR_STOP(make_run(chain_text, "page/chain.h5"));
    CHECK_OR_STOP(make_run(solid_text, "page/solid.h5"));
    CHECK_OR_STOP(make_run(bodies_text, "page/bodies.h5"));
    FILE *table = fopen("page/table.csv", "w");
    CHECK_OR_STOP(table != NULL);
    for (int i = 0; i < 20000; i++)
        fprintf(table, "%d,%d\n", i, i * i);
    fclose(table);
    fail_each("page/chain.h5");
    fail_each("page/solid.h5");
    fail_each("page/bodies.h5");
    fail_each("page/table.csv");
    return check_end();
}
