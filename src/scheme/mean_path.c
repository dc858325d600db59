/* Mean forces along a path, see mean_path.h. Laws with phases lose a fixed share of the work inside a phase, so that
 * the work follows from the change of the energy: exactly, and without quadrature where the force begins like a
 * root. */
#include "scheme/mean_path.h"

#include <math.h>

#include "carom/law.h"

enum {
    ENDS = 8,
    HALVINGS = 64
}; /* phases in a step: of an unloading contact that is loaded beyond its last turn, two */

/* one contact by itself */
struct contact {
    const struct carom_law *law;
    double value[CAROM_LAW_WIDTH], history[CAROM_LAW_WIDTH];
    const double *param[CAROM_LAW_WIDTH], *recalls[CAROM_LAW_WIDTH];
    double *turns[CAROM_LAW_WIDTH];
};

struct answer {
    double elastic, slope, energy, power;
};

static struct answer ask(const struct contact *c, double deform, double rate)
{
    struct answer a;
    c->law->evaluate(&(struct carom_batch){.law = c->law,
                                           .n = 1,
                                           .param = c->param,
                                           .deform = &deform,
                                           .rate = &rate,
                                           .history = c->recalls,
                                           .elastic = &a.elastic,
                                           .slope = &a.slope,
                                           .power = &a.power,
                                           .energy = &a.energy});
    return a;
}

static double margin_of(const struct contact *c, double deform, double rate, int by)
{
    double margin[2];
    c->law->margin(c->param, c->recalls, 0, deform, rate, margin);
    return margin[by];
}

/* the work of the force from d to `to`, both in one phase */
static double work_of(const struct contact *c, double d, double to)
{
    static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double way = to - d, rate = way < 0.0 ? -1.0 : 1.0;
    double sum = 0.0;
    if (d > 0.0 && to > 0.0 && fabs(way) < 0.01 * fmax(d, to)) { /* energies would cancel */
        for (int i = 0; i < 3; i++)
            sum += weight[i] * ask(c, d + node[i] * way, rate).elastic;
        return sum * way;
    }
    const struct answer middle = ask(c, d + 0.5 * way, rate);
    const double given = middle.elastic * rate; /* by a unit of the way, of which the rest is stored */
    return middle.elastic > 0.0 ? (ask(c, to, rate).energy - ask(c, d, rate).energy) * given / (given - middle.power)
                                : 0.0;
}

/* where on the way from d to `to` the phase ends; `to`: beyond it */
static double phase_end(const struct contact *c, double d, double to, double rate)
{
    double low = 0.0, high = 1.0;
    if (margin_of(c, to, rate, 0) >= 0.0)
        return to;
    for (int k = 0; k < HALVINGS && low < high; k++) {
        const double middle = 0.5 * (low + high);
        if (margin_of(c, d + middle * (to - d), rate, 0) < 0.0)
            high = middle;
        else
            low = middle;
    }
    return d + high * (to - d);
}

static void take_contact(struct contact *c, const struct carom_law *law, const double *const *param,
                         const double *const *history, size_t j)
{
    const size_t n = carom_param_count(law->kind.params);
    c->law = law;
    for (size_t i = 0; i < n; i++) {
        c->value[i] = param[i][j];
        c->param[i] = &c->value[i];
    }
    for (size_t i = 0; i < law->nh; i++) {
        c->history[i] = history[i][j];
        c->recalls[i] = c->turns[i] = &c->history[i];
    }
}

void carom_mean_path_find(const struct carom_law *law, const double *const *param, const double *const *history,
                          size_t j, double d0, double d1, struct carom_mean_path *path)
{
    struct contact c;
    const double way = d1 - d0, rate = way < 0.0 ? -1.0 : 1.0;
    double d = d0, work = 0.0;
    take_contact(&c, law, param, history, j);
    for (int k = 0; k < ENDS && way != 0.0; k++) {
        if (margin_of(&c, d, rate, 1) < 0.0)
            law->turn(c.param, c.turns, 0, d, 1);
        const double end = phase_end(&c, d, d1, rate);
        work += work_of(&c, d, end);
        if (end == d1 && margin_of(&c, d1, rate, 0) >= 0.0)
            break;
        law->turn(c.param, c.turns, 0, end, 0);
        d = end;
    }
    const struct answer last = ask(&c, d1, rate);
    *path = (struct carom_mean_path){.elastic = last.elastic, .slope = last.slope, .energy = last.energy};
    for (size_t i = 0; i < law->nh; i++)
        path->history[i] = c.history[i];
    const bool near = d0 > 0.0 && d1 > 0.0 && fabs(way) < 0.01 * fmax(d0, d1);
    path->mean = way != 0.0 ? work / way : last.elastic;
    path->rise = near ? 0.5 * last.slope : fmax((last.elastic - path->mean) / way, 0.0);
}
