/* What `carom compare` prints, beside the command itself. */
#ifndef CAROM_CLI_COMPARE_H
#define CAROM_CLI_COMPARE_H

#include <stdio.h>

#include "cli.h"
#include "study/compare/compare.h"

/* Quantities of a comparison that have a number for each body, contact or run: rows of tables. */
struct cli_compare_section {
    const char *name;  /* in CSV */
    const char *title; /* for a person */
    const char *unit;  /* of SI */
    enum { CLI_OF_RUN, CLI_OF_COORDINATE, CLI_OF_VELOCITY, CLI_OF_CONTACT } of;
    double (*value)(const struct carom_compare_entry *entry, size_t i); /* NaN: it is not said */
};

/* Ended by a NULL name. */
extern const struct cli_compare_section cli_compare_sections[];

/* How many rows it has here (0: contacts differ), and what the user calls row i: bodies and cells from 1, contacts as
 * in scenes, sensors by name; "" for runs. */
enum { CLI_COMPARE_NAME = 56 };
size_t cli_compare_rows(const struct carom_compare *compare, const struct cli_compare_section *section);
void cli_compare_name(const struct carom_compare *compare, const struct cli_compare_section *section, size_t i,
                      char name[CLI_COMPARE_NAME]);
/* The axis along which row i is taken, "" but for points of a solid. */
const char *cli_compare_axis(const struct carom_compare *compare, const struct cli_compare_section *section, size_t i);
/* "body", "cell", "sensor" */
const char *cli_compare_what(const struct carom_compare *compare);

/* Entry j as measured against entry i: norm k of displacements or velocities, absolute. */
double cli_compare_distance(const struct carom_compare *compare, size_t i, size_t j, size_t k, bool speed);

void cli_compare_print(const struct carom_compare *compare, size_t most);
void cli_compare_csv(const struct carom_compare *compare, FILE *out);

/* The unit of motions: lengths, or coordinates of a machine, which may be angles; `over_time`: their integrals. */
const char *cli_compare_motion(const struct carom_compare *c, size_t i, bool speed, bool over_time);

/* The unit of a section's numbers: as those of motions, where it has such. `i`: of its row, or SIZE_MAX: of all. */
const char *cli_compare_unit(const struct carom_compare *c, const struct cli_compare_section *section, size_t i);

#endif
