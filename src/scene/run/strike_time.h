/* How long the shortest contact of a scene lasts, for those who sample its force. */
#ifndef CAROM_SCENE_RUN_STRIKE_TIME_H
#define CAROM_SCENE_RUN_STRIKE_TIME_H

#include "carom/model.h"

/* That of the scales or, of what strikes a solid, half a swing on its contact. */
double carom_strike_time(const struct carom_model *model, const struct carom_scales *scales);

#endif
