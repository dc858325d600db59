/* Solids out of mesh files. What a file held goes among the overrides, in base64, so that a run can be read without it.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "mesh/read.h"
#include "scene/keep.h"
#include "scene/keys/keys_voronoi.h"
#include "scene/solid/bind_solid.h"

#define FILE_BYTES (40L << 20) /* in base64 it is to fit into the text of a scene */

/* --- base64 ---------------------------------------------------------------------------------------------------- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode(const char *bytes, size_t length)
{
    char *text = carom_memory_zeroed(4 * ((length + 2) / 3) + 1, 1), *to = text;
    for (size_t i = 0; text && i < length; i += 3) {
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < length ? (unsigned char)bytes[i + k] : 0U);
        for (size_t k = 0; k < 4; k++)
            *to++ = i + k <= length ? letters[three >> (18 - 6 * k) & 63U] : '=';
    }
    return text;
}

/* false: no base64 */
static bool decode(const char *text, char *bytes, size_t *length)
{
    uint32_t bits = 0;
    size_t have = 0;
    *length = 0;
    for (; *text && *text != '='; text++) {
        const char *at = strchr(letters, *text);
        if (!at)
            return false;
        bits = bits << 6 | (uint32_t)(at - letters);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes[(*length)++] = (char)(bits >> have & 255U);
        }
    }
    return true;
}

/* --- bytes ----------------------------------------------------------------------------------------------------- */

static enum carom_status read_kept(struct carom_bind *b, struct carom_node *node, char **bytes, size_t *length)
{
    const char *text;
    if (carom_value_text(&b->r, node, &text) != CAROM_OK)
        return b->r.error->status;
    *bytes = carom_memory_zeroed(strlen(text) + 1, 1);
    if (*bytes == NULL)
        return carom_bind_memory(b);
    return decode(text, *bytes, length) ? CAROM_OK : carom_value_wrong(&b->r, node, "this is not base64");
}

static enum carom_status read_file(struct carom_bind *b, struct carom_node *map, struct carom_node *node,
                                   const char *name, char **bytes, size_t *length)
{
    FILE *file = carom_keep_file(b, node, name, FILE_BYTES);
    if (file == NULL)
        return b->r.error->status;
    *bytes = carom_file_text(file, FILE_BYTES, length);
    fclose(file);
    char *text = *bytes != NULL ? encode(*bytes, *length) : NULL;
    const enum carom_status status = text != NULL ? carom_keep(b, map, "bytes", text) : carom_bind_memory(b);
    carom_memory_free(text);
    return status;
}

enum carom_status carom_bind_solid_mesh_bytes(struct carom_bind *b, struct carom_node *map, struct carom_node *file,
                                              const char **name, char **bytes, size_t *length)
{
    struct carom_node *kept = carom_tree_find(map, "bytes");
    if (carom_value_text(&b->r, file, name) != CAROM_OK)
        return b->r.error->status;
    return kept != NULL ? read_kept(b, kept, bytes, length) : read_file(b, map, file, *name, bytes, length);
}

enum carom_status carom_bind_solid_mesh(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                        const struct carom_solid_material *material, struct carom_solid **solid)
{
    struct carom_keys_voronoi_mesh keys;
    const char *name;
    char *bytes = NULL;
    size_t length = 0;
    if (carom_value_fill(&b->r, map, &carom_keys_voronoi_mesh, &keys) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *file = carom_tree_find(map, "file");
    if (file == NULL)
        return carom_value_wrong_key(&b->r, map, "mesh: file is missing, such as {file: plate.msh, unit: 1 mm}");
    enum carom_status status = carom_bind_solid_mesh_bytes(b, map, file, &name, &bytes, &length);
    struct carom_mesh *mesh = status == CAROM_OK ? carom_read(name, bytes, length, keys.unit, b->r.error) : NULL;
    if (status == CAROM_OK && mesh == NULL) {
        carom_error_prefix(b->r.error, "%s", carom_tree_short(name).text);
        status = carom_tree_error_at(b->r.tree, file, b->r.error);
    }
    if (status == CAROM_OK)
        status = carom_bind_solid_cells(b, map, accept_skew, material, mesh, solid);
    carom_mesh_free(mesh);
    carom_memory_free(bytes);
    return status;
}
