/* One body on a device: its memory there, and the passes of a step, which plane boxes, boxes of one material in space
 * and other bodies there take in ways of their own. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_BOARD_H
#define CAROM_SCHEME_SOLID_RATTLE_BOARD_H

#include "device/device.h"
#include "scheme/solid/rattle.h"

enum carom_board_memory {
    CAROM_BOARD_PLACES, /* two of them, in turns */
    CAROM_BOARD_PLACES_NEXT,
    CAROM_BOARD_VELOCITIES,
    CAROM_BOARD_PRESSURE,
    CAROM_BOARD_SAVED_PLACES, /* at the start of a call, to go back to */
    CAROM_BOARD_SAVED_VELOCITIES,
    CAROM_BOARD_LAST_PLACES, /* at the start of its last step */
    CAROM_BOARD_LAST_VELOCITIES,
    CAROM_BOARD_HELD,   /* masks of cells */
    CAROM_BOARD_FIRST,  /* where the entries of a cell's loads begin, or -1 */
    CAROM_BOARD_PUSHED, /* what they do */
    CAROM_BOARD_LOADED, /* cells with loads, and what the processor hears of them */
    CAROM_BOARD_HEARD,
    CAROM_BOARD_WRONG,
    CAROM_BOARD_COMMON, /* that all bodies have; others some: */
    CAROM_BOARD_SORT = CAROM_BOARD_COMMON,
    CAROM_BOARD_SORTS,
    CAROM_BOARD_FORCES, /* those that are kept */
    CAROM_BOARD_TERMS,  /* what cells, or faces, lose; sums of batches of them; sums of those */
    CAROM_BOARD_BATCHES,
    CAROM_BOARD_LOST,
    CAROM_BOARD_SIDES, /* faces that absorb, and their order by levels */
    CAROM_BOARD_ORDER,
    CAROM_BOARD_DRIVEN, /* cells, what of them is given and how, and what acts on them */
    CAROM_BOARD_BITS,
    CAROM_BOARD_GIVEN,
    CAROM_BOARD_FELT,
    CAROM_BOARD_SPINS, /* with damping by stiffness: velocities with spins; those before; what goes with rates */
    CAROM_BOARD_BEFORE,
    CAROM_BOARD_PUSH,
    CAROM_BOARD_DRAG,
    CAROM_BOARD_RATES_STARTS, /* links by cells in the order of rates */
    CAROM_BOARD_RATES_ENDS,
    CAROM_BOARD_RATES_SHAPES,
    CAROM_BOARD_OWN, /* from here on as the way says */
    CAROM_BOARD_MEMORIES = CAROM_BOARD_OWN + 8
};

/* What a pass does with forces: works them out for itself, or also keeps them, or takes those that were kept, as
 * src/kernel has them. */
enum carom_board_forces { CAROM_BOARD_FRESH, CAROM_BOARD_KEPT, CAROM_BOARD_TAKEN };

/* as src/kernel has it */
struct carom_board_sort {
    double mass, inverse_mass, factor, inverse_inertia[3], skew[3], frame[4];
};

struct carom_board_acts; /* of bodies that are damped, driven or absorb, rattle_acts.h */

struct carom_board {
    struct carom_rattle_body *body;
    const struct carom_board_way *way;
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_device_memory *memory[CAROM_BOARD_MEMORIES];
    void *own; /* of the way: what its kernels are called with */
    struct carom_board_acts *acts;
    size_t nloaded; /* cells with loads */
    uint32_t *loaded;
    double *heard;
    struct carom_solid_pushed *pushed;
};

struct carom_board_way {
    const char *name; /* what its kernels are of */
    const char *const *text;
    size_t ntexts, group; /* places that work together */
    /* what devices take instead of a body, or NULL; itself NULL where they take all */
    const char *(*lacks)(const struct carom_rattle_body *body);
    bool (*open)(struct carom_board *board, struct carom_error *error); /* its own memories */
    void (*press)(struct carom_board *board); /* pressures at the places where the cells are */
    /* ends a step of size `end`, begins one of size `begin`, or one of the two: from places to the next */
    void (*advance)(struct carom_board *board, double end, double begin, enum carom_board_forces forces);
    /* lays out numbers of all cells in another way, `each` for a cell, by the kernel of that name; NULL: no need */
    void (*lay)(struct carom_board *board, const char *kernel, size_t from, size_t to, size_t each);
};

extern const struct carom_board_way carom_rattle_board_plane, carom_rattle_board_space_flat,
    carom_rattle_board_space_boxes, carom_rattle_board_space;

/* the end of all texts: kernels of what goes on between passes, in the plane and in space */
#define CAROM_BOARD_ACTS_PLANE                                                                            \
    carom_texts_sum, carom_texts_damp, "#define DIMENSION 2\n", carom_texts_acts, carom_texts_rates_flat, \
        carom_texts_drag
#define CAROM_BOARD_ACTS_SPACE \
    carom_texts_sum, carom_texts_damp, "#define DIMENSION 3\n", carom_texts_acts, carom_texts_rates, carom_texts_drag

/* Takes memory and, unless from is NULL, copies it there. */
bool carom_rattle_board_fill(struct carom_board *board, size_t which, const void *from, size_t bytes,
                             struct carom_error *error);

/* Fills in the sorts of all cells. */
bool carom_rattle_board_sorts(struct carom_board *board, struct carom_error *error);

/* Fills in the links by cells, those that come in and the own ones, in the order of links or (by_slices) slot by slot
 * of slices: where both begin, for cell i at 2 i and 2 i + 1; the cells at their other ends, with numbers of shapes;
 * and shapes, kind by kind. */
bool carom_rattle_board_links(struct carom_board *board, bool by_slices, size_t starts, size_t ends, size_t shapes,
                              struct carom_error *error);

/* Numbers shapes in the order in which kernels meet them, first links of all cells first; those that no link has, as
 * clamped and absorbing sides leave some: UINT32_MAX. Returns how often it went through all links. */
size_t carom_rattle_board_links_number(const struct carom_solid *solid, uint32_t *number);

/* Says that there is no memory left; false. */
bool carom_rattle_board_lost(struct carom_error *error);

/* Runs a kernel in so many places, with values and then memories of the board. */
enum { CAROM_BOARD_ARGUMENTS = 24 };
void carom_rattle_board_run(const struct carom_board *board, const char *kernel, const size_t places[2],
                            const struct carom_device_argument *value, size_t nvalues, const size_t *memory,
                            size_t nmemories);

#endif
