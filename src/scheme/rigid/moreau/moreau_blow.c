/* One blow in the plane, see moreau_blow.h. As long as the slip keeps its direction, or there is none, velocities are
 * linear in the normal impulse p: a path of at most three straight pieces (slip, then stick or slip the other way). */
#include "scheme/rigid/moreau/moreau_blow.h"

#include <math.h>
#include <stddef.h>

struct blow {
    enum carom_moreau_law law;
    const double *a;
    double mu, e;
    double u[2], r[2];
    double nearest; /* normal impulse until the bodies are nearest; below 0: they are not yet */
    double taken;   /* by the normal impulse along the path */
    double work;    /* that has been taken till then; after it what is still to come back */
};

/* tangential impulse per normal one; does the slip stay 0? */
static double pull(const struct blow *b, bool *stays)
{
    const double normal = b->a[2], along = b->a[3]; /* what each does to the slip */
    *stays = false;
    if (b->mu == 0.0 || !(along > 0.0))
        return 0.0;
    if (b->u[1] != 0.0)
        return b->u[1] > 0.0 ? -b->mu : b->mu;
    const double holds = -normal / along;
    *stays = fabs(holds) <= b->mu;
    return *stays ? holds : holds > 0.0 ? b->mu : -b->mu;
}

/* how much more normal impulse there is until the end, with the gap's rate growing by `slope` */
static double left(const struct blow *b, double slope)
{
    if (b->nearest < 0.0) /* bodies still approach: until they do not */
        return slope > 0.0 ? -b->u[0] / slope : HUGE_VAL;
    if (b->law == CAROM_MOREAU_POISSON)
        return (1.0 + b->e) * b->nearest - b->r[0];
    /* u p + slope p^2 / 2 = work that is still to come back */
    const double square = b->u[0] * b->u[0] + 2.0 * slope * b->work;
    return !(b->work > 0.0) ? 0.0 : square > 0.0 ? 2.0 * b->work / (b->u[0] + sqrt(square)) : HUGE_VAL;
}

static void go(struct blow *b, double p, double per, double slope, double slide)
{
    const double given = p * (b->u[0] + 0.5 * slope * p);
    b->work -= given;
    b->taken -= given;
    b->u[0] += slope * p;
    b->u[1] += slide * p;
    b->r[0] += p;
    b->r[1] += per * p;
}

bool carom_moreau_blow(enum carom_moreau_law law, const double a[4], const double u[2], double mu, double e,
                       double r[2], double *taken)
{
    struct blow b = {.law = law, .a = a, .mu = mu, .e = e, .u = {u[0], u[1]}, .nearest = -1.0};
    for (int piece = 0; piece < 8; piece++) {
        bool stays;
        const double per = pull(&b, &stays), slope = a[0] + a[1] * per, slide = stays ? 0.0 : a[2] + a[3] * per;
        const double stop = b.u[1] * slide < 0.0 ? -b.u[1] / slide : HUGE_VAL, end = left(&b, slope);
        const double p = fmin(stop, end);
        if (!(p < HUGE_VAL))
            return false;
        go(&b, p, per, slope, slide);
        if (stop <= end)
            b.u[1] = 0.0;
        if (end > stop)
            continue;
        if (b.nearest >= 0.0) {
            r[0] = b.r[0];
            r[1] = b.r[1];
            *taken = b.taken;
            return b.u[0] >= 0.0;
        }
        b.nearest = b.r[0];
        b.u[0] = 0.0;
        b.work *= e * e;
    }
    return false;
}
