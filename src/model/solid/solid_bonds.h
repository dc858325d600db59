/* Links one by one, of bodies whose cells flow (solid_yield.h), whose links break (solid_fracture.h) or are not linear:
 * forces are those of solid_pair.h but for a gap that opens without a force, a part of the link that is gone, or a
 * force along the link that goes with powers of its strain. */
#ifndef CAROM_MODEL_SOLID_SOLID_BONDS_H
#define CAROM_MODEL_SOLID_SOLID_BONDS_H

#include "model/solid/solid.h"

/* The links of every cell. */
struct carom_solid_bonds {
    uint32_t *begin; /* n + 1 */
    uint32_t *entry; /* 2 x link + side */
};

/* Numbers a link leaves in its room: force, both torques; then what strains its gap (flow), or area times the traction
 * along the link and the square of that across it, both as if it were whole, and its energy of bending (fracture). */
enum {
    CAROM_BOND_OPEN = 0, /* until forces are known */
    CAROM_BOND_GRIP = 9,
    CAROM_BOND_ALONG = 9,
    CAROM_BOND_ACROSS = 10,
    CAROM_BOND_BENT = 11,
    CAROM_BOND = 12,
    CAROM_BOND_BLOCKS = 64 /* of work */
};

/* Lists the links by cells, where they are not listed yet; false: out of memory. */
bool carom_solid_bonds_ready(struct carom_solid *solid);
void carom_solid_bonds_free(struct carom_solid_bonds *bonds);

/* How many doubles of room they need. */
size_t carom_solid_bonds_room(const struct carom_solid *solid);

/* [first, last) of `count` things in a block */
static inline void carom_solid_bonds_block(size_t count, size_t block, size_t *first, size_t *last)
{
    *first = count * block / CAROM_BOND_BLOCKS;
    *last = count * (block + 1) / CAROM_BOND_BLOCKS;
}

/* What turns a cell's dilatation sum into its pressure, over lambda: broken links are free faces. */
double carom_solid_bonds_share(const struct carom_solid *solid, const double *q, size_t cell);

/* As carom_solid_links_dilate and _pull for all cells, or `some`: pressures into `sum`, then what links leave into
 * `room`, and that onto f. */
void carom_solid_bonds_dilate(const struct carom_solid *solid, const struct carom_solid_some *some,
                              struct carom_threads *threads, const double *q, double *sum, double *room);
void carom_solid_bonds_links(const struct carom_solid *solid, const struct carom_solid_some *some,
                             struct carom_threads *threads, const double *q, const double *sum, double *room);
void carom_solid_bonds_pull(const struct carom_solid *solid, const struct carom_solid_some *some,
                            struct carom_threads *threads, const double *q, const double *sum, double *room, double *f);

/* Energy of links [first, last), as carom_solid_links_energy; and what one loses where so much of it has gone. */
void carom_solid_bonds_energy(const void *call, size_t first, size_t last, struct carom_sum *sum);
double carom_solid_bonds_held(const struct carom_solid *solid, const double *q, size_t link, double gone);

/* How many times as stiff along their lines as at rest nonlinear links may become in a body that stands at q and moves
 * with this speed; 1 where they do not stiffen. */
double carom_solid_bonds_stiffer(const struct carom_solid *solid, const double *q, double speed);

/* What a link that is open by so much pulls along its line beside what the linear law says. */
double carom_solid_bonds_beyond(const struct carom_solid *solid, size_t link, double open);

#endif
