/* Rows of the book that wait, see episodes_faces.h. */
#include "sim/book/episodes_faces.h"

#include "base/angle.h"
#include "base/memory.h"
#include "model/solid/strike/solid_push.h"

/* a swing of the fastest cell of the solids that meet in contact j */
static double swing(const struct carom_solid_strike *strike, size_t j)
{
    const struct carom_strike_meet *meet = &strike->meet[j - strike->meets_first];
    double omega = 0.0;
    for (int side = 0; side < 2; side++)
        if (meet->body[side] < strike->nbodies)
            omega = fmax(omega, strike->body[meet->body[side]].solid->omega);
    return omega > 0.0 ? 2.0 * CAROM_ANGLE_PI / omega : 0.0;
}

bool carom_episodes_faces_open(struct carom_episodes_faces *f, const struct carom_model *model)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(model);
    *f = (struct carom_episodes_faces){0};
    if (!strike || strike->nmeets == 0)
        return true;
    f->n = model->nc;
    f->patience = carom_memory_zeroed(2 * f->n, sizeof *f->patience);
    f->row = carom_memory_zeroed(f->n, sizeof *f->row);
    if (!f->patience || !f->row)
        return false;
    f->lost = f->patience + f->n;
    for (size_t j = 0; j < f->n; j++) {
        f->row[j].contact = UINT64_MAX;
        f->patience[j] = j >= strike->meets_first ? swing(strike, j) : 0.0;
    }
    return true;
}

void carom_episodes_faces_close(struct carom_episodes_faces *f)
{
    carom_memory_free_all(f->patience, f->row);
    *f = (struct carom_episodes_faces){0};
}

bool carom_episodes_faces_wait(struct carom_episodes_faces *f, const struct carom_episode *row, double lost)
{
    const size_t j = (size_t)row->contact;
    if (j >= f->n || !(f->patience[j] > 0.0))
        return false;
    f->row[j] = *row;
    f->lost[j] = lost;
    f->waiting++;
    return true;
}

bool carom_episodes_faces_waits(const struct carom_episodes_faces *f, size_t j)
{
    return j < f->n && f->row[j].contact == j;
}

struct carom_episode carom_episodes_faces_take(struct carom_episodes_faces *f, size_t j, double *lost)
{
    const struct carom_episode row = f->row[j];
    *lost = f->lost[j];
    f->row[j].contact = UINT64_MAX;
    f->waiting--;
    return row;
}

bool carom_episodes_faces_due(struct carom_episodes_faces *f, double time, struct carom_episode *row)
{
    double lost;
    for (size_t j = 0; f->waiting > 0 && j < f->n; j++)
        if (carom_episodes_faces_waits(f, j) && time - f->row[j].opened >= f->patience[j]) {
            *row = carom_episodes_faces_take(f, j, &lost);
            return true;
        }
    return false;
}

double carom_episodes_faces_speed(const struct carom_sim *sim, size_t j, double rate)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(sim->model);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    if (!strike || j < strike->meets_first)
        return fmax(rate, 0.0); /* what is pressed and just moves apart does not close at all */
    carom_solid_press_boxes(sim->model, sim->view->q, box);
    return fmax(
        carom_solid_push_speed(sim->model, &strike->meet[j - strike->meets_first], box, sim->view->q, sim->view->v),
        0.0);
}
