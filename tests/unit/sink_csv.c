/* The CSV sink: names of columns, numbers that come back to the bit, and files it must not touch. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chain.h"
#include "files.h"
#include "record/export/csv.h"

static struct chain chain; /* large */

static const struct carom_origin origin = {"", "", "", "si", "", 0};

/* The whole file as text; the caller frees. */
static char *get(const char *path)
{
    char *text = calloc(1 << 20, 1);
    CHECK_OR_STOP(text != NULL && file_read(path, text, (1 << 20) - 1) > 0);
    return text;
}

static struct carom_recorder *recorder_to(const struct carom_model *model, const char *path)
{
    const char *const probes[] = {"u", "contact_force"};
    const struct carom_schedule schedule = {.every = 1.0};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    void *sink = carom_sink_csv_new(path);
    CHECK_OR_STOP(sink != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_csv, sink, NULL), CAROM_OK);
    return recorder;
}

static void test_table(const struct carom_model *model, struct carom_state *view, const char *heading)
{
    const char *path = "table.csv";
    const double numbers[] = {0.1, -1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789.12345679};
    enum { ROWS = sizeof numbers / sizeof *numbers };
    struct carom_recorder *recorder = recorder_to(model, path);
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", view->n, 0, 0, NULL), CAROM_OK);
    for (uint64_t i = 0; i < ROWS; i++) {
        view->time = (double)i / 7.0;
        view->step = i;
        view->q[1] = numbers[i];
        view->q[0] = numbers[i];
        CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
    }
    const struct carom_counts counts = {.steps = ROWS};
    CHECK_STATUS(carom_recorder_flush(recorder, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_end(recorder, &counts, NULL), CAROM_OK);
    carom_recorder_free(recorder);

    char *text = get(path), *line = text;
    const size_t length = strcspn(line, "\n");
    line[length] = '\0';
    CHECK_TEXT(line, heading);
    line += length + 1;
    for (uint64_t i = 0; i < ROWS; i++) {
        char *at = line;
        CHECK(strtod(at, &at) == (double)i / 7.0 && *at == ',');
        CHECK(strtoull(at + 1, &at, 10) == i && *at == ',');
        errno = 0;
        const double back = strtod(at + 1, &at);
        CHECK(back == numbers[i] && signbit(back) == signbit(numbers[i]) && *at == ',');
        size_t commas = 3;
        for (; *at != '\n' && *at != '\0'; at++)
            commas += *at == ',';
        size_t expected = 0;
        for (const char *c = heading; *c != '\0'; c++)
            expected += *c == ',';
        CHECK(commas - 1 == expected);
        line = at + 1;
    }
    CHECK(*line == '\0');
    free(text);
}

static void test_refusals(const struct carom_model *model)
{
    struct carom_error error = {CAROM_OK, ""};
    file_put("scene.yaml", "title: precious\n");
    struct carom_recorder *recorder = recorder_to(model, "scene.yaml");
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", 1, 0, 0, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "scene.yaml");
    carom_recorder_free(recorder);
    char *text = get("scene.yaml");
    CHECK_TEXT(text, "title: precious\n");
    free(text);

    recorder = recorder_to(model, "no/such/folder.csv");
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", 1, 0, 0, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "No such file");
    carom_recorder_free(recorder);

    file_put("empty.csv", ""); /* may be filled */
    recorder = recorder_to(model, "empty.csv");
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", 1, 0, 0, &error), CAROM_OK);
    carom_recorder_free(recorder);
}

/* /dev/full accepts nothing: at the latest when the buffer is full, a row says so. */
static void test_full_disk(const struct carom_model *model, struct carom_state *view)
{
    if (access("/dev/full", W_OK) != 0)
        return;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_recorder *recorder = recorder_to(model, "/dev/full");
    enum carom_status status = carom_recorder_begin(recorder, &origin, "verlet", view->n, 0, 0, &error);
    for (int i = 0; i < 10000 && status == CAROM_OK; i++) {
        view->time = i;
        status = carom_recorder_sample(recorder, view, &error);
    }
    CHECK(status == CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "No space left");
    carom_recorder_free(recorder);
}

/* A table that could not be written is taken away, but never what is no file of its own. */
static void test_failed(const char *path)
{
    struct stat about;
    FILE *out = fopen(path, "w");
    CHECK_OR_STOP(out != NULL && lstat(path, &about) == 0);
    const bool plain = S_ISREG(about.st_mode);
    CHECK_STATUS(carom_csv_close(out, path, CAROM_E_NUMERIC, NULL), CAROM_E_NUMERIC);
    CHECK((lstat(path, &about) != 0) == plain);
    unlink(path);
}

int main(void)
{
    const double param[] = {1.0};
    const char ledger[] = "kinetic,stored,dissipated,work,residual,viscous,clipped,internal,impact,friction";
    char heading[256];
    for (int walls = 0; walls < 2; walls++) {
        chain_uniform(&chain, 3, walls == 1, walls == 1, &carom_law_hertz, CAROM_END_GAP, param);
        struct carom_model *model = chain_model(&chain);
        struct carom_state *view = carom_state_create(model, 0);
        CHECK_OR_STOP(view != NULL);
        /* contact j is right of body j, 0 is at the left wall */
        snprintf(heading, sizeof heading, "time,step,u_1,u_2,u_3,%s,%s",
                 walls == 1 ? "contact_force_0,contact_force_1,contact_force_2,contact_force_3"
                            : "contact_force_1,contact_force_2",
                 ledger);
        test_table(model, view, heading);
        test_refusals(model);
        test_full_disk(model, view);
        carom_state_free(view);
        carom_model_free(model);
    }
    test_failed("failed.csv");
    CHECK_OR_STOP(symlink("elsewhere.csv", "link.csv") == 0);
    test_failed("link.csv");
    return check_end();
}
