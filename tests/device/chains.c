/* Rows of beads on a device under verlet give the bits of the processor: states, samples, losses, counts, whether a
 * contact opened or closed and, where a run breaks down, the sentence. What devices do not take is refused in words. */
#include "device_runs.h"

#define SCENE(bodies, contacts, start, run)                                                                        \
    "{units: none, bodies: [" bodies "], contacts: {" contacts "}, start: [" start "], run: {scheme: verlet, " run \
    ", device: %s}, record: {every: 0.13, probes: [u, v, contact_force, dissipated, residual, kinetic, stored]}}"

#define CHAIN "{chain: {count: 40, mass: 1, radius: 0.5}}"
#define WALLS "{wall: {side: left}}, {wall: {side: right}}"
#define HIT "{body: 1, velocity: 0.5}"

static const char *const cases[] = {
    SCENE(CHAIN, "law: hertz, k: 100", HIT, "until: 5, step: 0.01"),
    /* walls, another step at the end, contacts that open and close */
    SCENE(CHAIN ", " WALLS, "law: hertz, k: 100", HIT ", {body: 40, velocity: -0.3}", "until: 9.003, step: 0.01"),
    /* beads of their own */
    SCENE("{chain: {count: 4, mass: [1, 2, 1.5, 1], radius: 0.5}}, {wall: {side: right}}",
          "law: power, k: 100, p: 1.25", HIT, "until: 5, step: 0.01"),
    SCENE("{wall: {side: left}}, {chain: {count: 1, mass: 1, radius: 0.5}}", "law: hertz, k: 100",
          "{body: 1, velocity: -0.5}", "until: 3, step: 0.01"),
    /* damped */
    SCENE(CHAIN ", " WALLS, "law: kuwabara-kono, k: 100, gamma: 0.01", HIT, "until: 9.003, step: 0.01"),
    SCENE(CHAIN, "law: linear-dashpot, k: 100, gamma: 0.01", HIT, "until: 5, step: 0.01"),
    SCENE(CHAIN, "law: hunt-crossley, k: 100, gamma: 0.1, p: 1.5", HIT, "until: 5, step: 0.01"),
    SCENE(CHAIN ", {wall: {side: right}}", "law: power, k: 100, gamma: 0.01, p: 1.5, b: 1.25", HIT,
          "until: 5, step: 0.01"),
};
enum { CASES = sizeof cases / sizeof *cases };

/* a step far too long, with forces beyond all numbers */
static void break_down(const char *device)
{
    compare_failure(SCENE(CHAIN, "law: power, k: 1e300, p: 2.5", "{body: 1, velocity: 1e9}", "until: 500, step: 1"),
                    device, "broke down");
}

static void refuse(void)
{
    check_refused(
        "{units: none, bodies: [chain: {count: 2, mass: 1, radius: 1}], contacts: {law: power, k: 1, p: 1.7}, "
        "run: {until: 1, step: 0.1, scheme: verlet, device: 1}}",
        "devices take contacts whose exponents are 1, 5/4, 3/2, 2 or 5/2 under verlet");
    check_refused("{units: none, bodies: [chain: {count: 2, mass: 1, radius: 1}], contacts: {law: kuwabara-kono, k: 1, "
                  "gamma: 1, contact_end: force}, run: {until: 1, step: 0.1, scheme: verlet, device: 1}}",
                  "devices take damped contacts with contact_end: gap");
    check_refused(
        "{units: none, bodies: [chain: {count: 2, mass: 1, radius: 1}], loads: [{body: 1, force: 1}], contacts: "
        "{law: hertz, k: 1}, run: {until: 1, step: 0.1, scheme: verlet, device: 1}}",
        "devices take rows without loads");
}

int main(void)
{
    if (carom_device_list(NULL, 0) > 0)
        refuse();
    return compare_all(cases, CASES, break_down);
}
