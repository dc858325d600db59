/* States: one block of doubles with names on its slices; copying, hashing, and a clock that keeps small steps. */
#include "carom/state.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "model/bodies/joints.h"
#include "model/bodies/list.h"
#include "model/ports.h"
#include "model/slices.h"
#include "model/solid/strike/solid_balls.h"

struct carom_state *carom_state_create(const struct carom_model *model, size_t nmemory)
{
    if (!model)
        return NULL;
    struct carom_state *s = carom_memory_zeroed(1, sizeof *s);
    if (!s)
        return NULL;
    s->nq = model->nq;
    s->nv = model->nv;
    s->nh = model->nh;
    s->nlost = model->damped ? model->nc : 0;
    s->nclipped = model->clipped ? model->nc : 0;
    const struct carom_bodies *bodies = carom_model_bodies(model);
    s->nforce = (model->offers & CAROM_COMPLIANT ? 0 : model->nc) + (bodies ? carom_joints_memory(bodies) : 0);
    s->nfriction = model->frictional ? model->nc : 0;
    s->nforce += model->frictional && carom_ports_spatial(model) ? 3 * model->nc : 0;
    size_t own;
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, &own);
    s->nforce += balls ? balls->njoints * carom_solid_balls_wide(balls) : 0;
    s->nbonds = balls ? carom_solid_balls_bonds(balls) : 0;
    s->bonds_q = balls ? model->member[own].q0 + carom_solid_balls_anchors_q(balls) : 0;
    s->nparts = model->nparts;
    s->nmemory = nmemory;
    s->n = s->nq + s->nv + s->nh + s->nlost + s->nclipped + s->nforce + 2 * s->nfriction + s->nbonds + 2 * s->nparts +
           nmemory;
    s->data = carom_memory_zeroed(s->n, sizeof(double));
    s->scratch = carom_memory_zeroed(model->energy_scratch, sizeof(double));
    s->contacts = bodies ? carom_list_create(bodies) : NULL;
    if (!s->data || !s->scratch || (bodies && !s->contacts)) {
        carom_state_free(s);
        return NULL;
    }
    s->q = s->data;
    s->v = s->q + s->nq;
    s->history = s->v + s->nv;
    s->lost = s->history + s->nh;
    s->clipped = s->lost + s->nlost;
    s->force = s->clipped + s->nclipped;
    s->friction = s->force + s->nforce;
    s->friction_loss = s->friction + s->nfriction;
    s->bonds = s->friction_loss + s->nfriction;
    s->spent = s->bonds + s->nbonds;
    s->work = s->spent + s->nparts;
    s->memory = s->work + s->nparts;
    return s;
}

void carom_state_free(struct carom_state *state)
{
    if (!state)
        return;
    carom_list_free(state->contacts);
    carom_memory_free_all(state->data, state->scratch, state->book, state);
}

void carom_state_view(struct carom_state *view, const struct carom_state *from)
{
    view->time = from->time;
    view->time_low = from->time_low;
    view->step = from->step;
    view->energy = from->energy;
    carom_threads_copy(view->threads, view->data, from->data, from->n - from->nmemory);
    if (from->contacts)
        carom_list_copy(view->contacts, from->contacts);
}

void carom_state_copy(struct carom_state *to, const struct carom_state *from)
{
    to->time = from->time;
    to->time_low = from->time_low;
    to->step = from->step;
    to->energy = from->energy;
    memcpy(to->data, from->data, from->n * sizeof(double));
    if (from->contacts)
        carom_list_copy(to->contacts, from->contacts);
}

void carom_state_swap(struct carom_state *a, struct carom_state *b)
{
    const struct carom_state hold = *a;
    *a = *b;
    *b = hold;
}

/* FNV-1a over 64-bit words, with a final mix */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

static uint64_t bits(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* contacts with something to remember, and what is retired: not how many others are on the list */
static uint64_t hash_contacts(uint64_t hash, const struct carom_contacts *c)
{
    for (size_t i = 0; i < 2 * CAROM_RETIRED_KINDS; i++)
        hash = mix(hash, bits(c->retired[i]));
    for (size_t j = 0; j < c->n; j++) {
        if (carom_list_is_empty(c, j))
            continue;
        hash = mix(mix(hash, (uint64_t)c->key[j].pairing << 32 | c->key[j].a),
                   (uint64_t)c->key[j].b << 32 | c->key[j].feature);
        for (size_t i = c->nfixed; i < c->ncolumns; i++)
            hash = mix(hash, bits(c->column[i][j]));
    }
    return hash;
}

uint64_t carom_state_hash(const struct carom_state *state)
{
    if (!state)
        return 0;
    uint64_t hash = 0xcbf29ce484222325u;
    hash = mix(hash, bits(state->time));
    hash = mix(hash, bits(state->time_low));
    hash = mix(hash, state->step);
    hash = mix(hash, bits(state->energy));
    struct carom_slice slice[CAROM_SLICES];
    carom_slices_of(state, slice);
    for (size_t k = 0; k < CAROM_SLICES; k++)
        for (size_t i = 0; i < slice[k].n; i++)
            hash = mix(hash, bits(slice[k].at[i]));
    return state->contacts ? hash_contacts(hash, state->contacts) : hash;
}

void carom_state_tick(struct carom_state *state, double h)
{
    const double add = state->time_low + h;
    const double sum = state->time + add;
    state->time_low = add - (sum - state->time);
    state->time = sum;
}

double carom_state_until(const struct carom_state *state, double t)
{
    return (t - state->time) - state->time_low;
}

void carom_state_clock(struct carom_state *state, double t)
{
    state->time = t;
    state->time_low = 0.0;
}
