/* Writes trees. Compiled into the module, and natively into a program of the tests. */
#include "tree_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "scene/text/yaml.h"

/* in one line, whatever is in it */
static void write_text(FILE *out, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        if (*p < 0x20 || *p == '\\')
            fprintf(out, "\\x%02x", *p);
        else
            putc(*p, out);
}

static void write_node(FILE *out, const struct carom_node *node, int depth)
{
    static const char *const kinds[] = {"scalar", "list", "map"};
    fprintf(out, "%d %s %u:%u", depth, kinds[node->kind], node->line, node->column);
    if (node->key) {
        fprintf(out, " %u:%u ", node->key_line, node->key_column);
        write_text(out, node->key);
    }
    fputs(" = ", out);
    write_text(out, node->text ? node->text : "");
    putc('\n', out);
    for (const struct carom_node *child = node->first; child; child = child->next)
        write_node(out, child, depth + 1);
}

char *tree_text(const char *yaml, size_t length)
{
    struct carom_tree tree = {.name = "scene.yaml"};
    struct carom_error error = {CAROM_OK, ""};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (carom_yaml_parse(&tree, yaml, length, NULL, &tree.root, &error) == CAROM_OK)
        write_node(out, tree.root, 0);
    else
        fprintf(out, "%d %s\n", (int)error.status, error.text);
    carom_tree_free(&tree);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
