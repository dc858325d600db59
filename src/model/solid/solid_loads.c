/* What acts on a body from outside: gravity, forces and moments on cells, tractions and pressures on faces, and
 * holds.
 *
 * A face under the normal traction T yields by e = (T - lambda dilatation) / (2 mu), which adds T / (2 mu) x d V_f
 * to the cell's dilatation sum (d: dimension, V_f: the face's pyramid): without it the loaded layer would be a free
 * one. The traction does work on that yielding as well. T is that on the unloaded normal. */
#include <string.h>

#include "base/angle.h"
#include "base/sorted.h"
#include "model/solid/solid_sheet.h"
#include "model/solid/solid_turns.h"

bool carom_solid_loads_on_faces(const struct carom_solid_load *load)
{
    return load->push == CAROM_SOLID_TRACTION || load->push == CAROM_SOLID_PRESSURE;
}

/* normal traction on a face, for a signal of that height */
static double normal_traction(const struct carom_solid_load *load, const struct carom_solid_face *face, double height)
{
    return load->push == CAROM_SOLID_PRESSURE ? -height * load->vector[0]
                                              : height * carom_vec_dot(load->vector, face->normal);
}

void carom_solid_loads_face(const struct carom_solid *s, const struct carom_solid_load *load,
                            const struct carom_solid_face *face, double height, const double *q, double force[3],
                            double arm[3])
{
    double turn[4], normal[3];
    carom_solid_quaternion(s, q, face->cell, turn);
    carom_quat_turn(turn, face->arm, arm);
    carom_quat_turn(turn, face->normal, normal);
    for (int k = 0; k < 3; k++)
        force[k] =
            height * face->area * (load->push == CAROM_SOLID_PRESSURE ? -load->vector[0] * normal[k] : load->vector[k]);
}

/* force and torque of entry i of a load on its cell */
static size_t entry(const struct carom_solid *s, const struct carom_solid_load *load, size_t i, double height,
                    const double *q, double force[3], double torque[3])
{
    for (int k = 0; k < 3; k++)
        force[k] = torque[k] = 0.0;
    if (carom_solid_loads_on_faces(load)) {
        const struct carom_solid_face *face = &s->face[load->at[i]];
        double arm[3];
        carom_solid_loads_face(s, load, face, height, q, force, arm);
        carom_vec_cross(arm, force, torque);
        return face->cell;
    }
    const size_t cell = load->at[i];
    const double share = height * (carom_solid_sort_of(s, cell)->volume / load->total);
    double *to = load->push == CAROM_SOLID_FORCE ? force : torque;
    for (int k = 0; k < 3; k++)
        to[k] = share * load->vector[k];
    return cell;
}

static void add(const struct carom_solid *s, size_t cell, const double force[3], const double torque[3], double *f)
{
    double *at = f + s->fast * cell;
    at[0] += force[0];
    at[1] += force[1];
    at[2] += s->dimension == 3 ? force[2] : torque[2];
    for (int k = 0; k < 3 && s->dimension == 3; k++)
        at[3 + k] += torque[k];
}

void carom_solid_loads_begin(const struct carom_solid *s, size_t first, size_t last, bool clear, double *f)
{
    const bool heavy = s->gravity[0] != 0.0 || s->gravity[1] != 0.0 || s->gravity[2] != 0.0;
    if (!clear)
        memset(f + s->fast * first, 0, s->fast * (last - first) * sizeof *f);
    for (size_t i = first; heavy && i < last; i++)
        for (int k = 0; k < s->dimension; k++)
            f[s->fast * i + (size_t)k] = carom_solid_sort_of(s, i)->mass * s->gravity[k];
}

/* what a traction adds to the dilatation sum of the cell behind its face */
static double dilates(const struct carom_solid *s, const struct carom_solid_load *load,
                      const struct carom_solid_face *face, double height)
{
    return s->dimension * face->volume * normal_traction(load, face, height) /
           (2.0 * carom_solid_sort_of(s, face->cell)->mu);
}

size_t carom_solid_loads_first(const struct carom_solid *s, size_t cell)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, s->nentries, s->entry[middle].cell < cell);
    return low;
}

void carom_solid_loads_push(const struct carom_solid *s, double t, size_t first, size_t last, const double *q,
                            double *f)
{
    double height = 0.0, force[3], torque[3];
    size_t known = s->nloads; /* the load whose height it is */
    for (size_t e = carom_solid_loads_first(s, first); e < s->nentries && s->entry[e].cell < last; e++) {
        const struct carom_solid_entry *at = &s->entry[e];
        if (at->load != known)
            height = carom_signal_value(&s->load[known = at->load].signal, t);
        if (height == 0.0)
            continue;
        entry(s, &s->load[at->load], at->number, height, q, force, torque);
        add(s, at->cell, force, torque, f);
    }
}

void carom_solid_loads_dilate(const struct carom_solid *s, double t, size_t first, size_t last, double *sum)
{
    double height = 0.0;
    size_t known = s->nloads;
    for (size_t e = carom_solid_loads_first(s, first); e < s->nentries && s->entry[e].cell < last; e++) {
        const struct carom_solid_entry *at = &s->entry[e];
        const struct carom_solid_load *load = &s->load[at->load];
        if (!carom_solid_loads_on_faces(load))
            continue;
        if (at->load != known)
            height = carom_signal_value(&s->load[known = at->load].signal, t);
        if (height != 0.0)
            sum[at->cell] += dilates(s, load, &s->face[load->at[at->number]], height);
    }
}

/* what a traction adds to lambda x dilatation of the cell behind its face */
static double swell(const struct carom_solid *s, const struct carom_solid_entry *at, double height)
{
    const struct carom_solid_load *load = &s->load[at->load];
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, at->cell);
    const struct carom_solid_face *face = &s->face[load->at[at->number]];
    return sort->share * sort->lambda * s->dimension * face->volume * normal_traction(load, face, height) /
           (2.0 * sort->mu);
}

void carom_solid_loads_tell(const struct carom_solid *s, double t, const double *q, struct carom_solid_pushed *out)
{
    double height = 0.0, force[3], torque[3];
    size_t known = s->nloads;
    for (size_t e = 0; e < s->nentries; e++) {
        const struct carom_solid_entry *at = &s->entry[e];
        const bool on_face = carom_solid_loads_on_faces(&s->load[at->load]);
        if (at->load != known)
            height = carom_signal_value(&s->load[known = at->load].signal, t);
        entry(s, &s->load[at->load], at->number, height, q, force, torque);
        const struct carom_solid_load *load = &s->load[at->load];
        const bool plane = s->dimension == 2, sheet = carom_solid_sheet_fits(s);
        out[e] = (struct carom_solid_pushed){
            .force = {force[0], force[1], plane ? torque[2] : force[2], torque[0], torque[1], torque[2]},
            .swell = !on_face ? 0.0
                     : sheet  ? swell(s, at, height)
                              : dilates(s, load, &s->face[load->at[at->number]], height),
            .live = height == 0.0 ? 0
                    : on_face     ? 3
                                  : 1,
            .last = e + 1 == s->nentries || s->entry[e + 1].cell != at->cell,
        };
    }
}

void carom_solid_loads_swell(const struct carom_solid *s, double t, size_t first, size_t last, double *pressure)
{
    double height = 0.0;
    size_t known = s->nloads;
    for (size_t e = carom_solid_loads_first(s, first); e < s->nentries && s->entry[e].cell < last; e++) {
        const struct carom_solid_entry *at = &s->entry[e];
        if (!carom_solid_loads_on_faces(&s->load[at->load]))
            continue;
        if (at->load != known)
            height = carom_signal_value(&s->load[known = at->load].signal, t);
        if (height != 0.0)
            pressure[at->cell - first] += swell(s, at, height);
    }
}

void carom_solid_loads_follow(const struct carom_solid *s, double t, double *rate)
{
    for (size_t l = 0; l < s->nloads; l++) {
        const double slope = carom_signal_rate(&s->load[l].signal, t);
        for (size_t i = 0; slope != 0.0 && carom_solid_loads_on_faces(&s->load[l]) && i < s->load[l].count; i++) {
            const struct carom_solid_face *face = &s->face[s->load[l].at[i]];
            rate[face->cell] += dilates(s, &s->load[l], face, slope);
        }
    }
}

/* d V_f ((T - p)^2 - p^2) / (4 mu), p = lambda x dilatation: beyond what the cell's 1/2 lambda / share says */
double carom_solid_loads_energy(const struct carom_solid *s, double t, const double *pressure)
{
    double energy = 0.0;
    for (size_t l = 0; l < s->nloads; l++) {
        const double height = carom_signal_value(&s->load[l].signal, t);
        for (size_t i = 0; height != 0.0 && carom_solid_loads_on_faces(&s->load[l]) && i < s->load[l].count; i++) {
            const struct carom_solid_face *face = &s->face[s->load[l].at[i]];
            const double pull = normal_traction(&s->load[l], face, height), press = pressure[face->cell];
            energy += s->dimension * face->volume * pull * (pull - 2.0 * press) /
                      (4.0 * carom_solid_sort_of(s, face->cell)->mu);
        }
    }
    return energy;
}

size_t carom_solid_loads_faces(const struct carom_solid *s)
{
    size_t count = 0;
    for (size_t l = 0; l < s->nloads; l++)
        count += carom_solid_loads_on_faces(&s->load[l]) ? s->load[l].count : 0;
    return count;
}

void carom_solid_loads_extend(const struct carom_solid *s, double t, const double *pressure, double *extension)
{
    size_t next = 0;
    for (size_t l = 0; l < s->nloads; l++) {
        const double height = carom_signal_value(&s->load[l].signal, t);
        for (size_t i = 0; carom_solid_loads_on_faces(&s->load[l]) && i < s->load[l].count; i++) {
            const struct carom_solid_face *face = &s->face[s->load[l].at[i]];
            const double pull = normal_traction(&s->load[l], face, height);
            extension[next++] = s->dimension * face->volume * (pull - pressure[face->cell]) /
                                (2.0 * carom_solid_sort_of(s, face->cell)->mu);
        }
    }
}

/* the turn from q0 to q1 of a cell as a vector, for small turns */
static void turned(const struct carom_solid *s, const double *q0, const double *q1, size_t cell, double out[3])
{
    double a[4], b[4], r[4];
    carom_solid_quaternion(s, q0, cell, a);
    carom_solid_quaternion(s, q1, cell, b);
    for (int k = 1; k < 4; k++)
        a[k] = -a[k];
    carom_quat_product(b, a, r);
    for (int k = 0; k < 3; k++)
        out[k] = 2.0 * (r[0] < 0.0 ? -r[k + 1] : r[k + 1]);
}

struct working {
    const struct carom_solid *s;
    const struct carom_solid_way *way;
};

/* of entries [first, last) of a load, whose faces are numbered from `faces` on, onto what others do */
static double work_of(const struct working *w, const struct carom_solid_load *load, size_t first, size_t last,
                      size_t faces, double work)
{
    const struct carom_solid *s = w->s;
    const double *q0 = w->way->q0, *q1 = w->way->q1;
    const double before = carom_signal_value(&load->signal, w->way->t0),
                 after = carom_signal_value(&load->signal, w->way->t1);
    for (size_t i = first; i < last; i++) {
        double force[2][3], torque[2][3], spin[3];
        entry(s, load, i, before, q0, force[0], torque[0]);
        const size_t cell = entry(s, load, i, after, q1, force[1], torque[1]);
        const double *from = q0 + s->wide * cell, *to = q1 + s->wide * cell;
        turned(s, q0, q1, cell, spin);
        for (int k = 0; k < 3; k++)
            work += 0.5 * ((k < s->dimension ? (force[0][k] + force[1][k]) * (to[k] - from[k]) : 0.0) +
                           (torque[0][k] + torque[1][k]) * spin[k]);
        if (!carom_solid_loads_on_faces(load))
            continue;
        const struct carom_solid_face *face = &s->face[load->at[i]];
        const double pull = normal_traction(load, face, 0.5 * (before + after));
        work += pull * (w->way->extension1[faces + i] - w->way->extension0[faces + i]);
    }
    return work;
}

/* of entries [first, last) of all loads, one load after the other */
static void add_work(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    const struct working *w = own;
    double work = 0.0;
    size_t past = 0, faces = 0;
    for (size_t l = 0; l < w->s->nloads && past < last; l++) {
        const struct carom_solid_load *load = &w->s->load[l];
        const size_t from = first > past ? first - past : 0, to = last - past < load->count ? last - past : load->count;
        if (from < to)
            work = work_of(w, load, from, to, faces, work);
        past += load->count;
        faces += carom_solid_loads_on_faces(load) ? load->count : 0;
    }
    carom_sum_add(sum, work);
}

double carom_solid_loads_work(const struct carom_solid *s, struct carom_threads *threads,
                              const struct carom_solid_way *way)
{
    const struct carom_sum sum = carom_threads_sum(threads, add_work, &(struct working){s, way}, s->nentries);
    return carom_sum_value(&sum);
}

double carom_solid_loads_power(const struct carom_solid *s, double t, const double *q, const double *w,
                               const double *rate)
{
    double power = 0.0;
    for (size_t l = 0; l < s->nloads; l++) {
        const struct carom_solid_load *load = &s->load[l];
        const double height = carom_signal_value(&load->signal, t), slope = carom_signal_rate(&load->signal, t);
        for (size_t i = 0; i < load->count; i++) {
            double force[3], torque[3];
            const size_t cell = entry(s, load, i, height, q, force, torque);
            const double *at = w + s->fast * cell;
            power += force[0] * at[0] + force[1] * at[1];
            power += s->dimension == 2 ? torque[2] * at[2] : force[2] * at[2] + carom_vec_dot(torque, at + 3);
            if (!carom_solid_loads_on_faces(load))
                continue;
            /* the face's own yielding: its rate follows the signal and the dilatation */
            const struct carom_solid_face *face = &s->face[load->at[i]];
            const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
            power += normal_traction(load, face, height) * s->dimension * face->volume *
                     (normal_traction(load, face, slope) - sort->lambda * sort->share * rate[cell]) / (2.0 * sort->mu);
        }
    }
    return power;
}

const struct carom_signal *carom_solid_loads_signal(const void *own, size_t i, enum carom_action *action)
{
    static const struct carom_signal none;
    const struct carom_solid *s = own;
    *action = i < s->nloads ? CAROM_ACTS_FORCE : CAROM_ACTS_BODY;
    if (i < s->nloads)
        return &s->load[i].signal;
    if (i - s->nloads >= s->nholds)
        return NULL;
    return s->hold[i - s->nloads].driven ? &s->hold[i - s->nloads].signal : &none;
}

/* A face yields at once where its traction jumps. What that takes is what is stored more then: energies just before and
 * after differ by nothing else. */
double carom_solid_loads_jump(const struct carom_solid *s, const struct carom_solid_work *work, double t,
                              const double *q)
{
    const double before = nextafter(t, -HUGE_VAL);
    bool jumps = false;
    for (size_t l = 0; l < s->nloads; l++) {
        double largest, rate;
        carom_signal_largest(&s->load[l].signal, &largest, &rate);
        const double leap = carom_signal_value(&s->load[l].signal, t) - carom_signal_value(&s->load[l].signal, before);
        jumps |= carom_solid_loads_on_faces(&s->load[l]) && fabs(leap) > 1e-9 * largest;
    }
    if (!jumps)
        return 0.0;
    const double old = carom_solid_forces_energy(s, work, NULL, before, q);
    return carom_solid_forces_energy(s, work, NULL, t, q) - old;
}

/* a cell of a hold that turns, by an angle and at a rate */
static void turn_along(const struct carom_solid *s, const struct carom_solid_hold *hold, size_t cell, double angle,
                       double rate, bool momenta, double *q, double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    const double half = carom_angle_sin(0.5 * angle);
    const double turn[4] = {carom_angle_cos(0.5 * angle), half * hold->axis[0], half * hold->axis[1],
                            half * hold->axis[2]};
    double *place = q + s->wide * cell, *pace = v + s->fast * cell, from[3], to[3], spin[3], fast[3], axes[4], own[3];
    for (int k = 0; k < 3; k++) {
        from[k] = s->centre[cell][k] - hold->about[k];
        spin[k] = rate * hold->axis[k];
    }
    carom_quat_turn(turn, from, to);
    carom_vec_cross(spin, to, fast);
    for (int k = 0; k < s->dimension; k++) {
        place[k] = to[k] - from[k];
        pace[k] = fast[k];
    }
    if (s->dimension == 2) {
        place[2] = turn[0];
        place[3] = turn[3];
        pace[2] = (momenta ? sort->inertia[2] : 1.0) * rate;
        return;
    }
    memcpy(place + 3, turn, sizeof turn);
    carom_solid_turns_axes(s, cell, q, axes);
    carom_quat_turn_back(axes, spin, pace + 3);
    for (int k = 0; k < 3; k++)
        own[k] = sort->inertia[k] * pace[3 + k];
    if (momenta)
        carom_quat_turn(axes, own, pace + 3);
}

/* held turns keep the quaternion's part about that axis at 0, which is meant for small turns or for all three */
void carom_solid_loads_hold(const struct carom_solid *s, double t, bool momenta, double *q, double *v)
{
    for (size_t h = 0; h < s->nholds; h++) {
        const struct carom_solid_hold *hold = &s->hold[h];
        const double height = hold->driven ? carom_signal_value(&hold->signal, t) : 0.0;
        const double slope = hold->driven ? carom_signal_rate(&hold->signal, t) : 0.0;
        for (size_t i = 0; hold->angle != 0.0 && i < hold->count; i++)
            turn_along(s, hold, hold->cell[i], hold->angle * height, hold->angle * slope, momenta, q, v);
        if (hold->angle != 0.0)
            continue;
        for (size_t i = 0; i < hold->count; i++) {
            double *place = q + s->wide * hold->cell[i], *pace = v + s->fast * hold->cell[i];
            for (unsigned k = 0; k < (unsigned)s->dimension; k++)
                if (hold->mask >> k & 1U) {
                    if (hold->driven)
                        place[k] = hold->vector[k] * height;
                    pace[k] = hold->driven ? hold->vector[k] * slope : 0.0;
                }
            if (s->dimension == 2 && s->held[hold->cell[i]] >> 5 & 1U)
                pace[2] = 0.0;
            if (s->dimension == 3 && s->held[hold->cell[i]] >> 3 == 7) /* less is solid_turns.c's */
                pace[3] = pace[4] = pace[5] = 0.0;
        }
    }
}
