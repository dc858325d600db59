/* Rows of papers: reading, judging, sentences about wrong ones. */
#include "papers/james2020/james2020.h"
#include "study/verify/verify.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "files.h"

#define HEAD "title: test\nsource: nowhere\nrows:\n"
#define ROW(name, published, allowed, more) \
    "  - {name: " name ", place: here, published: " published ", allowed: " allowed ", reason: because, " more "}\n"

static const char rows[] = HEAD ROW("right", "0.578", "0.001", "measure: restitution")                    /* 0 */
    ROW("wrong", "0.5", "0.001", "measure: restitution")                                                  /* 1 */
    ROW("known", "0.5", "0.001", "measure: restitution, not_reproduced: the printed one is off")          /* 2 */
    ROW("absent", "1", "1", "measure: error_u, scene: pair.yaml, scheme: thetta, step: 0.1")              /* 3 */
    ROW("unknown", "1", "1", "measure: astrology")                                                        /* 4 */
    ROW("key", "1", "1", "measure: restitution, step: 1")                                                 /* 5 */
    ROW("lacking", "1", "1", "measure: error_u, scene: pair.yaml, scheme: theta")                         /* 6 */
    ROW("error", "0", "0.05", "measure: error_v, scene: pair.yaml, scheme: theta, step: 0.1, long: true") /* 7 */
    ROW("no-scene", "0", "0.05", "measure: error_v, scene: none.yaml, scheme: theta, step: 0.1");         /* 8 */

static const char pair[] = "units: none\nbodies: [chain: {count: 2}]\ncontacts: {law: kuwabara-kono, gamma: 0.1}\n"
                           "start: [{body: 1, velocity: 1}]\nrun: {until: 5}\n";

static void test_verdicts(void)
{
    static const enum carom_verdict expected[] = {CAROM_VERDICT_PASS, CAROM_VERDICT_FAIL, CAROM_VERDICT_NOT_REPRODUCED,
                                                  CAROM_VERDICT_FAIL, CAROM_VERDICT_FAIL, CAROM_VERDICT_FAIL,
                                                  CAROM_VERDICT_FAIL, CAROM_VERDICT_PASS, CAROM_VERDICT_FAIL};
    static const char *const said[] = {"",
                                       "",
                                       "",
                                       "there is no scheme 'thetta', did you mean 'theta'?",
                                       "there is no measure 'astrology'",
                                       "measure restitution does not take 'step'",
                                       "row lacking: step is missing",
                                       "",
                                       "none.yaml: cannot be read"};
    struct carom_paper paper;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_paper_read(&paper, "study_paper", &error), CAROM_OK);
    CHECK_OR_STOP(paper.nrows == 9);
    CHECK_TEXT(paper.source, "nowhere");
    CHECK(paper.row[7].takes_long && !paper.row[0].takes_long);
    static const struct carom_measure *const lists[] = {carom_james2020_list, NULL};
    struct carom_measures_memory memory = {0};
    for (size_t i = 0; i < paper.nrows; i++) {
        const struct carom_measuring m = {.paper = &paper, .row = &paper.row[i], .memory = &memory, .lists = lists};
        double measured;
        enum carom_verdict verdict;
        CHECK_STATUS(carom_verify_row(&m, &measured, &verdict, &error), CAROM_OK);
        CHECK_TEXT(carom_verify_word(verdict), carom_verify_word(expected[i]));
        CHECK_CONTAINS(error.text, said[i]);
        CHECK((error.status == CAROM_OK) == (measured == measured));
    }
    carom_paper_free(&paper);
}

static void test_wrong_files(void)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "there is nothing in it"},
        {"rows: []\n", "a file of rows has a title, a source and a list of rows"},
        {HEAD "  - {name: a}\n", "row a: place is missing"},
        {HEAD "  - {place: a}\n", "row without a name: name is missing"},
        {HEAD ROW("a", "b", "1", "measure: x"), "'b' is not a number"},
        {HEAD ROW("a", "1", "nan", "measure: x"), "'nan' is not a number"},
        {HEAD "  - 3\n", "name is missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct carom_paper paper;
        struct carom_error error = {CAROM_OK, ""};
        file_put("study_paper/rows.yaml", wrong[i].text);
        CHECK_STATUS(carom_paper_read(&paper, "study_paper", &error), CAROM_E_INPUT);
        CHECK_CONTAINS(error.text, wrong[i].said);
        carom_paper_free(&paper);
    }
    struct carom_paper paper;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_paper_read(&paper, "no_such_paper", &error), CAROM_E_FILE);
    carom_paper_free(&paper);
}

int main(void)
{
    mkdir("study_paper", 0777);
    file_put("study_paper/rows.yaml", rows);
    file_put("study_paper/pair.yaml", pair);
    test_verdicts();
    test_wrong_files();
    return check_end();
}
