/* Blocks of options described by a parameter table. */
#include <string.h>

#include "base/memory.h"
#include "carom/sim.h"

void *carom_options_create(const struct carom_kind *kind)
{
    if (!kind)
        return NULL;
    void *options = carom_memory_zeroed(1, kind->size > 0 ? kind->size : 1);
    if (options)
        carom_param_defaults(kind, options);
    return options;
}

enum carom_status carom_options_set(const struct carom_kind *kind, void *options, const char *name, double value,
                                    struct carom_error *error)
{
    if (!kind || !name)
        return carom_error_missing(error);
    const struct carom_param *param = carom_param_find(kind->params, name);
    if (!options)
        return carom_error_missing(error);
    if (!param)
        return carom_error_set(error, CAROM_E_INPUT, "%s has no option '%s'", kind->name, name);
    if (carom_param_check(param, value, error) != CAROM_OK)
        return carom_error_prefix(error, "%s: %s", kind->name, name);
    carom_param_store(param, options, value);
    return CAROM_OK;
}

enum carom_status carom_options_choose(const struct carom_kind *kind, void *options, const char *name,
                                       const char *choice, struct carom_error *error)
{
    if (!kind || !name || !choice)
        return carom_error_missing(error);
    const struct carom_param *param = carom_param_find(kind->params, name);
    size_t n = 0;
    if (param && param->type != CAROM_CHOICE)
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s is a number, not a choice", kind->name, name);
    while (param && param->choices[n] && strcmp(param->choices[n], choice) != 0)
        n++;
    if (!param || param->choices[n])
        return carom_options_set(kind, options, name, (double)n, error);
    const char *near = carom_param_nearest(choice, param->choices, n);
    return carom_error_set(error, CAROM_E_INPUT, "%s: %s cannot be '%s'; %s %s", kind->name, name, choice,
                           near ? "did you mean" : "the first of its choices is", near ? near : param->choices[0]);
}

void carom_options_free(void *options)
{
    carom_memory_free(options);
}
