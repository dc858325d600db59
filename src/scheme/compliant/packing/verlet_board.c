/* Bodies and contacts in the memory of a device, see verlet_board.h: two pages of bodies and of what contacts remember,
 * all else of contacts once. */
#include "scheme/compliant/packing/verlet_board.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/texts.h"

/* what stands there */
enum {
    /* by contacts */
    PAIRS,
    CENTRES,
    RESTS,
    MADE,
    NOW,
    DEFORMS,
    RATES,
    PUSH,
    TORQUE,
    RUBBED,
    LIVE,
    KEPT0,
    KEPT1,
    ENTRIES,
    LOG,
    LOGGED_LOSSES,
    /* by bodies */
    WEIGHTS,
    FIRST,
    U0,
    U1,
    V0,
    V1,
    W0,
    W1,
    TURN0,
    TURN1,
    START, /* where they were when they were sent */
    /* of the whole */
    RUBBING,
    ACCOUNT,
    PACE,
};

/* as in packing.cl */
enum { LANES, BALLS, WALL_FIRST, WALL_SECOND, FIRST_TURNS = 4, SECOND_TURNS = 8 };

struct pair {
    uint32_t a, b, kind, pairing;
};

struct rubbing {
    double mu;
    int32_t rubs, hertzian, follows, always;
};

enum { MADE_NUMBERS = CAROM_LAW_FORM + 3 }; /* and k_t, gamma_t, mobility */

void carom_verlet_board_form(const struct carom_verlet_bodies_work *w, const struct carom_pairing *pairing,
                             const struct carom_contacts *c, size_t j, double number[CAROM_LAW_FORM])
{
    double value[CAROM_LAW_WIDTH];
    const double *param[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams; i++) {
        const struct carom_scaled *scaled = &pairing->param[i];
        const bool varies = c && (scaled->radius_power != 0.0 || scaled->mass_power != 0.0);
        value[i] = varies ? c->column[w->columns.param + i][j] : scaled->param;
        param[i] = &value[i];
    }
    pairing->law->form(param, 0, number);
}

/* does any law lose energy? */
static bool is_damped(const struct carom_verlet_bodies_work *w)
{
    bool damped = false;
    for (size_t p = 0; p < w->bodies->npairings; p++) {
        double number[CAROM_LAW_FORM];
        carom_verlet_board_form(w, &w->bodies->pairing[p], NULL, 0, number);
        damped |= number[CAROM_LAW_GAMMA] > 0.0;
    }
    return damped;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static size_t log_room(size_t nc)
{
    return nc / 4 + 4096;
}

/* bytes of a memory that goes with contacts, of so many */
static size_t bytes_of(const struct carom_verlet_board *d, size_t which, size_t nc)
{
    static const size_t size[] = {[PAIRS] = sizeof(struct pair), [CENTRES] = 4 * sizeof(double),
                                  [RESTS] = sizeof(double),      [MADE] = MADE_NUMBERS * sizeof(double),
                                  [NOW] = 4 * sizeof(double),    [DEFORMS] = sizeof(double),
                                  [RATES] = sizeof(double),      [PUSH] = 4 * sizeof(double),
                                  [LIVE] = sizeof(uint8_t),      [KEPT0] = sizeof(double),
                                  [TORQUE] = 8 * sizeof(double), [RUBBED] = 4 * sizeof(double),
                                  [KEPT1] = sizeof(double),      [ENTRIES] = 2 * sizeof(uint32_t),
                                  [LOG] = 2 * sizeof(uint32_t),  [LOGGED_LOSSES] = sizeof(double)};
    const bool page = which == KEPT0 || which == KEPT1, rub = which == TORQUE || which == RUBBED;
    const size_t times = page ? d->nkept : rub ? d->w->bodies->frictional : which == LOGGED_LOSSES ? d->losses : 1;
    return size[which] * times * (which >= LOG ? log_room(nc) : nc);
}

static bool take(struct carom_verlet_board *d, size_t which, size_t bytes, struct carom_error *error)
{
    carom_device_release(d->memory[which]);
    d->memory[which] = carom_device_take(d->device, bytes, error);
    return d->memory[which] != NULL;
}

/* for so many contacts, which come and go */
static bool make_room(struct carom_verlet_board *d, size_t nc, struct carom_error *error)
{
    const size_t room = nc + nc / 16 + 64;
    if (nc <= d->contacts && d->memory[PAIRS])
        return true;
    for (size_t which = PAIRS; which < WEIGHTS; which++)
        if (!take(d, which, bytes_of(d, which, room), error))
            return false;
    d->contacts = room;
    return true;
}

void *carom_verlet_board_scratch(struct carom_verlet_board *d, size_t bytes, struct carom_error *error)
{
    if (bytes > d->scratch_room || !d->scratch) {
        carom_memory_free(d->scratch);
        d->scratch = carom_memory_zeroed(bytes, 1);
        d->scratch_room = d->scratch ? bytes : 0;
    }
    if (!d->scratch)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet on a device");
    return d->scratch;
}

/* columns of contacts that steps change */
static void name_columns(struct carom_verlet_board *d)
{
    const struct carom_columns *columns = &d->w->columns;
    const enum carom_retired lost[CAROM_BOARD_LOSSES] = {CAROM_RETIRED_VISCOUS, CAROM_RETIRED_FRICTION,
                                                         CAROM_RETIRED_CHANGE};
    d->losses = d->w->bodies->frictional ? CAROM_BOARD_LOSSES : d->damped;
    d->nkept = d->losses + columns->width[CAROM_SLIDES];
    for (size_t i = 0; i < d->nkept; i++)
        d->kept[i] = i < d->losses ? columns->lost + lost[i] : columns->spring[CAROM_SLIDES] + i - d->losses;
}

/* friction, pairing by pairing */
static bool send_rubbing(struct carom_verlet_board *d, struct carom_error *error)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t bytes = w->bodies->npairings * sizeof(struct rubbing);
    struct rubbing *rubbing = take(d, RUBBING, bytes, error) ? carom_verlet_board_scratch(d, bytes, error) : NULL;
    for (size_t p = 0; rubbing && p < w->bodies->npairings; p++) {
        const struct carom_rub_law *law = &w->lanes[p].rub;
        rubbing[p] = (struct rubbing){law->mu, w->lanes[p].rubs, law->hertzian, law->follows, law->always};
    }
    if (rubbing)
        carom_device_write(d->memory[RUBBING], rubbing, bytes);
    return rubbing != NULL;
}

bool carom_verlet_board_open(struct carom_verlet_board *d, struct carom_device *device,
                             struct carom_verlet_bodies_work *w, struct carom_error *error)
{
    *d = (struct carom_verlet_board){.device = device, .w = w, .damped = is_damped(w)};
    name_columns(d);
    char head[100];
    const struct carom_bodies *b = d->w->bodies;
    const char *const text[] = {carom_texts_lane,   head,
                                carom_texts_lane3,  carom_texts_vec,
                                carom_texts_quat,   carom_texts_press,
                                carom_texts_meet,   carom_texts_ball,
                                carom_texts_rub,    carom_texts_spring,
                                carom_texts_packing};
    snprintf(head, sizeof head, "#define PLANE %d\n#define DAMPED %d\n#define APART %d\n#define RUBS %d\n",
             b->dimension == 2, d->damped, d->w->apart, b->frictional);
    d->program = carom_device_compile(d->device, "verlet", text, sizeof text / sizeof *text, error);
    if (d->program && !carom_device_what(device)->card)
        carom_device_group(d->program, 32, 1);
    bool good = d->program && take(d, WEIGHTS, b->n * 2 * sizeof(double), error) &&
                take(d, FIRST, (b->n + 1) * sizeof(uint32_t), error) &&
                take(d, ACCOUNT, CAROM_BOARD_MARKS * sizeof(int32_t), error) &&
                take(d, PACE, 2 * sizeof(double), error) && send_rubbing(d, error);
    for (size_t which = U0; good && which <= START; which++)
        good = take(d, which, b->n * 4 * sizeof(double), error);
    return good;
}

void carom_verlet_board_close(struct carom_verlet_board *d)
{
    for (size_t i = 0; i < CAROM_BOARD_MEMORIES; i++)
        carom_device_release(d->memory[i]);
    carom_device_program_free(d->program);
    carom_memory_free(d->scratch);
}

/* --- to the device ------------------------------------------------------------------------------------------------ */

static uint32_t kind_of(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key, size_t j)
{
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    const uint32_t turns = (a->inertia > 0.0 ? FIRST_TURNS : 0) | (b->inertia > 0.0 ? SECOND_TURNS : 0);
    if (w->in_lanes[j])
        return LANES;
    return turns | (!carom_verlet_has_wall(w, j) ? BALLS : carom_bodies_round(b) ? WALL_FIRST : WALL_SECOND);
}

static void send_pairs(struct carom_verlet_board *d, const struct carom_contacts *c)
{
    struct pair *pair = d->scratch;
    for (size_t j = 0; j < c->n; j++)
        pair[j] = (struct pair){c->key[j].a, c->key[j].b, kind_of(d->w, &c->key[j], j), c->key[j].pairing};
    carom_device_write(d->memory[PAIRS], pair, c->n * sizeof *pair);
}

/* D0 and |D0|, and g0 */
static void send_centres(struct carom_verlet_board *d, const struct carom_contacts *c, const double *q)
{
    const struct carom_verlet_bodies_work *w = d->w;
    double(*centres)[4] = d->scratch, *rest = (double *)(centres + c->n);
    for (size_t j = 0; j < c->n; j++) {
        memcpy(centres[j], w->centres[j].apart, 3 * sizeof(double));
        centres[j][3] = w->centres[j].length;
        rest[j] = w->contact[j].rest;
        if (carom_verlet_has_wall(w, j))
            carom_meet_flat(w->bodies, &c->key[j], q, centres[j], &rest[j]);
    }
    carom_device_write(d->memory[CENTRES], centres, c->n * sizeof *centres);
    carom_device_write(d->memory[RESTS], rest, c->n * sizeof *rest);
}

static void send_laws(struct carom_verlet_board *d, const struct carom_contacts *c)
{
    static const int column[CAROM_LAW_FORM] = {CAROM_LAW_K, CAROM_LAW_GAMMA, CAROM_LAW_P, CAROM_LAW_B};
    double *made = d->scratch, number[CAROM_LAW_FORM];
    for (size_t j = 0; j < c->n; j++) {
        carom_verlet_board_form(d->w, &d->w->bodies->pairing[c->key[j].pairing], c, j, number);
        for (size_t k = 0; k < CAROM_LAW_FORM; k++)
            made[k * c->n + j] = number[column[k]];
        const struct carom_verlet_lanes *lanes = &d->w->lanes[c->key[j].pairing];
        const struct carom_verlet_number *const across[] = {&lanes->k_t, &lanes->gamma_t};
        for (size_t k = 0; k < 2; k++)
            made[(CAROM_LAW_FORM + k) * c->n + j] = !lanes->rubs                    ? 0.0
                                                    : across[k]->column == SIZE_MAX ? across[k]->value
                                                                                    : c->column[across[k]->column][j];
    }
    if (d->w->bodies->frictional)
        memcpy(made + (MADE_NUMBERS - 1) * c->n, c->column[d->w->columns.mobility[CAROM_SLIDES]], c->n * sizeof *made);
    carom_device_write(d->memory[MADE], made, c->n * MADE_NUMBERS * sizeof *made);
}

/* contacts as they are at the state */
static void send_contacts(struct carom_verlet_board *d, const struct carom_contacts *c)
{
    const struct carom_verlet_bodies_work *w = d->w;
    double(*now)[4] = d->scratch, *deform = (double *)(now + c->n);
    for (size_t j = 0; j < c->n; j++) {
        memcpy(now[j], w->contact[j].normal, 3 * sizeof(double));
        now[j][3] = w->contact[j].root;
        deform[j] = w->contact[j].deform;
    }
    carom_device_write(d->memory[NOW], now, c->n * sizeof *now);
    carom_device_write(d->memory[DEFORMS], deform, c->n * sizeof *deform);
    carom_device_write(d->memory[LIVE], w->live, c->n);
    double *kept = d->scratch;
    for (size_t i = 0; i < d->nkept; i++)
        memcpy(kept + i * c->n, c->column[d->kept[i]], c->n * sizeof *kept);
    for (int page = 0; page < 2; page++)
        carom_device_write(d->memory[KEPT0 + page], kept, d->nkept * c->n * sizeof *kept);
}

/* does anybody ask what a body is given? */
static bool is_moved(const struct carom_verlet_bodies_work *w, size_t body)
{
    return w->weight[body][0] > 0.0 || w->weight[body][1] > 0.0;
}

/* Contacts of each body in the order in which what they give is added up (verlet_guests.c): those of its own block,
 * then block by block those of others. */
static void send_entries(struct carom_verlet_board *d, const struct carom_contacts *c)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t n = w->bodies->n, blocks = carom_verlet_blocks(w);
    uint32_t *first = d->scratch, *at = first + n + 1, *last = at + n, *entry = last + n;
    memset(first, 0, (n + 1) * sizeof *first);
    memset(last, 0xff, n * sizeof *last);
    for (size_t j = 0; j < c->n; j++)
        for (int side = 0; side < 2; side++)
            first[1 + (side ? c->key[j].b : c->key[j].a)]++;
    for (size_t i = 0; i < n; i++) {
        first[i + 1] = first[i] + (is_moved(w, i) ? first[i + 1] : 0);
        at[i] = first[i];
    }
    for (int others = 0; others < 2; others++)
        for (size_t block = 0; block < blocks; block++)
            for (size_t m = w->block[block].first; m < w->block[block].end; m++)
                for (uint32_t side = 0; side < 2; side++) {
                    const uint32_t j = w->member[m], body = side ? c->key[j].b : c->key[j].a;
                    if (!is_moved(w, body) || (body / CAROM_VERLET_BODIES != block) != others)
                        continue;
                    entry[at[body]++] = 4 * j + (last[body] != block ? 2 : 0) + side;
                    last[body] = (uint32_t)block;
                }
    carom_device_write(d->memory[FIRST], first, (n + 1) * sizeof *first);
    carom_device_write(d->memory[ENTRIES], entry, first[n] * sizeof *entry);
}

/* a page of bodies */
static void send_bodies(struct carom_verlet_board *d, const struct carom_state *state)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t n = w->bodies->n, nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    const bool plane = w->bodies->dimension == 2;
    double(*u)[4] = d->scratch, (*v)[4] = u + n, (*spin)[4] = v + n, (*turn)[4] = spin + n;
    for (size_t i = 0; i < n; i++) {
        const double *q = state->q + i * nq, *of = state->v + i * nv;
        const double rows[4][4] = {{q[0], q[1], plane ? 0.0 : q[2], w->body[i].radius},
                                   {of[0], of[1], plane ? 0.0 : of[2], 0.0},
                                   {plane ? 0.0 : of[3], plane ? 0.0 : of[4], of[nv - 1], 0.0},
                                   {q[plane ? 2 : 3], plane ? 0.0 : q[4], plane ? 0.0 : q[5], plane ? 0.0 : q[6]}};
        memcpy(u[i], rows[0], sizeof rows[0]);
        memcpy(v[i], rows[1], sizeof rows[1]);
        memcpy(spin[i], rows[2], sizeof rows[2]);
        memcpy(turn[i], rows[3], sizeof rows[3]);
    }
    double(*const all[])[4] = {u, v, spin, turn};
    for (size_t k = 0; k < 4; k++)
        carom_device_write(d->memory[U0 + 2 * k + (size_t)d->now], all[k], n * sizeof *u);
    carom_device_write(d->memory[WEIGHTS], w->weight, n * sizeof *w->weight);
}

static void pass(struct carom_verlet_board *d, const char *name, size_t places, const size_t *memory, size_t count)
{
    struct carom_device_argument argument[24] = {{.value = &d->stride, .size = sizeof d->stride}};
    const size_t size[2] = {places, 1};
    for (size_t i = 0; i < count; i++)
        argument[1 + i] = (struct carom_device_argument){.memory = d->memory[memory[i]]};
    carom_device_run(d->program, name, size, argument, 1 + count);
}

#define PASS(d, name, places, ...) \
    pass(d, name, places, (const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* lets bodies go so far before the device looks how far they have gone */
static void allow(struct carom_verlet_board *d, double spare)
{
    const double pace[2] = {spare, 0.0};
    carom_device_write(d->memory[PACE], pace, sizeof pace);
}

enum carom_status carom_verlet_board_send(struct carom_verlet_board *d, const struct carom_state *state,
                                          struct carom_error *error)
{
    const struct carom_bodies *b = d->w->bodies;
    const struct carom_contacts *c = state->contacts;
    const size_t bytes = (c->n > b->n ? c->n : b->n) * 16 * sizeof(double);
    if (!make_room(d, c->n, error) || !carom_verlet_board_scratch(d, bytes, error))
        return CAROM_E_MEMORY;
    d->stride = (struct carom_verlet_stride){.gravity = {b->gravity[0], b->gravity[1], b->gravity[2]},
                                             .edge = b->edge,
                                             .far = b->far,
                                             .step = d->w->step_size,
                                             .n = b->n,
                                             .nc = c->n,
                                             .room = log_room(d->contacts)};
    send_pairs(d, c);
    send_centres(d, c, state->q);
    send_laws(d, c);
    send_contacts(d, c);
    send_entries(d, c);
    send_bodies(d, state);
    PASS(d, "hush", c->n, RATES, PUSH, TORQUE, RUBBED);
    carom_device_copy(d->memory[U0 + d->now], d->memory[START], b->n * 4 * sizeof(double));
    d->spare = 0.5 * d->w->search.skin * (1.0 - 1e-9) - carom_search_way(&d->w->search, state->q);
    allow(d, d->spare);
    return CAROM_OK;
}

bool carom_verlet_board_fetch(struct carom_verlet_board *d, size_t page, struct carom_state *state,
                              struct carom_error *error)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t n = w->bodies->n, nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    const bool plane = w->bodies->dimension == 2;
    double(*row)[4] = carom_verlet_board_scratch(d, n * sizeof *row, error);
    for (size_t k = 0; k < 4 && row; k++) {
        carom_device_read(d->memory[U0 + 2 * k + page], row, n * sizeof *row);
        for (size_t i = 0; i < n; i++) {
            double *q = state->q + i * nq, *v = state->v + i * nv;
            if (k == 0)
                memcpy(q, row[i], (plane ? 2 : 3) * sizeof(double));
            else if (k == 1)
                memcpy(v, row[i], (plane ? 2 : 3) * sizeof(double));
            else if (k == 2)
                memcpy(v + (plane ? 2 : 3), row[i] + (plane ? 2 : 0), (plane ? 1 : 3) * sizeof(double));
            else
                memcpy(q + (plane ? 2 : 3), row[i], (plane ? 1 : 4) * sizeof(double));
        }
    }
    const size_t nc = state->contacts->n;
    double *kept = row ? carom_verlet_board_scratch(d, d->nkept * nc * sizeof *kept, error) : NULL;
    if (kept)
        carom_device_read(d->memory[KEPT0 + page], kept, d->nkept * nc * sizeof *kept);
    for (size_t i = 0; kept && i < d->nkept; i++)
        memcpy(state->contacts->column[d->kept[i]], kept + i * nc, nc * sizeof *kept);
    return kept != NULL;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void queue_step(struct carom_verlet_board *d, size_t from)
{
    const size_t n = d->stride.n, nc = d->stride.nc, to = 1 - from;
    PASS(d, "press", nc, ACCOUNT, PAIRS, MADE, RUBBING, WEIGHTS, U0 + from, V0 + from, W0 + from, NOW, DEFORMS, RATES,
         PUSH, TORQUE, RUBBED, LIVE, KEPT0 + from);
    PASS(d, "drift", n, ACCOUNT, WEIGHTS, FIRST, ENTRIES, PUSH, TORQUE, U0 + from, V0 + from, W0 + from, TURN0 + from,
         U0 + to, V0 + to, W0 + to, TURN0 + to);
    PASS(d, "reckon", 1, ACCOUNT, PACE);
    PASS(d, "kick", nc, ACCOUNT, PAIRS, CENTRES, RESTS, MADE, RUBBING, WEIGHTS, U0 + from, U0 + to, V0 + to, W0 + to,
         NOW, DEFORMS, RATES, PUSH, TORQUE, RUBBED, LIVE, KEPT0 + from, KEPT0 + to, LOG, LOGGED_LOSSES);
    PASS(d, "finish", n, ACCOUNT, WEIGHTS, FIRST, ENTRIES, PUSH, TORQUE, V0 + to, W0 + to);
    PASS(d, "conclude", 1, ACCOUNT);
}

double carom_verlet_board_pace(struct carom_verlet_board *d)
{
    double pace[2] = {0.0, HUGE_VAL};
    carom_device_read(d->memory[PACE], pace, sizeof pace);
    return pace[1];
}

/* The device has added up the largest ways of all steps: how far have bodies come indeed? Returns how many steps it may
 * take before the next look; 0: it has stopped for another reason, or the list must be made anew. */
static size_t look(struct carom_verlet_board *d, size_t page, int32_t marks[CAROM_BOARD_MARKS])
{
    float square;
    if (marks[CAROM_BOARD_WRONG] || marks[CAROM_BOARD_FAR] || (size_t)marks[CAROM_BOARD_LOGGED] > d->stride.room / 2)
        return 0;
    PASS(d, "look", d->stride.n, ACCOUNT, START, U0 + page);
    carom_device_read(d->memory[ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    memcpy(&square, &marks[CAROM_BOARD_SPEED], sizeof square);
    const double pace = carom_verlet_board_pace(d), spare = d->spare - sqrt(fmax((double)square, 1.2e-38));
    if (!(spare > 2.0 * pace))
        return 0;
    marks[CAROM_BOARD_HALT] = marks[CAROM_BOARD_SPEED] = 0;
    carom_device_write(d->memory[ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    allow(d, spare);
    return (size_t)fmin(spare / pace, 1e9);
}

void carom_verlet_board_run(struct carom_verlet_board *d, double h, size_t count, int32_t marks[CAROM_BOARD_MARKS])
{
    enum { AT_ONCE = 32 };
    const size_t start = (size_t)d->now;
    memset(marks, 0, CAROM_BOARD_MARKS * sizeof *marks);
    carom_device_write(d->memory[ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
    d->stride.h = h;
    for (size_t queued = 0, some = AT_ONCE; queued < count && some > 0;) {
        for (size_t k = 0; k < AT_ONCE && k < some && queued < count; k++, queued++)
            queue_step(d, (start + queued) % 2);
        carom_device_read(d->memory[ACCOUNT], marks, CAROM_BOARD_MARKS * sizeof *marks);
        d->now = (int)((start + (size_t)marks[CAROM_BOARD_DONE]) % 2);
        some = AT_ONCE;
        if (marks[CAROM_BOARD_HALT]) {
            some = look(d, (size_t)d->now, marks);
            queued = (size_t)marks[CAROM_BOARD_DONE];
        }
    }
}

struct carom_verlet_ended *carom_verlet_board_log(struct carom_verlet_board *d, size_t count, struct carom_error *error)
{
    const size_t size = sizeof(struct carom_verlet_ended) + 2 * sizeof(uint32_t) + d->losses * sizeof(double);
    struct carom_verlet_ended *ended = carom_verlet_board_scratch(d, (count + 1) * size, error);
    if (!ended)
        return NULL;
    double *lost = (double *)(ended + count);
    uint32_t(*at)[2] = (uint32_t(*)[2])(lost + d->losses * count);
    carom_device_read(d->memory[LOG], at, count * sizeof *at);
    carom_device_read(d->memory[LOGGED_LOSSES], lost, d->losses * count * sizeof *lost);
    for (size_t i = 0; i < count; i++) {
        ended[i] = (struct carom_verlet_ended){at[i][0], at[i][1], 0, {0.0}};
        memcpy(ended[i].lost, lost + d->losses * i, d->losses * sizeof *lost);
    }
    return ended;
}
