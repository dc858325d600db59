/* The keys of bodies in the plane and in space: tables as in keys.h. */
#ifndef CAROM_SCENE_KEYS_KEYS_SPACE_H
#define CAROM_SCENE_KEYS_KEYS_SPACE_H

#include "scene/keys/keys.h"

/* A disc or sphere, and the bodies of a lattice or packing. */
struct carom_keys_ball {
    double mass, radius, thickness;
    bool fixed, inside;
};

enum carom_keys_ball_kind { CAROM_KEYS_DISC, CAROM_KEYS_SPHERE };

struct carom_keys_lattice {
    int kind; /* enum carom_lattice */
    int of;   /* enum carom_keys_ball_kind */
    double mass, radius, thickness, gap, spread, disorder, vacancies;
    long seed;
    bool fixed;
};

/* Bodies of another kind on a lattice's sites. */
struct carom_keys_intruder {
    double mass, radius, share;
};

struct carom_keys_packing {
    int kind; /* enum carom_packing */
    int of;
    long count, seed;
    double fraction, mass, radius, spread, thickness;
};

/* The bodies of a table. */
struct carom_keys_table {
    int of;
    double mass, radius, thickness;
    bool fixed;
};

/* A plane, box or cylinder. */
struct carom_keys_side_wall {
    double mass, radius, height, thickness;
    bool fixed, inside;
};

/* A polygon or polyhedron. */
enum carom_keys_solid_kind {
    CAROM_KEYS_NO_SOLID,
    CAROM_KEYS_TETRAHEDRON,
    CAROM_KEYS_CUBE,
    CAROM_KEYS_OCTAHEDRON,
    CAROM_KEYS_DODECAHEDRON,
    CAROM_KEYS_ICOSAHEDRON
};
struct carom_keys_convex {
    double mass, radius, thickness, scale;
    long sides;
    int kind; /* enum carom_keys_solid_kind */
    bool fixed;
};

/* A capsule, or a body of several parts. */
struct carom_keys_compound {
    double mass, radius, length, thickness;
    bool fixed;
};

struct carom_keys_space_velocity {
    double speed, angle;
};

/* A joint between two bodies. */
struct carom_keys_space_joint {
    double e;
};

struct carom_keys_space_start {
    bool settle;
};

extern const struct carom_section carom_keys_space_disc, carom_keys_space_sphere, carom_keys_space_lattice,
    carom_keys_space_intruder, carom_keys_space_packing, carom_keys_space_file, carom_keys_space_run,
    carom_keys_space_plane, carom_keys_space_box, carom_keys_space_cylinder, carom_keys_space_polygon,
    carom_keys_space_polyhedron, carom_keys_space_capsule, carom_keys_space_compound, carom_keys_space_lead,
    carom_keys_space_meeting, carom_keys_space_friction, carom_keys_space_start, carom_keys_space_velocity,
    carom_keys_space_load, carom_keys_space_joint;

#endif
