/* carom converge in dP: for scenes under impact lzb-impulse. */
#ifndef CAROM_CLI_CONVERGE_IMPULSE_H
#define CAROM_CLI_CONVERGE_IMPULSE_H

#include "carom/scene.h"
#include "study/range.h"

/* Reads the values of "--steps" or its like: positive, by equal ratios or as a list, in units of this kind or, where
 * that is NULL, pure numbers. The sentence names option and text. */
enum carom_status cli_converge_values(const char *option, const char *text, const char *unit, bool si,
                                      struct carom_range *range, struct carom_error *error);

/* A column: the order that two errors at two steps show; x0 the coarser one. NaN where they show none, as a dash. */
double cli_converge_order(double e0, double e1, double x0, double x1);
void cli_converge_print_order(double order, bool narrow);

/* Does the scene's error hang on dP? */
bool cli_converge_impulse_fits(const struct carom_scene *scene);

/* Prints the table for `given` steps (NULL: five, from a hundred times the scene's down to it) and writes `csv` (NULL:
 * none). The scene's model is used up. Returns the exit code. */
int cli_converge_impulse(struct carom_scene *scene, const char *given, const char *csv, bool quiet);

#endif
