/* Bodies from tables: `file` and `run` entries of the list. A table is read once, when entries are counted, and kept as
 * an override, so that a run file can be read without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/keep.h"
#include "scene/space/bind_space.h"
#include "scene/text/yaml.h"

/* --- reading ----------------------------------------------------------------------------------------------------- */

static enum carom_status keep(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    char *rows = carom_import_text(entry->table);
    const size_t length = rows != NULL ? strlen(rows) : 0;
    char *text = rows != NULL ? carom_memory_zeroed(length + 3, 1) : NULL;
    enum carom_status status = CAROM_OK;
    if (text == NULL)
        status = carom_bind_memory(s->b);
    else if (length > CAROM_YAML_BYTES - 1000)
        status = carom_value_wrong(&s->b->r, entry->map,
                                   "%zu bodies are too many for a table: as text they are longer than 64 MB",
                                   entry->table->n);
    if (status == CAROM_OK) {
        stpcpy(stpcpy(stpcpy(text, "\""), rows), "\"");
        status = carom_keep(s->b, entry->map, "table", text);
    }
    carom_memory_free_all(rows, text);
    return status;
}

enum carom_status carom_bind_space_table_time(struct carom_bind_space *s, const struct carom_node *map, double *time)
{
    const struct carom_param row = {"at", CAROM_REAL, 0, 0.0, 0.0, HUGE_VAL, "s", "time", NULL};
    struct carom_node *at = carom_tree_find(map, "at");
    *time = HUGE_VAL;
    if (at == NULL)
        return CAROM_OK;
    at->used = true;
    if (at->kind == CAROM_NODE_SCALAR && strcmp(at->text, "end") == 0)
        return CAROM_OK;
    return carom_value_read(&s->b->r, at, &row, time);
}

enum carom_status carom_bind_space_table_guard(struct carom_bind_space *s, const char *path)
{
    const struct carom_scene_wish *wish = s->b->wish;
    if (wish->sealed)
        return carom_error_set(s->b->r.error, CAROM_E_REFUSED,
                               "a run that another begins from must have kept what its scene names");
    return wish->guard != NULL ? wish->guard(path, s->b->r.error) : CAROM_OK;
}

static enum carom_status read_file(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                   struct carom_node *node)
{
    const struct carom_reader *r = &s->b->r;
    const char *name;
    double at = HUGE_VAL;
    if (carom_value_text(r, node, &name) != CAROM_OK ||
        (entry->shape == CAROM_BIND_RUN && carom_bind_space_table_time(s, entry->map, &at) != CAROM_OK))
        return r->error->status;
    char *path = carom_keep_beside(s->b, name);
    if (path == NULL)
        return carom_bind_memory(s->b);
    const struct carom_short shown = carom_tree_short(name);
    enum carom_status status;
    if (entry->shape == CAROM_BIND_FILE)
        status = carom_import_file(entry->table, path, shown.text, r->si, r->error);
    else if ((status = carom_bind_space_table_guard(s, path)) == CAROM_OK)
        status = carom_import_run(entry->table, path, shown.text, r->si, at, r->error);
    carom_memory_free(path);
    return status == CAROM_OK ? keep(s, entry) : carom_tree_error_at(r->tree, node, r->error);
}

/* --- materials --------------------------------------------------------------------------------------------------- */

/* the material of kind k of the table, as its number */
static enum carom_status find_material(struct carom_bind_space *s, const struct carom_bind_entry *entry, size_t k,
                                       uint32_t *number)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *list = carom_tree_find(entry->map, "materials");
    const char *word = entry->table->kind[k];
    if (list == NULL) {
        struct carom_node named = *carom_tree_find(entry->map, entry->word); /* an error is said at the file */
        named.kind = CAROM_NODE_SCALAR;
        named.text = word;
        return carom_bind_materials_number(s->b, &named, false, number);
    }
    size_t type = strspn(word, "0123456789") == strlen(word) ? strtoul(word, NULL, 10) : 0;
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    if (type < 1 || type > list->count)
        return carom_value_wrong(r, list, "the table has bodies of material \"%s\", and the list goes from 1 to %zu",
                                 word, list->count);
    struct carom_node *node = list->first;
    while (--type > 0)
        node = node->next;
    return carom_bind_materials_number(s->b, node, false, number);
}

/* An entry for each further material; bodies of one material are of one class. Without `materials` numbers of types
 * say nothing, and a `material` is that of all. */
static enum carom_status split(struct carom_bind_space *s, size_t main)
{
    struct carom_import *table = s->entry[main].table;
    const struct carom_node *material = carom_tree_find(s->entry[main].map, "material");
    const struct carom_node *materials = carom_tree_find(s->entry[main].map, "materials");
    const bool typed = table->nkinds > 0 && strspn(table->kind[0], "0123456789") == strlen(table->kind[0]);
    if (material != NULL && materials != NULL)
        return carom_value_wrong_key(&s->b->r, materials,
                                     "material and materials both say what the bodies are made of, choose one");
    if (materials != NULL && table->nkinds == 0)
        return carom_value_wrong_key(&s->b->r, materials,
                                     "materials: the table does not say which body has which of them");
    if (material != NULL || (typed && materials == NULL)) {
        carom_memory_free(table->column[CAROM_IMPORT_KIND]);
        table->column[CAROM_IMPORT_KIND] = NULL;
        table->nkinds = 0;
    }
    s->entry[main].of_class = table->nkinds == 0 ? table->n : 0;
    for (size_t k = 0; k < table->nkinds; k++) {
        struct carom_bind_entry *entry = &s->entry[main];
        if (k > 0 && carom_bind_space_entry(s, &entry) != CAROM_OK)
            return s->b->r.error->status;
        if (k > 0)
            *entry = (struct carom_bind_entry){
                .map = s->entry[main].map, .word = s->entry[main].word, .shape = s->entry[main].shape, .main = main};
        if (find_material(s, &s->entry[main], k, &entry->made_of) != CAROM_OK)
            return s->b->r.error->status;
    }
    for (size_t i = 0; table->nkinds > 0 && i < table->n; i++)
        s->entry[main + (size_t)table->column[CAROM_IMPORT_KIND][i]].of_class++;
    return CAROM_OK;
}

enum carom_status carom_bind_space_table_read(struct carom_bind_space *s, size_t main)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_bind_entry *entry = &s->entry[main];
    struct carom_node *node = carom_tree_find(entry->map, entry->word), *kept = carom_tree_find(entry->map, "table");
    const char *text;
    entry->table = carom_memory_zeroed(1, sizeof *entry->table);
    if (entry->table == NULL)
        return carom_bind_memory(s->b);
    enum carom_status status;
    if (kept != NULL) {
        node->used = true;
        status = carom_value_text(r, kept, &text);
        if (status == CAROM_OK && carom_import_csv(entry->table, "its text", text, r->si, r->error) != CAROM_OK)
            status = carom_tree_error_at(r->tree, kept, r->error);
    } else {
        status = read_file(s, entry, node);
    }
    return status == CAROM_OK ? split(s, main) : status;
}

void carom_bind_space_table_free(struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries; i++)
        if (s->entry[i].table != NULL) {
            carom_import_free(s->entry[i].table);
            carom_memory_free(s->entry[i].table);
        }
}

/* --- placing ----------------------------------------------------------------------------------------------------- */

static enum carom_status check_dimension(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    static const enum carom_import_column beyond[] = {CAROM_IMPORT_Z, CAROM_IMPORT_VZ, CAROM_IMPORT_SPIN_X,
                                                      CAROM_IMPORT_SPIN_Y};
    const struct carom_import *table = entry->table;
    const struct carom_node *node = carom_tree_find(entry->map, entry->word);
    if (table->dimension != 0 && table->dimension != s->dimension)
        return carom_value_wrong(
            &s->b->r, node, "%s: its bodies are of %s, this scene is of %s", carom_tree_short(node->text).text,
            table->dimension == 2 ? "the plane (no column z)" : "space", s->dimension == 2 ? "the plane" : "space");
    for (size_t c = 0; s->dimension == 2 && c < sizeof beyond / sizeof beyond[0]; c++)
        for (size_t i = 0; table->column[beyond[c]] != NULL && i < table->n; i++)
            if (table->column[beyond[c]][i] != 0.0)
                return carom_value_wrong(
                    &s->b->r, node, "%s: body %zu stands at, moves along or turns out of z: this scene is of the plane",
                    carom_tree_short(node->text).text, i + 1);
    return CAROM_OK;
}

/* velocity and spin of a row */
static void set_motion(struct carom_bind_space *s, const struct carom_import *table, size_t i, double *v)
{
    for (size_t k = 0; k < s->dimension; k++)
        if (table->column[CAROM_IMPORT_VX + k] != NULL)
            v[k] = table->column[CAROM_IMPORT_VX + k][i];
    for (size_t k = 0; k < 3; k++) {
        const double *spin = table->column[CAROM_IMPORT_SPIN_X + k];
        if (spin != NULL && (s->dimension == 3 || k == 2))
            v[s->dimension == 3 ? 3 + k : 2] = spin[i];
    }
}

enum carom_status carom_bind_space_table_place(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    const struct carom_import *table = entry->table;
    const struct carom_section *section =
        entry->shape == CAROM_BIND_FILE ? &carom_keys_space_file : &carom_keys_space_run;
    struct carom_node *shift = carom_tree_find(entry->map, "shift");
    struct carom_keys_table keys;
    double by[3] = {0.0};
    if (carom_value_section(&s->b->r, entry->map, &section->kind, &keys) != CAROM_OK ||
        check_dimension(s, entry) != CAROM_OK ||
        (shift != NULL && carom_bind_space_vector(s, shift, "m", by) != CAROM_OK))
        return s->b->r.error->status;
    if (table->column[CAROM_IMPORT_RADIUS] == NULL && !(keys.radius > 0.0))
        return carom_value_wrong(&s->b->r, carom_tree_find(entry->map, entry->word),
                                 "it has no radius: give radius: here");
    const size_t nv = s->dimension == 2 ? 3 : 6;
    for (size_t i = 0; i < table->n; i++) {
        struct carom_body *body = &s->bodies->body[entry->first + i];
        const double *radius = table->column[CAROM_IMPORT_RADIUS], *mass = table->column[CAROM_IMPORT_MASS];
        const double *kind = table->column[CAROM_IMPORT_KIND];
        for (size_t k = 0; k < s->dimension; k++)
            body->at[k] =
                table->column[CAROM_IMPORT_X + k] != NULL ? table->column[CAROM_IMPORT_X + k][i] + by[k] : by[k];
        body->fixed = keys.fixed;
        if (!keys.fixed)
            set_motion(s, table, i, &s->v[(entry->first + i) * nv]);
        if (carom_bind_space_bodies_ball(s, kind != NULL ? entry + (size_t)kind[i] : entry,
                                         radius != NULL ? radius[i] : keys.radius, mass != NULL ? mass[i] : keys.mass,
                                         keys.thickness, keys.of, body) != CAROM_OK)
            return s->b->r.error->status;
    }
    return CAROM_OK;
}

enum carom_status carom_bind_space_table_box(struct carom_bind_space *s, const struct carom_node *domain, double low[3],
                                             double high[3])
{
    const struct carom_import *found = NULL;
    size_t boxes = 0;
    for (size_t i = 0; i < s->nentries; i++)
        if (s->entry[i].table != NULL && s->entry[i].table->boxed) {
            found = s->entry[i].table;
            boxes++;
        }
    if (boxes != 1)
        return carom_value_wrong(&s->b->r, domain, "%s which box its bodies are in: write two corners",
                                 boxes == 0 ? "no file says (those of LAMMPS do)" : "more than one file says");
    memcpy(low, found->low, s->dimension * sizeof *low);
    memcpy(high, found->high, s->dimension * sizeof *high);
    char text[200];
    if (s->dimension == 2)
        snprintf(text, sizeof text, "[[%.17g, %.17g], [%.17g, %.17g]]", low[0], low[1], high[0], high[1]);
    else
        snprintf(text, sizeof text, "[[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]", low[0], low[1], low[2], high[0],
                 high[1], high[2]);
    return carom_keep(s->b, s->root, "domain", text);
}
