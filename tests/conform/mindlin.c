/* Which form of Mindlin's friction is nearest to what elastic spheres do: oblique impacts of a sphere on a rigid plane
 * in each form, e = 1, beside the exact answer of Hertz and Mindlin's theory with partial slip. The table is printed:
 * psi2, the tangential rebound of the contact, over psi1, both in units of Maw, Barber and Fawcett (1976):
 *
 *     psi = kappa / mu x slip / closing speed,   kappa = 2 (1 - nu) / (2 - nu),   chi = 7 kappa / 4.
 *
 * The exact answer: traction is a sum of Hertz's pressures, D(e) dP(e) of the punch at every depth e up to the
 * overlap d, |D| <= mu, so that Q = int D dP and kappa x = int D de; whatever an increment of d and x asks for is found
 * from the rim inwards, where slip is D = +-mu (Jaeger 1993). Where the contact slips as a whole, psi2 = psi1 - 4 chi
 * for psi1 >= 4 chi - 1, which the table must show. */
#include "bodies.h"

enum { DEPTHS = 2000, FORMS = 4 };

static const char *const names[FORMS] = {"spring", "potential", "force", "rescaled"};
static const double kappa = 2.0 * 0.7 / 1.7; /* nu = 0.3 */

/* --- the exact answer -------------------------------------------------------------------------------------------- */

struct rim {
    double share[DEPTHS], weight[DEPTHS]; /* D / mu and dP, by depth */
    size_t top;                           /* depths in contact */
    double force;                         /* Q / mu */
};

/* Depths count in cells, so does kappa x / mu. The outer depths take of `lack` what is missing in the sum of shares;
 * what nobody can take is slip of the whole contact. */
static void take_up(struct rim *r, double lack)
{
    for (size_t i = r->top; i-- > 0 && lack != 0.0;) {
        const double room = (lack > 0.0 ? 1.0 : -1.0) - r->share[i];
        const double taken = fabs(lack) < fabs(room) ? lack : room;
        r->share[i] += taken;
        r->force += taken * r->weight[i];
        lack -= taken;
    }
}

/* psi2: a sphere of mass 1, closing speed 1, P = d^(3/2), one step for every depth that the overlap passes */
static double exact(double psi1)
{
    static struct rim r;
    r = (struct rim){.top = 0};
    const double cell = pow(1.25, 0.4) / DEPTHS;
    double slip = psi1, before = 1.0;
    for (size_t i = 0; i < DEPTHS; i++)
        r.weight[i] = 1.5 * sqrt(cell * ((double)i + 0.5)) * cell;
    for (size_t step = 0; step < 2 * DEPTHS; step++) {
        double lack = 0.0;
        if (step < DEPTHS) {
            r.share[r.top++] = 0.0;
        } else {
            lack = r.share[--r.top];
            r.force -= lack * r.weight[r.top];
        }
        const double d = cell * (double)r.top, speed = sqrt(fmax(1.0 - 0.8 * d * d * sqrt(d), 0.0));
        const double time = 2.0 * cell / (before + speed);
        take_up(&r, lack + slip * time / cell);
        slip -= 3.5 * kappa * r.force * time;
        before = speed;
    }
    return slip;
}

/* --- the forms --------------------------------------------------------------------------------------------------- */

/* psi2 and the most energy that the form had ever created, of the energy of the slip before */
static double formed(int form, double psi1, double *created)
{
    const double k = 1e10, mu = 0.1, param[] = {k, 0.0}, rub[] = {mu, 0.0, 1.5 * kappa * k, 0.0, form};
    struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    double v[12] = {0.0};
    b->pairing[0].friction = &carom_friction_mindlin;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[2] = 1.0;
    bodies_ball(b, 1, 0.5, 1.0, 0.0, 0.0, 0.5);
    v[6] = psi1 * mu / kappa;
    v[8] = -1.0;
    struct carom_sim *sim = bodies_sim(b, v, &carom_scheme_dp5, "tol", 1e-6, 5e-4);
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(sim != NULL);
    *created = 0.0;
    while (sim->state->time < 5e-4 && error.status == CAROM_OK) {
        carom_sim_step(sim, 1, &error);
        carom_sim_sync(sim);
        *created = fmax(*created, -bodies_ledger(sim).change / (0.5 * v[6] * v[6]));
    }
    CHECK_STATUS(error.status, CAROM_OK);
    const double *end = sim->view->v + 6, psi2 = kappa / mu * (end[0] - 0.5 * end[4]);
    CHECK(end[2] > 0.9);
    carom_sim_free(sim);
    return psi2;
}

int main(void)
{
    static const double psi[] = {0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0};
    enum { POINTS = sizeof psi / sizeof *psi };
    const double chi = 1.75 * kappa;
    double apart[FORMS] = {0.0}, created[FORMS] = {0.0};
    printf("%6s %9s", "psi1", "exact");
    for (int f = 0; f < FORMS; f++)
        printf(" %9s", names[f]);
    printf("   v_x'/v_x: exact and the forms\n");
    for (size_t i = 0; i < POINTS; i++) {
        const double right = exact(psi[i]);
        double found[FORMS];
        printf("%6.2f %9.4f", psi[i], right);
        for (int f = 0; f < FORMS; f++) {
            double more;
            found[f] = formed(f, psi[i], &more);
            apart[f] += (found[f] - right) * (found[f] - right) / POINTS;
            created[f] = fmax(created[f], more);
            printf(" %9.4f", found[f]);
        }
        printf("   %.4f", (5.0 + 2.0 * right / psi[i]) / 7.0);
        for (int f = 0; f < FORMS; f++)
            printf(" %.4f", (5.0 + 2.0 * found[f] / psi[i]) / 7.0);
        printf("\n");
        if (psi[i] >= 4.0 * chi - 1.0) {
            CHECK_NEAR(right, psi[i] - 4.0 * chi, 5e-3);
            for (int f = 0; f < FORMS; f++)
                if (f != 1) /* the potential form pushes along the normal, too */
                    CHECK_NEAR(found[f], psi[i] - 4.0 * chi, 1e-2);
        }
    }
    printf("root mean square distance of psi2 from the exact answer, and the most energy created, of the slip's:\n");
    int nearest = -1;
    for (int f = 0; f < FORMS; f++) {
        printf("  %-10s %7.4f  %.2e\n", names[f], sqrt(apart[f]), created[f]);
        if (created[f] < 1e-5 && (nearest < 0 || apart[f] < apart[nearest]))
            nearest = f;
    }
    CHECK(carom_friction_mindlin.kind.params[4].standard == nearest); /* that one is the default */
    return check_end();
}
