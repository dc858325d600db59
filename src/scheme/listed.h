/* Schemes of rows in their forms for bodies whose contacts come and go, which live in a room of their own. */
#ifndef CAROM_SCHEME_LISTED_H
#define CAROM_SCHEME_LISTED_H

#include "carom/scheme.h"

extern const struct carom_scheme carom_crystal_energy_momentum;
extern const struct carom_scheme carom_crystal_cn_reg;
extern const struct carom_scheme carom_crystal_theta;
extern const struct carom_scheme carom_crystal_gl_reg;
extern const struct carom_scheme carom_crystal_irk;

#endif
