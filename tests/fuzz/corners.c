/* Any bytes as a file of triangles, STL or OBJ by the first of them: their corners make a convex body or one sentence.
 * A body holds its corners and has a volume. */
#include <math.h>

#include "fuzz.h"
#include "model/bodies/convex.h"
#include "scene/space/import_corners.h"

#define MOST 256

static void check_body(const struct carom_convex *body)
{
    fuzz_need(body->volume > 0.0 && body->reach > 0.0 && isfinite(body->volume), "a body without a volume");
    for (size_t k = 0; k < 3; k++)
        fuzz_need(body->moments[k] >= 0.0 && isfinite(body->moments[k]), "moments that are none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static double point[MOST][3];
    double centre[3], frame[4];
    struct carom_error error = {CAROM_OK, ""};
    size_t n = 0;
    if (size == 0)
        return 0;
    const char *name = data[0] % 2 == 0 ? "a.stl" : "a.obj";
    const enum carom_status status = carom_import_corners(fuzz_file(data + 1, size - 1), name, point, MOST, &n, &error);
    fuzz_error(status, &error);
    if (status != CAROM_OK)
        return 0;
    struct carom_convex *body = carom_convex_create(3, (const double(*)[3])point, n, centre, frame, &error);
    if (body != NULL)
        check_body(body);
    else
        fuzz_error(error.status, &error);
    carom_convex_free(body);
    return 0;
}
