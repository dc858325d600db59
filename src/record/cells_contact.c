/* What contacts do to single cells of a solid: the forces of contacts, shared among the cells that carry the points in
 * which they act, as schemes share them; and these over the areas for which the points stand, shared likewise. */
#include <string.h>

#include "base/vec.h"
#include "model/solid/strike/solid_push.h"
#include "record/cells.h"
#include "record/probe_solid.h"

struct pressing {
    const struct carom_reading *reading;
    const struct carom_solid_strike *strike;
    size_t body;
    double *out;
    double *area; /* by cells, where pressures are wanted; else NULL */
    size_t meet;  /* the contact of faces, */
    double faced; /* and its area */
};

/* where a cell stands among the chosen ones, SIZE_MAX: it was not chosen */
static size_t place_of(const struct carom_solid *s, uint32_t cell)
{
    size_t i = 0;
    if (!s->record)
        return cell;
    while (i < s->nrecord && s->record[i] != cell)
        i++;
    return i < s->nrecord ? i : SIZE_MAX;
}

/* a force on a cell that has this share in a contact of so much force and area */
static void add(const struct pressing *p, uint32_t cell, const double push[3], double share, double force, double area)
{
    const struct carom_solid *s = p->strike->body[p->body].solid;
    const size_t to = place_of(s, cell), d = (size_t)s->dimension;
    if (to == SIZE_MAX)
        return;
    if (p->area) {
        p->out[to] += fabs(force) * share;
        p->area[to] += area * share;
    }
    for (size_t k = 0; k < d && !p->area; k++)
        p->out[d * to + k] += push[k];
}

static void add_press(void *own, const struct carom_press *press)
{
    const struct pressing *p = own;
    const struct carom_strike_body *b = &p->strike->body[p->body];
    if (!(press->depth > 0.0))
        return;
    for (int e = 0; e < 2; e++) {
        struct carom_skin_grip grip;
        if (press->end[e].body != p->body)
            continue;
        carom_solid_skin_grip(b->solid, b->skin, press->end[e].piece, press->end[e].share,
                              p->reading->view->q + p->reading->model->member[p->body].q0, &grip);
        double normal[3];
        const double force =
            (e == 0 ? 1.0 : -1.0) *
            carom_solid_push_point(p->reading->model, p->meet, p->reading->view->q, p->reading->view->v, press, normal);
        for (size_t i = 0; i < grip.ncells; i++) {
            double push[3];
            for (int k = 0; k < 3; k++)
                push[k] = force * grip.share[i] * normal[k];
            add(p, grip.cell[i], push, grip.share[i], force, press->weight * p->faced);
        }
    }
}

/* contact j of a ball */
static void add_ball(const struct pressing *p, size_t j, struct carom_skin_pool *pool)
{
    const struct carom_reading *reading = p->reading;
    const double area = carom_probe_solid_round_area(p->strike->balls, reading->model->pair[j], reading->deform[j]);
    struct carom_strike at;
    pool->n = 0;
    carom_solid_strike_find(reading->model, j, j + 1, false, reading->view->q, pool, &at);
    const double steep = carom_vec_norm(at.slope), force = steep > 0.0 ? reading->force[j] / steep : 0.0;
    for (size_t i = 0; i < at.ncells; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(&at, i);
        double push[3];
        for (int k = 0; k < 3; k++)
            push[k] = -force * touch->along[k];
        add(p, touch->cell, push, touch->share, force, area);
    }
}

static void add_faces(struct pressing *p, const double *q)
{
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    carom_solid_press_boxes(p->reading->model, q, box);
    for (size_t m = 0; m < p->strike->nmeets; m++) {
        const struct carom_strike_meet *meet = &p->strike->meet[m];
        const size_t j = p->strike->meets_first + m;
        const bool mine = meet->body[0] == p->body || meet->body[1] == p->body;
        if (!mine || !(p->reading->deform[j] > 0.0))
            continue;
        p->faced = meet->area;
        p->meet = m;
        carom_solid_press_find(p->reading->model, meet, box, q, NULL, add_press, p);
    }
}

void carom_cells_contact(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(reading->model);
    struct pressing p = {.reading = reading, .strike = s, .body = member, .out = out};
    struct carom_skin_pool pool = {0};
    const struct carom_solid *solid = s->body[member].solid;
    const double *q = reading->view->q;
    const size_t size = carom_cells_size(solid, what);
    memset(out, 0, size * sizeof *out);
    if (what == CAROM_CELLS_CONTACT_PRESSURE) /* a part's scratch has room for a number per cell at least */
        p.area = memset(reading->view->scratch, 0, size * sizeof *out);
    for (size_t j = member * s->nballs; j < (member + 1) * s->nballs; j++) {
        if (reading->deform[j] > 0.0)
            add_ball(&p, j, &pool);
    }
    carom_solid_skin_touch_close(&pool);
    if (s->nmeets > 0)
        add_faces(&p, q);
    for (size_t i = 0; p.area && i < size; i++)
        out[i] = p.area[i] != 0.0 ? out[i] / p.area[i] : 0.0; /* of discs, which have no area, NaN */
}
