/* Forces and torques of elastic bodies are the slope of their energy: boxes, plates and shells, large rotations,
 * Poisson ratios from -0.5 to 0.49, by differences of high order. */
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "solids.h"

static const double ratios[] = {-0.5, 0.0, 0.25, 0.45, 0.49};

/* a random place not far from a large turn of the whole body: strains of some percent */
static void shake(const struct carom_part *part, const struct carom_solid *s, struct carom_random *random, double *q,
                  double *step)
{
    double *rest = carom_memory_zeroed(s->wide * s->n, sizeof *rest), turn[3];
    CHECK_OR_STOP(rest != NULL);
    for (int k = 0; k < 3; k++)
        turn[k] = s->dimension == 3 || k == 2 ? 1.5 * carom_random_normal(random) : 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double own[3];
        rest[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
        carom_quat_turn_back(carom_solid_sort_of(s, i)->frame, turn, own);
        for (size_t k = 0; k < s->fast; k++)
            step[s->fast * i + k] = 0.0;
        for (size_t k = 0; k < 3 && s->dimension == 3; k++)
            step[6 * i + 3 + k] = own[k] + 0.03 * carom_random_normal(random);
        if (s->dimension == 2)
            step[3 * i + 2] = turn[2] + 0.03 * carom_random_normal(random);
    }
    part->move(s, rest, step, q);
    for (size_t i = 0; i < s->n; i++) {
        double whole[3];
        carom_solid_moved(s, q, i, s->centre[i], whole);
        for (int k = 0; k < s->dimension; k++)
            q[s->wide * i + (size_t)k] = whole[k] - 2.0 * s->centre[i][k] + 0.03 * carom_random_normal(random);
    }
    carom_memory_free(rest);
}

static double along(const struct carom_part *part, const struct carom_solid *s, const double *q, const double *w,
                    double h, double *step, double *moved, double *scratch)
{
    double kinetic, stored;
    for (size_t i = 0; i < s->fast * s->n; i++)
        step[i] = h * w[i];
    part->move(s, q, step, moved);
    part->energy(s, 0.3, moved, w, scratch, &kinetic, &stored);
    return stored;
}

static void check(struct carom_solid *s, struct carom_random *random)
{
    const struct carom_part *part = s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
    CHECK_OR_STOP(s != NULL);
    const size_t nq = s->wide * s->n, nv = s->fast * s->n;
    size_t some, all;
    part->scratch(s, &some, &all);
    double *scratch = carom_memory_zeroed(all + 2 * nq + 5 * nv, sizeof *scratch);
    CHECK_OR_STOP(scratch != NULL);
    double *q = scratch + all, *moved = q + nq, *w = moved + nq, *step = w + nv, *f = step + nv, *zero = f + nv;
    shake(part, s, random, q, step);
    part->force(s, 0.3, q, zero, scratch, f);
    double size = 0.0, worst = 0.0;
    for (size_t i = 0; i < nv; i++)
        size = fmax(size, fabs(f[i]));
    for (int trial = 0; trial < 12; trial++) {
        double dot = 0.0, scale = 0.0;
        for (size_t i = 0; i < nv; i++) {
            w[i] = carom_random_normal(random);
            dot += w[i] * f[i];
            scale += fabs(w[i] * f[i]);
        }
        const double h = 2e-3;
        double slope = 0.0;
        static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
        for (int k = 1; k <= 4; k++)
            slope += weight[k - 1] * (along(part, s, q, w, k * h, step, moved, scratch) -
                                      along(part, s, q, w, -k * h, step, moved, scratch));
        worst = fmax(worst, fabs(slope / h + dot) / scale);
    }
    CHECK_NEAR(worst, 0.0, 4e-10);
    carom_memory_free(scratch);
    carom_solid_free(s);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    const double origin[3] = {0.1, -0.2, 0.3}, size[3] = {1.0, 1.3, 0.9};
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
        const struct carom_solid_material m = {2.0, ratios[r], 1.5};
        for (int kind = 0; kind < 3; kind++) {
            const size_t count[3] = {3, 2, 3};
            check(carom_solid_box((enum carom_solid_case)kind, count, size, origin, 0.7, &m, NULL), &random);
        }
        struct carom_solid *s =
            carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){2, 3, 2}, size, origin, 1.0, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        const struct carom_solid_material other = {5.0, 0.1, 3.0};
        CHECK(carom_solid_fill(s, &other, 3, (const uint32_t[]){1, 4, 5}, NULL) == CAROM_OK);
        s->gravity[1] = -0.4;
        check(s, &random);
        check(carom_solid_cylinder(7, 3, 1.0, 2.0, 0.2, origin, &m, NULL), &random);
        check(solid_voronoi(size, 12, 0, &m), &random);
    }
    return check_end();
}
