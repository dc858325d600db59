/* carom_run_check: a run file is well while it is whole; what is missing, no HDF5 file, no run or damaged anywhere in
 * its headers is told in one sentence. */
#include <stdio.h>
#include <stdlib.h>

#include "record/hdf5/hdf5_file.h"
#include "record/hdf5/hdf5_tree.h"
#include "runs.h"

static const char scene[] = "units: none\nbodies: [chain: {count: 3}]\nstart: [{body: 1, velocity: 1}]\n"
                            "run: {until: 3}\nrecord: {every: 0.1, probes: [u, contact_force]}\n";

static void make_run(const char *path)
{
    struct carom_sim *sim = runs_sim(scene);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_free(sim);
}

static void refused(const char *path, const char *said)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_run_check(path, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, said);
    CHECK(strchr(error.text, '\n') == NULL);
    CHECK_STATUS(carom_run_check(path, NULL), CAROM_E_FILE);
}

/* every object's header has a checksum, so one wrong byte in any of them is told */
static void test_headers(const char *path)
{
    static char bytes[1 << 21];
    FILE *file = fopen(path, "rb");
    CHECK_OR_STOP(file != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    size_t headers = 0;
    for (size_t at = 0; at + 24 < size; at++) {
        if (memcmp(bytes + at, "OHDR", 4) != 0 || headers++ % 5 != 0)
            continue;
        bytes[at + 20] = (char)(bytes[at + 20] ^ 1);
        file = fopen("damaged.h5", "wb");
        CHECK_OR_STOP(file != NULL && fwrite(bytes, 1, size, file) == size);
        fclose(file);
        bytes[at + 20] = (char)(bytes[at + 20] ^ 1);
        refused("damaged.h5", "damaged.h5: ");
    }
    CHECK(headers > 40);
}

int main(void)
{
    make_run("run.h5");
    CHECK_STATUS(carom_run_check("run.h5", NULL), CAROM_OK);
    refused("nowhere.h5", "nowhere.h5: No such file");
    FILE *file = fopen("text.h5", "w");
    CHECK_OR_STOP(file != NULL);
    fputs("not a run\n", file);
    fclose(file);
    refused("text.h5", "is not a run file");
    struct carom_hdf5_file *other = carom_hdf5_file_create("other.h5", NULL);
    carom_hdf5_tree_group(other, "particles");
    carom_hdf5_tree_group(other, "observables");
    CHECK_STATUS(carom_hdf5_file_publish(other, NULL), CAROM_OK);
    carom_hdf5_file_close(other, NULL);
    refused("other.h5", "it holds no recorded items");
    test_headers("run.h5");
    return check_end();
}
