/* Plane boxes of one material on a device, as the processor sweeps them (rattle_sheet.c): src/kernel/sheet.cl. */
#include <string.h>

#include "base/memory.h"
#include "kernel/texts.h"
#include "model/solid/solid_sheet.h"
#include "scheme/solid/rattle_board.h"

enum { SCALE = CAROM_BOARD_OWN };

/* columns and rows of a group of places, as the text has them; how many columns are neighbours' on either side */
enum { ALONG = 64, LINES = 64, BESIDE = 2 };

/* as src/kernel/sheet.cl has it */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2], end[3], begin[3], still[2], h, rate;
    uint64_t nx, ny;
    int ends, begins, holds, loads, keeps, pad;
};

static bool open(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    const size_t nx = s->grid.count[0], row[] = {0, s->grid.count[1] > 2 ? 1 : 0, s->grid.count[1] - 1};
    double *scale = carom_memory_zeroed(3 * nx, sizeof *scale);
    struct step *t = b->own = carom_memory_zeroed(1, sizeof *t);
    if (!scale || !t) {
        carom_memory_free(scale);
        return carom_rattle_board_lost(error);
    }
    *t = (struct step){.nx = nx,
                       .ny = s->grid.count[1],
                       .holds = s->held != NULL,
                       .loads = s->nloads > 0,
                       .still = {b->body->still[0], b->body->still[1]}};
    for (int k = 0; k < 2; k++) {
        t->axis[k] = carom_solid_sheet_axis(s, k);
        t->weight[k] = s->sorts[0].mass * s->gravity[k];
    }
    for (size_t k = 0; k < 3; k++)
        memcpy(scale + k * nx, carom_solid_sheet_scale(s, row[k]), nx * sizeof *scale);
    const bool good = carom_rattle_board_fill(b, SCALE, scale, 3 * nx * sizeof *scale, error);
    carom_memory_free(scale);
    return good;
}

/* Runs a kernel that goes through columns and rows: a place for each column of a group. */
static void sweep(struct carom_board *b, const char *kernel, const size_t *memory, size_t nmemories)
{
    const struct step *t = b->own;
    const size_t own = ALONG - 2 * BESIDE, groups = (t->nx + own - 1) / own;
    const size_t places[2] = {groups * ALONG, (t->ny + LINES - 1) / LINES};
    const struct carom_device_argument value[] = {{.value = t, .size = sizeof *t}};
    carom_rattle_board_run(b, kernel, places, value, sizeof value / sizeof *value, memory, nmemories);
}

/* the same of one that looks at each cell alone */
static void visit(struct carom_board *b, const char *kernel, const size_t *memory, size_t nmemories)
{
    const struct step *t = b->own;
    const size_t places[2] = {t->nx, t->ny};
    const struct carom_device_argument value[] = {{.value = t, .size = sizeof *t}};
    carom_rattle_board_run(b, kernel, places, value, sizeof value / sizeof *value, memory, nmemories);
}

static void press(struct carom_board *b)
{
    const struct step *t = b->own;
    if (!t->loads) /* else nobody wants to know: steps work them out for themselves */
        return;
    const size_t memory[] = {CAROM_BOARD_PLACES, SCALE, CAROM_BOARD_FIRST, CAROM_BOARD_PUSHED, CAROM_BOARD_PRESSURE};
    visit(b, "press", memory, sizeof memory / sizeof *memory);
}

/* the step begins with forces that were kept */
static void depart(struct carom_board *b)
{
    const size_t memory[] = {CAROM_BOARD_PLACES, CAROM_BOARD_PLACES_NEXT, CAROM_BOARD_VELOCITIES, CAROM_BOARD_HELD,
                             CAROM_BOARD_FIRST,  CAROM_BOARD_PUSHED,      CAROM_BOARD_FORCES,     CAROM_BOARD_WRONG};
    visit(b, "depart", memory, sizeof memory / sizeof *memory);
}

/* Bodies that are driven are moved as the processor moves them, cell by cell, by forces that are kept. */
static void lead(struct carom_board *b, double end, double begin, bool fresh)
{
    const struct carom_solid *s = b->body->solid;
    const uint64_t n = s->n;
    const int32_t holds = s->held != NULL, loads = fresh && s->nloads > 0;
    const double *still = b->body->still;
    const size_t places[2] = {n, 1};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &end, .size = sizeof end},
                                                  {.value = &begin, .size = sizeof begin},
                                                  {.value = &still[0], .size = sizeof *still},
                                                  {.value = &still[1], .size = sizeof *still},
                                                  {.value = &holds, .size = sizeof holds},
                                                  {.value = &loads, .size = sizeof loads}};
    const size_t memory[] = {CAROM_BOARD_PLACES, CAROM_BOARD_PLACES_NEXT, CAROM_BOARD_VELOCITIES, CAROM_BOARD_HELD,
                             CAROM_BOARD_FIRST,  CAROM_BOARD_PUSHED,      CAROM_BOARD_SORT,       CAROM_BOARD_SORTS,
                             CAROM_BOARD_FORCES, CAROM_BOARD_WRONG};
    carom_rattle_board_run(b, "lead", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
}

static void step_rows(struct carom_board *b, double end, double begin, enum carom_board_forces forces)
{
    const struct carom_solid_sort *sort = &b->body->solid->sorts[0];
    struct step *t = b->own;
    t->ends = end > 0.0;
    t->begins = begin > 0.0;
    t->end[0] = t->end[1] = 0.5 * end * sort->inverse_mass;
    t->begin[0] = t->begin[1] = 0.5 * begin * sort->inverse_mass;
    t->end[2] = 0.5 * end;
    t->begin[2] = 0.5 * begin;
    t->h = begin;
    t->rate = begin * sort->inverse_inertia[2];
    t->keeps = forces == CAROM_BOARD_KEPT;
    if (forces == CAROM_BOARD_TAKEN) {
        depart(b);
        return;
    }
    const size_t memory[] = {CAROM_BOARD_PLACES, CAROM_BOARD_PLACES_NEXT, CAROM_BOARD_VELOCITIES, SCALE,
                             CAROM_BOARD_HELD,   CAROM_BOARD_FIRST,       CAROM_BOARD_PUSHED,     CAROM_BOARD_FORCES,
                             CAROM_BOARD_WRONG};
    sweep(b, "advance", memory, sizeof memory / sizeof *memory);
}

static void advance(struct carom_board *b, double end, double begin, enum carom_board_forces forces)
{
    const bool fresh = forces != CAROM_BOARD_TAKEN;
    if (b->body->swept) {
        step_rows(b, end, begin, forces);
        return;
    }
    if (fresh)
        step_rows(b, 0.0, 0.0, CAROM_BOARD_KEPT);
    lead(b, end, begin, fresh);
}

static const char *const texts[] = {carom_texts_lane,          carom_texts_sheet,
                                    carom_texts_lane3,         carom_texts_vec,
                                    carom_texts_quat,          carom_texts_turn,
                                    carom_texts_hinge,         carom_texts_still,
                                    carom_texts_push,          "#define ALONG 64\n#define LINES 64\n",
                                    carom_texts_sheet_kernels, carom_texts_flat,
                                    carom_texts_links,         carom_texts_glide,
                                    carom_texts_lead,          CAROM_BOARD_ACTS_PLANE};

const struct carom_board_way carom_rattle_board_plane = {
    .name = "plane solids",
    .text = texts,
    .ntexts = sizeof texts / sizeof *texts,
    .group = ALONG,
    .open = open,
    .press = press,
    .advance = advance,
};
