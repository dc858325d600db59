/* What contacts do to single cells of a solid: the forces of contacts, shared among the cells that carry the points in
 * which they act, as schemes share them. */
#include <string.h>

#include "model/solid/solid_strike.h"
#include "record/cells.h"

struct pressing {
    const struct carom_reading *reading;
    const struct carom_solid_strike *strike;
    size_t body;
    double *out;
    double push; /* of the contact, over its overlap */
};

/* where the numbers of a cell are, NULL: it was not chosen */
static double *place_of(const struct pressing *p, uint32_t cell)
{
    const struct carom_solid *s = p->strike->body[p->body].solid;
    size_t i = 0;
    if (!s->record)
        return p->out + (size_t)s->dimension * cell;
    while (i < s->nrecord && s->record[i] != cell)
        i++;
    return i < s->nrecord ? p->out + (size_t)s->dimension * i : NULL;
}

/* the force of this size along the normal */
static void add(const struct pressing *p, const struct carom_skin_grip *grip, const double normal[3], double force)
{
    for (size_t i = 0; i < grip->ncells; i++) {
        double *to = place_of(p, grip->cell[i]);
        for (int k = 0; to && k < p->strike->body[p->body].solid->dimension; k++)
            to[k] += force * grip->share[i] * normal[k];
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
        add(p, &grip, press->normal, (e == 0 ? 1.0 : -1.0) * p->push * press->weight * press->depth);
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
        p->push = p->reading->force[j] / p->reading->deform[j];
        carom_solid_press_find(p->reading->model, meet, box, q, add_press, p);
    }
}

void carom_cells_contact_load(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(reading->model);
    struct pressing p = {.reading = reading, .strike = s, .body = member, .out = out};
    const double *q = reading->view->q;
    memset(out, 0, carom_cells_size(s->body[member].solid, CAROM_CELLS_CONTACT_LOAD) * sizeof *out);
    for (size_t j = member * s->nballs; j < (member + 1) * s->nballs; j++) {
        struct carom_strike at;
        if (!(reading->deform[j] > 0.0))
            continue;
        carom_solid_strike_find(reading->model, j, j + 1, q, &at);
        add(&p, &at.grip, at.normal, -reading->force[j]);
    }
    if (s->nmeets > 0)
        add_faces(&p, q);
}
