/* What strikes solids: balls, other solids and rigid walls, as contacts of a model with several parts. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_STRIKE_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_STRIKE_H

#include "carom/friction.h"
#include "model/solid/solid_skin_patch.h"
#include "model/solid/strike/solid_balls.h"

enum {
    CAROM_STRIKE_BALLS = 256, /* the most balls: all pairs of them are contacts */
    CAROM_STRIKE_SOLIDS = 64, /* the most solids, likewise */
    CAROM_STRIKE_WALLS = 16,
};

#define CAROM_STRIKE_DEEPEST 0.5 /* of its radius: a ball whose centre is nearer to a solid is too far inside */

/* In the pairs of a model balls count from 0 up, solids from here down, then walls. */
#define CAROM_STRIKE_SOLID (-3)

struct carom_threads;
struct carom_press_crew;

/* A rigid plane that stands still; its normal looks to the free side. */
struct carom_strike_wall {
    char name[32];
    double at[3], normal[3];
};

/* One of the solids; its number is that of its member in the model. */
struct carom_strike_body {
    const struct carom_solid *solid;
    struct carom_solid_skin *skin;
    double reach; /* the largest of its rims */
    double light; /* mass of the lightest cell with a free face */
};

/* A point of a solid's surface, or of a wall: a number of bodies or more. */
struct carom_press_end {
    uint32_t body, piece;
    double share[3];
};

/* Two points of two surfaces that press each other. The depth falls as end 0 moves along the normal, and grows as end
 * 1 does. */
struct carom_press {
    struct carom_press_end end[2];
    double weight; /* its area over that of the contact */
    double depth, normal[3];
};

/* Two solids, or a solid and a wall, that meet with their surfaces: solid_press.c. */
struct carom_strike_meet {
    uint32_t body[2];
    double area;       /* in which they face each other at the start */
    double compliance; /* of half a cell of each per area: area / compliance is as stiff as the cells are */
    bool tied;
    size_t nties;
    struct carom_press *tie; /* points that are tied */
};

/* Friction of one contact; law NULL: none. */
struct carom_strike_friction {
    const struct carom_friction *law;
    double param[CAROM_FRICTION_PARAMS];
};

/* Contacts of a model in this order: each ball with the first solid, with the second, ...; every two balls; each ball
 * with the first wall, ...; every two solids; each solid with the first wall, ... */
struct carom_solid_strike {
    size_t nbodies, nballs, nwalls, nmeets;
    size_t balls_first, walls_first, meets_first; /* contacts */
    struct carom_strike_body *body;
    struct carom_strike_wall *wall;
    struct carom_strike_meet *meet;
    struct carom_strike_friction *friction; /* by contacts; NULL: nothing rubs */
    struct carom_press_rooms *rooms;        /* to compare surfaces in: solid_press_room.h; NULL: there are none */
    const struct carom_solid_balls *balls;  /* NULL: none */
    size_t balls_member;
};

/* One contact of a ball at one place. The gap grows by `slope` as ball[1] moves, and shrinks as the other side does. */
struct carom_strike {
    double gap, slope[3];
    double normal[3], point[3]; /* the slope's direction; from the centre of ball[1] to where friction acts */
    int32_t ball[2];            /* ball[0] < 0: cells of a solid instead, or a wall */
    uint32_t body;              /* whose cells: touches [first, first + ncells) of the pool */
    const struct carom_skin_pool *pool;
    size_t first, ncells;
};

/* How many contacts so many have, and who they join. */
size_t carom_solid_strike_count(size_t solids, size_t balls, size_t walls);
void carom_solid_strike_pairs(size_t solids, size_t balls, size_t walls, int32_t (*pair)[2]);

/* Gives a model of solids and balls its contacts; before they are joined. It keeps a copy of the walls. */
enum carom_status carom_solid_strike_add(struct carom_model *model, size_t nwalls, const struct carom_strike_wall *wall,
                                         struct carom_error *error);
const struct carom_solid_strike *carom_solid_strike_of(const struct carom_model *model);

/* Gives contacts friction (nc entries, taken over); before the model is finished. Those of faces have laws without a
 * spring. */
void carom_solid_strike_friction(struct carom_model *model, struct carom_strike_friction *friction);

/* Parameters of one contact's friction as laws read them. */
void carom_solid_strike_friction_columns(const struct carom_strike_friction *friction,
                                         const double *column[CAROM_FRICTION_PARAMS]);

/* The force of a law without a spring in one point that is pressed by `normal` and slips, where an impulse of 1 would
 * make a slip of `mobility`; and its power. Of the slip, what is across the normal `out` counts, and is left. */
double carom_solid_strike_friction_point(const struct carom_strike_friction *friction, double depth, double normal,
                                         const double out[3], double slip[3], double step, double mobility,
                                         double force[3]);

/* What springs on balls store where contacts overlap by `deform`, added to `energy`; see carom_encounter. */
void carom_solid_strike_friction_energy(const struct carom_model *model, size_t first, size_t last,
                                        const struct carom_state *view, const double *deform, double *energy);

/* The slip that an impulse of 1 makes, at most: of a ball on what it touches; of all points together in which one cell
 * meets another body. */
double carom_solid_strike_swing_mobility(const struct carom_solid_strike *strike, const int32_t pair[2],
                                         size_t contact);
double carom_solid_strike_swing_mobility_faces(const struct carom_solid_strike *strike,
                                               const struct carom_strike_meet *meet);

/* Ties the surfaces of two solids together where they touch at the start; how many points that are. */
enum carom_status carom_solid_strike_tie(struct carom_model *model, size_t meet, const double *q, size_t *points,
                                         struct carom_error *error);

/* Contacts [first, last) of balls at q, the whole model's. A ball farther from a solid than its radius and four cells,
 * or if it need not look far than half its radius, has the gap of that distance and no cells. Cells are added to the
 * pool; without one there are none. */
void carom_solid_strike_find(const struct carom_model *model, size_t first, size_t last, bool far, const double *q,
                             struct carom_skin_pool *pool, struct carom_strike *out);

/* How fast such a contact, found with its cells, closes; v is the physical one. */
double carom_solid_strike_rate(const struct carom_model *model, const struct carom_strike *strike, const double *q,
                               const double *v);

/* One of the cells of a contact. */
const struct carom_skin_touch *carom_solid_strike_touch(const struct carom_strike *strike, size_t i);

/* The largest speed that a ball has, or gets by its weight before `until` (may be HUGE_VAL) or from contacts which are
 * pressed together at the start. */
double carom_solid_strike_swing_speed(const struct carom_model *model, const double *q, const double *v, double until);

/* The box around all balls at q and what they see: cells with their centre outside of it touch no ball. */
void carom_solid_strike_box(const struct carom_model *model, const double *q, double low[3], double high[3]);

/* The largest frequency of a ball on another, or on one cell (else, on what does not move), pressed together by this
 * speed; a contact lasts 3 to 4 over that of balls alone. 0: there are no balls. */
double carom_solid_strike_swing_frequency(const struct carom_model *model, double speed, bool cells);

/* The largest frequency of a cell on another, or on a wall, under contacts of surfaces, larger where these are damped:
 * 2 over it is the longest step; 0: there are none. */
double carom_solid_strike_swing_frequency_faces(const struct carom_model *model);

/* --- surfaces (solid_press.c) ------------------------------------------------------------------------------------ */

/* Area and compliance of a meeting, with all as it is at the start. */
void carom_solid_press_measure(const struct carom_solid_strike *strike, struct carom_strike_meet *meet);

/* Boxes around all solids at q, the whole model's. */
struct carom_press_box {
    double low[3], high[3];
};
void carom_solid_press_boxes(const struct carom_model *model, const double *q, struct carom_press_box *box);

/* Who looks for points: a crew of threads, or this one alone (NULL), for one of several parts of those of two solids:
 * those of one side are in their order those of part 0, of part 1, ... */
struct carom_press_hands {
    struct carom_press_crew *crew;
    size_t number, count;
};

/* Tells `take` of all points of a meeting that are closer than a cell: those with a depth less than 0 stand apart.
 * Hands (NULL: one) find
 * the same, in the same order; only where the meeting `deals` are there parts. */
typedef void carom_press_take(void *own, const struct carom_press *press);
bool carom_solid_press_deals(const struct carom_model *model, const struct carom_strike_meet *meet,
                             const struct carom_press_box *box);
void carom_solid_press_find(const struct carom_model *model, const struct carom_strike_meet *meet,
                            const struct carom_press_box *box, const double *q, const struct carom_press_hands *hands,
                            carom_press_take *take, void *own);

/* A crew; NULL if there is one thread, or no memory for more. */
struct carom_press_crew *carom_solid_press_crew_create(struct carom_threads *threads);
void carom_solid_press_crew_free(struct carom_press_crew *crew);

/* How far a place is from the surface of a solid, whose q this is, however far; less than 0: inside. */
double carom_solid_press_distance(const struct carom_strike_body *body, const double *q, const double (*place)[3]);

/* Does one of two solids hold cells of the other? Surfaces see no farther than a cell, and nothing where they are one.
 */
bool carom_solid_press_inside(const struct carom_model *model, const struct carom_strike_meet *meet,
                              const struct carom_press_box *box, const double *q);

/* Do edges of one go through faces of the other, with more than this part of a cell on either side? solid_cross.c */
bool carom_solid_cross(const struct carom_model *model, const struct carom_strike_meet *meet, const double *q,
                       double depth);

#endif
