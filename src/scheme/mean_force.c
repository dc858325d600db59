/* Mean forces, see mean_force.h. Where both overlaps are nearly equal, the quotient would be that of two rounding
 * errors: Hertz's law has a closed form without it, other laws are integrated there by Gauss' rule of three points,
 * whose error is far below rounding for changes of a hundredth of the overlap. */
#include "scheme/mean_force.h"

#include "law/kernels.h"

/* is the elastic force of all of them k d^(3/2), k being the first parameter? */
static bool are_hertzian(const struct carom_law *law, const double *const *param, size_t n)
{
    bool all = law == &carom_law_kuwabara_kono || law == &carom_law_hertz || law == &carom_law_hertz_dashpot;
    if (law == &carom_law_power || law == &carom_law_hunt_crossley) {
        all = true;
        for (size_t j = 0; j < n; j++)
            all &= param[1][j] == 1.5;
    }
    return all;
}

/* With a = sqrt(d0) and b = sqrt(d1) the quotient of k 2/5 (b^5 - a^5) and b^2 - a^2 is divided out; where one end is
 * open, b^2 - a^2 is only a part of the way d1 - d0. */
static void of_hertz(size_t n, const double *k, const double *d0, const double *d1, const double *elastic, double *mean,
                     double *slope)
{
    for (size_t j = 0; j < n; j++) {
        const double p0 = carom_kernel_overlap(d0[j]), p1 = carom_kernel_overlap(d1[j]), way = d1[j] - d0[j];
        const double a = sqrt(p0), b = sqrt(p1), sum = a + b, safe = sum > 0.0 ? sum : 1.0,
                     any = way != 0.0 ? way : 1.0;
        const bool closed = p0 > 0.0 && p1 > 0.0;
        const double whole = 0.4 * k[j] * (p1 * (p1 + b * a + p0) + p0 * (b * a + p0)) / safe;
        const double steep = 0.2 * k[j] * (p1 * (3.0 * b + 6.0 * a) + p0 * (4.0 * b + 2.0 * a)) / (safe * safe);
        const double part = whole * ((p1 - p0) / any), rise = (elastic[j] - part) / any;
        mean[j] = closed ? whole : part;
        slope[j] = closed ? steep : rise > 0.0 ? rise : 0.0;
    }
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
    law->evaluate(&(struct carom_batch){.law = law, .n = 3, .param = own, .deform = deform, .elastic = elastic});
    for (int i = 0; i < 3; i++)
        sum += weight[i] * elastic[i];
    return sum;
}

void carom_mean_force(const struct carom_law *law, const double *const *param, size_t n,
                      const struct carom_mean_end *start, const struct carom_mean_end *end, double *mean, double *slope)
{
    if (are_hertzian(law, param, n)) {
        of_hertz(n, param[0], start->deform, end->deform, end->elastic, mean, slope);
        return;
    }
    for (size_t j = 0; j < n; j++) {
        const double d0 = start->deform[j], d1 = end->deform[j], way = d1 - d0;
        mean[j] = slope[j] = 0.0;
        if (!(d0 > 0.0) && !(d1 > 0.0))
            continue;
        if (d0 > 0.0 && d1 > 0.0 && fabs(way) < 0.01 * fmax(d0, d1)) {
            slope[j] = 0.5 * end->slope[j];
            mean[j] = by_gauss(law, param, j, d0, d1);
            continue;
        }
        mean[j] = (end->energy[j] - start->energy[j]) / way;
        slope[j] = fmax((end->elastic[j] - mean[j]) / way, 0.0);
    }
}
