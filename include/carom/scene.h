/* Scenes: YAML text -> everything a sim is made of. Errors carry file:line:column and the nearest valid name. */
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include "carom/progress.h"
#include "carom/sim.h"

CAROM_BEGIN

/* The format of scenes, `format:` in them. It changes only where a scene would come to mean something else; scenes of
 * earlier formats are read, those of later ones refused. */
#define CAROM_SCENE_FORMAT 1

/* Bodies of plane and space that a scene calls by a name: `count` of them, the first from 0. */
struct carom_scene_named {
    char *name;
    size_t first, count;
};

struct carom_yield;
struct carom_friction; /* carom/friction.h */

struct carom_scene {
    char *title, *text, *set; /* text: the file as read; set: the overrides, one per line */
    bool si;                  /* units: si (else none) */
    const char *theory;       /* "compliant", ... */
    struct carom_model *model;
    double *q, *v;                   /* start */
    struct carom_contacts *contacts; /* what contacts remember from a run before; NULL: nothing */
    const struct carom_scheme *scheme;
    void *options; /* the scheme's, complete */
    double until;
    size_t threads;
    char device[64];     /* "none", "auto", a number or a part of a name */
    char device_at[400]; /* where that stands, file:line:column, for sentences; "": nowhere */
    char step_at[400];   /* the same of `step` in run, for those that turn out to be too long */
    uint64_t seed;
    struct carom_schedule schedule; /* owns its times */
    const char **probes;            /* nprobes, names from the table */
    size_t nprobes;
    struct carom_sensor *sensors; /* nsensors */
    size_t nsensors;
    struct carom_choice *choices; /* nchoices: of single beads and contacts */
    size_t nchoices;
    bool regional; /* probes read a region, this one */
    struct carom_region region;
    struct carom_scales scales;
    double checkpoint_every;
    uint32_t *made_of; /* of rows, one for each bead: number of its material, from 1, 0: none; NULL: no bead has one */
    char *materials;   /* their names, one per line; NULL where made_of is */
    struct carom_scene_named *named; /* nnamed: bodies of plane and space that have names */
    size_t nnamed;
    char *notes;               /* what was assumed, or looks odd: sentences, one per line; NULL: nothing */
    struct carom_yield *yield; /* what contacts bear before their materials yield; NULL: not known */
};

/* Reads and binds a scene; "-" is the standard input. A run file (.h5) is accepted too: its scene is taken. `set` has
 * nset entries "key=value". Returns NULL and the sentence on error; nothing is written anywhere. */
struct carom_scene *carom_scene_read(const char *path, const char *const *set, size_t nset, struct carom_error *error);

/* The same for those who wish more (NULL: nothing), all of which may be left out: `progress` hears of bodies that are
 * large or settle, and may stop that; `unsettled` leaves settling out, for those who only want to know what there is.
 * So many `threads` share settling (0: as many as the scene's run.threads says), which never changes a bit.
 * Kinds of one's own, NULL-ended, can be named by the scene like those of carom; they are not copied. `guard` is asked
 * before a run file is opened that the scene names, since HDF5 may crash at a damaged one; `sealed` refuses to open
 * any, for scenes of run files, which keep what they have read. */
struct carom_scene_wish {
    const struct carom_progress *progress;
    bool unsettled, sealed;
    size_t threads;
    const struct carom_law *const *laws;
    const struct carom_friction *const *frictions;
    const struct carom_scheme *const *schemes;
    const struct carom_function *const *functions; /* shapes of signals */
    enum carom_status (*guard)(const char *path, struct carom_error *error);
};
struct carom_scene *carom_scene_read_as(const char *path, const char *const *set, size_t nset,
                                        const struct carom_scene_wish *wish, struct carom_error *error);

/* The same from text; `name` stands in front of errors. */
struct carom_scene *carom_scene_parse(const char *name, const char *text, size_t length, const char *const *set,
                                      size_t nset, struct carom_error *error);
struct carom_scene *carom_scene_parse_as(const char *name, const char *text, size_t length, const char *const *set,
                                         size_t nset, const struct carom_scene_wish *wish, struct carom_error *error);
void carom_scene_free(struct carom_scene *scene);

/* Makes a sim of it, handing the model, options and a recorder over (the scene keeps the rest, and can be freed). */
struct carom_sim *carom_scene_sim(struct carom_scene *scene, struct carom_error *error);

/* The kinds a scene can name, NULL-ended. */
extern const struct carom_law *const carom_kinds_laws[];
extern const struct carom_friction *const carom_kinds_frictions[], *const carom_kinds_resistances[];
extern const struct carom_scheme *const carom_kinds_schemes[];
extern const struct carom_part *const carom_kinds_parts[];

CAROM_END

#endif
