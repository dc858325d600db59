/* Judges rows: finds the measure by name, refuses keys that it does not take, compares. */
#include "study/verify/verify.h"

#include <math.h>
#include <string.h>

const char *carom_verify_word(enum carom_verdict verdict)
{
    static const char *const words[] = {"PASS", "FAIL", "NOT-REPRODUCED"};
    return words[verdict];
}

static const struct carom_measure *find_in(const struct carom_measure *list, const char *name)
{
    for (; list->name != NULL; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

static const struct carom_measure *find(const struct carom_measuring *m)
{
    const struct carom_measure *found = find_in(carom_measures_list, m->row->measure);
    for (size_t i = 0; found == NULL && m->lists != NULL && m->lists[i] != NULL; i++)
        found = find_in(m->lists[i], m->row->measure);
    return found;
}

static bool is_among(const char *const *names, const char *name)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static enum carom_status check_keys(const struct carom_measuring *m, const struct carom_measure *measure,
                                    struct carom_error *error)
{
    static const char *const common[] = {"name",    "place", "published",      "allowed", "reason",
                                         "measure", "long",  "not_reproduced", NULL};
    for (const struct carom_node *node = m->row->map->first; node != NULL; node = node->next)
        if (!is_among(common, node->key) && !is_among(measure->keys, node->key))
            return carom_tree_error_key(&m->paper->tree, node, CAROM_E_INPUT, error, "measure %s does not take '%s'",
                                        measure->name, node->key);
    return CAROM_OK;
}

static enum carom_status run(const struct carom_measuring *m, double *measured, struct carom_error *error)
{
    const struct carom_measure *measure = find(m);
    if (measure == NULL)
        return carom_tree_error(&m->paper->tree, carom_tree_find(m->row->map, "measure"), CAROM_E_INPUT, error,
                                "there is no measure '%s'", m->row->measure);
    return check_keys(m, measure, error) == CAROM_OK ? measure->run(m, measured, error) : error->status;
}

enum carom_status carom_verify_row(const struct carom_measuring *m, double *measured, enum carom_verdict *verdict,
                                   struct carom_error *why)
{
    *why = (struct carom_error){CAROM_OK, ""};
    *measured = nan("");
    *verdict = CAROM_VERDICT_FAIL;
    const enum carom_status status = run(m, measured, why);
    if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
        return status;
    if (status != CAROM_OK) {
        *measured = nan("");
        return CAROM_OK;
    }
    if (fabs(*measured - m->row->published) <= m->row->allowed)
        *verdict = CAROM_VERDICT_PASS;
    else if (m->row->unreproduced != NULL && *measured == *measured)
        *verdict = CAROM_VERDICT_NOT_REPRODUCED;
    return CAROM_OK;
}
