/* The keys of a scene, section by section: what the binder accepts and the reference pages print. Keys whose value
 * is a number, a flag or a word of a list are rows of parameter tables; the rest (texts, lists, maps) are described
 * in words beside them. */
#ifndef CAROM_SCENE_KEYS_KEYS_H
#define CAROM_SCENE_KEYS_KEYS_H

#include "carom/scene.h"

/* A key that is more than a number. */
struct carom_key {
    const char *name;     /* NULL ends the list */
    const char *type;     /* in words */
    const char *standard; /* default in words, or NULL: must be given */
    const char *text;
};

struct carom_section {
    struct carom_kind kind; /* its name is where the keys stand */
    const struct carom_key *others;
};

/* All sections, NULL-ended; each is the kind of a struct carom_section. */
extern const struct carom_kind *const carom_keys_list[];

/* Where a key that is not in the scene would belong: the map of which section, or NULL. */
const char *carom_keys_home(const char *key);

/* The impact law of a scene; NULL: its scheme has none. Is a key of `run` an option of other impact laws alone? */
const struct carom_impact *carom_keys_impact(const struct carom_scene *scene);
bool carom_keys_foreign(const struct carom_impact *impact, const char *key);

/* The section a kind of that list belongs to. */
const struct carom_section *carom_keys_section(const struct carom_kind *kind);

enum carom_keys_theory { CAROM_KEYS_COMPLIANT, CAROM_KEYS_LZB, CAROM_KEYS_NONSMOOTH, CAROM_KEYS_SOLID };
enum carom_keys_side { CAROM_KEYS_LEFT, CAROM_KEYS_RIGHT };

struct carom_keys_scene {
    int units; /* 0: si */
    int theory;
    long seed;
    double precompression;
    long format;
};

struct carom_keys_material {
    double young, poisson, density, yield;
};

/* One bead; a chain has a list of them. */
struct carom_keys_bead {
    double mass, radius, spring, damping, string, gap_before;
};

struct carom_keys_chain {
    long count;
    double mass, radius, spring, damping, string, gap, gap_before;
};

enum carom_keys_of { CAROM_KEYS_OF_RADIUS, CAROM_KEYS_OF_MASS, CAROM_KEYS_OF_STIFFNESS };
enum carom_keys_draw { CAROM_KEYS_UNIFORM, CAROM_KEYS_NORMAL, CAROM_KEYS_TWO_VALUED };

struct carom_keys_taper {
    double ratio, radius, mass; /* of the last bead */
    int of, shape;              /* shape 0: geometric, 1: linear */
};

struct carom_keys_disorder {
    int of, kind;
    double width, deviation, ratio, share;
    long seed;
};

/* An odd bead of a chain. */
struct carom_keys_impurity {
    double share;
    long seed;
    double mass, radius, spring;
};

struct carom_keys_sensor {
    int wall;
    double bandwidth;
};

struct carom_keys_striker {
    int side;
    long count;
    double velocity, gap;
    double mass, radius, spring, damping, string;
};

struct carom_keys_wall {
    int side;
    double gap;
};

struct carom_keys_contacts {
    int contact_end; /* enum carom_ending */
};

struct carom_keys_restitution {
    double e, speed;
};

struct carom_keys_start {
    double velocity, displacement, angle;
};

struct carom_keys_strings {
    double gravity;
    int angle; /* 0: small */
};

struct carom_keys_load {
    int wall; /* enum carom_keys_side */
};

struct carom_keys_signal {
    int shape; /* enum carom_shape, less 1 */
    double amplitude, offset, start, duration, frequency, frequency_end, phase;
};

struct carom_keys_run {
    double until;
    long threads;
    double checkpoint;
    bool resumable;
    double skin;
};

struct carom_keys_record {
    double every, from, to, impact_every;
    bool zero_force;
    long every_steps;
    bool events;
};

extern const struct carom_param carom_keys_gravity; /* of rows: a number */
extern const struct carom_section carom_keys_scene, carom_keys_material, carom_keys_chain, carom_keys_pattern,
    carom_keys_bead, carom_keys_striker, carom_keys_wall, carom_keys_contacts, carom_keys_restitution, carom_keys_start,
    carom_keys_run, carom_keys_record, carom_keys_taper, carom_keys_disorder, carom_keys_decorate, carom_keys_impurity,
    carom_keys_sensor, carom_keys_strings, carom_keys_load, carom_keys_signal;

#endif
