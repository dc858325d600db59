/* Bodies and contacts in the memory of a device, as the kernels of src/kernel/packing.cl see them. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BOARD_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BOARD_H

#include "carom/law.h"
#include "device/device.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* What the device tells of steps, as in packing.cl. */
enum {
    CAROM_BOARD_HALT,     /* it has stopped before the last of them */
    CAROM_BOARD_DONE,     /* so many were taken */
    CAROM_BOARD_SWITCHED, /* in the last one a contact opened or closed */
    CAROM_BOARD_WRONG,    /* something happened that the processor must see to */
    CAROM_BOARD_DEEP,     /* a contact was pressed too deep */
    CAROM_BOARD_FAR,      /* a body has left the cell of its anchor */
    CAROM_BOARD_LOGGED,   /* so many contacts ended that had lost something */
    CAROM_BOARD_SPEED,
    CAROM_BOARD_MARKS
};

/* What stands in the memory of the device. */
enum {
    /* by contacts */
    CAROM_BOARD_PAIRS,
    CAROM_BOARD_CENTRES,
    CAROM_BOARD_RESTS,
    CAROM_BOARD_MADE,
    CAROM_BOARD_NOW,
    CAROM_BOARD_DEFORMS,
    CAROM_BOARD_RATES,
    CAROM_BOARD_PUSH,
    CAROM_BOARD_TORQUE,
    CAROM_BOARD_FRICTION_LOSS,
    CAROM_BOARD_RESISTED, /* to rolling and twisting */
    CAROM_BOARD_LIVE,
    CAROM_BOARD_KEPT0,
    CAROM_BOARD_KEPT1,
    CAROM_BOARD_ENTRIES,
    CAROM_BOARD_LOG,
    CAROM_BOARD_LOGGED_LOSSES,
    /* by bodies */
    CAROM_BOARD_WEIGHTS,
    CAROM_BOARD_FIRST,
    CAROM_BOARD_U0,
    CAROM_BOARD_U1,
    CAROM_BOARD_V0,
    CAROM_BOARD_V1,
    CAROM_BOARD_W0,
    CAROM_BOARD_W1,
    CAROM_BOARD_TURN0,
    CAROM_BOARD_TURN1,
    CAROM_BOARD_START, /* where they were when they were sent */
    /* of the whole */
    CAROM_BOARD_RUBBING,
    CAROM_BOARD_ACCOUNT,
    CAROM_BOARD_PACE,
    CAROM_BOARD_MEMORIES
};

/* `struct stride` of packing.cl */
struct carom_verlet_stride {
    double h, gravity[3];
    double edge, far;
    double step;
    uint64_t n, nc, room;
};

/* Columns of contacts that go from page to page: what they have lost, then springs. */
enum { CAROM_BOARD_LOSSES = 5, CAROM_BOARD_KEPT = CAROM_BOARD_LOSSES + 7 };

struct carom_verlet_board {
    struct carom_device *device;
    struct carom_device_program *program;
    struct carom_verlet_bodies_work *w;
    struct carom_device_memory *memory[CAROM_BOARD_MEMORIES];
    void *scratch; /* what is on its way */
    size_t contacts, scratch_room;
    struct carom_verlet_stride stride;
    double spare; /* how far bodies could go, when they were sent, before the list must be made anew */
    bool damped;
    size_t losses, nkept, kept[CAROM_BOARD_KEPT]; /* columns of the list that this model has of those */
    enum carom_retired lost[CAROM_BOARD_LOSSES];  /* how it was lost */
    int now;                                      /* which of two pages is the state */
};

/* Compiles the kernels, takes what memory bodies need. */
bool carom_verlet_board_open(struct carom_verlet_board *b, struct carom_device *device,
                             struct carom_verlet_bodies_work *w, struct carom_error *error);
void carom_verlet_board_close(struct carom_verlet_board *b);

/* What the law of contact j is, or (no contacts) that of its pairing as far as all of them have it in common. */
void carom_verlet_board_form(const struct carom_verlet_bodies_work *w, const struct carom_pairing *pairing,
                             const struct carom_contacts *c, size_t j, double number[CAROM_LAW_FORM]);

/* Memory of this process for so many bytes, until the next call of any of these; NULL, with the error: none is left. */
void *carom_verlet_board_scratch(struct carom_verlet_board *b, size_t bytes, struct carom_error *error);

/* The whole state, with the contacts that the processor has placed, onto page `now`. */
enum carom_status carom_verlet_board_send(struct carom_verlet_board *b, const struct carom_state *state,
                                          struct carom_error *error);

/* Part of it: nothing is given at first, and bodies may go so far before the list must be made anew. */
void carom_verlet_board_steps_begin(struct carom_verlet_board *b, double spare);

/* One of the pages, into a state; anchors stay as they are there. */
bool carom_verlet_board_fetch(struct carom_verlet_board *b, size_t page, struct carom_state *state,
                              struct carom_error *error);

/* Up to so many steps of size h, and what the device found: it stops where the list must be made anew. */
void carom_verlet_board_steps_run(struct carom_verlet_board *b, double h, size_t count,
                                  int32_t marks[CAROM_BOARD_MARKS]);

/* How far the fastest body went in the last step. */
double carom_verlet_board_steps_pace(struct carom_verlet_board *b);

/* A contact that ended: in which step, and what it had lost. */
struct carom_verlet_ended {
    uint32_t step, contact;
    size_t block; /* for the caller */
    double lost[CAROM_BOARD_LOSSES];
};

/* So many of them, step by step, in scratch memory: those of step k from (*first)[k] on, in any order; NULL: out of
 * memory. */
struct carom_verlet_ended *carom_verlet_board_steps_log(struct carom_verlet_board *b, size_t count, size_t steps,
                                                        const size_t **first, struct carom_error *error);

#endif
