/* Each allocation of reading a scene, building a sim and running it fails once: the answer is always the status "out of
 * memory" with a sentence, never a crash; under AddressSanitizer also never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "failing.h"

static const char scene_text[] = "title: five beads\n"
                                 "bodies:\n"
                                 "  - chain: {count: 5, radius: 5 mm, material: steel}\n"
                                 "  - wall: {side: right, material: steel, gap: 1 um}\n"
                                 "contacts: {law: kuwabara-kono, gamma: 1 us, contact_end: force}\n"
                                 "start: [{body: 1, velocity: 1}]\n"
                                 "run: {until: 100 us, tol: 1e-5}\n"
                                 "record: {every: 10 us, times: [1 us, 7 us]}\n";

static enum carom_status whole(const void *scheme, struct carom_error *error)
{
    const char *const set[] = {scheme};
    return fail_run(carom_scene_parse("test", scene_text, sizeof scene_text - 1, set, 1, error), error);
}

int main(void)
{
    CHECK(fail_each(whole, "run={until: 100 us, tol: 1e-5}", true) >= 50);
    CHECK(fail_each(whole, "run={until: 100 us, scheme: verlet, threads: 2}", true) >= 50);
    return check_end();
}
