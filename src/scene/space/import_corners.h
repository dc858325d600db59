/* The corners of a body out of a file of triangles: STL, as text or binary, and OBJ. */
#ifndef CAROM_SCENE_SPACE_IMPORT_CORNERS_H
#define CAROM_SCENE_SPACE_IMPORT_CORNERS_H

#include <stddef.h>

#include "carom/error.h"

/* Different points of the file, as they come; more than `most` are refused. `name` ends as the format wants it, and
 * stands in front of errors. */
enum carom_status carom_import_corners(const char *path, const char *name, double (*point)[3], size_t most, size_t *n,
                                       struct carom_error *error);

#endif
