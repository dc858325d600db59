/* Scheme dp5 for bodies whose contacts come and go. */
#ifndef CAROM_SCHEME_COMPLIANT_DP5_BODIES_H
#define CAROM_SCHEME_COMPLIANT_DP5_BODIES_H

#include "carom/scheme.h"

extern const struct carom_scheme carom_dp5_bodies;

#endif
