/* The links of bodies in space by slices: two neighbouring cells, one in each lane, and the links that begin at them,
 * slot by slot. */
#ifndef CAROM_MODEL_SOLID_SOLID_SLICE_H
#define CAROM_MODEL_SOLID_SOLID_SLICE_H

#include "model/solid/solid.h"
#include "model/solid/solid_pair.h"

enum { CAROM_SLICE = 2 }; /* cells of a slice */

/* One link of each cell of a slice. Where one of them has no more the other has both places, for two links that follow
 * each other; a place that is left goes idle: a link of a cell to itself, with a pair that has no stiffness there. */
struct carom_solid_slot {
    uint32_t own[CAROM_SLICE];   /* where the links begin: the cells of the slice, or one of them twice */
    uint32_t other[CAROM_SLICE]; /* where they end */
};

/* Numbers of the links of a slot, as in struct carom_pair_form, stiffness and stretch: apart, arm, part; stiff, bend;
 * gap, inverse. */
enum { CAROM_SLOT_FORM = 8, CAROM_SLOT_STIFFNESS = 7, CAROM_SLOT_STRETCH = 4 };

/* Where number `item` of `items` begins, a place for each link: slots that have records of their own stand two by two,
 * side by side, as registers of four numbers take them. */
static inline size_t carom_slot_place(size_t items, size_t item, size_t slot)
{
    return 2 * CAROM_SLICE * (items * (slot / 2) + item) + CAROM_SLICE * (slot % 2);
}

/* the same of pairs that slots share */
static inline size_t carom_slot_shared_place(size_t items, size_t item, size_t pair)
{
    return CAROM_SLICE * (items * pair + item);
}

struct carom_solid_slices {
    size_t count, nslots, npairs;
    bool shared; /* pairs by slots that are alike; where shapes are many each slot has its own, of the same number */
    uint32_t *begin;               /* count + 1: the first slot of each slice */
    struct carom_solid_slot *slot; /* nslots and, as for all that slots have, one more if that is odd */
    uint32_t *pair;                /* of each slot, where they are shared */
    double *form, *stiffness;      /* npairs, in their places */
};

/* Slices for the links and shapes as they are now; bodies that need none have NULL. False: out of memory. */
bool carom_solid_slice_ready(struct carom_solid *solid);
void carom_solid_slice_free(struct carom_solid_slices *slices);

/* Doubles that the dilatation leaves to the forces. */
size_t carom_solid_slice_room(const struct carom_solid *solid);

/* The links of the two cells of a slice, [link[0], link[1]) and [link[1], link[2]), with link[0] where those of the
 * slice before end; returns how many slots they take. */
size_t carom_solid_slice_links(const struct carom_solid *solid, size_t slice, size_t link[3]);

/* Cells that a pass is for: [first, last) or, where there are owners, those of slices that `who` has. */
struct carom_solid_field {
    size_t first, last;
    const uint32_t *owner;
    uint32_t who;
};

/* Passes over slices [from, to) onto the field, which is no limit if `all`; in as many lanes as the processor has: in
 * two, as all have them, or in four, NULL where it has not. */
struct carom_slice_passes {
    void (*dilate)(const struct carom_solid_call *call, size_t from, size_t to, const struct carom_solid_field *field,
                   bool all);
    void (*pull)(const struct carom_solid_call *call, size_t from, size_t to, const struct carom_solid_field *field,
                 bool all);
};
extern const struct carom_slice_passes carom_solid_slice_narrow;
const struct carom_slice_passes *carom_solid_slice_wide(void);
const struct carom_slice_passes *carom_solid_slice_passes(void);

/* sum += the links' parts of cells [first, last), f += their forces; first is even, last is or is the end. */
void carom_solid_slice_dilate(const struct carom_solid_call *call, size_t first, size_t last);
void carom_solid_slice_pull(const struct carom_solid_call *call, size_t first, size_t last);

/* Slices that follow each other; `own`: they are worked on, not only looked at for what they do to others. */
struct carom_solid_run {
    uint32_t first, last;
    bool own;
};

/* Slices in any places, dealt out among blocks; block b has runs [begin[b], begin[b + 1]), which rise. */
struct carom_solid_runs {
    uint32_t *owner; /* of each slice, the block; UINT32_MAX: nobody here */
    uint8_t *known;  /* of each slice: is it looked at? */
    size_t *begin;
    struct carom_solid_run *run;
};

/* The two passes for the slices that block `who` owns. */
void carom_solid_slice_runs(const struct carom_solid_call *call, const struct carom_solid_runs *runs, uint32_t who,
                            bool forces);

#endif
