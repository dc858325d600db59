/* What contacts do to single cells of a solid: the forces of contacts, shared among the cells that carry the points in
 * which they act, as schemes share them; and these over the areas for which the points stand, shared likewise. */
#include <string.h>

#include "model/solid/strike/solid_strike.h"
#include "record/cells.h"
#include "record/probe_solid.h"

struct pressing {
    const struct carom_reading *reading;
    const struct carom_solid_strike *strike;
    size_t body;
    double *out;
    double *area; /* by cells, where pressures are wanted; else NULL */
    double push;  /* of the contact, over its overlap */
    double faced; /* the area of the contact */
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

/* the force of this size along the normal, in a point that stands for this area */
static void add(const struct pressing *p, const struct carom_skin_grip *grip, const double normal[3], double force,
                double area)
{
    const struct carom_solid *s = p->strike->body[p->body].solid;
    const size_t d = (size_t)s->dimension;
    for (size_t i = 0; i < grip->ncells; i++) {
        const size_t to = place_of(s, grip->cell[i]);
        if (to == SIZE_MAX)
            continue;
        if (p->area) {
            p->out[to] += fabs(force) * grip->share[i];
            p->area[to] += area * grip->share[i];
        }
        for (size_t k = 0; k < d && !p->area; k++)
            p->out[d * to + k] += force * grip->share[i] * normal[k];
    }
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
        add(p, &grip, press->normal, (e == 0 ? 1.0 : -1.0) * p->push * press->weight * press->depth,
            press->weight * p->faced);
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
        p->push = p->reading->force[j] / p->reading->deform[j];
        carom_solid_press_find(p->reading->model, meet, box, q, add_press, p);
    }
}

void carom_cells_contact(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(reading->model);
    struct pressing p = {.reading = reading, .strike = s, .body = member, .out = out};
    const struct carom_solid *solid = s->body[member].solid;
    const double *q = reading->view->q;
    const size_t size = carom_cells_size(solid, what);
    memset(out, 0, size * sizeof *out);
    if (what == CAROM_CELLS_CONTACT_PRESSURE) /* a part's scratch has room for a number per cell at least */
        p.area = memset(reading->view->scratch, 0, size * sizeof *out);
    for (size_t j = member * s->nballs; j < (member + 1) * s->nballs; j++) {
        struct carom_strike at;
        if (!(reading->deform[j] > 0.0))
            continue;
        carom_solid_strike_find(reading->model, j, j + 1, false, q, &at);
        add(&p, &at.grip, at.normal, -reading->force[j],
            carom_probe_solid_round_area(s->balls, reading->model->pair[j], reading->deform[j]));
    }
    if (s->nmeets > 0)
        add_faces(&p, q);
    for (size_t i = 0; p.area && i < size; i++)
        out[i] = p.area[i] != 0.0 ? out[i] / p.area[i] : 0.0; /* of discs, which have no area, NaN */
}
