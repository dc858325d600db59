/* Scenes made from a scene: the same text with further overrides, or the same scene under another scheme. The text is
 * that of the first reading, so that a study never sees a file change under it. */
#ifndef CAROM_STUDY_VARIANT_H
#define CAROM_STUDY_VARIANT_H

#include "carom/scene.h"

/* Binds the text and overrides of `scene` (which may have given its model away) again, with `more` after them; `name`
 * stands in front of errors. Runs on one thread. NULL and the sentence on error. */
struct carom_scene *carom_variant_of(const struct carom_scene *scene, const char *name, const char *const *more,
                                     size_t nmore, struct carom_error *error);

/* The registered scheme of that name; NULL and the sentence if there is none. */
const struct carom_scheme *carom_variant_find(const char *name, struct carom_error *error);

/* Puts a scene that still has its model under a scheme; options are kept if it is the one it has, else defaults. */
enum carom_status carom_variant_scheme(struct carom_scene *scene, const struct carom_scheme *scheme,
                                       struct carom_error *error);

/* Sets one option of the scene's scheme. */
enum carom_status carom_variant_option(struct carom_scene *scene, const char *name, double value,
                                       struct carom_error *error);

#endif
