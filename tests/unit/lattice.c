/* Lattices of touching balls: how many neighbours each has, the order of sites, and sites to the last digit. */
#include "model/place/lattice.h"

#include <float.h>

#include "check.h"

enum { MOST = 1000 };

struct sites {
    size_t n;
    double radius, at[MOST][3];
};

static void place(struct sites *s, enum carom_lattice kind, size_t nx, size_t ny, size_t nz, double radius,
                  const double at[3])
{
    const size_t count[3] = {nx, ny, nz};
    s->n = (size_t)carom_lattice_count(kind, (double[3]){(double)nx, (double)ny, (double)nz});
    s->radius = radius;
    CHECK_OR_STOP(s->n <= MOST);
    for (size_t i = 0; i < s->n; i++)
        carom_lattice_site(kind, count, radius, at, i, s->at[i]);
}

/* the gap of two balls, reckoned as contacts do */
static double gap(const struct sites *s, size_t i, size_t j)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (s->at[j][k] - s->at[i][k]) * (s->at[j][k] - s->at[i][k]);
    return sqrt(square) - 2.0 * s->radius;
}

static bool touch(const struct sites *s, size_t i, size_t j)
{
    return fabs(gap(s, i, j)) < 8.0 * DBL_EPSILON * 2.0 * s->radius;
}

/* pairs that touch, and the most neighbours of one ball; others are well apart */
static size_t count_pairs(const struct sites *s, size_t *most)
{
    size_t pairs = 0, degree[MOST] = {0};
    *most = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = i + 1; j < s->n; j++) {
            CHECK(touch(s, i, j) || gap(s, i, j) > 0.1 * s->radius);
            if (!touch(s, i, j))
                continue;
            pairs++;
            degree[i]++;
            degree[j]++;
        }
    for (size_t i = 0; i < s->n; i++)
        *most = degree[i] > *most ? degree[i] : *most;
    return pairs;
}

static void test_contacts(void)
{
    static const struct {
        enum carom_lattice kind;
        size_t count[3], pairs, most;
    } rows[] = {
        {CAROM_LATTICE_SQUARE, {5, 4, 7}, 31, 4},
        {CAROM_LATTICE_HEXAGONAL, {5, 5, 1}, 56, 6},
        {CAROM_LATTICE_SC, {3, 4, 5}, 133, 6},
        {CAROM_LATTICE_BCC, {3, 3, 3}, 125, 8},
        {CAROM_LATTICE_FCC, {3, 3, 3}, 450, 12},
        /* 6 directions, 5 x 5 x 6 / 2 pairs in each */
        {CAROM_LATTICE_HCP, {4, 4, 4}, 252, 12}, /* 4 layers of 33, 3 times 28 + 12 between them */
    };
    const double radii[] = {0.01, 1.0, 0.0123, 3.7e5}, origin[3] = {0.0, 0.0, 0.0};
    static struct sites s;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t r = 0; r < sizeof radii / sizeof *radii; r++) {
            const size_t *count = rows[row].count;
            size_t most;
            place(&s, rows[row].kind, count[0], count[1], count[2], radii[r], origin);
            const size_t pairs = count_pairs(&s, &most);
            CHECK(most == rows[row].most);
            CHECK(pairs == rows[row].pairs);
        }
}

static void check_site(const struct sites *s, size_t i, double x, double y, double z)
{
    CHECK_NEAR(s->at[i][0], x, 1e-14);
    CHECK_NEAR(s->at[i][1], y, 1e-14);
    CHECK_NEAR(s->at[i][2], z, 1e-14);
}

/* x first, then y, then z; cells body by body */
static void test_order(void)
{
    const double at[3] = {0.5, -0.25, 2.0};
    static struct sites s;
    place(&s, CAROM_LATTICE_HEXAGONAL, 3, 2, 0, 1.0, at);
    check_site(&s, 0, 0.5, -0.25, 2.0);
    check_site(&s, 2, 4.5, -0.25, 2.0);
    check_site(&s, 3, 1.5, -0.25 + sqrt(3.0), 2.0);
    place(&s, CAROM_LATTICE_SC, 2, 3, 2, 1.0, at);
    check_site(&s, 1, 2.5, -0.25, 2.0);
    check_site(&s, 2, 0.5, 1.75, 2.0);
    check_site(&s, 6, 0.5, -0.25, 4.0);
    place(&s, CAROM_LATTICE_BCC, 2, 2, 2, 1.0, at);
    check_site(&s, 1, 0.5 + 2.0 / sqrt(3.0), -0.25 + 2.0 / sqrt(3.0), 2.0 + 2.0 / sqrt(3.0));
    check_site(&s, 2, 0.5 + 4.0 / sqrt(3.0), -0.25, 2.0);
    place(&s, CAROM_LATTICE_FCC, 2, 2, 2, 1.0, at);
    check_site(&s, 1, 0.5 + sqrt(2.0), -0.25 + sqrt(2.0), 2.0);
    check_site(&s, 4, 0.5 + 2.0 * sqrt(2.0), -0.25, 2.0);
    place(&s, CAROM_LATTICE_HCP, 3, 2, 2, 1.0, at);
    check_site(&s, 3, 1.5, -0.25 + sqrt(3.0), 2.0);
    check_site(&s, 6, 1.5, -0.25 + 1.0 / sqrt(3.0), 2.0 + sqrt(8.0 / 3.0));
    check_site(&s, 9, 0.5, -0.25 + 4.0 / sqrt(3.0), 2.0 + sqrt(8.0 / 3.0));
}

/* far from the first body sites are as near as doubles are: not a unit in the last place off */
static void test_far(void)
{
    const size_t count[3] = {100000, 100000, 1};
    const long double root = sqrtl(3.0L);
    for (size_t row = 1; row < 100000; row = 3 * row + 1) {
        const double at[3] = {0.1, 0.3, 0.0};
        double centre[3];
        carom_lattice_site(CAROM_LATTICE_HEXAGONAL, count, 0.01, at, row * count[0] + 77777, centre);
        const long double y = 0.3 + root * (long double)0.01 * (long double)row;
        CHECK_NEAR((double)((long double)centre[1] - y), 0.0, 0.6 * DBL_EPSILON * (double)y);
    }
}

static void test_names(void)
{
    CHECK_TEXT(carom_lattice_names[CAROM_LATTICE_HEXAGONAL], "hexagonal");
    CHECK_TEXT(carom_lattice_names[CAROM_LATTICE_HCP], "hcp");
    CHECK(carom_lattice_names[CAROM_LATTICE_HCP + 1] == NULL);
    CHECK(carom_lattice_dimension(CAROM_LATTICE_SQUARE) == 2 && carom_lattice_dimension(CAROM_LATTICE_SC) == 3);
    CHECK_NEAR(carom_lattice_count(CAROM_LATTICE_FCC, (double[3]){1e8, 1e8, 1e8}), 4e24, 1e10);
    CHECK_NEAR(carom_lattice_count(CAROM_LATTICE_SQUARE, (double[3]){3.0, 2.0, 0.0}), 6.0, 0.0);
}

int main(void)
{
    test_names();
    test_contacts();
    test_order();
    test_far();
    return check_end();
}
