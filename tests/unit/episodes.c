/* The book of impacts: what it says of contacts is what momenta, ledger, events and looks after every step say, under
 * every family of schemes; a bound of rows keeps the strongest of each contact; and nothing changes by it. */
#include "chain.h"
#include "model/peak_force.h"
#include "sim/between/interval.h"

static struct chain chain; /* too large for the stack */

enum { BEADS = 6 };

static void make_chain(bool damped)
{
    const double hertz[4] = {1.0}, viscous[4] = {1.0, 0.05};
    chain_uniform(&chain, BEADS, false, true, damped ? &carom_law_kuwabara_kono : &carom_law_hertz, CAROM_END_GAP,
                  damped ? viscous : hertz);
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = 0.3 + 0.05 * (double)j;
    chain.v[0] = 1.0;
    chain.v[3] = -0.4;
}

static struct carom_sim *make_sim_as(const struct carom_scheme *scheme, double option, uint64_t episodes, bool zeros,
                                     struct carom_memory **memory)
{
    const struct carom_schedule schedule = {.every = 5.0, .events = true, .zeros = zeros, .episodes = episodes};
    struct carom_model *model = chain_model(&chain);
    struct carom_recorder *recorder = carom_recorder_create(model, NULL, 0, &schedule, NULL);
    *memory = carom_sink_memory_new();
    CHECK_OR_STOP(recorder != NULL && *memory != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, *memory, NULL), CAROM_OK);
    void *options = carom_options_create(&scheme->kind);
    CHECK_STATUS(carom_options_set(&scheme->kind, options, scheme->kind.params[0].name, option, NULL), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = chain.q,
                                      .v = chain.v,
                                      .until = 30.0,
                                      .threads = 1,
                                      .recorder = recorder,
                                      .checkpoint_every = -1.0};
    struct carom_sim *sim = carom_sim_create(&setup, NULL);
    CHECK_OR_STOP(sim != NULL);
    return sim;
}

static struct carom_sim *make_sim(const struct carom_scheme *scheme, double option, uint64_t episodes,
                                  struct carom_memory **memory)
{
    return make_sim_as(scheme, option, episodes, false, memory);
}

/* closing and opening are events, in the order of each contact */
static void check_moments(const struct carom_memory *memory)
{
    for (size_t i = 0; i < memory->nepisodes; i++) {
        const struct carom_episode *row = &memory->episode[i];
        bool closes = false, opens = isinf(row->opened);
        for (size_t k = 0; k < memory->nevents; k++) {
            const struct carom_event *event = &memory->event[k];
            if (event->contact != row->contact)
                continue;
            closes = closes ||
                     (event->kind == CAROM_EVENT_CLOSE && event->time == row->closed && event->before == -row->speed);
            opens = opens || (event->kind == CAROM_EVENT_OPEN && event->time == row->opened);
        }
        CHECK(closes && opens);
        CHECK(!(row->peak_time < row->closed) && !(row->peak_time > row->opened));
        CHECK(row->overlap > 0.0 && row->peak_force > 0.0);
    }
}

/* impulses change momenta: contacts from left to right, the first bead has one contact only */
static void check_impulses(const struct carom_sim *sim, const struct carom_memory *memory, double within)
{
    double sum[BEADS] = {0.0}, momentum = 0.0;
    for (size_t i = 0; i < memory->nepisodes; i++)
        sum[memory->episode[i].contact] += memory->episode[i].impulse;
    for (size_t i = 0; i < BEADS; i++) {
        momentum += chain.v[i] - sim->view->v[i];
        CHECK_NEAR(sum[i], momentum, within);
    }
}

static void check_losses(const struct carom_sim *sim, const struct carom_memory *memory)
{
    struct carom_ledger ledger;
    double sum = 0.0;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    for (size_t i = 0; i < memory->nepisodes; i++)
        sum += memory->episode[i].dissipated;
    CHECK_NEAR(sum, ledger.dissipated, 1e-12);
}

/* The largest of each contact, looked at after every step; of dp5, whose cubics between steps miss more than its book
 * does, after those of a hundredth of tol. */
static void check_peaks(const struct carom_scheme *scheme, double option, const struct carom_memory *memory,
                        double within)
{
    struct carom_memory *unused;
    const bool adapts = scheme == &carom_scheme_dp5;
    struct carom_sim *sim = make_sim(scheme, adapts ? 0.01 * option : option, 0, &unused);
    struct carom_peak_force peak;
    CHECK_STATUS(carom_peak_force_open(&peak, sim->model->nc, sim->model->nh, NULL), CAROM_OK);
    carom_sim_sync(sim);
    for (carom_peak_force_see(&peak, sim->model, sim->view); !carom_sim_ended(sim);) {
        CHECK_STATUS(carom_sim_step(sim, 1, NULL), CAROM_OK);
        carom_peak_force_see(&peak, sim->model, sim->view);
    }
    carom_peak_force_end(&peak);
    for (size_t j = 0; j < sim->model->nc; j++) {
        double most = 0.0;
        for (size_t i = 0; i < memory->nepisodes; i++)
            if (memory->episode[i].contact == j)
                most = fmax(most, memory->episode[i].peak_force);
        CHECK_NEAR(most, peak.largest[j], within);
    }
    carom_peak_force_close(&peak);
    carom_sim_free(sim);
}

/* displacements and velocities at the end */
static double ends_apart(const struct carom_sim *a, const struct carom_sim *b)
{
    double most = 0.0;
    for (size_t i = 0; i < BEADS; i++)
        most = fmax(most, fmax(fabs(a->view->q[i] - b->view->q[i]), fabs(a->view->v[i] - b->view->v[i])));
    return most;
}

/* what the scheme errs by in this chain, as dp5 at tol 1e-12 tells */
static double errs_by(const struct carom_sim *sim)
{
    struct carom_memory *unused;
    struct carom_sim *reference = make_sim(&carom_scheme_dp5, 1e-12, 0, &unused);
    CHECK_STATUS(carom_sim_run(reference, NULL, NULL), CAROM_OK);
    const double most = ends_apart(sim, reference);
    carom_sim_free(reference);
    return most;
}

/* Peaks are those of looks after every step, up to half of what the scheme itself errs by, or to `peaks`. */
static void check_scheme(const struct carom_scheme *scheme, double option, bool damped, double impulses, double peaks)
{
    struct carom_memory *memory;
    make_chain(damped);
    struct carom_sim *sim = make_sim(scheme, option, UINT64_MAX, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK(memory->nepisodes >= 8);
    check_moments(memory);
    check_impulses(sim, memory, impulses);
    check_losses(sim, memory);
    check_peaks(scheme, option, memory, peaks > 0.0 ? peaks : 0.5 * errs_by(sim));
    carom_sim_free(sim);
}

/* with room for two rows: those, and of the others the strongest of each contact; the motion is the same */
static void check_bound(const struct carom_scheme *scheme, double option)
{
    struct carom_memory *all, *few, *none;
    make_chain(true);
    struct carom_sim *sim[3] = {make_sim(scheme, option, UINT64_MAX, &all), make_sim(scheme, option, 2, &few),
                                make_sim(scheme, option, 0, &none)};
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(carom_sim_run(sim[i], NULL, NULL), CAROM_OK);
    CHECK(carom_state_hash(sim[0]->state) == carom_state_hash(sim[2]->state));
    CHECK(carom_state_hash(sim[1]->state) == carom_state_hash(sim[2]->state));
    CHECK(none->nepisodes == 0 && few->nepisodes < all->nepisodes && few->nepisodes <= 2 + BEADS);
    CHECK(few->nepisodes + carom_recorder_tally(sim[1]->recorder)->left_out == all->nepisodes);
    for (size_t j = 0; j < BEADS; j++) {
        double most[2] = {0.0, 0.0};
        for (size_t i = 0; i < all->nepisodes; i++)
            most[0] = all->episode[i].contact == j ? fmax(most[0], all->episode[i].peak_force) : most[0];
        for (size_t i = 0; i < few->nepisodes; i++)
            most[1] = few->episode[i].contact == j ? fmax(most[1], few->episode[i].peak_force) : most[1];
        CHECK(most[0] == most[1]);
    }
    for (size_t i = 0; i < 3; i++)
        carom_sim_free(sim[i]);
}

/* between two walls, all gaps alike */
static void make_walled(bool damped, double gap)
{
    make_chain(damped);
    chain.left_wall = true;
    chain.nc = BEADS + 1;
    chain.law[BEADS] = chain.law[0];
    chain.param[BEADS][0] = chain.param[0][0];
    chain.param[BEADS][1] = chain.param[0][1];
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = gap;
}

/* A row that stays pressed is looked at every so many steps, with courses through four of them in between. Peaks are
 * those of looks after every step, within what the scheme errs by, (sqrt(2) pi / r)^p / 24 of a swing of 0.05 with r
 * = 2.16 / step; impulses on beads are their momenta to rounding; that of the wall has passed when the force is
 * added up step by step. */
static void check_pressed(const struct carom_scheme *scheme, double step, bool damped)
{
    struct carom_memory *memory, *close;
    make_walled(damped, -0.5);
    for (size_t i = 0; i < BEADS; i++)
        chain.v[i] = 0.05 * cos(2.0 * (double)i);
    struct carom_sim *sim[2] = {make_sim(scheme, step, UINT64_MAX, &memory),
                                make_sim_as(scheme, step, UINT64_MAX, true, &close)};
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(carom_sim_run(sim[i], NULL, NULL), CAROM_OK);
    const double errs = 0.05 * pow(sqrt(2.0) * acos(-1.0) * step / 2.16, scheme->order) / 24.0;
    CHECK(memory->nepisodes == chain.nc && close->nepisodes == chain.nc);
    for (size_t j = 0; j < BEADS && memory->nepisodes == chain.nc; j++) {
        CHECK(memory->episode[j].contact == j && isinf(memory->episode[j].opened));
        CHECK_NEAR(memory->episode[j].impulse - memory->episode[j + 1].impulse, sim[0]->view->v[j] - chain.v[j], 1e-13);
    }
    CHECK_NEAR(memory->episode[0].impulse, close->episode[0].impulse, 2.0 * errs);
    check_peaks(scheme, step, memory, errs);
    carom_sim_free(sim[0]);
    carom_sim_free(sim[1]);
}

/* by how much peak, overlap and impulse of the same episodes differ at most */
struct apart {
    double peak, overlap, impulse;
};

static struct apart apart_at_most(const struct carom_memory *a, const struct carom_memory *b)
{
    struct apart most = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < a->nepisodes && i < b->nepisodes; i++) {
        const struct carom_episode *x = &a->episode[i], *y = &b->episode[i];
        if (x->contact != y->contact)
            continue;
        most.peak = fmax(most.peak, fabs(x->peak_force - y->peak_force));
        most.overlap = fmax(most.overlap, fabs(x->overlap - y->overlap));
        most.impulse = fmax(most.impulse, fabs(x->impulse - y->impulse));
    }
    return most;
}

static struct carom_sim *run_of(const struct carom_scheme *scheme, double option, bool closely,
                                struct carom_memory **memory)
{
    struct carom_sim *sim = make_sim_as(scheme, option, UINT64_MAX, closely, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    return sim;
}

/* Plain rows are looked at closer only where overlaps turn, and their impulses are those of momenta; who asks for
 * moments of zero force makes every look a close one, with impulses by quadrature. Both find the same, pressed between
 * walls and with contacts that open, up to a part of what the scheme itself errs by, which dp5 at tol 1e-12 tells: half
 * of it for peaks and overlaps, where a third is aimed at (spacing.c), and twice of it for impulses, which add up
 * over an episode. With dp5 overlaps of few looks are within its tolerance, forces within some, and those of close
 * ones, which look at the middle of its steps, too, within a tenth of it. */
static void check_close_looks(const struct carom_scheme *scheme, double option, bool damped, double gap)
{
    struct carom_memory *few, *all, *reference;
    make_walled(damped, gap);
    struct carom_sim *sim[3] = {run_of(scheme, option, false, &few), run_of(scheme, option, true, &all),
                                run_of(&carom_scheme_dp5, 1e-12, true, &reference)};
    CHECK(few->nepisodes == all->nepisodes && few->nepisodes >= BEADS);
    for (size_t i = 0; i < few->nepisodes && i < all->nepisodes; i++) {
        const struct carom_episode *a = &few->episode[i], *b = &all->episode[i];
        CHECK(a->contact == b->contact && a->closed == b->closed && a->opened == b->opened);
    }
    const struct apart looks = apart_at_most(few, all), own = apart_at_most(all, reference);
    if (scheme == &carom_scheme_dp5) {
        const struct apart true_few = apart_at_most(few, reference);
        CHECK_NEAR(true_few.peak, 0.0, 5.0 * option);
        CHECK_NEAR(true_few.overlap, 0.0, option);
        CHECK_NEAR(own.peak, 0.0, 0.1 * option);
        CHECK_NEAR(own.overlap, 0.0, 0.1 * option);
        CHECK_NEAR(looks.impulse, 0.0, 50.0 * option); /* of the wall, which is pressed all the time */
    } else {
        CHECK_NEAR(looks.peak, 0.0, 0.5 * own.peak);
        CHECK_NEAR(looks.overlap, 0.0, 0.5 * own.overlap);
        CHECK_NEAR(looks.impulse, 0.0, 2.0 * own.impulse);
    }
    for (size_t i = 0; i < 3; i++)
        carom_sim_free(sim[i]);
}

/* how far peaks and overlaps of a row that stays pressed are from those of dp5 at tol 1e-12: no further than twice what
 * the scheme itself errs by, in displacements and velocities at the end */
static struct apart errors_of(const struct carom_scheme *scheme, double step, double gamma)
{
    struct carom_memory *own, *reference;
    make_walled(gamma > 0.0, -0.5);
    for (size_t j = 0; j < chain.nc; j++)
        chain.param[j][1] = gamma;
    for (size_t i = 0; i < BEADS; i++)
        chain.v[i] = 0.05 * cos(2.0 * (double)i);
    struct carom_sim *sim[2] = {run_of(scheme, step, false, &own), run_of(&carom_scheme_dp5, 1e-12, true, &reference)};
    const struct apart errs = apart_at_most(own, reference);
    const double errs_itself = ends_apart(sim[0], sim[1]);
    CHECK(own->nepisodes == chain.nc && reference->nepisodes == chain.nc);
    CHECK_NEAR(errs.peak, 0.0, 2.0 * errs_itself);
    CHECK_NEAR(errs.overlap, 0.0, 2.0 * errs_itself);
    carom_sim_free(sim[0]);
    carom_sim_free(sim[1]);
    return errs;
}

/* Peaks and overlaps are of the scheme's order: with an eighth of the step they err by 8^p times less, half of which is
 * asked, because which of many swings is the largest may change. Tailored schemes have their order where the viscous
 * time shrinks with the step (at a fixed one they level off), and of irk's third order a little more than the second is
 * left here, in its motion as in its peaks. */
static void check_order(const struct carom_scheme *scheme, bool damped)
{
    const bool tailored = scheme == &carom_scheme_theta || scheme == &carom_scheme_irk;
    const double coarse = 0.1, fine = coarse / 8.0, gamma = damped ? 0.05 : 0.0;
    const struct apart a = errors_of(scheme, coarse, gamma),
                       b = errors_of(scheme, fine, tailored ? gamma / 8.0 : gamma);
    const double times = 0.5 * pow(8.0, scheme == &carom_scheme_irk && damped ? 2.0 : scheme->order);
    CHECK_NEAR(b.peak, 0.0, a.peak / times);
    CHECK_NEAR(b.overlap, 0.0, a.overlap / times);
}

/* one bead and one wall, on either side: the impulse turns its velocity round */
static void check_single(bool left)
{
    struct carom_memory *memory;
    const double hertz[4] = {1.0};
    chain_uniform(&chain, 1, left, !left, &carom_law_hertz, CAROM_END_GAP, hertz);
    chain.gap[0] = 0.5;
    chain.v[0] = left ? -1.0 : 1.0;
    struct carom_sim *sim = make_sim(&carom_scheme_dp5, 1e-8, UINT64_MAX, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK(memory->nepisodes == 1);
    CHECK_NEAR(memory->episode[0].impulse, 2.0, 1e-8);
    carom_sim_free(sim);
}

static double pull(const void *own, size_t j, const double *history, double deform, double rate)
{
    (void)own, (void)j, (void)history;
    return deform * sqrt(deform) + sqrt(deform) * rate;
}

/* A step may end where a contact was looked at, and this has then opened: in no time nothing passes. */
static void check_no_time(void)
{
    const struct carom_interval interval = {
        .deform = {{1.3e-17, 0.0}, {-0.0, -0.0}}, .force = {-1.4e-6, 0.0}, .law = pull};
    CHECK(carom_interval_impulse(&interval) == 0.0);
    CHECK(carom_interval_loss(&interval) == 0.0);
}

int main(void)
{
    check_no_time();
    check_single(false);
    check_single(true);
    for (int damped = 0; damped < 2; damped++)
        for (double gap = -0.1; gap < 0.3; gap += 0.15) {
            check_close_looks(&carom_scheme_dp5, 1e-8, damped, gap);
            check_close_looks(&carom_scheme_verlet, 0.01, damped, gap);
            check_close_looks(&carom_scheme_irk, 0.02, damped, gap);
        }
    for (int damped = 0; damped < 2; damped++) {
        check_pressed(&carom_scheme_verlet, 0.02, damped);
        check_pressed(&carom_scheme_theta, 0.1, damped);
        check_pressed(&carom_scheme_irk, 0.1, damped);
        check_pressed(&carom_scheme_cn_reg, 0.1, damped);
        check_pressed(&carom_scheme_gl_reg, 0.1, damped);
        check_pressed(&carom_scheme_energy_momentum, 0.1, damped);
        check_scheme(&carom_scheme_dp5, 1e-8, damped, 5e-7, 5e-9);
        check_scheme(&carom_scheme_verlet, 0.01, damped, 1e-4, 0.0);
        check_scheme(&carom_scheme_theta, 0.02, damped, 1e-4, 0.0);
        check_scheme(&carom_scheme_irk, 0.02, damped, 1e-4, 0.0);
    }
    for (int damped = 0; damped < 2; damped++) {
        check_order(&carom_scheme_verlet, damped);
        check_order(&carom_scheme_theta, damped);
        check_order(&carom_scheme_irk, damped);
        check_order(&carom_scheme_cn_reg, damped);
        check_order(&carom_scheme_gl_reg, damped);
        check_order(&carom_scheme_energy_momentum, damped);
    }
    check_bound(&carom_scheme_dp5, 1e-7);
    check_bound(&carom_scheme_verlet, 0.01);
    return check_end();
}
