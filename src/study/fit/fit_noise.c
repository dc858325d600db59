/* Estimates the standard deviation (sigma) of measurements that come without one, by restricted likelihood (Patterson
 * and Thompson 1971): squares of residuals, divided by the points less what the keys take of them (leverages). A column
 * with ENOUGH more points than keys has a sigma of its own. Other columns share one with all columns of their unit; if
 * these have too few points too, sigma is the same fraction of the values in all columns. Uncertainties of keys are
 * widened for few degrees of freedom (Student's t, freedom after Satterthwaite 1946). */
#include "study/fit/fit.h"

#include <stdio.h>
#include <string.h>

enum { ENOUGH = 12 }; /* two keys, two columns alike, one twice as exact: with 4, twice +- holds .926; with 12, .95 */

static bool alike(const struct carom_fit_data *data, size_t a, size_t b)
{
    return strcmp(data->column[a].unit, data->column[b].unit) == 0;
}

/* Mean square of the values in columns of the unit of c. */
static double size_of(const struct carom_fit_data *data, size_t c)
{
    double sum = 0.0, points = 0.0;
    for (size_t k = 0; k < data->npoints; k++) {
        const struct carom_fit_point *p = &data->point[k];
        const double value = data->column[p->column].sigma ? p->value : p->value / p->sigma;
        sum += alike(data, c, p->column) ? value * value : 0.0;
        points += alike(data, c, p->column) ? 1.0 : 0.0;
    }
    return sum > 0.0 ? sum / points : 1.0;
}

void carom_fit_noise_plan(const struct carom_fit *fit, enum carom_fit_noise *noise, double *spread)
{
    const struct carom_fit_data *data = &fit->data;
    for (size_t c = 0; c < data->ncolumns; c++) {
        size_t points = 0, columns = 0;
        for (size_t k = 0; k < data->ncolumns; k++) {
            points += alike(data, c, k) ? data->column[k].points : 0;
            columns += alike(data, c, k);
        }
        noise[c] = data->column[c].sigma                                                 ? CAROM_FIT_NOISE_GIVEN
                   : data->column[c].points >= fit->nkeys + ENOUGH || data->ncolumns < 2 ? CAROM_FIT_NOISE_OWN
                   : points >= fit->nkeys + ENOUGH || columns == data->ncolumns          ? CAROM_FIT_NOISE_UNIT
                                                                                         : CAROM_FIT_NOISE_ALL;
        spread[c] = noise[c] == CAROM_FIT_NOISE_GIVEN ? 1.0
                    : noise[c] == CAROM_FIT_NOISE_OWN ? data->column[c].spread
                                                      : sqrt(size_of(data, c));
    }
}

/* --- sums over columns ------------------------------------------------------------------------------------------- */

struct sums {
    double square[CAROM_FIT_DATA_COLUMNS];  /* of residuals; where sigma is given, of sigmas */
    double freedom[CAROM_FIT_DATA_COLUMNS]; /* points less leverages; where sigma is given, points */
    double size[CAROM_FIT_DATA_COLUMNS];    /* mean square of values, of all columns of the unit */
};

/* What the keys take of point k: a diagonal number of the matrix that makes predictions of measurements. */
static double leverage(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                       const double *jacobian, size_t k)
{
    const size_t n = fit->nkeys, m = fit->data.npoints;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!found->fixed[i] && !found->fixed[j])
                sum += jacobian[i * m + k] * found->inverse[i * n + j] * jacobian[j * m + k];
    return sum;
}

static void add_up(const struct carom_fit *fit, const struct carom_least_squares_result *found, const double *jacobian,
                   const double *predicted, struct sums *to)
{
    const struct carom_fit_data *data = &fit->data;
    *to = (struct sums){.square = {0.0}};
    for (size_t k = 0; k < data->npoints; k++) {
        const struct carom_fit_point *p = &data->point[k];
        const bool given = data->column[p->column].sigma;
        const double r = given ? p->sigma : (predicted[k] - p->value) / p->sigma;
        to->square[p->column] += r * r;
        to->freedom[p->column] += given ? 1.0 : 1.0 - leverage(fit, found, jacobian, k);
    }
    for (size_t c = 0; c < data->ncolumns; c++)
        to->size[c] = size_of(data, c);
}

/* Do columns c and k share one estimate, that of c? */
static bool shared(const struct carom_fit_data *data, enum carom_fit_noise noise, size_t c, size_t k)
{
    return noise == CAROM_FIT_NOISE_ALL || (noise == CAROM_FIT_NOISE_UNIT ? alike(data, c, k) : c == k);
}

static double freedom_of(const struct carom_fit_data *data, const struct sums *s, enum carom_fit_noise noise, size_t c)
{
    double sum = 0.0;
    for (size_t k = 0; k < data->ncolumns; k++)
        sum += shared(data, noise, c, k) ? s->freedom[k] : 0.0;
    return sum;
}

bool carom_fit_noise_estimate(const struct carom_fit *fit, const enum carom_fit_noise *noise,
                              const struct carom_least_squares_result *found, const double *jacobian,
                              const double *predicted, double *spread)
{
    const struct carom_fit_data *data = &fit->data;
    struct sums s;
    bool changed = false;
    add_up(fit, found, jacobian, predicted, &s);
    for (size_t c = 0; c < data->ncolumns; c++) {
        double square = 0.0;
        if (noise[c] == CAROM_FIT_NOISE_GIVEN)
            continue;
        for (size_t k = 0; k < data->ncolumns; k++)
            square += shared(data, noise[c], c, k) ? s.square[k] / s.size[k] : 0.0;
        const double variance = s.size[c] * square / freedom_of(data, &s, noise[c], c);
        const double now = sqrt(fmax(variance, 1e-24 * s.size[c]));
        changed = changed || fabs(now - spread[c]) > 0.01 * now;
        spread[c] = now;
    }
    return changed;
}

/* --- uncertainties ----------------------------------------------------------------------------------------------- */

/* Degrees of freedom of the variance of key i, which is a sum over estimates of different freedom. */
static double key_freedom(const struct carom_fit *fit, const enum carom_fit_noise *noise,
                          const struct carom_least_squares_result *found, const double *jacobian, const struct sums *s,
                          size_t i)
{
    const struct carom_fit_data *data = &fit->data;
    const size_t n = fit->nkeys, m = data->npoints;
    double part[CAROM_FIT_DATA_COLUMNS] = {0.0}, all = 0.0, below = 0.0;
    for (size_t k = 0; k < m; k++) {
        double a = 0.0;
        for (size_t j = 0; j < n; j++)
            a += found->fixed[j] ? 0.0 : found->inverse[i * n + j] * jacobian[j * m + k];
        part[data->point[k].column] += a * a;
        all += a * a;
    }
    for (size_t c = 0; c < data->ncolumns; c++) {
        double sum = 0.0;
        bool first = noise[c] != CAROM_FIT_NOISE_GIVEN;
        for (size_t k = 0; k < data->ncolumns; k++) {
            const bool same = noise[k] == noise[c] && shared(data, noise[c], c, k);
            first = first && !(same && k < c);
            sum += same ? part[k] : 0.0;
        }
        below += first ? sum * sum / freedom_of(data, s, noise[c], c) : 0.0;
    }
    return below > 0.0 ? all * all / below : HUGE_VAL;
}

void carom_fit_noise_uncertainties(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                                   const double *jacobian, struct carom_fit_result *to)
{
    const size_t n = fit->nkeys;
    double widening[CAROM_FIT_KEYS];
    struct sums s;
    add_up(fit, found, jacobian, to->model, &s);
    for (size_t i = 0; i < n; i++) {
        to->student[i] =
            found->fixed[i] || !(to->freedom > 0.0) ? nan("") : key_freedom(fit, to->noise, found, jacobian, &s, i);
        widening[i] = to->freedom > 0.0 ? carom_least_squares_widening(to->student[i]) : 1.0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            to->covariance[i * n + j] = found->variance * widening[i] * widening[j] * found->inverse[i * n + j];
    for (size_t i = 0; i < n; i++)
        to->sigma[i] = sqrt(to->covariance[i * n + i]);
}

/* --- words ------------------------------------------------------------------------------------------------------- */

struct words {
    char *text;
    size_t size;
};

static void say(const struct words *w, const char *text)
{
    const size_t length = strlen(w->text);
    snprintf(w->text + length, w->size - length, "%s", text);
}

/* "a, b and c": the columns that `which` marks; of more than six the first five */
static void say_columns(const struct words *w, const struct carom_fit_data *data, const bool *which)
{
    size_t count = 0, told = 0;
    for (size_t c = 0; c < data->ncolumns; c++)
        count += which[c];
    for (size_t c = 0; c < data->ncolumns; c++) {
        char more[32];
        if (!which[c] || (count > 6 && told > 5))
            continue;
        say(w, told == 0 ? "" : told + 1 == count || (count > 6 && told == 5) ? " and " : ", ");
        snprintf(more, sizeof more, "%zu more", count - told);
        say(w, count > 6 && told == 5 ? more : data->column[c].name);
        told++;
    }
}

static size_t mark(const struct carom_fit *fit, const struct carom_fit_result *result, enum carom_fit_noise noise,
                   bool *which)
{
    size_t count = 0;
    for (size_t c = 0; c < fit->data.ncolumns; c++)
        count += which[c] = result->noise[c] == noise;
    return count;
}

static void say_missing(const struct words *w, const struct carom_fit *fit, const struct carom_fit_result *result)
{
    bool which[CAROM_FIT_DATA_COLUMNS];
    char degrees[80];
    const size_t given = mark(fit, result, CAROM_FIT_NOISE_GIVEN, which);
    for (size_t c = 0; c < fit->data.ncolumns; c++)
        which[c] = !which[c];
    snprintf(degrees, sizeof degrees, " (%g degree%s of freedom)\n", result->freedom,
             result->freedom == 1.0 ? "" : "s");
    if (given == 0) {
        say(w, "no sigma was given: uncertainties are those the residuals show");
    } else {
        say(w, "no sigma was given for ");
        say_columns(w, &fit->data, which);
        say(w, given + 1 == fit->data.ncolumns ? ": it is" : ": they are");
        say(w, " what the residuals show, so there is no chi-square");
    }
    say(w, degrees);
}

/* Columns that have a sigma with others of their unit, unit by unit. */
static void say_units(const struct words *w, const struct carom_fit *fit, const struct carom_fit_result *result)
{
    const struct carom_fit_data *data = &fit->data;
    bool few[CAROM_FIT_DATA_COLUMNS], unit[CAROM_FIT_DATA_COLUMNS], done[CAROM_FIT_DATA_COLUMNS] = {false};
    for (size_t c = 0; c < data->ncolumns; c++) {
        size_t count = 0;
        if (result->noise[c] != CAROM_FIT_NOISE_UNIT || done[c])
            continue;
        for (size_t k = 0; k < data->ncolumns; k++) {
            unit[k] = alike(data, c, k);
            few[k] = unit[k] && result->noise[k] == CAROM_FIT_NOISE_UNIT;
            done[k] = done[k] || few[k];
            count += few[k];
        }
        say_columns(w, data, few);
        say(w, count == 1 ? " has too few points for a sigma of its own; assumed to be that of "
                          : " have too few points for a sigma each; assumed to be that of ");
        say_columns(w, data, unit);
        say(w, " together\n");
    }
}

static void say_all(const struct words *w, const struct carom_fit *fit, const struct carom_fit_result *result)
{
    bool which[CAROM_FIT_DATA_COLUMNS];
    const size_t count = mark(fit, result, CAROM_FIT_NOISE_ALL, which);
    if (count == 0)
        return;
    say_columns(w, &fit->data, which);
    say(w, count == 1 ? " has too few points for a sigma of its own" : " have too few points for a sigma each");
    say(w, "; assumed to be the same fraction of the values of a unit in all columns\n");
}

static void say_student(const struct words *w, const struct carom_fit *fit, const struct carom_fit_result *result)
{
    double least = HUGE_VAL;
    char text[160];
    for (size_t i = 0; i < fit->nkeys; i++)
        least = fmin(least, result->student[i]); /* not of NaN */
    if (!(least < 30.0))
        return;
    snprintf(
        text, sizeof text,
        "+- is widened up to %.3g times for few degrees of freedom (Student's t), so that twice of it holds 95 %%\n",
        carom_least_squares_widening(least));
    say(w, text);
}

void carom_fit_noise_text(const struct carom_fit *fit, const struct carom_fit_result *result, char *text, size_t size)
{
    const struct words w = {text, size};
    *text = '\0';
    if (result->given || !(result->freedom > 0.0))
        return;
    say_missing(&w, fit, result);
    say_units(&w, fit, result);
    say_all(&w, fit, result);
    say_student(&w, fit, result);
}
