/* Makes scenes from a scene. What overrides mean is src/scene's business; this only keeps them in order. */
#include "study/variant.h"

#include <string.h>

#include "base/memory.h"

struct carom_scene *carom_variant_of(const struct carom_scene *scene, const char *name, const char *const *more,
                                     size_t nmore, struct carom_error *error)
{
    size_t lines = 1;
    for (const char *c = scene->set; *c != '\0'; c++)
        lines += *c == '\n';
    char *stored = carom_memory_text(scene->set);
    const char **option = carom_memory_zeroed(lines + nmore, sizeof *option);
    struct carom_scene *made = NULL;
    if (stored == NULL || option == NULL) {
        carom_memory_error(error);
    } else {
        size_t count = 0;
        char *rest = stored;
        for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n"))
            if (*line != '\0')
                option[count++] = line;
        for (size_t i = 0; i < nmore; i++)
            option[count++] = more[i];
        const struct carom_scene_wish wish = {.threads = 1};
        made = carom_scene_parse_as(name, scene->text, strlen(scene->text), option, count, &wish, error);
    }
    if (made != NULL)
        made->threads = 1;
    carom_memory_free_all(option, stored);
    return made;
}

const struct carom_scheme *carom_variant_find(const char *name, struct carom_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (; count < 64 && carom_kinds_schemes[count] != NULL; count++) {
        names[count] = carom_kinds_schemes[count]->kind.name;
        if (strcmp(names[count], name) == 0)
            return carom_kinds_schemes[count];
    }
    const char *near = carom_param_nearest(name, names, count);
    if (near != NULL)
        carom_error_set(error, CAROM_E_REFUSED, "there is no scheme '%s', did you mean '%s'?", name, near);
    else
        carom_error_set(error, CAROM_E_REFUSED, "there is no scheme '%s'; 'carom list schemes' names them", name);
    return NULL;
}

enum carom_status carom_variant_scheme(struct carom_scene *scene, const struct carom_scheme *scheme,
                                       struct carom_error *error)
{
    if (scene->scheme == scheme)
        return CAROM_OK;
    void *options = carom_options_create(&scheme->kind);
    if (options == NULL)
        return carom_memory_error(error);
    carom_options_free(scene->options);
    scene->options = options;
    scene->scheme = scheme;
    return CAROM_OK;
}

enum carom_status carom_variant_option(struct carom_scene *scene, const char *name, double value,
                                       struct carom_error *error)
{
    return carom_options_set(&scene->scheme->kind, scene->options, name, value, error);
}
