/* What takes long tells how far it is: shares go from 0 to 1 and never fall, and who is told may stop it at once. */
#include "carom/progress.h"

#include "base/memory.h"
#include "carom/carom.h"
#include "carom/solid.h"
#include "check.h"
#include "solids.h"

struct heard {
    int calls, stop_at; /* 0: never */
    double last;
    bool fell;
};

static bool hear(void *own, double done)
{
    struct heard *h = own;
    CHECK(done >= 0.0 && done <= 1.0);
    h->fell |= done < h->last;
    h->last = done;
    return ++h->calls != h->stop_at;
}

/* a bar of cells of 1 x 1, whose links carry waves of known speeds */
static struct carom_solid *bar(size_t n, size_t m)
{
    const struct carom_solid_material material = {1.0, 0.25, 1.0};
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){n, m, 1}, (const double[]){(double)n, (double)m, 1.0},
                        (const double[]){0.0, 0.0, 0.0}, 1.0, &material, NULL);
    CHECK_OR_STOP(s != NULL);
    return s;
}

/* the largest frequency of a body of cells n x m about its rest, heard of and then stopped at the last call */
static double frequency(size_t n, size_t m)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = bar(n, m);
    struct heard heard = {0};
    const struct carom_progress progress = {hear, &heard};
    double omega = 0.0, stopped = 0.0, *q = solid_rest(s);
    CHECK_STATUS(carom_solid_frequency(s, q, &progress, &omega, &error), CAROM_OK);
    CHECK(heard.calls > 8 && heard.last > 0.1 && !heard.fell);
    const int calls = heard.calls;
    heard = (struct heard){.stop_at = calls};
    CHECK_STATUS(carom_solid_frequency(s, q, &progress, &stopped, &error), CAROM_E_STOPPED);
    CHECK(heard.calls == calls);
    carom_memory_free(q);
    carom_solid_free(s);
    return omega;
}

/* a body with so many cells that rounds are saved, one with few, and one whose smaller sample is looked at instead */
static void test_frequency(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = bar(300, 170);
    double sample = 0.0;
    CHECK_STATUS(carom_solid_frequency(s, NULL, NULL, &sample, &error), CAROM_OK);
    carom_solid_free(s);
    const double few = frequency(30, 17), many = frequency(300, 170);
    CHECK(many >= few * (1.0 - 1e-3)); /* the larger holds the smaller */
    CHECK_NEAR(many / few, 1.0, 0.02);
    CHECK_NEAR(sample / many, 1.0, 0.01);
}

/* a scene whose spheres settle, stopped at its first, third, ... call; a whole one says the same as one nobody hears */
static void test_settle(void)
{
    static const char text[] =
        "units: none\ngravity: [0, -1]\nbodies:\n"
        "  - lattice: {name: heap, kind: square, count: [4, 4], radius: 1, at: [0, 0], mass: 1}\n"
        "  - plane: {at: [0, -1], normal: [0, 1]}\n  - plane: {at: [-1, 0], normal: [1, 0]}\n"
        "  - plane: {at: [8, 0], normal: [-1, 0]}\n"
        "contacts: {law: hertz, k: 1e5}\nstart: [{body: heap, settle: true}]\nrun: {until: 1, step: 1e-4}\n";
    struct carom_error error = {CAROM_OK, ""};
    struct heard heard = {0};
    const struct carom_progress progress = {hear, &heard};
    const struct carom_scene_wish wish = {.progress = &progress};
    struct carom_scene *whole = carom_scene_parse_as("t", text, strlen(text), NULL, 0, &wish, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(whole != NULL);
    const int calls = heard.calls;
    CHECK(calls > 3);
    for (int at = 1; at <= calls; at += 1 + calls / 4) {
        heard = (struct heard){.stop_at = at};
        CHECK(carom_scene_parse_as("t", text, strlen(text), NULL, 0, &wish, &error) == NULL);
        CHECK(error.status == CAROM_E_STOPPED && heard.calls == at);
    }
    error = (struct carom_error){CAROM_OK, ""};
    struct carom_scene *alone = carom_scene_parse("t", text, strlen(text), NULL, 0, &error);
    CHECK_OR_STOP(alone != NULL);
    CHECK(memcmp(alone->q, whole->q, alone->model->nq * sizeof *alone->q) == 0);
    carom_scene_free(alone);
    carom_scene_free(whole);
}

int main(void)
{
    test_frequency();
    test_settle();
    return check_end();
}
