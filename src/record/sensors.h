/* Force sensors: what they read from the forces of the contacts, and their filter. */
#ifndef CAROM_RECORD_SENSORS_H
#define CAROM_RECORD_SENSORS_H

#include "record/run_file.h"

/* A sensor at work. */
struct carom_sensors {
    struct carom_sensor what;
    size_t contact[2]; /* whose forces it reads */
    double weight[2];  /* 1/2 and 1/2 inside a bead, 1 and 0 at a contact */
    bool begun;        /* the last sample: */
    double time, input, output;
};

/* Finds the contacts of a sensor; refuses one that has none. */
enum carom_status carom_sensors_place(const struct carom_model *model, const struct carom_sensor *what,
                                      struct carom_sensors *sensor, struct carom_error *error);

/* What it reads now, without filter. */
double carom_sensors_input(const struct carom_sensors *sensor, const double *force);

/* The same through the filter y' = 2 pi f (x - y), straight lines between samples; remembers it for the next one. */
double carom_sensors_output(struct carom_sensors *sensor, double time, double input);

/* The filter goes on from an earlier sample. */
void carom_sensors_resume(struct carom_sensors *sensor, double time, double input, double output);

/* A run that goes on after `rows` rows of a run file: its filters take up what they had there. */
enum carom_status carom_sensors_recall(struct carom_recorder *recorder, const struct carom_run_file *run, uint64_t rows,
                                       struct carom_error *error);

#endif
