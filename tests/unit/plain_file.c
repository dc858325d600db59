/* Plain arrays in HDF5 files: what is put is what is read, in either type; a file that was begun leaves the old one as
 * it was until it is published, and nothing if it is not; what is no such file or no such array is said. */
#include "record/hdf5/hdf5_plain.h"

#include <dirent.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "files.h"

static struct carom_error error;

static struct carom_hdf5_plain *begun(const char *path, const char *from)
{
    error = (struct carom_error){CAROM_OK, ""};
    struct carom_hdf5_plain *file = carom_hdf5_plain_begin(path, from, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(file != NULL);
    return file;
}

static struct carom_hdf5_plain *opened(const char *path)
{
    error = (struct carom_error){CAROM_OK, ""};
    struct carom_hdf5_plain *file = carom_hdf5_plain_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(file != NULL);
    return file;
}

static void publish(struct carom_hdf5_plain *file)
{
    CHECK_STATUS(carom_hdf5_plain_publish(file, &error), CAROM_OK);
    carom_hdf5_plain_close(file);
}

static size_t entries_here(void)
{
    size_t n = 0;
    DIR *folder = opendir(".");
    CHECK_OR_STOP(folder != NULL);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

static const int32_t numbers[] = {3, -1, 2000000000};
static const double reals[] = {0.5, -1e300, 3.0, 1.0 / 3.0};

static void test_whole(void)
{
    struct carom_hdf5_plain *file = begun("a.h5", NULL);
    const size_t before = entries_here();
    carom_hdf5_plain_put_numbers(file, "of/numbers", 3, numbers);
    carom_hdf5_plain_put_reals(file, "of/reals", 4, reals);
    carom_hdf5_plain_put_text(file, "name", "first");
    carom_hdf5_plain_put_text(file, "name", "a longer one"); /* in its place */
    CHECK(access("a.h5", F_OK) != 0);
    publish(file);
    CHECK(access("a.h5", F_OK) == 0 && entries_here() == before);
    file = opened("a.h5");
    int64_t whole[3] = {0};
    double real[4] = {0.0}, of_numbers[3] = {0.0};
    char text[40], cut[5];
    size_t count = 0;
    CHECK(carom_hdf5_plain_has(file, "of/numbers") && carom_hdf5_plain_has(file, "of"));
    CHECK(!carom_hdf5_plain_has(file, "of/others") && !carom_hdf5_plain_has(file, "off/numbers"));
    CHECK(carom_hdf5_plain_most(file) >= 4);
    CHECK_STATUS(carom_hdf5_plain_count(file, "of/reals", &count, &error), CAROM_OK);
    CHECK(count == 4);
    CHECK_STATUS(carom_hdf5_plain_numbers(file, "of/numbers", 3, whole, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_plain_reals(file, "of/numbers", 3, of_numbers, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_plain_reals(file, "of/reals", 4, real, &error), CAROM_OK);
    CHECK(memcmp(real, reals, sizeof reals) == 0);
    for (size_t i = 0; i < 3; i++)
        CHECK(whole[i] == numbers[i] && of_numbers[i] == (double)numbers[i]);
    carom_hdf5_plain_text(file, "name", text, sizeof text);
    CHECK_TEXT(text, "a longer one");
    carom_hdf5_plain_text(file, "name", cut, sizeof cut);
    CHECK_TEXT(cut, "a lo");
    carom_hdf5_plain_text(file, "of/reals", text, sizeof text);
    CHECK_TEXT(text, "");
    carom_hdf5_plain_text(file, "no/where", text, sizeof text);
    CHECK_TEXT(text, "");
    carom_hdf5_plain_close(file);
}

/* what is said of arrays that are not what was asked for */
static void test_arrays(void)
{
    struct carom_hdf5_plain *file = opened("a.h5");
    double real[4];
    int64_t whole[4];
    size_t count = 7;
    CHECK_STATUS(carom_hdf5_plain_count(file, "of/none", &count, &error), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "a.h5: of/none is missing or damaged, or holds no numbers");
    CHECK(count == 0);
    CHECK_STATUS(carom_hdf5_plain_count(file, "name", &count, &error), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "a.h5: name is missing or damaged, or holds no numbers");
    CHECK_STATUS(carom_hdf5_plain_reals(file, "of/reals", 3, real, &error), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "a.h5: of/reals has 4 entries, expected 3");
    CHECK_STATUS(carom_hdf5_plain_numbers(file, "of", 3, whole, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "a.h5: has no dataset of");
    CHECK_STATUS(carom_hdf5_plain_numbers(file, "name", 1, whole, &error), CAROM_E_INPUT);
    CHECK(carom_hdf5_plain_count(file, "of/none", &count, NULL) != CAROM_OK); /* whoever wants no sentence */
    carom_hdf5_plain_close(file);
    carom_hdf5_plain_close(NULL);
}

/* a file begun as a copy: the old one stays until the new one is whole, with its rights; one that is left, nothing */
static void test_copy(void)
{
    CHECK(chmod("a.h5", 0640) == 0);
    const size_t before = entries_here();
    struct carom_hdf5_plain *file = begun("a.h5", "a.h5");
    carom_hdf5_plain_remove(file, "of/numbers");
    carom_hdf5_plain_remove(file, "of/none");
    carom_hdf5_plain_put_reals(file, "of/reals", 2, reals + 2);
    carom_hdf5_plain_close(file); /* not published */
    CHECK(entries_here() == before);
    size_t count;
    file = opened("a.h5");
    CHECK_STATUS(carom_hdf5_plain_count(file, "of/reals", &count, &error), CAROM_OK);
    CHECK(count == 4 && carom_hdf5_plain_has(file, "of/numbers"));
    carom_hdf5_plain_close(file);
    file = begun("a.h5", "a.h5");
    carom_hdf5_plain_remove(file, "of/numbers");
    carom_hdf5_plain_put_reals(file, "of/reals", 2, reals + 2);
    publish(file);
    file = opened("a.h5");
    CHECK_STATUS(carom_hdf5_plain_count(file, "of/reals", &count, &error), CAROM_OK);
    CHECK(count == 2 && !carom_hdf5_plain_has(file, "of/numbers") && carom_hdf5_plain_has(file, "name"));
    carom_hdf5_plain_close(file);
    struct stat about;
    CHECK(stat("a.h5", &about) == 0 && (about.st_mode & 0777) == 0640 && entries_here() == before);
}

static void refused(struct carom_hdf5_plain *file, enum carom_status status, const char *sentence)
{
    CHECK(file == NULL && error.status == status);
    CHECK_CONTAINS(error.text, sentence);
    carom_hdf5_plain_close(file);
}

static void test_files(void)
{
    static const char head[] = "\x89HDF\r\n\x1a\n and nothing more";
    file_write("text.h5", "some text that is not HDF5", 26);
    file_write("short.h5", "abc", 3);
    file_write("cut.h5", head, sizeof head);
    CHECK(mkdir("folder", 0777) == 0 || access("folder", F_OK) == 0);
    refused(carom_hdf5_plain_open("none.h5", &error), CAROM_E_FILE, "none.h5: No such file or directory");
    refused(carom_hdf5_plain_open("text.h5", &error), CAROM_E_INPUT, "text.h5: is not an HDF5 file");
    refused(carom_hdf5_plain_open("short.h5", &error), CAROM_E_INPUT, "short.h5: is not an HDF5 file");
    refused(carom_hdf5_plain_open("folder", &error), CAROM_E_INPUT, "folder: is not an HDF5 file");
    refused(carom_hdf5_plain_open("/dev/zero", &error), CAROM_E_INPUT, "/dev/zero: is not an HDF5 file");
    refused(carom_hdf5_plain_open("cut.h5", &error), CAROM_E_INPUT, "could not be opened: it is damaged, cut short");
    refused(carom_hdf5_plain_begin("no/folder.h5", NULL, &error), CAROM_E_FILE, "no/folder.h5: could not be created");
    refused(carom_hdf5_plain_begin("b.h5", "none.h5", &error), CAROM_E_FILE, "b.h5: could not be created");
    CHECK(carom_hdf5_plain_begin("text.h5", NULL, &error) == NULL); /* what is not HDF5 is not replaced */
    CHECK_CONTAINS(error.text, "text.h5");
    refused(carom_hdf5_plain_begin("b.h5", "cut.h5", &error), CAROM_E_FILE, "b.h5: could not be created");
    CHECK(access("b.h5", F_OK) != 0);
}

/* a dataset beneath a dataset cannot be: said when the file is published, and nothing is left */
static void test_trouble(void)
{
    struct carom_hdf5_plain *file = begun("c.h5", NULL);
    carom_hdf5_plain_put_reals(file, "x", 1, reals);
    carom_hdf5_plain_put_reals(file, "x/y", 1, reals);
    carom_hdf5_plain_put_reals(file, "x/z", 1, reals);
    CHECK_STATUS(carom_hdf5_plain_publish(file, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "c.h5: could not write x/y");
    carom_hdf5_plain_close(file);
    CHECK(access("c.h5", F_OK) != 0);
}

/* an array that says it has more entries than the file could hold */
static void test_claims(void)
{
    const hsize_t huge = 1ULL << 50, one = 1;
    const hid_t file = H5Fcreate("huge.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                list = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &huge, NULL);
    H5Pset_chunk(list, 1, &one);
    const hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CHECK(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
    struct carom_hdf5_plain *plain = opened("huge.h5");
    size_t count;
    CHECK_STATUS(carom_hdf5_plain_count(plain, "x", &count, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "huge.h5: x claims more numbers than the file can hold");
    CHECK(count == 0);
    carom_hdf5_plain_close(plain);
}

int main(void)
{
    unlink("a.h5");
    unlink("b.h5");
    unlink("c.h5");
    test_whole();
    test_arrays();
    test_copy();
    test_files();
    test_trouble();
    test_claims();
    return check_end();
}
