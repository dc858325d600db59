/* A collision followed along the path of its impulses, with friction or without: what impacts lzb (with friction),
 * poisson and stronge share. */
#ifndef CAROM_IMPACT_ROUGH_H
#define CAROM_IMPACT_ROUGH_H

#include "carom/impact.h"
#include "impact/lzb_friction.h"

struct carom_rough;

struct carom_rough *carom_rough_create(size_t room, struct carom_error *error); /* NULL: out of memory */
void carom_rough_free(struct carom_rough *rough);

/* Answers as collisions have them; `tol` is that of the velocities after it, relative to the fastest before. */
enum carom_status carom_rough_solve(struct carom_rough *rough, struct carom_collision *collision,
                                    enum carom_lzb_friction_law law, double tol, struct carom_error *error);

/* An impact that is no more than this: its open and close, `work` being the struct above, and the option impact_tol. */
extern const struct carom_param carom_rough_params[];
struct carom_rough_options {
    double impact_tol;
};
enum carom_status carom_rough_open(struct carom_striker *striker, struct carom_error *error);
void carom_rough_close(struct carom_striker *striker);
enum carom_status carom_rough_strike(struct carom_striker *striker, struct carom_collision *collision,
                                     enum carom_lzb_friction_law law, struct carom_error *error);

#endif
