/* The map of a front as a picture (SVG): bodies coloured by their arrival. */
#ifndef CAROM_STUDY_PULSE_FRONT_PICTURE_H
#define CAROM_STUDY_PULSE_FRONT_PICTURE_H

#include <stdio.h>

#include "study/pulse/front.h"

#define CAROM_FRONT_PICTURE_HEADING "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="

/* With a bar of colours and lines for directions in which the front was measured. In space seen along the axis along
 * which bodies take least room, nearer ones in front. Bodies that were not reached are grey. */
enum carom_status carom_front_picture_draw(FILE *out, const struct carom_front *front, const char *title,
                                           struct carom_error *error);

#endif
