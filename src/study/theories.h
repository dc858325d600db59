/* One scene under several theories: which are asked for, and the scene under each. How contacts are read anew stands
 * in src/scene/contact/bind_theory.c; this only says which theory, scheme and impact law, and takes away what they
 * have no use for. */
#ifndef CAROM_STUDY_THEORIES_H
#define CAROM_STUDY_THEORIES_H

#include "carom/scene.h"

#define CAROM_THEORIES_MOST 32

/* "nonsmooth:moreau-jean" or "nonsmooth:newton": a theory and, in any order, a scheme and an impact law. */
struct carom_theory {
    char label[64];                    /* as it was asked for */
    const char *theory;                /* NULL: the scene's */
    const struct carom_scheme *scheme; /* NULL: the theory's usual one or, in the scene's own theory, the scene's */
    const char *impact;                /* NULL: likewise */
};

/* Reads names with commas between them; either may be NULL. Every scheme goes with those of the theories that it can
 * run: rigid ones with nonsmooth and lzb, the others with compliant, rattle with solid. Without theories they are
 * under the scene's own. `theory` has room for CAROM_THEORIES_MOST. */
enum carom_status carom_theories_read(const char *theories, const char *schemes, struct carom_theory *theory,
                                      size_t *count, struct carom_error *error);

/* The scene under it; NULL and the sentence if it is refused. `dropped` receives the keys of `run` that were taken
 * away, with commas, or "". `name` stands in front of errors. */
struct carom_scene *carom_theories_scene(const struct carom_theory *theory, const struct carom_scene *scene,
                                         const char *name, char *dropped, size_t size, struct carom_error *error);

/* Puts a scene under another scheme and impact law (NULL: the scheme's usual one). Bodies of plane and space, which
 * some schemes have as one mechanism, are read anew, and *scene is another one then; others keep their model, and the
 * scheme has its defaults. */
enum carom_status carom_theories_move(struct carom_scene **scene, const char *name, const struct carom_scheme *scheme,
                                      const char *impact, struct carom_error *error);

#endif
