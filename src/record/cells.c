/* Numbers of cells and sensors out of a view. Only the cells that the body's `record` names, all if it names none. */
#include "record/cells.h"

#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "model/solid/solid_fracture.h"
#include "solve/eigen.h"

static bool of_sensors(enum carom_cells_what what)
{
    return what == CAROM_CELLS_SENSOR_DISPLACEMENT || what == CAROM_CELLS_SENSOR_VELOCITY;
}

/* those of balls, which stand beside solids */
static bool of_joints(enum carom_cells_what what)
{
    return what == CAROM_CELLS_JOINT_FORCE || what == CAROM_CELLS_JOINT_MOMENT;
}

static bool of_holds(enum carom_cells_what what)
{
    return what == CAROM_CELLS_REACTION || what == CAROM_CELLS_REACTION_MOMENT;
}

size_t carom_cells_depth(const struct carom_solid *s, enum carom_cells_what what)
{
    if (what == CAROM_CELLS_ROTATION)
        return s->dimension == 3 ? 4 : 1;
    if (what == CAROM_CELLS_SPIN || what == CAROM_CELLS_REACTION_MOMENT)
        return s->dimension == 3 ? 3 : 1;
    if (what == CAROM_CELLS_STRESS || what == CAROM_CELLS_STRAIN)
        return 6;
    if (what == CAROM_CELLS_PRINCIPAL)
        return 3;
    if (what == CAROM_CELLS_VON_MISES || what == CAROM_CELLS_PLASTIC_STRAIN || what == CAROM_CELLS_DAMAGE ||
        what == CAROM_CELLS_LINK_DAMAGE || what == CAROM_CELLS_CONTACT_PRESSURE)
        return 1;
    return (size_t)s->dimension;
}

static size_t cells(const struct carom_solid *s)
{
    return s->record ? s->nrecord : s->n;
}

/* of one that does not flow or break nothing is known of that */
static size_t cells_of(const struct carom_solid *s, enum carom_cells_what what)
{
    const bool unknown = (what == CAROM_CELLS_PLASTIC_STRAIN && !s->flow) || (what == CAROM_CELLS_DAMAGE && !s->breaks);
    return unknown ? 0 : cells(s);
}

size_t carom_cells_size(const struct carom_solid *s, enum carom_cells_what what)
{
    if (of_joints(what))
        return 0;
    if (what == CAROM_CELLS_LINK_DAMAGE)
        return s->breaks ? s->nlinks : 0;
    return carom_cells_depth(s, what) * (of_sensors(what) ? s->nsensors
                                         : of_holds(what) ? s->nholds
                                                          : cells_of(s, what));
}

bool carom_cells_together(enum carom_cells_what what)
{
    return of_sensors(what) || of_holds(what) || what == CAROM_CELLS_LINK_DAMAGE;
}

size_t carom_cells_size_together(const struct carom_model *model, size_t member, enum carom_cells_what what)
{
    size_t size = 0;
    for (size_t i = 0; member == 0 && i < carom_solid_count(model); i++)
        size += carom_cells_size(carom_solid_at(model, i), what);
    return size;
}

/* cells of the solids before a member */
static size_t cells_before(const struct carom_model *model, size_t member)
{
    size_t n = 0;
    for (size_t i = 0; i < member; i++)
        n += carom_solid_at(model, i)->n;
    return n;
}

static void read_spin(const struct carom_solid *s, size_t cell, const double *q, const double *v, double *out)
{
    double turn[4], total[4];
    if (s->dimension == 2) {
        *out = v[3 * cell + 2];
        return;
    }
    carom_solid_quaternion(s, q, cell, turn);
    carom_quat_product(turn, carom_solid_sort_of(s, cell)->frame, total);
    carom_quat_turn(total, v + 6 * cell + 3, out);
}

static double von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

static void principal(const double s[6], double out[3])
{
    double matrix[9] = {s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]}, value[3], scratch[3];
    const bool found = carom_eigen_symmetric(3, matrix, value, scratch); /* rising */
    for (int k = 0; k < 3; k++)
        out[k] = found ? value[2 - k] : nan("");
}

static void read_cell(const struct carom_reading *reading, const struct carom_member *m, size_t cell,
                      enum carom_cells_what what, double *out)
{
    const struct carom_solid *s = m->own;
    const double *q = reading->view->q + m->q0, *v = reading->view->v + m->v0;
    const double *stress =
        reading->stress ? reading->stress[cells_before(reading->model, (size_t)(m - reading->model->member)) + cell]
                        : NULL;
    double turn[4];
    switch (what) {
    case CAROM_CELLS_DISPLACEMENT:
        memcpy(out, q + s->wide * cell, (size_t)s->dimension * sizeof *out);
        return;
    case CAROM_CELLS_VELOCITY:
        memcpy(out, v + s->fast * cell, (size_t)s->dimension * sizeof *out);
        return;
    case CAROM_CELLS_POSITION:
        for (int k = 0; k < s->dimension; k++)
            out[k] = s->centre[cell][k] + q[s->wide * cell + (size_t)k];
        return;
    case CAROM_CELLS_ROTATION:
        carom_solid_quaternion(s, q, cell, turn);
        if (s->dimension == 2)
            *out = 2.0 * carom_angle_atan2(turn[3], turn[0]);
        else
            memcpy(out, turn, sizeof turn);
        return;
    case CAROM_CELLS_SPIN:
        read_spin(s, cell, q, v, out);
        return;
    case CAROM_CELLS_STRESS:
        memcpy(out, stress, 6 * sizeof *stress);
        return;
    case CAROM_CELLS_STRAIN:
        carom_solid_stress_strain(s, cell, stress, out);
        return;
    case CAROM_CELLS_VON_MISES:
        *out = von_mises(stress);
        return;
    case CAROM_CELLS_PRINCIPAL:
        principal(stress, out);
        return;
    case CAROM_CELLS_PLASTIC_STRAIN:
        *out = carom_solid_yield_strain(s, q, cell)[6];
        return;
    case CAROM_CELLS_DAMAGE:
        *out = carom_solid_fracture_of(s, q, cell);
        return;
    default:
        return;
    }
}

/* those of all solids, one after the other */
static void read_holds(const struct carom_reading *reading, enum carom_cells_what what, double *out)
{
    const struct carom_solid *first = carom_solid_at(reading->model, 0);
    const size_t depth = carom_cells_depth(first, what),
                 from = what == CAROM_CELLS_REACTION ? 0
                        : depth == 1                 ? 5
                                                     : 3,
                 n = carom_cells_size_together(reading->model, 0, what) / depth;
    for (size_t i = 0; i < n; i++)
        memcpy(out + depth * i, reading->reaction[i] + from, depth * sizeof *out);
}

static void read_sensors(const struct carom_reading *reading, enum carom_cells_what what, double *out)
{
    for (size_t member = 0; member < carom_solid_count(reading->model); member++) {
        const struct carom_member *m = &reading->model->member[member];
        const struct carom_solid *s = m->own;
        const size_t depth = carom_cells_depth(s, what);
        for (size_t i = 0; i < s->nsensors; i++, out += depth) {
            double moved[3], fast[3];
            carom_solid_sense(s, &s->sensor[i], reading->view->q + m->q0, reading->view->v + m->v0, moved, fast);
            memcpy(out, what == CAROM_CELLS_SENSOR_DISPLACEMENT ? moved : fast, depth * sizeof *out);
        }
    }
}

static void read_links(const struct carom_reading *reading, double *out)
{
    for (size_t member = 0; member < carom_solid_count(reading->model); member++) {
        const struct carom_member *m = &reading->model->member[member];
        const struct carom_solid *s = m->own;
        if (!s->breaks)
            continue;
        memcpy(out, carom_solid_fracture_damage(s, reading->view->q + m->q0), s->nlinks * sizeof *out);
        out += s->nlinks;
    }
}

void carom_cells_read(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out)
{
    const struct carom_member *m = &reading->model->member[member];
    const struct carom_solid *s = m->own;
    const size_t depth = carom_cells_depth(s, what);
    if (of_holds(what))
        read_holds(reading, what, out);
    else if (of_sensors(what))
        read_sensors(reading, what, out);
    else if (what == CAROM_CELLS_LINK_DAMAGE)
        read_links(reading, out);
    else if (what == CAROM_CELLS_CONTACT_LOAD || what == CAROM_CELLS_CONTACT_PRESSURE)
        carom_cells_contact(reading, member, what, out);
    else
        for (size_t i = 0; i < cells(s); i++)
            read_cell(reading, m, s->record ? s->record[i] : i, what, out + depth * i);
}

bool carom_cells_open(struct carom_cells_room *room, const struct carom_model *model, bool stresses, bool reactions)
{
    const size_t solids = carom_solid_count(model);
    size_t holds = 0, most = 0;
    *room = (struct carom_cells_room){0};
    for (size_t i = 0; i < solids; i++) {
        const size_t needs = reactions ? carom_solid_reaction_room(carom_solid_at(model, i)) : 0;
        holds += carom_solid_at(model, i)->nholds;
        most = needs > most ? needs : most;
    }
    if (stresses && solids > 0)
        room->stress = carom_memory_zeroed(cells_before(model, solids), sizeof *room->stress);
    if (reactions && solids > 0) {
        room->reaction = carom_memory_zeroed(holds, sizeof *room->reaction);
        room->room = carom_memory_zeroed(most, sizeof *room->room);
    }
    return solids == 0 || ((!stresses || room->stress) && (!reactions || (room->reaction && room->room)));
}

void carom_cells_fill(const struct carom_cells_room *room, struct carom_reading *reading)
{
    size_t before = 0, holds = 0;
    if (!room->stress && !room->reaction)
        return;
    for (size_t i = 0; i < carom_solid_count(reading->model); i++) {
        const struct carom_solid *s = carom_solid_at(reading->model, i);
        const struct carom_member *m = &reading->model->member[i];
        const double *q = reading->view->q + m->q0, *v = reading->view->v + m->v0, t = reading->view->time;
        if (room->stress)
            carom_solid_stress(s, t, q, reading->view->scratch, room->stress + before);
        if (room->reaction)
            carom_solid_reaction(s, t, q, v, room->room, room->reaction + holds);
        before += s->n;
        holds += s->nholds;
    }
    reading->stress = (const double(*)[6])room->stress;
    reading->reaction = (const double(*)[6])room->reaction;
}

void carom_cells_close(struct carom_cells_room *room)
{
    carom_memory_free_all(room->stress, room->reaction, room->room);
    *room = (struct carom_cells_room){0};
}
