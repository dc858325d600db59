/* Quadruple precision for references, the same with gcc and clang on x86-64 and arm64. `long double` is no such thing:
 * it has 113 bits on arm64 and 64 on x86-64. gcc calls the type _Float128 everywhere, and so do glibc's headers; clang
 * on x86-64 calls it __float128, and there glibc has the functions but declares none. */
#ifndef CAROM_TESTS_QUAD_H
#define CAROM_TESTS_QUAD_H

#include <math.h>
#include <stdlib.h>

#if defined(__clang__) && defined(__x86_64__)
__extension__ typedef __float128 quad;
quad acosf128(quad x);
quad atanf128(quad x);
quad atan2f128(quad y, quad x);
quad cosf128(quad x);
quad expf128(quad x);
quad exp2f128(quad x);
quad expm1f128(quad x);
quad logf128(quad x);
quad log10f128(quad x);
quad log2f128(quad x);
quad powf128(quad x, quad y);
quad sinf128(quad x);
quad sqrtf128(quad x);
int strfromf128(char *to, size_t room, const char *format, quad x);
#else
__extension__ typedef _Float128 quad;
#endif

#endif
