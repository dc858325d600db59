/* Outputs of discs and spheres, see outputs.h. */
#include "study/sweep/outputs.h"

#include <string.h>

#include "model/bodies/meet.h"

enum carom_status carom_bodies_outputs_check(const struct carom_output *output, const struct carom_bodies *bodies,
                                             struct carom_error *error)
{
    const bool impulse = output->kind == CAROM_OUTPUT_PEAK_IMPULSE;
    const bool peak = output->kind == CAROM_OUTPUT_PEAK_FORCE || impulse, stress = output->kind == CAROM_OUTPUT_STRESS;
    if (output->kind == CAROM_OUTPUT_MOMENTUM)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "%s is for rows of beads; of discs and spheres take energies, peak_force, "
                               "coordination, or u_N_x, v_N_x, spin_N",
                               output->name);
    if (impulse && !bodies->rigid)
        return carom_error_set(error, CAROM_E_REFUSED, "%s is for rigid bodies; of others take peak_force",
                               output->name);
    if (peak && output->index != CAROM_OUTPUT_ANY && output->other == CAROM_OUTPUT_ANY)
        return carom_error_set(error, CAROM_E_INPUT, "%s: contacts of discs and spheres are named by both bodies: %s",
                               output->name, impulse ? "peak_impulse_1_2" : "peak_force_1_2");
    const size_t most = output->index > output->other || !peak ? output->index : output->other;
    if ((peak || stress) && output->index != CAROM_OUTPUT_ANY && most >= bodies->n)
        return carom_error_set(error, CAROM_E_INPUT, "there is no such body for %s: the scene has %zu", output->name,
                               bodies->n);
    return CAROM_OK;
}

static bool is_probe(const struct carom_output *output)
{
    return output->kind >= CAROM_OUTPUT_STRESS && output->kind <= CAROM_OUTPUT_COORDINATION;
}

bool carom_bodies_outputs_any(const struct carom_outputs *outputs)
{
    bool any = outputs->peaks || outputs->impulses;
    for (size_t i = 0; i < outputs->count; i++)
        any = any || is_probe(&outputs->output[i]);
    return any;
}

enum carom_status carom_bodies_outputs_open(const struct carom_outputs *outputs, struct carom_track *track,
                                            struct carom_scene *scene, const struct carom_watch *watch,
                                            struct carom_error *error)
{
    const char *probes[CAROM_OUTPUTS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < outputs->count; i++) {
        const char *word = carom_outputs_word(&outputs->output[i]);
        bool known = !is_probe(&outputs->output[i]);
        for (size_t k = 0; k < n; k++)
            known = known || strcmp(probes[k], word) == 0;
        if (!known)
            probes[n++] = word;
    }
    return carom_track_open_recorded(track, scene, probes, n, outputs->peaks || outputs->impulses, watch, error);
}

uint64_t carom_bodies_outputs_pair(const struct carom_output *output)
{
    const size_t first = output->index < output->other ? output->index : output->other;
    const bool any = output->index == CAROM_OUTPUT_ANY;
    return any ? 0 : carom_event_pair(first + 1, output->index + output->other - first + 1);
}

static double peak_of(const struct carom_track *track, const struct carom_output *output)
{
    const struct carom_episode *top = carom_track_peak(track, carom_bodies_outputs_pair(output));
    return top != NULL ? top->peak_force : 0.0;
}

/* the book keeps the strongest of each contact, and those of rigid ones are told apart by impulses */
static double impulse_of(const struct carom_track *track, const struct carom_output *output)
{
    const uint64_t pair = carom_bodies_outputs_pair(output);
    double most = 0.0;
    for (size_t i = 0; i < track->memory->nepisodes; i++) {
        const struct carom_episode *episode = &track->memory->episode[i];
        most = pair == 0 || episode->contact == pair ? fmax(most, episode->impulse) : most;
    }
    return most;
}

double carom_bodies_outputs_read(const struct carom_track *track, const struct carom_output *output)
{
    const struct carom_memory *memory = track->memory;
    if (output->kind == CAROM_OUTPUT_PEAK_FORCE)
        return peak_of(track, output);
    if (output->kind == CAROM_OUTPUT_PEAK_IMPULSE)
        return impulse_of(track, output);
    const size_t first = output->kind == CAROM_OUTPUT_STRESS ? CAROM_OUTPUT_TENSOR * output->index : 0;
    const size_t column = carom_sink_memory_column(memory, carom_outputs_word(output), first + output->axis);
    return memory->nrows > 0 && column < memory->width ? memory->value[(memory->nrows - 1) * memory->width + column]
                                                       : nan("");
}

double carom_bodies_outputs_closed(const struct carom_sim *sim)
{
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    const struct carom_contacts *c = sim->view->contacts;
    double closed = 0.0;
    for (size_t j = 0; j < c->n; j++) {
        struct carom_meeting m;
        carom_meet(bodies, &c->key[j], sim->view->q, &m);
        closed += m.gap < 0.0;
    }
    return closed;
}
