/* Impacts of moreau-adaptive along the path of their impulses, with friction or without: by LZB, Stronge, Poisson. */
#ifndef CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_BLOW_H
#define CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_BLOW_H

#include "impact/rough.h"
#include "model/frame.h"

enum { CAROM_ADAPTIVE_NEWTON, CAROM_ADAPTIVE_LZB, CAROM_ADAPTIVE_POISSON, CAROM_ADAPTIVE_STRONGE }; /* option `blow` */

struct carom_adaptive_blow;

/* NULL: out of memory. */
struct carom_adaptive_blow *carom_adaptive_blow_create(const struct carom_model *model, int blow,
                                                       struct carom_error *error);
void carom_adaptive_blow_free(struct carom_adaptive_blow *blow);

/* Impulses of the frame's contacts, along normals and tangents, from the velocities before; `rub` only where the model
 * has friction. */
enum carom_status carom_adaptive_blow_strike(struct carom_adaptive_blow *blow, const struct carom_frame *frame,
                                             const double *v, double tol, double *impulse, double *rub,
                                             struct carom_error *error);

/* What contact k of the last impact has lost by its restitution, or by rubbing. */
double carom_adaptive_blow_lost(const struct carom_adaptive_blow *blow, size_t k, bool friction_loss);

#endif
