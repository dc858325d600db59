/* Contacts of balls with a solid and with each other: gaps that depend on the coordinates of two parts. */
#ifndef CAROM_MODEL_SOLID_SOLID_STRIKE_H
#define CAROM_MODEL_SOLID_SOLID_STRIKE_H

#include "model/solid/solid_balls.h"
#include "model/solid/solid_skin.h"

enum {
    CAROM_STRIKE_BALLS = 64, /* the most balls: all pairs of them are contacts */
    CAROM_STRIKE_CELLS = 3 * CAROM_SKIN_OWNERS,
};

#define CAROM_STRIKE_SOLID (-3) /* in the pairs of a model: the solid; balls count from 0 */

/* Contacts of a model: first each ball with the solid, then every two balls. */
struct carom_solid_strike {
    const struct carom_solid *solid;
    const struct carom_solid_balls *balls;
    size_t solid_member, balls_member;
    struct carom_solid_skin *skin;
    double reach; /* the largest of its rims */
};

/* One contact at one place. The gap grows as ball[1] moves along the normal, and shrinks as the other side does. */
struct carom_strike {
    double gap, normal[3];
    int32_t ball[2]; /* ball[0] < 0: cells of the solid instead */
    size_t ncells;
    uint32_t cell[CAROM_STRIKE_CELLS];
    double share[CAROM_STRIKE_CELLS], arm[CAROM_STRIKE_CELLS][3]; /* they add up to 1; from centres, as they stand */
};

/* How many contacts n balls have, and who they join. */
size_t carom_solid_strike_count(size_t n);
void carom_solid_strike_pairs(size_t n, int32_t (*pair)[2]);

/* Gives a model of a solid and balls its contacts; before they are joined. */
enum carom_status carom_solid_strike_add(struct carom_model *model, struct carom_error *error);
const struct carom_solid_strike *carom_solid_strike_of(const struct carom_model *model);

/* Contacts [first, last) at q, the whole model's. A ball farther from the solid than its radius and four cells has the
 * gap of that distance and no cells. */
void carom_solid_strike_find(const struct carom_model *model, size_t first, size_t last, const double *q,
                             struct carom_strike *out);

/* The largest speed that a ball has, or that contacts which are pressed together at the start can give it. */
double carom_solid_strike_speed(const struct carom_model *model, const double *q, const double *v);

/* The box around all balls at q and what they see: cells with their centre outside of it touch nobody. */
void carom_solid_strike_box(const struct carom_model *model, const double *q, double low[3], double high[3]);

/* The largest frequency of a ball on another, or on one cell (else, on what does not move), pressed together by this
 * speed; a contact lasts 3 to 4 over that of balls alone. */
double carom_solid_strike_frequency(const struct carom_model *model, double speed, bool cells);

#endif
