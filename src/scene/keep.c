/* Overrides that a scene adds to itself, and other runs that it goes on from, see keep.h. */
#include "scene/keep.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define PATH 500

/* "loads.1.force" */
static size_t write_path(const struct carom_node *node, char *text, size_t room)
{
    if (node->parent == NULL)
        return 0;
    const size_t before = write_path(node->parent, text, room);
    size_t number = 1;
    for (const struct carom_node *other = node->parent->first; other != node; other = other->next)
        number++;
    const size_t left = before < room ? room - before : 0;
    const char *dot = before > 0 ? "." : "";
    const int more = node->key != NULL ? snprintf(text + room - left, left, "%s%s", dot, node->key)
                                       : snprintf(text + room - left, left, "%s%zu", dot, number);
    return before + (size_t)(more > 0 ? more : 0);
}

enum carom_status carom_keep(struct carom_bind *b, const struct carom_node *map, const char *key, const char *value)
{
    const size_t length = strlen(b->scene->set), room = length + PATH + strlen(key) + strlen(value) + 8;
    char *text = carom_memory_zeroed(room, 1), *to = text;
    if (text == NULL)
        return carom_bind_memory(b);
    to = stpcpy(stpcpy(to, b->scene->set), length > 0 ? "\n" : "");
    const size_t path = write_path(map, to, PATH);
    if (path >= PATH) {
        carom_memory_free(text);
        return carom_value_wrong(&b->r, map, "the keys above this table are too long");
    }
    stpcpy(stpcpy(stpcpy(stpcpy(to + path, path > 0 ? "." : ""), key), "="), value);
    carom_memory_free(b->scene->set);
    b->scene->set = text;
    return CAROM_OK;
}

char *carom_keep_number(char *to, double x)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(to, CAROM_KEEP_NUMBER, "%.*g", digits, x);
        if (strtod(to, NULL) == x)
            break;
    }
    return to + length;
}

char *carom_keep_beside(const struct carom_bind *b, const char *name)
{
    const char *slash = strrchr(b->r.tree->name, '/');
    const size_t folder = slash != NULL && name[0] != '/' ? (size_t)(slash - b->r.tree->name) + 1 : 0;
    char *path = carom_memory_zeroed(folder + strlen(name) + 1, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, b->r.tree->name, folder);
    memcpy(path + folder, name, strlen(name));
    return path;
}

FILE *carom_keep_file(const struct carom_bind *b, const struct carom_node *node, const char *name, long most)
{
    const char *why = "";
    char *path = carom_keep_beside(b, name);
    FILE *file = path != NULL ? carom_file_open(path, most, &why) : NULL;
    if (path == NULL)
        carom_bind_memory(b);
    else if (file == NULL)
        carom_tree_error(b->r.tree, node, CAROM_E_FILE, b->r.error, "%s cannot be read: %s",
                         carom_tree_short(path).text, why);
    carom_memory_free(path);
    return file;
}

enum carom_status carom_keep_open(const char *path, const char *name, struct carom_run_file **run,
                                  struct carom_error *error)
{
    const char *why = "it is not a run file";
    FILE *plain = carom_file_open(path, LONG_MAX, &why); /* to open a fifo would never end */
    const bool looks = plain != NULL && carom_run_file_looks(path);
    if (plain != NULL)
        fclose(plain);
    *run = looks ? carom_run_file_open(path, error) : NULL;
    return *run != NULL ? CAROM_OK
           : looks      ? error->status
                        : carom_error_set(error, CAROM_E_FILE, "%s cannot be read: %s", name, why);
}

enum carom_status carom_keep_scene(const char *path, const struct carom_scene_wish *wish, struct carom_scene **scene,
                                   struct carom_error *why)
{
    *scene = carom_scene_read_as(path, NULL, 0, wish, why);
    if (*scene == NULL && why->status != CAROM_E_MEMORY)
        why->status = CAROM_OK;
    return *scene ? CAROM_OK : why->status;
}

enum carom_status carom_keep_end(struct carom_bind *b, const struct carom_run_file *run, const char *path,
                                 const char *name, const char *who,
                                 enum carom_status (*take)(const void *own, const struct carom_sim *sim),
                                 const void *own)
{
    struct carom_error *error = b->r.error;
    struct carom_scene_wish wish = *b->wish;
    wish.unsettled = wish.sealed = true;
    struct carom_scene *scene = carom_scene_read_as(path, NULL, 0, &wish, error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, error) : NULL;
    struct carom_state *state = sim != NULL ? carom_state_create(sim->model, sim->state->nmemory) : NULL;
    struct carom_checkpoint checkpoint = {0};
    enum carom_status status = sim != NULL ? CAROM_OK : error->status;
    if (sim != NULL && state == NULL)
        status = carom_bind_memory(b);
    if (status == CAROM_OK)
        status = carom_run_file_restore(run, sim->model, state, &checkpoint, error);
    if (status == CAROM_OK)
        status = carom_sim_restore(sim, &checkpoint, error);
    if (status == CAROM_OK) {
        carom_sim_sync(sim);
        status = take(own, sim);
    }
    if (status == CAROM_OK && !run->complete)
        status = carom_bind_note(b, "%s has not come to its end: %s, at t = %g%s", name, who, sim->view->time,
                                 b->r.si ? " s" : "");
    carom_state_free(state);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}
