/* The keys of elastic solids in scenes: tables as in keys.h. */
#ifndef CAROM_SCENE_KEYS_KEYS_SOLID_H
#define CAROM_SCENE_KEYS_KEYS_SOLID_H

#include "carom/solid.h"
#include "scene/keys/keys.h"

struct carom_keys_solid {
    int plane; /* 0: strain, 1: stress; of plane boxes */
    double depth;
    bool accept_skew;
    int self_contact; /* 0: where it breaks, 1: always, 2: never */
};

struct carom_keys_solid_rough {
    double mu, slip_speed;
};

struct carom_keys_solid_cylinder {
    double radius, height, thickness;
    long around, along;
};

struct carom_keys_solid_ball {
    double radius, mass, thickness;
};

struct carom_keys_solid_damping {
    double mass, stiffness;
};

struct carom_keys_solid_turn {
    double angle;
};
struct carom_keys_solid_clamp {
    int symmetry; /* 0: none, 1 + axis */
};

struct carom_keys_solid_load {
    double pressure;
    int during; /* 0: always, 1: start, 2: run */
};

struct carom_keys_solid_sphere {
    double radius;
};

struct carom_keys_solid_start {
    bool settle;
};

extern const struct carom_section carom_keys_solid_plane, carom_keys_solid_contacts, carom_keys_solid_tie,
    carom_keys_solid_recorded, carom_keys_solid_held;
extern const struct carom_section carom_keys_solid, carom_keys_solid_box, carom_keys_solid_cylinder,
    carom_keys_solid_damping, carom_keys_solid_plasticity, carom_keys_solid_viscoelasticity, carom_keys_solid_fracture,
    carom_keys_solid_nonlinear, carom_keys_solid_rough, carom_keys_solid_sphere, carom_keys_solid_graded,
    carom_keys_solid_graded_end, carom_keys_solid_field, carom_keys_solid_crack, carom_keys_solid_cells,
    carom_keys_solid_region, carom_keys_solid_clamp, carom_keys_solid_turn, carom_keys_solid_ball,
    carom_keys_solid_drive, carom_keys_solid_load, carom_keys_solid_start;

#endif
