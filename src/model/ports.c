/* Owners of ports and the inverse masses behind them. Where the mass of a part is diagonal, one mass_solve serves all
 * of its ports: chains have very many. */
#include "model/ports.h"

#include "base/vec.h"
#include "model/solid/strike/solid_balls.h"

size_t carom_ports_owner(const struct carom_model *model, size_t port)
{
    size_t i = 0;
    while (i + 1 < model->nparts && port >= model->member[i + 1].port0)
        i++;
    return i;
}

/* rate at which one side slips */
static double side_slip(const struct carom_model *model, int32_t which, double t, const double *q, const double *v)
{
    struct carom_port port;
    if (which < 0)
        return 0.0;
    const struct carom_member *m = &model->member[carom_ports_owner(model, (size_t)which)];
    if (!m->part->tangent || !m->part->tangent(m->own, (size_t)which - m->port0, t, q + m->q0, &port))
        return 0.0;
    double rate = port.drift;
    for (size_t i = 0; i < port.count; i++)
        rate += port.slope[i] * v[m->v0 + port.first + i];
    return rate;
}

bool carom_ports_spatial(const struct carom_model *model)
{
    bool any = false;
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        any |= m->nports > 0 && m->part->passage && m->part->passage(m->own, 0, 0, NULL, NULL);
    }
    return any;
}

/* adds how one side passes along the axes, times `sign`; normal becomes its own */
static void add_passage(const struct carom_model *model, int32_t which, const double *q, const double *v, double sign,
                        double normal[3], double pass[3])
{
    struct carom_port port;
    if (which < 0)
        return;
    const struct carom_member *m = &model->member[carom_ports_owner(model, (size_t)which)];
    for (size_t k = 0; k < 3; k++) {
        if (!m->part->passage || !m->part->passage(m->own, (size_t)which - m->port0, k, q + m->q0, &port))
            return;
        normal[k] = port.value;
        for (size_t i = 0; i < port.count; i++)
            pass[k] += sign * port.slope[i] * v[m->v0 + port.first + i];
    }
}

void carom_ports_passage(const struct carom_model *model, size_t j, const double *q, const double *v, double normal[3],
                         double pass[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = pass[k] = 0.0;
    for (int s = 0; s < 2; s++)
        add_passage(model, model->pair[j][s], q, v, s ? 1.0 : -1.0, normal, pass);
}

/* how fast contact j slips in space, whichever way */
static double speed_of_slip(const struct carom_model *model, size_t j, const double *q, const double *v)
{
    double normal[3], pass[3];
    carom_ports_passage(model, j, q, v, normal, pass);
    const double rate = carom_vec_dot(normal, pass);
    for (int k = 0; k < 3; k++)
        pass[k] -= rate * normal[k];
    return carom_vec_norm(normal) > 0.0 ? carom_vec_norm(pass) : 0.0;
}

double carom_ports_slip(const struct carom_model *model, size_t j, double t, const double *q, const double *v)
{
    if (model->encounter)
        return 0.0;
    if (carom_ports_spatial(model))
        return speed_of_slip(model, j, q, v);
    return side_slip(model, model->pair[j][1], t, q, v) - side_slip(model, model->pair[j][0], t, q, v);
}

/* slope . M^-1 slope; `push` and `answer` (nv each) are spent */
static double felt(const struct carom_member *m, const struct carom_port *port, const double *q, double *push,
                   double *answer)
{
    double sum = 0.0;
    for (size_t k = 0; k < m->nv; k++)
        push[k] = 0.0;
    for (size_t k = 0; k < port->count; k++)
        push[port->first + k] = port->slope[k];
    m->part->mass_solve(m->own, q, push, answer);
    for (size_t k = 0; k < port->count; k++)
        sum += port->slope[k] * answer[port->first + k];
    return sum;
}

/* the same where the inverse masses are known */
static double felt_diagonal(const struct carom_port *port, const double *inverse)
{
    double sum = 0.0;
    for (size_t k = 0; k < port->count; k++)
        sum += port->slope[k] * (inverse[port->first + k] * port->slope[k]);
    return sum;
}

void carom_ports_inverse_mass(const struct carom_model *model, const double *q, double *inverse, double *room)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        const bool diagonal = m->part->offers & CAROM_DIAGONAL_MASS;
        double *push = room, *answer = room + m->nv;
        for (size_t k = 0; k < m->nv; k++)
            push[k] = 1.0;
        if (diagonal)
            m->part->mass_solve(m->own, q + m->q0, push, answer);
        for (size_t p = 0; p < m->nports; p++) {
            struct carom_port port;
            m->part->port(m->own, p, 0.0, q + m->q0, &port);
            inverse[m->port0 + p] = diagonal ? felt_diagonal(&port, answer) : felt(m, &port, q + m->q0, push, answer);
        }
    }
}

double carom_ports_between(const struct carom_model *model, size_t j, const double *inverse)
{
    const int32_t *pair = model->pair[j];
    const struct carom_solid_balls *balls = model->encounter ? carom_solid_balls_of(model, NULL) : NULL;
    if (model->encounter) /* of balls; solids and walls are heavy */
        return (pair[0] >= 0 ? 1.0 / balls->mass[pair[0]] : 0.0) + (pair[1] >= 0 ? 1.0 / balls->mass[pair[1]] : 0.0);
    return (pair[0] >= 0 ? inverse[pair[0]] : 0.0) + (pair[1] >= 0 ? inverse[pair[1]] : 0.0);
}
