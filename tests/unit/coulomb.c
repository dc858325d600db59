/* Friction of a step where there is nothing to find: two contacts that press on the same body from both sides jam,
 * whatever they do, and the sentence says so; among many contacts it says what was reached; numbers that are none are
 * named by their contact. A step that is refused has not changed what it was given. */
#include "scheme/rigid/coulomb.h"

#include <string.h>

#include "carom/law.h"
#include "check.h"

enum { MOST = 8 };

/* Contacts 1 and 2 hold one body between them, the others one body each; all slip alike, and mu is 0.5. */
struct jam {
    size_t contact[MOST];
    bool slips[MOST];
    double mu[MOST], none[MOST], *column[CAROM_RIGID_COLUMNS];
    double both[4 * MOST * MOST];
    struct carom_group group;
    struct carom_model model;
    struct carom_frame frame;
    struct carom_scheme scheme;
    struct carom_stepper stepper;
    struct carom_coulomb rub;
};

static void open_jam(struct jam *j, size_t n, double tolerance)
{
    *j = (struct jam){.group = {.count = n, .param = j->column}, .scheme = {.kind = {.name = "moreau-jean"}}};
    for (size_t i = 0; i < CAROM_RIGID_COLUMNS; i++)
        j->column[i] = i == CAROM_RIGID_MU ? j->mu : j->none;
    for (size_t i = 0; i < n; i++) {
        j->contact[i] = i;
        j->slips[i] = true;
        j->mu[i] = 0.5;
    }
    for (size_t k = 0; k < 2 * n; k++)
        j->both[k * 2 * n + k] = 1.0;
    j->both[2] = j->both[2 * 2 * n] = -1.0;
    j->model = (struct carom_model){.nc = n, .ngroups = 1, .group = &j->group};
    j->frame = (struct carom_frame){
        .model = &j->model, .n = n, .contact = j->contact, .tangents = 1, .slips = j->slips, .both = j->both};
    j->stepper = (struct carom_stepper){.scheme = &j->scheme};
    CHECK_STATUS(carom_coulomb_open(&j->rub, &j->model, tolerance, NULL), CAROM_OK);
}

/* b: gap rates if nothing acts */
static void solve(struct jam *j, double first, double second, double slip, enum carom_status expected,
                  struct carom_error *error)
{
    double b[MOST] = {first, second, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0}, impulse[MOST] = {0.0};
    const double nothing[MOST] = {0.0};
    for (size_t i = 0; i < j->frame.n; i++)
        j->rub.freely[i] = i == 1 ? slip : 0.25;
    *error = (struct carom_error){CAROM_OK, ""};
    CHECK_STATUS(carom_coulomb_solve(&j->rub, &j->stepper, &j->frame, 1.5, b, NULL, impulse, error), expected);
    if (expected != CAROM_OK)
        CHECK(memcmp(impulse, nothing, sizeof nothing) == 0);
}

static void test_few(void)
{
    struct jam j;
    struct carom_error error;
    open_jam(&j, 2, 1e-10);
    solve(&j, -1.0, -1.0, 0.25, CAROM_E_NUMERIC, &error);
    CHECK_TEXT(error.text,
               "moreau-jean: the contact problem with friction at t = 1.5 (2 contacts, contact 1 the first) "
               "seems to have no solution: contacts jam, and no choice of which are open, stick or slip "
               "solves it; a smaller mu or e may have one, and so may impact: poisson of scheme event");
    solve(&j, -1.0, 2.0, 0.25, CAROM_OK, &error); /* the second gives way */
    CHECK(j.rub.r[0] == 1.0 && j.rub.r[2] == 0.0 && j.rub.u[2] == 1.0);
    CHECK(j.rub.mode[0] == CAROM_COULOMB_STICK && j.rub.mode[1] == CAROM_COULOMB_OPEN && j.rub.impulse[0] == -0.25);
    solve(&j, -1.0, -1.0, nan(""), CAROM_E_NUMERIC, &error);
    CHECK_TEXT(error.text, "contact 2: its gap or slip rate is not finite at t = 1.5");
    solve(&j, HUGE_VAL, 1.0, 0.25, CAROM_E_NUMERIC, &error);
    CHECK_TEXT(error.text, "contact 1: its gap or slip rate is not finite at t = 1.5");
    carom_coulomb_close(&j.rub);
}

static void test_many(void)
{
    struct jam j;
    struct carom_error error;
    open_jam(&j, 7, 1e-10);
    solve(&j, -1.0, -1.0, 0.25, CAROM_E_NUMERIC, &error);
    CHECK_CONTAINS(error.text, "moreau-jean: the contact problem with friction at t = 1.5 (7 contacts, contact 1 the "
                               "first) was solved to ");
    CHECK_CONTAINS(error.text, "solver_tol is 1.0e-10 (");
    CHECK_CONTAINS(error.text, "); the step is refused");
    solve(&j, -1.0, 1.0, 3.0, CAROM_OK, &error);
    for (size_t i = 2; i < 7; i++)
        CHECK(j.rub.mode[i] == CAROM_COULOMB_STICK && j.rub.r[2 * i] == 1.0 && j.rub.r[2 * i + 1] == -0.25);
    carom_coulomb_close(&j.rub);
}

int main(void)
{
    test_few();
    test_many();
    return check_end();
}
