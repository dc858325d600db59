/* States: every number counts in the hash and is copied, a view lacks only what the scheme remembers, and the clock
 * loses no small step. */
#include "carom/state.h"

#include <assert.h>

#include "base/memory.h"
#include "model/bodies/list.h"
#include "model/slices.h"
#include "runs.h"

static const char row[] = "units: none\ntheory: nonsmooth\n"
                          "bodies: [wall: {side: left, gap: 0.1}, chain: {count: 4, gap: 0.1, damping: 0.1}]\n"
                          "contacts: {e: 0.5}\nstart: [{body: 4, velocity: -1}]\nrun: {until: 1}\n";
static const char discs[] =
    "units: none\ngravity: [0, -1]\nbodies:\n  - disc: {at: [0, 1], radius: 1, mass: 1}\n"
    "  - disc: {at: [2, 1], radius: 1, mass: 1, velocity: [-1, 0]}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\n"
    "contacts: {law: kuwabara-kono, k: 100, gamma: 0.1, friction: {law: mindlin, mu: 0.3, k_t: 50}}\n"
    "run: {until: 0.5, scheme: verlet, step: 0.01}\n";

/* Is the hash another one while this number is? */
static void check_counts(struct carom_state *state, double *number)
{
    const uint64_t before = carom_state_hash(state);
    const double kept = *number;
    *number = kept + 0.5;
    CHECK(carom_state_hash(state) != before);
    *number = kept;
    CHECK(carom_state_hash(state) == before);
}

static void test_hash(const char *scene)
{
    struct carom_sim *sim = runs_sim(scene);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    struct carom_state *state = sim->state;
    for (size_t i = 0; i < state->n; i++)
        check_counts(state, &state->data[i]);
    check_counts(state, &state->time);
    check_counts(state, &state->time_low);
    check_counts(state, &state->energy);
    const uint64_t before = carom_state_hash(state);
    state->step++;
    CHECK(carom_state_hash(state) != before);
    struct carom_contacts *c = state->contacts;
    for (size_t i = 0; c != NULL && i < 2 * CAROM_RETIRED_KINDS; i++)
        check_counts(state, &c->retired[i]);
    for (size_t j = 0; c != NULL && j < c->n; j++)
        for (size_t i = c->nfixed; i < c->ncolumns && !carom_list_is_empty(c, j); i++)
            if (c->own[i])
                check_counts(state, &c->column[i][j]);
    CHECK(c == NULL || c->n > 0);
    carom_sim_free(sim);
}

/* Where numbers stand in memory is no business of the hash, which has them in the order of slices.h. */
static void test_moved(void)
{
    struct carom_sim *sim = runs_sim(row);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    struct carom_state *state = sim->state, moved = *state;
    struct carom_slice slice[CAROM_SLICES];
    const uint64_t before = carom_state_hash(state);
    double *const elsewhere = carom_memory_zeroed(state->n + 1, sizeof *elsewhere);
    carom_slices_of(state, slice);
    double *none;
    double **const place[] = {&none,        &moved.bonds,   &moved.q,     &moved.v,        &moved.history,
                              &moved.lost,  &moved.clipped, &moved.force, &moved.friction, &moved.friction_loss,
                              &moved.spent, &moved.work,    &moved.memory};
    static_assert(sizeof place / sizeof *place == CAROM_SLICES, "all slices");
    size_t end = state->n, n = 0;
    for (size_t i = 0; i < CAROM_SLICES; i++) { /* the other way round */
        CHECK(slice[i].n == 0 || slice[i].at == state->data + n);
        n += slice[i].n;
        end -= slice[i].n;
        *place[i] = elsewhere + end;
        memcpy(*place[i], slice[i].at, slice[i].n * sizeof(double));
    }
    CHECK(n == state->n && end == 0);
    moved.data = NULL;
    CHECK(carom_state_hash(&moved) == before);
    for (size_t i = 0; i < n; i++)
        check_counts(&moved, &elsewhere[i]);
    carom_memory_free(elsewhere);
    carom_sim_free(sim);
}

static void test_copies(void)
{
    struct carom_sim *sim = runs_sim(row);
    const size_t memory = 3;
    struct carom_state *a = carom_state_create(sim->model, memory), *b = carom_state_create(sim->model, memory);
    CHECK_OR_STOP(a != NULL && b != NULL);
    CHECK(a->n ==
          a->nq + a->nv + a->nh + a->nlost + a->nclipped + a->nforce + 2 * a->nfriction + 2 * a->nparts + memory);
    for (size_t i = 0; i < a->n; i++)
        a->data[i] = 1.0 + (double)i;
    a->time = 0.25;
    a->time_low = 1e-20;
    a->step = 7;
    a->energy = 3.5;
    carom_state_view(b, a);
    CHECK(b->time == 0.25 && b->time_low == 1e-20 && b->step == 7 && b->energy == 3.5);
    CHECK(memcmp(a->data, b->data, (a->n - memory) * sizeof *a->data) == 0);
    for (size_t i = 0; i < memory; i++)
        CHECK(b->memory[i] == 0.0);
    CHECK(carom_state_hash(a) != carom_state_hash(b));
    carom_state_copy(b, a);
    CHECK(memcmp(a->data, b->data, a->n * sizeof *a->data) == 0 && carom_state_hash(a) == carom_state_hash(b));
    const double *first = a->data;
    b->time = 9.0;
    carom_state_swap(a, b);
    CHECK(b->data == first && a->data != first && a->time == 9.0 && b->time == 0.25 && b->q == first);
    carom_state_free(a);
    carom_state_free(b);
    carom_sim_free(sim);
}

/* a million steps of a tenth: the sum of plain numbers is off by 1e-6, this one by what a tenth itself is off */
static void test_clock(void)
{
    struct carom_sim *sim = runs_sim(row);
    struct carom_state *state = sim->state;
    carom_state_clock(state, 0.0);
    for (int i = 0; i < 1000000; i++)
        carom_state_tick(state, 0.1);
    CHECK_NEAR(state->time, 1e5, 2e-11);
    CHECK_NEAR(carom_state_until(state, 1e5), -1e6 * 0x1.999999999999ap-4 + 1e5, 1e-11);
    carom_state_clock(state, 1.0);
    carom_state_tick(state, 1e-17);
    CHECK(state->time == 1.0 && state->time_low == 1e-17 && carom_state_until(state, 1.0) == -1e-17);
    CHECK(carom_state_until(state, 1.5) == 0.5 - 1e-17);
    carom_state_clock(state, 2.0);
    CHECK(state->time == 2.0 && state->time_low == 0.0);
    carom_sim_free(sim);
}

int main(void)
{
    test_hash(row);
    test_hash(discs);
    test_moved();
    test_copies();
    test_clock();
    return check_end();
}
