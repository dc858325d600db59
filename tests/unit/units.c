/* Numbers with units: exact values, dimensions, and sentences for what is wrong. */
#include "scene/text/units.h"

#include "check.h"

static double value(const char *text, double m, double kg, double s)
{
    struct carom_quantity quantity;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_units_read(text, &quantity, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_NEAR(quantity.dimension.m, m, 1e-12);
    CHECK_NEAR(quantity.dimension.kg, kg, 1e-12);
    CHECK_NEAR(quantity.dimension.s, s, 1e-12);
    return quantity.value;
}

/* Prefixes are decimal shifts of the written number: the same bits as the number written out. */
static void test_values(void)
{
    CHECK(value("10", 0, 0, 0) == 10.0);
    CHECK(value("-1.5e-3", 0, 0, 0) == -1.5e-3);
    CHECK(value("+.5", 0, 0, 0) == 0.5);
    CHECK(value("5.", 0, 0, 0) == 5.0);
    CHECK(value("10 mm", 1, 0, 0) == 0.01);
    CHECK(value("2 rad", 0, 0, 0) == 2.0 && value("3 rad/s", 0, 0, -1) == 3.0);
    CHECK_NEAR(value("180 deg", 0, 0, 0), 3.14159265358979323846, 1e-15);
    CHECK_NEAR(value("60 rpm", 0, 0, -1), 6.28318530717958647693, 1e-15);
    CHECK(value("36 km/h", 1, 0, -1) == 10.0 && value("90 m/min", 1, 0, -1) == 1.5 && value("2 h", 0, 0, 1) == 7200.0);
    CHECK(value("2 hm", 1, 0, 0) == 200.0);
    CHECK_NEAR(value("90 deg/ms", 0, 0, -1), 1570.79632679489661923, 1e-12);
    CHECK(value("10mm", 1, 0, 0) == 0.01);
    CHECK(value("0.1 mm", 1, 0, 0) == 1e-4);
    CHECK(value("0.3 um", 1, 0, 0) == 3e-7);
    CHECK(value("0.3 \xc2\xb5m", 1, 0, 0) == 3e-7); /* micro sign */
    CHECK(value("0.3 \xce\xbcm", 1, 0, 0) == 3e-7); /* Greek mu */
    CHECK(value("2 ms", 0, 0, 1) == 2e-3);
    CHECK(value("1 us", 0, 0, 1) == 1e-6);
    CHECK(value("3e3 ns", 0, 0, 1) == 3e-6);
    CHECK(value("0.5 m/s", 1, 0, -1) == 0.5);
    CHECK(value("203 GPa", -1, 1, -2) == 203e9);
    CHECK(value("7780 kg/m^3", -3, 1, 0) == 7780.0);
    CHECK(value("7.78 g/cm^3", -3, 1, 0) == 7780.0);
    CHECK(value("7.78 g/cm3", -3, 1, 0) == 7780.0);
    CHECK(value("30 g", 0, 1, 0) == 0.03);
    CHECK(value("1e9 N/m^(3/2)", -0.5, 1, -2) == 1e9);
    CHECK(value("1e9 N/m^1.5", -0.5, 1, -2) == 1e9);
    CHECK(value("1e9 N*m^(-3/2)", -0.5, 1, -2) == 1e9);
    CHECK(value("1e9 N m^-1.5", -0.5, 1, -2) == 1e9);
    CHECK_NEAR(value("1 N/mm^(3/2)", -0.5, 1, -2), 31622.776601683795, 1e-9);
    CHECK(value("3 kg/(m*s^2)", -1, 1, -2) == 3.0);
    CHECK(value("3 1/s", 0, 0, -1) == 3.0);
    CHECK(value("3 Hz", 0, 0, -1) == 3.0);
    CHECK(value("2 daN", 1, 1, -2) == 20.0);
    CHECK(value("1 kN/mm", 0, 1, -2) == 1e6);
    CHECK(value("5 W/(J/s)", 0, 0, 0) == 5.0);
}

static void refused(const char *text, const char *words)
{
    struct carom_quantity quantity;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_units_read(text, &quantity, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, words);
}

static void test_refusals(void)
{
    refused("", "has no value");
    refused("abc", "'abc' is not a number");
    refused("nan", "'nan' is not a number");
    refused(".inf", "'.inf' is not a number");
    refused("0x10", "0x10: unknown unit 'x'");
    refused("1_000", "1_000");
    refused("1,5", "'1,5' is not a number (the decimal mark is a point)");
    refused("--1", "not a number");
    refused(".", "not a number");
    refused("1e", "unknown unit 'e'");
    refused("10 1", "not a number");
    refused("10 20", "10 20");
    refused("10 %", "unknown unit '%'");
    refused("10 parsec", "10 parsec: unknown unit 'parsec'; known are m, g, s");
    refused("10 m^", "10 m^: the exponent of a unit must be a number");
    refused("10 m^p", "exponent");
    refused("10 m^(1/0)", "exponent");
    refused("10 m^1e99", "10 m^1e99");
    refused("10 m^(2", "10 m^(2");
    refused("10 (m/s", "10 (m/s");
    refused("10 m/", "10 m/");
    refused("10 m//s", "10 m//s");
    refused("10 ((((((((((m))))))))))", "10 ((");
    refused("1e999", "1e999 is too large a number");
    refused("1e308 km", "too large");
    refused("1e99999999999999999999999", "too large");
    refused("1e-999", "1e-999 is too small a number");
}

static void test_zero(void)
{
    CHECK(value("0", 0, 0, 0) == 0.0);
    CHECK(value("0e-999", 0, 0, 0) == 0.0);
    CHECK(value("0.000 mm", 1, 0, 0) == 0.0);
}

/* Units of tables: exponents may be parameters of the same table. */
static void test_tables(void)
{
    static const char *const names[] = {"k", "p", "gamma", "b"};
    const double values[] = {1.0, 2.5, 0.0, 1.0};
    const struct carom_exponents exponents = {4, names, values};
    struct carom_dimension found;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_units_dimension("N/m^p", &exponents, &found, &error), CAROM_OK);
    CHECK_NEAR(found.m, 1.0 - 2.5, 1e-12);
    CHECK_NEAR(found.s, -2.0, 1e-12);
    CHECK_STATUS(carom_units_dimension("s*m^(p-b)", &exponents, &found, &error), CAROM_OK);
    CHECK_NEAR(found.m, 1.5, 1e-12);
    CHECK_NEAR(found.s, 1.0, 1e-12);
    CHECK_STATUS(carom_units_dimension("m^(2*(p+b)/7)", &exponents, &found, &error), CAROM_OK);
    CHECK_NEAR(found.m, 1.0, 1e-12);
    CHECK_STATUS(carom_units_dimension("1", NULL, &found, &error), CAROM_OK);
    CHECK_STATUS(carom_units_dimension("m^q", &exponents, &found, &error), CAROM_E_INPUT);
    CHECK(carom_units_depends("N/m^p", "p") && carom_units_depends("s*m^(p-b)", "b"));
    CHECK(!carom_units_depends("N/m^(3/2)", "p") && !carom_units_depends("m", "m") && !carom_units_depends("kg", "k"));
    CHECK(!carom_units_depends("m^2*p", "p")); /* not in an exponent */
}

static void mismatch(const char *text, const char *unit, const char *sentence)
{
    struct carom_quantity quantity;
    struct carom_dimension dimension;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_units_read(text, &quantity, &error), CAROM_OK);
    CHECK_STATUS(carom_units_dimension(unit, NULL, &dimension, &error), CAROM_OK);
    const enum carom_status status = carom_units_check(text, &quantity, unit, &dimension, &error);
    CHECK(status == (sentence[0] != '\0' ? CAROM_E_INPUT : CAROM_OK));
    CHECK_TEXT(error.text, sentence);
}

static void test_mismatches(void)
{
    mismatch("10 mm", "m", "");
    mismatch("10", "m", "");
    mismatch("10 Pa*m^(1/2)", "N/m^(3/2)", "");
    mismatch("10 ms", "m", "10 ms is a time, expected a length, such as 10 mm");
    mismatch("3 mm", "1", "3 mm is a length, expected a number without a unit");
    mismatch("1 N/m", "N/m^(3/2)", "1 N/m is a spring stiffness, expected a Hertz stiffness, such as 1e9 N/m^(3/2)");
    mismatch("2 s*m^3", "kg", "2 s*m^3 is in m^3 s, expected a mass, such as 30 g");
    mismatch("2 s", "kg*m^(1/4)", "2 s is a time, expected a number in kg*m^(1/4), that is kg m^0.25");
}

int main(void)
{
    test_values();
    test_refusals();
    test_zero();
    test_tables();
    test_mismatches();
    return check_end();
}
