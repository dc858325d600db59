/* carom check --ranks: what a step of a solid costs on many ranks. The model: cells of a rank take their time one by
 * one, and once a step its neighbours are told where those near its ends are (scheme/solid/rattle_ranks.c):
 *
 *     seconds = cell x cells / ranks + sides x (cell / 2 x cells told + bytes told / network) + (sides > 0) x exchange
 *
 * where `sides` is 0 of one rank, 1 of two, and 2 of more, of which most have a neighbour on either side. Cells that it
 * is told of cost a rank half of what its own do: it works out their pressures, not their motion.
 * `cell` and `exchange` are fitted, by least squares of relative errors, to steps that were measured on the machine, of
 * which a file tells; `network` stands there. Samples and set-up, which rank 0 does alone, are not in it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "carom/solid.h"
#include "check.h"
#include "model/solid/solid_piece.h"
#include "model/solid/solid_sheet.h"
#include "scene/text/yaml.h"

enum { POINTS = 64, MOST = 1 << 16 }; /* steps that were measured; bytes of the file */

struct point {
    double ranks, cells, told, seconds; /* told: bytes to either neighbour */
};

struct machine {
    struct carom_tree tree;
    double network; /* bytes a second, from rank to rank */
    double place;   /* bytes that say where a cell is */
    size_t npoints;
    struct point point[POINTS];
    double cell, exchange; /* seconds */
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

static bool number(struct machine *m, const struct carom_node *map, const char *key, double least, double *value,
                   struct carom_error *error)
{
    struct carom_node *node = carom_tree_find(map, key);
    char *end = NULL;
    if (!node)
        return carom_tree_error(&m->tree, map, CAROM_E_INPUT, error, "%s is missing", key), false;
    node->used = true;
    *value = node->text ? strtod(node->text, &end) : nan("");
    if (node->text && end != node->text && *end == '\0' && *value >= least && *value < HUGE_VAL)
        return true;
    carom_tree_error(&m->tree, node, CAROM_E_INPUT, error, "must be a number, at least %g", least);
    return false;
}

static bool known(struct machine *m, const struct carom_node *map, const char *what, struct carom_error *error)
{
    if (map->kind != CAROM_NODE_MAP)
        return carom_tree_error(&m->tree, map, CAROM_E_INPUT, error, "must be a map: %s", what), false;
    for (const struct carom_node *node = map->first; node; node = node->next)
        if (!node->used) {
            carom_tree_error_key(&m->tree, node, CAROM_E_INPUT, error, "'%s' is not known here: %s",
                                 carom_tree_short(node->key).text, what);
            return false;
        }
    return true;
}

static bool read_point(struct machine *m, const struct carom_node *node, struct carom_error *error)
{
    struct point *p = &m->point[m->npoints];
    if (m->npoints == POINTS)
        return carom_tree_error(&m->tree, node, CAROM_E_INPUT, error, "there are more than %d", POINTS), false;
    m->npoints++;
    return number(m, node, "ranks", 1.0, &p->ranks, error) && number(m, node, "cells", 1.0, &p->cells, error) &&
           number(m, node, "told", 0.0, &p->told, error) && number(m, node, "step", 1e-12, &p->seconds, error) &&
           known(m, node, "ranks, cells, told, step", error);
}

static bool read_tree(struct machine *m, struct carom_error *error)
{
    const struct carom_node *root = m->tree.root;
    struct carom_node *list = carom_tree_find(root, "measured");
    if (list)
        list->used = true;
    if (root->kind == CAROM_NODE_MAP && !number(m, root, "network", 1.0, &m->network, error))
        return false;
    if (!known(m, root, "network, measured", error))
        return false;
    if (!list || list->kind != CAROM_NODE_LIST || !list->first) {
        carom_tree_error(&m->tree, list ? list : root, CAROM_E_INPUT, error,
                         "measured must list at least one step: {ranks: 1, cells: 1e6, told: 0, step: 0.2}");
        return false;
    }
    for (const struct carom_node *node = list->first; node; node = node->next)
        if (!read_point(m, node, error))
            return false;
    return true;
}

static bool read_machine(struct machine *m, const char *path, struct carom_error *error)
{
    static char text[MOST];
    const char *why;
    FILE *file = carom_file_open(path, MOST, &why);
    m->tree.name = path;
    if (!file)
        return carom_error_set(error, CAROM_E_FILE, "--machine %s: cannot be read: %s", path, why), false;
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    return carom_yaml_parse(&m->tree, text, length, NULL, &m->tree.root, error) == CAROM_OK && read_tree(m, error);
}

/* --- the model ---------------------------------------------------------------------------------------------------- */

/* neighbours of the rank that has the most */
static double sides(const struct point *p)
{
    return fmin(p->ranks - 1.0, 2.0);
}

/* cells that a rank has to do with */
static double busy(const struct machine *m, const struct point *p)
{
    return p->cells / p->ranks + 0.5 * sides(p) * p->told / m->place;
}

static double seconds(const struct machine *m, const struct point *p)
{
    return m->cell * busy(m, p) + (p->ranks > 1.0 ? m->exchange : 0.0) + sides(p) * p->told / m->network;
}

/* Least squares of (model - measured) / measured in two numbers, neither of them below 0; where nothing was measured on
 * several ranks, an exchange costs what the network takes. */
static void fit(struct machine *m)
{
    double aa = 0.0, ab = 0.0, bb = 0.0, ac = 0.0, bc = 0.0;
    for (size_t i = 0; i < m->npoints; i++) {
        const struct point *p = &m->point[i];
        const double a = busy(m, p) / p->seconds, b = p->ranks > 1.0 ? 1.0 / p->seconds : 0.0;
        const double c = 1.0 - sides(p) * p->told / (m->network * p->seconds);
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ac += a * c;
        bc += b * c;
    }
    const double det = aa * bb - ab * ab;
    m->exchange = det > 1e-12 * aa * bb ? fmax((aa * bc - ab * ac) / det, 0.0) : 0.0;
    m->cell = fmax((ac - ab * m->exchange) / aa, 0.0);
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

/* General cells are told of one by one: as many as one half of the body looks at in the other; SIZE_MAX: out of memory.
 */
static size_t told_by_half(const struct carom_solid *s)
{
    const size_t portions = carom_solid_piece_portions(s);
    uint32_t *owner = carom_memory_zeroed(portions, sizeof *owner);
    uint8_t *look = carom_memory_zeroed(s->n, sizeof *look);
    size_t count = owner && look ? 0 : SIZE_MAX;
    for (size_t i = 0; owner && i < portions; i++)
        owner[i] = i >= portions / 2;
    if (count == 0)
        carom_solid_piece_look(s, owner, 0, look);
    for (size_t i = portions / 2 * CAROM_TURN_PORTION; count != SIZE_MAX && i < s->n; i++)
        count += look[i] != CAROM_LOOK_AWAY;
    carom_memory_free_all(owner, look);
    return count;
}

/* cells that a rank tells a neighbour of, for a body of `cells` cells of this shape: layers grow with it */
static double told(const struct carom_solid *s, double cells)
{
    const size_t half = s->slices ? told_by_half(s) : SIZE_MAX;
    const double depth = half != SIZE_MAX            ? (double)half
                         : carom_solid_sheet_fits(s) ? 2.0 * (double)s->grid.count[0]
                                                     : 2.0 * (double)s->reach + 2.0;
    return depth * pow(cells / (double)s->n, s->dimension == 3 ? 2.0 / 3.0 : 0.5);
}

static void print_row(const struct machine *m, const struct point *p, double steps)
{
    const double model = seconds(m, p), one = m->cell * p->cells;
    printf("  %8.0f %12.6g %12.4g %12.4g", p->ranks, p->cells / p->ranks, p->told, model);
    if (p->seconds > 0.0)
        printf(" %12.4g %7.0f %%", p->seconds, rint(100.0 * (model - p->seconds) / p->seconds) + 0.0); /* not -0 */
    else
        printf(" %12s %9s %7.0f %% %12.4g", "-", "", 100.0 * one / (p->ranks * model), model * steps);
    printf("\n");
}

static void print_model(const struct machine *m, const struct carom_solid *s)
{
    const double bytes = 8.0 * (2.0 * (double)s->wide + 4.0 * (double)s->fast); /* q, v, forces: read and written */
    printf(
        "model      %.4g ns a cell and step (%.0f bytes at least: %.3g GB/s), %.3g us an exchange, network %.3g GB/s\n",
        1e9 * m->cell, bytes, m->cell > 0.0 ? 1e-9 * bytes / m->cell : 0.0, 1e6 * m->exchange, 1e-9 * m->network);
}

enum carom_status cli_check_ranks(const struct carom_scene *scene, const struct cli_check_ranks *wish,
                                  struct carom_error *error)
{
    const struct carom_solid *s = carom_solid_of(scene->model, NULL);
    static struct machine m;
    double step = 0.0;
    m = (struct machine){.npoints = 0};
    if (s && scene->scheme == &carom_scheme_rattle)
        step = carom_param_value(carom_param_find(scene->scheme->kind.params, "step"), scene->options);
    if (!(step > 0.0))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "--ranks: the model is of solids under rattle with a step; sweeps take their runs' time "
                               "divided by the number of ranks");
    const bool good = read_machine(&m, wish->machine, error);
    const double steps = cli_steps(scene->until, step), cells = wish->cells > 0.0 ? wish->cells : (double)s->n;
    if (good) {
        m.place = 8.0 * (double)s->wide;
        fit(&m);
        print_model(&m, s);
        printf("  %8s %12s %12s %12s %12s %9s %9s %12s\n", "ranks", "cells each", "bytes told", "step [s]", "measured",
               "off", "efficient", "run [s]");
    }
    for (size_t i = 0; good && i < m.npoints; i++)
        print_row(&m, &m.point[i], steps);
    for (size_t i = 0; good && i < wish->count; i++) {
        const double bytes = wish->ranks[i] > 1 ? told(s, cells) * (double)s->wide * 8.0 : 0.0;
        print_row(&m, &(struct point){(double)wish->ranks[i], cells, bytes, 0.0}, steps);
    }
    carom_tree_free(&m.tree);
    return good ? CAROM_OK : error->status;
}
