/* Files in memory: hdf5_file.h and hdf5_tree.h. Files that were published stand on a shelf until the program ends or
 * another takes their name. Attributes other than units are for readers of HDF5, whom nobody has here, and go. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_tree.h"
#include "store.h"

static struct carom_hdf5_file *shelf;

/* --- objects ----------------------------------------------------------------------------------------------------- */

static const char *plain(const char *path)
{
    while (*path == '/')
        path++;
    return path;
}

struct store_object *store_find(const struct carom_hdf5_file *file, const char *path)
{
    for (size_t i = 0; i < file->count; i++) {
        struct store_object *object = &file->object[i];
        if (object->path && strcmp(object->path, plain(path)) == 0)
            return object->kind == STORE_LINK ? &file->object[object->to] : object;
    }
    return NULL;
}

static struct store_object *fail_building(struct carom_hdf5_file *file, enum carom_status status, const char *path,
                                          const char *why)
{
    if (file->first.status == CAROM_OK)
        carom_error_set(&file->first, status, "%s: could not make %s: %s", file->path, path, why);
    return NULL;
}

struct store_object *store_add(struct carom_hdf5_file *file, enum store_kind kind, const char *path)
{
    if (file->first.status != CAROM_OK)
        return NULL;
    if (store_find(file, path))
        return fail_building(file, CAROM_E_FILE, path, "it is there already");
    char *name = NULL;
    if (!carom_memory_room(&file->object, file->count, &file->room, 64, sizeof *file->object) ||
        !(name = carom_memory_text(plain(path))))
        return fail_building(file, CAROM_E_MEMORY, path, "out of memory");
    struct store_object *object = &file->object[file->count++];
    *object = (struct store_object){.kind = kind, .path = name};
    return object;
}

static void clear(struct store_object *object)
{
    carom_memory_free(object->path);
    carom_memory_free(object->unit);
    carom_memory_free(object->text);
    carom_memory_free(object->data);
    *object = (struct store_object){0};
}

int store_order(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    const int x = *a == '/' ? 0 : (unsigned char)*a, y = *b == '/' ? 0 : (unsigned char)*b;
    return x != y ? x - y : (*a == '/') - (*b == '/');
}

/* --- files ------------------------------------------------------------------------------------------------------- */

static struct carom_hdf5_file **place_of(const char *path)
{
    struct carom_hdf5_file **at = &shelf;
    while (*at && strcmp((*at)->path, path) != 0)
        at = &(*at)->next;
    return at;
}

static void free_file(struct carom_hdf5_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        clear(&file->object[i]);
    carom_memory_free(file->object);
    carom_memory_free(file->path);
    carom_memory_free(file);
}

struct carom_hdf5_file *carom_hdf5_file_create(const char *path, struct carom_error *error)
{
    struct carom_hdf5_file *file = carom_memory_zeroed(1, sizeof *file);
    if (file)
        file->path = carom_memory_text(path);
    if (file && file->path)
        return file;
    carom_memory_free(file);
    carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    return NULL;
}

enum carom_status carom_hdf5_file_keep(struct carom_hdf5_file *file, const char *name, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_FILE, "%s: the playground keeps no earlier run as %s", file->path, name);
}

enum carom_status carom_hdf5_file_built(const struct carom_hdf5_file *file, struct carom_error *error)
{
    return file->first.status == CAROM_OK ? CAROM_OK
                                          : carom_error_set(error, file->first.status, "%s", file->first.text);
}

enum carom_status carom_hdf5_file_publish(struct carom_hdf5_file *file, struct carom_error *error)
{
    if (carom_hdf5_file_built(file, error) != CAROM_OK)
        return error->status;
    struct carom_hdf5_file **at = place_of(file->path), *old = *at;
    file->next = old ? old->next : NULL;
    file->published = true;
    *at = file;
    if (old)
        free_file(old);
    return CAROM_OK;
}

struct carom_hdf5_file *carom_hdf5_file_open(const char *path, bool *marked, struct carom_error *error)
{
    struct carom_hdf5_file *file = *place_of(path);
    if (marked)
        *marked = false;
    if (!file)
        carom_error_set(error, CAROM_E_FILE, "%s: is no run of this page, and it reads no others", path);
    return file;
}

struct carom_hdf5_file *carom_hdf5_file_reopen(const char *path, struct carom_error *error)
{
    carom_error_set(error, CAROM_E_REFUSED, "%s: the playground resumes no runs; the program does", path);
    return NULL;
}

enum carom_status carom_hdf5_file_flush(struct carom_hdf5_file *file, struct carom_error *error)
{
    (void)file;
    (void)error;
    return CAROM_OK;
}

enum carom_status carom_hdf5_file_settle(struct carom_hdf5_file *file, struct carom_error *error)
{
    return carom_hdf5_file_flush(file, error);
}

enum carom_status carom_hdf5_file_close(struct carom_hdf5_file *file, struct carom_error *error)
{
    (void)error;
    if (file && !file->published)
        free_file(file);
    return CAROM_OK;
}

const char *carom_hdf5_file_path(const struct carom_hdf5_file *file)
{
    return file->path;
}

bool carom_hdf5_file_looks(const char *path)
{
    return *place_of(path) != NULL;
}

bool carom_hdf5_file_busy(const char *path)
{
    (void)path;
    return false;
}

/* --- what hangs in them ------------------------------------------------------------------------------------------ */

void carom_hdf5_tree_group(struct carom_hdf5_file *file, const char *path)
{
    store_add(file, STORE_GROUP, path);
}

void carom_hdf5_tree_link(struct carom_hdf5_file *file, const char *existing, const char *path)
{
    const struct store_object *target = store_find(file, existing);
    if (!target) {
        fail_building(file, CAROM_E_FILE, path, "what it leads to is not there");
        return;
    }
    const size_t to = (size_t)(target - file->object);
    struct store_object *link = store_add(file, STORE_LINK, path);
    if (link)
        link->to = to;
}

void carom_hdf5_tree_text(struct carom_hdf5_file *file, const char *path, const char *text)
{
    struct store_object *object = store_add(file, STORE_TEXT, path);
    if (object && !(object->text = carom_memory_text(text)))
        fail_building(file, CAROM_E_MEMORY, path, "out of memory");
}

void carom_hdf5_tree_note_text(struct carom_hdf5_file *file, const char *object, const char *name, const char *text,
                               bool array)
{
    (void)file;
    (void)object;
    (void)name;
    (void)text;
    (void)array;
}

void carom_hdf5_tree_note_numbers(struct carom_hdf5_file *file, const char *object, const char *name,
                                  const int32_t *numbers, size_t count)
{
    (void)file;
    (void)object;
    (void)name;
    (void)numbers;
    (void)count;
}

void carom_hdf5_tree_note_texts(struct carom_hdf5_file *file, const char *object, const char *name,
                                const char *const *texts, size_t count)
{
    (void)file;
    (void)object;
    (void)name;
    (void)texts;
    (void)count;
}

char *carom_hdf5_tree_read_text(struct carom_hdf5_file *file, const char *path, struct carom_error *error)
{
    const struct store_object *object = store_find(file, path);
    if (!object || object->kind != STORE_TEXT) {
        carom_error_set(error, CAROM_E_FILE, "%s: has no text %s", file->path, path);
        return NULL;
    }
    char *copy = carom_memory_text(object->text);
    if (!copy)
        carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
    return copy;
}

static int by_path(const void *a, const void *b)
{
    return store_order((*(const struct store_object *const *)a)->path, (*(const struct store_object *const *)b)->path);
}

/* Groups that stand there only because something hangs in them are passed over: nobody asks for them. */
enum carom_status carom_hdf5_tree_visit(struct carom_hdf5_file *file, const char *group,
                                        void (*see)(void *own, const char *path), void *own, struct carom_error *error)
{
    const struct store_object **found = carom_memory_zeroed(file->count, sizeof *found);
    const char *name = plain(group);
    const size_t length = strlen(name);
    size_t n = 0;
    if (!found)
        return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
    for (size_t i = 0; i < file->count; i++) {
        const char *path = file->object[i].path;
        if (path && (length == 0 || (strncmp(path, name, length) == 0 && path[length] == '/')))
            found[n++] = &file->object[i];
    }
    qsort(found, n, sizeof *found, by_path);
    for (size_t i = 0; i < n; i++)
        see(own, found[i]->path);
    carom_memory_free(found);
    return n > 0 ? CAROM_OK : carom_error_set(error, CAROM_E_FILE, "%s: there is no %s in it", file->path, group);
}
