/* One contact somewhere inside a step of dp5: where it leaves its phase and what it pushes there is asked of it
 * alone. */
#ifndef CAROM_SCHEME_COMPLIANT_BODIES_GLANCE_H
#define CAROM_SCHEME_COMPLIANT_BODIES_GLANCE_H

#include "carom/friction.h"
#include "scheme/compliant/dp5_bodies.h"

struct carom_glance {
    struct carom_stepper *stepper;
    struct carom_dp5_bodies *w;
    size_t j;
    enum carom_way way;
    double t;                  /* of the step's beginning */
    struct carom_contacts one; /* a list of this contact alone */
    double *column[2 * CAROM_LAW_WIDTH + CAROM_WAYS * (CAROM_FRICTION_PARAMS + 4) + CAROM_RETIRED_KINDS];
};

/* Contact j of the step under way, which begins at t; `way` is for who asks. */
void carom_bodies_glance_begin(struct carom_glance *glance, struct carom_stepper *stepper, double t, size_t j,
                               enum carom_way way);

/* Geometry, forces and friction into w->look: at s in [0, 1] of the dense output, or as stage s had it. */
void carom_bodies_glance_at(struct carom_glance *glance, double s);
void carom_bodies_glance_stage(struct carom_glance *glance, size_t s);

/* The phase that the contact is in at s, in the way of the glance, if the step began in the phase it has. */
enum carom_contact_phase carom_bodies_phases_at(struct carom_glance *glance, double s);

/* Has it left that phase? Contacts that hover about touching do not open and close by it: what is thinner than a grain
 * does not count. */
bool carom_bodies_phases_left(struct carom_glance *glance, double s);

static inline const struct carom_friction *carom_bodies_glance_law(const struct carom_dp5_bodies *w, size_t j,
                                                                   enum carom_way way)
{
    return carom_pairing_resists(&w->bodies->pairing[w->at.key[j].pairing], way);
}

static inline bool carom_bodies_glance_has_spring(const struct carom_dp5_bodies *w, size_t j, enum carom_way way)
{
    const struct carom_friction *friction = carom_bodies_glance_law(w, j, way);
    return friction && friction->spring;
}

/* Parameters of the friction of contact j of a list as those of a first one. */
static inline void carom_bodies_glance_params(const struct carom_dp5_bodies *w, const struct carom_contacts *c,
                                              size_t j, enum carom_way way, const double *param[CAROM_FRICTION_PARAMS])
{
    for (size_t i = 0; i < w->bodies->nrub[way]; i++)
        param[i] = c->column[w->act.columns.rub[way] + i] + j;
}

/* The square of how far the spring of contact j is stretched. */
static inline double carom_bodies_glance_stretch(const struct carom_dp5_bodies *w, const struct carom_contacts *c,
                                                 size_t j, enum carom_way way)
{
    double square = 0.0;
    for (size_t k = 0; k < w->act.columns.width[way]; k++) {
        const double x = c->column[w->act.columns.spring[way] + k][j];
        square += x * x;
    }
    return square;
}

#endif
