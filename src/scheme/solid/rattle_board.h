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
    CAROM_BOARD_OWN, /* from here on as the way says */
    CAROM_BOARD_MEMORIES = CAROM_BOARD_OWN + 8
};

struct carom_board {
    struct carom_rattle_body *body;
    const struct carom_board_way *way;
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_device_memory *memory[CAROM_BOARD_MEMORIES];
    void *own;      /* of the way: what its kernels are called with */
    size_t nloaded; /* cells with loads */
    uint32_t *loaded;
    double *heard;
    struct carom_solid_pushed *pushed;
};

struct carom_board_way {
    const char *name; /* what its kernels are of */
    const char *const *text;
    size_t ntexts, group[2][2]; /* places that work together: where the processor plays a device, and on cards */
    const char *(*lacks)(const struct carom_rattle_body *body);         /* NULL, or what devices take instead */
    bool (*open)(struct carom_board *board, struct carom_error *error); /* its own memories */
    void (*press)(struct carom_board *board); /* pressures at the places where the cells are */
    /* ends a step of size `end`, begins one of size `begin`, or one of the two: from places to the next */
    void (*advance)(struct carom_board *board, double end, double begin);
    /* lays out numbers of all cells in another way, `each` for a cell, by the kernel of that name; NULL: no need */
    void (*lay)(struct carom_board *board, const char *kernel, size_t from, size_t to, size_t each);
};

extern const struct carom_board_way carom_rattle_board_plane, carom_rattle_board_space_boxes, carom_rattle_board_space;

/* Takes memory and, unless from is NULL, copies it there. */
bool carom_rattle_board_fill(struct carom_board *board, size_t which, const void *from, size_t bytes,
                             struct carom_error *error);

/* Says that there is no memory left; false. */
bool carom_rattle_board_lost(struct carom_error *error);

/* Runs a kernel in so many places, with values and then memories of the board. */
enum { CAROM_BOARD_ARGUMENTS = 24 };
void carom_rattle_board_run(const struct carom_board *board, const char *kernel, const size_t places[2],
                            const struct carom_device_argument *value, size_t nvalues, const size_t *memory,
                            size_t nmemories);

#endif
