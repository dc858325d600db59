/* The waves of a run: a table of places and, for each, one wave or all of them, with the speed from place to place. */
#ifndef CAROM_STUDY_PULSE_PULSE_RUN_H
#define CAROM_STUDY_PULSE_PULSE_RUN_H

#include <stdio.h>

#include "study/pulse/pulse.h"
#include "study/pulse/pulse_places.h"

struct carom_pulse_request {
    const char *contacts, *beads, *sensors; /* as in pulse_places.h */
    size_t wave;                            /* of each place: from 1, or CAROM_PULSE_LARGEST */
    bool train;                             /* all waves of each place instead */
    bool collapse;                          /* figure 13: forces over (t - T) / tau */
    uint64_t impact;                        /* from 1 */
    double from, until;                     /* times that count */
    struct carom_pulse_rules rules;
};

/* Everything at its default: the first wave of every contact, of the first impact. */
struct carom_pulse_request carom_pulse_run_request(void);

/* One wave of one place. */
struct carom_pulse_row {
    size_t place, wave; /* the place from 0, its wave from 1 */
    struct carom_pulse pulse;
    double speed;  /* (41): from the place before that it is timed from; against the row of bodies it is negative */
    bool by_foot;  /* the speed is that of the feet: peaks here and there are not those of one wave */
    bool loose;    /* the speed is that of peaks which no one pulse carries from there to here */
    double length; /* pi tau |speed| in mean diameters of the beads on that way: about 5 for Nesterenko's wave */
};

#define CAROM_PULSE_RUN_POINTS 121 /* of figure 13, s = -2 ... 4 */
#define CAROM_PULSE_RUN_S(k) (-2.0 + 0.05 * (double)(k))

struct carom_pulse_table {
    struct carom_pulse_places places;
    size_t *waves; /* for every place: how many it has */
    size_t *first; /* places.count + 1: rows of place i are first[i] ... first[i + 1] */
    size_t nrows;
    struct carom_pulse_row *row;
    double *collapsed; /* nrows x CAROM_PULSE_RUN_POINTS, or NULL */
    bool si;
    bool inside; /* times are those inside an impact */
    uint64_t impact, impacts;
    double begun;             /* when that impact was */
    size_t samples;           /* of each record */
    double every;             /* mean distance of samples */
    double closest, farthest; /* the smallest and the largest */
    size_t silent;            /* places without such a wave */
    size_t coarse; /* contacts of which samples tell no waves: peak, time and foot are those of the book of impacts */
};

/* Measures. CAROM_E_REFUSED where no place has a wave. Memory: 256 MiB of forces at most, whatever the run's size. */
enum carom_status carom_pulse_run_measure(const struct carom_run_file *run, const struct carom_pulse_request *request,
                                          struct carom_pulse_table *table, struct carom_error *error);
void carom_pulse_run_free(struct carom_pulse_table *table);

/* How well the pulses of a table fall on one curve: the largest distance between any two of them, and of any from
 * cos^6, over the front (s <= 0) and over the tail (s > 0, as far as all records go). */
struct carom_pulse_spread {
    double front, tail;             /* between any two */
    double front_shape, tail_shape; /* from cos^6 */
};
struct carom_pulse_spread carom_pulse_run_spread(const struct carom_pulse_table *table);

/* The row of a contact with this scene number, NULL if it is not in the table. */
const struct carom_pulse_row *carom_pulse_run_contact(const struct carom_pulse_table *table, int32_t number);

/* --- pulse_file.c: tables as CSV and kept in the run file -------------------------------------------------------- */

/* Puts the table into the run file as /analysis/pulse, one dataset for each column, in the place of an earlier one;
 * `command` says how it was made. The run itself is not touched: a copy is amended and then takes the file's name. To
 * be called when the file is not open. */
enum carom_status carom_pulse_file_keep(const char *path, const struct carom_pulse_table *table, const char *command,
                                        struct carom_error *error);

/* A line for each row. */
void carom_pulse_file_csv(FILE *out, const struct carom_pulse_table *table);

/* Figure 13: s, cos^6, then a column for each row of the table. */
void carom_pulse_file_collapse(FILE *out, const struct carom_pulse_table *table);

/* How such tables begin. */
#define CAROM_PULSE_FILE_CSV_HEADING "place,kind,number,wave,waves,peak,"
#define CAROM_PULSE_FILE_COLLAPSE_HEADING "s,cos6"

#endif
