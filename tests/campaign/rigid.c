/* Random rows of rigid beads under event, mannshardt and moreau-adaptive, each with a tolerance of its own, against
 * rows in quadruple precision: is the stated error true?
 *
 *     rigid                     a few hundred, and checks that none breaks its promise
 *     rigid FIRST COUNT         the rows of so many seeds, one line each: what can be split and resumed
 *     rigid scene SEED          the scene of a seed
 *     rigid table FILE ...      what such lines come to */
#include "campaign/rigid_rows.h"

enum { FEW = 190, SCHEMES = 3 };

static const char *const schemes[SCHEMES] = {"event", "mannshardt", "moreau-adaptive"};

struct drawn {
    struct rigid_scene scene;
    int scheme;
    double tol;
    char how[100];
};

static double between(struct carom_random *random, double low, double high)
{
    return low + (high - low) * carom_random_uniform(random);
}

/* evenly in its logarithm */
static double size(struct carom_random *random, double low, double high)
{
    return low * pow(high / low, carom_random_uniform(random));
}

static bool chance(struct carom_random *random, double part)
{
    return carom_random_uniform(random) < part;
}

/* e: often one for all, and often the kind at which impacts accumulate */
static double restitution(struct carom_random *random)
{
    return chance(random, 0.1)   ? 1.0
           : chance(random, 0.1) ? 0.0
                                 : between(random, 0.0, chance(random, 0.5) ? 0.3 : 1.0);
}

static struct drawn draw(uint64_t seed)
{
    struct drawn d = {0};
    struct rigid_scene *s = &d.scene;
    struct carom_random random;
    carom_random_start(&random, seed);
    s->n = 1 + carom_random_below(&random, 4);
    s->left = s->n == 1 || chance(&random, 0.6);
    s->right = chance(&random, 0.3);
    const bool springs = chance(&random, 0.25), one = chance(&random, 0.6), alike = chance(&random, 0.3),
               touching = chance(&random, 0.15);
    const double spread = alike ? 1.0 : size(&random, 1.5, 30.0), e = restitution(&random);
    s->gravity = chance(&random, 0.6) ? between(&random, -10.0, s->right ? 10.0 : s->left ? 0.0 : 10.0) : 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = size(&random, 1.0 / spread, spread);
        s->spring[i] = springs && chance(&random, 0.8) ? size(&random, 0.1, 10.0) * s->mass[i] : 0.0;
        s->v[i] = between(&random, -1.0, 1.0);
    }
    for (size_t j = 0; j < RIGID_ROW_CONTACTS; j++) {
        s->gap[j] = touching && chance(&random, 0.5) ? 0.0 : size(&random, 0.03, 1.0);
        s->e[j] = one ? e : restitution(&random);
    }
    s->until = size(&random, 0.5, 10.0);
    d.scheme = (int)carom_random_below(&random, SCHEMES);
    d.tol = size(&random, 1e-10, 1e-3);
    snprintf(d.how, sizeof d.how, "scheme: %s, tol: %.17g", schemes[d.scheme], d.tol);
    return d;
}

/* --- counting ---------------------------------------------------------------------------------------------------- */

struct count {
    long runs, silent, refused, unknown, over_tol, wrong;
    double worst, worst_tol;
    long worst_seed;
};

/* What a run says of its error: the estimate, or where it makes none that it is below tol. Rounding is nobody's. */
static double promise(double stated, double tol)
{
    return fmax(stated > 0.0 ? stated : tol, 1e-14);
}

static void add(struct count *c, long seed, double tol, double off, double stated, char kind)
{
    c->runs++;
    c->refused += kind == 'r' || (kind == '.' && stated > tol) ? 1 : 0; /* it did not run, or said that tol is missed */
    c->unknown += kind == '?' ? 1 : 0;
    if (kind != '.')
        return;
    const double ratio = off / promise(stated, tol);
    c->over_tol += off > tol && stated <= tol ? 1 : 0;
    if (stated > tol)
        return; /* it promised nothing */
    c->wrong += ratio > 3.0 && off > 1e-3 * tol ? 1 : 0;
    c->worst_tol = fmax(c->worst_tol, stated <= tol ? off / tol : 0.0);
    if (off > 1e-3 * tol && ratio > c->worst) {
        c->worst = ratio;
        c->worst_seed = seed;
    }
}

static void print_table(const struct count *count)
{
    printf("%-16s %8s %8s %8s %8s %10s %10s %12s\n", "scheme", "runs", "cannot", "unknown", "off > tol", "worst/tol",
           "off/stated", "(seed)");
    for (int i = 0; i < SCHEMES; i++)
        printf("%-16s %8ld %8ld %8ld %8ld %10.2f %10.2f %12ld  above 3: %ld\n", schemes[i], count[i].runs,
               count[i].refused, count[i].unknown, count[i].over_tol, count[i].worst_tol, count[i].worst,
               count[i].worst_seed, count[i].wrong);
}

static void run_one(long seed, struct count *count, bool lines)
{
    const struct drawn d = draw((uint64_t)seed);
    const struct rigid_verdict v = rigid_rows_judge(&d.scene, d.how);
    const char kind = (char)(!v.ended || v.split ? 'r' : !v.known ? '?' : '.');
    add(&count[d.scheme], seed, d.tol, v.off, v.stated, kind);
    if (!lines)
        return;
    printf("%ld %d %.3e %.3e %.3e %c %ld %s\n", seed, d.scheme, d.tol, v.off, v.stated, kind, v.impacts, v.said);
    fflush(stdout);
}

static int table(int files, char **name)
{
    struct count count[SCHEMES] = {{0}};
    char line[600];
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(name[i], "r");
        CHECK_OR_STOP(file != NULL);
        while (fgets(line, sizeof line, file)) {
            long seed, impacts;
            int scheme;
            double tol, off, stated;
            char kind;
            if (sscanf(line, "%ld %d %lf %lf %lf %c %ld", &seed, &scheme, &tol, &off, &stated, &kind, &impacts) == 7 &&
                scheme >= 0 && scheme < SCHEMES)
                add(&count[scheme], seed, tol, off, stated, kind);
        }
        fclose(file);
    }
    print_table(count);
    return 0;
}

int main(int argc, char **argv)
{
    struct count count[SCHEMES] = {{0}};
    if (argc > 2 && strcmp(argv[1], "table") == 0)
        return table(argc - 2, argv + 2);
    if (argc > 2 && strcmp(argv[1], "scene") == 0) {
        char text[RIGID_ROWS_TEXT];
        const struct drawn d = draw((uint64_t)atol(argv[2]));
        rigid_rows_text(&d.scene, d.how, text);
        printf("%s", text);
        return 0;
    }
    const long first = argc > 2 ? atol(argv[1]) : 1, many = argc > 2 ? atol(argv[2]) : FEW;
    for (long seed = first; seed < first + many; seed++)
        run_one(seed, count, argc > 2);
    if (argc > 2)
        return 0;
    print_table(count);
    long refused = 0;
    for (int i = 0; i < SCHEMES; i++) {
        CHECK(count[i].wrong == 0);
        refused += count[i].refused;
    }
    CHECK(50 * refused <= FEW);
    CHECK_MAIN_END;
}
