/* Out of memory in any allocation of opening frames, impacts and time-stepping schemes: an error, and nothing leaks
 * (the sanitizers look). */
#include "rigid.h"
#include "base/memory.h"
#include "carom/impact.h"
#include "model/frame.h"

static const struct row row = {.n = 6, .left = true, .e_all = 0.5, .gravity = -10.0};

/* contacts in another order make it a model that is no chain */
static struct carom_model *model_of(bool chain)
{
    struct carom_model *model = row_model(&row);
    if (!chain) {
        for (int k = 0; k < 2; k++) {
            const int32_t hold = model->pair[0][k];
            model->pair[0][k] = model->pair[1][k];
            model->pair[1][k] = hold;
        }
        CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
        CHECK(!(model->offers & CAROM_CHAIN));
    }
    return model;
}

static void try_schemes(bool chain, const struct carom_scheme *scheme)
{
    struct play play = play_begin(model_of(chain), scheme, 1e-3);
    if (scheme == &carom_scheme_moreau_jean)
        play_option(&play, scheme, "project", 1.0);
    unsigned long nth = 1;
    for (struct carom_stepper *stepper = NULL; !stepper && nth < 100; nth++) {
        struct carom_error error = {0};
        carom_memory_fail(nth);
        stepper = carom_stepper_create(scheme, play.model, play.options, &play.scales, NULL, &error);
        carom_memory_fail(0);
        CHECK(stepper || error.status == CAROM_E_MEMORY);
        carom_stepper_free(stepper);
        if (stepper)
            break;
    }
    CHECK(nth > 10 && nth < 100);
    play_close(&play);
}

static void try_impacts(bool chain)
{
    struct carom_model *model = model_of(chain);
    for (size_t i = 0; carom_striker_impacts[i]; i++) {
        struct carom_striker *striker = NULL;
        for (unsigned long nth = 1; !striker && nth < 100; nth++) {
            struct carom_error error = {0};
            carom_memory_fail(nth);
            striker = carom_striker_create(carom_striker_impacts[i], model, NULL, model->nc, &error);
            carom_memory_fail(0);
            CHECK(striker || error.status == CAROM_E_MEMORY);
        }
        CHECK(striker != NULL);
        CHECK_TEXT(carom_striker_names[i], carom_striker_impacts[i]->kind.name);
        carom_striker_free(striker);
    }
    struct carom_frame frame = {0};
    enum carom_status status = CAROM_E_MEMORY;
    for (unsigned long nth = 1; status != CAROM_OK && nth < 100; nth++) {
        carom_memory_fail(nth);
        status = carom_frame_open(&frame, model, model->nc, NULL);
        carom_memory_fail(0);
        CHECK(status == CAROM_OK || status == CAROM_E_MEMORY);
    }
    CHECK_STATUS(status, CAROM_OK);
    carom_frame_close(&frame);
    carom_model_free(model);
}

int main(void)
{
    for (int chain = 0; chain < 2; chain++) {
        try_schemes(chain == 1, &carom_scheme_moreau_jean);
        try_schemes(chain == 1, &carom_scheme_schatzman_paoli);
        try_impacts(chain == 1);
    }
    return check_end();
}
