/* The sensors of a scene: inside a bead, at a contact, at a wall. What they read stands in record/sensors.c. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "model/frame.h"
#include "scene/bind.h"

static enum carom_status read_name(struct carom_bind *b, struct carom_node *entry, struct carom_sensor *sensor)
{
    struct carom_node *node = carom_tree_find(entry, "name");
    const char *name;
    if (node == NULL)
        return carom_value_wrong_key(&b->r, entry, "sensors: name is missing: what its item in the run file is called");
    if (carom_value_text(&b->r, node, &name) != CAROM_OK)
        return b->r.error->status;
    bool good = strlen(name) > 0 && strlen(name) < sizeof sensor->name;
    for (const char *c = name; good && *c != '\0'; c++)
        good = (isalnum((unsigned char)*c) && (unsigned char)*c < 128) || *c == '-' || *c == '_';
    const size_t length = strlen(name);
    if (!good)
        return carom_value_wrong(&b->r, node, "'%s' is not a name of 1 to %zu letters, digits, - and _",
                                 carom_tree_short(name).text, sizeof sensor->name - 1);
    if (length > 4 && strcmp(name + length - 4, "_raw") == 0)
        return carom_value_wrong(&b->r, node,
                                 "names that end in _raw are kept for what a filtered sensor reads before its filter");
    for (size_t i = 0; i < b->scene->nsensors; i++)
        if (strcmp(b->scene->sensors[i].name, name) == 0)
            return carom_value_wrong(&b->r, node, "there are two sensors '%s'", name);
    memcpy(sensor->name, name, length + 1);
    return CAROM_OK;
}

/* Contact j is right of body j; its place in the model depends on the left wall. */
static enum carom_status read_contact(struct carom_bind *b, struct carom_node *node, struct carom_sensor *sensor)
{
    const struct carom_param row = {"contact", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    const struct carom_model *model = b->scene->model;
    double number;
    if (carom_value_read(&b->r, node, &row, &number) != CAROM_OK)
        return b->r.error->status;
    if (model->nc == 0)
        return carom_value_wrong(&b->r, node, "there are no contacts");
    const size_t first = carom_frame_number(model, 0);
    if (number < (double)first || number > (double)(first + model->nc - 1))
        return carom_value_wrong(&b->r, node,
                                 "there is no contact %.15g: contact j is right of body j, here %zu to %zu", number,
                                 first, first + model->nc - 1);
    sensor->kind = CAROM_SENSOR_CONTACT;
    sensor->place = (size_t)number - first;
    return CAROM_OK;
}

static enum carom_status read_wall(struct carom_bind *b, struct carom_node *node, int side, struct carom_sensor *sensor)
{
    if (b->wall[side].node == NULL)
        return carom_value_wrong(&b->r, node, "there is no wall at the %s end",
                                 side == CAROM_KEYS_LEFT ? "left" : "right");
    sensor->kind = CAROM_SENSOR_CONTACT;
    sensor->place = side == CAROM_KEYS_LEFT ? 0 : b->scene->model->nc - 1;
    return CAROM_OK;
}

static enum carom_status read_place(struct carom_bind *b, struct carom_node *entry, int side,
                                    struct carom_sensor *sensor)
{
    static const char *const places[] = {"body", "contact", "wall"};
    struct carom_node *given = NULL;
    for (size_t i = 0; i < 3; i++) {
        struct carom_node *node = carom_tree_find(entry, places[i]);
        if (node != NULL && given != NULL)
            return carom_value_wrong_key(&b->r, node, "%s and %s both say where the sensor is, choose one", given->key,
                                         node->key);
        given = node != NULL ? node : given;
    }
    if (given == NULL)
        return carom_value_wrong_key(&b->r, entry, "sensors: where is it? give body, contact or wall");
    if (strcmp(given->key, "contact") == 0)
        return read_contact(b, given, sensor);
    if (strcmp(given->key, "wall") == 0)
        return read_wall(b, given, side, sensor);
    sensor->kind = CAROM_SENSOR_BODY;
    if (carom_bind_chain_number(b, given, "body", b->n, &sensor->place) != CAROM_OK)
        return b->r.error->status;
    if (b->scene->model->nc == 0)
        return carom_value_wrong(&b->r, given, "there are no contacts");
    return CAROM_OK;
}

enum carom_status carom_bind_sensors(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "sensors");
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    b->scene->sensors = carom_memory_zeroed(list->count, sizeof *b->scene->sensors);
    if (b->scene->sensors == NULL)
        return carom_bind_memory(b);
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next) {
        struct carom_sensor *sensor = &b->scene->sensors[b->scene->nsensors];
        struct carom_keys_sensor keys;
        if (carom_value_fill(&b->r, entry, &carom_keys_sensor, &keys) != CAROM_OK ||
            read_name(b, entry, sensor) != CAROM_OK || read_place(b, entry, keys.wall, sensor) != CAROM_OK)
            return b->r.error->status;
        sensor->bandwidth = keys.bandwidth;
        b->scene->nsensors++;
    }
    return CAROM_OK;
}
