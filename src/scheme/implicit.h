/* The implicit schemes of James, Vorotnikov and Brogliato 2020 beyond theta. */
#ifndef CAROM_SCHEME_IMPLICIT_H
#define CAROM_SCHEME_IMPLICIT_H

#include "carom/scheme.h"

extern const struct carom_scheme carom_scheme_irk;
extern const struct carom_scheme carom_scheme_rk2;
extern const struct carom_scheme carom_scheme_gl;
extern const struct carom_scheme carom_scheme_gl_reg;
extern const struct carom_scheme carom_scheme_cn;
extern const struct carom_scheme carom_scheme_cn_reg;

#endif
