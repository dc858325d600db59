/* Steps of the device, see verlet_board.h: kernels are queued many steps at a time; those after a stop do nothing. */
#include <string.h>

#include "scheme/compliant/packing/verlet_board.h"

static void pass(struct carom_verlet_board *d, const char *name, size_t places, const size_t *memory, size_t count)
{
    struct carom_device_argument argument[24] = {{.value = &d->stride, .size = sizeof d->stride}};
    const size_t size[2] = {places, 1};
    for (size_t i = 0; i < count; i++)
        argument[1 + i] = (struct carom_device_argument){.memory = d->memory[memory[i]]};
    carom_device_run(d->program, name, size, argument, 1 + count);
}

#define PASS(d, name, places, ...) \
    pass(d, name, places, (const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* lets bodies go so far before the device looks how far they have gone */
static void allow(struct carom_verlet_board *d, double spare)
{
    const double pace[2] = {spare, 0.0};
    carom_device_write(d->memory[CAROM_BOARD_PACE], pace, sizeof pace);
}

void carom_verlet_board_steps_begin(struct carom_verlet_board *d, double spare)
{
    PASS(d, "hush", d->stride.nc, CAROM_BOARD_RATES, CAROM_BOARD_PUSH, CAROM_BOARD_TORQUE, CAROM_BOARD_FRICTION_LOSS,
         CAROM_BOARD_RESISTED);
    carom_device_copy(d->memory[CAROM_BOARD_U0 + d->now], d->memory[CAROM_BOARD_START],
                      d->stride.n * 4 * sizeof(double));
    d->spare = spare;
    allow(d, spare);
}

static void queue_step(struct carom_verlet_board *d, size_t from)
{
    const size_t n = d->stride.n, nc = d->stride.nc, to = 1 - from;
    PASS(d, "press", nc, CAROM_BOARD_ACCOUNT, CAROM_BOARD_PAIRS, CAROM_BOARD_MADE, CAROM_BOARD_RUBBING,
         CAROM_BOARD_WEIGHTS, CAROM_BOARD_U0 + from, CAROM_BOARD_V0 + from, CAROM_BOARD_W0 + from, CAROM_BOARD_NOW,
         CAROM_BOARD_DEFORMS, CAROM_BOARD_RATES, CAROM_BOARD_PUSH, CAROM_BOARD_TORQUE, CAROM_BOARD_FRICTION_LOSS,
         CAROM_BOARD_RESISTED, CAROM_BOARD_LIVE, CAROM_BOARD_KEPT0 + from);
    PASS(d, "drift", n, CAROM_BOARD_ACCOUNT, CAROM_BOARD_WEIGHTS, CAROM_BOARD_FIRST, CAROM_BOARD_ENTRIES,
         CAROM_BOARD_PUSH, CAROM_BOARD_TORQUE, CAROM_BOARD_U0 + from, CAROM_BOARD_V0 + from, CAROM_BOARD_W0 + from,
         CAROM_BOARD_TURN0 + from, CAROM_BOARD_U0 + to, CAROM_BOARD_V0 + to, CAROM_BOARD_W0 + to,
         CAROM_BOARD_TURN0 + to);
    PASS(d, "reckon", 1, CAROM_BOARD_ACCOUNT, CAROM_BOARD_PACE);
    PASS(d, "kick", nc, CAROM_BOARD_ACCOUNT, CAROM_BOARD_PAIRS, CAROM_BOARD_CENTRES, CAROM_BOARD_RESTS,
         CAROM_BOARD_MADE, CAROM_BOARD_RUBBING, CAROM_BOARD_WEIGHTS, CAROM_BOARD_U0 + from, CAROM_BOARD_U0 + to,
         CAROM_BOARD_V0 + to, CAROM_BOARD_W0 + to, CAROM_BOARD_NOW, CAROM_BOARD_DEFORMS, CAROM_BOARD_RATES,
         CAROM_BOARD_PUSH, CAROM_BOARD_TORQUE, CAROM_BOARD_FRICTION_LOSS, CAROM_BOARD_RESISTED, CAROM_BOARD_LIVE,
         CAROM_BOARD_KEPT0 + from, CAROM_BOARD_KEPT0 + to, CAROM_BOARD_LOG, CAROM_BOARD_LOGGED_LOSSES);
    PASS(d, "finish", n, CAROM_BOARD_ACCOUNT, CAROM_BOARD_WEIGHTS, CAROM_BOARD_FIRST, CAROM_BOARD_ENTRIES,
         CAROM_BOARD_PUSH, CAROM_BOARD_TORQUE, CAROM_BOARD_V0 + to, CAROM_BOARD_W0 + to);
    PASS(d, "conclude", 1, CAROM_BOARD_ACCOUNT);
}

double carom_verlet_board_steps_pace(struct carom_verlet_board *d)
{
    double pace[2] = {0.0, HUGE_VAL};
    carom_device_read(d->memory[CAROM_BOARD_PACE], pace, sizeof pace);
    return pace[1];
}

/* The device has added up the largest ways of all steps: how far have bodies come indeed? Returns how many steps it may
 * take before the next look; 0: it has stopped for another reason, or the list must be made anew. */
static size_t look(struct carom_verlet_board *d, size_t page, int32_t marks[CAROM_BOARD_MARKS])
{
    float square;
    if (marks[CAROM_BOARD_WRONG] || marks[CAROM_BOARD_FAR] || (size_t)marks[CAROM_BOARD_LOGGED] > d->stride.room / 2)
        return 0;
    PASS(d, "look", d->stride.n, CAROM_BOARD_ACCOUNT, CAROM_BOARD_START, CAROM_BOARD_U0 + page);
    carom_device_read(d->memory[CAROM_BOARD_ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    memcpy(&square, &marks[CAROM_BOARD_SPEED], sizeof square);
    const double pace = carom_verlet_board_steps_pace(d), spare = d->spare - sqrt(fmax((double)square, 1.2e-38));
    if (!(spare > 2.0 * pace))
        return 0;
    marks[CAROM_BOARD_HALT] = marks[CAROM_BOARD_SPEED] = 0;
    carom_device_write(d->memory[CAROM_BOARD_ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    allow(d, spare);
    return (size_t)fmin(spare / pace, 1e9);
}

void carom_verlet_board_steps_run(struct carom_verlet_board *d, double h, size_t count,
                                  int32_t marks[CAROM_BOARD_MARKS])
{
    enum { AT_ONCE = 32 };
    const size_t start = (size_t)d->now;
    memset(marks, 0, CAROM_BOARD_MARKS * sizeof *marks);
    carom_device_write(d->memory[CAROM_BOARD_ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    d->stride.h = h;
    for (size_t queued = 0, some = AT_ONCE; queued < count && some > 0;) {
        for (size_t k = 0; k < AT_ONCE && k < some && queued < count; k++, queued++)
            queue_step(d, (start + queued) % 2);
        carom_device_read(d->memory[CAROM_BOARD_ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
        d->now = (int)((start + (size_t)marks[CAROM_BOARD_DONE]) % 2);
        some = AT_ONCE;
        if (marks[CAROM_BOARD_HALT]) {
            some = look(d, (size_t)d->now, marks);
            queued = (size_t)marks[CAROM_BOARD_DONE];
        }
    }
}

/* what a device that has failed tells is anything */
static size_t step_of(const uint32_t at[2], size_t steps)
{
    return at[0] < steps ? at[0] : steps - 1;
}

struct carom_verlet_ended *carom_verlet_board_steps_log(struct carom_verlet_board *d, size_t count, size_t steps,
                                                        const size_t **first, struct carom_error *error)
{
    const size_t size = sizeof(struct carom_verlet_ended) + 2 * sizeof(uint32_t) + d->losses * sizeof(double);
    size_t *end = carom_verlet_board_scratch(d, (steps + 2) * sizeof *end + (count + 1) * size, error);
    if (!end)
        return NULL;
    struct carom_verlet_ended *ended = (struct carom_verlet_ended *)(end + steps + 2);
    double *lost = (double *)(ended + count);
    uint32_t(*at)[2] = (uint32_t(*)[2])(lost + d->losses * count);
    carom_device_read(d->memory[CAROM_BOARD_LOG], at, count * sizeof *at);
    carom_device_read(d->memory[CAROM_BOARD_LOGGED_LOSSES], lost, d->losses * count * sizeof *lost);
    memset(end, 0, (steps + 2) * sizeof *end);
    for (size_t i = 0; i < count; i++)
        end[2 + step_of(at[i], steps)]++;
    for (size_t k = 2; k < steps + 2; k++)
        end[k] += end[k - 1];
    for (size_t i = 0; i < count; i++) {
        struct carom_verlet_ended *to = &ended[end[1 + step_of(at[i], steps)]++];
        *to = (struct carom_verlet_ended){at[i][0], at[i][1], 0, {0.0}};
        memcpy(to->lost, lost + d->losses * i, d->losses * sizeof *lost);
    }
    *first = end;
    return ended;
}
