/* The points of solids that comparisons speak of: their sensors or, where they have none, the balls beside them and the
 * cells that are recorded. Each has a displacement and a velocity along every axis; how cells are turned is no length
 * and stays out of it. */
#ifndef CAROM_STUDY_FOLLOW_POINTS_H
#define CAROM_STUDY_FOLLOW_POINTS_H

#include "carom/mechanism.h"
#include "carom/solid.h"

struct carom_points {
    double (*place)[8]; /* of bodies of plane and space: the centre at the start, the radius (0: no ball), of those with
                           corners how far they reach (negative: held; 0: others, and containers), and the normal of
                           planes; NULL: not told */
    size_t ncorners;
    bool turn;           /* do bodies with corners turn? */
    double (*corner)[5]; /* of bodies that are no balls: body and piece from 0, and from the body's centre at the start;
                             what pictures of them are drawn from */
    size_t count, axes;  /* axes = 0: bodies move along one line, and there are no points */
    size_t balls;        /* beside solids: the first of the points */
    const char *what;    /* "sensor", "cell", "body"; "point": balls and cells */
    char (*name)[32];    /* count: of the sensor, or the number of the cell or body from 1 */
    const struct carom_machine *machine; /* without points: whose coordinates motions are; NULL: those of bodies */
};

/* CAROM_E_REFUSED if there are none. Free with carom_points_free, also on failure. */
enum carom_status carom_points_open(struct carom_points *points, const struct carom_model *model, bool sensors,
                                    struct carom_error *error);
void carom_points_free(struct carom_points *points); /* fine for zeros */

/* Keeps where bodies stand at q (and v), for who wants to draw them. */
enum carom_status carom_points_place(struct carom_points *points, const struct carom_model *model, const double *q,
                                     const double *v, struct carom_error *error);

/* count x axes displacements and velocities out of the model's q and v. */
void carom_points_see(const struct carom_points *points, const struct carom_model *model, const double *q,
                      const double *v, double *displacement, double *velocity);

/* Is coordinate i an angle? */
bool carom_points_turns(const struct carom_points *points, size_t i);

/* Are these the same points? */
bool carom_points_agree(const struct carom_points *a, const struct carom_points *b);

/* "x", "y" or "z" of number i of an array of count x axes; "": there are none. */
const char *carom_points_axis(const struct carom_points *points, size_t i);

#endif
