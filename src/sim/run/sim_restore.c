/* A sim goes on from a checkpoint. */
#include "sim/book/episodes_pack.h"
#include "sim/loop.h"

/* A stepper at work knows who was near whom at the start of the run: where contacts come and go, a new one looks. */
static enum carom_status look_anew(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_stepper *fresh = carom_sim_stepper(sim, sim->stepper->scheme, error);
    if (!fresh)
        return error ? error->status : CAROM_E_MEMORY;
    carom_stepper_free(sim->stepper);
    sim->stepper = fresh;
    return CAROM_OK;
}

static enum carom_status no_book(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_INPUT, "the checkpoint's book of impacts is not that of the scene");
}

enum carom_status carom_sim_restore(struct carom_sim *sim, const struct carom_checkpoint *checkpoint,
                                    struct carom_error *error)
{
    if (!sim || !checkpoint)
        return carom_error_missing(error);
    struct carom_loop *loop = sim->own;
    if (checkpoint->state->n != sim->state->n)
        return carom_error_set(error, CAROM_E_INPUT, "the checkpoint holds %zu numbers, the scene has %zu",
                               checkpoint->state->n, sim->state->n);
    carom_state_copy(sim->state, checkpoint->state);
    if (sim->state->contacts) {
        if (sim->state->contacts->lacking)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the contacts of a checkpoint");
        const enum carom_status status = look_anew(sim, error);
        if (status != CAROM_OK)
            return status;
    }
    sim->stepper->counts = checkpoint->counts;
    loop->rows = checkpoint->rows;
    loop->found = checkpoint->events;
    loop->impacts = checkpoint->impacts;
    loop->forces = checkpoint->forces;
    loop->episodes = checkpoint->episodes;
    if (checkpoint->state->book && loop->book.most > 0 &&
        !carom_episodes_pack_read(&loop->book, checkpoint->state->book, checkpoint->state->nbook))
        return no_book(error);
    if (checkpoint->state->book && loop->pairs.most > 0 &&
        !carom_episodes_list_unpack(&loop->pairs, checkpoint->state->book, checkpoint->state->nbook))
        return no_book(error);
    return CAROM_OK;
}
