/* The book of impacts under dp5 against numbers of another integration: extrapolated to order 14, contacts and their
 * phases found by halving steps, no code in common, to about 1e-11. Rows whose beads feel more than their neighbours,
 * or laws with jumps, kinks and a memory, for which cubics through the ends of steps were 20 to 100 times as far off
 * as the run itself. */
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

struct row {
    size_t contact;
    double closed, speed, peak, when, overlap;
};

/* the one of a contact that closed, or was pressed most, then */
static const struct carom_episode *episode_at(const struct carom_memory *memory, size_t contact, bool closed,
                                              double when, double within)
{
    const struct carom_episode *found = NULL;
    for (size_t k = 0; k < memory->nepisodes; k++) {
        const struct carom_episode *e = &memory->episode[k];
        if (e->contact != contact || !(fabs((closed ? e->closed : e->peak_time) - when) < within))
            continue;
        CHECK(found == NULL);
        found = e;
    }
    CHECK_OR_STOP(found != NULL);
    return found;
}

static void check_rows(const char *text, const struct row *rows, size_t n, double within)
{
    struct carom_memory *memory;
    struct carom_sim *sim = runs_recorded(text, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    for (size_t i = 0; i < n; i++) {
        const struct carom_episode *e = episode_at(memory, rows[i].contact, true, rows[i].closed, 1e-5);
        CHECK_NEAR(e->speed, rows[i].speed, within);
        CHECK_NEAR(e->peak_force, rows[i].peak, within);
        CHECK_NEAR(e->peak_time, rows[i].when, 1e-3);
        CHECK_NEAR(e->overlap, rows[i].overlap, within);
    }
    carom_sim_free(sim);
}

/* a spring of power 2.07 beside a linear dashpot, whose force begins with a jump */
static const char dashpots[] = "units: none\n"
                               "bodies: [chain: {count: 5}]\n"
                               "contacts: {law: power, k: 14.45995856640789, p: 2.0709267276013397, b: 1,\n"
                               "           gamma: 0.061471788372575178}\n"
                               "start: [{body: 1, velocity: 1}]\n"
                               "run: {until: 2.0220160173953468, tol: 2.4e-8}\n"
                               "record: {every: 1}\n";
static const struct row dashpots_rows[] = {{0, 0.0, 1.0, 1.1551276665429173, 0.4176546591890773, 0.28241351024506994}};

/* both walls are led, one of them quickly, and forces end contacts */
static const char led[] =
    "units: none\n"
    "bodies:\n"
    "  - chain: {count: 3, mass: 1, gap: [-0.14190318101370736, -0.18344910312653478]}\n"
    "  - wall: {side: left}\n"
    "  - wall: {side: right, gap: 0.0072213326414597981}\n"
    "contacts:\n"
    "  - {law: kuwabara-kono, k: 18.539545197349042, gamma: 0.053833508785538754, contact_end: force}\n"
    "  - {at: 1, law: linear-dashpot, k: 17.782681161105444, gamma: 0.053833508785538754, contact_end: force}\n"
    "  - {at: 2, law: hunt-crossley, k: 4.5763920530581235, p: 1.5, gamma: 0.053833508785538754, contact_end: force}\n"
    "  - {at: 3, law: power, k: 6.3096276811589123, p: 1.4682298506760096, b: 1.3824475117982853,\n"
    "     gamma: 0.053833508785538754, contact_end: force}\n"
    "loads:\n"
    "  - {body: 1, force: {shape: sine, amplitude: -0.86417404535240805, frequency: 0.94951061754374355}}\n"
    "  - {wall: left, displacement: {shape: ramp, amplitude: -0.021086361999816394,\n"
    "                                duration: 0.22943839014328554}}\n"
    "  - {wall: right, displacement: {shape: sine, amplitude: 0.25038780167497859, frequency: 1.3257102292053957}}\n"
    "start:\n"
    "  - {bodies: all, velocity: [0.25806621160234378, -0.74616635053889691, 0.14457810628118484]}\n"
    "run: {until: 3.6161227250131107, tol: 4.8e-8}\n"
    "record: {every: 1}\n";
static const struct row led_rows[] = {
    {0, 0.172611321555451, 0.36516316641372404, 3.075166613808124, 0.6383184022472506, 0.29667606062880986},
    {1, 1.068850053892258, 0.7820787285307909, 1.9139328621492244, 1.242536485351329, 0.10152700462815284},
    {3, 0.3511886761412502, 2.2265399397670973, 1.370620963991777, 0.5150209627931088, 0.32740781792567075},
    {3, 2.505767286028864, 1.1898892392076958, 2.585610235572775, 2.770766228754, 0.5188972118299021},
    {3, 3.338924236112833, 1.6208833447358975, 1.1873733013805723, 3.5140340923801463, 0.29624147762651865}};

/* springs, and a law with a memory, before whose touch steps of 1e-11 are taken */
static const char dents[] =
    "units: none\n"
    "bodies:\n"
    "  - chain: {count: 3, mass: [0.97994406365198083, 1.0505977064512169, 1.0995699094131446],\n"
    "            spring: [0.10028582535991133, 0, 0.82101644879918423],\n"
    "            gap: [-0.24467979345536611, -0.18349206646841809]}\n"
    "  - wall: {side: left, gap: 0.0032912432829986168}\n"
    "  - wall: {side: right, gap: 0.0034685676680920913}\n"
    "contacts:\n"
    "  - {law: walton-braun, k1: 4.6533176325485144, k2: [15.027427678592852, 16.515708114723509,\n"
    "     5.9784539658486908, 11.092184461332561]}\n"
    "start:\n"
    "  - {bodies: all, velocity: [0.56313652968685912, 0.075947612125363717, -0.78704686057681217]}\n"
    "run: {until: 7.6670593092085744, tol: 1.9e-10}\n"
    "record: {every: 1}\n";
static const struct row dents_rows[] = {
    {0, 0.8232476956357361, 0.4501086376744952, 1.2050857855697594, 2.0221790218470277, 0.25897346382300757},
    {2, 2.5270266624783155, 0.7547359147736175, 1.2628081731484888, 3.100794171922392, 0.27137803022848295},
    {2, 5.097530804480914, 0.5899271622602424, 0.9878806375495591, 5.6273190580784895, 0.21229598225567808},
    {3, 1.021945016323034, 0.6755840838045244, 1.4065064435424133, 1.7251636566517863, 0.30225885155664367},
    {3, 6.0913859183225725, 0.26696640562874246, 0.5543408363181053, 6.793426009729113, 0.11912808883723425}};

/* Rows whose beads feel nothing but their neighbours, pressed between walls at rest: where dampers are strong or
 * springs steep, and contacts close nearby, tops lie between looks that were not near enough. Classical Runge-Kutta in
 * steps of 1e-5, by a program of its own, to about 1e-10. */
struct top {
    size_t contact;
    double when, peak;
};

static const char drag[] =
    "units: none\n"
    "bodies: [wall: {side: left}, chain: {mass: [1.576, 0.759, 1.222], gap: -0.3}, wall: {side: right}]\n"
    "contacts: {law: kuwabara-kono, k: 1, gamma: 0.1}\n"
    "start: [{bodies: all, velocity: [0.3848, -0.8677, -0.0599]}]\n"
    "run: {until: 9, tol: 1e-9}\n"
    "record: {every: 1}\n";
static const struct top drag_tops[] = {{0, 3.953413124, 0.4284858379}, {1, 0.794656413, 0.9527544245},
                                       {1, 6.952061025, 0.2911055527}, {2, 2.526319451, 0.4492881679},
                                       {2, 8.016723839, 0.4985341174}, {3, 4.749063895, 0.4741345218}};

static const char steep[] =
    "units: none\n"
    "bodies: [wall: {side: left}, chain: {mass: [1.642, 1.593, 1.008], gap: -0.1}, wall: {side: right}]\n"
    "contacts: {law: power, k: 1, p: 2.88}\n"
    "start: [{bodies: all, velocity: [0.4287, 0.0853, -0.0243]}]\n"
    "run: {until: 14, tol: 1e-9}\n"
    "record: {every: 1}\n";
static const struct top steep_tops[] = {{1, 9.844352796, 0.37695215461428},
                                        {2, 7.435075124, 0.56795099398152},
                                        {2, 13.186671843, 0.16842864788891},
                                        {3, 5.784583246, 0.62401194539780}};

static void check_tops(const char *text, const struct top *tops, size_t n, double within)
{
    struct carom_memory *memory;
    struct carom_sim *sim = runs_recorded(text, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(episode_at(memory, tops[i].contact, false, tops[i].when, 1e-4)->peak_force, tops[i].peak, within);
    carom_sim_free(sim);
}

/* As `dashpots`, of spheres: what contacts lose in their last step counts, as it does in the ledger. The peak of the
 * contact that is struck as the run begins is that of Runge-Kutta in steps of 5e-5. */
static void check_spheres(double within)
{
    static const char text[] = "units: none\n"
                               "bodies:\n"
                               "  - sphere: {at: [0, 0], radius: 0.5, mass: 1, velocity: [1, 0]}\n"
                               "  - sphere: {at: [1, 0], radius: 0.5, mass: 1}\n"
                               "  - sphere: {at: [2, 0], radius: 0.5, mass: 1}\n"
                               "contacts: {law: power, k: 14.45995856640789, p: 2.0709267276013397, b: 1,\n"
                               "           gamma: 0.061471788372575178}\n"
                               "run: {until: 20, scheme: dp5, tol: 2.4e-8}\n"
                               "record: {every: 1}\n";
    struct carom_memory *memory;
    struct carom_sim *sim = runs_recorded(text, &memory);
    struct carom_ledger ledger;
    double sum = 0.0, impulse = 0.0;
    size_t struck = 0;
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    for (size_t i = 0; i < memory->nepisodes; i++) {
        const struct carom_episode *e = &memory->episode[i];
        sum += e->dissipated;
        impulse += e->contact == carom_event_pair(1, 2) ? e->impulse : 0.0;
        CHECK(isfinite(e->opened));
        if (e->contact == carom_event_pair(1, 2) && ++struck == 1) {
            CHECK(e->closed == 0.0);
            CHECK_NEAR(e->peak_force, 1.1544226594221825, within);
        }
    }
    CHECK(memory->nepisodes > 1 && struck > 0);
    CHECK_NEAR(sum, ledger.dissipated, within);
    CHECK_NEAR(impulse, 1.0 - sim->view->v[0], within);
    carom_sim_free(sim);
}

#define CHECK_ROWS(scene, within) check_rows(scene, scene##_rows, sizeof scene##_rows / sizeof *scene##_rows, within)

int main(void)
{
    CHECK_ROWS(dashpots, 5e-8);
    CHECK_ROWS(led, 5e-8);
    CHECK_ROWS(dents, 2e-10);
    check_tops(drag, drag_tops, sizeof drag_tops / sizeof *drag_tops, 1e-9);
    check_tops(steep, steep_tops, sizeof steep_tops / sizeof *steep_tops, 2.5e-9);
    check_spheres(2e-7);
    return check_end();
}
