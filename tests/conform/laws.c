/* Every registered law keeps what law.h promises: forces are slopes of energies, dampers of their impulse, the
 * dissipated power is the damper's, open contacts give zeros, a batch equals its contacts one by one. Laws with phases
 * are taken along random paths: work = stored + lost, nothing is ever gained, no force jumps where phases end. */
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"

enum { ELASTIC, SLOPE, VISCOUS, DRAG, POWER, ENERGY, OUTPUTS };
enum { BATCH = 37 };

struct output {
    double of[OUTPUTS];
};

/* A value a user might give: in the range of the row, over six decades where it has no end. */
static double draw(struct carom_random *random, const struct carom_param *row)
{
    const double u = carom_random_uniform(random);
    if (row->low <= 0.0 && carom_random_below(random, 6) == 0)
        return 0.0;
    if (row->high < 1e6)
        return row->low + u * (fmin(row->high, row->low + 4.0) - row->low);
    return fmax(row->low, pow(10.0, 6.0 * u - 3.0));
}

static void evaluate(const struct carom_law *law, const double *const *param, double d, double rate, struct output *out)
{
    double *o = out->of;
    double history[CAROM_LAW_WIDTH] = {0.0}, history_rate[CAROM_LAW_WIDTH];
    const double *memory[CAROM_LAW_WIDTH];
    double *memory_rate[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++) {
        memory[i] = &history[i];
        memory_rate[i] = &history_rate[i];
    }
    for (size_t i = 0; i < OUTPUTS; i++) /* whatever stood there before is written over */
        o[i] = nan("");
    const struct carom_batch batch = {.n = 1,
                                      .param = param,
                                      .deform = &d,
                                      .rate = &rate,
                                      .history = memory,
                                      .elastic = &o[ELASTIC],
                                      .slope = &o[SLOPE],
                                      .viscous = &o[VISCOUS],
                                      .drag = &o[DRAG],
                                      .power = &o[POWER],
                                      .energy = &o[ENERGY],
                                      .history_rate = memory_rate};
    law->evaluate(&batch);
}

/* Slope of one output at d by central differences of fourth order. */
static double difference(const struct carom_law *law, const double *const *param, double d, int which)
{
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const double h = 3e-4 * d;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        struct output out;
        evaluate(law, param, d + at[i] * h, 0.0, &out);
        sum += weight[i] * out.of[which];
    }
    return sum / (12.0 * h);
}

static void check_slopes(const struct carom_law *law, const double *const *param, double d)
{
    struct output out;
    evaluate(law, param, d, 0.0, &out);
    const double *o = out.of;
    const double pull = law->pull ? law->pull(param, 0) : 0.0; /* digits are lost where it is nearly the force */
    for (int i = 0; i < OUTPUTS; i++)
        CHECK((o[i] >= 0.0 || (pull > 0.0 && (i == ELASTIC || i == ENERGY))) && fabs(o[i]) < HUGE_VAL);
    CHECK_NEAR(difference(law, param, d, ENERGY), o[ELASTIC], 1e-8 * (o[ELASTIC] + 2.0 * pull));
    CHECK_NEAR(difference(law, param, d, ELASTIC), o[SLOPE], 1e-8 * o[SLOPE] + 1e-11 * pull / d);
    CHECK_NEAR(difference(law, param, d, VISCOUS), o[DRAG], 1e-8 * o[DRAG]);
}

static void check_power(const struct carom_law *law, const double *const *param, double d, double rate)
{
    struct output out;
    evaluate(law, param, d, rate, &out);
    CHECK_NEAR(out.of[POWER], out.of[DRAG] * rate * rate, 1e-14 * out.of[POWER]);
}

/* viscous_time says c: viscous = c elastic, drag = c slope, at every overlap. Without c: no c would do. */
static void check_viscous_time(const struct carom_law *law, const double *const *param, double d)
{
    struct output near, far;
    const double c = law->viscous_time ? law->viscous_time(param, 0) : 0.0;
    evaluate(law, param, d, 0.0, &near);
    evaluate(law, param, 3.0 * d, 0.0, &far);
    if (c >= 0.0) {
        const double pull = law->pull ? law->pull(param, 0) : 0.0;
        CHECK_NEAR(near.of[VISCOUS], c * (near.of[ELASTIC] + pull), 1e-13 * (near.of[VISCOUS] + c * pull));
        CHECK_NEAR(near.of[DRAG], c * near.of[SLOPE], 1e-13 * near.of[DRAG]);
    } else if (near.of[DRAG] > 0.0) { /* k = 0 has no damping at all */
        const double one = near.of[DRAG] * far.of[SLOPE], other = far.of[DRAG] * near.of[SLOPE];
        CHECK(fabs(one - other) > 1e-12 * fabs(one));
    }
}

static void check_open(const struct carom_law *law, const double *const *param)
{
    const double open[] = {0.0, -0.0, -1e-300, -1.0};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        struct output out;
        memset(&out, 0x7f, sizeof out);
        evaluate(law, param, open[i], -2.0, &out);
        for (int k = 0; k < OUTPUTS; k++)
            CHECK(out.of[k] == 0.0);
    }
}

static bool same_bits(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Many contacts at once, all outputs or one at a time, with open ones among them: the same bits. */
static void check_batch(const struct carom_law *law, struct carom_random *random, size_t rows)
{
    static double column[CAROM_LAW_WIDTH][BATCH], all[OUTPUTS][BATCH], one[OUTPUTS][BATCH];
    const double *param[CAROM_LAW_WIDTH];
    double deform[BATCH], rate[BATCH];
    for (size_t i = 0; i < rows; i++) {
        param[i] = column[i];
        for (size_t j = 0; j < BATCH; j++)
            column[i][j] = draw(random, &law->kind.params[i]);
    }
    for (size_t j = 0; j < BATCH; j++) {
        deform[j] = carom_random_normal(random);
        rate[j] = carom_random_normal(random);
    }
    struct carom_batch batch = {.n = BATCH,
                                .param = param,
                                .deform = deform,
                                .rate = rate,
                                .elastic = all[ELASTIC],
                                .slope = all[SLOPE],
                                .viscous = all[VISCOUS],
                                .drag = all[DRAG],
                                .power = all[POWER],
                                .energy = all[ENERGY]};
    law->evaluate(&batch);
    for (size_t j = 0; j < BATCH; j++) {
        struct output out;
        const double *single[CAROM_LAW_WIDTH];
        for (size_t i = 0; i < rows; i++)
            single[i] = &column[i][j];
        evaluate(law, single, deform[j], rate[j], &out);
        for (int k = 0; k < OUTPUTS; k++)
            CHECK(same_bits(&out.of[k], &all[k][j], 1));
    }
    double **const slot[OUTPUTS] = {&batch.elastic, &batch.slope, &batch.viscous,
                                    &batch.drag,    &batch.power, &batch.energy};
    for (int k = 0; k < OUTPUTS; k++) {
        for (int i = 0; i < OUTPUTS; i++)
            *slot[i] = i == k ? one[k] : NULL;
        batch.rate = k == POWER ? rate : NULL;
        law->evaluate(&batch);
        CHECK(same_bits(one[k], all[k], BATCH));
    }
}

/* --- laws with phases ------------------------------------------------------------------------------------------- */

/* A contact that is taken along a path. */
struct walk {
    const struct carom_law *law;
    const double *const *param;
    double history[CAROM_LAW_WIDTH];
    double deform, work, lost, most; /* most: the largest energy on the way, for comparison */
};

static void walk_margin(const struct walk *w, double deform, double rate, double margin[2])
{
    const double *column[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
        column[i] = &w->history[i];
    w->law->margin(w->param, column, 0, deform, rate, margin);
}

static void walk_evaluate(const struct walk *w, double deform, double rate, struct output *out)
{
    double *o = out->of, history_rate[CAROM_LAW_WIDTH], *rates[CAROM_LAW_WIDTH];
    const double *column[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++) {
        column[i] = &w->history[i];
        rates[i] = &history_rate[i];
    }
    const struct carom_batch batch = {.n = 1,
                                      .param = w->param,
                                      .deform = &deform,
                                      .rate = &rate,
                                      .history = column,
                                      .elastic = &o[ELASTIC],
                                      .slope = &o[SLOPE],
                                      .viscous = &o[VISCOUS],
                                      .drag = &o[DRAG],
                                      .power = &o[POWER],
                                      .energy = &o[ENERGY],
                                      .history_rate = rates};
    w->law->evaluate(&batch);
    for (size_t i = 0; i < w->law->nh; i++)
        CHECK(history_rate[i] == 0.0); /* inside a phase nothing changes */
}

/* the next phase: force and stored energy go on as they were */
static void walk_turn(struct walk *w, int by)
{
    struct output before, after;
    double *column[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
        column[i] = &w->history[i];
    walk_evaluate(w, w->deform, 0.0, &before);
    w->law->turn(w->param, column, 0, w->deform, by);
    walk_evaluate(w, w->deform, 0.0, &after);
    const double scale = before.of[SLOPE] + after.of[SLOPE];
    CHECK_NEAR(after.of[ELASTIC], before.of[ELASTIC], 1e-9 * fmax(before.of[ELASTIC], scale * 1e-6));
    CHECK_NEAR(after.of[ENERGY], before.of[ENERGY], 1e-9 * before.of[ENERGY] + 1e-12 * w->most);
}

/* inside one phase to `to`: force is what is stored more and lost, point by point and in sum */
static void walk_on(struct walk *w, double to, double rate)
{
    static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169}, weight[3] = {5.0, 8.0, 5.0};
    struct output out, low, high;
    const double from = w->deform, h = 1e-5 * fabs(to - from);
    for (int i = 0; i < 3; i++) {
        const double d = from + node[i] * (to - from);
        walk_evaluate(w, d, rate, &out);
        walk_evaluate(w, d - h, rate, &low);
        walk_evaluate(w, d + h, rate, &high);
        const double rise = (high.of[ENERGY] - low.of[ENERGY]) / (2.0 * h), force = out.of[ELASTIC];
        CHECK(force >= 0.0 && out.of[ENERGY] >= 0.0 && out.of[DRAG] == 0.0 && out.of[VISCOUS] == 0.0);
        CHECK(out.of[POWER] >= 0.0);
        if (fabs(to - from) > 1e-9 * fabs(from)) {
            CHECK_NEAR(rise + out.of[POWER] / rate, force,
                       1e-6 * force + 1e-9 * w->most / fabs(to - from) + 1e-15 * fabs(d) / h * rise);
            CHECK_NEAR((high.of[ELASTIC] - low.of[ELASTIC]) / (2.0 * h), out.of[SLOPE],
                       1e-6 * out.of[SLOPE] + 1e-9 * force / h + 1e-15 * fabs(d) / h * out.of[SLOPE]);
        }
        w->work += weight[i] / 18.0 * force * (to - from);
        w->lost += weight[i] / 18.0 * out.of[POWER] / rate * (to - from);
        w->most = fmax(w->most, out.of[ENERGY]);
    }
    w->deform = to;
}

/* to `to` with this rate, through all phases on the way */
static void walk_to(struct walk *w, double to, double rate)
{
    for (int phases = 0; phases < 10; phases++) {
        double margin[2], low = w->deform, high = to;
        walk_margin(w, w->deform, rate, margin);
        if (margin[1] < 0.0) {
            walk_turn(w, 1);
            continue;
        }
        walk_margin(w, to, rate, margin);
        if (!(margin[0] < 0.0)) {
            walk_on(w, to, rate);
            return;
        }
        for (int i = 0; i < 200; i++) {
            const double middle = 0.5 * (low + high);
            walk_margin(w, middle, rate, margin);
            *(margin[0] < 0.0 ? &high : &low) = middle;
        }
        walk_on(w, low, rate);
        w->deform = high;
        walk_turn(w, 0);
    }
    CHECK(false); /* a phase never ends */
}

static void check_walk(const struct carom_law *law, const double *const *param, struct carom_random *random)
{
    struct walk w = {.law = law, .param = param};
    const double size = pow(10.0, 2.0 * carom_random_uniform(random) - 2.0);
    for (int leg = 0; leg < 12; leg++) {
        const double from = w.deform, speed = 0.1 + carom_random_uniform(random);
        const double to = size * (leg % 2 == 0 ? 0.3 + carom_random_uniform(random)
                                               : 0.9 * carom_random_uniform(random) - (leg % 4 == 1 ? 0.3 : 0.0));
        for (int part = 1; part <= 120; part++)
            walk_to(&w, from + (to - from) * pow(part / 120.0, 4.0), to > from ? speed : -speed);
        struct output out;
        walk_evaluate(&w, w.deform, 0.0, &out);
        CHECK_NEAR(w.work, out.of[ENERGY] + w.lost, 1e-5 * w.most);
    }
}

/* A fresh contact pressed to d and let go gives back e^2 of the work. */
static void check_closed_form(const struct carom_law *law, const double *value, size_t rows, double d)
{
    const double *param[CAROM_LAW_WIDTH];
    double changed[CAROM_LAW_WIDTH];
    const size_t row = (size_t)(carom_param_find(law->kind.params, law->damping) - law->kind.params);
    for (size_t i = 0; i < rows; i++) {
        changed[i] = value[i];
        param[i] = &changed[i];
    }
    for (double e = 1.0; e > 0.05 && value[0] > 0.0; e *= 0.8) {
        changed[row] = law->damping_of(param, 0, e);
        CHECK_NEAR(law->restitution(param, 0), e, 1e-15);
        struct walk w = {.law = law, .param = param};
        for (int part = 1; part <= 400; part++)
            walk_to(&w, d * part / 400.0, 1.0);
        const double put = w.work;
        for (int part = 1; part <= 400; part++) /* small e comes back within e^2 d: look closely there */
            walk_to(&w, d * (1.0 - pow(part / 400.0, 3.0)), -1.0);
        CHECK_NEAR((put - w.lost) / put, e * e, 1e-5);
        CHECK_NEAR(w.work, w.lost, 2e-6 * put);
    }
}

/* parameters a law can be with */
static void draw_all(struct carom_random *random, const struct carom_law *law, size_t rows, double *value)
{
    const double *param[CAROM_LAW_WIDTH];
    do {
        for (size_t i = 0; i < rows; i++) {
            value[i] = draw(random, &law->kind.params[i]);
            param[i] = &value[i];
        }
    } while (law->accept && law->accept(param, 0, NULL) != CAROM_OK);
}

static void check_law(const struct carom_law *law, struct carom_random *random)
{
    const size_t rows = carom_param_count(law->kind.params);
    CHECK(law->kind.name && law->kind.text && rows <= CAROM_LAW_WIDTH && law->nh <= CAROM_LAW_WIDTH);
    for (int trial = 0; trial < 300; trial++) {
        double value[CAROM_LAW_WIDTH];
        const double *param[CAROM_LAW_WIDTH];
        draw_all(random, law, rows, value);
        for (size_t i = 0; i < rows; i++) {
            param[i] = &value[i];
            CHECK_STATUS(carom_param_check(&law->kind.params[i], value[i], NULL), CAROM_OK);
        }
        const double d = pow(10.0, 5.0 * carom_random_uniform(random) - 4.0);
        check_open(law, param);
        if (law->turn && trial < 100)
            check_walk(law, param, random);
        if (law->turn && law->damping_of && trial < 10)
            check_closed_form(law, value, rows, d);
        if (law->nh > 0)
            continue; /* memory: force and energy depend on the path, too */
        check_slopes(law, param, d);
        check_power(law, param, d, carom_random_normal(random));
        check_viscous_time(law, param, d);
    }
    if (law->nh == 0)
        check_batch(law, random, rows);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    size_t count = 0;
    for (; carom_kinds_laws[count]; count++)
        check_law(carom_kinds_laws[count], &random);
    CHECK(count >= 10);
    return check_end();
}
