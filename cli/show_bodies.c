/* Contacts of discs and spheres in words, see show_bodies.h. */
#include "show_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/scene.h"
#include "cli.h"
#include "record/run_grains.h"

enum { BINS = 8, BAR = 40 }; /* of half a mean force each; the last one has all beyond */

/* Rigid contacts carry blows as impulses: forces of samples say nothing of those that fall between them. */
static bool is_rigid(const struct carom_run_file *run)
{
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        if (strcmp(carom_kinds_schemes[i]->kind.name, run->scheme) == 0)
            return (carom_kinds_schemes[i]->needs & CAROM_RIGID) != 0;
    return false;
}

/* does some of a force act along the surfaces? */
static bool rubs(const struct carom_touch *t)
{
    double along[3];
    const double normal = carom_vec_dot(t->force, t->normal);
    for (size_t k = 0; k < 3; k++)
        along[k] = t->force[k] - normal * t->normal[k];
    return carom_vec_norm(along) > 1e-9 * carom_vec_norm(t->force);
}

enum carom_status cli_show_touches(const struct carom_run_file *run, struct carom_error *error)
{
    enum { BLOCK = 256 };
    struct carom_touch touch[BLOCK];
    uint64_t most = 0;
    double force = 0.0, overlap = 0.0;
    bool friction = false;
    for (uint64_t row = 0; row < run->rows; row++) {
        uint64_t first, count;
        enum carom_status status = carom_run_file_touching(run, row, &first, &count, error);
        most = status == CAROM_OK && count > most ? count : most;
        for (uint64_t at = 0; status == CAROM_OK && at < count; at += BLOCK) {
            const uint64_t n = count - at < BLOCK ? count - at : BLOCK;
            status = carom_run_file_touches(run, first + at, n, touch, error);
            for (uint64_t j = 0; status == CAROM_OK && j < n; j++) {
                force = fmax(force, carom_vec_norm(touch[j].force));
                overlap = fmax(overlap, -touch[j].gap);
                friction = friction || rubs(&touch[j]);
            }
        }
        if (status != CAROM_OK)
            return status;
    }
    const bool si = strcmp(run->units, "none") != 0;
    printf("contacts   come and go; in the samples at most %llu, force%s up to %.6g%s, overlap up to %.6g%s%s\n",
           (unsigned long long)most, friction ? " (friction included)" : "", force, si ? " N" : "", overlap,
           si ? " m" : "", is_rigid(run) ? "; blows are impulses, which no force of a sample measures" : "");
    return CAROM_OK;
}

static const char *unit(const struct carom_run_file *run, const char *si)
{
    return strcmp(run->units, "none") != 0 ? si : "";
}

/* how many forces are how many times the mean */
static void show_forces(const struct carom_run_grains *g)
{
    const struct carom_grains_moment *m = &g->moment;
    size_t bin[BINS] = {0}, most = 1;
    double sum = 0.0, largest = 0.0;
    for (size_t j = 0; j < m->ntouches; j++) {
        sum += carom_vec_norm(m->touch[j].force);
        largest = fmax(largest, carom_vec_norm(m->touch[j].force));
    }
    const double mean = sum / (double)m->ntouches;
    printf("forces at t = %.9g%s: %zu contact%s, mean %.6g%s, largest %.6g%s\n", g->time, unit(g->run, " s"),
           m->ntouches, cli_s(m->ntouches), mean, unit(g->run, " N"), largest, unit(g->run, " N"));
    if (!(mean > 0.0 && mean < HUGE_VAL) || m->ntouches == 1)
        return;
    for (size_t j = 0; j < m->ntouches; j++)
        bin[(size_t)fmin(2.0 * carom_vec_norm(m->touch[j].force) / mean, BINS - 1.0)]++;
    for (size_t i = 0; i < BINS; i++)
        most = bin[i] > most ? bin[i] : most;
    for (size_t i = 0; i < BINS; i++) {
        const double from = 0.5 * (double)i, share = 100.0 * (double)bin[i] / (double)m->ntouches;
        char range[32];
        snprintf(range, sizeof range, i + 1 < BINS ? "%.1f to %.1f" : "above %.1f", from, from + 0.5);
        const int bar = (int)(BAR * bin[i] / most);
        printf("  %-10s of the mean %6.2f %%%s%.*s\n", range, share, bar > 0 ? "  " : "", bar,
               "########################################");
    }
}

static enum carom_status show_coordination(const struct carom_run_grains *g, struct carom_error *error)
{
    const struct carom_grains *of = &g->grains;
    size_t *ends = carom_memory_zeroed(of->n, sizeof *ends);
    double fabric[CAROM_GRAINS_TENSOR];
    if (!ends)
        return carom_memory_error(error);
    const struct carom_run_coordination c = carom_run_grains_coordination(g, ends);
    carom_memory_free(ends);
    carom_grains_fabric(of, NULL, &g->moment, fabric);
    if (c.bodies > 0)
        printf("coordination  %.4f contacts of each of %zu bod%s, %zu of which ha%s none\n", c.mean, c.bodies,
               carom_plural_y(c.bodies), c.alone, c.alone == 1 ? "s" : "ve");
    if (of->dimension == 2)
        printf("fabric        xx %.4f  yy %.4f  xy %.4f\n", fabric[0], fabric[1], fabric[5]);
    else
        printf("fabric        xx %.4f  yy %.4f  zz %.4f  yz %.4f  xz %.4f  xy %.4f\n", fabric[0], fabric[1], fabric[2],
               fabric[3], fabric[4], fabric[5]);
    return CAROM_OK;
}

enum carom_status cli_show_region(const struct carom_run_file *run, struct carom_error *error)
{
    static const char *const part[] = {"xx", "yy", "zz", "yz", "xz", "xy"};
    enum carom_status status = CAROM_OK;
    bool heading = true;
    double value[CAROM_GRAINS_TENSOR];
    for (size_t i = 0; i < run->nitems && run->rows > 0 && status == CAROM_OK; i++) {
        const struct carom_run_item *item = &run->item[i];
        if (item->extent != CAROM_PER_REGION || item->width > CAROM_GRAINS_TENSOR)
            continue;
        status = carom_run_file_read(run, item, run->rows - 1, 1, value, error);
        if (status != CAROM_OK)
            return status;
        if (heading)
            printf("region at the last sample\n");
        heading = false;
        printf("  %-20s", item->name);
        for (size_t k = 0; k < item->width; k++)
            printf(item->width > 1 ? " %s %.6g" : "%s %.6g", item->width > 1 ? part[k] : "", value[k]);
        printf("%s%s\n", strcmp(item->unit, "1") == 0 ? "" : " ", strcmp(item->unit, "1") == 0 ? "" : item->unit);
    }
    return status;
}

enum carom_status cli_show_grains(const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_run_grains g;
    enum carom_status status = carom_run_grains_open(&g, run, error);
    if (status != CAROM_OK)
        return status == CAROM_E_MEMORY ? status : CAROM_OK;
    uint64_t row = run->rows, first, count = 0;
    while (row > 0 && count == 0 && status == CAROM_OK)
        status = carom_run_file_touching(run, --row, &first, &count, error);
    if (status == CAROM_OK && count > 0)
        status = carom_run_grains_read(&g, row, error);
    if (status == CAROM_OK && count > 0) {
        show_forces(&g);
        status = show_coordination(&g, error);
    }
    carom_run_grains_close(&g);
    return status;
}
