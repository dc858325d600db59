/* Solids on a page: for each its cells (page_cells.c, page_hulls.c) and the faces of links that break. A scene that is
 * not the one that was run has cells that the file does not know: then none are named. */
#include "study/page/page_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "model/solid/strike/solid_strike.h"

static const char what[] = "a page";

/* Cells inside are described up to so many, for cuts: beyond, drawing all of their faces is slow, and faces of general
 * cells would be most of the page. */
enum { MOST_INSIDE = 20000, MOST_INSIDE_HULLS = 4000 };
enum { MOST_CORNERS = 64 }; /* of the face of a link; Voronoi cells have some five */

/* --- links that break --------------------------------------------------------------------------------------------- */

/* the first sample in which each link is broken, or UINT32_MAX */
static enum carom_status find_broken(const struct carom_run_file *run, const struct carom_run_item *item,
                                     uint32_t *since, struct carom_error *error)
{
    double *value = carom_memory_zeroed(item->width, sizeof *value);
    enum carom_status status = value ? CAROM_OK : carom_memory_error_for(error, what);
    memset(since, 0xff, item->width * sizeof *since);
    for (uint64_t row = 0; row < run->rows && status == CAROM_OK; row++) {
        status = carom_run_file_read(run, item, row, 1, value, error);
        for (size_t l = 0; l < item->width && status == CAROM_OK; l++)
            if (value[l] >= 1.0 && since[l] == UINT32_MAX)
                since[l] = (uint32_t)row;
    }
    carom_memory_free(value);
    return status;
}

struct cracks {
    uint32_t *owner, *since; /* number of the described cell, sample */
    uint8_t *sides;
    double *outline;
    size_t n, corners;
};

static void add_crack(struct cracks *c, const struct carom_solid *s, const struct carom_solid_link *link,
                      uint32_t owner, uint32_t since)
{
    const double *arm = s->shape[link->shape].arm;
    double outline[MOST_CORNERS][3];
    const size_t sides = s->cells ? carom_page_hulls_face(s, link->cell[0], arm, MOST_CORNERS, outline)
                                  : carom_page_cells_face(s, link->cell[0], arm, outline);
    if (c->outline) {
        c->owner[c->n] = owner;
        c->since[c->n] = since;
        c->sides[c->n] = (uint8_t)sides;
        memcpy(c->outline + 3 * c->corners, outline, 3 * sides * sizeof **outline);
    }
    c->n++;
    c->corners += sides;
}

static void list_cracks(struct cracks *c, const struct carom_solid *s, const uint32_t *described, const uint32_t *since)
{
    c->n = c->corners = 0;
    for (size_t l = 0; l < s->nlinks; l++) {
        const uint32_t owner = described[s->link[l].cell[0]];
        if (since[l] != UINT32_MAX && owner != UINT32_MAX)
            add_crack(c, s, &s->link[l], owner, since[l]);
    }
}

static enum carom_status write_cracks(struct carom_page_out *out, const struct carom_solid *s,
                                      const struct carom_page_solid *seen, const uint32_t *since,
                                      struct carom_error *error)
{
    uint32_t *described = carom_memory_zeroed(s->n, sizeof *described);
    struct cracks c = {0};
    enum carom_status status = described ? CAROM_OK : carom_memory_error_for(error, what);
    if (status == CAROM_OK) {
        memset(described, 0xff, s->n * sizeof *described);
        for (size_t i = 0; i < seen->nkept; i++)
            described[s->record ? s->record[seen->kept[i]] : seen->kept[i]] = (uint32_t)i;
        list_cracks(&c, s, described, since);
        status = carom_memory_together(CAROM_ROOM(c.owner, c.n), CAROM_ROOM(c.since, c.n), CAROM_ROOM(c.sides, c.n),
                                       CAROM_ROOM(c.outline, 3 * c.corners))
                     ? CAROM_OK
                     : carom_memory_error_for(error, what);
    }
    if (status == CAROM_OK)
        list_cracks(&c, s, described, since);
    carom_page_json_open(&out->json, "cracks", '{');
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "owner", CAROM_PAGE_BLOB_U32, c.owner, c.n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "since", CAROM_PAGE_BLOB_U32, c.since, c.n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "sides", CAROM_PAGE_BLOB_U8, c.sides, c.n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "arm", CAROM_PAGE_BLOB_F32, c.outline, 3 * c.corners, error);
    carom_page_json_close(&out->json, '}');
    carom_memory_free_all(described, c.owner);
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static const struct carom_run_item *find_item(const struct carom_run_file *run, const char *path)
{
    for (size_t i = 0; i < run->nitems; i++)
        if (strcmp(run->item[i].path, path) == 0)
            return &run->item[i];
    return NULL;
}

const struct carom_page_solid *carom_page_solids_of(const struct carom_page_solids *solids,
                                                    const struct carom_run_item *item)
{
    const char *word = item->path + strlen("particles/");
    if (strncmp(item->path, "particles/", strlen("particles/")) != 0 || item->depth == 0)
        return NULL;
    for (size_t i = 0; i < solids->count; i++) {
        const struct carom_page_solid *s = &solids->solid[i];
        const size_t length = strlen(s->part);
        if (strncmp(word, s->part, length) == 0 && word[length] == '/')
            return s;
    }
    return NULL;
}

/* how many cells of a solid the file has, 0 if nothing of them */
static size_t recorded(const struct carom_run_file *run, const struct carom_page_solids *solids,
                       const struct carom_page_solid *solid)
{
    for (size_t i = 0; i < run->nitems; i++)
        if (carom_page_solids_of(solids, &run->item[i]) == solid)
            return run->item[i].width / run->item[i].depth;
    return 0;
}

static enum carom_status write_one(struct carom_page_out *out, const struct carom_solid *s, bool whole,
                                   struct carom_page_solid *seen, const uint32_t *since, struct carom_error *error)
{
    struct carom_page_json *json = &out->json;
    const bool inside = whole && s->dimension == 3 && s->n <= (size_t)(s->cells ? MOST_INSIDE_HULLS : MOST_INSIDE);
    carom_page_json_open(json, NULL, '{');
    carom_page_json_text(json, "part", seen->part);
    carom_page_json_text(json, "name", s->name);
    carom_page_json_count(json, "n", s->record ? s->nrecord : s->n);
    carom_page_json_count(json, "of", s->n);
    carom_page_json_flag(json, "inside", inside);
    carom_page_json_flag(json, "breaks", s->breaks != NULL);
    enum carom_status status = s->cells ? carom_page_hulls_write(out, s, inside, &seen->kept, &seen->nkept, error)
                                        : carom_page_cells_write(out, s, inside, &seen->kept, &seen->nkept, error);
    carom_page_json_count(json, "seen", seen->nkept);
    if (status == CAROM_OK && since)
        status = write_cracks(out, s, seen, since, error);
    carom_page_json_close(json, '}');
    return status;
}

static void write_walls(struct carom_page_json *json, const struct carom_solid_strike *strike)
{
    carom_page_json_open(json, "walls", '[');
    for (size_t i = 0; strike && i < strike->nwalls; i++) {
        const struct carom_strike_wall *wall = &strike->wall[i];
        carom_page_json_open(json, NULL, '{');
        carom_page_json_text(json, "name", wall->name);
        for (int which = 0; which < 2; which++) {
            carom_page_json_open(json, which == 0 ? "at" : "normal", '[');
            for (int k = 0; k < 3; k++)
                carom_page_json_number(json, NULL, which == 0 ? wall->at[k] : wall->normal[k]);
            carom_page_json_close(json, ']');
        }
        carom_page_json_close(json, '}');
    }
    carom_page_json_close(json, ']');
}

static void write_names(struct carom_page_json *json, const struct carom_model *model)
{
    const size_t solids = carom_solid_count(model);
    carom_page_json_open(json, "sensors", '[');
    for (size_t i = 0; i < solids; i++)
        for (size_t k = 0; k < carom_solid_at(model, i)->nsensors; k++)
            carom_page_json_text(json, NULL, carom_solid_at(model, i)->sensor[k].name);
    carom_page_json_close(json, ']');
    carom_page_json_open(json, "holds", '[');
    for (size_t i = 0; i < solids; i++) {
        const struct carom_solid *s = carom_solid_at(model, i);
        size_t number[2] = {0, 0}; /* clamps and drives count by themselves, as scenes list them */
        for (size_t k = 0; k < s->nholds; k++) {
            char text[64];
            const bool driven = s->hold[k].driven;
            snprintf(text, sizeof text, "%s %zu%s%s", driven ? "drive" : "clamp", ++number[driven],
                     solids > 1 ? " of " : "", solids > 1 ? s->name : "");
            carom_page_json_text(json, NULL, text);
        }
    }
    carom_page_json_close(json, ']');
    write_walls(json, carom_solid_strike_of(model));
}

enum carom_status carom_page_solids_write(struct carom_page_out *out, const struct carom_model *model,
                                          const struct carom_run_file *run, bool whole,
                                          struct carom_page_solids *solids, struct carom_error *error)
{
    const size_t count = carom_solid_count(model);
    const struct carom_run_item *links = find_item(run, "particles/links/damage");
    size_t nlinks = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        nlinks += carom_solid_at(model, i)->breaks ? carom_solid_at(model, i)->nlinks : 0;
    links = links && links->width == nlinks ? links : NULL;
    uint32_t *since = links ? carom_memory_zeroed(nlinks, sizeof *since) : NULL;
    solids->solid = carom_memory_zeroed(count, sizeof *solids->solid);
    enum carom_status status = solids->solid && (since || !links) ? CAROM_OK : carom_memory_error_for(error, what);
    if (status == CAROM_OK && links)
        status = find_broken(run, links, since, error);
    solids->count = solids->solid ? count : 0;
    for (size_t i = 0; i < solids->count; i++)
        carom_probe_path_part(model, i, solids->solid[i].part);
    carom_page_json_text(&out->json, "kind", "cells");
    carom_page_json_count(&out->json, "dimension", (uint64_t)carom_solid_at(model, 0)->dimension);
    write_names(&out->json, model);
    carom_page_json_open(&out->json, "solids", '[');
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        const struct carom_solid *s = carom_solid_at(model, i);
        struct carom_page_solid *seen = &solids->solid[i];
        status = write_one(out, s, whole, seen, since && s->breaks ? since + first : NULL, error);
        first += s->breaks ? s->nlinks : 0;
        seen->n = recorded(run, solids, seen);
        for (size_t k = 0; k < seen->nkept; k++)
            seen->nkept = seen->kept[k] < seen->n ? seen->nkept : 0; /* the scene is not the one that was run */
    }
    carom_page_json_close(&out->json, ']');
    carom_memory_free(since);
    return status;
}

void carom_page_solids_free(struct carom_page_solids *solids)
{
    for (size_t i = 0; i < solids->count; i++)
        carom_memory_free(solids->solid[i].kept);
    carom_memory_free(solids->solid);
    *solids = (struct carom_page_solids){0};
}
