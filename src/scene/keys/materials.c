/* The built-in materials and Hertz's stiffness from them. Values without a reference are what handbooks give for the
 * usual grade, good to some percent; a scene that needs better brings its own. Yield strengths are of the usual grade
 * too (hardened, of balls of steel) and differ by tens of percent; what breaks first has none. No restitution: that
 * depends on speed and size and is given with the contacts. */
#include "scene/keys/materials.h"

#include <math.h>

static const char handbook[] = "typical handbook value";

const struct carom_material carom_materials_list[] = {
    {"steel", 203e9, 0.30, 7780.0, "Nguyen and Brogliato 2011, section 5 (high carbon hardened steel)", 2.0e9},
    {"ball-steel", 203e9, 0.30, 7833.0, "Nguyen and Brogliato 2011, section 4.1 (steel balls of a tapered chain)",
     2.0e9},
    {"bearing-steel", 210e9, 0.30, 7810.0, handbook, 2.0e9},
    {"stainless-steel", 193e9, 0.29, 8000.0, handbook, 0.25e9},
    {"aluminium", 70e9, 0.33, 2700.0, handbook, 0.27e9},
    {"brass", 100e9, 0.34, 8500.0, handbook, 0.25e9},
    {"bronze", 110e9, 0.34, 8800.0, handbook, 0.35e9},
    {"copper", 120e9, 0.34, 8960.0, handbook, 0.2e9},
    {"lead", 16e9, 0.44, 11340.0, handbook, 12e6},
    {"titanium", 110e9, 0.34, 4500.0, handbook, 0.35e9},
    {"cast-iron", 110e9, 0.26, 7200.0, handbook, 0.0},
    {"nickel", 200e9, 0.31, 8900.0, handbook, 0.15e9},
    {"magnesium", 45e9, 0.29, 1740.0, handbook, 0.2e9},
    {"tungsten", 410e9, 0.28, 19300.0, handbook, 0.75e9},
    {"tungsten-carbide", 600e9, 0.22, 15000.0, handbook, 0.0},
    {"glass", 70e9, 0.22, 2500.0, handbook, 0.0},
    {"alumina", 370e9, 0.22, 3900.0, handbook, 0.0},
    {"sapphire", 400e9, 0.28, 3980.0, handbook, 0.0},
    {"zirconia", 205e9, 0.31, 6050.0, handbook, 0.0},
    {"silicon-nitride", 310e9, 0.27, 3200.0, handbook, 0.0},
    {"granite", 60e9, 0.25, 2700.0, handbook, 0.0},
    {"rock", 18.8e9, 0.25, 2200.0, "Monasse and Mariotti 2012, section 3.4 (the half-space of Lamb's problem)", 0.0},
    {"ice", 9.0e9, 0.33, 917.0, handbook, 0.0},
    {"ptfe", 0.5e9, 0.46, 2200.0, handbook, 20e6},
    {"nylon", 2.8e9, 0.40, 1140.0, handbook, 70e6},
    {"delrin", 3.0e9, 0.35, 1420.0, handbook, 65e6},
    {"polycarbonate", 2.3e9, 0.37, 1200.0, handbook, 62e6},
    {"acrylic", 3.0e9, 0.37, 1190.0, handbook, 70e6},
    {"polystyrene", 3.2e9, 0.35, 1050.0, handbook, 40e6},
    {"polyethylene", 1.0e9, 0.42, 950.0, handbook, 25e6},
    {NULL, 0.0, 0.0, 0.0, NULL, 0.0},
};

/* (1 - nu^2)/E; a rigid side does not yield */
static double compliance(const struct carom_material *material)
{
    return isinf(material->young) ? 0.0 : (1.0 - material->poisson * material->poisson) / material->young;
}

double carom_materials_hertz(const struct carom_material *a, double radius_a, const struct carom_material *b,
                             double radius_b)
{
    const double modulus = 1.0 / (compliance(a) + compliance(b));
    const double radius = 1.0 / (1.0 / radius_a + 1.0 / radius_b);
    return 4.0 / 3.0 * modulus * sqrt(radius);
}
