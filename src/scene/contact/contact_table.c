/* Fills the table of contacts from the maps that speak of them. A parameter's unit may hold other parameters as
 * exponents ("N/m^p"), so those that depend on nothing are read first. Where k comes from when nobody gives it, and
 * gamma from a restitution, is worked out in bind_contacts.c. */
#include "scene/contact/contact_table.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"

void carom_contact_table_free(struct carom_contact_table *table)
{
    for (size_t i = 0; i < table->nclauses; i++)
        carom_memory_free(table->clause[i].at);
    for (size_t i = 0; i < table->ncolumns; i++)
        carom_memory_free(table->column[i]);
    carom_memory_free_all(table->clause, table->cell, table->law, table->ending, table->damped_by);
    *table = (struct carom_contact_table){0};
}

const struct carom_law *carom_contact_table_law(const struct carom_contact_table *table, size_t contact)
{
    return table->laws[table->law[contact]];
}

double *carom_contact_table_column(const struct carom_contact_table *table, const char *name)
{
    for (size_t i = 0; i < table->ncolumns; i++)
        if (strcmp(table->name[i], name) == 0)
            return table->column[i];
    return NULL;
}

const struct carom_param *carom_contact_table_damping(const struct carom_law *law)
{
    return law->rigid ? law->kind.params : carom_param_find(law->kind.params, law->damping ? law->damping : "gamma");
}

void carom_contact_table_values(const struct carom_contact_table *table, size_t contact, double *value)
{
    const struct carom_param *row = carom_contact_table_law(table, contact)->kind.params;
    for (size_t i = 0; row != NULL && row[i].name != NULL; i++)
        value[i] = carom_contact_table_column(table, row[i].name)[contact];
}

static size_t contact_of(const struct carom_clause *clause, size_t i)
{
    return clause->at != NULL ? clause->at[i] : i;
}

/* --- laws and endings ------------------------------------------------------------------------------------------- */

static enum carom_status find_law(struct carom_bind *b, struct carom_node *node, uint8_t *law)
{
    const char *names[CAROM_BIND_KINDS];
    size_t count = 0, which;
    for (; b->laws[count] != NULL; count++)
        names[count] = b->laws[count]->kind.name;
    if (carom_value_among(&b->r, node, "law", names, count, &which) != CAROM_OK)
        return b->r.error->status;
    *law = (uint8_t)which;
    return b->laws[which]->rigid && !carom_bind_rigid(b)
               ? carom_tree_error(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                  "rigid contacts belong to theory: nonsmooth or lzb, this scene is %s",
                                  b->scene->theory)
               : CAROM_OK;
}

static enum carom_status set_laws(struct carom_contact_table *table, struct carom_bind *b,
                                  const struct carom_clause *clause)
{
    struct carom_node *law = carom_tree_find(clause->map, "law"), *ending = carom_tree_find(clause->map, "contact_end");
    const struct carom_param *row = carom_param_find(carom_keys_contacts.kind.params, "contact_end");
    uint8_t number = 0;
    double end = 0.0;
    if (clause->wall)
        return CAROM_OK;
    if (law != NULL && find_law(b, law, &number) != CAROM_OK)
        return b->r.error->status;
    if (ending != NULL && carom_value_read(&b->r, ending, row, &end) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < clause->count; i++) {
        const size_t j = contact_of(clause, i);
        table->law[j] = law != NULL ? number : table->law[j];
        table->ending[j] = ending != NULL ? (uint8_t)end : table->ending[j];
    }
    return CAROM_OK;
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static enum carom_status add_columns(struct carom_contact_table *table, struct carom_bind *b,
                                     const struct carom_law *law)
{
    for (const struct carom_param *row = law->kind.params; row != NULL && row->name != NULL; row++) {
        if (carom_contact_table_column(table, row->name) != NULL)
            continue;
        if (table->ncolumns == CAROM_LAW_WIDTH)
            return carom_error_set(b->r.error, CAROM_E_REFUSED, "%s: the laws together have too many parameters",
                                   b->r.tree->name);
        double *column = carom_memory_zeroed(table->nc, sizeof *column);
        if (column == NULL)
            return carom_bind_memory(b);
        for (size_t j = 0; j < table->nc; j++)
            column[j] = nan("");
        table->name[table->ncolumns] = row->name;
        table->column[table->ncolumns++] = column;
    }
    return CAROM_OK;
}

static bool depends(const struct carom_param *params, const char *unit)
{
    for (const struct carom_param *other = params; other->name != NULL; other++)
        if (carom_units_depends(unit, other->name))
            return true;
    return false;
}

static enum carom_status make_columns(struct carom_contact_table *table, struct carom_bind *b)
{
    for (size_t j = 0; j < table->nc; j++)
        if (j == 0 || table->law[j] != table->law[j - 1])
            if (add_columns(table, b, carom_contact_table_law(table, j)) != CAROM_OK)
                return b->r.error->status;
    size_t laws = 0;
    while (table->laws[laws] != NULL)
        laws++;
    table->cell = carom_memory_zeroed(laws, sizeof *table->cell);
    if (table->cell == NULL)
        return carom_bind_memory(b);
    for (size_t i = 0; i < laws; i++)
        for (size_t column = 0; column < table->ncolumns; column++) {
            const struct carom_param *params = table->laws[i]->kind.params;
            const struct carom_param *row = carom_param_find(params, table->name[column]);
            table->cell[i][column] = (struct carom_cell){row, row != NULL && depends(params, row->unit)};
        }
    return CAROM_OK;
}

static bool is_key(const struct carom_section *section, const char *name)
{
    const struct carom_key *key = section->others;
    while (key->name != NULL && strcmp(key->name, name) != 0)
        key++;
    return key->name != NULL;
}

/* The keys a map may have: the section's and the parameters of the laws of its contacts. */
static enum carom_status check_keys(struct carom_contact_table *table, struct carom_bind *b,
                                    const struct carom_clause *clause)
{
    const struct carom_section *section = table->section != NULL ? table->section : &carom_keys_contacts;
    const struct carom_param *tables[65] = {NULL};
    bool seen[64] = {false};
    size_t count = 0;
    for (size_t i = 0; i < clause->count; i++) {
        const uint8_t law = table->law[contact_of(clause, i)];
        if (seen[law] || table->laws[law]->kind.params == NULL)
            continue;
        seen[law] = true;
        tables[count++] = table->laws[law]->kind.params;
    }
    /* a law that exists but does not have the key deserves its name in the sentence */
    for (const struct carom_node *node = clause->map->first; node != NULL && count == 1; node = node->next) {
        const struct carom_law *law = carom_contact_table_law(table, contact_of(clause, 0));
        bool elsewhere = false;
        for (size_t i = 0; table->laws[i] != NULL; i++)
            elsewhere = elsewhere || carom_param_find(table->laws[i]->kind.params, node->key) != NULL;
        if (!elsewhere || carom_param_find(law->kind.params, node->key) != NULL || is_key(section, node->key))
            continue;
        const struct carom_node *own = carom_tree_find(clause->map, "law");
        if (own != NULL && own->text != NULL && strcmp(own->text, law->kind.name) != 0)
            return carom_value_wrong_key(
                &b->r, node, "'%s' has no meaning: no contact has the law %s in the end, later maps give them %s",
                node->key, own->text, law->kind.name);
        return carom_value_wrong_key(
            &b->r, node, "the law %s has no parameter '%s'%s", law->kind.name, node->key,
            strncmp(node->key, "mu", 2) == 0 && carom_bind_mechanism_is(b->r.tree->root)
                ? ": friction of mechanisms needs theory: nonsmooth, whose contacts are rigid"
            : strncmp(node->key, "mu", 2) == 0 && b->class_made_of == NULL && b->pair == NULL
                ? ": beads of a row have no direction to slip in"
            : strcmp(node->key, "e") == 0 &&
                    (law->damping != NULL || carom_param_find(law->kind.params, "gamma") != NULL)
                ? ": its key is restitution, a number or {e: ..., speed: ...}"
            : strcmp(node->key, "e") == 0
                ? ": it loses nothing; law: kuwabara-kono has a restitution: {e: ..., speed: ...}"
                : "");
    }
    return carom_value_keys(&b->r, clause->map, clause->wall ? &carom_keys_wall : section, tables);
}

/* --- parameters ------------------------------------------------------------------------------------------------- */

enum carom_status carom_contact_table_dimension(const struct carom_contact_table *table, size_t contact,
                                                const struct carom_param *row, struct carom_dimension *dimension,
                                                struct carom_error *error)
{
    const struct carom_param *params = carom_contact_table_law(table, contact)->kind.params;
    const char *names[CAROM_LAW_WIDTH];
    double values[CAROM_LAW_WIDTH];
    struct carom_exponents exponents = {carom_param_count(params), names, values};
    for (size_t i = 0; i < exponents.count; i++)
        names[i] = params[i].name;
    carom_contact_table_values(table, contact, values);
    return carom_units_dimension(row->unit, &exponents, dimension, error);
}

/* One quantity for one contact; `fresh`: it has not been checked for this law yet. */
static enum carom_status set_value(struct carom_contact_table *table, struct carom_bind *b, size_t j, size_t column,
                                   const struct carom_node *item, const struct carom_quantity *quantity, bool fresh)
{
    const struct carom_cell *cell = &table->cell[table->law[j]][column];
    struct carom_dimension dimension;
    if (quantity->unit && (fresh || cell->dependent) &&
        (carom_contact_table_dimension(table, j, cell->row, &dimension, b->r.error) != CAROM_OK ||
         carom_units_check(item->text, quantity, cell->row->unit, &dimension, b->r.error) != CAROM_OK))
        return carom_tree_error_at(b->r.tree, item, b->r.error);
    if (fresh && carom_param_check(cell->row, quantity->value, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, item, b->r.error);
    table->column[column][j] = quantity->value;
    if (cell->row == carom_contact_table_damping(carom_contact_table_law(table, j)))
        table->damped_by[j] = 0;
    return CAROM_OK;
}

/* Does a later map say this parameter of contact j anew, by itself or by a restitution? */
static bool said_later(const struct carom_contact_table *table, const struct carom_clause *clause, size_t j,
                       size_t column)
{
    const bool damping =
        table->cell[table->law[j]][column].row == carom_contact_table_damping(carom_contact_table_law(table, j));
    for (const struct carom_clause *later = clause + 1; later < table->clause + table->nclauses; later++) {
        if (carom_tree_find(later->map, table->name[column]) == NULL && !(damping && later->restitution != NULL))
            continue;
        for (size_t i = 0; i < later->count; i++)
            if (contact_of(later, i) == j)
                return true;
    }
    return false;
}

/* One parameter of one map: into the column, for the contacts whose law has it. A value that does not fit the law of a
 * contact is no error if a later map, which changed that law, has another. */
static enum carom_status set_column(struct carom_contact_table *table, struct carom_bind *b,
                                    const struct carom_clause *clause, struct carom_node *node, size_t column,
                                    bool dependent)
{
    struct carom_node *item = node;
    if (node->kind == CAROM_NODE_LIST) {
        if (carom_value_list_of(&b->r, node, clause->count, "contact") != CAROM_OK)
            return b->r.error->status;
        item = node->first;
    }
    struct carom_quantity quantity = {0};
    const struct carom_node *read = NULL;
    bool said = false; /* the contact before has another value, so that this one was let pass there */
    for (size_t i = 0; i < clause->count; i++) {
        const size_t j = contact_of(clause, i);
        const struct carom_cell *cell = &table->cell[table->law[j]][column];
        if (read != item && carom_value_quantity(&b->r, item, &quantity) != CAROM_OK)
            return b->r.error->status;
        const bool fresh = said || read != item || table->law[j] != table->law[contact_of(clause, i - 1)];
        read = item;
        said = false;
        if (cell->row != NULL && cell->dependent == dependent &&
            set_value(table, b, j, column, item, &quantity, fresh) != CAROM_OK) {
            said = said_later(table, clause, j, column);
            if (!said)
                return b->r.error->status;
            *b->r.error = (struct carom_error){0};
        }
        if (node->kind == CAROM_NODE_LIST)
            item = item->next;
    }
    return CAROM_OK;
}

static enum carom_status set_columns(struct carom_contact_table *table, struct carom_bind *b,
                                     const struct carom_clause *clause, bool dependent)
{
    for (size_t column = 0; column < table->ncolumns; column++) {
        struct carom_node *node = carom_tree_find(clause->map, table->name[column]);
        if (node != NULL && set_column(table, b, clause, node, column, dependent) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* --- restitution and defaults ----------------------------------------------------------------------------------- */

/* restitution: 0.9 is that of pairs which close with 1; whoever reads the scene is told, if the speed matters */
static enum carom_status read_e(const struct carom_contact_table *table, struct carom_bind *b,
                                struct carom_clause *clause, struct carom_node *node)
{
    const struct carom_law *law = carom_contact_table_law(table, contact_of(clause, 0));
    double e;
    if (carom_value_read(&b->r, node, carom_keys_restitution.kind.params, &e) != CAROM_OK)
        return b->r.error->status;
    clause->pair = (struct carom_keys_restitution){.e = e, .speed = 1.0};
    if (carom_bind_rigid(b) || law->damping_of != NULL)
        return CAROM_OK;
    return carom_bind_note(b,
                           "restitution: %g is taken to hold for pairs that close with 1%s; write {e: %g, speed: ...} "
                           "for another speed",
                           e, b->r.si ? " m/s" : "", e);
}

/* c of a dashpot, which laws have whose k times gamma is one */
static enum carom_status read_dashpot(const struct carom_contact_table *table, struct carom_bind *b,
                                      struct carom_clause *clause, struct carom_node *node)
{
    static const struct carom_param row = {"c", CAROM_REAL, 0, 0.0, 0.0, HUGE_VAL, "N s/m", "dashpot", NULL};
    for (size_t i = 0; i < clause->count; i++) {
        const struct carom_law *law = carom_contact_table_law(table, contact_of(clause, i));
        const struct carom_param *k = carom_param_find(law->kind.params, "k"),
                                 *gamma = carom_contact_table_damping(law);
        struct carom_dimension of_k = {0}, of_gamma = {0}; /* exponents that a scene chooses make no dashpot */
        const bool known = k != NULL && gamma != NULL &&
                           carom_units_dimension(k->unit, NULL, &of_k, b->r.error) == CAROM_OK &&
                           carom_units_dimension(gamma->unit, NULL, &of_gamma, b->r.error) == CAROM_OK;
        const struct carom_dimension both = {of_k.m + of_gamma.m, of_k.kg + of_gamma.kg, of_k.s + of_gamma.s};
        if (!known || !carom_units_same(&both, &(struct carom_dimension){.kg = 1.0, .s = -1.0}))
            return carom_value_wrong_key(
                &b->r, node, "c: the law %s has no dashpot; linear-dashpot and hertz-dashpot have", law->kind.name);
    }
    clause->restitution = node;
    return carom_value_read(&b->r, node, &row, &clause->dashpot);
}

static enum carom_status read_restitution(const struct carom_contact_table *table, struct carom_bind *b,
                                          struct carom_clause *clause)
{
    struct carom_node *node = carom_tree_find(clause->map, "restitution"), *c = carom_tree_find(clause->map, "c");
    bool damped = false;
    clause->dashpot = nan("");
    if (node != NULL && c != NULL)
        return carom_value_wrong_key(&b->r, c, "c and restitution both say the damping, choose one");
    if (node == NULL && c == NULL)
        return CAROM_OK;
    for (size_t i = 0; i < clause->count; i++) {
        const struct carom_param *row =
            carom_contact_table_damping(carom_contact_table_law(table, contact_of(clause, i)));
        const struct carom_node *other = row != NULL ? carom_tree_find(clause->map, row->name) : NULL;
        if (other != NULL)
            return carom_value_wrong_key(&b->r, other, "%s and %s both say the damping, choose one", row->name,
                                         c != NULL ? "c" : "restitution");
        damped = damped || row != NULL;
    }
    if (c != NULL)
        return read_dashpot(table, b, clause, c);
    if (node->kind == CAROM_NODE_SCALAR
            ? read_e(table, b, clause, node) != CAROM_OK
            : carom_value_map_of(&b->r, node, &carom_keys_restitution) != CAROM_OK ||
                  carom_value_section(&b->r, node, &carom_keys_restitution.kind, &clause->pair) != CAROM_OK)
        return b->r.error->status;
    clause->restitution = node;
    if (damped)
        return CAROM_OK;
    return carom_value_wrong(&b->r, node,
                             "the law %s has no damping; write law: kuwabara-kono beside it (or hunt-crossley)",
                             carom_contact_table_law(table, contact_of(clause, 0))->kind.name);
}

/* A restitution takes the place of the damping that an earlier map has given. */
static void set_restitution(struct carom_contact_table *table, const struct carom_clause *clause, bool dependent)
{
    for (size_t column = 0; clause->restitution != NULL && column < table->ncolumns; column++)
        for (size_t i = 0; i < clause->count; i++) {
            const size_t j = contact_of(clause, i);
            const struct carom_cell *cell = &table->cell[table->law[j]][column];
            if (cell->row == NULL || cell->dependent != dependent ||
                cell->row != carom_contact_table_damping(carom_contact_table_law(table, j)))
                continue;
            table->damped_by[j] = (uint16_t)(clause - table->clause + 1);
            table->column[column][j] = nan("");
        }
}

bool carom_contact_table_stiffness(const char *name)
{
    return strcmp(name, "k") == 0 || strcmp(name, "k1") == 0;
}

enum carom_status carom_contact_table_stiffen(const struct carom_contact_table *table, carom_contact_table_find *find,
                                              void *own)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < table->ncolumns; i++)
        for (size_t j = 0; carom_contact_table_stiffness(table->name[i]) && j < table->nc && status == CAROM_OK; j++) {
            const struct carom_param *row = table->cell[table->law[j]][i].row;
            if (row != NULL && isnan(table->column[i][j]))
                status = find(own, table, j, row, &table->column[i][j]);
        }
    return status;
}

/* Stiffnesses are left alone: they come from the materials. */
static enum carom_status set_defaults(struct carom_contact_table *table, struct carom_bind *b, bool dependent)
{
    for (size_t column = 0; column < table->ncolumns; column++) {
        const bool stiffness = carom_contact_table_stiffness(table->name[column]);
        for (size_t j = 0; j < table->nc && !stiffness; j++) {
            const struct carom_cell *cell = &table->cell[table->law[j]][column];
            double *value = &table->column[column][j];
            if (cell->row == NULL || !isnan(*value) || cell->dependent != dependent ||
                (table->damped_by[j] > 0 &&
                 cell->row == carom_contact_table_damping(carom_contact_table_law(table, j))))
                continue;
            if (cell->row->standard == CAROM_REQUIRED)
                return carom_value_missing(&b->r, table->clause[0].map, cell->row);
            *value = cell->row->standard;
        }
    }
    return CAROM_OK;
}

enum carom_status carom_contact_table_fill(struct carom_contact_table *table, struct carom_bind *b)
{
    table->laws = b->laws;
    for (uint8_t i = 0; carom_bind_rigid(b) && b->laws[i] != NULL; i++)
        for (size_t j = 0; b->laws[i]->rigid && j < table->nc; j++)
            table->law[j] = i; /* unless the maps say otherwise */
    for (size_t i = 0; i < table->nclauses; i++)
        if (set_laws(table, b, &table->clause[i]) != CAROM_OK)
            return b->r.error->status;
    if (make_columns(table, b) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < table->nclauses; i++)
        if (check_keys(table, b, &table->clause[i]) != CAROM_OK ||
            read_restitution(table, b, &table->clause[i]) != CAROM_OK)
            return b->r.error->status;
    for (int pass = 0; pass < 2; pass++) {
        const bool dependent = pass == 1;
        for (size_t i = 0; i < table->nclauses; i++) {
            if (set_columns(table, b, &table->clause[i], dependent) != CAROM_OK)
                return b->r.error->status;
            set_restitution(table, &table->clause[i], dependent);
        }
        if (set_defaults(table, b, dependent) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* The map that has given a contact this parameter last; NULL: none has. */
static const struct carom_node *given_by(const struct carom_contact_table *table, size_t contact, const char *name)
{
    for (size_t i = table->nclauses; i > 0; i--) {
        const struct carom_clause *clause = &table->clause[i - 1];
        const struct carom_node *node = carom_tree_find(clause->map, name);
        for (size_t k = 0; node != NULL && k < clause->count; k++)
            if (contact_of(clause, k) == contact)
                return node;
    }
    return NULL;
}

enum carom_status carom_contact_table_accept(const struct carom_contact_table *table, struct carom_bind *b)
{
    for (size_t j = 0; j < table->nc; j++) {
        const struct carom_law *law = carom_contact_table_law(table, j);
        const double *k = b->springy && law->rigid ? carom_contact_table_column(table, "k") : NULL;
        if (k != NULL && !(k[j] > 0.0)) {
            const struct carom_node *given = given_by(table, j, "k");
            carom_error_set(b->r.error, CAROM_E_INPUT, "impact lzb needs a positive k at contact %zu, got %g",
                            j + table->first, k[j]);
            return carom_tree_error_at(b->r.tree, given != NULL ? given : table->clause[0].map, b->r.error);
        }
        double value[CAROM_LAW_WIDTH];
        const double *param[CAROM_LAW_WIDTH];
        if (law->accept == NULL)
            continue;
        carom_contact_table_values(table, j, value);
        for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
            param[i] = &value[i];
        if (law->accept(param, 0, b->r.error) == CAROM_OK)
            continue;
        const struct carom_node *node = given_by(table, j, law->rigid ? "mu_static" : law->damping);
        if (table->damped_by[j] > 0 && !law->rigid)
            node = table->clause[table->damped_by[j] - 1].restitution;
        struct carom_node at = node != NULL ? *node : *table->clause[0].map;
        at.key = law->rigid ? NULL : at.key; /* the sentence names it */
        return carom_tree_error_at(b->r.tree, &at, b->r.error);
    }
    return CAROM_OK;
}
