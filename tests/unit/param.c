/* Parameter tables: defaults, storing, the sentence of a refusal, and the name somebody probably meant. */
#include "carom/param.h"
#include "check.h"

struct sample {
    double before;
    double young;
    long count;
    bool damped;
    int end;
    double fraction;
    double limit;
    double after;
};

static const char *const ends[] = {"gap", "force", NULL};

static const struct carom_param table[] = {
    {"young", CAROM_REAL, offsetof(struct sample, young), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "Pa", "", NULL},
    {"count", CAROM_INTEGER, offsetof(struct sample, count), 3.0, 1.0, HUGE_VAL, "1", "", NULL},
    {"damped", CAROM_FLAG, offsetof(struct sample, damped), 1.0, 0.0, 1.0, "1", "", NULL},
    {"end", CAROM_CHOICE, offsetof(struct sample, end), 1.0, 0.0, 1.0, "1", "", ends},
    {"fraction", CAROM_REAL, offsetof(struct sample, fraction), 0.5, 0.0, 1.0, "1", "", NULL},
    {"limit", CAROM_REAL, offsetof(struct sample, limit), HUGE_VAL, 0.0, HUGE_VAL, "s", "", NULL},
    CAROM_PARAM_END,
};

static const struct carom_kind kind = {"sample", "for this test", table, sizeof(struct sample)};

static void test_table(void)
{
    CHECK(carom_param_count(table) == 6);
    CHECK(carom_param_count(NULL) == 0);
    CHECK(carom_param_find(table, "count") == &table[1]);
    CHECK(carom_param_find(table, "coun") == NULL);
    CHECK(carom_param_find(NULL, "count") == NULL);
}

static void test_fields(void)
{
    struct sample s = {.before = 7.0, .after = 9.0};
    carom_param_defaults(&kind, &s);
    CHECK(s.young == CAROM_REQUIRED);
    CHECK(s.count == 3 && s.damped && s.end == 1);
    CHECK_NEAR(s.fraction, 0.5, 0.0);
    CHECK(s.before == 7.0 && s.after == 9.0);
    const double values[] = {2e11, 12345678.0, 0.0, 0.0, 0.25, 1.0};
    for (size_t i = 0; i < carom_param_count(table); i++) {
        CHECK_STATUS(carom_param_check(&table[i], values[i], NULL), CAROM_OK);
        carom_param_store(&table[i], &s, values[i]);
        CHECK_NEAR(carom_param_value(&table[i], &s), values[i], 0.0);
    }
    CHECK(s.count == 12345678 && !s.damped && s.end == 0);
    CHECK(s.before == 7.0 && s.after == 9.0);
    const struct carom_kind bare = {"bare", "has no table", NULL, 0};
    carom_param_defaults(&bare, &s);
    CHECK_NEAR(s.young, 2e11, 0.0);
}

static void refused(const char *name, double value, const char *sentence)
{
    struct carom_error error = {0};
    CHECK_STATUS(carom_param_check(carom_param_find(table, name), value, &error), CAROM_E_INPUT);
    CHECK_TEXT(error.text, sentence);
}

static void test_refusals(void)
{
    refused("young", -2e11, "must be positive, got -2e11");
    refused("young", 0.0, "must be positive, got 0");
    refused("young", HUGE_VAL, "must be finite, got inf");
    refused("young", nan(""), "must be a number, got nan");
    refused("count", 2.5, "must be a whole number, got 2.5");
    refused("count", 0.0, "must be at least 1, got 0");
    refused("count", 1e300, "must be a number of at most 18 digits, got 1e300");
    refused("count", 9223372036854775808.0, "must be a number of at most 18 digits, got 9.223372036854776e18");
    refused("damped", 2.0, "must be true or false, got 2");
    refused("end", 2.0, "must be one of gap, force, got 2");
    refused("end", 0.5, "must be one of gap, force, got 0.5");
    refused("fraction", 1.0000001, "must be between 0 and 1, got 1.0000001");
    refused("limit", -1e-7, "must be zero or positive, got -1e-7");
    CHECK_STATUS(carom_param_check(carom_param_find(table, "limit"), HUGE_VAL, NULL), CAROM_OK);
    CHECK_STATUS(carom_param_check(carom_param_find(table, "limit"), -HUGE_VAL, NULL), CAROM_E_INPUT);
    CHECK_STATUS(carom_param_check(carom_param_find(table, "fraction"), 1.0, NULL), CAROM_OK);
    const struct carom_param both = {"x", CAROM_REAL, 0, 1.0, CAROM_POSITIVE, 20.0, "1", "", NULL};
    struct carom_error error = {0};
    carom_param_check(&both, 21.0, &error);
    CHECK_TEXT(error.text, "must be positive and at most 20, got 21");
    const struct carom_param bounded = {"x", CAROM_REAL, 0, 1.0, -HUGE_VAL, 0.001, "1", "", NULL};
    carom_param_check(&bounded, 0.01, &error);
    CHECK_TEXT(error.text, "must be at most 0.001, got 0.01");
}

static void test_nearest(void)
{
    static const char *const names[] = {"radius", "velocity", "material", "count", "k",     "gamma",         "e",
                                        "es",     "until",    "units",    "young", "hertz", "kuwabara-kono", "bodies"};
    static const struct {
        const char *wrong, *meant; /* NULL: nothing is near */
    } rows[] = {
        {"veloctiy", "velocity"},
        {"radus", "radius"},
        {"Radius", "radius"},
        {"raduis", "radius"},
        {"cuont", "count"},
        {"gama", "gamma"},
        {"mat", "material"},
        {"vel", "velocity"},
        {"velocities", "velocity"},
        {"radius_mm", "radius"},
        {"unit", "units"},
        {"untill", "until"},
        {"youngs", "young"},
        {"hertzz", "hertz"},
        {"hert", "hertz"},
        {"kuwabara_kono", "kuwabara-kono"},
        {"kuwabarakono", "kuwabara-kono"},
        {"bodys", "bodies"},
        {"xyz", NULL},
        {"g", NULL},
        {"x", NULL},
        {"", NULL},
        {"density", NULL},
        {"K", "k"},
        {"pressure", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *found = carom_param_nearest(rows[i].wrong, names, sizeof names / sizeof names[0]);
        CHECK_TEXT(found ? found : "(none)", rows[i].meant ? rows[i].meant : "(none)");
    }
    char large[4000];
    memset(large, 'k', sizeof large);
    large[sizeof large - 1] = '\0';
    CHECK(carom_param_nearest(large, names, sizeof names / sizeof names[0]) == NULL);
    CHECK(carom_param_nearest("radius", names, 0) == NULL);
}

int main(void)
{
    test_table();
    test_fields();
    test_refusals();
    test_nearest();
    CHECK_MAIN_END;
}
