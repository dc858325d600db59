/* Each allocation of taking an impact out of a scene, solving it with forces heard and walking it twice fails once: the
 * answer is always a sentence about memory, and nothing is left behind. */
#include "study/follow/strike.h"
#include "base/memory.h"
#include "check.h"

static const char text[] = "units: none\ntheory: lzb\nbodies: [{chain: {count: 4, mass: 1, gap: [0.1, 0, 0]}}]\n"
                           "contacts: {law: rigid, e: 0.9, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
                           "run: {until: 3, impact: lzb-impulse, dP: 0.01}\n";

static enum carom_status attempt(struct carom_error *error)
{
    struct carom_strike strike = {0};
    struct carom_strike_discrepancy discrepancy;
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = carom_strike_open(&strike, scene, NULL, error);
    carom_scene_free(scene);
    if (status == CAROM_OK)
        status = carom_strike_own(&strike, 0.001, error);
    if (status == CAROM_OK)
        status = carom_strike_lzb(&strike, 1e-6, 0.001, error);
    if (status == CAROM_OK)
        status = carom_strike_compare(&strike, &strike.printed, &discrepancy, error);
    carom_strike_close(&strike);
    return status;
}

int main(void)
{
    unsigned long nth = 1;
    for (; nth < 100000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = attempt(&error);
        carom_memory_fail(0);
        if (status == CAROM_OK)
            break;
        CHECK(status == CAROM_E_MEMORY);
        CHECK_CONTAINS(error.text, "memory");
    }
    printf("%lu allocations\n", nth - 1);
    CHECK(nth > 50 && nth < 100000);
    return check_end();
}
