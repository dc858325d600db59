/* Contacts of a scene, and with them the model. Contacts run from left to right: the left wall if there is one, the
 * neighbours, the right wall. k comes from radius and material after Hertz where nobody gives it, gamma from a
 * restitution where one is given (one solution per kind of pair). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "scene/contact/contact_table.h"
#include "scene/keys/keys_solid.h"

enum { CLAUSES = 60000 }; /* maps that speak of contacts */

/* --- the maps that speak of contacts ---------------------------------------------------------------------------- */

static enum carom_status read_number(struct carom_bind *b, const struct carom_contact_table *table,
                                     struct carom_node *node, uint32_t *contact)
{
    const struct carom_param row = {"at", CAROM_INTEGER, 0, 0.0, 0.0, HUGE_VAL, "1", "contact", NULL};
    double number;
    if (carom_value_read(&b->r, node, &row, &number) != CAROM_OK)
        return b->r.error->status;
    const double last = (double)(table->first + table->nc - 1);
    if (number < (double)table->first || number > last)
        return carom_value_wrong(&b->r, node,
                                 "there is no contact %.15g: contact j is right of body j, here %zu to %.0f", number,
                                 table->first, last);
    *contact = (uint32_t)((size_t)number - table->first);
    return CAROM_OK;
}

static enum carom_status read_at(struct carom_bind *b, const struct carom_contact_table *table,
                                 struct carom_clause *clause)
{
    struct carom_node *at = carom_tree_find(clause->map, "at");
    if (at == NULL)
        return carom_value_wrong_key(&b->r, clause->map,
                                     "contacts: at is missing: only the first map of the list applies to all contacts");
    const bool list = at->kind == CAROM_NODE_LIST;
    if (list && at->count == 0)
        return carom_value_wrong(&b->r, at, "the list is empty");
    clause->count = list ? at->count : 1;
    clause->at = carom_memory_zeroed(clause->count, sizeof *clause->at);
    if (clause->at == NULL)
        return carom_bind_memory(b);
    at->used = true;
    bool *there = carom_memory_zeroed(table->nc, sizeof *there);
    if (there == NULL)
        return carom_bind_memory(b);
    enum carom_status status = CAROM_OK;
    struct carom_node *node = list ? at->first : at;
    for (size_t i = 0; i < clause->count && status == CAROM_OK; i++, node = node->next) {
        status = read_number(b, table, node, &clause->at[i]);
        if (status == CAROM_OK && there[clause->at[i]]) /* a slip of the pen */
            status = carom_value_wrong(&b->r, node, "contact %zu appears twice", table->first + clause->at[i]);
        if (status == CAROM_OK)
            there[clause->at[i]] = true;
    }
    carom_memory_free(there);
    return status;
}

static bool is_called(const struct carom_bind *b, const char *word, size_t body)
{
    return strcmp(b->called[body], word) == 0;
}

/* `between` of an earlier map, which was read, that names these two in either order; NULL: none */
static const struct carom_node *named_before(const struct carom_contact_table *table, const char *const word[2])
{
    for (size_t i = 0; i + 1 < table->nclauses; i++) {
        const struct carom_node *other = carom_tree_find(table->clause[i].map, "between");
        if (other == NULL)
            continue;
        const char *one = other->first->text, *two = other->last->text;
        if ((strcmp(one, word[0]) == 0 && strcmp(two, word[1]) == 0) ||
            (strcmp(one, word[1]) == 0 && strcmp(two, word[0]) == 0))
            return other;
    }
    return NULL;
}

/* the contacts of those that `between` names */
static enum carom_status read_between(struct carom_bind *b, const struct carom_contact_table *table,
                                      struct carom_clause *clause)
{
    struct carom_node *between = carom_tree_find(clause->map, "between");
    const char *word[2];
    if (between == NULL)
        return carom_value_wrong_key(&b->r, clause->map,
                                     "contacts: between is missing, such as between: [balls, block]: only the first "
                                     "map of the list goes without");
    if (carom_value_list_of(&b->r, between, 2, "side") != CAROM_OK ||
        carom_value_text(&b->r, between->first, &word[0]) != CAROM_OK ||
        carom_value_text(&b->r, between->last, &word[1]) != CAROM_OK)
        return b->r.error->status;
    const struct carom_node *before = named_before(table, word);
    if (before != NULL)
        return carom_value_wrong(&b->r, between,
                                 "%s and %s are named twice, first in line %zu, column %zu: one map says it all",
                                 carom_tree_short(word[0]).text, carom_tree_short(word[1]).text, (size_t)before->line,
                                 (size_t)before->column);
    clause->at = carom_memory_zeroed(table->nc, sizeof *clause->at);
    if (clause->at == NULL)
        return carom_bind_memory(b);
    clause->count = 0;
    for (size_t j = 0; j < table->nc; j++) {
        const size_t left = (size_t)b->pair[j][0], right = (size_t)b->pair[j][1];
        if ((is_called(b, word[0], left) && is_called(b, word[1], right)) ||
            (is_called(b, word[1], left) && is_called(b, word[0], right)))
            clause->at[clause->count++] = (uint32_t)j;
    }
    if (clause->count == 0)
        return carom_value_wrong(
            &b->r, between,
            "no contact joins %s and %s: names of solids and planes, balls, and solid for a single one without a name",
            carom_tree_short(word[0]).text, carom_tree_short(word[1]).text);
    return CAROM_OK;
}

/* Of solids, a contact that two maps mean by `between` and `at` is a slip: the later one would silently win. */
static enum carom_status check_once(struct carom_bind *b, const struct carom_contact_table *table,
                                    const struct carom_clause *clause)
{
    for (const struct carom_clause *other = table->clause; other < clause; other++)
        for (size_t i = 0; other->at != NULL && i < other->count; i++)
            for (size_t k = 0; k < clause->count; k++)
                if (other->at[i] == clause->at[k])
                    return carom_value_wrong_key(
                        &b->r, clause->map,
                        "contacts: contact %zu is described twice, first in line %zu, column %zu: one map says it all",
                        table->first + clause->at[k], (size_t)other->map->line, (size_t)other->map->column);
    return CAROM_OK;
}

static enum carom_status add_map(struct carom_bind *b, struct carom_contact_table *table, struct carom_node *map)
{
    struct carom_clause *clause = &table->clause[table->nclauses];
    *clause = (struct carom_clause){.map = map, .count = table->nc};
    table->nclauses++;
    if (carom_value_map(&b->r, map) != CAROM_OK)
        return b->r.error->status;
    const struct carom_node *at = carom_tree_find(map, "at");
    const bool between = carom_tree_find(map, "between") != NULL;
    if (b->called != NULL && (between || (table->nclauses > 1 && at == NULL)))
        return read_between(b, table, clause) == CAROM_OK ? check_once(b, table, clause) : b->r.error->status;
    if (table->nclauses > 1 && read_at(b, table, clause) == CAROM_OK)
        return b->called != NULL ? check_once(b, table, clause) : CAROM_OK;
    if (table->nclauses > 1)
        return b->r.error->status;
    if (b->called != NULL && b->spoken > 0)
        clause->count = b->spoken;
    if (at != NULL)
        return carom_value_wrong_key(&b->r, at,
                                     "at: the first map applies to all contacts; add a second one to the list");
    return CAROM_OK;
}

static enum carom_status add_wall(struct carom_bind *b, struct carom_contact_table *table, size_t side)
{
    if (b->wall[side].node == NULL)
        return CAROM_OK;
    struct carom_clause *clause = &table->clause[table->nclauses++];
    *clause = (struct carom_clause){.map = b->wall[side].node, .count = 1, .wall = true};
    clause->at = carom_memory_zeroed(1, sizeof *clause->at);
    if (clause->at == NULL)
        return carom_bind_memory(b);
    clause->at[0] = (uint32_t)(side == CAROM_KEYS_LEFT ? 0 : table->nc - 1);
    return CAROM_OK;
}

/* all defaults, but errors need a place */
static struct carom_node *nothing_given(const struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *given = carom_tree_node(b->r.tree, CAROM_NODE_MAP);
    if (given != NULL) {
        given->key = "contacts";
        given->line = root->line;
        given->column = root->column;
    }
    return given;
}

struct carom_node *carom_bind_contacts_maps(struct carom_contact_table *table, const struct carom_bind *b,
                                            const struct carom_node *root, size_t more, size_t *count)
{
    struct carom_node *found = carom_tree_find(root, "contacts"), *given = found ? found : nothing_given(b, root);
    const bool list = given != NULL && given->kind == CAROM_NODE_LIST;
    *count = list ? given->count : 1;
    if (given != NULL && (*count == 0 || *count > CLAUSES))
        return carom_value_wrong(&b->r, given, *count == 0 ? "the list is empty" : "the list is too long"), NULL;
    table->clause = carom_memory_zeroed(*count + more, sizeof *table->clause);
    if (given == NULL || table->clause == NULL)
        return carom_bind_memory(b), NULL;
    given->used = true;
    return list ? given->first : given;
}

static enum carom_status add_clauses(struct carom_bind *b, struct carom_contact_table *table,
                                     const struct carom_node *root)
{
    size_t maps;
    struct carom_node *map = carom_bind_contacts_maps(table, b, root, 2, &maps);
    if (map == NULL)
        return b->r.error->status;
    for (size_t i = 0; i < maps; i++, map = map->next)
        if (add_map(b, table, map) != CAROM_OK)
            return b->r.error->status;
    for (size_t side = 0; side < 2; side++)
        if (add_wall(b, table, side) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static const struct carom_dimension hertz_stiffness = {-0.5, 1.0, -2.0}; /* the only one that materials give */

/* --- stiffness -------------------------------------------------------------------------------------------------- */

/* The body at one side of a contact, from 0; SIZE_MAX: a wall. */
static size_t body_at(const struct carom_bind *b, const struct carom_contact_table *table, size_t contact, size_t side)
{
    if (b->pair != NULL)
        return (size_t)b->pair[contact][side];
    const size_t left = contact + table->first; /* bodies count from 1 here: 0 is the left wall, n + 1 the right */
    const size_t number = left + side;
    return number == 0 || number > b->n ? SIZE_MAX : number - 1;
}

/* What one side of a contact is made of; NULL and the reason if that cannot be said. */
static const struct carom_material *side_of(const struct carom_bind *b, const struct carom_contact_table *table,
                                            size_t contact, size_t side, double *radius, const char **lacks)
{
    const size_t body = body_at(b, table, contact, side);
    uint32_t made_of = b->wall[side].made_of;
    *radius = HUGE_VAL;
    if (body != SIZE_MAX) {
        made_of = b->made_of != NULL ? b->made_of[body] : 0;
        *radius = b->radius != NULL ? b->radius[body] : 0.0;
    }
    const struct carom_material *material = made_of > 0 ? &b->material[made_of - 1] : NULL;
    if (material == NULL)
        *lacks = "material";
    else if (!(*radius > 0.0))
        *lacks = "radius";
    else if (isnan(material->young))
        *lacks = "Young's modulus";
    else if (isnan(material->poisson))
        *lacks = "Poisson's ratio";
    else
        return material;
    return NULL;
}

static enum carom_status no_stiffness(struct carom_bind *b, const struct carom_contact_table *table, size_t contact,
                                      size_t side, const char *lacks)
{
    const size_t body = body_at(b, table, contact, side);
    const struct carom_node *map = table->clause[0].map;
    if (body == SIZE_MAX)
        return carom_value_wrong_key(&b->r, b->wall[side].node,
                                     "wall: there is neither k nor a %s of the wall to work it out from", lacks);
    return carom_value_wrong_key(&b->r, map,
                                 "contacts: there is neither k at contact %zu nor a %s of body %zu to work it out from",
                                 contact + table->first, lacks, body + 1);
}

static enum carom_status work_out_k(struct carom_bind *b, const struct carom_contact_table *table, size_t contact,
                                    const struct carom_param *row, double *k)
{
    const struct carom_node *map = table->clause[0].map;
    struct carom_dimension dimension;
    if (b->faces != NULL && b->faces[contact] > 0.0) {
        *k = b->faces[contact]; /* other laws than linear ones are refused later */
        return CAROM_OK;
    }
    if (carom_contact_table_dimension(table, contact, row, &dimension, b->r.error) != CAROM_OK)
        return b->r.error->status;
    if (!carom_units_same(&dimension, &hertz_stiffness))
        return carom_value_wrong_key(&b->r, map, "contacts: %s is missing: materials give it for the exponent 3/2 only",
                                     row->name);
    const struct carom_material *side[2];
    double radius[2];
    for (size_t i = 0; i < 2; i++) {
        const char *lacks = "";
        side[i] = side_of(b, table, contact, i, &radius[i], &lacks);
        if (side[i] == NULL)
            return no_stiffness(b, table, contact, i, lacks);
    }
    *k = carom_materials_hertz(side[0], radius[0], side[1], radius[1]);
    if (!(isfinite(*k) && *k > 0.0))
        return carom_value_wrong_key(&b->r, map, "contacts: radius and material give no k that a number can hold");
    return CAROM_OK;
}

/* k, or what a law calls so, of one contact that nobody has given it. */
static enum carom_status find_stiffness(void *own, const struct carom_contact_table *table, size_t contact,
                                        const struct carom_param *row, double *k)
{
    struct carom_bind *b = own;
    const double *gamma = carom_contact_table_column(table, "gamma");
    if (carom_bind_rigid(b) && !b->springy && carom_contact_table_law(table, contact)->rigid) {
        *k = row->standard; /* nobody will ask */
        return CAROM_OK;
    }
    const bool materials = b->made_of != NULL || b->wall[0].made_of > 0 || b->wall[1].made_of > 0;
    if (materials)
        return work_out_k(b, table, contact, row, k);
    if (row->standard == CAROM_REQUIRED) /* a law of one's own, that has no usual stiffness */
        return carom_value_missing(&b->r, table->clause[0].map, row);
    *k = row->standard;
    if (!b->r.si || (carom_bind_rigid(b) && !b->springy && (!gamma || !(gamma[contact] > 0.0))))
        return CAROM_OK; /* rigid bodies without damping: nobody will ask */
    struct carom_dimension dimension;
    if (carom_contact_table_dimension(table, contact, row, &dimension, b->r.error) != CAROM_OK)
        return b->r.error->status;
    return carom_value_wrong_key(
        &b->r, table->clause[0].map, "contacts: %s is missing: give %s%s", row->name, row->name,
        carom_units_same(&dimension, &hertz_stiffness) ? ", or radius and material to bodies and walls" : " a value");
}

/* Disordered stiffness: a factor for contacts between beads of one chain. */
static void scatter_stiffness(const struct carom_bind *b, const struct carom_contact_table *table)
{
    double *k = carom_contact_table_column(table, "k");
    for (size_t j = 0; b->stiffen != NULL && k != NULL && j < table->nc; j++) {
        const size_t left = body_at(b, table, j, 0), right = body_at(b, table, j, 1);
        if (left != SIZE_MAX && right != SIZE_MAX && b->stiffen[right] > 0.0 && !isnan(k[j]))
            k[j] *= b->stiffen[right];
    }
}

/* --- damping ---------------------------------------------------------------------------------------------------- */

/* The mass that meets: of the bead at a wall, reduced of two beads. */
static double meeting_mass(const struct carom_bind *b, const struct carom_contact_table *table, size_t contact)
{
    const size_t left = body_at(b, table, contact, 0), right = body_at(b, table, contact, 1);
    if (left == SIZE_MAX || right == SIZE_MAX)
        return b->mass[left == SIZE_MAX ? right : left];
    return 1.0 / (1.0 / b->mass[left] + 1.0 / b->mass[right]);
}

/* --- the model -------------------------------------------------------------------------------------------------- */

static enum carom_status join_runs(struct carom_bind *b, const struct carom_contact_table *table,
                                   const int32_t (*pair)[2], const double *gap)
{
    for (size_t first = 0, end; first < table->nc; first = end) {
        for (end = first + 1; end < table->nc; end++)
            if (table->law[end] != table->law[first] || table->ending[end] != table->ending[first])
                break;
        const struct carom_law *law = carom_contact_table_law(table, first);
        const double *columns[CAROM_LAW_WIDTH];
        for (size_t i = 0; i < carom_param_count(law->kind.params); i++)
            columns[i] = carom_contact_table_column(table, law->kind.params[i].name) + first;
        if (carom_model_join(b->scene->model, law, (enum carom_ending)table->ending[first], end - first, pair + first,
                             gap + first, columns, b->r.error) != CAROM_OK)
            return carom_tree_error_at(b->r.tree, table->clause[0].map, b->r.error);
    }
    return CAROM_OK;
}

static enum carom_status join_all(struct carom_bind *b, const struct carom_contact_table *table)
{
    int32_t(*pair)[2] = carom_memory_zeroed(table->nc, sizeof *pair);
    double *gap = carom_memory_zeroed(table->nc, sizeof *gap);
    enum carom_status status = pair != NULL && gap != NULL ? CAROM_OK : carom_bind_memory(b);
    for (size_t j = 0; status == CAROM_OK && j < table->nc; j++) {
        const size_t left = body_at(b, table, j, 0), right = body_at(b, table, j, 1);
        pair[j][0] = left == SIZE_MAX ? CAROM_WALL_LEFT : (int32_t)left;
        pair[j][1] = right == SIZE_MAX ? CAROM_WALL_RIGHT : (int32_t)right;
        gap[j] = left == SIZE_MAX ? b->wall[0].gap : right == SIZE_MAX ? b->wall[1].gap : b->gap[right];
    }
    if (status == CAROM_OK)
        status = join_runs(b, table, (const int32_t(*)[2])pair, gap);
    carom_memory_free_all(pair, gap);
    return status;
}

static enum carom_status fill_sheet(struct carom_bind *b, struct carom_contact_table *table,
                                    const struct carom_node *root)
{
    table->law = carom_memory_zeroed(table->nc, sizeof *table->law);
    table->ending = carom_memory_zeroed(table->nc, sizeof *table->ending);
    table->damped_by = carom_memory_zeroed(table->nc, sizeof *table->damped_by);
    if (table->law == NULL || table->ending == NULL || table->damped_by == NULL)
        return carom_bind_memory(b);
    for (size_t j = 0; b->faces != NULL && j < table->nc; j++)
        for (size_t i = 0; b->faces[j] > 0.0 && b->laws[i] != NULL; i++)
            table->law[j] = b->laws[i] == &carom_law_linear_dashpot ? (uint8_t)i : table->law[j];
    table->section = b->called != NULL ? &carom_keys_solid_contacts : table->section;
    if (add_clauses(b, table, root) != CAROM_OK || carom_contact_table_fill(table, b) != CAROM_OK ||
        carom_contact_table_stiffen(table, find_stiffness, b) != CAROM_OK)
        return b->r.error->status;
    scatter_stiffness(b, table);
    double *mass = carom_memory_zeroed(table->nc, sizeof *mass);
    if (mass == NULL)
        return carom_bind_memory(b);
    for (size_t j = 0; j < table->nc; j++) {
        const bool faces = b->faces != NULL && b->faces[j] > 0.0, damped = table->damped_by[j] > 0;
        mass[j] = damped && faces ? b->meeting[j] : damped && b->mass != NULL ? meeting_mass(b, table, j) : 0.0;
        if (mass[j] == HUGE_VAL && isnan(table->clause[table->damped_by[j] - 1].dashpot)) {
            carom_memory_free(mass);
            return carom_tree_error_key(b->r.tree, table->clause[table->damped_by[j] - 1].map, CAROM_E_REFUSED,
                                        b->r.error,
                                        "contacts: where both bodies are held a restitution says nothing; give gamma");
        }
    }
    const enum carom_status status = carom_bind_damping(b, table, mass);
    carom_memory_free(mass);
    return status == CAROM_OK ? carom_contact_table_accept(table, b) : status;
}

static enum carom_status add_beads(struct carom_bind *b)
{
    struct carom_model *model = b->scene->model = carom_model_create();
    if (model == NULL)
        return carom_bind_memory(b);
    struct carom_beads *beads = carom_beads_create(b->n, b->mass, b->radius, b->spring, b->r.error);
    if (beads == NULL)
        return b->r.error->status;
    return carom_model_add(model, &carom_part_beads, beads, b->r.error);
}

/* The model may refuse what contacts ask of it: friction where nothing slips. */
static enum carom_status finish(struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_node *contacts = carom_tree_find(root, "contacts");
    if (carom_model_finish(b->scene->model, b->r.error) == CAROM_OK)
        return CAROM_OK;
    const struct carom_node *mu = contacts && contacts->kind == CAROM_NODE_MAP ? carom_tree_find(contacts, "mu") : NULL;
    return carom_tree_error_at(b->r.tree, mu ? mu : contacts ? contacts : root, b->r.error);
}

enum carom_status carom_bind_contacts(struct carom_bind *b, const struct carom_node *root)
{
    const size_t left = b->wall[0].node != NULL ? 1 : 0, right = b->wall[1].node != NULL ? 1 : 0;
    struct carom_contact_table table = {.nc = b->n - 1 + left + right, .first = 1 - left};
    const struct carom_node *given = carom_tree_find(root, "contacts");
    if (table.nc == 0 && given != NULL)
        return carom_value_wrong_key(&b->r, given, "contacts: there are none: one body and no wall");
    if (add_beads(b) != CAROM_OK)
        return b->r.error->status;
    enum carom_status status = table.nc > 0 ? fill_sheet(b, &table, root) : CAROM_OK;
    if (status == CAROM_OK)
        status = join_all(b, &table);
    carom_contact_table_free(&table);
    return status == CAROM_OK ? finish(b, root) : status;
}

enum carom_status carom_bind_contacts_of(struct carom_bind *b, const struct carom_node *root, size_t nc,
                                         const int32_t (*pair)[2], const double *gap)
{
    struct carom_contact_table table = {.nc = nc, .first = 1};
    enum carom_status status = fill_sheet(b, &table, root);
    if (status == CAROM_OK && b->faces != NULL)
        status = carom_bind_solid_friction(b, &table);
    if (status == CAROM_OK)
        status = join_runs(b, &table, pair, gap);
    carom_contact_table_free(&table);
    return status == CAROM_OK ? finish(b, root) : status;
}
