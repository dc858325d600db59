/* Channels of a row, see channels.h: how wide each is, and what a model cannot be asked for. */
#include "record/channels.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/solid/strike/solid_balls.h"
#include "record/bodies_read.h"
#include "record/probe.h"

void carom_channels_free(struct carom_channels *channels)
{
    carom_memory_free(channels->channel);
    *channels = (struct carom_channels){0};
}

static bool grow(struct carom_channels *channels, size_t more)
{
    return carom_memory_widen(&channels->channel, channels->count, channels->count + more, sizeof *channels->channel);
}

static enum carom_status unknown_probe(const char *name, struct carom_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (; count < sizeof names / sizeof *names && carom_probe_list[count] != NULL; count++)
        names[count] = carom_probe_list[count]->kind.name;
    const char *near = carom_param_nearest(name, names, count);
    if (near == NULL)
        return carom_error_set(error, CAROM_E_INPUT, "there is no probe \"%s\"", name);
    return carom_error_set(error, CAROM_E_INPUT, "there is no probe \"%s\"; did you mean \"%s\"?", name, near);
}

/* how many numbers a probe reads of a part, and how many of them belong to one body (0: one) */
static void measure(const struct carom_model *model, const struct carom_probe *probe, size_t member, size_t *size,
                    size_t *depth)
{
    const enum carom_cells_what what = carom_probe_cells(probe);
    const bool bodies = probe->extent == CAROM_PER_COORDINATE || probe->extent == CAROM_PER_VELOCITY;
    const struct carom_solid *solid = bodies ? carom_solid_at(model, member) : NULL;
    *depth = 0;
    if (solid != NULL) {
        *depth = carom_cells_depth(solid, what);
        *size = what == CAROM_CELLS_NOTHING  ? 0
                : carom_cells_together(what) ? carom_cells_size_together(model, member, what)
                                             : carom_cells_size(solid, what);
    } else if (bodies && carom_bodies_read_of(model, what) != NULL) {
        *depth = carom_bodies_read_depth(carom_bodies_read_of(model, what), what);
        *size = carom_bodies_read_size(carom_bodies_read_of(model, what), what);
    } else if (bodies && carom_solid_balls_at(model, member) != NULL) {
        const struct carom_solid_balls *balls = carom_solid_balls_at(model, member);
        const bool spin = what == CAROM_CELLS_SPIN && balls->inertia != NULL;
        const bool joints = what == CAROM_CELLS_JOINT_FORCE || what == CAROM_CELLS_JOINT_MOMENT;
        *depth = spin || what == CAROM_CELLS_JOINT_MOMENT ? carom_solid_balls_axes(balls) : (size_t)balls->dimension;
        *size = joints ? balls->njoints * *depth
                : what == CAROM_CELLS_DISPLACEMENT || what == CAROM_CELLS_POSITION || what == CAROM_CELLS_VELOCITY
                    ? carom_solid_balls_moves(balls)
                : spin ? balls->n * carom_solid_balls_axes(balls)
                       : 0;
    } else if (probe->extent == CAROM_PER_COORDINATE) {
        *size = model->member[member].nq;
    } else if (probe->extent == CAROM_PER_VELOCITY) {
        *size = model->member[member].nv;
    } else if (probe->extent == CAROM_PER_REGION) {
        *size = carom_probe_region_size(probe);
    } else {
        *size = probe->extent == CAROM_PER_CONTACT ? model->nc : 1;
    }
}

/* A probe of bodies has a channel for every part, but for solids none of whose cells are chosen. */
static enum carom_status add_probe(struct carom_channels *channels, const struct carom_probe *probe,
                                   struct carom_error *error)
{
    const struct carom_model *model = channels->model;
    const bool bodies = probe->extent == CAROM_PER_COORDINATE || probe->extent == CAROM_PER_VELOCITY;
    char why[CAROM_PROBE_WHY];
    for (size_t i = 0; i < channels->count; i++)
        if (channels->channel[i].probe == probe)
            return CAROM_OK; /* named twice */
    if (!carom_probe_fits(probe, model, why))
        return carom_error_set(error, CAROM_E_REFUSED, "probe %s %s", probe->kind.name, why);
    if (probe->extent == CAROM_PER_LIST) {
        channels->touching = true;
        return CAROM_OK;
    }
    const size_t count = bodies ? model->nparts : 1;
    if (!grow(channels, count))
        return carom_memory_error_for(error, "recording");
    for (size_t i = 0; i < count; i++) {
        size_t size, depth;
        measure(model, probe, i, &size, &depth);
        if (depth > 0 && size == 0)
            continue;
        struct carom_channel *channel = &channels->channel[channels->count++];
        char part[CAROM_PROBE_PART_SIZE] = "";
        if (bodies)
            carom_probe_path_part(model, i, part);
        *channel = (struct carom_channel){
            .probe = probe, .member = i, .offset = channels->width, .size = size, .depth = depth};
        carom_probe_path(probe, part, channel->path, sizeof channel->path);
        channels->width += size;
    }
    const enum carom_cells_what what = carom_probe_cells(probe);
    channels->contacts |=
        probe->extent == CAROM_PER_CONTACT || what == CAROM_CELLS_CONTACT_LOAD || what == CAROM_CELLS_CONTACT_PRESSURE;
    channels->reactions |= what == CAROM_CELLS_REACTION || what == CAROM_CELLS_REACTION_MOMENT;
    channels->stresses |= what == CAROM_CELLS_STRESS || what == CAROM_CELLS_STRAIN || what == CAROM_CELLS_VON_MISES ||
                          what == CAROM_CELLS_PRINCIPAL;
    channels->grains |= carom_model_bodies(model) != NULL && carom_probe_of_grains(probe);
    channels->volume |= carom_probe_needs_volume(probe);
    return CAROM_OK;
}

enum carom_status carom_channels_add(struct carom_channels *channels, const char *const *probes, size_t nprobes,
                                     struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < nprobes && status == CAROM_OK; i++) {
        const struct carom_probe *probe = carom_probe_find(probes[i]);
        status = probe == NULL ? unknown_probe(probes[i], error) : add_probe(channels, probe, error);
    }
    const bool sensors = carom_cells_size_together(channels->model, 0, CAROM_CELLS_SENSOR_DISPLACEMENT) > 0;
    for (size_t i = 0; sensors && i < 2 && status == CAROM_OK; i++)
        status = add_probe(channels, carom_probe_find(i == 0 ? "sensor_u" : "sensor_v"), error);
    for (size_t i = 0; carom_probe_list[i] != NULL && status == CAROM_OK; i++)
        if (carom_probe_is_ledger(carom_probe_list[i]) && carom_probe_fits(carom_probe_list[i], channels->model, NULL))
            status = add_probe(channels, carom_probe_list[i], error);
    return status;
}

static void add_named(struct carom_channels *channels, const struct carom_probe *probe, const char *name, size_t number)
{
    struct carom_channel *channel = &channels->channel[channels->count++];
    *channel = (struct carom_channel){.probe = probe, .member = number, .offset = channels->width, .size = 1};
    carom_probe_path(probe, name, channel->path, sizeof channel->path);
    channels->width++;
}

enum carom_status carom_channels_add_sensor(struct carom_channels *channels, const struct carom_sensor *sensor,
                                            size_t number, struct carom_error *error)
{
    if (!grow(channels, 2))
        return carom_memory_error_for(error, "recording");
    channels->contacts = true;
    add_named(channels, &carom_probe_sensor, sensor->name, number);
    if (sensor->bandwidth > 0.0) {
        char raw[CAROM_SENSOR_NAME + 4];
        snprintf(raw, sizeof raw, "%s_raw", sensor->name);
        add_named(channels, &carom_probe_sensor, raw, number + 1);
    }
    return CAROM_OK;
}

enum carom_status carom_channels_choose(struct carom_channels *channels, const struct carom_choice *choice,
                                        struct carom_error *error)
{
    const struct carom_model *model = channels->model;
    const size_t most[] = {model->nq, model->nv, model->nc};
    char number[24];
    if (choice->place >= most[choice->what])
        return carom_error_set(error, CAROM_E_REFUSED, "there is no %s %zu to choose",
                               choice->what == CAROM_CHOICE_FORCE ? "contact" : "bead", choice->number);
    if (!grow(channels, 1))
        return carom_memory_error_for(error, "recording");
    channels->contacts |= choice->what == CAROM_CHOICE_FORCE;
    snprintf(number, sizeof number, "%zu", choice->number);
    add_named(channels, &carom_probe_chosen[choice->what], number, choice->place);
    return CAROM_OK;
}
