/* Conjugate gradients against systems whose answers are known: real, and complex symmetric. */
#include "solve/conjugate.h"
#include "base/random.h"
#include "check.h"

enum { N = 30 };

/* a matrix and the inverse of its diagonal, with imaginary parts or without */
struct system {
    double re[N][N], im[N][N];
    bool both;
};

static void multiply(const struct system *s, const double *in, double *out)
{
    for (int i = 0; i < N; i++) {
        double re = 0.0, im = 0.0;
        for (int j = 0; j < N; j++) {
            re += s->re[i][j] * in[j] - (s->both ? s->im[i][j] * in[N + j] : 0.0);
            im += s->both ? s->re[i][j] * in[N + j] + s->im[i][j] * in[j] : 0.0;
        }
        out[i] = re;
        if (s->both)
            out[N + i] = im;
    }
}

static void apply(void *own, const double *in, double *out)
{
    multiply(own, in, out);
}

static void ease(void *own, const double *in, double *out)
{
    const struct system *s = own;
    for (int i = 0; i < N; i++) {
        const double a = s->re[i][i], b = s->both ? s->im[i][i] : 0.0, square = a * a + b * b;
        const double x = in[i], y = s->both ? in[N + i] : 0.0;
        out[i] = (a * x + b * y) / square;
        if (s->both)
            out[N + i] = (a * y - b * x) / square;
    }
}

/* M + lambda K with K = sum of n n^T over random directions: what a crystal's step has */
static void draw(struct system *s, struct carom_random *random, bool both)
{
    memset(s, 0, sizeof *s);
    s->both = both;
    for (int i = 0; i < N; i++)
        s->re[i][i] = 1.0 + carom_random_uniform(random);
    for (int c = 0; c < 2 * N; c++) {
        double n[N] = {0.0};
        for (int k = 0; k < 4; k++)
            n[(int)(N * carom_random_uniform(random)) % N] = 2.0 * carom_random_uniform(random) - 1.0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                s->re[i][j] += n[i] * n[j];
                s->im[i][j] += both ? 0.8 * n[i] * n[j] : 0.0;
            }
    }
}

static void test(bool both)
{
    struct carom_random random;
    carom_random_start(&random, 4);
    for (int trial = 0; trial < 20; trial++) {
        struct system system;
        double answer[2 * N], x[2 * N], rest[2 * N], eased[2 * N], way[2 * N], image[2 * N];
        bool solved;
        draw(&system, &random, both);
        for (int i = 0; i < 2 * N; i++)
            answer[i] = 2.0 * carom_random_uniform(&random) - 1.0;
        multiply(&system, answer, rest);
        const struct carom_conjugate c = {N, x, rest, eased, way, image, apply, ease, &system};
        const size_t products =
            both ? carom_conjugate_complex(&c, 1e-12, 200, &solved) : carom_conjugate_real(&c, 1e-12, 200, &solved);
        CHECK(solved && products <= 2 * N);
        for (int i = 0; i < (both ? 2 * N : N); i++)
            CHECK_NEAR(x[i], answer[i], 1e-9);
        memset(rest, 0, sizeof rest); /* nothing to do */
        CHECK((both ? carom_conjugate_complex(&c, 1e-12, 200, &solved)
                    : carom_conjugate_real(&c, 1e-12, 200, &solved)) == 0);
        CHECK(solved && x[0] == 0.0 && x[N - 1] == 0.0);
        multiply(&system, answer, rest); /* too few products: told so */
        (both ? carom_conjugate_complex : carom_conjugate_real)(&c, 1e-14, 2, &solved);
        CHECK(!solved);
    }
}

int main(void)
{
    test(false);
    test(true);
    return check_end();
}
