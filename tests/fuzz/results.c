/* Results of a sweep, changed, and any bytes as a table in a text: shown on a page, gone on with, or refused in a
 * sentence. */
#include "fuzz_bend.h"
#include "study/page/page.h"
#include "study/sweep/sweep.h"
#include "study/sweep/sweep_file.h"

static const char scene[] = "units: none\nbodies: [chain: {count: 2, mass: 1}]\nstart: [{body: 1, velocity: 1}]\n"
                            "run: {until: 1}\n";

static void make(struct fuzz_bend_base *base)
{
    char from[128], to[128];
    const char *over = "start.1.velocity=1,2,3";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    struct carom_sweep_result result;
    snprintf(from, sizeof from, "%s", fuzz_bend_path("scene.yaml"));
    snprintf(to, sizeof to, "%s", fuzz_bend_path("sweep.h5"));
    FILE *file = fopen(from, "w");
    fuzz_need(file != NULL && fputs(scene, file) >= 0 && fclose(file) == 0, "a scene");
    fuzz_need(carom_sweep_plan(&sweep, from, NULL, 0, &over, 1, false, "kinetic,v_last", 0.0, &error) == CAROM_OK &&
                  carom_sweep_run(&sweep, to, 1, NULL, &result, &error) == CAROM_OK,
              error.text);
    carom_sweep_free(&sweep);
    unlink(from);
    fuzz_bend_take(base, to);
}

/* whatever a file says, no tag of it gets into the page */
static void check_tags(const char *path)
{
    static const char *const known[] = {"<!doctype html>", "<script type=\"application/", "</script>\n"};
    static char text[1 << 20];
    FILE *page = fopen(path, "rb");
    fuzz_need(page != NULL, "no page");
    const size_t length = fread(text, 1, sizeof text - 1, page);
    fclose(page);
    text[length] = '\0';
    for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at + 1, '<')) {
        bool good = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            good = good || strncmp(at, known[i], strlen(known[i])) == 0;
        fuzz_need(good, "a tag of the file is on the page");
    }
}

static void show(const char *file)
{
    static const char viewer[] = "<!doctype html>\n" CAROM_PAGE_MARK "\n";
    static char output[128];
    struct carom_error error = {CAROM_OK, ""};
    bool written = false;
    if (output[0] == '\0')
        snprintf(output, sizeof output, "%s", fuzz_bend_path("page.html"));
    const struct carom_page page = {.viewer = viewer, .length = sizeof viewer - 1, .nfiles = 1, .file = &file};
    fuzz_error(carom_page_write(&page, output, &written, &error), &error);
    if (written)
        check_tags(output);
    unlink(output);
}

/* the points that are there; the last file is opened to go on, which may write to it */
static void go_on(const char *path)
{
    struct carom_sweep sweep;
    struct carom_error error = {CAROM_OK, ""};
    int32_t status[64];
    double value[64];
    enum carom_status read = carom_sweep_plan_file(&sweep, path, &error);
    fuzz_error(read, &error);
    if (read == CAROM_OK && sweep.points <= 64) {
        struct carom_sweep_file *file = carom_sweep_file_open(&sweep, path, status, &error);
        fuzz_need(file != NULL || error.status != CAROM_OK, "no file and no error");
        for (size_t k = 0; file != NULL && k < sweep.outputs.count; k++)
            fuzz_error(carom_sweep_file_read(file, k, value, &error), &error);
        carom_sweep_file_close(file, NULL);
    }
    carom_sweep_free(&sweep);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_bend_base base;
    if (base.data == NULL)
        make(&base);
    struct fuzz_bend_bytes from = {data, size};
    const unsigned what = fuzz_bend_byte(&from) % 3;
    if (what == 0)
        show(fuzz_bend(&base, &from));
    else if (what == 1)
        go_on(fuzz_bend(&base, &from));
    else
        show(fuzz_file(from.at, from.left));
    return 0;
}
