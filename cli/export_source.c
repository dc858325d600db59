/* Numbers of bodies out of run files, see export.h. */
#include "export.h"

#include <string.h>

#include "carom/mechanism.h"
#include "model/bodies/linkage.h"

/* An item of the bodies, if it was recorded and fits; a tensor is as deep as it must be, others at most 4. */
static const struct carom_run_item *item_of(const struct cli_source *s, const char *name, bool tensor)
{
    char path[64];
    snprintf(path, sizeof path, "particles/%s/%s", s->linkage ? "mechanism" : "bodies", name);
    const struct carom_run_item *item = carom_run_file_item(s->run, path);
    const bool fits = item && (tensor ? item->depth == 6 : item->depth <= 4) && item->width == item->depth * s->n;
    return fits ? item : NULL;
}

/* Coordinates of the mechanism: displacements and turns of each body that moves, and their rates. */
static void open_linkage(struct cli_source *s)
{
    const struct carom_run_item *u = carom_run_file_item(s->run, "particles/mechanism/displacement"),
                                *v = carom_run_file_item(s->run, "particles/mechanism/velocity");
    const bool moves = u && u->width == s->linkage->nq, rates = v && v->width == s->linkage->nv;
    const bool flat = carom_linkage_of(s->linkage)->dimension == 2;
    const size_t depth[] = {[CLI_SOURCE_DISPLACEMENT] = flat ? 2 : 3,
                            [CLI_SOURCE_VELOCITY] = flat ? 2 : 3,
                            [CLI_SOURCE_ROTATION] = flat ? 1 : 4,
                            [CLI_SOURCE_SPIN] = flat ? 1 : 3};
    for (size_t kind = 0; kind < sizeof depth / sizeof *depth; kind++) {
        const bool rate = kind == CLI_SOURCE_VELOCITY || kind == CLI_SOURCE_SPIN;
        if (depth[kind] > 0 && (rate ? rates : moves)) {
            s->item[kind] = rate ? v : u;
            s->depth[kind] = depth[kind];
            s->told[kind] = true;
        }
    }
}

enum carom_status cli_source_open(struct cli_source *s, const struct carom_run_file *run,
                                  const struct carom_model *linkage, struct carom_run_bodies *bodies,
                                  struct carom_error *error)
{
    static const char *const names[CLI_SOURCE_KINDS] = {"displacement", "position", "velocity",
                                                        "rotation",     "spin",     "stress"};
    *s = (struct cli_source){.run = run, .linkage = linkage};
    const enum carom_status status = linkage ? carom_run_bodies_of(carom_linkage_of(linkage), bodies, error)
                                             : carom_run_bodies_read(run->file, bodies, error);
    if (status != CAROM_OK)
        return status;
    s->n = bodies->n;
    if (linkage)
        open_linkage(s);
    for (size_t kind = 0; kind < CLI_SOURCE_KINDS; kind++)
        if (!s->item[kind] && (s->item[kind] = item_of(s, names[kind], kind == CLI_SOURCE_STRESS)))
            s->depth[kind] = s->item[kind]->depth;
    if (s->item[CLI_SOURCE_DISPLACEMENT] || s->item[CLI_SOURCE_POSITION])
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "the run has neither u nor position; add one of them to record: probes:");
}

/* coordinates of the mechanism, or their rates, as those of all bodies */
static enum carom_status read_linkage(const struct cli_source *s, enum cli_source_kind kind, uint64_t sample,
                                      double *out, struct carom_error *error)
{
    const struct carom_bodies *b = carom_linkage_of(s->linkage);
    const bool rate = kind == CLI_SOURCE_VELOCITY || kind == CLI_SOURCE_SPIN;
    double read[CAROM_MECHANISM_PLACES], none[CAROM_MECHANISM_PLACES] = {0.0};
    double q[CAROM_LINKAGE_Q], v[CAROM_LINKAGE_V];
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), turn = (size_t)b->dimension;
    const enum carom_status status = carom_run_file_read(s->run, s->item[kind], sample, 1, read, error);
    if (status != CAROM_OK)
        return status;
    carom_linkage_stand(s->linkage, rate ? none : read, rate ? read : none, q, v);
    for (size_t i = 0; i < s->n; i++) {
        double moved[3];
        carom_bodies_moved(b, i, q, moved);
        const double *from = kind == CLI_SOURCE_DISPLACEMENT ? moved
                             : kind == CLI_SOURCE_ROTATION   ? q + nq * i + turn
                             : kind == CLI_SOURCE_VELOCITY   ? v + nv * i
                                                             : v + nv * i + turn;
        memcpy(out + s->depth[kind] * i, from, s->depth[kind] * sizeof *out);
    }
    return CAROM_OK;
}

enum carom_status cli_source_read(const struct cli_source *s, enum cli_source_kind kind, uint64_t sample, double *out,
                                  struct carom_error *error)
{
    return s->told[kind] ? read_linkage(s, kind, sample, out, error)
                         : carom_run_file_read(s->run, s->item[kind], sample, 1, out, error);
}
