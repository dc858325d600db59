/* Each allocation of a study of rigid contacts fails once, in all norms and with all references: the answer is always a
 * sentence about memory, and nothing is left behind. The room of contact problems likewise. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "failing.h"
#include "solve/contact/lcp.h"
#include "study/converge/converge.h"

#define HEAD "units: none\ntheory: nonsmooth\ncontacts: {e: 0.7}\n"
static const char *const scenes[] = {
    HEAD "bodies: [mechanism: {kind: ball}]\nstart: [{body: 1, displacement: 1}]\nrun: {until: 1}\n",
    HEAD "bodies: [chain: {mass: [1, 2], gap: 0.1}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 0.5}\n"};

struct attempt {
    const char *text;
    enum carom_norm norm;
};

static enum carom_status converge(const void *own, struct carom_error *error)
{
    const struct attempt *attempt = own;
    const double step[] = {0.13, 0.07};
    struct carom_converge_row row[2];
    struct carom_scene *scene = carom_scene_parse("test", attempt->text, strlen(attempt->text), NULL, 0, error);
    if (scene == NULL) {
        CHECK_CONTAINS(error->text, "memory");
        return error->status;
    }
    const struct carom_converge_plan plan = {.scene = scene,
                                             .name = "test",
                                             .scheme = &carom_scheme_moreau_jean,
                                             .knob = "step",
                                             .count = 2,
                                             .value = step,
                                             .norm = attempt->norm};
    const enum carom_status status = carom_converge_run(&plan, row, error);
    if (status != CAROM_OK)
        CHECK_CONTAINS(error->text, "memory");
    carom_scene_free(scene);
    return status;
}

static void test_room(void)
{
    struct carom_lcp_room room = {0};
    CHECK_STATUS(carom_lcp_open(&room, 3, false, NULL), CAROM_OK);
    for (unsigned long nth = 1; nth <= 2; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        CHECK_STATUS(carom_lcp_open(&room, 30, true, &error), CAROM_E_MEMORY);
        carom_memory_fail(0);
        CHECK_CONTAINS(error.text, "out of memory for 30 contacts");
        CHECK(room.n == 3 && !room.dense); /* what was there is still there */
    }
    CHECK_STATUS(carom_lcp_open(&room, 30, true, NULL), CAROM_OK);
    CHECK(room.n == 30 && room.dense);
    carom_lcp_close(&room);
}

int main(void)
{
    test_room();
    for (int k = 0; k < 2; k++)
        for (int norm = CAROM_NORM_L1 + (check_takes_all() ? 0 : k); norm <= CAROM_NORM_HAUSDORFF;
             norm += check_take(2, 1))
            CHECK(fail_each(converge, (&(struct attempt){scenes[k], (enum carom_norm)norm}), true) >= 20);
    return check_end();
}
