/* The rates that are worked out in place are those of the laws, to the bit: random chains with and without walls,
 * springs and sleeping beads. */
#include "scheme/compliant/rates.h"

#include "chain.h"

static void compare(struct carom_random *random, const struct carom_law *law, size_t n, bool left, bool right)
{
    static struct chain chain;
    chain_uneven(&chain, random, law, n, left, right);
    struct carom_model *model = chain_model(&chain);
    struct carom_rates rates;
    CHECK_STATUS(carom_rates_open(&rates, model, NULL), CAROM_OK);
    CHECK(rates.fused);
    double *y = carom_memory_zeroed(rates.nall + n, sizeof(double));
    double *dy[2] = {carom_memory_zeroed(rates.nall + rates.nextra, sizeof(double)),
                     carom_memory_zeroed(rates.nall + rates.nextra, sizeof(double))};
    double *since = y + rates.nall;
    CHECK_OR_STOP(y && dy[0] && dy[1]);
    for (size_t i = 0; i < 2 * n; i++)
        y[i] = carom_random_uniform(random) - 0.5;
    for (size_t i = 0; i < n; i++) /* a stretch of sleepers in the longer chains */
        since[i] = n > 20 && i > n / 3 && i < n / 2 ? 0.0 : CAROM_WINDOW_AWAKE;
    carom_window_load(&rates.window, since);
    for (int fused = 0; fused < 2; fused++) {
        rates.fused = fused == 1;
        carom_rates_evaluate(&rates, 0.0, y, dy[fused]);
    }
    CHECK(memcmp(dy[0], dy[1], (rates.nall + rates.nextra) * sizeof(double)) == 0);
    for (int i = 0; i < 2; i++)
        carom_memory_free(dy[i]);
    carom_memory_free(y);
    carom_rates_close(&rates);
    carom_model_free(model);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t n = 1; n < 150; n = n < 12 ? n + 1 : n + 17)
        for (int walls = 0; walls < 4; walls++) {
            if (n == 1 && walls == 0)
                continue; /* no contact */
            compare(&random, &carom_law_hertz, n, walls & 1, walls & 2);
            compare(&random, &carom_law_kuwabara_kono, n, walls & 1, walls & 2);
        }
    return check_end();
}
