/* Contact problems in FCLIB's layout, changed: read and made ready for the solvers, or refused in a sentence. */
#include "record/export/fclib.h"
#include "fuzz_bend.h"
#include "record/hdf5/hdf5_plain.h"
#include "study/stacks.h"

static void put_matrix(struct carom_hdf5_plain *file, const char *name, int32_t rows, int32_t columns)
{
    static const double x[2] = {1.0, 0.5};
    static const int32_t p[2] = {0, 1}, nz = 2;
    const int32_t i[2] = {0, columns > 1 ? 1 : 0};
    char path[64];
    const struct {
        const char *name;
        const int32_t *value;
        size_t count;
    } parts[] = {{"m", &rows, 1}, {"n", &columns, 1}, {"nz", &nz, 1}, {"nzmax", &nz, 1}, {"p", p, 2}, {"i", i, 2}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        snprintf(path, sizeof path, "%s/%s", name, parts[k].name);
        carom_hdf5_plain_put_numbers(file, path, parts[k].count, parts[k].value);
    }
    snprintf(path, sizeof path, "%s/x", name);
    carom_hdf5_plain_put_reals(file, path, 2, x);
}

/* one contact of the plane between two freedoms, with a constraint */
static void make_global(struct fuzz_bend_base *base)
{
    static const int32_t dim = 2;
    static const double two[2] = {0.5, -1.0};
    const char *path = fuzz_bend_path("global.h5");
    struct carom_error error = {CAROM_OK, ""};
    struct carom_hdf5_plain *file = carom_hdf5_plain_begin(path, NULL, &error);
    fuzz_need(file != NULL, error.text);
    put_matrix(file, "/fclib_global/M", 2, 2);
    put_matrix(file, "/fclib_global/H", 2, 2);
    put_matrix(file, "/fclib_global/G", 2, 1);
    carom_hdf5_plain_put_numbers(file, "/fclib_global/spacedim", 1, &dim);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/f", 2, two);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/w", 2, two);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/mu", 1, two);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/b", 1, two);
    fuzz_need(carom_hdf5_plain_publish(file, &error) == CAROM_OK, error.text);
    carom_hdf5_plain_close(file);
    fuzz_bend_take(base, path);
}

static void make_local(struct fuzz_bend_base *base, const char *name)
{
    const char *path = fuzz_bend_path("local.h5");
    struct carom_error error = {CAROM_OK, ""};
    struct carom_friction_data data = {0};
    fuzz_need(carom_stacks_make(name, &data, &error) == CAROM_OK &&
                  carom_fclib_write(path, name, &data, NULL, NULL, &error) == CAROM_OK,
              error.text);
    carom_friction_data_close(&data);
    fuzz_bend_take(base, path);
}

/* what a file holds is read and made ready, or refused */
static enum carom_status try(const char *path)
{
    struct carom_fclib problem = {0};
    struct carom_friction_data ready = {0};
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status = carom_fclib_read(path, &problem, &error);
    if (status == CAROM_OK)
        status = carom_fclib_reduce(&problem, &ready, &error);
    fuzz_error(status, &error);
    carom_friction_data_close(&ready);
    carom_fclib_close(&problem);
    return status;
}

/* the first byte says which file, the others how it is changed */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_bend_base base[3];
    if (base[0].data == NULL) {
        make_local(&base[0], "tower:1");
        make_local(&base[1], "random:2:3:1");
        make_global(&base[2]);
    }
    struct fuzz_bend_bytes from = {data, size};
    const struct fuzz_bend_base *which = &base[fuzz_bend_byte(&from) % 3];
    const bool changed = from.left > 0;
    const enum carom_status status = try(fuzz_bend(which, &from));
    fuzz_need(changed || status == CAROM_OK, "a good file is refused");
    return 0;
}
