/* What a frame that is no chain keeps beside its matrix. */
#ifndef CAROM_MODEL_FRAME_OWN_H
#define CAROM_MODEL_FRAME_OWN_H

#include "model/frame.h"

/* a model of one part, whose velocities are those of the bodies that links join */
struct carom_frame_model {
    struct carom_model model;
    struct carom_member member;
};

/* one side of a contact of a general model */
struct carom_frame_side {
    size_t part;         /* nparts: a wall */
    size_t first, count; /* the velocities of the part that the port depends on */
    size_t reach, width; /* those that an impulse changes */
    double sign, drift;
};

/* what general models keep: sides, directions and answers of both sides of every contact, one slice each; with friction
 * the tangents follow, as contacts room, room + 1, ..., those of one contact together */
struct carom_frame_own {
    struct carom_frame_side *side;   /* 2 room, or with tangents 4 or 6 */
    double *slope;                   /* 2 room x PORT */
    double *answer;                  /* 2 room x breadth */
    double *inverse;                 /* nv: inverse masses of parts whose mass is diagonal */
    double *push;                    /* widest: a unit impulse; then zeros */
    struct carom_port *port;         /* 3 */
    size_t widest;                   /* velocities of the largest part */
    size_t breadth;                  /* the most velocities that one side can change */
    size_t slots;                    /* of a slope: the widest a port can be here */
    struct carom_frame_model *links; /* what links count as; NULL: contacts of a real model */
};

/* The arrays of all frames, for frame->room contacts, freed by their close; false: out of memory. */
bool carom_frame_arrays(struct carom_frame *frame);

/* The calls of frame.h for chains (frame_chain.c). */
void carom_frame_chain_set(struct carom_frame *frame, double t, const double *q);
void carom_frame_chain_rates(const struct carom_frame *frame, const double *v, double *rate);
void carom_frame_chain_push(const struct carom_frame *frame, const double *impulse, double *v);

#endif
