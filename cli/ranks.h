/* The ranks of this command, where mpirun has started it: rank 0 speaks for all. */
#ifndef CAROM_CLI_RANKS_H
#define CAROM_CLI_RANKS_H

#include "cli.h"
#include "rank/rank.h"

/* Before a command of that name begins; an error if it cannot share its work, and should. */
enum carom_status cli_ranks_begin(const char *name, struct carom_error *error);

/* NULL: this process is alone */
struct carom_ranks *cli_ranks(void);

/* The sim of a scene, or an error: ranks run on the processor. */
struct carom_sim *cli_ranks_sim(struct carom_scene *scene, struct carom_error *error);

/* Ranks share the steps of a sim. True: go on, this is rank 0, or alone. False, with an error, or without one on ranks
 * that have done their part. */
bool cli_ranks_share(struct carom_sim *sim, struct carom_error *error);

/* After it; returns the code. */
int cli_ranks_end(int code);

#endif
