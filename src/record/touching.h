/* What contacts that come and go do at a sample: where they are, and the forces as they act. */
#ifndef CAROM_RECORD_TOUCHING_H
#define CAROM_RECORD_TOUCHING_H

#include "carom/record.h"
#include "model/bodies/act.h"

struct carom_touching {
    struct carom_act act;
    size_t n, room;
    struct carom_touch *touch; /* n: the contacts that are closed, in the order of their keys */
};

void carom_touching_open(struct carom_touching *touching, const struct carom_bodies *bodies);
void carom_touching_close(struct carom_touching *touching);

/* Reads the view. Grows with the list. */
enum carom_status carom_touching_read(struct carom_touching *touching, const struct carom_state *view,
                                      struct carom_error *error);

#endif
