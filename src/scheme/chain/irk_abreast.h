/* Rows under irk beside each other on a device (scheme/abreast.h). */
#ifndef CAROM_SCHEME_CHAIN_IRK_ABREAST_H
#define CAROM_SCHEME_CHAIN_IRK_ABREAST_H

#include "scheme/abreast.h"

extern const struct carom_abreast_scheme carom_irk_abreast;

#endif
