/* Out of memory in any allocation of A^T B^-1 A, whose entries are noted in a list that grows: a sentence, and nothing
 * leaks (the sanitizers look). */
#include "solve/congruence.h"
#include "base/memory.h"
#include "check.h"

enum { N = 24 };

/* B of parts of two rows that do not couple, A full, so that the list grows while columns are noted */
static void make(struct carom_sparse *b, struct carom_sparse *a)
{
    struct carom_sparse_list of_b = {0}, of_a = {0};
    for (size_t i = 0; i < N; i++) {
        carom_sparse_note(&of_b, i, i, 4.0);
        if (i % 2 == 1) {
            carom_sparse_note(&of_b, i - 1, i, 1.0);
            carom_sparse_note(&of_b, i, i - 1, 1.0);
        }
        for (size_t j = 0; j < N; j++)
            carom_sparse_note(&of_a, i, j, 1.0 + (double)(i + j));
    }
    CHECK_STATUS(carom_sparse_make(b, N, N, &of_b, NULL), CAROM_OK);
    CHECK_STATUS(carom_sparse_make(a, N, N, &of_a, NULL), CAROM_OK);
    carom_sparse_list_close(&of_b);
    carom_sparse_list_close(&of_a);
}

int main(void)
{
    struct carom_sparse b, a;
    enum carom_status status = CAROM_E_MEMORY;
    unsigned long nth = 1;
    make(&b, &a);
    for (; status != CAROM_OK && nth < 2000; nth++) {
        struct carom_sparse_list out = {0};
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        status = carom_congruence_note(&b, &a, -2.0, true, 100000, &out, &error);
        carom_memory_fail(0);
        CHECK(status == CAROM_OK || status == CAROM_E_MEMORY);
        CHECK(error.status == status);
        if (status != CAROM_OK)
            CHECK_CONTAINS(error.text, "out of memory");
        CHECK(status != CAROM_OK || out.count == (size_t)N / 2 * N * N); /* every pair of columns in every part */
        carom_sparse_list_close(&out);
    }
    CHECK(status == CAROM_OK && nth > 10);
    carom_sparse_close(&b);
    carom_sparse_close(&a);
    return check_end();
}
