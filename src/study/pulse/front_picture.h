/* The map of a front as a picture (SVG), bodies coloured by when it reached them, and as a page. */
#ifndef CAROM_STUDY_PULSE_FRONT_PICTURE_H
#define CAROM_STUDY_PULSE_FRONT_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "study/pulse/front.h"

#define CAROM_FRONT_PICTURE_HEADING "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="

/* What bodies are coloured by. */
enum carom_front_colour { CAROM_FRONT_ARRIVAL, CAROM_FRONT_SPEED, CAROM_FRONT_FORCE, CAROM_FRONT_COLOURS };

/* Is there anything to colour by? Runs without a book of impacts have no forces. */
bool carom_front_picture_has(const struct carom_front *front, enum carom_front_colour by);

/* With a bar of colours. In space seen along the axis along which bodies take least room, nearer ones in front. Bodies
 * that were not reached are grey. */
enum carom_status carom_front_picture_draw(FILE *out, const struct carom_front *front, enum carom_front_colour by,
                                           const char *title, struct carom_error *error);

/* A page (HTML) with a map for each colour, speeds and energies by direction as a rose, and the table of directions. */
#define CAROM_FRONT_PICTURE_PAGE "<!doctype html><title>carom pulse</title>"
enum carom_status carom_front_picture_page(FILE *out, const struct carom_front *front, const char *title,
                                           struct carom_error *error);

#endif
