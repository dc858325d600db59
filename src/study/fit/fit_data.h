/* Measured data for a fit, from a CSV file. Two forms, told apart by the header:
 *
 *     time (us), v[20] (m/s), sigma, contact_force[3] (N)     probes over time, of one run
 *     set start.1.velocity, v_last, sigma, peak_force_3       a run for each line: keys that are set, outputs of sweeps
 *
 * A column `sigma` or `weight` belongs to the column on its left. Cells may be empty: nothing was measured there. */
#ifndef CAROM_STUDY_FIT_FIT_DATA_H
#define CAROM_STUDY_FIT_FIT_DATA_H

#include "carom/record.h"
#include "study/sweep/outputs.h"

#define CAROM_FIT_DATA_COLUMNS 64
#define CAROM_FIT_DATA_BYTES ((size_t)1 << 28)

/* A quantity that was measured. */
struct carom_fit_column {
    char name[64];                  /* "v[20]", "kinetic", "v_last" */
    char probe[32];                 /* "v"; of sensors their name */
    const struct carom_probe *kind; /* NULL: a sensor, or an output */
    long number;                    /* of the body from 1 or the contact as in scenes; -1: it has none */
    const char *unit;
    bool sensor;
    char point[32], axis[4]; /* of a solid, "u_12_x" or "sensor_u_tip_x": which cell or sensor, "12" or "tip"; "x" */
    size_t points;
    bool sigma, weight; /* are these given? */
    double spread;      /* standard deviation of its values; 1 if they are all alike */
};

struct carom_fit_point {
    size_t column; /* which was measured */
    double at;     /* time; of runs the number of the run, from 0 */
    double value;
    double sigma; /* standard deviation; where it is not given, 1 or 1 / sqrt(weight) */
    size_t line;
};

struct carom_fit_data {
    char *name, *text; /* of the file */
    bool runs;         /* the second form */
    size_t ncolumns;
    struct carom_fit_column column[CAROM_FIT_DATA_COLUMNS];
    struct carom_outputs outputs; /* of runs */
    size_t npoints;
    struct carom_fit_point *point; /* by lines, from left to right */
    size_t nruns, nkeys;
    char key[CAROM_FIT_DATA_COLUMNS][96];
    char (*setting)[64]; /* nruns x nkeys: values to be set */
    double first, last;  /* times */
};

/* Reads and checks; `si`: units may be written and are converted. Errors begin with file:line:column. */
enum carom_status carom_fit_data_read(struct carom_fit_data *data, const char *path, bool si,
                                      struct carom_error *error);
enum carom_status carom_fit_data_parse(struct carom_fit_data *data, const char *name, const char *text, size_t length,
                                       bool si, struct carom_error *error);
void carom_fit_data_free(struct carom_fit_data *data); /* fine for zeros */

#endif
