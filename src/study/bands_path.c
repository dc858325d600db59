/* Which crystal it is, by the shortest vectors that shift it onto itself, and the usual path through its Brillouin
 * zone. Pressed crystals are strained a little, so angles and lengths count to two parts in a hundred. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "study/bands.h"

#define NEARLY 0.02

enum { MOST = 64 };

/* Edges by the cosines of (1,2), (1,3), (2,3), which lengths are equal (to the first), and the path. */
struct crystal {
    const char *kind;
    size_t dimension;
    double cosine[3];
    bool equal[2]; /* of the second, of the third to the first */
    const char *path;
};

/* the most symmetric first; those with a cosine of 2 take any */
static const struct crystal crystals[] = {
    {"square", 2, {0.0, 0.0, 0.0}, {true, false}, "G X M G"},
    {"hexagonal", 2, {-0.5, 0.0, 0.0}, {true, false}, "G M K G"},
    {"rectangular", 2, {0.0, 0.0, 0.0}, {false, false}, "G X S Y G"},
    {"oblique", 2, {2.0, 0.0, 0.0}, {false, false}, "G X G Y"},
    {"sc", 3, {0.0, 0.0, 0.0}, {true, true}, "G X M G R X"},
    {"fcc", 3, {0.5, 0.5, 0.5}, {true, true}, "G X W K G L"},
    {"bcc", 3, {-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0}, {true, true}, "G H N G P H"},
    {"hexagonal in space", 3, {-0.5, 0.0, 0.0}, {true, false}, "G M K G A L H A"},
    {"orthorhombic", 3, {0.0, 0.0, 0.0}, {false, false}, "G X S Y G Z"},
    {"triclinic", 3, {2.0, 2.0, 2.0}, {false, false}, "G X G Y G Z"},
};

/* in edges of the reciprocal cell; "sc" comes before what other crystals call by the same letter */
static const struct {
    const char *kind;
    struct carom_bands_point point;
} points[] = {
    {"square", {"X", {0.5, 0.0, 0.0}}},
    {"square", {"M", {0.5, 0.5, 0.0}}},
    {"hexagonal", {"M", {0.5, 0.0, 0.0}}},
    {"hexagonal", {"K", {1.0 / 3.0, 1.0 / 3.0, 0.0}}},
    {"sc", {"X", {0.0, 0.5, 0.0}}},
    {"sc", {"M", {0.5, 0.5, 0.0}}},
    {"sc", {"R", {0.5, 0.5, 0.5}}},
    {"fcc", {"X", {0.5, 0.0, 0.5}}},
    {"fcc", {"W", {0.5, 0.25, 0.75}}},
    {"fcc", {"K", {0.375, 0.375, 0.75}}},
    {"fcc", {"L", {0.5, 0.5, 0.5}}},
    {"bcc", {"H", {0.5, -0.5, 0.5}}},
    {"bcc", {"N", {0.0, 0.0, 0.5}}},
    {"bcc", {"P", {0.25, 0.25, 0.25}}},
    {"hexagonal in space", {"M", {0.5, 0.0, 0.0}}},
    {"hexagonal in space", {"K", {1.0 / 3.0, 1.0 / 3.0, 0.0}}},
    {"hexagonal in space", {"A", {0.0, 0.0, 0.5}}},
    {"hexagonal in space", {"L", {0.5, 0.0, 0.5}}},
    {"hexagonal in space", {"H", {1.0 / 3.0, 1.0 / 3.0, 0.5}}},
    {NULL, {"X", {0.5, 0.0, 0.0}}}, /* of all others */
    {NULL, {"Y", {0.0, 0.5, 0.0}}},
    {NULL, {"Z", {0.0, 0.0, 0.5}}},
    {NULL, {"S", {0.5, 0.5, 0.0}}},
};

static struct carom_bands_point point_of(const char *kind, char letter)
{
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (*points[i].point.name == letter && (points[i].kind == NULL || strcmp(points[i].kind, kind) == 0))
            return points[i].point;
    return (struct carom_bands_point){"G", {0.0, 0.0, 0.0}};
}

/* --- edges ------------------------------------------------------------------------------------------------------- */

/* by length, then those that point forward along x, y, z first */
static int by_length(const void *a, const void *b)
{
    const double *x = a, *y = b, p = carom_vec_norm(x), q = carom_vec_norm(y), close = 1e-5 * q;
    if (fabs(p - q) > close)
        return p < q ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (fabs(x[k] - y[k]) > close)
            return x[k] > y[k] ? -1 : 1;
    return 0;
}

static double volume_of(const double *a, const double *b, const double *c)
{
    double cross[3];
    carom_vec_cross(a, b, cross);
    return carom_vec_dot(cross, c);
}

static bool is_cosine(const double *a, const double *b, double wanted)
{
    const double cosine = carom_vec_dot(a, b) / (carom_vec_norm(a) * carom_vec_norm(b));
    return wanted > 1.0 || fabs(cosine - wanted) < NEARLY;
}

static bool is_equal(const double *a, const double *b)
{
    const double length = carom_vec_norm(a);
    return fabs(length - carom_vec_norm(b)) < NEARLY * length;
}

static bool fits(const struct crystal *c, const double *x, const double *y, const double *z)
{
    return is_cosine(x, y, c->cosine[0]) && (!c->equal[0] || is_equal(x, y)) &&
           (c->dimension == 2 ||
            (is_cosine(x, z, c->cosine[1]) && is_cosine(y, z, c->cosine[2]) && (!c->equal[1] || is_equal(x, z))));
}

/* the first edges, by length, of a right-handed cell of this volume that fit */
static bool find_edges(struct carom_bands *b, const struct crystal *c, double (*vector)[3], size_t count, double volume)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; k < (c->dimension == 3 ? count : 1); k++) {
                const double *z = c->dimension == 3 ? vector[k] : up;
                if (fabs(volume_of(vector[i], vector[j], z) - volume) > NEARLY * volume ||
                    !fits(c, vector[i], vector[j], z))
                    continue;
                memcpy(b->edge[0], vector[i], sizeof b->edge[0]);
                memcpy(b->edge[1], vector[j], sizeof b->edge[1]);
                memcpy(b->edge[2], z, sizeof b->edge[2]);
                return true;
            }
    return false;
}

static double least_volume(size_t dimension, double (*vector)[3], size_t count)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    double least = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < (dimension == 3 ? j : 1); k++) {
                const double *z = dimension == 3 ? vector[k] : up;
                const double volume = fabs(volume_of(vector[i], vector[j], z));
                const double most = carom_vec_norm(vector[i]) * carom_vec_norm(vector[j]) * carom_vec_norm(z);
                least = volume > 1e-2 * most ? fmin(least, volume) : least;
            }
    return least;
}

bool carom_bands_path_choose(struct carom_bands *b, double (*vector)[3], size_t count)
{
    qsort(vector, count, sizeof *vector, by_length);
    count = count < MOST ? count : MOST;
    const double volume = least_volume(b->dimension, vector, count);
    for (size_t i = 0; i < sizeof crystals / sizeof *crystals && volume < HUGE_VAL; i++) {
        const struct crystal *c = &crystals[i];
        if (c->dimension != b->dimension || !find_edges(b, c, vector, count, volume))
            continue;
        b->kind = c->kind;
        for (const char *letter = c->path; *letter != '\0'; letter++)
            if (*letter != ' ')
                b->point[b->npoints++] = point_of(c->kind, *letter);
        return true;
    }
    return false;
}
