/* Mean forces, see mean_force.h. Where both overlaps are nearly equal, the quotient would be that of two rounding
 * errors: Hertz's law has a closed form without it, other laws are integrated there by Gauss' rule of three points,
 * whose error is far below rounding for changes of a hundredth of the overlap. */
#include "scheme/mean_force.h"

/* is the elastic force k d^(3/2), k being the first parameter? */
static bool is_hertzian(const struct carom_law *law, const double *const *param, size_t j)
{
    if (law == &carom_law_power || law == &carom_law_hunt_crossley)
        return param[1][j] == 1.5;
    return law == &carom_law_kuwabara_kono || law == &carom_law_hertz || law == &carom_law_hertz_dashpot;
}

/* with a = sqrt(d0) and b = sqrt(d1), not both 0: the quotient of k 2/5 (b^5 - a^5) and b^2 - a^2, divided out */
static double of_hertz(double k, double a, double b, double *slope)
{
    const double sum = a + b, aa = a * a, bb = b * b;
    *slope = 0.2 * k * (bb * (3.0 * b + 6.0 * a) + aa * (4.0 * b + 2.0 * a)) / (sum * sum);
    return 0.4 * k * (bb * (bb + b * a + aa) + aa * (b * a + aa)) / sum;
}

static double by_gauss(const struct carom_law *law, const double *const *param, size_t j, double d0, double d1)
{
    static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double *own[CAROM_LAW_WIDTH];
    double deform[3], elastic[3], same[CAROM_LAW_WIDTH][3], sum = 0.0;
    const size_t n = carom_param_count(law->kind.params);
    for (size_t i = 0; i < n; i++) {
        same[i][0] = same[i][1] = same[i][2] = param[i][j];
        own[i] = same[i];
    }
    for (int i = 0; i < 3; i++)
        deform[i] = d0 + node[i] * (d1 - d0);
    law->evaluate(&(struct carom_batch){.n = 3, .param = own, .deform = deform, .elastic = elastic});
    for (int i = 0; i < 3; i++)
        sum += weight[i] * elastic[i];
    return sum;
}

double carom_mean_force(const struct carom_law *law, const double *const *param, size_t j,
                        const struct carom_mean_end *start, const struct carom_mean_end *end, double *slope)
{
    const double d0 = start->deform, d1 = end->deform, change = d1 - d0;
    *slope = 0.0;
    if (!(d0 > 0.0) && !(d1 > 0.0))
        return 0.0;
    const bool closed = d0 > 0.0 && d1 > 0.0;
    if (closed && is_hertzian(law, param, j))
        return of_hertz(param[0][j], sqrt(d0), sqrt(d1), slope);
    if (closed && fabs(change) < 0.01 * fmax(d0, d1)) {
        *slope = 0.5 * end->slope;
        return by_gauss(law, param, j, d0, d1);
    }
    const double mean = (end->energy - start->energy) / change;
    *slope = fmax((end->elastic - mean) / change, 0.0);
    return mean;
}
