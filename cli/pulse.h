/* What `carom pulse` prints. */
#ifndef CAROM_CLI_PULSE_H
#define CAROM_CLI_PULSE_H

#include "study/pulse/front.h"
#include "study/pulse/pulse_run.h"

/* A number of a table; what cannot be told is a dash. */
void cli_pulse_number(double x, int width, int digits);

/* How many samples there are, and how far apart: at least, at most and in the mean. */
void cli_pulse_samples(size_t samples, double closest, double farthest, double every, const char *unit);

/* Title, where the forces come from, and a line for each wave; at most `most` lines. */
void cli_pulse_table(const struct carom_run_file *run, const struct carom_pulse_table *table, size_t most);

/* What to beware of: places without a wave, fronts of few samples, waves the record cuts. */
void cli_pulse_notes(const struct carom_pulse_table *table);

/* (38): a wall's pulse against that of the same contact in another run, and (39): what it says of a chain without
 * wall. */
void cli_pulse_ratios(const struct carom_pulse_row *wall, const struct carom_pulse_row *chain, const char *place,
                      const char *other);
void cli_pulse_extrapolated(const struct carom_pulse_table *table, const struct carom_pulse_ratios *ratios);

/* Figure 13 in two numbers. */
void cli_pulse_spread(const struct carom_pulse_table *table);

/* Discs and spheres: what the line asks for beside what the request holds. */
struct cli_front_wish {
    struct carom_front_request request;
    const char *origin, *along;                /* as written */
    const char *csv, *directions, *svg, *page; /* files, NULL: none */
    const char *colour;                        /* of the picture; NULL: arrival */
    const char *chain;                         /* an option that only rows of beads have, NULL: none was given */
    const char *command;
    bool aside, quiet;
};

/* Measures, prints, writes and keeps the front of a run; closes the run. */
enum carom_status cli_pulse_front(struct carom_run_file *run, const char *path, const struct cli_front_wish *wish,
                                  struct carom_error *error);

#endif
