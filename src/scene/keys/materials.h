/* Materials by name: modulus, Poisson ratio, density, and where the numbers come from. */
#ifndef CAROM_SCENE_KEYS_MATERIALS_H
#define CAROM_SCENE_KEYS_MATERIALS_H

#include <stddef.h>

struct carom_material {
    const char *name;
    double young, poisson, density; /* Pa, 1, kg/m^3; NaN: not given. A rigid wall has young = HUGE_VAL */
    const char *source;
    double yield; /* Pa, the yield strength; 0: not known, or it breaks first */
};

/* The built-in table, ended by a NULL name. */
extern const struct carom_material carom_materials_list[];

/* Stiffness of a contact after Hertz, F = k d^(3/2): k = 4/3 E* sqrt(R*), with 1/E* and 1/R* the sums over both sides.
 * A flat side has radius HUGE_VAL, a rigid one young HUGE_VAL. */
double carom_materials_hertz(const struct carom_material *a, double radius_a, const struct carom_material *b,
                             double radius_b);

#endif
