/* Balls in a region while they are being placed, in the region's own axes: walls, images through joined sides, and
 * cells that tell who is near. */
#ifndef CAROM_MODEL_PLACE_BALL_CELLS_H
#define CAROM_MODEL_PLACE_BALL_CELLS_H

#include "base/random.h"
#include "model/place/place.h"

#define CAROM_BALL_CELLS_NONE UINT32_MAX

struct carom_ball_cells {
    const struct carom_place_region *region;
    const struct carom_place_others *others; /* who stands there already; NULL: nobody */
    size_t dimension, n;
    size_t held;      /* balls of others: numbers n to n + held - 1, who stay where they are */
    double half[3];   /* of the box around the region; 0 along z in the plane */
    double joined[3]; /* half a side that is joined, HUGE_VAL elsewhere */
    double margin;    /* gaps of this size stay open whatever rounding does */
    double largest;   /* radius */
    double widest;    /* the same with those who are held */
    double (*x)[3];
    double *radius;
    /* cells: the first ball in each, and the next one after each ball */
    size_t cells[3], room;
    double edge[3];
    uint32_t *head, *next;
};

/* Room for n balls with these radii; places are not set. `others` may be NULL. */
enum carom_status carom_ball_cells_open(struct carom_ball_cells *balls, size_t dimension,
                                        const struct carom_place_region *region,
                                        const struct carom_place_others *others, size_t n, const double *radius,
                                        struct carom_error *error);
void carom_ball_cells_close(struct carom_ball_cells *balls);

/* The part of the region that the balls fill. */
double carom_ball_cells_fraction(const struct carom_ball_cells *balls, size_t n);

/* A place drawn evenly from where a ball of this radius may be. */
void carom_ball_cells_draw(const struct carom_ball_cells *balls, struct carom_random *random, double radius,
                           double x[3]);

/* The smallest gap between a ball and the walls of the region; `push` (unless NULL) is what the walls it overlaps push
 * it by. The same of walls that stand inside. */
double carom_ball_cells_walls(const struct carom_ball_cells *balls, const double x[3], double radius, double push[3]);
double carom_ball_cells_inner(const struct carom_ball_cells *balls, const double x[3], double radius, double push[3]);

/* d = b - a through the nearest image; both are in the region or near it. Returns d.d. */
static inline double carom_ball_cells_apart(const struct carom_ball_cells *balls, const double a[3], const double b[3],
                                            double d[3])
{
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        if (d[k] > balls->joined[k])
            d[k] -= 2.0 * balls->joined[k];
        else if (d[k] < -balls->joined[k])
            d[k] += 2.0 * balls->joined[k];
    }
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/* Back through joined sides into the region. */
void carom_ball_cells_wrap(const struct carom_ball_cells *balls, double x[3]);

/* Cells that are at least `reach` wide, with nobody in them but those who are held. */
bool carom_ball_cells_clear(struct carom_ball_cells *balls, double reach);

/* Ball i, at its place, into its cell. */
void carom_ball_cells_enter(struct carom_ball_cells *balls, size_t i);

/* The cells around a place that may hold balls within reach: numbers of up to 27. */
size_t carom_ball_cells_around(const struct carom_ball_cells *balls, const double x[3], size_t cell[27]);

/* Numbers balls anew, cell by cell, so that neighbours lie near each other in memory too. was[i]: the old number of the
 * ball that now is number i. False: out of memory. */
bool carom_ball_cells_sort(struct carom_ball_cells *balls, uint32_t *was);

/* All balls' centres in space; was: as above, or NULL. */
void carom_ball_cells_tell(const struct carom_ball_cells *balls, const uint32_t *was, double (*centre)[3]);

#endif
