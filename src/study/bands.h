/* Bands of crystals: the cell that the springs of a crystal repeat, and its waves by Bloch's theorem along a path
 * through the Brillouin zone. */
#ifndef CAROM_STUDY_BANDS_H
#define CAROM_STUDY_BANDS_H

#include "study/springs.h"

#define CAROM_BANDS_CELL 16 /* bodies in a cell, at most */
#define CAROM_BANDS_PATH 10 /* points of a path */

/* A spring of the cell: from one of its bodies to another in the cell `shift` (in edges) away. */
struct carom_bands_link {
    size_t body[2];
    int shift[3];
    struct carom_spring spring;
};

/* A point of the Brillouin zone, in edges of the reciprocal cell. */
struct carom_bands_point {
    const char *name;
    double at[3];
};

struct carom_bands {
    const struct carom_springs *springs;
    size_t dimension;
    double edge[3][3], reciprocal[3][3]; /* rows: edges of the cell; 2 pi over them */
    size_t nbodies, body[CAROM_BANDS_CELL];
    size_t nlinks;
    struct carom_bands_link *link;
    const char *kind; /* "square", "hexagonal", "fcc", ... */
    size_t npoints;
    struct carom_bands_point point[CAROM_BANDS_PATH];
    size_t nbranches;
    double *matrix; /* scratch */
};

/* Finds the cell around the middle of the crystal. CAROM_E_REFUSED where springs do not repeat themselves. */
enum carom_status carom_bands_find(const struct carom_springs *springs, struct carom_bands *bands,
                                   struct carom_error *error);
void carom_bands_free(struct carom_bands *bands);

/* Angular frequencies (nbranches, rising, as those of modes) at a point of the zone. */
enum carom_status carom_bands_waves(const struct carom_bands *bands, const double at[3], double *omega,
                                    struct carom_error *error);

/* The wave vector of a point of the zone. */
void carom_bands_vector(const struct carom_bands *bands, const double at[3], double k[3]);

/* Chooses edges, kind and path from `count` vectors by which the crystal may be shifted onto itself; false: they span
 * less than the space. */
bool carom_bands_path_choose(struct carom_bands *bands, double (*vector)[3], size_t count);

#endif
