/* Reads the rows of a paper. Which keys a measure takes beside the common ones is known to the measure. */
#include "study/verify/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "scene/text/yaml.h"

#define LARGEST ((size_t)1 << 20) /* bytes of a file of rows */

void carom_paper_free(struct carom_paper *paper)
{
    carom_memory_free_all(paper->row, paper->folder, paper->text, paper->path);
    carom_tree_free(&paper->tree);
    *paper = (struct carom_paper){0};
}

static const char *text_of(const struct carom_node *map, const char *key)
{
    const struct carom_node *node = carom_tree_find(map, key);
    return node != NULL ? node->text : NULL;
}

const char *carom_paper_text(const struct carom_paper_row *row, const char *key)
{
    return text_of(row->map, key);
}

enum carom_status carom_paper_need(const struct carom_paper *paper, const struct carom_paper_row *row, const char *key,
                                   const char **text, struct carom_error *error)
{
    *text = text_of(row->map, key);
    if (*text != NULL)
        return CAROM_OK;
    return carom_tree_error_key(&paper->tree, row->map, CAROM_E_INPUT, error, "row %s: %s is missing",
                                row->name != NULL ? row->name : "without a name", key);
}

enum carom_status carom_paper_number(const struct carom_paper *paper, const struct carom_paper_row *row,
                                     const char *key, double *value, struct carom_error *error)
{
    const char *text;
    char *end;
    if (carom_paper_need(paper, row, key, &text, error) != CAROM_OK)
        return error->status;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value))
        return CAROM_OK;
    return carom_tree_error(&paper->tree, carom_tree_find(row->map, key), CAROM_E_INPUT, error, "'%s' is not a number",
                            carom_tree_short(text).text);
}

static enum carom_status read_row(struct carom_paper *paper, const struct carom_node *map, struct carom_paper_row *row,
                                  struct carom_error *error)
{
    row->map = map;
    if (carom_paper_need(paper, row, "name", &row->name, error) != CAROM_OK ||
        carom_paper_need(paper, row, "place", &row->place, error) != CAROM_OK ||
        carom_paper_need(paper, row, "reason", &row->reason, error) != CAROM_OK ||
        carom_paper_need(paper, row, "measure", &row->measure, error) != CAROM_OK ||
        carom_paper_number(paper, row, "published", &row->published, error) != CAROM_OK ||
        carom_paper_number(paper, row, "allowed", &row->allowed, error) != CAROM_OK)
        return error->status;
    const char *takes_long = text_of(map, "long");
    row->takes_long = takes_long != NULL && strcmp(takes_long, "true") == 0;
    row->unreproduced = text_of(map, "not_reproduced");
    return CAROM_OK;
}

static enum carom_status read_rows(struct carom_paper *paper, struct carom_error *error)
{
    const struct carom_node *root = paper->tree.root, *rows = carom_tree_find(root, "rows");
    paper->title = text_of(root, "title");
    paper->source = text_of(root, "source");
    if (paper->title == NULL || paper->source == NULL || rows == NULL || rows->kind != CAROM_NODE_LIST)
        return carom_tree_error(&paper->tree, root, CAROM_E_INPUT, error,
                                "a file of rows has a title, a source and a list of rows");
    paper->row = carom_memory_zeroed(rows->count, sizeof *paper->row);
    if (paper->row == NULL)
        return carom_memory_error(error);
    for (const struct carom_node *map = rows->first; map != NULL; map = map->next)
        if (read_row(paper, map, &paper->row[paper->nrows++], error) != CAROM_OK)
            return error->status;
    return CAROM_OK;
}

enum carom_status carom_paper_read(struct carom_paper *paper, const char *folder, struct carom_error *error)
{
    char path[1024];
    size_t length = 0;
    *paper = (struct carom_paper){0};
    snprintf(path, sizeof path, "%s/rows.yaml", folder);
    paper->folder = carom_memory_text(folder);
    paper->tree.name = paper->path = carom_memory_text(path);
    if (paper->folder == NULL || paper->path == NULL)
        return carom_memory_error(error);
    paper->text = carom_file_whole(fopen(path, "rb"), path, LARGEST, &length, error);
    if (paper->text != NULL && length > LARGEST)
        return carom_error_set(error, CAROM_E_FILE, "%s: is longer than 1 MB", path);
    if (paper->text == NULL ||
        carom_yaml_parse(&paper->tree, paper->text, length, NULL, &paper->tree.root, error) != CAROM_OK)
        return error->status;
    return read_rows(paper, error);
}
