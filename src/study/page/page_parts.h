/* What the files of a page offer each other. The JSON names numbers by the place of their script element, with the type
 * of their entries and whether they are packed (page_blob.c). */
#ifndef CAROM_STUDY_PAGE_PAGE_PARTS_H
#define CAROM_STUDY_PAGE_PAGE_PARTS_H

#include <stdio.h>

#include "carom/bodies.h"
#include "carom/scene.h"
#include "carom/solid.h"
#include "record/probe.h"
#include "record/run_file.h"
#include "study/page/page_json.h"

/* --- numbers: base64 of little-endian arrays, each in a script element of its own that no browser runs ----------- */

enum carom_page_blob_type {
    CAROM_PAGE_BLOB_F64, /* from double */
    CAROM_PAGE_BLOB_F32, /* from double */
    CAROM_PAGE_BLOB_I16, /* from double: value = offset + scale x number, -32768: not a number */
    CAROM_PAGE_BLOB_I32, /* from int32_t */
    CAROM_PAGE_BLOB_U32, /* from uint32_t */
    CAROM_PAGE_BLOB_U8,  /* from uint8_t */
};

/* Where a page goes while it is written. */
struct carom_page_out {
    FILE *file;
    size_t nblobs;
    uint64_t bytes; /* of blobs, as base64 */
    struct carom_page_json json;
};

/* Writes an array of `count` entries, and where it is under `key` into the JSON. I16 finds its scale by itself. */
enum carom_status carom_page_blob_write(struct carom_page_out *out, const char *key, enum carom_page_blob_type type,
                                        const void *data, size_t count, struct carom_error *error);

/* --- recorded items: all of one where there is room, else made smaller in ways the page tells of ----------------- */

/* What an item may take, and which of its bodies matter if not all can be shown. */
struct carom_page_item_room {
    double bytes;         /* before base64 */
    size_t nkept;         /* bodies that can be seen; 0: they stand in a row, neighbours are put together */
    const uint32_t *kept; /* nkept, numbers within the item; NULL: all */
    size_t tall;          /* pictures of those show one sample in every few, or fewer */
};

/* Times of the samples: all, or one in every few. */
enum carom_status carom_page_item_times(struct carom_page_out *out, const struct carom_run_file *run,
                                        struct carom_error *error);

/* One sample in how many of what can be seen fits: 1 if all do. */
size_t carom_page_item_stride(const struct carom_run_file *run, const struct carom_run_item *item,
                              const struct carom_page_item_room *room);

enum carom_status carom_page_item_write(struct carom_page_out *out, const struct carom_run_file *run,
                                        const struct carom_run_item *item, const struct carom_page_item_room *room,
                                        struct carom_error *error);

/* --- what solids look like --------------------------------------------------------------------------------------- */

/* Which of its recorded cells (n of them, in the run file) the page describes. */
struct carom_page_solid {
    char part[CAROM_PROBE_PART_SIZE]; /* the word for it in paths */
    size_t n, nkept;
    uint32_t *kept;
};

struct carom_page_solids {
    size_t count;
    struct carom_page_solid *solid;
};

/* Writes what all solids look like, names of their sensors and clamps, and which links break when, if that was
 * recorded. *solids, to be freed on failure too, tells which cells. */
enum carom_status carom_page_solids_write(struct carom_page_out *out, const struct carom_model *model,
                                          const struct carom_run_file *run, bool whole,
                                          struct carom_page_solids *solids, struct carom_error *error);
void carom_page_solids_free(struct carom_page_solids *solids);

/* The solid whose cells an item tells of, or NULL. */
const struct carom_page_solid *carom_page_solids_of(const struct carom_page_solids *solids,
                                                    const struct carom_run_item *item);

/* --- cells that are boxes or pieces of a shell ------------------------------------------------------------------- */

/* Writes what the recorded cells look like; those that cannot be seen only if `inside`. *kept, to be freed by
 * carom_memory_free on failure too, lists their numbers among the recorded ones. */
enum carom_status carom_page_cells_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error);

/* The face of a cell (in the plane: its edge) that has its middle nearest to `arm`, all from the cell's centre. Returns
 * how many corners it has: 4 or 2. */
size_t carom_page_cells_face(const struct carom_solid *solid, size_t cell, const double arm[3], double (*outline)[3]);

/* --- cells of general shape: the polygons that can be seen of them ----------------------------------------------- */

/* What carom_page_cells_write and carom_page_cells_face do for boxes; a face has `most` corners at most. */
enum carom_status carom_page_hulls_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error);
size_t carom_page_hulls_face(const struct carom_solid *solid, size_t cell, const double arm[3], size_t most,
                             double (*outline)[3]);

/* --- discs, spheres, walls and joints, and contacts at the samples that pictures show ---------------------------- */

/* Joints one by one, into the shape that is open: kind, bodies (from 0, the world is -1), points, axis. */
void carom_page_bodies_joints(struct carom_page_json *json, size_t count, const struct carom_joint *list);

/* What stays as it is, into the shape that is open: places at the start, radii, walls, the domain. */
enum carom_status carom_page_bodies_shape(struct carom_page_out *out, const struct carom_bodies *bodies,
                                          struct carom_error *error);

/* Bytes that all recorded contacts would take. */
double carom_page_bodies_weight(const struct carom_run_file *run);

/* Contacts of every `tall`-th sample as "touches": how many there are, the largest force, and each with its bodies,
 * place and force. Where `bytes` are too few, only the largest forces of each sample. */
enum carom_status carom_page_bodies_touches(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                            double bytes, struct carom_error *error);

/* --- what the bodies of a run look like, from the scene in its file ---------------------------------------------- */

/* Writes "shape" into the JSON: beads, a machine, solids, bodies of plane or space, or nothing. `whole`: all recorded
 * numbers of the run fit, so that cells inside solids may be shown, too. *solids: as above. */
enum carom_status carom_page_shape_write(struct carom_page_out *out, const struct carom_scene *scene,
                                         const struct carom_run_file *run, bool whole, struct carom_page_solids *solids,
                                         struct carom_error *error);

/* --- coarse-grained fields of discs and spheres, as maps over a plane -------------------------------------------- */

/* Bytes they may take of those there are, before base64. */
double carom_page_fields_bytes(const struct carom_run_file *run, double bytes);

/* Fields of some of the samples, multiples of `tall`, as "fields"; nothing where places were not recorded. In space
 * they are averages through one axis: `up` is the upright one (0 to 2, -1: none), the longer of the others the level
 * one. */
enum carom_status carom_page_fields_write(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                          int up, double bytes, struct carom_error *error);

/* --- the book of impacts: the strongest of all contacts, and of each contact its largest force ------------------- */

/* As "episodes", in the order of their strength; `bytes` is what they may take. Nothing where the file has no book. */
enum carom_status carom_page_episodes_write(struct carom_page_out *out, const struct carom_run_file *run, double bytes,
                                            struct carom_error *error);

/* --- a run file: what it says of itself, its scene, shapes, items and events ------------------------------------- */

/* `bytes` is the room for numbers, before base64. On failure the JSON is as it was before, but blobs may be left. */
enum carom_status carom_page_run_write(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);

/* --- results of studies: arrays and texts of other HDF5 files, and texts such as CSV, which pages take apart ----- */

/* `bytes` is the room; arrays beyond it are named, not shown. On failure the JSON is as it was before. */
enum carom_status carom_page_data_hdf5(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);
enum carom_status carom_page_data_text(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);

#endif
