/* Rows under theta beside each other on a device (scheme/abreast.h). */
#ifndef CAROM_SCHEME_CHAIN_THETA_ABREAST_H
#define CAROM_SCHEME_CHAIN_THETA_ABREAST_H

#include "scheme/abreast.h"

extern const struct carom_abreast_scheme carom_theta_abreast;

#endif
