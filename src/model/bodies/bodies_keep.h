/* Shapes that a set of bodies owns: those handed over (carom/bodies.h), and those of boxes. */
#ifndef CAROM_MODEL_BODIES_BODIES_KEEP_H
#define CAROM_MODEL_BODIES_BODIES_KEEP_H

#include "carom/bodies.h"

/* Boxes that meet others are polyhedra; equal ones, one after another, are one. */
enum carom_status carom_bodies_keep_boxes(struct carom_bodies *bodies, struct carom_error *error);

#endif
