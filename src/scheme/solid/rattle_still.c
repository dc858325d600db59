/* Below what velocities and angular momenta cells count as at rest (kernel/still.h), for all cells of a body alike. */
#include "scheme/solid/rattle.h"

/* Of the rate at which the stiffest motion turns a cell by its own angle of 1 or moves it by its own size: what is kept
 * then moves and turns cells by 1e-40 or so a step. Forces and turns have products of up to six such numbers, and
 * those, 1e-240, with all that rounding and units leave of them, are still far from the smallest of 2e-308. */
#define FRACTION 1e-40

/* Half turns about principal axes in a step: a cell that turns about one of them has by its own tilt some of it about
 * the others, the product of three such numbers and more, and the square of that is needed. */
#define HALF_TURN 1e-50

/* Where all of a run is that slow, the last bit of its speed is 1e-16, and this is far below that. */
#define OF_SPEED 1e-30

void carom_rattle_still(struct carom_rattle_body *body, double speed)
{
    const struct carom_solid *s = body->solid;
    double inertia = 0.0, size = 0.0; /* the largest, and the largest radius of gyration */
    for (size_t i = 0; i < s->nsorts; i++)
        for (int k = s->dimension == 3 ? 0 : 2; k < 3; k++) {
            inertia = fmax(inertia, s->sorts[i].inertia[k]);
            size = fmax(size, sqrt(s->sorts[i].inertia[k] * s->sorts[i].inverse_mass));
        }
    const double rate = size > 0.0 ? fmin(FRACTION * body->omega, OF_SPEED * speed / size) : 0.0;
    body->still[0] = rate * size;
    body->still[1] = rate * inertia;
    body->still[2] = rate > 0.0 ? HALF_TURN * (rate / (FRACTION * body->omega)) : 0.0;
}
