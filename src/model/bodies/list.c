/* The list of contacts in a state, see list.h. */
#include "model/bodies/list.h"

#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/sorted.h"
#include "model/bodies/meet.h"
#include "model/bodies/shapes.h"

struct carom_columns carom_list_columns(const struct carom_bodies *b)
{
    struct carom_columns c = {.history = b->nparams};
    for (int way = 0; way < CAROM_WAYS; way++) {
        c.width[way] = b->nrub[way] == 0 ? 0 : b->dimension == 2 || way == CAROM_TWISTS ? 1 : 3;
        c.rub[way] = c.history;
        c.mobility[way] = c.rub[way] + b->nrub[way];
        c.history = c.mobility[way] + (c.width[way] > 0);
    }
    c.phase = c.history + b->nhistory;
    for (int way = 0; way < CAROM_WAYS; way++) {
        c.spring[way] = c.phase;
        c.phase += c.width[way];
    }
    c.lost = c.phase + CAROM_WAYS;
    c.end = c.lost + CAROM_RETIRED_KINDS;
    return c;
}

/* --- room -------------------------------------------------------------------------------------------------------- */

/* Keys and parameters of lists that are alike, and zeros for what contacts of the model cannot have. */
struct carom_list_block {
    size_t uses, room;
    struct carom_contact_key *key;
    size_t *place;  /* nfixed: where a parameter stands; those that are the same for all contacts stand in one place */
    double *column; /* one of zeros and those of parameters, one behind the other */
};

static void release(struct carom_list_block *b)
{
    if (!b || --b->uses > 0)
        return;
    carom_memory_free_all(b->key, b->place, b->column, b);
}

/* place: as in the block */
static struct carom_list_block *make_block(size_t nfixed, const size_t *place, size_t room)
{
    struct carom_list_block *b = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return NULL;
    size_t columns = 1;
    for (size_t i = 0; i < nfixed; i++)
        columns = place[i] >= columns ? place[i] + 1 : columns;
    b->uses = 1;
    b->room = room;
    b->key = carom_memory_zeroed(room, sizeof *b->key);
    b->place = carom_memory_zeroed(nfixed, sizeof *b->place);
    b->column = carom_memory_zeroed(columns * room, sizeof(double));
    if (b->place && nfixed > 0)
        memcpy(b->place, place, nfixed * sizeof *place);
    if (b->key && b->place && b->column)
        return b;
    release(b);
    return NULL;
}

/* the list stands on block b now, one of whose uses it takes over */
static void stand_on(struct carom_contacts *c, struct carom_list_block *b)
{
    release(c->block);
    c->block = b;
    c->key = b->key;
    for (size_t i = 0; i < c->ncolumns; i++)
        if (!c->own[i])
            c->column[i] = b->column + (i < c->nfixed ? b->place[i] : 0) * b->room;
}

static size_t with_spare(size_t n)
{
    return n + n / 128 + 16;
}

static bool reserve_own(struct carom_contacts *c, size_t n)
{
    const size_t room = with_spare(n);
    if (n <= c->room)
        return true;
    for (size_t i = 0; i < c->ncolumns; i++)
        if (c->own[i] && !carom_memory_widen(&c->column[i], c->room, room, sizeof(double)))
            return false;
    c->room = room;
    return true;
}

bool carom_list_reserve(struct carom_contacts *c, size_t n)
{
    if (!reserve_own(c, n))
        return false;
    if (c->block->uses == 1 && n <= c->block->room)
        return true;
    struct carom_list_block *b = make_block(c->nfixed, c->block->place, with_spare(n > c->n ? n : c->n));
    if (!b)
        return false;
    memcpy(b->key, c->key, c->n * sizeof *b->key);
    for (size_t i = 0; i < c->nfixed; i++)
        memcpy(b->column + b->place[i] * b->room, c->column[i], c->n * sizeof(double));
    stand_on(c, b);
    return true;
}

/* Can contacts of the model have anything in column i, whatever the scheme? Schemes that locate changes, or make energy
 * themselves, claim what is theirs alone. */
static bool is_used(const struct carom_bodies *b, const struct carom_columns *c, size_t i)
{
    for (int way = 0; way < CAROM_WAYS; way++)
        if (c->width[way] == 0 &&
            (i == c->lost + CAROM_RETIRED_FRICTION + (size_t)way || (way > 0 && i == c->phase + (size_t)way)))
            return false;
    return (i != c->lost + CAROM_RETIRED_CLIPPED || b->clipped) &&
           (i != c->lost + CAROM_RETIRED_CHANGE || b->frictional) && (i != c->phase || b->latched || b->rigid) &&
           i != c->lost + CAROM_RETIRED_NUMERICAL;
}

bool carom_list_claim(struct carom_contacts *c, size_t i)
{
    double *column = c->own[i] ? NULL : carom_memory_zeroed(c->room, sizeof *column);
    if (column) {
        c->column[i] = column;
        c->own[i] = true;
    }
    return c->own[i];
}

/* parameter i of a pairing; NULL: it has none of the kind, but what follows from its bodies */
static const struct carom_scaled *parameter(const struct carom_pairing *p, const struct carom_bodies *b,
                                            const struct carom_columns *c, size_t i)
{
    for (size_t way = 0; way < CAROM_WAYS; way++)
        if (i >= c->rub[way] && i < c->rub[way] + b->nrub[way])
            return &carom_pairing_resistance(p, (enum carom_way)way)[i - c->rub[way]];
    return i < b->nparams ? &p->param[i] : NULL;
}

/* are parameters i and k the same for any contact? k = SIZE_MAX: is i 0 for all? */
static bool are_alike(const struct carom_bodies *b, const struct carom_columns *c, size_t i, size_t k)
{
    bool alike = true;
    for (size_t p = 0; p < b->npairings && alike; p++) {
        const struct carom_scaled none = {0}, *one = parameter(&b->pairing[p], b, c, i),
                                  *other = k == SIZE_MAX ? &none : parameter(&b->pairing[p], b, c, k);
        alike = one && other && one->param == other->param && one->radius_power == other->radius_power &&
                one->mass_power == other->mass_power;
    }
    return alike;
}

/* where parameters stand: those that are 0 with the zeros, others with the first that is alike */
static void find_places(const struct carom_bodies *b, const struct carom_columns *c, size_t *place)
{
    size_t next = 1;
    for (size_t i = 0; i < c->history; i++) {
        size_t first = 0;
        while (first < i && !are_alike(b, c, i, first))
            first++;
        place[i] = are_alike(b, c, i, SIZE_MAX) ? 0 : first < i ? place[first] : next++;
    }
}

struct carom_contacts *carom_list_create(const struct carom_bodies *bodies)
{
    const struct carom_columns columns = carom_list_columns(bodies);
    struct carom_contacts *c = carom_memory_zeroed(1, sizeof *c);
    if (!c)
        return NULL;
    c->npairings = bodies->npairings;
    c->nfixed = columns.history;
    c->ncolumns = columns.end;
    c->first = carom_memory_zeroed(bodies->npairings + 1, sizeof *c->first);
    c->column = carom_memory_zeroed(c->ncolumns, sizeof *c->column);
    c->own = carom_memory_zeroed(c->ncolumns, sizeof *c->own);
    for (size_t i = c->nfixed; c->own && i < c->ncolumns; i++)
        c->own[i] = is_used(bodies, &columns, i);
    size_t *place = carom_memory_zeroed(c->nfixed, sizeof *place);
    if (place)
        find_places(bodies, &columns, place);
    struct carom_list_block *b = place && c->column && c->own ? make_block(c->nfixed, place, with_spare(16)) : NULL;
    carom_memory_free(place);
    if (b)
        stand_on(c, b);
    if (c->first && b && reserve_own(c, 16))
        return c;
    carom_list_free(c);
    return NULL;
}

void carom_list_free(struct carom_contacts *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->column && c->own && i < c->ncolumns; i++)
        if (c->own[i])
            carom_memory_free(c->column[i]);
    release(c->block);
    carom_memory_free_all(c->column, c->own, c->first, c);
}

/* the same keys and parameters as another list */
static void share(struct carom_contacts *c, const struct carom_contacts *like)
{
    if (c->block == like->block)
        return;
    like->block->uses++;
    stand_on(c, like->block);
}

void carom_list_copy(struct carom_contacts *to, const struct carom_contacts *from)
{
    to->lacking = from->lacking || !reserve_own(to, from->n);
    for (size_t i = from->nfixed; i < from->ncolumns; i++)
        to->lacking |= from->own[i] && !carom_list_claim(to, i);
    to->n = to->lacking ? 0 : from->n;
    if (!to->lacking)
        share(to, from);
    for (size_t p = 0; p <= from->npairings; p++)
        to->first[p] = to->lacking ? 0 : from->first[p];
    for (size_t i = 0; i < from->ncolumns; i++)
        if (to->own[i])
            memcpy(to->column[i], from->column[i], to->n * sizeof(double));
    memcpy(to->retired, from->retired, sizeof to->retired);
}

/* numbers of a column in the order of the new keys, 0 where contacts are new */
static void reorder(const double *was, const uint32_t *from, size_t n, double *is)
{
    for (size_t j = 0; j < n; j++)
        is[j] = from[j] != UINT32_MAX ? was[from[j]] : 0.0;
}

/* do the n contacts of the list stay as they are? */
static bool all_stay(const struct carom_contacts *c, const uint32_t *from, size_t n)
{
    size_t stay = 0;
    while (stay < n && from[stay] == stay)
        stay++;
    return stay == n && n == c->n;
}

bool carom_list_renew(struct carom_contacts *c, const struct carom_bodies *bodies, const struct carom_contact_key *key,
                      size_t n, const uint32_t *from, const struct carom_contacts *like, double *room)
{
    if (all_stay(c, from, n)) {
        if (like)
            share(c, like);
        return true;
    }
    struct carom_list_block *b = like ? NULL : make_block(c->nfixed, c->block->place, with_spare(n));
    if ((!b && !like) || !reserve_own(c, n)) {
        release(b);
        return false;
    }
    for (size_t i = 0; i < c->ncolumns && n > 0; i++) {
        if (c->own[i]) {
            reorder(c->column[i], from, n, room);
            memcpy(c->column[i], room, n * sizeof(double));
        } else if (i < c->nfixed && b) {
            reorder(c->column[i], from, n, b->column + b->place[i] * b->room);
        }
    }
    c->n = n;
    if (like) {
        share(c, like);
        return true;
    }
    if (n > 0)
        memcpy(b->key, key, n * sizeof *key);
    stand_on(c, b);
    for (size_t j = 0; j < n; j++)
        if (from[j] == UINT32_MAX)
            carom_list_bear(c, bodies, j);
    return true;
}

/* --- what is lost ------------------------------------------------------------------------------------------------ */

void carom_list_book(struct carom_contacts *c, enum carom_retired mechanism, double energy)
{
    struct carom_sum sum = {c->retired[2 * mechanism], c->retired[2 * mechanism + 1]};
    carom_sum_add(&sum, energy);
    c->retired[2 * mechanism] = sum.high;
    c->retired[2 * mechanism + 1] = sum.low;
}

void carom_list_end(struct carom_contacts *c, const struct carom_columns *columns, size_t j,
                    struct carom_sum lost[CAROM_RETIRED_KINDS])
{
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        carom_sum_add(&lost[i], c->column[columns->lost + i][j]);
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        if (c->own[i])
            c->column[i][j] = 0.0;
}

void carom_list_retire(struct carom_contacts *c, const struct carom_columns *columns, size_t j)
{
    struct carom_sum lost[CAROM_RETIRED_KINDS];
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        lost[i] = (struct carom_sum){c->retired[2 * i], c->retired[2 * i + 1]};
    carom_list_end(c, columns, j, lost);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++) {
        c->retired[2 * i] = lost[i].high;
        c->retired[2 * i + 1] = lost[i].low;
    }
}

bool carom_list_is_empty(const struct carom_contacts *c, size_t j)
{
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        if (c->column[i][j] != 0.0)
            return false;
    return true;
}

bool carom_list_slips(const struct carom_contacts *c, const struct carom_columns *columns, size_t j, enum carom_way way)
{
    const double phase = c->column[columns->phase + (size_t)way][j];
    return columns->width[way] > 0 && (phase < 0.0 || phase == CAROM_CONTACT_SLIPS);
}

bool carom_list_mark(struct carom_contacts *c, const struct carom_columns *columns, size_t j, enum carom_way way)
{
    const size_t i = columns->phase + (size_t)way;
    if (columns->width[way] == 0 || !carom_list_claim(c, i))
        return false;
    c->column[i][j] = -1.0;
    return true;
}

double carom_list_lost(const struct carom_contacts *c, const struct carom_columns *columns,
                       enum carom_retired mechanism)
{
    struct carom_sum sum = {c->retired[2 * mechanism], c->retired[2 * mechanism + 1]};
    for (size_t j = 0; j < c->n; j++)
        carom_sum_add(&sum, c->column[columns->lost + mechanism][j]);
    return carom_sum_value(&sum);
}

int carom_list_order(const struct carom_contact_key *a, const struct carom_contact_key *b)
{
    const uint32_t x[4] = {a->pairing, a->a, a->b, a->feature}, y[4] = {b->pairing, b->a, b->b, b->feature};
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

size_t carom_list_find(const struct carom_contacts *c, const struct carom_contact_key *key)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, c->n, carom_list_order(&c->key[middle], key) < 0);
    return low < c->n && carom_list_order(&c->key[low], key) == 0 ? low : c->n;
}

/* --- parameters -------------------------------------------------------------------------------------------------- */

static double scaled(const struct carom_scaled *s, double radius, double mass)
{
    double value = s->param;
    if (s->radius_power == 0.5)
        value *= sqrt(radius);
    else if (s->radius_power != 0.0)
        value *= carom_power(radius, s->radius_power);
    return s->mass_power != 0.0 ? value * carom_power(mass, s->mass_power) : value;
}

double carom_list_param(const struct carom_bodies *bodies, const struct carom_contact_key *key, size_t i)
{
    const struct carom_body *a = &bodies->body[key->a], *b = &bodies->body[key->b];
    return scaled(&bodies->pairing[key->pairing].param[i], carom_meet_radius(a, b), carom_meet_mass(a, b));
}

void carom_list_bear(struct carom_contacts *c, const struct carom_bodies *bodies, size_t j)
{
    const struct carom_pairing *pairing = &bodies->pairing[c->key[j].pairing];
    const struct carom_body *a = &bodies->body[c->key[j].a], *b = &bodies->body[c->key[j].b];
    const double radius = carom_meet_radius(a, b), mass = carom_meet_mass(a, b);
    for (size_t i = 0; i < bodies->nparams; i++)
        c->column[i][j] = scaled(&pairing->param[i], radius, mass);
    const struct carom_columns columns = carom_list_columns(bodies);
    for (int way = 0; way < CAROM_WAYS; way++) {
        const struct carom_scaled *rub = carom_pairing_resistance(pairing, (enum carom_way)way);
        for (size_t i = 0; i < bodies->nrub[way]; i++)
            c->column[columns.rub[way] + i][j] = scaled(&rub[i], radius, mass);
        if (columns.width[way] > 0)
            c->column[columns.mobility[way]][j] = carom_meet_mobility(a, b, (enum carom_way)way);
    }
}

/* --- checkpoints ------------------------------------------------------------------------------------------------- */

/* Only contacts with something to remember are written: those that are open come back with the next search. */
size_t carom_list_count(const struct carom_contacts *c)
{
    size_t count = 0;
    for (size_t j = 0; j < c->n; j++)
        count += !carom_list_is_empty(c, j);
    return 2 * CAROM_RETIRED_KINDS + count * (4 + c->ncolumns - c->nfixed);
}

void carom_list_pack(const struct carom_contacts *c, double *out)
{
    memcpy(out, c->retired, sizeof c->retired);
    out += 2 * CAROM_RETIRED_KINDS;
    for (size_t j = 0; j < c->n; j++) {
        if (carom_list_is_empty(c, j))
            continue;
        const struct carom_contact_key *key = &c->key[j];
        *out++ = key->pairing;
        *out++ = key->a;
        *out++ = key->b;
        *out++ = key->feature;
        for (size_t i = c->nfixed; i < c->ncolumns; i++)
            *out++ = c->column[i][j];
    }
}

static bool read_key(const struct carom_bodies *b, const double *in, struct carom_contact_key *key)
{
    const double most[4] = {(double)b->npairings, (double)b->n, (double)b->n, 4294967296.0};
    for (int i = 0; i < 4; i++)
        if (!(in[i] >= 0.0 && in[i] < most[i] && in[i] == floor(in[i])))
            return false;
    *key = (struct carom_contact_key){(uint32_t)in[0], (uint32_t)in[1], (uint32_t)in[2], (uint32_t)in[3]};
    if (!(key->a < key->b))
        return false;
    const struct carom_body *one = &b->body[key->a], *other = &b->body[key->b];
    return b->meets[one->material * b->nmaterials + other->material] == key->pairing &&
           (carom_shapes_both(b, key->a, key->b) ? carom_shapes_has(b, key->a, key->b, key->feature)
                                                 : key->feature < carom_meet_features(one, other));
}

bool carom_list_unpack(struct carom_contacts *c, const struct carom_bodies *bodies, const double *in, size_t n)
{
    const size_t width = 4 + c->ncolumns - c->nfixed, head = 2 * CAROM_RETIRED_KINDS;
    if (n < head || (n - head) % width != 0 || !carom_list_reserve(c, (n - head) / width))
        return false;
    memcpy(c->retired, in, sizeof c->retired);
    c->n = (n - head) / width;
    for (size_t p = 0; p <= c->npairings; p++)
        c->first[p] = 0;
    for (size_t j = 0; j < c->n; j++) {
        const double *row = in + head + j * width;
        if (!read_key(bodies, row, &c->key[j]) || (j > 0 && carom_list_order(&c->key[j - 1], &c->key[j]) >= 0))
            return false;
        c->first[c->key[j].pairing + 1] = j + 1;
        for (size_t i = c->nfixed; i < c->ncolumns; i++) {
            const double value = row[4 + i - c->nfixed];
            if (value != 0.0 && !carom_list_claim(c, i))
                return false;
            if (c->own[i])
                c->column[i][j] = value;
        }
        carom_list_bear(c, bodies, j);
    }
    for (size_t p = 0; p < c->npairings; p++)
        if (c->first[p + 1] < c->first[p])
            c->first[p + 1] = c->first[p];
    return true;
}
