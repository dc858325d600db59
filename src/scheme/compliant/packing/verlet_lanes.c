/* Balls in a step of verlet, contacts side by side in lanes: which are worked out so, and with how many lanes. The
 * passes themselves stand in verlet_lanes_pass.h; those of processors with wider registers are made of the same text by
 * verlet_lanes_wide.c, and give the same bits. */
#include "carom/law.h"
#include "scheme/compliant/packing/verlet_lanes_moves.h"
#include "scheme/compliant/packing/verlet_lanes_pass.h"

/* --- which ------------------------------------------------------------------------------------------------------- */

static struct carom_verlet_number number_of(const struct carom_scaled *scaled, size_t column)
{
    return (struct carom_verlet_number){scaled->param, carom_scaled_varies(scaled) ? column : SIZE_MAX};
}

bool carom_verlet_lanes_plain(const struct carom_pairing *p, enum carom_way way, struct carom_ball_friction_law *law)
{
    const bool mindlin = carom_pairing_resists(p, way) == &carom_friction_mindlin;
    const struct carom_scaled *number = carom_pairing_resistance(p, way), *mu = &number[0], *mu_static = &number[1];
    const enum carom_friction_form form = mindlin ? (enum carom_friction_form)number[4].param : CAROM_FORM_SPRING;
    const bool always = form == CAROM_FORM_FORCE;
    *law = (struct carom_ball_friction_law){
        .hertzian = mindlin, .follows = always || form == CAROM_FORM_RESCALED, .always = always, .mu = mu->param};
    return form != CAROM_FORM_POTENTIAL && !carom_scaled_varies(mu) && !carom_scaled_varies(mu_static) &&
           !(mu_static->param > mu->param);
}

static bool choose_friction(const struct carom_verlet_bodies_work *w, const struct carom_pairing *p,
                            struct carom_verlet_lanes *out)
{
    if (p->friction != &carom_friction_mindlin && p->friction != &carom_friction_cundall_strack)
        return false;
    out->rubs = true;
    out->k_t = number_of(&p->rub[2], w->columns.rub[CAROM_SLIDES] + 2);
    out->gamma_t = number_of(&p->rub[3], w->columns.rub[CAROM_SLIDES] + 3);
    return carom_verlet_lanes_plain(p, CAROM_SLIDES, &out->rub);
}

static const struct carom_verlet_passes narrow = {press_some, kick_some, drift_some, finish_some};

void carom_verlet_lanes_choose(struct carom_verlet_bodies_work *w)
{
    const struct carom_verlet_passes *wide = carom_verlet_lanes_wide();
    w->passes = wide ? wide : &narrow;
    for (size_t i = 0; i < w->bodies->npairings; i++) {
        const struct carom_pairing *p = &w->bodies->pairing[i];
        struct carom_verlet_lanes *out = &w->lanes[i];
        const bool damped = p->law == &carom_law_kuwabara_kono;
        *out = (struct carom_verlet_lanes){.gamma = {0.0, SIZE_MAX}};
        out->k = number_of(&p->param[0], w->columns.param);
        if (damped)
            out->gamma = number_of(&p->param[1], w->columns.param + 1);
        out->good = (damped || p->law == &carom_law_hertz) && p->ending == CAROM_END_GAP && !p->rolling && !p->twisting;
        if (p->friction)
            out->good = choose_friction(w, p, out) && out->good;
    }
}

/* --- one by one -------------------------------------------------------------------------------------------------- */

struct carom_verlet_contact carom_verlet_lanes_meet(const struct carom_verlet_bodies_work *w,
                                                    const struct carom_contact_key *key, const double *q, size_t j)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + key->a * nq, *qb = q + key->b * nq;
    const bool plane = w->bodies->dimension == 2;
    const lane3 du = {carom_lane_all(qb[0] - qa[0]), carom_lane_all(qb[1] - qa[1]),
                      carom_lane_all(plane ? 0.0 : qb[2] - qa[2])};
    const double *apart = w->centres[j].apart, *const both[CAROM_LANES] = {apart, apart};
    struct carom_verlet_contact out = w->contact[j];
    struct carom_ball_few few = {.rest = carom_lane_all(out.rest)};
    approach(both, du, plane, &few);
    carom_ball_meet(plane, &few);
    out.normal[0] = few.normal.x[0];
    out.normal[1] = few.normal.y[0];
    out.normal[2] = few.normal.z[0];
    out.deform = few.deform[0];
    out.root = few.root[0];
    return out;
}
