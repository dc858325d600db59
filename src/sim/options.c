/* Blocks of options described by a parameter table. */
#include "base/memory.h"
#include "carom/sim.h"

void *carom_options_create(const struct carom_kind *kind)
{
    void *options = carom_memory_zeroed(1, kind->size > 0 ? kind->size : 1);
    if (options)
        carom_param_defaults(kind, options);
    return options;
}

enum carom_status carom_options_set(const struct carom_kind *kind, void *options, const char *name, double value,
                                    struct carom_error *error)
{
    const struct carom_param *param = carom_param_find(kind->params, name);
    if (!param)
        return carom_error_set(error, CAROM_E_INPUT, "%s has no option '%s'", kind->name, name);
    if (carom_param_check(param, value, error) != CAROM_OK)
        return carom_error_prefix(error, "%s: %s", kind->name, name);
    carom_param_store(param, options, value);
    return CAROM_OK;
}

void carom_options_free(void *options)
{
    carom_memory_free(options);
}
