/* The book of impacts where bodies and walls are driven along straight lines: at a break of the line their rates jump,
 * and with them the forces of dampers. In closed form where both sides of a contact are led; else discs on planes and
 * rows against each other, which share no list of contacts. */
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

static const char led[] = "units: none\n"
                          "bodies:\n"
                          "  - bead: {mass: 1}\n"
                          "  - bead: {mass: 1, gap_before: 0.3}\n"
                          "  - wall: {side: left}\n"
                          "contacts: {law: linear-dashpot, k: 10, gamma: 0.5}\n"
                          "loads:\n"
                          "  - body: 1\n"
                          "    displacement: {points: [[0, 0.02], [0.5, 0.01], [1.5, -0.1], [2.5, 0.05]]}\n"
                          "start: [{body: 2, velocity: -0.05}]\n"
                          "record: {every: 1}\n";

#define WALL "[0, -0.02], [0.5, -0.01], [1.5, 0.5], [2.5, -0.05], [2.7, 0.1]"
static const char row[] = "units: none\n"
                          "gravity: -0.3\n"
                          "bodies:\n"
                          "  - bead: {mass: 1}\n"
                          "  - wall: {side: left}\n"
                          "contacts: {law: linear-dashpot, k: 10, gamma: 0.5}\n"
                          "loads: [{wall: left, displacement: {points: [" WALL "]}}]\n"
                          "record: {every: 1}\n";
static const char disc[] = "units: none\n"
                           "gravity: [0, -0.3]\n"
                           "bodies:\n"
                           "  - disc: {at: [0, 1], radius: 1, mass: 1}\n"
                           "  - plane: {at: [0, 0], normal: [0, 1],\n"
                           "            drive: {displacement: [0, 1], signal: {points: [" WALL "]}}}\n"
                           "contacts: {law: linear-dashpot, k: 10, gamma: 0.5}\n"
                           "record: {every: 1}\n";

static struct carom_sim *ran(const char *text, const char *run, struct carom_memory **memory)
{
    char whole[3000];
    snprintf(whole, sizeof whole, "%srun: {%s}\n", text, run);
    struct carom_sim *sim = runs_recorded(whole, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    return sim;
}

/* a bead that is led into a wall and out of it again, faster */
static void check_led(const char *run)
{
    const double closed = 0.5 + 0.01 / 0.11, opened = 1.5 + 0.1 / 0.15;
    struct carom_memory *memory;
    struct carom_sim *sim = ran(led, run, &memory);
    CHECK_OR_STOP(memory->nepisodes == 1);
    const struct carom_episode *e = memory->episode;
    CHECK_NEAR(e->closed, closed, 1e-12);
    CHECK_NEAR(e->opened, opened, 1e-12);
    CHECK_NEAR(e->speed, 0.11, 1e-12);
    CHECK_NEAR(e->overlap, 0.1, 1e-12);
    CHECK_NEAR(e->peak_force, 10.0 * (0.1 + 0.5 * 0.11), 1e-12);
    CHECK_NEAR(e->peak_time, 1.5, 1e-12);
    CHECK_NEAR(e->impulse, 10.0 * 0.5 * 0.1 * (opened - closed), 1e-12);
    carom_sim_free(sim);
}

/* A bead on a wall that is shaken, and a disc on a plane. */
static void check_shaken(const char *run, double within)
{
    struct carom_memory *bead, *flat;
    struct carom_sim *sims[] = {ran(row, run, &bead), ran(disc, run, &flat)};
    CHECK_OR_STOP(bead->nepisodes == 2 && flat->nepisodes == 2);
    const struct carom_episode *a = bead->episode, *b = flat->episode;
    CHECK_NEAR(a->peak_time, 0.5, 1e-3);
    CHECK_NEAR(b->peak_time, 0.5, 1e-3);
    CHECK_NEAR(b->peak_force, a->peak_force, within * a->peak_force);
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(b[i].impulse, a[i].impulse, within * a[i].impulse);
        CHECK_NEAR(b[i].overlap, a[i].overlap, within * a[i].overlap);
    }
    carom_sim_free(sims[0]);
    carom_sim_free(sims[1]);
}

/* Where a step ends as bead 4 meets the bead that is driven, the overlap is rounding, and another once that bead stands
 * where its signal has it: neither the closing nor its speed may be missed for that. */
static void check_met(void)
{
    static const char text[] =
        "units: none\n"
        "bodies:\n"
        "  - bead: {mass: 1.0939389000990323}\n"
        "  - bead: {mass: 0.8300427660550419}\n"
        "  - bead: {mass: 1.1022254294497795}\n"
        "  - bead: {mass: 1.0941110697640866, gap_before: 0.001493983877244721}\n"
        "  - bead: {mass: 1.0581057660401032, gap_before: 0.011438421392190671}\n"
        "  - bead: {mass: 1.1735890774482887, gap_before: 0.29375302163131406}\n"
        "contacts:\n"
        "  - {law: hertz, k: 1}\n"
        "  - {at: 1, law: bistiff, k: 11.489746219047186, es: 0.43216007714258275}\n"
        "  - {at: 2, law: walton-braun, k1: 0.213003860076973, k2: 0.56754078724983692}\n"
        "  - {at: 3, law: walton-braun, k1: 25.981267464142505, k2: 70.714438490333421}\n"
        "  - {at: 4, law: bistiff, k: 61.839634262768691, es: 0.73567490823599657}\n"
        "  - {at: 5, law: hunt-crossley, k: 43.720832196991552, p: 1.5, gamma: 1.3337165793882053,\n"
        "     contact_end: force}\n"
        "loads:\n"
        "  - body: 3\n"
        "    displacement: {shape: sine, amplitude: -0.020706931465716116, start: 0.60472892988538407,\n"
        "                   frequency: 6.4448493214948162}\n"
        "start:\n"
        "  - {body: 1, velocity: 0.35757538280504808, displacement: 0.036595683548763774}\n"
        "  - {body: 2, velocity: 0.62477635644420348, displacement: 0.071237448494616301}\n"
        "  - {body: 4, velocity: -0.23053316842118732, displacement: -0.084150244852776585}\n"
        "  - {body: 5, velocity: 0.32889846406951495, displacement: -0.026337039389292327}\n"
        "  - {body: 6, velocity: -0.50843848753706644, displacement: 0.078799812457865215}\n"
        "record: {every: 1}\n";
    struct carom_memory *memory;
    struct carom_sim *sim = ran(text, "until: 2.7104463114514932, tol: 0.0005162222418388909", &memory);
    size_t closings = 0, found = 0;
    for (size_t i = 0; i < memory->nevents; i++)
        closings += memory->event[i].contact == 2 && memory->event[i].kind == CAROM_EVENT_CLOSE ? 1 : 0;
    CHECK(closings == 2);
    for (size_t i = 0; i < memory->nepisodes; i++) {
        const struct carom_episode *e = &memory->episode[i];
        if (e->contact != 2 || !(e->closed > 2.0 && e->closed < 2.3))
            continue;
        CHECK_NEAR(e->closed, 2.23889, 1e-5);
        CHECK_NEAR(e->speed, 1.00844, 1e-4);
        found++;
    }
    CHECK(found == 1);
    carom_sim_free(sim);
}

int main(void)
{
    check_led("until: 4");
    check_led("until: 4, scheme: verlet, step: 0.01");
    check_led("until: 4, scheme: gl-reg, step: 0.02");
    check_led("until: 4, scheme: energy-momentum, step: 0.02");
    check_shaken("until: 6, tol: 1e-9", 1e-7);
    check_shaken("until: 6, scheme: verlet, step: 0.002", 1e-4);
    check_shaken("until: 6, scheme: energy-momentum, step: 0.002", 1e-4);
    check_met();
    return check_end();
}
