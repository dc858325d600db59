/* The keys of a scene, section by section: what the binder accepts and the reference pages print. Keys whose value
 * is a number, a flag or a word of a list are rows of parameter tables; the rest (texts, lists, maps) are described
 * in words beside them. */
#ifndef CAROM_SCENE_KEYS_H
#define CAROM_SCENE_KEYS_H

#include "carom/param.h"

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

/* The section a kind of that list belongs to. */
const struct carom_section *carom_keys_section(const struct carom_kind *kind);

enum carom_keys_theory { CAROM_KEYS_COMPLIANT, CAROM_KEYS_LZB, CAROM_KEYS_NONSMOOTH, CAROM_KEYS_SOLID };
enum carom_keys_side { CAROM_KEYS_LEFT, CAROM_KEYS_RIGHT };

struct carom_keys_scene {
    int units; /* 0: si */
    int theory;
    long seed;
};

struct carom_keys_material {
    double young, poisson, density;
};

/* One bead; a chain has a list of them. */
struct carom_keys_bead {
    double mass, radius, spring, gap_before;
};

struct carom_keys_chain {
    long count;
    double mass, radius, spring, gap, gap_before;
};

struct carom_keys_striker {
    int side;
    double velocity, gap;
    double mass, radius, spring;
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
    double velocity, displacement;
};

struct carom_keys_run {
    double until;
    long threads;
    double checkpoint;
};

struct carom_keys_record {
    double every;
    long every_steps;
    bool events;
};

extern const struct carom_section carom_keys_scene, carom_keys_material, carom_keys_chain, carom_keys_pattern,
    carom_keys_bead, carom_keys_striker, carom_keys_wall, carom_keys_contacts, carom_keys_restitution, carom_keys_start,
    carom_keys_run, carom_keys_record;

#endif
