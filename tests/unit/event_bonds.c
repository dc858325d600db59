/* The table of contacts that remember something: after any order of remembering and forgetting it knows exactly those
 * that were not forgotten, with what they keep. */
#include "base/random.h"
#include "check.h"
#include "scheme/rigid/event/event_bodies.h"

#define KEYS 300

static struct carom_event_bond bond_of(uint32_t i, double keeps)
{
    struct carom_event_bond bond = {.key = {.a = i % 17, .b = 17 + i / 17, .feature = i % 3}, .mode = CAROM_EVENT_FREE};
    bond.keeps[0] = keeps;
    return bond;
}

static void check_all(const struct carom_event_bonds *bonds, const double *kept)
{
    size_t n = 0;
    for (uint32_t i = 0; i < KEYS; i++) {
        const struct carom_event_bond wanted = bond_of(i, kept[i]), *found = carom_event_bonds_find(bonds, &wanted.key);
        CHECK((found != NULL) == (kept[i] != 0.0));
        CHECK(found == NULL || found->keeps[0] == kept[i]);
        n += kept[i] != 0.0;
    }
    CHECK(bonds->n == n);
}

int main(void)
{
    struct carom_event_bonds bonds = {0};
    struct carom_random random;
    double kept[KEYS] = {0.0};
    carom_random_start(&random, 7);
    for (int turn = 0; turn < 6000; turn++) {
        const uint32_t i = (uint32_t)carom_random_below(&random, KEYS);
        const bool forgets = carom_random_uniform(&random) < (turn / 1000 % 2 == 0 ? 0.2 : 0.8); /* fills and empties */
        kept[i] = forgets ? 0.0 : 1.0 + turn;
        const struct carom_event_bond bond = bond_of(i, kept[i]);
        CHECK(carom_event_bonds_put(&bonds, &bond));
        if (turn % 50 == 0)
            check_all(&bonds, kept);
    }
    check_all(&bonds, kept);
    carom_event_bonds_close(&bonds);
    CHECK(bonds.n == 0 && bonds.bond == NULL);
    return check_end();
}
