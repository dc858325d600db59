/* Fronts in files: tables as CSV and kept in the run file. */
#ifndef CAROM_STUDY_PULSE_FRONT_FILE_H
#define CAROM_STUDY_PULSE_FRONT_FILE_H

#include <stdio.h>

#include "study/pulse/front.h"

/* A line for each body. */
void carom_front_file_csv(FILE *out, const struct carom_front *front);

/* A line for each direction. */
void carom_front_file_directions(FILE *out, const struct carom_front *front);

/* How these tables begin. */
#define CAROM_FRONT_FILE_CSV_HEADING "body,x,y,z,distance,"
#define CAROM_FRONT_FILE_DIRECTIONS_HEADING "direction,x,y,z,bodies,"

/* /analysis/front in the run file, with the directions in /analysis/front/directions. */
enum carom_status carom_front_file_keep(const char *path, const struct carom_front *front, const char *command,
                                        struct carom_error *error);

#endif
