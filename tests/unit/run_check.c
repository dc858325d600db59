/* carom_run_check: a run file is well while it is whole; what is missing, no HDF5 file, no run or damaged anywhere in
 * its headers is told in one sentence. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "files.h"
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
    const size_t size = file_read(path, bytes, sizeof bytes);
    size_t headers = 0;
    for (size_t at = 0; at + 24 < size; at++) {
        if (memcmp(bytes + at, "OHDR", 4) != 0 || headers++ % 5 != 0)
            continue;
        bytes[at + 20] = (char)(bytes[at + 20] ^ 1);
        file_write("damaged.h5", bytes, size);
        bytes[at + 20] = (char)(bytes[at + 20] ^ 1);
        refused("damaged.h5", "damaged.h5: ");
    }
    CHECK(headers > 40);
}

/* texts of variable length lie in a heap of the file, which has no checksum: those of attributes are read, too */
static void test_attribute(const char *path)
{
    const char *text = "a text that lies elsewhere";
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR),
                type = H5Tcopy(H5T_C_S1);
    CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
    const hid_t attribute = H5Acreate2(file, "note", type, space, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(attribute, type, &text) >= 0);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(file);
    CHECK_STATUS(carom_run_check(path, NULL), CAROM_OK);
    static char bytes[1 << 21];
    FILE *stream = fopen(path, "r+b");
    CHECK_OR_STOP(stream != NULL);
    const size_t size = fread(bytes, 1, sizeof bytes, stream);
    const char *heap = memmem(bytes, size, "GCOL", 4); /* how such a heap begins */
    CHECK_OR_STOP(heap != NULL);
    CHECK(fseek(stream, heap - bytes, SEEK_SET) == 0 && fwrite("none", 1, 4, stream) == 4);
    fclose(stream);
    refused(path, "an attribute of . could not be read");
}

/* of datasets beyond a mebibyte the first and the last entry are read: damage there is told */
static void test_large(const char *path)
{
    enum { ROWS = 3, WIDTH = 100000, CHUNK = 1000 };
    const hsize_t size[] = {ROWS, WIDTH}, chunk[] = {1, CHUNK}, last[] = {ROWS - 1, WIDTH - CHUNK};
    double *value = calloc(ROWS * WIDTH, sizeof *value);
    CHECK_OR_STOP(value != NULL);
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        value[i] = sin((double)i);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(2, size, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    CHECK(H5Pset_chunk(create, 2, chunk) >= 0 && H5Pset_fletcher32(create) >= 0);
    const hid_t set = H5Dcreate2(file, "large", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    haddr_t at = 0;
    CHECK(H5Dget_chunk_info_by_coord(set, last, NULL, &at, NULL) >= 0 && at > 0);
    H5Pclose(create);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    free(value);
    CHECK_STATUS(carom_run_check(path, NULL), CAROM_OK);
    FILE *bytes = fopen(path, "r+b");
    CHECK_OR_STOP(bytes != NULL);
    CHECK(fseek(bytes, (long)at, SEEK_SET) == 0 && fwrite("damage", 1, 6, bytes) == 6);
    fclose(bytes);
    refused(path, "the numbers of large could not be read");
}

int main(void)
{
    carom_hdf5_file_alone(); /* HDF5 loses headers whose checksums are wrong, and looks for them aloud when closed */
    make_run("run.h5");
    CHECK_STATUS(carom_run_check("run.h5", NULL), CAROM_OK);
    refused("nowhere.h5", "nowhere.h5: No such file");
    file_put("text.h5", "not a run\n");
    refused("text.h5", "is not a run file");
    struct carom_hdf5_file *other = carom_hdf5_file_create("other.h5", NULL);
    carom_hdf5_tree_group(other, "particles");
    carom_hdf5_tree_group(other, "observables");
    CHECK_STATUS(carom_hdf5_file_publish(other, NULL), CAROM_OK);
    carom_hdf5_file_close(other, NULL);
    refused("other.h5", "it holds no recorded items");
    test_headers("run.h5");
    test_large("run.h5");
    make_run("noted.h5");
    test_attribute("noted.h5");
    return check_end();
}
