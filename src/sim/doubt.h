/* Why a run promises nothing from some moment on, whatever error it states: found by schemes, kept in run files. */
#ifndef CAROM_SIM_DOUBT_H
#define CAROM_SIM_DOUBT_H

#include "carom/record.h"
#include "carom/sim.h"

struct carom_doubt carom_doubt(const struct carom_sim *sim);

/* The run that goes on had this before; what came after the moment at which it goes on will be found again. */
void carom_doubt_recall(struct carom_sim *sim, const struct carom_doubt *before);

/* Its contacts in words, as a file has them by number. */
void carom_doubt_name(struct carom_doubt *doubt, const struct carom_model *model);

/* The sentence that says so; empty: it promises what it states. `si`: numbers have units. */
#define CAROM_DOUBT_TEXT 480
void carom_doubt_say(const struct carom_doubt *doubt, bool si, char text[CAROM_DOUBT_TEXT]);

#endif
