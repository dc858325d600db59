/* FCLIB files: matrices in all three forms are read, what is not contact is eliminated, and what follows from any r
 * obeys the equations that the header writes down:
 *
 *   local    u = W r + V l + q,  V^T r + R l + s = 0
 *   global   M v = H r + G l + f,  G^T v + b = 0,  u = H^T v + w
 *
 * where u is what the eliminated problem says. Damaged files are refused with the name of what is wrong. */
#include "record/export/fclib.h"

#include "base/random.h"
#include "check.h"
#include "record/hdf5/hdf5_plain.h"

enum { BODIES = 6, DOF = 3, FREEDOMS = BODIES * DOF, CONTACTS = 5, JOINTS = 3, MOST = 32 };
enum form { TRIPLETS = 0, COLUMNS = -1, ROWS = -2 };

static struct carom_random random_numbers;

struct matrix {
    size_t rows, columns;
    double at[MOST][MOST];
};

static double draw(void)
{
    return carom_random_normal(&random_numbers);
}

static void multiply(const struct matrix *a, bool across, double factor, const double *x, double *y)
{
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < a->columns; j++)
            y[across ? j : i] += factor * a->at[i][j] * x[across ? i : j];
}

static double largest(const double *x, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void put_number(struct carom_hdf5_plain *file, const char *matrix, const char *name, int32_t value)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", matrix, name);
    carom_hdf5_plain_put_numbers(file, path, 1, &value);
}

/* Triplets come last row first, and the first of them in two halves. */
static void put_matrix(struct carom_hdf5_plain *file, const char *name, const struct matrix *a, enum form form)
{
    static int32_t p[MOST * MOST], i[MOST * MOST];
    static double x[MOST * MOST];
    char path[100];
    size_t count = 0, np = 0;
    const size_t lines = form == COLUMNS ? a->columns : a->rows, others = form == COLUMNS ? a->rows : a->columns;
    for (size_t k = 0; k < lines; k++) {
        const size_t line = form == TRIPLETS ? lines - 1 - k : k;
        if (form != TRIPLETS)
            p[np++] = (int32_t)count;
        for (size_t l = 0; l < others; l++) {
            const double value = form == COLUMNS ? a->at[l][line] : a->at[line][l];
            const int parts = value == 0.0 ? 0 : form == TRIPLETS && count == 0 ? 2 : 1;
            for (int part = 0; part < parts; part++, count++) {
                x[count] = value / parts;
                i[count] = (int32_t)l;
                if (form == TRIPLETS)
                    p[np++] = (int32_t)line;
            }
        }
    }
    if (form != TRIPLETS)
        p[np++] = (int32_t)count;
    put_number(file, name, "m", (int32_t)a->rows);
    put_number(file, name, "n", (int32_t)a->columns);
    put_number(file, name, "nz", form == TRIPLETS ? (int32_t)count : (int32_t)form);
    snprintf(path, sizeof path, "%s/p", name);
    carom_hdf5_plain_put_numbers(file, path, np, p);
    snprintf(path, sizeof path, "%s/i", name);
    carom_hdf5_plain_put_numbers(file, path, count, i);
    snprintf(path, sizeof path, "%s/x", name);
    carom_hdf5_plain_put_reals(file, path, count, x);
}

static struct carom_hdf5_plain *begin(void)
{
    struct carom_hdf5_plain *file = carom_hdf5_plain_begin("problem.hdf5", NULL, NULL);
    CHECK_OR_STOP(file != NULL);
    return file;
}

static void publish(struct carom_hdf5_plain *file)
{
    CHECK_STATUS(carom_hdf5_plain_publish(file, NULL), CAROM_OK);
    carom_hdf5_plain_close(file);
}

static void read_solution(const char *name, size_t n, double *out)
{
    struct carom_hdf5_plain *file = carom_hdf5_plain_open("solved.hdf5", NULL);
    CHECK_OR_STOP(file != NULL);
    CHECK_STATUS(carom_hdf5_plain_reals(file, name, n, out, NULL), CAROM_OK);
    carom_hdf5_plain_close(file);
}

/* --- a problem ---------------------------------------------------------------------------------------------------- */

struct problem {
    size_t dim, joints;
    struct matrix m, h, g, w, v, r;
    double f[FREEDOMS], shift[MOST], b[JOINTS], q[MOST], s[JOINTS], mu[CONTACTS];
};

/* bodies with full mass blocks; each contact and joint acts on two of them */
static void make_global(struct problem *p, size_t dim, size_t joints)
{
    *p = (struct problem){.dim = dim,
                          .joints = joints,
                          .m = {FREEDOMS, FREEDOMS, {{0.0}}},
                          .h = {FREEDOMS, CONTACTS * dim, {{0.0}}},
                          .g = {FREEDOMS, joints, {{0.0}}}};
    for (size_t body = 0; body < BODIES; body++)
        for (size_t i = 0; i < DOF; i++)
            for (size_t j = 0; j <= i; j++)
                p->m.at[body * DOF + i][body * DOF + j] = p->m.at[body * DOF + j][body * DOF + i] =
                    i == j ? 3.0 + fabs(draw()) : 0.4 * draw() / (1.0 + fabs(draw()));
    for (size_t i = 0; i < FREEDOMS; i++) {
        for (size_t c = 0; c < CONTACTS * dim; c++)
            p->h.at[i][c] = i / DOF == c / dim || i / DOF == c / dim + 1 ? draw() : 0.0;
        for (size_t c = 0; c < joints; c++)
            p->g.at[i][c] = i / DOF == c || i / DOF == c + 1 ? draw() : 0.0;
        p->f[i] = draw();
    }
    for (size_t c = 0; c < CONTACTS * dim; c++)
        p->shift[c] = draw();
    for (size_t c = 0; c < joints; c++)
        p->b[c] = draw();
    for (size_t c = 0; c < CONTACTS; c++)
        p->mu[c] = 0.1 * (double)(c + 1);
}

static void put_global(const struct problem *p, enum form form)
{
    struct carom_hdf5_plain *file = begin();
    put_matrix(file, "/fclib_global/M", &p->m, form);
    put_matrix(file, "/fclib_global/H", &p->h, form);
    put_number(file, "/fclib_global", "spacedim", (int32_t)p->dim);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/f", FREEDOMS, p->f);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/w", CONTACTS * p->dim, p->shift);
    carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/mu", CONTACTS, p->mu);
    if (p->joints > 0) {
        put_matrix(file, "/fclib_global/G", &p->g, form);
        carom_hdf5_plain_put_reals(file, "/fclib_global/vectors/b", p->joints, p->b);
    }
    carom_hdf5_plain_put_text(file, "/fclib_global/info/title", "bodies\nand joints");
    publish(file);
}

/* the local problem of bodies with mass 1 */
static void make_local(struct problem *p)
{
    const size_t width = CONTACTS * p->dim;
    const struct {
        struct matrix *to;
        const struct matrix *left, *right;
    } product[] = {{&p->w, &p->h, &p->h}, {&p->v, &p->h, &p->g}, {&p->r, &p->g, &p->g}};
    for (size_t k = 0; k < 3; k++) {
        *product[k].to = (struct matrix){product[k].left->columns, product[k].right->columns, {{0.0}}};
        for (size_t i = 0; i < product[k].left->columns; i++)
            for (size_t j = 0; j < product[k].right->columns; j++)
                for (size_t l = 0; l < FREEDOMS; l++)
                    product[k].to->at[i][j] += product[k].left->at[l][i] * product[k].right->at[l][j];
    }
    memcpy(p->q, p->shift, width * sizeof *p->q);
    multiply(&p->h, true, 1.0, p->f, p->q);
    memcpy(p->s, p->b, p->joints * sizeof *p->s);
    multiply(&p->g, true, 1.0, p->f, p->s);
}

static void put_local(const struct problem *p, enum form form)
{
    struct carom_hdf5_plain *file = begin();
    put_matrix(file, "/fclib_local/W", &p->w, form);
    put_number(file, "/fclib_local", "spacedim", (int32_t)p->dim);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/q", CONTACTS * p->dim, p->q);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/mu", CONTACTS, p->mu);
    put_matrix(file, "/fclib_local/V", &p->v, form);
    put_matrix(file, "/fclib_local/R", &p->r, form);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/s", p->joints, p->s);
    publish(file);
}

/* Reads the file, eliminates, writes what follows from some r; u is what the eliminated problem says. */
static void follow(const struct problem *p, bool global, double *r, double *u)
{
    struct carom_fclib read;
    struct carom_friction_data data;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_fclib_read("problem.hdf5", &read, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK(read.global == global && read.contacts == CONTACTS && read.dim == p->dim && read.constraints == p->joints);
    CHECK(read.start == NULL);
    CHECK_STATUS(carom_fclib_reduce(&read, &data, &error), CAROM_OK);
    CHECK(data.n == CONTACTS && data.dim == p->dim && memcmp(data.mu, p->mu, sizeof p->mu) == 0);
    const size_t dim = p->dim, width = CONTACTS * dim;
    for (size_t i = 0; i < width; i++)
        r[i] = draw();
    for (size_t i = 0; i < width; i++) {
        u[i] = data.b[i];
        for (size_t e = data.first[i / dim]; e < data.first[i / dim + 1]; e++)
            for (size_t l = 0; l < dim; l++)
                u[i] += data.block[(e * dim + i % dim) * dim + l] * r[data.column[e] * dim + l];
    }
    CHECK_STATUS(carom_fclib_write_solution("solved.hdf5", "problem.hdf5", &read, r, u, &error), CAROM_OK);
    carom_friction_data_close(&data);
    carom_fclib_close(&read);
    CHECK_STATUS(carom_fclib_read("solved.hdf5", &read, &error), CAROM_OK);
    CHECK(read.start != NULL && memcmp(read.start, r, width * sizeof *r) == 0);
    CHECK_TEXT(read.title, global ? "bodies?and joints" : "");
    carom_fclib_close(&read);
}

static void test_global(size_t dim, size_t joints, enum form form)
{
    static struct problem p;
    double r[MOST], u[MOST], v[FREEDOMS], l[JOINTS + 1], rest[MOST] = {0.0};
    make_global(&p, dim, joints);
    put_global(&p, form);
    follow(&p, true, r, u);
    read_solution("/solution/v", FREEDOMS, v);
    multiply(&p.m, false, -1.0, v, rest);
    multiply(&p.h, false, 1.0, r, rest);
    if (joints > 0) {
        read_solution("/solution/l", joints, l);
        multiply(&p.g, false, 1.0, l, rest);
        double closed[JOINTS];
        memcpy(closed, p.b, sizeof closed);
        multiply(&p.g, true, 1.0, v, closed);
        CHECK_NEAR(largest(closed, joints), 0.0, 1e-12);
    }
    for (size_t i = 0; i < FREEDOMS; i++)
        rest[i] += p.f[i];
    CHECK_NEAR(largest(rest, FREEDOMS), 0.0, 1e-12);
    multiply(&p.h, true, -1.0, v, u);
    for (size_t i = 0; i < CONTACTS * dim; i++)
        CHECK_NEAR(u[i], p.shift[i], 1e-11);
}

static void test_local(size_t dim, enum form form)
{
    static struct problem p;
    double r[MOST], u[MOST], l[JOINTS], rest[JOINTS];
    make_global(&p, dim, JOINTS);
    make_local(&p);
    put_local(&p, form);
    follow(&p, false, r, u);
    read_solution("/solution/l", JOINTS, l);
    memcpy(rest, p.s, sizeof rest);
    multiply(&p.v, true, 1.0, r, rest);
    multiply(&p.r, false, 1.0, l, rest);
    CHECK_NEAR(largest(rest, JOINTS), 0.0, 1e-12);
    multiply(&p.w, false, -1.0, r, u);
    multiply(&p.v, false, -1.0, l, u);
    for (size_t i = 0; i < CONTACTS * dim; i++)
        CHECK_NEAR(u[i], p.q[i], 1e-11);
}

/* what carom_fclib_write writes is what carom_fclib_read and carom_fclib_reduce give back */
static void test_own(size_t dim)
{
    struct carom_friction_data data, back;
    struct carom_fclib read;
    double r[12], u[12];
    CHECK_STATUS(carom_friction_data_open(&data, 3, dim, 7, NULL), CAROM_OK);
    const size_t first[] = {0, 2, 5, 7}, column[] = {0, 1, 0, 1, 2, 1, 2};
    memcpy(data.first, first, sizeof first);
    memcpy(data.column, column, sizeof column);
    for (size_t i = 0; i < 3; i++)
        for (size_t e = first[i]; e < first[i + 1]; e++)
            for (size_t k = 0; k < dim * dim; k++) /* symmetric: the block (j, i) is the transpose of (i, j) */
                data.block[e * dim * dim + k] =
                    1.0 + (double)(i * column[e]) +
                    0.1 * (double)(i <= column[e] ? k / dim + 3 * (k % dim) : k % dim + 3 * (k / dim));
    for (size_t i = 0; i < 3 * dim; i++) {
        data.b[i] = draw();
        data.mu[i / dim] = 0.3;
        r[i] = draw();
        u[i] = draw();
    }
    CHECK_STATUS(carom_fclib_write("own.hdf5", "own", &data, r, u, NULL), CAROM_OK);
    CHECK_STATUS(carom_fclib_read("own.hdf5", &read, NULL), CAROM_OK);
    CHECK(memcmp(read.start, r, 3 * dim * sizeof *r) == 0);
    CHECK_TEXT(read.title, "own");
    CHECK_STATUS(carom_fclib_reduce(&read, &back, NULL), CAROM_OK);
    CHECK(memcmp(back.first, data.first, sizeof first) == 0 && memcmp(back.column, data.column, sizeof column) == 0);
    CHECK(memcmp(back.b, data.b, 3 * dim * sizeof *data.b) == 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t e = first[i]; e < first[i + 1]; e++)
            for (size_t k = 0; k < dim * dim; k++)
                if (i != column[e]) /* those on the diagonal are not symmetric here, so they come back transposed */
                    CHECK(back.block[e * dim * dim + k] == data.block[e * dim * dim + k]);
                else
                    CHECK(back.block[e * dim * dim + k] == data.block[e * dim * dim + k % dim * dim + k / dim]);
    carom_friction_data_close(&back);
    carom_friction_data_close(&data);
    carom_fclib_close(&read);
}

/* a text that is not there, or no text, is an empty one, whatever stood in the room for it */
static void test_no_text(void)
{
    struct carom_hdf5_plain *file = carom_hdf5_plain_open("own.hdf5", NULL);
    CHECK_OR_STOP(file != NULL);
    const char *const paths[] = {"/nowhere", "/fclib_local", "/fclib_local/vectors/q"};
    for (size_t i = 0; i < 3; i++) {
        char text[] = "before";
        carom_hdf5_plain_text(file, paths[i], text, sizeof text);
        CHECK_TEXT(text, "");
    }
    char cut[3];
    carom_hdf5_plain_text(file, "/fclib_local/info/title", cut, sizeof cut);
    CHECK_TEXT(cut, "ow");
    carom_hdf5_plain_close(file);
}

/* --- files that are wrong ----------------------------------------------------------------------------------------- */

static void refused(const char *dataset, size_t count, const int32_t *numbers, const double *reals, const char *said)
{
    struct carom_fclib read;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_hdf5_plain *file = carom_hdf5_plain_begin("wrong.hdf5", "problem.hdf5", NULL);
    CHECK_OR_STOP(file != NULL);
    if (numbers != NULL)
        carom_hdf5_plain_put_numbers(file, dataset, count, numbers);
    else if (reals != NULL)
        carom_hdf5_plain_put_reals(file, dataset, count, reals);
    else
        carom_hdf5_plain_remove(file, dataset);
    publish(file);
    CHECK_STATUS(carom_fclib_read("wrong.hdf5", &read, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, said);
}

static void test_wrong(void)
{
    static struct problem p;
    make_global(&p, 3, JOINTS);
    make_local(&p);
    put_local(&p, COLUMNS);
    const int32_t four = 4, minus = -1, huge = INT32_MAX, below = -3, seven = 7;
    const double negative[CONTACTS] = {0.1, 0.2, -0.5}, odd[JOINTS] = {1.0, nan("")};
    refused("/fclib_local", 0, NULL, NULL, "neither /fclib_local nor /fclib_global");
    refused("/fclib_local/spacedim", 1, &four, NULL, "must be 2 or 3, got 4");
    refused("/fclib_local/W/m", 1, &minus, NULL, "sizes must be from 0");
    refused("/fclib_local/W/n", 1, &huge, NULL, "sizes must be from 0");
    refused("/fclib_local/W/nz", 1, &below, NULL, "nz = -3");
    refused("/fclib_local/V/m", 1, &seven, NULL, "/fclib_local/V is 7 x 3, which does not fit");
    refused("/fclib_local/R/n", 1, &seven, NULL, "/fclib_local/R is 3 x 7, which does not fit");
    refused("/fclib_local/vectors/mu", CONTACTS, NULL, negative, "must be >= 0, got -0.5 at contact 3");
    refused("/fclib_local/vectors/s", JOINTS, NULL, odd, "holds nan at place 1");
    refused("/fclib_local/vectors/q", 2, NULL, odd, "/fclib_local/vectors/q");
    refused("/fclib_local/R/p", JOINTS + 1, (const int32_t[]){0, 3, 2, 9}, NULL,
            "/fclib_local/R/p must have 4 numbers");
    refused("/fclib_local/R/p", JOINTS + 1, (const int32_t[]){0, 2, 5, 99}, NULL, "rise from 0 to at most");
    refused("/fclib_local/R/p", JOINTS, (const int32_t[]){0, 1, 2}, NULL, "must have 4 numbers");
    refused("/fclib_local/R/p", JOINTS + 1, (const int32_t[]){1, 2, 5, 7}, NULL, "must have 4 numbers");
    refused("/fclib_local/R/i", 6, (const int32_t[]){0, 1, 0, 1, 2, 1}, NULL, "at most the length of i and x");
    refused("/fclib_local/R/x", 6, NULL, (const double[]){1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
            "at most the length of i and x");
    refused("/fclib_local/R/nz", 1, &seven, NULL, "has nz = 7 but p, i and x hold");
    put_local(&p, ROWS);
    refused("/fclib_local/R/i", 7, (const int32_t[]){0, 1, 0, 1, 2, 1, 3}, NULL, "/fclib_local/R/i holds 3");
    refused("/fclib_local/R/i", 7, (const int32_t[]){0, 1, 0, -1, 2, 1, 2}, NULL, "holds -1, outside the matrix");
    put_local(&p, TRIPLETS);
    refused("/fclib_local/R/i", 8, (const int32_t[]){1, 1, 2, 0, 1, 2, 0, 3}, NULL, "entry at (0, 3)");
    refused("/fclib_local/R/i", 8, (const int32_t[]){-1, 1, 2, 0, 1, 2, 0, 2}, NULL, ", -1), outside the matrix");
    refused("/fclib_local/R/p", 8, (const int32_t[]){-1, 1, 2, 0, 1, 2, 0, 2}, NULL, "entry at (-1, ");
    refused("/fclib_local/R/p", 8, (const int32_t[]){1, 1, 2, 0, 1, 2, 3, 2}, NULL, "entry at (3, ");
    refused("/fclib_local/R/p", 2, (const int32_t[]){1, 1}, NULL, "p, i and x hold 2, ");
    refused("/fclib_local/R/i", 2, (const int32_t[]){1, 1}, NULL, ", 2 and ");
    refused("/fclib_local/R/x", 2, NULL, (const double[]){1.0, 1.0}, " and 2");
}

/* What one contact feels of another counts as a pair, also where the other feels nothing of it: solvers that go from
 * contact to contact need both. */
static void test_one_sided(void)
{
    const struct matrix w = {
        4, 4, {{2.0, 0.0, 0.0, 0.0}, {0.0, 2.0, 0.0, 0.0}, {0.5, 0.0, 2.0, 0.0}, {0.0, 0.0, 0.0, 2.0}}};
    const double q[] = {-1.0, 0.0, -1.0, 0.0}, mu[] = {0.5, 0.5};
    const size_t columns[] = {0, 1, 0, 1};
    struct carom_fclib read;
    struct carom_friction_data data;
    struct carom_hdf5_plain *file = begin();
    put_matrix(file, "/fclib_local/W", &w, ROWS);
    put_number(file, "/fclib_local", "spacedim", 2);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/q", 4, q);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/mu", 2, mu);
    publish(file);
    CHECK_STATUS(carom_fclib_read("problem.hdf5", &read, NULL), CAROM_OK);
    CHECK_STATUS(carom_fclib_reduce(&read, &data, NULL), CAROM_OK);
    CHECK_OR_STOP(data.first[1] == 2 && data.first[2] == 4);
    CHECK(memcmp(data.column, columns, sizeof columns) == 0);
    CHECK(data.block[4] == 0.0 && data.block[8] == 0.5);
    carom_friction_data_close(&data);
    carom_fclib_close(&read);
}

int main(int argc, char **argv)
{
    carom_random_start(&random_numbers, check_seed(argc, argv));
    for (size_t dim = 2; dim <= 3; dim++)
        for (int form = ROWS; form <= TRIPLETS; form++) {
            test_global(dim, 0, (enum form)form);
            test_global(dim, JOINTS, (enum form)form);
            test_local(dim, (enum form)form);
        }
    test_one_sided();
    test_own(2);
    test_own(3);
    test_no_text();
    test_wrong();
    return check_end();
}
