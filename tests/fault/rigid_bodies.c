/* Each allocation of rigid discs under the schemes event and moreau-jean, and of boxes with friction, fails once: the
 * answer is "out of memory", or the run did without; never a crash, and under AddressSanitizer never a leak. */
#include "base/memory.h"
#include "bodies.h"

enum { BALLS = 12 };

/* a crystal that falls onto a plane; NULL: out of memory */
static struct carom_model *make_model(bool boxes, struct carom_error *error)
{
    struct carom_bodies *b = carom_bodies_create(2, BALLS + 1, 1, 1, 0, 0);
    struct carom_model *model = b ? carom_model_create() : NULL;
    if (!model) {
        carom_bodies_free(b);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory");
        return NULL;
    }
    b->pairing[0].law = &carom_law_rigid;
    b->pairing[0].param[CAROM_RIGID_E].param = 0.9;
    b->pairing[0].param[CAROM_RIGID_K].param = 1.0;
    b->pairing[0].param[CAROM_RIGID_P].param = 1.5;
    b->gravity[1] = -1.0;
    for (size_t i = 0; i < BALLS; i++)
        bodies_ball(b, i, 0.5, 1.0, (double)(i % 4), 1.0 + (double)(i / 4), 0.0);
    for (size_t i = 0; i < BALLS && boxes; i++) {
        b->body[i].surface = CAROM_BOX;
        b->body[i].size[0] = b->body[i].size[1] = 0.5;
        b->body[i].at[0] *= 1.25;
        b->body[i].at[1] -= 0.4;
    }
    if (boxes) {
        b->pairing[0].friction = &carom_friction_coulomb;
        b->pairing[0].rub[0].param = 0.3;
    }
    b->body[BALLS].surface = CAROM_PLANE;
    b->body[BALLS].fixed = true;
    b->body[BALLS].normal[1] = 1.0;
    if (carom_bodies_finish(b, error) != CAROM_OK) {
        carom_bodies_free(b);
    } else if (carom_model_add(model, &carom_part_bodies, b, error) == CAROM_OK &&
               carom_model_finish(model, error) == CAROM_OK) {
        return model;
    }
    carom_model_free(model);
    return NULL;
}

static enum carom_status run(const struct carom_scheme *scheme, const char *option, double value, bool boxes,
                             struct carom_error *error)
{
    struct carom_model *model = make_model(boxes, error);
    void *options = model ? carom_options_create(&scheme->kind) : NULL;
    double q[5 * (BALLS + 1)] = {0.0}, v[3 * (BALLS + 1)] = {0.0};
    if (!options) {
        carom_model_free(model);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    }
    carom_options_set(&scheme->kind, options, option, value, NULL);
    v[0] = 0.3;
    const struct carom_setup setup = {
        .model = model, .scheme = scheme, .options = options, .q = q, .v = v, .until = boxes ? 0.1 : 1.5, .threads = 1};
    struct carom_sim *sim = carom_sim_create(&setup, error);
    const enum carom_status status = sim ? carom_sim_run(sim, NULL, error) : error->status;
    carom_sim_free(sim);
    return status;
}

/* Until none has failed for a while: some are done without. Later ones, of flights ahead that are alike, not all, and
 * fewer still where the test is the short one. */
static void fail_each(const struct carom_scheme *scheme, const char *option, double value, bool boxes)
{
    const bool all = getenv("ALL_LINES") != NULL;
    const unsigned long each = all ? 500 : 80, step = all ? 13 : 83, calm = all ? 30 : 12;
    unsigned long nth = 1, failed = 0;
    for (unsigned long good = 0; good < calm && nth < 20000; nth += nth < each ? 1 : step) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = run(scheme, option, value, boxes, &error);
        carom_memory_fail(0);
        good = status == CAROM_OK ? good + 1 : 0;
        failed += status != CAROM_OK;
        CHECK(status == CAROM_OK || (status == CAROM_E_MEMORY && error.text[0] != '\0'));
    }
    CHECK(failed > 50 && nth < 20000);
}

int main(void)
{
    fail_each(&carom_scheme_event, "impact", 0.0, false);
    fail_each(&carom_scheme_event, "impact", 2.0, false);
    fail_each(&carom_scheme_moreau_jean, "step", 0.01, false);
    fail_each(&carom_scheme_moreau_jean, "step", 0.01, true);
    return check_end();
}
