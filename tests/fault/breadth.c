/* Each allocation fails once: of reading a scene with every kind of chain, sensors and a file of materials and
 * running it, of dispersion, and of writing it for ParaView. Always the status "out of memory" or, where HDF5
 * stands between, another sentence; never a crash, and under AddressSanitizer never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "record/export/vtkhdf.h"
#include "study/bands.h"
#include "study/dispersion.h"

static const char scene_text[] =
    "seed: 4\n"
    "materials: fault-materials.yaml\n"
    "bodies:\n"
    "  - striker: {side: left, count: 2, velocity: 1, radius: 5 mm, material: mine}\n"
    "  - striker: {side: left, velocity: 1, radius: 5 mm, material: steel}\n"
    "  - chain: {count: 3, radius: 5 mm, material: steel, taper: {ratio: 0.9}, decorate: {radius: 1 mm},\n"
    "      disorder: [{of: mass, width: 0.1}, {of: stiffness, kind: normal, deviation: 0.1}],\n"
    "      impurity: [{at: [1, 3], material: ptfe}, {share: 0.5, mass: 1 g}]}\n"
    "  - wall: {side: right, material: steel}\n"
    "run: {until: 20 us, tol: 1e-3}\n"
    "record: {every: 10 us}\n"
    "sensors: [{name: a, body: 3, bandwidth: 1 kHz}, {name: b, wall: right}]\n";

static const char wave_text[] = "units: none\nbodies: [{chain: {count: 6, pattern: [{mass: 1}, {mass: 2}]}}]\n"
                                "contacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n";

static enum carom_status run(struct carom_error *error)
{
    struct carom_scene *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, NULL, 0, error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, error) : NULL;
    enum carom_status status = sim != NULL ? CAROM_OK : error->status;
    if (sim != NULL)
        status = carom_recorder_attach(sim->recorder, &carom_sink_memory, carom_sink_memory_new(), error);
    if (status == CAROM_OK)
        status = carom_sim_run(sim, NULL, error);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static enum carom_status wave(struct carom_error *error)
{
    struct carom_scene *scene = carom_scene_parse("test", wave_text, sizeof wave_text - 1, NULL, 0, error);
    struct carom_dispersion *d = scene != NULL ? carom_dispersion_find(scene, 0, true, error) : NULL;
    const enum carom_status status = d != NULL ? CAROM_OK : error->status;
    carom_dispersion_free(d);
    carom_scene_free(scene);
    return status;
}

static const char crystal_text[] =
    "units: none\nbodies: [{lattice: {kind: hexagonal, count: [5, 5], radius: 1, mass: 1, at: [0, 0]}}]\n"
    "contacts: {law: power, p: 1, k: 1, friction: {law: cundall-strack, mu: 1, k_t: 1}}\nrun: {until: 1}\n";

static enum carom_status crystal(struct carom_error *error)
{
    struct carom_scene *scene = carom_scene_parse("test", crystal_text, sizeof crystal_text - 1, NULL, 0, error);
    struct carom_springs springs = {0};
    struct carom_bands bands = {0};
    struct carom_springs_modes modes = {0};
    enum carom_status status = scene != NULL ? carom_springs_find(scene, 0.01, false, &springs, error) : error->status;
    if (status == CAROM_OK)
        status = carom_bands_find(&springs, &bands, error);
    if (status == CAROM_OK)
        status = carom_springs_modes_find(&springs, true, &modes, error);
    CHECK(status != CAROM_OK || (bands.nbranches == 3 && modes.count == 75));
    carom_springs_modes_free(&modes);
    carom_bands_free(&bands);
    carom_springs_free(&springs);
    carom_scene_free(scene);
    return status;
}

static enum carom_status picture(struct carom_error *error)
{
    const double points[6] = {0, 0, 0, 1, 0, 0}, radius[2] = {1, 2};
    const int64_t number[2] = {0, 1}, offset[2] = {1, 2};
    const uint8_t type[2] = {CAROM_VTU_VERTEX, CAROM_VTU_VERTEX};
    const struct carom_vtu_field field = {.name = "radius", .components = 1, .real = radius};
    const struct carom_vtu grid = {.npoints = 2,
                                   .point = points,
                                   .ncells = 2,
                                   .connectivity = number,
                                   .offset = offset,
                                   .type = type,
                                   .nfields = 1,
                                   .field = &field};
    enum carom_status status = carom_vtu_write("fault.vtu", &grid, error);
    struct carom_vtkhdf *to = status == CAROM_OK ? carom_vtkhdf_create("fault.vtkhdf", &grid, 2, error) : NULL;
    status = to != NULL ? carom_vtkhdf_write(to, 0, &grid, error) : error->status;
    if (status == CAROM_OK)
        status = carom_vtkhdf_write(to, 1, &grid, error);
    carom_vtkhdf_close(to, false, NULL);
    return status;
}

static void fail_each(const char *name, enum carom_status (*work)(struct carom_error *error), bool only_memory)
{
    unsigned long nth = 1;
    for (; nth < 100000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = work(&error);
        carom_memory_fail(0);
        if (status == CAROM_OK)
            break; /* there were fewer allocations than that */
        CHECK(status == CAROM_E_MEMORY || !only_memory);
        CHECK(error.text[0] != '\0');
    }
    printf("%s: %lu allocations, each failed once\n", name, nth - 1);
    CHECK(nth > 5 && nth < 100000);
}

int main(void)
{
    file_put("fault-materials.yaml", "mine: {young: 2e11, poisson: 0.3, density: 8000}\n");
    remove("fault.vtkhdf");
    fail_each("run", run, true);
    fail_each("dispersion", wave, true);
    fail_each("dispersion of a crystal", crystal, true);
    fail_each("picture", picture, false);
    return check_end();
}
