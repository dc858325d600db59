/* Steps of dp5 in fused loops are those of the general ones: motion and slopes to the bit, losses to rounding; random
 * chains with and without walls, springs, damping and sleeping beads. */
#include "scheme/compliant/dp5_fused.h"

#include "chain.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

struct move {
    double *y, *y1;
    struct carom_dormand_prince step;
};

static struct move move_open(const struct carom_rates *r)
{
    struct move t = {.y = carom_memory_zeroed(r->nall, sizeof(double)),
                     .y1 = carom_memory_zeroed(r->nall, sizeof(double)),
                     .step = {.h = 0.1}};
    t.step.y0 = t.y;
    t.step.y1 = t.y1;
    for (size_t s = 0; s < STAGES; s++)
        t.step.k[s] = carom_memory_zeroed(r->nall + r->nextra + carom_dp5_fused_more(r), sizeof(double));
    return t;
}

static void move_close(struct move *t)
{
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(t->step.k[s]);
    carom_memory_free(t->y);
    carom_memory_free(t->y1);
}

static void step_general(struct carom_rates *r, struct move *t, struct carom_losses *start)
{
    r->fused = false;
    memcpy(t->y1, t->y, r->nall * sizeof(double)); /* sleepers stay where they are */
    carom_rates_evaluate(r, 0.0, t->y, t->step.k[0]);
    carom_losses_keep(start, r);
    for (size_t s = 1; s < STAGES; s++) {
        carom_dormand_prince_stage(&t->step, s, 0, s + 1 < STAGES ? r->nstate : r->nall, t->y1);
        carom_rates_evaluate(r, 0.0, t->y1, t->step.k[s]);
    }
}

/* all contacts listed, as if they all touched */
static void step_fused(struct carom_rates *r, struct move *t, struct carom_losses *start)
{
    static size_t list[CHAIN_BEADS];
    size_t count = 0;
    for (size_t k = 0; k < r->window.count; k++)
        for (size_t j = r->window.span[k].inner; j < r->window.span[k].outer; j++)
            list[count++] = j;
    memcpy(t->y1, t->y, r->nall * sizeof(double));
    carom_dp5_fused_evaluate(r, t->y, t->step.k[0]);
    carom_losses_keep(start, r);
    carom_dp5_fused_stages(r, &t->step, t->y1);
    carom_dp5_fused_contacts(r, &t->step, start, list, count);
    carom_dp5_fused_lose(r, &t->step, t->y1);
    for (size_t s = 0; s < STAGES; s++)
        carom_dp5_fused_spread(r, t->step.k[s]);
}

/* what the two left at the ends of the step: overlaps, rates, and impulses against the general sum */
static void compare_contacts(const struct carom_rates *a, const struct carom_rates *b, const struct carom_losses *start,
                             const struct move *general)
{
    for (size_t k = 0; k < a->window.count; k++)
        for (size_t j = a->window.span[k].inner; j < a->window.span[k].outer; j++) {
            CHECK(a->deform[j] == b->deform[j] && start[0].deform[j] == start[1].deform[j]);
            if (a->nextra == 0)
                continue;
            CHECK(a->rate[j] == b->rate[j] && a->viscous[j] == b->viscous[j]);
            CHECK(start[0].rate[j] == start[1].rate[j] && start[0].viscous[j] == start[1].viscous[j]);
            CHECK_NEAR(b->drag[j], carom_dormand_prince_rise(&general->step, a->nall + j), 1e-14);
        }
}

static void compare(const struct carom_model *model, struct carom_random *random, size_t n)
{
    struct carom_rates rates[2];
    CHECK_STATUS(carom_rates_open(&rates[0], model, NULL), CAROM_OK);
    CHECK_STATUS(carom_rates_open(&rates[1], model, NULL), CAROM_OK);
    CHECK(carom_dp5_fused_fits(&rates[0]));
    struct move move[2] = {move_open(&rates[0]), move_open(&rates[1])};
    struct carom_losses start[2];
    double *since = carom_memory_zeroed(n, sizeof *since);
    CHECK_OR_STOP(since && carom_losses_open(&start[0], model->nc) && carom_losses_open(&start[1], model->nc));
    start[0].small = start[1].small = 0.0;
    for (size_t i = 0; i < 2 * n; i++)
        move[0].y[i] = move[1].y[i] = carom_random_uniform(random) - 0.5;
    for (size_t i = 0; i < n; i++) /* a stretch of sleepers in the longer chains */
        since[i] = n > 20 && i > n / 3 && i < n / 2 ? 0.0 : CAROM_WINDOW_AWAKE;
    for (int i = 0; i < 2; i++)
        carom_window_load(&rates[i].window, since);
    step_general(&rates[0], &move[0], &start[0]);
    step_fused(&rates[1], &move[1], &start[1]);
    CHECK(memcmp(move[0].y1, move[1].y1, 2 * n * sizeof(double)) == 0);
    for (size_t i = 2 * n; i < rates[0].nall; i++)
        CHECK_NEAR(move[1].y1[i], move[0].y1[i], 1e-14);
    for (size_t s = 0; s < STAGES; s++)
        for (size_t i = 0; i < rates[0].nall + rates[0].nextra; i++)
            CHECK(move[0].step.k[s][i] == move[1].step.k[s][i]); /* a slope of 0 may have another sign */
    compare_contacts(&rates[0], &rates[1], start, &move[0]);
    carom_memory_free(since);
    for (int i = 0; i < 2; i++) {
        move_close(&move[i]);
        carom_losses_close(&start[i]);
        carom_rates_close(&rates[i]);
    }
}

static void draw(struct carom_random *random, const struct carom_law *law, size_t n, bool left, bool right)
{
    static struct chain chain;
    chain_uneven(&chain, random, law, n, left, right);
    struct carom_model *model = chain_model(&chain);
    compare(model, random, n);
    carom_model_free(model);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t n = 1; n < 150; n = n < 40 ? n + 1 : n + 17)
        for (int walls = 0; walls < 4; walls++) {
            if (n == 1 && walls == 0)
                continue; /* no contact */
            draw(&random, &carom_law_hertz, n, walls & 1, walls & 2);
            draw(&random, &carom_law_kuwabara_kono, n, walls & 1, walls & 2);
        }
    return check_end();
}
