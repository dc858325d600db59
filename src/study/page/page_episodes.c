/* Episodes in pages, see page_parts.h. */
#include "study/page/page_parts.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MOST = 5000, MOST_CONTACTS = 20000, ROW_BYTES = 8 * CAROM_EPISODE_REALS + 8 };

static int by_strength(const void *a, const void *b)
{
    const struct carom_episode *x = a, *y = b;
    const double d = carom_run_episodes_strength(y) - carom_run_episodes_strength(x), t = x->closed - y->closed;
    if (d != 0.0 || t != 0.0)
        return d != 0.0 ? (d > 0.0) - (d < 0.0) : (t > 0.0) - (t < 0.0);
    if (x->opened != y->opened)
        return x->opened < y->opened ? -1 : 1;
    return x->contact < y->contact ? -1 : x->contact > y->contact;
}

struct gathered {
    struct carom_episode *row; /* the strongest so far in front: room for twice as many, sorted when it is full */
    size_t most, count, nc;
    double *force, *time; /* nc: the largest of each contact */
};

static void sort(struct gathered *g)
{
    qsort(g->row, g->count, sizeof *g->row, by_strength);
    g->count = g->count < g->most ? g->count : g->most;
}

static void gather(void *own, const struct carom_episode *row)
{
    struct gathered *g = own;
    const uint64_t j = row->contact;
    if (j < g->nc && row->peak_force > g->force[j])
        g->force[j] = row->peak_force, g->time[j] = row->peak_time;
    g->row[g->count++] = *row;
    if (g->count == 2 * g->most)
        sort(g);
}

static enum carom_status write_rows(struct carom_page_out *out, const struct carom_run_file *run,
                                    const struct carom_episode *row, size_t count, struct carom_error *error)
{
    static const char *const names[CAROM_EPISODE_REALS] = {"closed",    "opened",  "speed",      "peak_force",
                                                           "peak_time", "impulse", "dissipated", "overlap"};
    double *real = carom_memory_zeroed(count, sizeof *real);
    uint32_t *whole = carom_memory_zeroed(count, 2 * sizeof *whole);
    enum carom_status status = real != NULL && whole != NULL ? CAROM_OK : carom_memory_error(error);
    for (size_t c = 0; c < CAROM_EPISODE_REALS && status == CAROM_OK; c++) {
        for (size_t i = 0; i < count; i++) {
            const double all[CAROM_EPISODE_REALS] = {row[i].closed,     row[i].opened,    row[i].speed,
                                                     row[i].peak_force, row[i].peak_time, row[i].impulse,
                                                     row[i].dissipated, row[i].overlap};
            real[i] = all[c];
        }
        status = carom_page_blob_write(out, names[c], CAROM_PAGE_BLOB_F64, real, count, error);
    }
    const size_t wide = run->listed ? 2 : 1;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        for (size_t k = 0; k < wide; k++)
            whole[wide * i + k] = (uint32_t)(wide == 2 && k == 0 ? row[i].contact >> 32 : row[i].contact);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "contact", CAROM_PAGE_BLOB_U32, whole, wide * count, error);
    carom_memory_free_all(real, whole);
    return status;
}

enum carom_status carom_page_episodes_write(struct carom_page_out *out, const struct carom_run_file *run, double bytes,
                                            struct carom_error *error)
{
    if (!run->episodes.there)
        return CAROM_OK;
    const size_t fit = bytes > ROW_BYTES ? (size_t)(bytes / ROW_BYTES) : 1, most = fit < MOST ? fit : MOST;
    const size_t nc = run->nc <= MOST_CONTACTS ? run->nc : 0;
    double *force = carom_memory_zeroed(2 * nc + 1, sizeof *force);
    struct gathered g = {carom_memory_zeroed(2 * most, sizeof *g.row), most, 0, nc, force, force + nc};
    enum carom_status status = g.row != NULL && force != NULL
                                   ? carom_run_episodes_each(&run->episodes, run->file, gather, &g, error)
                                   : carom_memory_error(error);
    if (status == CAROM_OK)
        sort(&g);
    carom_page_json_open(&out->json, "episodes", '{');
    carom_page_json_count(&out->json, "total", run->episodes.rows);
    carom_page_json_count(&out->json, "left_out", run->episodes.left_out);
    carom_page_json_count(&out->json, "kept", g.count);
    if (status == CAROM_OK)
        status = write_rows(out, run, g.row, g.count, error);
    if (status == CAROM_OK && nc > 0)
        status = carom_page_blob_write(out, "largest_force", CAROM_PAGE_BLOB_F64, force, nc, error);
    if (status == CAROM_OK && nc > 0)
        status = carom_page_blob_write(out, "largest_time", CAROM_PAGE_BLOB_F64, force + nc, nc, error);
    carom_page_json_close(&out->json, '}');
    carom_memory_free_all(g.row, force);
    return status;
}
