/* What a sweep keeps of every run: numbers with a name and a unit, read at the end of the run or on the way. */
#ifndef CAROM_STUDY_SWEEP_OUTPUTS_H
#define CAROM_STUDY_SWEEP_OUTPUTS_H

#include "carom/bodies.h"
#include "carom/scene.h"
#include "study/follow/track.h"

enum carom_output_kind {
    CAROM_OUTPUT_U, /* displacement and velocity of a body at the end */
    CAROM_OUTPUT_V,
    CAROM_OUTPUT_SPIN,     /* of a disc or sphere */
    CAROM_OUTPUT_SENSOR_U, /* the same at a sensor of a solid */
    CAROM_OUTPUT_SENSOR_V,
    CAROM_OUTPUT_PEAK_FORCE,   /* largest force at a contact, or at any */
    CAROM_OUTPUT_PEAK_IMPULSE, /* largest impulse of rigid discs or spheres, of two or of any */
    CAROM_OUTPUT_KINETIC,      /* the ledger at the end */
    CAROM_OUTPUT_STORED,
    CAROM_OUTPUT_DISSIPATED,
    CAROM_OUTPUT_WORK,
    CAROM_OUTPUT_RESIDUAL,
    CAROM_OUTPUT_MOMENTUM,
    CAROM_OUTPUT_CLOSED, /* contacts closed at the end */
    CAROM_OUTPUT_STRESS, /* of a disc or sphere, and over a region, at the end: probes of the same names */
    CAROM_OUTPUT_REGION_STRESS,
    CAROM_OUTPUT_REGION_KINETIC,
    CAROM_OUTPUT_FABRIC,
    CAROM_OUTPUT_COORDINATION,
    CAROM_OUTPUT_STEPS,   /* steps taken */
    CAROM_OUTPUT_ERROR_U, /* largest error against a tighter run, absolute; relative to the scales the larger one */
    CAROM_OUTPUT_ERROR_V,
    CAROM_OUTPUT_ERROR,
};

#define CAROM_OUTPUT_LAST SIZE_MAX      /* as index: the last body */
#define CAROM_OUTPUT_ANY (SIZE_MAX - 1) /* as index: all contacts */
#define CAROM_OUTPUTS_MOST 32
#define CAROM_OUTPUT_TENSOR 6 /* numbers of a stress or fabric: xx yy zz yz xz xy */

struct carom_output {
    char name[48];
    enum carom_output_kind kind;
    size_t index; /* body from 0, or contact by its number in scenes; axis of a sensor */
    size_t other; /* the second body of a contact that comes and goes; CAROM_OUTPUT_ANY: none is named */
    size_t axis;  /* of a body in the plane or in space: 0, 1, 2; CAROM_OUTPUT_ANY: none is named; of a tensor 0 to 5 */
    char sensor[32]; /* its name */
    const char *unit;
};

struct carom_outputs {
    size_t count;
    struct carom_output output[CAROM_OUTPUTS_MOST];
    bool peaks, impulses, errors; /* is any of these among them? */
};

#define CAROM_OUTPUTS_STANDARD "v_last,peak_force,kinetic,stored,dissipated"
#define CAROM_OUTPUTS_ENERGIES "kinetic,stored,dissipated,work" /* of all but rows and mechanisms */

/* Reads names with commas between them; `si`: outputs have units. */
enum carom_status carom_outputs_read(const char *names, bool si, struct carom_outputs *outputs,
                                     struct carom_error *error);

/* The word an output's name begins with. */
const char *carom_outputs_word(const struct carom_output *output);

/* The names again, with commas. */
void carom_outputs_print(const struct carom_outputs *outputs, char *text, size_t size);

/* All of them for a person, in two columns. */
const char *carom_outputs_help(void);

/* --- bodies_outputs.c: what only a recorder knows: peak forces, and probes over bodies and regions at the end ---- */

/* Refuses outputs that the bodies do not have. */
enum carom_status carom_bodies_outputs_check(const struct carom_output *output, const struct carom_bodies *bodies,
                                             struct carom_error *error);

/* Are there any among them that a recorder must tell? */
bool carom_bodies_outputs_any(const struct carom_outputs *outputs);

/* A track of the scene that keeps them. */
enum carom_status carom_bodies_outputs_open(const struct carom_outputs *outputs, struct carom_track *track,
                                            struct carom_scene *scene, const struct carom_watch *watch,
                                            struct carom_error *error);

/* The pair of bodies (carom_event_pair) whose force an output is; 0: of all. */
uint64_t carom_bodies_outputs_pair(const struct carom_output *output);

/* One of them after the run. */
double carom_bodies_outputs_read(const struct carom_track *track, const struct carom_output *output);

/* Contacts that are closed at the view. */
double carom_bodies_outputs_closed(const struct carom_sim *sim);

#endif
