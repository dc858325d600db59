/* Bodies and contacts in the memory of a device, see verlet_board.h: two pages of bodies and of what contacts remember,
 * all else of contacts once. */
#include "scheme/compliant/packing/verlet_board.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "carom/friction.h"
#include "kernel/spring.h"
#include "kernel/texts.h"

/* as in packing.cl */
enum { LANES, BALLS, WALL_FIRST, WALL_SECOND, FIRST_TURNS = 4, SECOND_TURNS = 8 };

struct pair {
    uint32_t a, b, kind, pairing;
};

enum { FREE, SPRING, SMOOTH };
struct rubbing {
    double mu;
    int32_t rubs, hertzian, follows, always;
};

/* numbers that laws are told of a contact: of the normal law, of each way, and the lever of rolling and twisting */
enum { OF_A_WAY = 3, MADE_NUMBERS = CAROM_LAW_FORM + CAROM_WAYS * OF_A_WAY + 1 };

static bool turns(const struct carom_verlet_bodies_work *w)
{
    return w->columns.width[CAROM_ROLLS] + w->columns.width[CAROM_TWISTS] > 0;
}

static size_t made_numbers(const struct carom_verlet_bodies_work *w)
{
    return turns(w) ? MADE_NUMBERS : CAROM_LAW_FORM + (w->bodies->frictional ? OF_A_WAY : 0);
}

void carom_verlet_board_form(const struct carom_verlet_bodies_work *w, const struct carom_pairing *pairing,
                             const struct carom_contacts *c, size_t j, double number[CAROM_LAW_FORM])
{
    double value[CAROM_LAW_WIDTH];
    const double *param[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams; i++) {
        const struct carom_scaled *scaled = &pairing->param[i];
        const bool varies = c && carom_scaled_varies(scaled);
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
    static const size_t size[] = {
        [CAROM_BOARD_PAIRS] = sizeof(struct pair),  [CAROM_BOARD_CENTRES] = 4 * sizeof(double),
        [CAROM_BOARD_RESTS] = sizeof(double),       [CAROM_BOARD_MADE] = sizeof(double),
        [CAROM_BOARD_NOW] = 4 * sizeof(double),     [CAROM_BOARD_DEFORMS] = sizeof(double),
        [CAROM_BOARD_RATES] = sizeof(double),       [CAROM_BOARD_PUSH] = 4 * sizeof(double),
        [CAROM_BOARD_LIVE] = sizeof(uint8_t),       [CAROM_BOARD_KEPT0] = sizeof(double),
        [CAROM_BOARD_TORQUE] = 8 * sizeof(double),  [CAROM_BOARD_FRICTION_LOSS] = 4 * sizeof(double),
        [CAROM_BOARD_KEPT1] = sizeof(double),       [CAROM_BOARD_ENTRIES] = 2 * sizeof(uint32_t),
        [CAROM_BOARD_LOG] = 2 * sizeof(uint32_t),   [CAROM_BOARD_LOGGED_LOSSES] = sizeof(double),
        [CAROM_BOARD_RESISTED] = 4 * sizeof(double)};
    const bool page = which == CAROM_BOARD_KEPT0 || which == CAROM_BOARD_KEPT1,
               rub = which == CAROM_BOARD_TORQUE || which == CAROM_BOARD_FRICTION_LOSS;
    const size_t times = page                                 ? d->nkept
                         : rub                                ? d->w->bodies->frictional
                         : which == CAROM_BOARD_RESISTED      ? turns(d->w)
                         : which == CAROM_BOARD_MADE          ? made_numbers(d->w)
                         : which == CAROM_BOARD_LOGGED_LOSSES ? d->losses
                                                              : 1;
    return size[which] * times * (which >= CAROM_BOARD_LOG ? log_room(nc) : nc);
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
    if (nc <= d->contacts && d->memory[CAROM_BOARD_PAIRS])
        return true;
    for (size_t which = CAROM_BOARD_PAIRS; which < CAROM_BOARD_WEIGHTS; which++)
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
    const bool frictional = d->w->bodies->frictional;
    if (frictional || d->damped)
        d->lost[d->losses++] = CAROM_RETIRED_VISCOUS;
    for (int way = 0; way < CAROM_WAYS; way++)
        if (columns->width[way] > 0)
            d->lost[d->losses++] = (enum carom_retired)(CAROM_RETIRED_FRICTION + way);
    if (frictional)
        d->lost[d->losses++] = CAROM_RETIRED_CHANGE;
    for (; d->nkept < d->losses; d->nkept++)
        d->kept[d->nkept] = columns->lost + d->lost[d->nkept];
    for (size_t way = 0; way < CAROM_WAYS; way++)
        for (size_t k = 0; k < columns->width[way]; k++)
            d->kept[d->nkept++] = columns->spring[way] + k;
}

static struct rubbing rubbing_of(const struct carom_pairing *p, enum carom_way way)
{
    const struct carom_friction *friction = carom_pairing_resists(p, way);
    struct carom_ball_friction_law law;
    carom_verlet_lanes_plain(p, way, &law);
    return (struct rubbing){.mu = law.mu,
                            .rubs = !friction          ? FREE
                                    : friction->spring ? SPRING
                                                       : SMOOTH,
                            .hertzian = law.hertzian,
                            .follows = law.follows,
                            .always = law.always};
}

/* how pairings resist, way by way */
static bool send_rubbing(struct carom_verlet_board *d, struct carom_error *error)
{
    const struct carom_bodies *b = d->w->bodies;
    const size_t bytes = b->npairings * CAROM_WAYS * sizeof(struct rubbing);
    struct rubbing *rubbing =
        take(d, CAROM_BOARD_RUBBING, bytes, error) ? carom_verlet_board_scratch(d, bytes, error) : NULL;
    for (size_t i = 0; rubbing && i < b->npairings * CAROM_WAYS; i++)
        rubbing[i] = rubbing_of(&b->pairing[i / CAROM_WAYS], (enum carom_way)(i % CAROM_WAYS));
    if (rubbing)
        carom_device_write(d->memory[CAROM_BOARD_RUBBING], rubbing, bytes);
    return rubbing != NULL;
}

bool carom_verlet_board_open(struct carom_verlet_board *d, struct carom_device *device,
                             struct carom_verlet_bodies_work *w, struct carom_error *error)
{
    *d = (struct carom_verlet_board){.device = device, .w = w, .damped = is_damped(w)};
    name_columns(d);
    char head[200];
    const struct carom_bodies *b = d->w->bodies;
    const size_t *width = d->w->columns.width;
    const char *const text[] = {carom_texts_lane,     head,
                                carom_texts_lane3,    carom_texts_vec,
                                carom_texts_quat,     carom_texts_press,
                                carom_texts_meet,     carom_texts_ball,
                                carom_texts_friction, carom_texts_spring,
                                carom_texts_packing};
    snprintf(head, sizeof head,
             "#define PLANE %d\n#define DAMPED %d\n#define APART %d\n#define RUBS %d\n"
             "#define SLIDES %zu\n#define ROLLS %zu\n#define TWISTS %zu\n",
             b->dimension == 2, d->damped, d->w->apart, b->frictional, width[CAROM_SLIDES], width[CAROM_ROLLS],
             width[CAROM_TWISTS]);
    d->program = carom_device_compile(d->device, "verlet", text, sizeof text / sizeof *text, error);
    if (d->program && !carom_device_what(device)->card)
        carom_device_group(d->program, 32, 1);
    bool good = d->program && take(d, CAROM_BOARD_WEIGHTS, b->n * 2 * sizeof(double), error) &&
                take(d, CAROM_BOARD_FIRST, (b->n + 1) * sizeof(uint32_t), error) &&
                take(d, CAROM_BOARD_ACCOUNT, CAROM_BOARD_MARKS * sizeof(int32_t), error) &&
                take(d, CAROM_BOARD_PACE, 2 * sizeof(double), error) && send_rubbing(d, error);
    for (size_t which = CAROM_BOARD_U0; good && which <= CAROM_BOARD_START; which++)
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

/* what goes into scratch memory, or comes out of it: contacts, or bodies, which threads share out */
struct portion {
    struct carom_verlet_board *d;
    const struct carom_state *state;
    size_t n; /* of all */
    void (*some)(const struct portion *p, size_t first, size_t last);
    size_t what; /* for a fetch: which of the memories of bodies */
};

enum { PORTION = 1 << 14 };

static void one_portion(void *own, size_t i)
{
    const struct portion *p = own;
    const size_t last = (i + 1) * PORTION;
    p->some(p, i * PORTION, last < p->n ? last : p->n);
}

static void share_out(struct carom_verlet_board *d, const struct carom_state *state, size_t n,
                      void (*some)(const struct portion *p, size_t first, size_t last), size_t what)
{
    struct portion p = {d, state, n, some, what};
    carom_threads_run(d->w->search.threads, one_portion, &p, (n + PORTION - 1) / PORTION);
}

static uint32_t kind_of(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key, size_t j)
{
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    const uint32_t turns = (a->inertia > 0.0 ? FIRST_TURNS : 0) | (b->inertia > 0.0 ? SECOND_TURNS : 0);
    if (w->in_lanes[j])
        return LANES;
    return turns | (!carom_verlet_has_wall(w, j) ? BALLS : carom_bodies_round(b) ? WALL_FIRST : WALL_SECOND);
}

static void some_pairs(const struct portion *p, size_t first, size_t last)
{
    struct pair *pair = p->d->scratch;
    for (size_t j = first; j < last; j++) {
        const struct carom_contact_key *key = &p->state->contacts->key[j];
        pair[j] = (struct pair){key->a, key->b, kind_of(p->d->w, key, j), key->pairing};
    }
}

/* D0 and |D0|, and g0 */
static void some_centres(const struct portion *p, size_t first, size_t last)
{
    const struct carom_verlet_bodies_work *w = p->d->w;
    double(*centres)[4] = p->d->scratch, *rest = (double *)(centres + p->n);
    for (size_t j = first; j < last; j++) {
        memcpy(centres[j], w->centres[j].apart, 3 * sizeof(double));
        centres[j][3] = w->centres[j].length;
        rest[j] = w->contact[j].rest;
        if (carom_verlet_has_wall(w, j))
            carom_meet_flat(w->bodies, &p->state->contacts->key[j], p->state->q, centres[j], &rest[j]);
    }
}

/* stiffness (or slip speed) and viscous time of contact j in one way, and its mobility */
static void way_numbers(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j,
                        enum carom_way way, double out[OF_A_WAY])
{
    enum { FIRST = 2 }; /* behind the coefficients */
    const struct carom_pairing *p = &w->bodies->pairing[c->key[j].pairing];
    const struct carom_scaled *number = carom_pairing_resistance(p, way);
    const bool resists = carom_pairing_resists(p, way) != NULL;
    for (size_t k = 0; k < OF_A_WAY - 1; k++) {
        const struct carom_scaled *scaled = &number[FIRST + k];
        out[k] = !resists                      ? 0.0
                 : carom_scaled_varies(scaled) ? c->column[w->columns.rub[way] + FIRST + k][j]
                                               : scaled->param;
    }
    out[OF_A_WAY - 1] = w->columns.width[way] > 0 ? c->column[w->columns.mobility[way]][j] : 0.0;
}

static void some_laws(const struct portion *p, size_t first, size_t last)
{
    static const int column[CAROM_LAW_FORM] = {CAROM_LAW_K, CAROM_LAW_GAMMA, CAROM_LAW_P, CAROM_LAW_B};
    const struct carom_verlet_bodies_work *w = p->d->w;
    const struct carom_body *body = w->bodies->body;
    const struct carom_contacts *c = p->state->contacts;
    double *made = p->d->scratch, number[CAROM_LAW_FORM], of_way[OF_A_WAY];
    const size_t ways = (made_numbers(w) - CAROM_LAW_FORM) / OF_A_WAY;
    for (size_t j = first; j < last; j++) {
        carom_verlet_board_form(w, &w->bodies->pairing[c->key[j].pairing], c, j, number);
        for (size_t k = 0; k < CAROM_LAW_FORM; k++)
            made[k * c->n + j] = number[column[k]];
        for (size_t way = 0; way < ways; way++) {
            way_numbers(w, c, j, (enum carom_way)way, of_way);
            for (size_t k = 0; k < OF_A_WAY; k++)
                made[(CAROM_LAW_FORM + OF_A_WAY * way + k) * c->n + j] = of_way[k];
        }
        if (turns(w))
            made[(MADE_NUMBERS - 1) * c->n + j] = carom_meet_lever(&body[c->key[j].a], &body[c->key[j].b]);
    }
}

/* contacts as they are at the state */
static void some_contacts(const struct portion *p, size_t first, size_t last)
{
    const struct carom_verlet_bodies_work *w = p->d->w;
    double(*now)[4] = p->d->scratch, *deform = (double *)(now + p->n);
    for (size_t j = first; j < last; j++) {
        memcpy(now[j], w->contact[j].normal, 3 * sizeof(double));
        now[j][3] = w->contact[j].root;
        deform[j] = w->contact[j].deform;
    }
}

/* all that the device has of contacts but who asks for them; what they remember goes onto both pages */
static void send_contacts(struct carom_verlet_board *d, const struct carom_state *state)
{
    const struct carom_contacts *c = state->contacts;
    const size_t bytes = c->n * sizeof(double), made = made_numbers(d->w);
    double *room = d->scratch;
    share_out(d, state, c->n, some_pairs, 0);
    carom_device_write(d->memory[CAROM_BOARD_PAIRS], room, c->n * sizeof(struct pair));
    share_out(d, state, c->n, some_centres, 0);
    carom_device_write(d->memory[CAROM_BOARD_CENTRES], room, 4 * bytes);
    carom_device_write(d->memory[CAROM_BOARD_RESTS], room + 4 * c->n, bytes);
    share_out(d, state, c->n, some_laws, 0);
    carom_device_write(d->memory[CAROM_BOARD_MADE], room, made * bytes);
    share_out(d, state, c->n, some_contacts, 0);
    carom_device_write(d->memory[CAROM_BOARD_NOW], room, 4 * bytes);
    carom_device_write(d->memory[CAROM_BOARD_DEFORMS], room + 4 * c->n, bytes);
    carom_device_write(d->memory[CAROM_BOARD_LIVE], d->w->live, c->n);
    for (size_t i = 0; i < d->nkept; i++)
        carom_threads_copy(d->w->search.threads, room + i * c->n, c->column[d->kept[i]], c->n);
    carom_device_write(d->memory[CAROM_BOARD_KEPT0], room, d->nkept * bytes);
    carom_device_copy(d->memory[CAROM_BOARD_KEPT0], d->memory[CAROM_BOARD_KEPT1], d->nkept * bytes);
}

/* does anybody ask what a body is given? */
static bool is_moved(const struct carom_verlet_bodies_work *w, size_t body)
{
    return w->body[body].per_mass > 0.0 || w->body[body].per_inertia > 0.0;
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
    carom_device_write(d->memory[CAROM_BOARD_FIRST], first, (n + 1) * sizeof *first);
    carom_device_write(d->memory[CAROM_BOARD_ENTRIES], entry, first[n] * sizeof *entry);
}

static void some_bodies(const struct portion *p, size_t first, size_t last)
{
    const struct carom_verlet_bodies_work *w = p->d->w;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    const bool plane = w->bodies->dimension == 2;
    double(*u)[4] = p->d->scratch, (*v)[4] = u + p->n, (*spin)[4] = v + p->n, (*turn)[4] = spin + p->n;
    for (size_t i = first; i < last; i++) {
        const double *q = p->state->q + i * nq, *of = p->state->v + i * nv;
        const double rows[4][4] = {{q[0], q[1], plane ? 0.0 : q[2], w->body[i].radius},
                                   {of[0], of[1], plane ? 0.0 : of[2], 0.0},
                                   {plane ? 0.0 : of[3], plane ? 0.0 : of[4], of[nv - 1], 0.0},
                                   {q[plane ? 2 : 3], plane ? 0.0 : q[4], plane ? 0.0 : q[5], plane ? 0.0 : q[6]}};
        memcpy(u[i], rows[0], sizeof rows[0]);
        memcpy(v[i], rows[1], sizeof rows[1]);
        memcpy(spin[i], rows[2], sizeof rows[2]);
        memcpy(turn[i], rows[3], sizeof rows[3]);
    }
}

/* a page of bodies */
static void send_bodies(struct carom_verlet_board *d, const struct carom_state *state)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t n = w->bodies->n;
    double(*row)[4] = d->scratch, (*weight)[2] = d->scratch;
    share_out(d, state, n, some_bodies, 0);
    for (size_t k = 0; k < 4; k++)
        carom_device_write(d->memory[CAROM_BOARD_U0 + 2 * k + (size_t)d->now], row + k * n, n * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        weight[i][0] = w->body[i].per_mass;
        weight[i][1] = w->body[i].per_inertia;
    }
    carom_device_write(d->memory[CAROM_BOARD_WEIGHTS], weight, n * sizeof *weight);
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
    send_contacts(d, state);
    send_entries(d, c);
    send_bodies(d, state);
    carom_verlet_board_steps_begin(d,
                                   0.5 * d->w->search.skin * (1.0 - 1e-9) - carom_search_way(&d->w->search, state->q));
    return CAROM_OK;
}

/* places, velocities, spins or turns that have come */
static void some_rows(const struct portion *p, size_t first, size_t last)
{
    const struct carom_bodies *b = p->d->w->bodies;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension, k = p->what;
    const size_t length = k < 2 ? d : d == 2 ? 1 : k == 2 ? 3 : 4, from = k == 2 && d == 2 ? 2 : 0;
    double(*row)[4] = p->d->scratch, *to = k == 0 || k == 3 ? p->state->q : p->state->v;
    for (size_t i = first; i < last; i++)
        memcpy(to + i * (k == 0 || k == 3 ? nq : nv) + (k < 2 ? 0 : d), row[i] + from, length * sizeof(double));
}

bool carom_verlet_board_fetch(struct carom_verlet_board *d, size_t page, struct carom_state *state,
                              struct carom_error *error)
{
    const struct carom_verlet_bodies_work *w = d->w;
    const size_t n = w->bodies->n;
    double(*row)[4] = carom_verlet_board_scratch(d, n * sizeof *row, error);
    for (size_t k = 0; k < 4 && row; k++) {
        carom_device_read(d->memory[CAROM_BOARD_U0 + 2 * k + page], row, n * sizeof *row);
        share_out(d, state, n, some_rows, k);
    }
    const size_t nc = state->contacts->n;
    double *kept = row ? carom_verlet_board_scratch(d, d->nkept * nc * sizeof *kept, error) : NULL;
    if (kept)
        carom_device_read(d->memory[CAROM_BOARD_KEPT0 + page], kept, d->nkept * nc * sizeof *kept);
    for (size_t i = 0; kept && i < d->nkept; i++)
        carom_threads_copy(w->search.threads, state->contacts->column[d->kept[i]], kept + i * nc, nc);
    return kept != NULL;
}
