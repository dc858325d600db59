/* The entries of the energy ledger, once for all who name them: its struct (state.h), probes, run files, tables. */
#ifndef CAROM_LEDGER_H
#define CAROM_LEDGER_H

/* X(field of struct carom_ledger, name of its probe, what it is, path in files, label in tables) */
/* clang-format off */
#define CAROM_LEDGER_ENERGIES(X)                                                                                       \
    X(kinetic, "kinetic", "kinetic energy", "kinetic", "kinetic")                                                      \
    X(stored, "stored", "elastic energy", "stored", "stored")                                                          \
    X(dissipated, "dissipated", "energy dissipated so far", "dissipated", "dissipated")

#define CAROM_LEDGER_BALANCE(X)                                                                                        \
    X(work, "work", "work of loads and drives so far", "work", "work put in")                                          \
    X(residual, "residual", "kinetic + stored + dissipated - work - energy at the start", "residual", "residual")

/* what adds up to `dissipated` */
#define CAROM_LEDGER_PARTS(X)                                                                                          \
    X(viscous, "viscous", "dissipated by the laws' damping", "mechanism/viscous", "by the laws")                       \
    X(clipped, "clipped", "elastic energy discarded where contacts end by force", "mechanism/clipped", "clipped")      \
    X(internal, "internal", "dissipated inside parts", "mechanism/internal", "inside parts")                           \
    X(impact, "impact", "dissipated by impacts of rigid bodies", "mechanism/impact", "by impacts")                     \
    X(friction, "friction", "dissipated by friction", "mechanism/friction", "by friction")                             \
    X(rolling, "rolling", "dissipated by resistance to rolling", "mechanism/rolling", "by rolling")                    \
    X(twisting, "twisting", "dissipated by resistance to twisting", "mechanism/twisting", "by twisting")               \
    X(change, "stiffness_change", "dropped by friction springs where their stiffness changes; less than 0: made",      \
      "mechanism/stiffness_change", "by stiffness")                                                                    \
    X(numerical, "numerical", "taken by the scheme itself, beside its contact laws; less than 0: created",             \
      "mechanism/numerical", "by the scheme")                                                                          \
    X(outside, "outside", "energy of bodies that left the domain and were removed", "mechanism/outside", "outside")    \
    X(absorbed, "absorbed", "energy that left a solid through its absorbing sides", "mechanism/absorbed", "absorbed")  \
    X(plastic, "plastic", "plastic work in the cells of a solid", "mechanism/plastic", "plastic")                      \
    X(fracture, "fracture", "energy that breaking links of a solid took", "mechanism/fracture", "by fracture")

#define CAROM_LEDGER(X) CAROM_LEDGER_ENERGIES(X) CAROM_LEDGER_BALANCE(X) CAROM_LEDGER_PARTS(X)
/* clang-format on */

#endif
