/* The beads of one chain: equal, by lists or by a pattern, then tapered, disordered, decorated with small beads, and
 * with impurities. In this order, so that what is more particular wins. Gaps and contacts are not made here. */
#include "base/memory.h"
#include "base/plural.h"
#include "base/random.h"
#include "scene/bind.h"

#include <math.h>
#include <string.h>

#include "base/power.h"

/* A map, or a list of maps: the first of them, and how many. */
struct maps {
    struct carom_node *first;
    size_t count;
};

static enum carom_status find_maps(struct carom_bind *b, const struct carom_node *chain, const char *key,
                                   const struct carom_section *section, struct maps *found)
{
    struct carom_node *node = carom_tree_find(chain, key);
    *found = (struct maps){NULL, 0};
    if (node == NULL)
        return CAROM_OK;
    const bool list = node->kind == CAROM_NODE_LIST;
    node->used = true;
    if (list && node->count == 0)
        return carom_value_wrong(&b->r, node, "the list is empty");
    *found = (struct maps){list ? node->first : node, list ? node->count : 1};
    struct carom_node *map = found->first;
    for (size_t i = 0; i < found->count; i++, map = map->next)
        if (carom_value_map_of(&b->r, map, section) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

/* Streams of one scene are independent; one with a seed of its own does not depend on the others. */
static void start_random(struct carom_bind *b, const struct carom_node *map, long seed, struct carom_random *random)
{
    const uint64_t stream = b->draws++;
    if (carom_tree_find(map, "seed") != NULL) {
        carom_random_start(random, (uint64_t)seed);
        return;
    }
    carom_random_start(random, b->scene->seed);
    carom_random_start(random, carom_random_next(random) ^ (stream * UINT64_C(0xd1342543de82ef95)));
}

/* --- pattern ---------------------------------------------------------------------------------------------------- */

static enum carom_status fill_pattern(struct carom_bind *b, const struct carom_node *chain, size_t first, size_t count)
{
    struct carom_node *pattern = carom_tree_find(chain, "pattern");
    if (pattern == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, pattern) != CAROM_OK)
        return b->r.error->status;
    if (pattern->count == 0 || pattern->count > count)
        return carom_value_wrong(&b->r, pattern, "has %zu entr%s for %zu bead%s", pattern->count,
                                 carom_plural_y(pattern->count), count, carom_plural(count));
    size_t i = 0;
    for (struct carom_node *entry = pattern->first; entry != NULL; entry = entry->next, i++) {
        if (carom_value_map_of(&b->r, entry, &carom_keys_pattern) != CAROM_OK)
            return b->r.error->status;
        for (const struct carom_node *key = entry->first; key != NULL; key = key->next) {
            const struct carom_node *above = carom_tree_find(chain, key->key);
            if (above != NULL && above->kind == CAROM_NODE_LIST)
                return carom_value_wrong_key(&b->r, key, "%s is given by the pattern and by a list, choose one",
                                             key->key);
        }
        if (carom_bind_bodies_fill(b, entry, &carom_keys_pattern, first + i, count - i, pattern->count) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* --- taper ------------------------------------------------------------------------------------------------------ */

/* What the map says, made consistent: `of`, and the factor of the last bead to the first or, by ratio, of each. */
static enum carom_status read_taper(struct carom_bind *b, const struct carom_node *chain, struct carom_node *taper,
                                    struct carom_keys_taper *keys)
{
    static const char *const ways[] = {"ratio", "radius", "mass"};
    const struct carom_node *given = NULL;
    if (carom_value_fill(&b->r, taper, &carom_keys_taper, keys) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < 3; i++) {
        const struct carom_node *node = carom_tree_find(taper, ways[i]);
        if (node != NULL && given != NULL)
            return carom_value_wrong_key(&b->r, node, "taper: %s and %s both say it, choose one", given->key,
                                         node->key);
        given = node != NULL ? node : given;
    }
    if (given == NULL)
        return carom_value_wrong_key(&b->r, taper, "taper: ratio is missing, or radius or mass of the last bead");
    const bool ratio = strcmp(given->key, "ratio") == 0;
    const struct carom_node *wrong = carom_tree_find(taper, ratio ? "shape" : "of");
    if (wrong != NULL && (!ratio || keys->shape != 0))
        return carom_value_wrong_key(&b->r, wrong,
                                     ratio ? "taper: a ratio is geometric; linear needs radius or mass of the last bead"
                                           : "taper: of goes with ratio; radius and mass say it themselves");
    if (!ratio)
        keys->of = strcmp(given->key, "mass") == 0 ? CAROM_KEYS_OF_MASS : CAROM_KEYS_OF_RADIUS;
    const struct carom_node *list = carom_tree_find(chain, keys->of == CAROM_KEYS_OF_MASS ? "mass" : "radius");
    if (list != NULL && list->kind == CAROM_NODE_LIST)
        return carom_value_wrong_key(&b->r, taper, "taper: %s is given by a list, choose one", list->key);
    if (!ratio && carom_tree_find(chain, "pattern") != NULL)
        return carom_value_wrong_key(&b->r, given, "taper: with a pattern there is no one last bead; give ratio");
    return CAROM_OK;
}

/* `of` is what can be tapered now: radii before masses are known, masses after. */
static enum carom_status taper_chain(struct carom_bind *b, const struct carom_node *chain, enum carom_keys_of of,
                                     size_t first, size_t count, size_t step)
{
    struct carom_node *taper = carom_tree_find(chain, "taper");
    struct carom_keys_taper keys;
    if (taper == NULL)
        return CAROM_OK;
    if (read_taper(b, chain, taper, &keys) != CAROM_OK)
        return b->r.error->status;
    if ((enum carom_keys_of)keys.of != of)
        return CAROM_OK;
    double *value = of == CAROM_KEYS_OF_MASS ? b->mass : b->radius;
    if (value == NULL || !(value[first] > 0.0))
        return carom_value_wrong_key(&b->r, taper,
                                     "taper: the chain has no radius to begin with; give one, or taper the mass");
    const double last = of == CAROM_KEYS_OF_MASS ? keys.mass : keys.radius;
    const double whole = last > 0.0 ? last / value[first] : 0.0, intervals = (double)(count - 1);
    for (size_t i = 1; i < count; i++) {
        const double at = (double)i;
        double factor = carom_power(keys.ratio, at);
        if (last > 0.0)
            factor = keys.shape == 1 ? 1.0 + (whole - 1.0) * (at / intervals) : carom_power(whole, at / intervals);
        const double tapered = last > 0.0 && i == count - 1 ? last : value[first + i * step] * factor;
        if (!(isfinite(tapered) && tapered > 0.0))
            return carom_value_wrong_key(&b->r, taper, "taper: bead %zu would have a size that no number can hold",
                                         i + 1);
        value[first + i * step] = tapered;
    }
    return CAROM_OK;
}

/* --- disorder --------------------------------------------------------------------------------------------------- */

/* Each kind has its own numbers; those of the others would be ignored, so they are refused. */
static enum carom_status check_kind(struct carom_bind *b, const struct carom_node *map, int kind)
{
    static const struct {
        const char *key;
        int kind;
        bool needed;
    } belongs[] = {{"width", CAROM_KEYS_UNIFORM, true},
                   {"deviation", CAROM_KEYS_NORMAL, true},
                   {"ratio", CAROM_KEYS_TWO_VALUED, true},
                   {"share", CAROM_KEYS_TWO_VALUED, false}};
    const struct carom_param *rows = carom_keys_disorder.kind.params;
    const char *const *names = carom_param_find(rows, "kind")->choices;
    for (size_t i = 0; i < sizeof belongs / sizeof belongs[0]; i++) {
        const struct carom_node *node = carom_tree_find(map, belongs[i].key);
        if (node == NULL && belongs[i].needed && belongs[i].kind == kind)
            return carom_value_missing(&b->r, map, carom_param_find(rows, belongs[i].key));
        if (node != NULL && belongs[i].kind != kind)
            return carom_value_wrong_key(&b->r, node, "%s belongs to kind: %s, here it is %s", node->key,
                                         names[belongs[i].kind], names[kind]);
    }
    return CAROM_OK;
}

static double draw(const struct carom_keys_disorder *keys, struct carom_random *random)
{
    if (keys->kind == CAROM_KEYS_UNIFORM)
        return 1.0 + keys->width * (2.0 * carom_random_uniform(random) - 1.0);
    if (keys->kind == CAROM_KEYS_TWO_VALUED)
        return carom_random_uniform(random) < keys->share ? keys->ratio : 1.0;
    for (;;) { /* cut on both sides alike, so that the mean stays 1 */
        const double factor = 1.0 + keys->deviation * carom_random_normal(random);
        if (factor > 0.0 && factor < 2.0)
            return factor;
    }
}

/* The array to disorder; NULL and the sentence if there is none. */
static double *disordered(struct carom_bind *b, const struct carom_node *map, enum carom_keys_of of, size_t first)
{
    if (of == CAROM_KEYS_OF_MASS)
        return b->mass;
    if (of == CAROM_KEYS_OF_RADIUS) {
        if (b->radius == NULL || !(b->radius[first] > 0.0)) {
            carom_value_wrong_key(&b->r, map, "disorder: the chain has no radius; give one, or disorder the mass");
            return NULL;
        }
        return b->radius;
    }
    if (b->stiffen == NULL)
        b->stiffen = carom_memory_zeroed(b->n, sizeof *b->stiffen);
    if (b->stiffen == NULL)
        carom_bind_memory(b);
    return b->stiffen;
}

/* Beads first, first + step, ... (count of them); stiffness: the contacts between them. */
static enum carom_status disorder_chain(struct carom_bind *b, const struct carom_node *chain, enum carom_keys_of of,
                                        size_t first, size_t count, size_t step)
{
    struct maps maps;
    if (find_maps(b, chain, "disorder", &carom_keys_disorder, &maps) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *map = maps.first;
    for (size_t m = 0; m < maps.count; m++, map = map->next) {
        struct carom_keys_disorder keys;
        struct carom_random random;
        if (carom_value_section(&b->r, map, &carom_keys_disorder.kind, &keys) != CAROM_OK ||
            check_kind(b, map, keys.kind) != CAROM_OK)
            return b->r.error->status;
        if ((enum carom_keys_of)keys.of != of)
            continue;
        double *value = disordered(b, map, of, first);
        if (value == NULL)
            return b->r.error->status;
        start_random(b, map, keys.seed, &random);
        for (size_t i = of == CAROM_KEYS_OF_STIFFNESS ? 1 : 0; i < count; i++) {
            double *to = &value[first + i * step];
            const double factor = draw(&keys, &random);
            *to = of == CAROM_KEYS_OF_STIFFNESS && !(*to > 0.0) ? factor : *to * factor;
        }
    }
    return CAROM_OK;
}

/* --- decorated -------------------------------------------------------------------------------------------------- */

/* From the last bead to the second, with zeros between. By pointers: gcc 13 on x86-64 at -O1 turns indices i and 2 i
 * into addresses that begin at 0, takes their stores for none, and drops the call. */
static void spread_reals(double *array, size_t first, size_t count)
{
    if (array == NULL)
        return;
    double *from = array + first + count, *to = from + count - 1;
    while (--from > array + first) {
        *--to = *from;
        *--to = 0.0;
    }
}

/* Draws the beads apart and puts small ones between them. */
static enum carom_status decorate(struct carom_bind *b, const struct carom_node *chain, size_t first, size_t count)
{
    struct carom_node *map = carom_tree_find(chain, "decorate");
    if (map == NULL)
        return CAROM_OK;
    if (carom_value_map_of(&b->r, map, &carom_keys_decorate) != CAROM_OK)
        return b->r.error->status;
    if (carom_tree_find(map, "mass") == NULL && carom_tree_find(map, "radius") == NULL)
        return carom_value_wrong_key(&b->r, map, "decorate: there is neither mass nor radius of the beads between");
    if (count < 2)
        return carom_value_wrong_key(&b->r, map, "decorate: a chain of one bead has no place between beads");
    spread_reals(b->mass, first, count);
    spread_reals(b->radius, first, count);
    spread_reals(b->spring, first, count);
    spread_reals(b->damping, first, count);
    spread_reals(b->string, first, count);
    for (size_t i = count; b->made_of != NULL && i-- > 1;) {
        b->made_of[first + 2 * i] = b->made_of[first + i];
        b->made_of[first + 2 * i - 1] = b->made_of[first + i - 1]; /* as the bead before, unless the map says it */
    }
    return carom_bind_bodies_fill(b, map, &carom_keys_decorate, first + 1, 2 * count - 2, 2);
}

/* --- impurities ------------------------------------------------------------------------------------------------- */

enum carom_status carom_bind_chain_number(struct carom_bind *b, struct carom_node *node, const char *what, size_t most,
                                          size_t *number)
{
    const struct carom_param row = {what, CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    double value;
    if (carom_value_read(&b->r, node, &row, &value) != CAROM_OK)
        return b->r.error->status;
    if (value < 1.0 || value > (double)most)
        return carom_value_wrong(&b->r, node, "there is no %s %.15g: they count from 1 to %zu", what, value, most);
    *number = (size_t)value - 1;
    return CAROM_OK;
}

static enum carom_status impurities_at(struct carom_bind *b, struct carom_node *map, size_t first, size_t size)
{
    struct carom_node *at = carom_tree_find(map, "at");
    const bool list = at->kind == CAROM_NODE_LIST;
    at->used = true;
    if (list && at->count == 0)
        return carom_value_wrong(&b->r, at, "the list is empty");
    uint8_t *seen = carom_memory_zeroed(size, sizeof *seen);
    enum carom_status status = seen != NULL ? CAROM_OK : carom_bind_memory(b);
    struct carom_node *node = list ? at->first : at;
    for (; node != NULL && status == CAROM_OK; node = list ? node->next : NULL) {
        size_t bead = 0;
        status = carom_bind_chain_number(b, node, "bead", size, &bead);
        if (status == CAROM_OK && seen[bead]++ > 0)
            status = carom_value_wrong(&b->r, node, "bead %zu appears twice", bead + 1);
        if (status == CAROM_OK)
            status = carom_bind_bodies_fill(b, map, &carom_keys_impurity, first + bead, 1, 1);
    }
    carom_memory_free(seen);
    return status;
}

static enum carom_status impurities_of(struct carom_bind *b, struct carom_node *map, size_t first, size_t size,
                                       struct carom_random *random)
{
    struct carom_keys_impurity keys;
    const struct carom_node *at = carom_tree_find(map, "at"), *share = carom_tree_find(map, "share");
    static const char *const what[] = {"mass", "radius", "material", "spring"};
    bool any = false;
    for (size_t i = 0; i < 4; i++)
        any = any || carom_tree_find(map, what[i]) != NULL;
    if (carom_value_section(&b->r, map, &carom_keys_impurity.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    if ((at != NULL) == (share != NULL))
        return carom_value_wrong_key(&b->r, map,
                                     at != NULL
                                         ? "impurity: at and share both say which beads, choose one"
                                         : "impurity: at is missing: which bead of the chain, or share: how many");
    if (!any)
        return carom_value_wrong_key(&b->r, map, "impurity: there is neither mass, radius, material nor spring");
    if (at != NULL && carom_tree_find(map, "seed") != NULL)
        return carom_value_wrong_key(&b->r, carom_tree_find(map, "seed"),
                                     "seed goes with share, there is nothing random about at");
    if (at != NULL)
        return impurities_at(b, map, first, size);
    start_random(b, map, keys.seed, random);
    for (size_t i = 0; i < size; i++)
        if (carom_random_uniform(random) < keys.share &&
            carom_bind_bodies_fill(b, map, &carom_keys_impurity, first + i, 1, 1) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

/* Later ones win. Done twice, before and after the masses are disordered, with the same random numbers: the mass an
 * impurity gives is its mass. */
static enum carom_status impurities(struct carom_bind *b, const struct carom_node *chain, size_t first, size_t size)
{
    struct maps maps;
    if (find_maps(b, chain, "impurity", &carom_keys_impurity, &maps) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *map = maps.first;
    for (size_t m = 0; m < maps.count; m++, map = map->next) {
        struct carom_random random;
        if (impurities_of(b, map, first, size, &random) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* --- the whole -------------------------------------------------------------------------------------------------- */

size_t carom_bind_chain_size(const struct carom_node *chain, size_t count)
{
    return carom_tree_find(chain, "decorate") != NULL ? 2 * count - 1 : count;
}

enum carom_status carom_bind_chain_place(struct carom_bind *b, struct carom_node *chain, size_t first, size_t count)
{
    const size_t size = carom_bind_chain_size(chain, count), step = size > count ? 2 : 1;
    if (carom_bind_bodies_fill(b, chain, &carom_keys_chain, first, count, 1) != CAROM_OK ||
        fill_pattern(b, chain, first, count) != CAROM_OK ||
        taper_chain(b, chain, CAROM_KEYS_OF_RADIUS, first, count, 1) != CAROM_OK ||
        disorder_chain(b, chain, CAROM_KEYS_OF_RADIUS, first, count, 1) != CAROM_OK ||
        decorate(b, chain, first, count) != CAROM_OK)
        return b->r.error->status;
    const uint64_t draws = b->draws;
    if (impurities(b, chain, first, size) != CAROM_OK || carom_bind_bodies_masses(b, chain, first, size) != CAROM_OK ||
        taper_chain(b, chain, CAROM_KEYS_OF_MASS, first, count, step) != CAROM_OK)
        return b->r.error->status;
    if (disorder_chain(b, chain, CAROM_KEYS_OF_MASS, first, count, step) != CAROM_OK ||
        disorder_chain(b, chain, CAROM_KEYS_OF_STIFFNESS, first, size, 1) != CAROM_OK)
        return b->r.error->status;
    if (carom_tree_find(chain, "impurity") == NULL)
        return CAROM_OK;
    const uint64_t after = b->draws;
    b->draws = draws;
    const enum carom_status status = impurities(b, chain, first, size);
    b->draws = after;
    return status;
}
