/* A body is set up on a device in a time that goes with its links: shapes are numbered in as many passes through them
 * as a cell has links, even where sides that are clamped or absorb leave shapes that no link has. */
#include "scheme/solid/rattle_board.h"

#include "check.h"

enum { CELLS = 1000, LINKS = 2 * CELLS, USED = 5, SHAPES = USED + 3 };

int main(void)
{
    static struct carom_solid_link link[LINKS];
    static uint32_t number[SHAPES];
    for (uint32_t i = 0; i < CELLS; i++) { /* two links each, the shapes of which kernels meet as 3, 1, 4, 0, 2 */
        link[2 * i] = (struct carom_solid_link){{i, i + 1}, i == 0 ? 3 : i == 1 ? 1 : 4};
        link[2 * i + 1] = (struct carom_solid_link){{i, i + CELLS}, i == 0 ? 0 : i == 1 ? 3 : 2};
    }
    const struct carom_solid solid = {.n = 2 * CELLS, .nlinks = LINKS, .nshapes = SHAPES, .link = link};
    const struct carom_solid whole = {.n = 2 * CELLS, .nlinks = LINKS, .nshapes = USED, .link = link};
    static const uint32_t met[USED] = {3, 1, 4, 0, 2};
    CHECK(carom_rattle_board_links_number(&solid, number) == 3); /* once more, to find that no cell has a third */
    for (uint32_t k = 0; k < USED; k++)
        CHECK(number[met[k]] == k);
    for (size_t k = USED; k < SHAPES; k++)
        CHECK(number[k] == UINT32_MAX);
    CHECK(carom_rattle_board_links_number(&whole, number) == 2);
    return check_end();
}
