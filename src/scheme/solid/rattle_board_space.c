/* Bodies in space on a device, src/kernel/space.cl, and those of the plane that are no boxes of one material,
 * src/kernel/flat.cl. rattle_board_links.c has their links. */
#include <string.h>

#include "base/memory.h"
#include "kernel/texts.h"
#include "kernel/turn.h"
#include "scheme/solid/rattle_board.h"

enum { STARTS = CAROM_BOARD_OWN, ENDS, SHAPES, LOPSIDED };

/* as src/kernel/space.cl has them */
struct step {
    struct carom_solid_shape axis[3];
    double gravity[3], still[3], end, begin, h;
    uint32_t n, grid[3], nshapes, nlinks;
    int ends, begins, holds, loads, heavy, framed, forces;
};

static const char *lacks(const struct carom_rattle_body *body)
{
    const struct carom_solid *s = body->solid;
    return s->nlinks > UINT32_MAX / 2 ? "bodies of at most 2e9 links" : NULL;
}

/* --- sorts -------------------------------------------------------------------------------------------------------- */

static double lopsided(const struct carom_solid_sort *s)
{
    double most = 0.0;
    for (size_t k = 0; k < 3; k++)
        most = fmax(most, fabs((s->inertia[(k + 2) % 3] - s->inertia[(k + 1) % 3]) * s->inverse_inertia[k]));
    return most;
}

/* how much sorts of portions of cells are lopsided at most */
static bool open_lopsided(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    const size_t portions = (s->n + CAROM_TURN_PORTION - 1) / CAROM_TURN_PORTION;
    double *most = carom_memory_zeroed(portions, sizeof *most);
    for (size_t i = 0; most && s->dimension == 3 && i < s->n; i++)
        most[i / CAROM_TURN_PORTION] = fmax(most[i / CAROM_TURN_PORTION], lopsided(carom_solid_sort_of(s, i)));
    const bool good = most ? carom_rattle_board_fill(b, LOPSIDED, most, portions * sizeof *most, error)
                           : carom_rattle_board_lost(error);
    carom_memory_free(most);
    return good;
}

static bool open_links(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    if (s->gridded && s->dimension == 3) /* cells know their neighbours */
        return carom_rattle_board_fill(b, STARTS, NULL, 0, error) && carom_rattle_board_fill(b, ENDS, NULL, 0, error) &&
               carom_rattle_board_fill(b, SHAPES, NULL, 0, error);
    return carom_rattle_board_links(b, s->dimension == 3, STARTS, ENDS, SHAPES, error);
}

static bool open(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    struct step *t = b->own = carom_memory_zeroed(1, sizeof *t);
    if (!t)
        return carom_rattle_board_lost(error);
    *t = (struct step){.n = (uint32_t)s->n,
                       .nshapes = (uint32_t)s->nshapes,
                       .nlinks = (uint32_t)s->nlinks,
                       .holds = s->held != NULL,
                       .loads = s->nloads > 0,
                       .framed = s->framed,
                       .still = {b->body->still[0], b->body->still[1], b->body->still[2]}};
    for (int k = 0; k < 3; k++) {
        t->axis[k] = s->gridded && (size_t)k < s->nshapes ? s->shape[k] : (struct carom_solid_shape){0};
        t->grid[k] = s->gridded ? (uint32_t)s->grid.count[k] : 0;
        t->gravity[k] = s->gravity[k];
        t->heavy |= s->gravity[k] != 0.0;
    }
    return open_links(b, error) && carom_rattle_board_sorts(b, error) && open_lopsided(b, error);
}

/* --- passes ------------------------------------------------------------------------------------------------------- */

/* one place for each cell */
static void run(struct carom_board *b, const char *kernel, const size_t *memory, size_t nmemories)
{
    const struct step *t = b->own;
    const struct carom_device_argument value[] = {{.value = t, .size = sizeof *t}};
    const size_t cells[2] = {t->n, 1};
    carom_rattle_board_run(b, kernel, cells, value, sizeof value / sizeof *value, memory, nmemories);
}

static void press(struct carom_board *b)
{
    const size_t memory[] = {CAROM_BOARD_PLACES,
                             STARTS,
                             ENDS,
                             SHAPES,
                             CAROM_BOARD_SORT,
                             CAROM_BOARD_SORTS,
                             CAROM_BOARD_FIRST,
                             CAROM_BOARD_PUSHED,
                             CAROM_BOARD_PRESSURE};
    run(b, "press", memory, sizeof memory / sizeof *memory);
}

static void advance(struct carom_board *b, double end, double begin, enum carom_board_forces forces)
{
    struct step *t = b->own;
    t->ends = end > 0.0;
    t->begins = begin > 0.0;
    t->end = 0.5 * end;
    t->begin = 0.5 * begin;
    t->h = begin;
    t->forces = (int)forces;
    const size_t memory[] = {CAROM_BOARD_PLACES,
                             CAROM_BOARD_PLACES_NEXT,
                             CAROM_BOARD_VELOCITIES,
                             CAROM_BOARD_PRESSURE,
                             STARTS,
                             ENDS,
                             SHAPES,
                             CAROM_BOARD_SORT,
                             CAROM_BOARD_SORTS,
                             CAROM_BOARD_HELD,
                             CAROM_BOARD_FIRST,
                             CAROM_BOARD_PUSHED,
                             LOPSIDED,
                             CAROM_BOARD_FORCES,
                             CAROM_BOARD_WRONG};
    run(b, "advance", memory, sizeof memory / sizeof *memory);
}

static void lay(struct carom_board *b, const char *kernel, size_t from, size_t to, size_t each)
{
    const uint64_t n = b->body->solid->n;
    const int32_t wide = (int32_t)each;
    const size_t places[2] = {n, 1};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &wide, .size = sizeof wide}};
    const size_t memory[] = {from, to};
    carom_rattle_board_run(b, kernel, places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
}

/* both are the same lines, compiled for links with records or for boxes that need none */
#define TEXTS(boxes)                                                                                                 \
    {                                                                                                                \
        carom_texts_lane, "#define BOXES " boxes "\n", carom_texts_lane3, carom_texts_vec, carom_texts_quat,         \
            carom_texts_brick, carom_texts_pair, carom_texts_turn, carom_texts_hinge, carom_texts_still,             \
            carom_texts_links, carom_texts_push, carom_texts_body, carom_texts_space_kernels, CAROM_BOARD_ACTS_SPACE \
    }
static const char *const texts[] = TEXTS("0"), *const texts_of_boxes[] = TEXTS("1");
static const char *const texts_of_flat[] = {
    carom_texts_lane,  carom_texts_lane3, carom_texts_vec,          carom_texts_quat,      carom_texts_turn,
    carom_texts_hinge, carom_texts_still, carom_texts_flat,         carom_texts_links,     carom_texts_push,
    carom_texts_body,  carom_texts_glide, carom_texts_flat_kernels, CAROM_BOARD_ACTS_PLANE};

const struct carom_board_way carom_rattle_board_space = {
    .name = "solids in space",
    .text = texts,
    .ntexts = sizeof texts / sizeof *texts,
    .group = 128, /* as the text has it */
    .lacks = lacks,
    .open = open,
    .press = press,
    .advance = advance,
    .lay = lay,
};

const struct carom_board_way carom_rattle_board_space_boxes = {
    .name = "boxes in space",
    .text = texts_of_boxes,
    .ntexts = sizeof texts_of_boxes / sizeof *texts_of_boxes,
    .group = 128,
    .lacks = lacks,
    .open = open,
    .press = press,
    .advance = advance,
    .lay = lay,
};

const struct carom_board_way carom_rattle_board_space_flat = {
    .name = "plane solids with records of links",
    .text = texts_of_flat,
    .ntexts = sizeof texts_of_flat / sizeof *texts_of_flat,
    .group = 128,
    .lacks = lacks,
    .open = open,
    .press = press,
    .advance = advance,
};
