/* Shapes that a set of bodies owns, see bodies_keep.h. */
#include "model/bodies/bodies_keep.h"

#include <string.h>

#include "base/memory.h"
#include "model/bodies/pieces.h"

/* one more pointer at the end of a list; false: out of memory */
static bool append(void *list, size_t n, const void *one)
{
    char *first;
    /* room for twice as many whenever it is full */
    if (!one || ((n & (n - 1)) == 0 && !carom_memory_widen(list, n, n > 0 ? 2 * n : 1, sizeof one)))
        return false;
    memcpy(&first, list, sizeof first);
    memcpy(first + n * sizeof one, &one, sizeof one);
    return true;
}

bool carom_bodies_keep(struct carom_bodies *b, struct carom_convex *convex)
{
    const bool good = b && append(&b->convex, b->nconvexes, convex);
    if (!good)
        carom_convex_free(convex);
    else
        b->nconvexes++;
    return good;
}

bool carom_bodies_keep_pieces(struct carom_bodies *b, struct carom_pieces *pieces)
{
    const bool good = b && append(&b->compound, b->ncompounds, pieces);
    if (!good)
        carom_pieces_free(pieces);
    else
        b->ncompounds++;
    return good;
}

enum carom_status carom_bodies_keep_boxes(struct carom_bodies *b, struct carom_error *error)
{
    const struct carom_body *last = NULL;
    for (size_t i = 0; i < b->n; i++) {
        struct carom_body *body = &b->body[i];
        if (body->surface != CAROM_BOX || body->inside || body->convex)
            continue;
        if (last && memcmp(last->size, body->size, sizeof body->size) == 0)
            body->convex = last->convex;
        else if (carom_bodies_keep(b, carom_convex_box(b->dimension, body->size)))
            body->convex = b->convex[b->nconvexes - 1];
        else
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", b->n);
        last = body;
    }
    return CAROM_OK;
}
