/* What contacts bear elastically: largest pressures of Hertz against the strength of the softer material. A sink of a
 * run keeps the contact that its book of impacts has pressed hardest. */
#ifndef CAROM_SCENE_CONTACT_YIELD_H
#define CAROM_SCENE_CONTACT_YIELD_H

#include "carom/bodies.h"
#include "carom/scene.h"

struct carom_yield_pair {
    double bears;    /* the force at which it begins to yield, of bodies over R*^2; 0: not known, or never */
    char softer[32]; /* the name of the material that does */
};

struct carom_yield {
    bool classes;                    /* of bodies, whose contacts come and go */
    char note[300];                  /* what is said before a run; "": nothing */
    const struct carom_model *model; /* of the run */
    double pressed;                  /* the largest pressure over that of first yield so far */
    struct carom_episode hardest;    /* where that was */
    size_t n;
    struct carom_yield_pair
        pair[]; /* rows and balls that strike solids: by numbers of contacts; bodies: n x n classes */
};

/* 1/R of one side of a contact: spheres have one, all else counts as flat. */
double carom_yield_curved(const struct carom_bodies *bodies, const struct carom_body *body);

/* Notes an episode if it was pressed harder than those before; `model` and `pressed` are set. */
void carom_yield_look(struct carom_yield *yield, const struct carom_episode *episode);

/* What to say of the hardest pressed contact where it would yield, one sentence with the names that a scene (NULL:
 * none) gives to bodies; false: nothing. `si`: with units. */
#define CAROM_YIELD_TEXT 400
bool carom_yield_say(const struct carom_yield *yield, const struct carom_scene *scene, bool si,
                     char text[CAROM_YIELD_TEXT]);

/* Looks at all episodes of a run; `own` is a struct carom_yield, which stays the scene's. */
extern const struct carom_sink carom_yield_sink;

#endif
