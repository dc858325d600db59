/* Ranges and lists that studies run over: values, texts, units, sentences about wrong ones. */
#include "study/range.h"

#include "check.h"

static void test_even(void)
{
    struct carom_range r;
    CHECK_STATUS(carom_range_read("0:1:11", false, &r, NULL), CAROM_OK);
    CHECK(r.count == 11 && r.numeric);
    CHECK(r.value[0] == 0.0 && r.value[3] == 0.3 && r.value[10] == 1.0);
    CHECK_TEXT(r.text[7], "0.7");
    CHECK_TEXT(r.unit, "");
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read(" 5 : 1 : 3 ", false, &r, NULL), CAROM_OK);
    CHECK(r.count == 3 && r.value[0] == 5.0 && r.value[1] == 3.0 && r.value[2] == 1.0);
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("2:2:1", false, &r, NULL), CAROM_OK);
    CHECK(r.count == 1 && r.value[0] == 2.0);
    carom_range_free(&r);
}

static void test_ratios(void)
{
    struct carom_range r;
    CHECK_STATUS(carom_range_read("0.1:0.0125:4", true, &r, NULL), CAROM_OK);
    CHECK(r.value[0] == 0.1 && r.value[1] == 0.05 && r.value[2] == 0.025 && r.value[3] == 0.0125);
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("-1:-100:3", true, &r, NULL), CAROM_OK);
    CHECK_NEAR(r.value[1], -10.0, 1e-13);
    carom_range_free(&r);
}

static void test_units_and_words(void)
{
    struct carom_range r;
    CHECK_STATUS(carom_range_read("1 mm:2 mm:3", false, &r, NULL), CAROM_OK);
    CHECK_TEXT(r.text[1], "1.5 mm");
    CHECK_TEXT(r.unit, "mm");
    CHECK(r.value[1] == 1.5);
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("1:2 mm:3", false, &r, NULL), CAROM_OK);
    CHECK_TEXT(r.text[0], "1 mm");
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("irk, gl ,gl-reg", false, &r, NULL), CAROM_OK);
    CHECK(r.count == 3 && !r.numeric && r.value[0] != r.value[0]);
    CHECK_TEXT(r.text[1], "gl");
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("[1, 2],{e: 0.9, speed: 1}", false, &r, NULL), CAROM_OK);
    CHECK(r.count == 2 && !r.numeric);
    CHECK_TEXT(r.text[0], "[1, 2]");
    CHECK_TEXT(r.text[1], "{e: 0.9, speed: 1}");
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("0.1,0.2,0.4", false, &r, NULL), CAROM_OK);
    CHECK(r.numeric && r.count == 3 && r.value[2] == 0.4);
    carom_range_free(&r);
    CHECK_STATUS(carom_range_read("1 mm,2 cm", false, &r, NULL), CAROM_OK);
    CHECK(!r.numeric); /* two units are no one axis of numbers */
    carom_range_free(&r);
}

static void test_wrong(void)
{
    static const char *const wrong[] = {"1:2",       "1:2:3:4", "a:b:3", "1:2:0",    "1:2:2.5", "1:2:1",
                                        "1 m:2 s:3", "1,,2",    "",      "nan:1:3",  "1:2:x",   "1:2:20000000",
                                        "1:inf:3",   "1::3",    ",",     "1:2,3:4:5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct carom_range r;
        struct carom_error error = {CAROM_OK, ""};
        CHECK_STATUS(carom_range_read(wrong[i], false, &r, &error), CAROM_E_USAGE);
        CHECK(error.text[0] != '\0' && r.count == 0 && r.value == NULL);
        if (error.status != CAROM_E_USAGE)
            printf("accepted: %s\n", wrong[i]);
    }
    struct carom_range r;
    CHECK_STATUS(carom_range_read("0:1:3", true, &r, NULL), CAROM_E_USAGE); /* no ratios from zero */
}

static void test_print(void)
{
    static const double numbers[] = {0.1, 1.0 / 3.0, 1e-300, 6.02214076e23, -0.0, 123456789.123456789};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[32];
        carom_range_print(numbers[i], text);
        CHECK(strtod(text, NULL) == numbers[i]);
    }
    char text[32];
    carom_range_print(0.1, text);
    CHECK_TEXT(text, "0.1");
}

int main(void)
{
    test_even();
    test_ratios();
    test_units_and_words();
    test_wrong();
    test_print();
    return check_end();
}
