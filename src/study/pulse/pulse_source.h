/* Forces of a run file as records in time, one for each place: samples of the run or, where impacts tell what happens
 * inside them (theory lzb), of one impact in its own time. */
#ifndef CAROM_STUDY_PULSE_PULSE_SOURCE_H
#define CAROM_STUDY_PULSE_PULSE_SOURCE_H

#include "study/pulse/pulse_places.h"

struct carom_pulse_source {
    const struct carom_run_file *run;
    bool inside;              /* times are those inside an impact */
    uint64_t impact, impacts; /* from 1; how many there are */
    double begun, duration;   /* when the impact was, in the run, and how long it took; NaN: not told */
    uint64_t first, count;    /* rows of the file: samples, or entries of the table of forces inside impacts */
    size_t n;
    double *time;     /* n */
    size_t skipped;   /* samples before the window */
    bool lead, trail; /* of an impact: are there samples of zero force before and after its entries? */
};

/* Finds the samples between the times `from` and `until`; `impact` counts from 1 and is passed over where a run has
 * none of that kind. Refuses runs without contact forces. */
enum carom_status carom_pulse_source_open(const struct carom_run_file *run, uint64_t impact, double from, double until,
                                          struct carom_pulse_source *source, struct carom_error *error);
void carom_pulse_source_close(struct carom_pulse_source *source);

/* Fills force[i * n ... ] with the record of place i, for `count` places. One walk through the file. */
enum carom_status carom_pulse_source_read(const struct carom_pulse_source *source,
                                          const struct carom_pulse_place *place, size_t count, double *force,
                                          struct carom_error *error);

#endif
