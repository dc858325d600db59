/* Forces of any range of contacts are those of all of them, and nothing beside the range is written: over groups of
 * several laws and blocks, from views and from overlaps, of damped contacts with and without an end by force. */
#include "model/contact_force.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"

enum { N = 200, GROUPS = 3 };

static const size_t border[GROUPS + 1] = {0, 3, 90, N};

static struct carom_model *model_of(void)
{
    static const struct carom_law *const law[GROUPS] = {&carom_law_hertz, &carom_law_linear_dashpot,
                                                        &carom_law_kuwabara_kono};
    static double mass[N + 1], gap[N], column[2][N];
    static int32_t pair[N][2];
    struct carom_model *model = carom_model_create();
    for (size_t i = 0; i <= N; i++)
        mass[i] = 1.0;
    for (size_t j = 0; j < N; j++) {
        pair[j][0] = (int32_t)j;
        pair[j][1] = (int32_t)j + 1;
        column[0][j] = 2.0 + (double)(j % 7);
        column[1][j] = 0.1 * (double)(1 + j % 3);
    }
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, carom_beads_create(N + 1, mass, NULL, NULL, NULL), NULL),
                 CAROM_OK);
    for (size_t g = 0; g < GROUPS; g++) {
        const double *const param[] = {column[0] + border[g], column[1] + border[g]};
        CHECK_STATUS(carom_model_join(model, law[g], g == 1 ? CAROM_END_FORCE : CAROM_END_GAP,
                                      border[g + 1] - border[g], (const int32_t(*)[2])pair + border[g], gap + border[g],
                                      param, NULL),
                     CAROM_OK);
    }
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

/* by the laws' textbook forms */
static double expected(size_t j, double d, double rate)
{
    const double k = 2.0 + (double)(j % 7), gamma = 0.1 * (double)(1 + j % 3);
    if (!(d > 0.0))
        return 0.0;
    return j < border[1]   ? k * d * sqrt(d)
           : j < border[2] ? fmax(0.0, k * (d + gamma * rate))
                           : k * (d * sqrt(d) + 1.5 * gamma * sqrt(d) * rate);
}

int main(void)
{
    static const size_t range[][2] = {{0, N},   {0, 1},    {2, 4},    {3, 90},  {5, 80},  {10, 11},
                                      {89, 91}, {50, 171}, {90, 155}, {170, N}, {199, N}, {7, 7}};
    struct carom_model *model = model_of();
    struct carom_state *state = carom_state_create(model, 0);
    struct carom_random random;
    CHECK_OR_STOP(state != NULL);
    carom_random_start(&random, 3);
    for (size_t i = 0; i <= N; i++) {
        state->q[i] = -0.01 * (double)i + 0.02 * carom_random_uniform(&random);
        state->v[i] = 0.1 * carom_random_normal(&random);
    }
    size_t cut = 0, open = 0;
    for (size_t r = 0; r < sizeof range / sizeof *range; r++) {
        const size_t first = range[r][0], last = range[r][1], n = last - first;
        double deform[N + 2], rate[N + 2], force[N + 2], pressed[N + 2];
        for (size_t i = 0; i < N + 2; i++)
            deform[i] = rate[i] = force[i] = pressed[i] = -7.0;
        carom_contact_force_read(model, state, first, last, deform + 1, rate + 1, force + 1);
        carom_contact_force_press(model, first, last, deform + 1, rate + 1, state->history, pressed + 1);
        for (size_t i = 0; i < n; i++) {
            const size_t j = first + i;
            const double d = state->q[j] - state->q[j + 1], u = state->v[j] - state->v[j + 1];
            CHECK_NEAR(force[1 + i], expected(j, d, u), 1e-14);
            CHECK_NEAR(pressed[1 + i], expected(j, d, u), 1e-14);
            CHECK_NEAR(carom_contact_force_at(model, j, state->history, d, u), expected(j, d, u), 1e-14);
            if (d > 0.0)
                CHECK(deform[1 + i] == d && rate[1 + i] == u);
            cut += d > 0.0 && force[1 + i] == 0.0 ? 1 : 0;
            open += d > 0.0 ? 0 : 1;
        }
        for (size_t i = 0; i < N + 2; i++)
            if (i == 0 || i > n)
                CHECK(deform[i] == -7.0 && rate[i] == -7.0 && force[i] == -7.0 && pressed[i] == -7.0);
        carom_contact_force_read(model, state, first, last, NULL, NULL, force + 1);
        for (size_t i = 0; i < n; i++)
            CHECK(force[1 + i] == pressed[1 + i]);
    }
    CHECK(cut > 0 && open > 0);
    carom_state_free(state);
    carom_model_free(model);
    return check_end();
}
