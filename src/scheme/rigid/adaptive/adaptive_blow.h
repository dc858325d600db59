/* Impacts of moreau-adaptive by LZB's law with friction along the path of the impulses. */
#ifndef CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_BLOW_H
#define CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_BLOW_H

#include "model/frame.h"

struct carom_adaptive_blow;

struct carom_adaptive_blow *carom_adaptive_blow_create(const struct carom_model *model); /* NULL: out of memory */
void carom_adaptive_blow_free(struct carom_adaptive_blow *blow);

/* Impulses of the frame's contacts, along normals and tangents, from their rates before; `slip` and `rub` only where
 * the model has friction. */
enum carom_status carom_adaptive_blow_strike(struct carom_adaptive_blow *blow, const struct carom_frame *frame,
                                             const double *rate, const double *slip, double tol, double *impulse,
                                             double *rub, struct carom_error *error);

/* What contact k of the last impact has lost by its restitution, or by rubbing. */
double carom_adaptive_blow_lost(const struct carom_adaptive_blow *blow, size_t k, bool rubbed);

#endif
