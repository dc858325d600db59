/* Cells that were drawn apart: corners at one place but for rounding become one node, whatever it is they are drawn
 * around; places that differ stay; sides and faces that vanish are left out, and what a file repeats is not. */
#include "mesh/weld.h"

#include <string.h>

#include "base/random.h"
#include "check.h"

enum { SIDE = 4, POLYHEDRON = 5 };

static const size_t quad[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/* cubes with corners of their own, all off their places by up to `off` */
static struct carom_mesh *cubes(double from, double off, struct carom_random *random, struct carom_error *error)
{
    struct carom_draft d = {.loose = true};
    *error = (struct carom_error){CAROM_OK, ""};
    for (uint32_t c = 0; c < SIDE * SIDE * SIDE; c++) {
        const uint32_t low[3] = {c % SIDE, c / SIDE % SIDE, c / SIDE / SIDE};
        uint32_t node[8];
        for (uint32_t i = 0; i < 8; i++) {
            double at[3];
            for (int k = 0; k < 3; k++) {
                const bool up = k == 0 ? i % 4 == 1 || i % 4 == 2 : k == 1 ? i % 4 > 1 : i > 3;
                at[k] = from + (double)low[k] + (up ? 1.0 : 0.0) + off * (2.0 * carom_random_uniform(random) - 1.0);
            }
            CHECK(carom_draft_add_node(&d, at));
            node[i] = 8 * c + i;
        }
        CHECK(carom_draft_add_cell(&d, CAROM_DRAFT_HEXAHEDRON, node, c, 0));
    }
    CHECK(carom_weld(&d));
    struct carom_mesh *m = carom_assemble(&d, error);
    carom_draft_free(&d);
    return m;
}

static void check_cubes(double from, double off, bool joined, struct carom_random *random)
{
    struct carom_error error;
    struct carom_mesh *m = cubes(from, off, random, &error);
    CHECK((m != NULL) == joined);
    if (m) {
        CHECK(m->n == 64 && m->nlinks == 144 && m->nfaces == 96);
        CHECK_NEAR(m->cell[7].volume, 1.0, 20.0 * off + 1e-15);
    } else {
        CHECK_CONTAINS(error.text, "share no face");
    }
    carom_mesh_free(m);
}

/* a cube whose corner 6 is `apart` three corners with a face between them; `twice`: its first face names one again */
static void check_blunt(double apart, bool twice, size_t faces, size_t corners)
{
    struct carom_draft d = {.loose = true};
    struct carom_error error = {CAROM_OK, ""};
    static const uint32_t last[3] = {6, 8, 9};
    for (uint32_t i = 0; i < 10; i++) {
        const uint32_t c = i < 8 ? i : 6;
        double at[3] = {c % 4 == 1 || c % 4 == 2 ? 1.0 : 0.0, c % 4 > 1 ? 1.0 : 0.0, c > 3 ? 1.0 : 0.0};
        for (int k = 0; k < 3; k++)
            at[k] -= (i == 6 && k == 0) || (i == 8 && k == 1) || (i == 9 && k == 2) ? apart : 0.0;
        CHECK(carom_draft_add_node(&d, at));
    }
    CHECK(carom_draft_open_cell(&d, 0, 0));
    for (size_t f = 0; f < 6; f++) {
        uint32_t node[POLYHEDRON];
        size_t count = 0;
        for (size_t k = 0; k < 4; k++) {
            /* on the face z = 1 the corner is 6 and 8, on x = 1 8 and 9, on y = 1 9 and 6 */
            static const uint32_t cut[6][2] = {{0, 0}, {8, 6}, {0, 0}, {9, 8}, {6, 9}, {0, 0}};
            node[count++] = quad[f][k] == 6 ? cut[f][0] : (uint32_t)quad[f][k];
            if (quad[f][k] == 6)
                node[count++] = cut[f][1];
        }
        if (twice && f == 0)
            node[count++] = node[3];
        CHECK(carom_draft_add_face(&d, count, node));
    }
    CHECK(carom_draft_add_face(&d, 3, last));
    CHECK(carom_weld(&d));
    CHECK(d.faces.count == faces && d.corners.count == corners);
    struct carom_mesh *m = carom_assemble(&d, &error);
    carom_draft_free(&d);
    CHECK_OR_STOP(m != NULL);
    CHECK(m->nfaces == faces);
    CHECK_NEAR(m->cell[0].volume, 1.0 - apart * apart * apart / 6.0, 1e-13);
    carom_mesh_free(m);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    struct carom_draft none = {.loose = true};
    carom_random_start(&random, check_seed(argc, argv));
    check_cubes(0.0, 0.0, true, &random);
    check_cubes(0.0, 1e-13, true, &random);
    check_cubes(-2.0, 1e-13, true, &random); /* on both sides of 0 */
    check_cubes(1e6, 4e-10, true, &random);  /* coordinates are no better there */
    check_cubes(0.0, 1e-9, false, &random);
    check_blunt(0.25, false, 7, 30);
    check_blunt(1e-14, false, 6, 24);
    check_blunt(1e-14, true, 6, 25);
    CHECK(carom_weld(&none));
    return check_end();
}
