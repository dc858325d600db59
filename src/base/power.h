/* Powers, exponentials and logarithms for everything whose bits must not depend on the C library: libraries and
 * machines differ in the last bit of theirs. Less than one unit in the last place from the exact value; zeros,
 * infinities and what is not a number as in C. */
#ifndef CAROM_BASE_POWER_H
#define CAROM_BASE_POWER_H

double carom_power(double x, double y);
double carom_power_exp(double x);
double carom_power_expm1(double x);
double carom_power_exp2(double x);
double carom_power_log(double x);
double carom_power_log2(double x);
double carom_power_log10(double x);

/* Gamma(1 + q) / Gamma(1/2 + q) for q >= 0, to a few units in the last place: of it are the durations of impacts. */
double carom_power_half_gamma(double q);

#endif
