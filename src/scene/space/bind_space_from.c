/* A start that another run has left: places, rotations and velocities of the same bodies, and at its end what contacts
 * remember. The end comes from the run's last checkpoint, which a sim of the run's own scene reads; samples of other
 * times have what was recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "model/bodies/list.h"
#include "record/run_bodies.h"
#include "scene/keep.h"
#include "scene/space/bind_space.h"
#include "scene/text/yaml.h"

#define SAME 1e-12 /* of a radius or mass */

/* What a run to start from has left, until the theory says what contacts remember. */
struct carom_bind_space_run {
    struct carom_node *map, *kept;   /* the entry; what a run of this scene has kept of it, or NULL */
    double *q, *v;                   /* where it has left everybody: entries after it may say otherwise */
    struct carom_contacts *contacts; /* at its end, with what they are there; NULL: a sample, or kept */
    struct carom_columns columns;
    struct carom_pairing *pairing;
    size_t nhistory;
};

struct from {
    struct carom_bind_space *s;
    struct carom_node *node; /* the file's name */
    const char *name, *path;
    struct carom_run_file *run;
    struct carom_run_bodies old;
};

/* --- the same bodies? -------------------------------------------------------------------------------------------- */

static enum carom_status refuse(const struct from *f, const char *format, size_t i, double was, double is)
{
    char text[300];
    snprintf(text, sizeof text, format, i, was, is);
    return carom_error_set(f->s->b->r.error, CAROM_E_INPUT, "%s: %s", f->name, text);
}

static bool differ(double a, double b)
{
    return !(fabs(a - b) <= SAME * fmax(fabs(a), fabs(b)));
}

static enum carom_status compare_bodies(const struct from *f)
{
    const struct carom_bodies *b = f->s->bodies;
    const struct carom_run_bodies *old = &f->old;
    if (old->n != b->n)
        return carom_error_set(f->s->b->r.error, CAROM_E_INPUT,
                               "%s: the run has %zu bod%s, this scene %zu; bodies: [{run: ...}] takes some of them",
                               f->name, old->n, carom_plural_y(old->n), b->n);
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        if (old->shape[i] != (int32_t)body->surface || (old->inside[i] != 0) != body->inside)
            return refuse(f, "body %zu is of another shape there", i + 1, 0.0, 0.0);
        if (body->surface == CAROM_BALL && differ(old->radius[i], body->radius))
            return refuse(f, "body %zu has the radius %g there, %g here", i + 1, old->radius[i], body->radius);
        if (!body->fixed && differ(old->mass[i], body->mass))
            return refuse(f, "body %zu has the mass %g there, %g here", i + 1, old->mass[i], body->mass);
    }
    return CAROM_OK;
}

/* --- a sample ---------------------------------------------------------------------------------------------------- */

static enum carom_status read_item(const struct from *f, uint64_t row, const char *path, size_t depth, double **value)
{
    struct carom_error *error = f->s->b->r.error;
    const struct carom_run_item *item = carom_run_file_item(f->run, path);
    *value = NULL;
    if (item == NULL || item->depth != depth || item->width != depth * f->old.n)
        return carom_error_set(error, CAROM_E_INPUT, "%s has not recorded %s of all bodies", f->name, path);
    *value = carom_memory_zeroed(f->old.n, depth * sizeof **value);
    return *value != NULL ? carom_run_file_read(f->run, item, row, 1, *value, error) : carom_bind_memory(f->s->b);
}

/* columns [from, from + count) of every body of q or v */
static void fill(const struct from *f, const double *value, size_t count, double *to, size_t from, size_t width)
{
    for (size_t i = 0; i < f->old.n; i++)
        if (!f->s->bodies->body[i].fixed)
            memcpy(to + i * width + from, value + i * count, count * sizeof *to);
}

/* Does a body that stands still stand in the same place in both scenes? Then it is where the run had it: it may have
 * been pressed. */
static bool stands_there(const struct from *f, size_t i)
{
    const struct carom_body *body = &f->s->bodies->body[i];
    return body->fixed && body->lead < 0 && memcmp(body->at, f->old.centre + 3 * i, sizeof body->at) == 0;
}

static enum carom_status take_walls(const struct from *f)
{
    const struct carom_bodies *b = f->s->bodies;
    const size_t d = b->dimension, nq = carom_bodies_nq(b);
    double *value;
    const enum carom_status status = read_item(f, 0, "particles/bodies/displacement", d, &value);
    for (size_t i = 0; i < b->n && status == CAROM_OK; i++)
        if (stands_there(f, i))
            memcpy(f->s->b->scene->q + i * nq, value + i * d, d * sizeof *value);
    carom_memory_free(value);
    return status;
}

static enum carom_status take_sample(const struct from *f, double at)
{
    const struct carom_bodies *b = f->s->bodies;
    const size_t d = b->dimension, nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), angles = d == 2 ? 1 : 4;
    const struct {
        const char *path;
        size_t depth;
        double *to;
        size_t from, width;
    } items[] = {{"particles/bodies/displacement", d, f->s->b->scene->q, 0, nq},
                 {"particles/bodies/rotation", angles, f->s->b->scene->q, d, nq},
                 {"particles/bodies/velocity", d, f->s->b->scene->v, 0, nv},
                 {"particles/bodies/spin", d == 2 ? 1 : 3, f->s->b->scene->v, d, nv}};
    uint64_t row;
    enum carom_status status = carom_import_run_row(f->run, at, f->name, &row, f->s->b->r.error);
    for (size_t i = 0; i < sizeof items / sizeof items[0] && status == CAROM_OK; i++) {
        double *value;
        status = read_item(f, row, items[i].path, items[i].depth, &value);
        if (status == CAROM_OK)
            fill(f, value, items[i].depth, items[i].to, items[i].from, items[i].width);
        carom_memory_free(value);
    }
    return status == CAROM_OK ? take_walls(f) : status;
}

/* --- the end ----------------------------------------------------------------------------------------------------- */

/* The place of contact j of the old list in the new one; false: bodies meet otherwise here. */
static bool find_key(const struct carom_bodies *b, const struct carom_bind_space_run *run,
                     const struct carom_contact_key *old, struct carom_contact_key *key)
{
    *key = *old;
    key->pairing = b->meets[b->body[old->a].material * b->nmaterials + b->body[old->b].material];
    if (key->pairing == CAROM_UNPAIRED)
        return false;
    const struct carom_pairing *now = &b->pairing[key->pairing], *then = &run->pairing[old->pairing];
    return now->law == then->law && now->friction == then->friction && now->rolling == then->rolling &&
           now->twisting == then->twisting;
}

static int compare_keys(const void *a, const void *b)
{
    return carom_list_order(a, b);
}

/* the contacts that go on, in order; what they have lost stays in the old run */
static enum carom_status take_contacts(struct carom_bind_space *s, const struct carom_bind_space_run *run)
{
    const struct carom_bodies *b = s->bodies;
    const struct carom_contacts *old = run->contacts;
    const struct carom_columns now = carom_list_columns(b), then = run->columns;
    struct carom_contacts *c = carom_list_create(b);
    s->b->scene->contacts = c;
    if (c == NULL || !carom_list_reserve(c, old->n))
        return carom_bind_memory(s->b);
    if (now.lost - now.history != then.lost - then.history || b->nhistory != run->nhistory ||
        memcmp(now.width, then.width, sizeof now.width) != 0)
        return CAROM_OK;
    for (size_t j = 0; j < old->n; j++)
        if (!carom_list_is_empty(old, j) && find_key(b, run, &old->key[j], &c->key[c->n]))
            c->n++;
    qsort(c->key, c->n, sizeof *c->key, compare_keys);
    for (size_t j = 0; j < c->n; j++) {
        carom_list_bear(c, b, j);
        c->first[c->key[j].pairing + 1] = j + 1;
    }
    for (size_t p = 0; p < c->npairings; p++)
        c->first[p + 1] = c->first[p + 1] > c->first[p] ? c->first[p + 1] : c->first[p];
    for (size_t j = 0; j < old->n; j++) {
        struct carom_contact_key key;
        if (carom_list_is_empty(old, j) || !find_key(b, run, &old->key[j], &key))
            continue;
        const struct carom_contact_key *at = bsearch(&key, c->key, c->n, sizeof key, compare_keys);
        for (size_t i = 0; i < now.phase - now.history; i++)
            c->column[now.history + i][at - c->key] = old->column[then.history + i][j];
        for (size_t way = 0; way < CAROM_WAYS && b->latched; way++)
            if (carom_list_slips(old, &then, j, (enum carom_way)way))
                carom_list_mark(c, &now, (size_t)(at - c->key), (enum carom_way)way);
    }
    return CAROM_OK;
}

/* the contacts of the other run and what they are, which goes when that is read */
static enum carom_status remember_contacts(struct carom_bind_space *s, const struct carom_bodies *was,
                                           const struct carom_contacts *old)
{
    struct carom_bind_space_run *run = s->run;
    run->contacts = carom_list_create(was);
    run->pairing = carom_memory_zeroed(was->npairings, sizeof *run->pairing);
    if (run->contacts == NULL || run->pairing == NULL || !carom_list_reserve(run->contacts, old->n))
        return carom_bind_memory(s->b);
    carom_list_copy(run->contacts, old);
    if (run->contacts->lacking)
        return carom_bind_memory(s->b);
    memcpy(run->pairing, was->pairing, was->npairings * sizeof *run->pairing);
    run->columns = carom_list_columns(was);
    run->nhistory = was->nhistory;
    return CAROM_OK;
}

static enum carom_status take_state(const void *own, const struct carom_sim *sim)
{
    const struct from *f = own;
    const struct carom_bodies *b = f->s->bodies, *was = carom_model_bodies(sim->model);
    struct carom_scene *scene = f->s->b->scene;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    if (was == NULL || was->n != b->n || was->dimension != b->dimension)
        return carom_error_set(f->s->b->r.error, CAROM_E_INPUT, "%s is not a run of these bodies", f->name);
    for (size_t i = 0; i < b->n; i++) {
        double *q = scene->q + i * nq, moved[3];
        if (b->body[i].fixed && (was->body[i].lead >= 0 || !stands_there(f, i)))
            continue;
        memcpy(q, sim->view->q + i * nq, nq * sizeof *q);
        memcpy(scene->v + i * nv, sim->view->v + i * nv, nv * sizeof *q);
        if (was->edge == b->edge)
            continue;
        carom_bodies_moved(was, i, sim->view->q, moved); /* anchors stand elsewhere */
        for (size_t k = 0; k < b->dimension; k++) {
            q[k] = moved[k];
            q[nq - b->dimension + k] = 0.0;
        }
    }
    return remember_contacts(f->s, was, sim->view->contacts);
}

/* bodies may stand elsewhere in this scene: places are those of the run */
static void shift(const struct from *f)
{
    const struct carom_bodies *b = f->s->bodies;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension && !b->body[i].fixed; k++)
            f->s->b->scene->q[i * carom_bodies_nq(b) + k] += f->old.centre[3 * i + k] - b->body[i].at[k];
}

/* --- kept -------------------------------------------------------------------------------------------------------- */

#define SLIPS "slips" /* what follows are contacts that slip: CAROM_WAYS times the place in the list, and the way */

/* q, v, then for each contact its key and what it remembers, all as numbers between blanks; those that slip, where that
 * makes a difference */
static enum carom_status keep(struct carom_bind_space *s, const struct carom_bind_space_run *run)
{
    const struct carom_scene *scene = s->b->scene;
    const struct carom_contacts *c = scene->contacts;
    const struct carom_columns columns = carom_list_columns(s->bodies);
    const size_t memory = columns.phase - columns.history, nq = scene->model->nq, nv = scene->model->nv;
    const size_t count = nq + nv + (c != NULL ? c->n * (4 + memory + CAROM_WAYS) : 0);
    char *text = carom_memory_zeroed(count + 2, CAROM_KEEP_NUMBER), *to = text;
    if (text == NULL)
        return carom_bind_memory(s->b);
    to = stpcpy(to, "\"");
    for (size_t i = 0; i < nq + nv; i++)
        to = stpcpy(carom_keep_number(to, i < nq ? run->q[i] : run->v[i - nq]), " ");
    for (size_t j = 0; c != NULL && j < c->n; j++) {
        to += sprintf(to, "%u %u %u %u ", (unsigned)c->key[j].pairing, (unsigned)c->key[j].a, (unsigned)c->key[j].b,
                      (unsigned)c->key[j].feature);
        for (size_t i = 0; i < memory; i++)
            to = stpcpy(carom_keep_number(to, c->column[columns.history + i][j]), " ");
    }
    to = s->bodies->latched ? stpcpy(to, SLIPS) : to;
    for (size_t i = 0; s->bodies->latched && c != NULL && i < c->n * CAROM_WAYS; i++)
        if (carom_list_slips(c, &columns, i / CAROM_WAYS, (enum carom_way)(i % CAROM_WAYS)))
            to += sprintf(to, " %zu", i);
    stpcpy(to, "\"");
    const enum carom_status status =
        (size_t)(to - text) > CAROM_YAML_BYTES - 1000
            ? carom_value_wrong(&s->b->r, run->map,
                                "%zu bodies are too many to start from a run: as text they are longer than 64 MB", s->n)
            : carom_keep(s->b, run->map, "state", text);
    carom_memory_free(text);
    return status;
}

static size_t read_numbers(const char *text, double *number, size_t most)
{
    size_t n = 0;
    for (char *end; n < most; n++, text = end) {
        const double x = strtod(text, &end);
        if (end == text || !(fabs(x) < HUGE_VAL))
            break;
        number[n] = x;
    }
    return n;
}

/* contacts as a checkpoint has them: carom_list_unpack looks whether they make sense */
static enum carom_status recall_contacts(struct carom_bind_space *s, const double *number, size_t count)
{
    struct carom_contacts *c = carom_list_create(s->bodies);
    const struct carom_columns columns = carom_list_columns(s->bodies);
    const size_t memory = columns.phase - columns.history, rows = count / (4 + memory), head = 2 * CAROM_RETIRED_KINDS;
    const size_t width = 4 + (c != NULL ? c->ncolumns - c->nfixed : 0);
    double *packed = carom_memory_zeroed(head + rows * width, sizeof *packed);
    s->b->scene->contacts = c;
    bool good = c != NULL && packed != NULL;
    for (size_t j = 0; good && j < rows; j++)
        memcpy(packed + head + j * width, number + j * (4 + memory), (4 + memory) * sizeof *packed);
    if (good && (count % (4 + memory) != 0 || !carom_list_unpack(c, s->bodies, packed, head + rows * width)))
        good = (c->n = 0) != 0;
    carom_memory_free(packed);
    return c == NULL || packed == NULL ? carom_bind_memory(s->b) : good ? CAROM_OK : CAROM_E_INPUT;
}

/* false: there are no such contacts */
static bool recall_slips(const struct carom_bind_space *s, const char *text, double *number, size_t most)
{
    struct carom_contacts *c = s->b->scene->contacts;
    const struct carom_columns columns = carom_list_columns(s->bodies);
    const char *from = strstr(text, SLIPS);
    const size_t count = from != NULL ? read_numbers(from + strlen(SLIPS), number, most) : 0;
    for (size_t i = 0; i < count; i++) {
        if (!s->bodies->latched || !(number[i] >= 0.0 && number[i] < (double)(c->n * CAROM_WAYS)))
            return false;
        const size_t at = (size_t)number[i];
        if (!carom_list_mark(c, &columns, at / CAROM_WAYS, (enum carom_way)(at % CAROM_WAYS)))
            return false;
    }
    return true;
}

/* q and v or, once the theory is known, `late`, what contacts remember */
static enum carom_status recall(struct carom_bind_space *s, struct carom_node *kept, bool late)
{
    struct carom_scene *scene = s->b->scene;
    const size_t nq = scene->model->nq, nv = scene->model->nv;
    const char *text;
    if (carom_value_text(&s->b->r, kept, &text) != CAROM_OK)
        return s->b->r.error->status;
    const size_t most = strlen(text) / 2 + 1;
    double *number = carom_memory_zeroed(most, sizeof *number);
    if (number == NULL)
        return carom_bind_memory(s->b);
    const size_t count = read_numbers(text, number, most);
    enum carom_status status = count >= nq + nv ? CAROM_OK : CAROM_E_INPUT;
    if (status == CAROM_OK && !late) {
        memcpy(scene->q, number, nq * sizeof *number);
        memcpy(scene->v, number + nq, nv * sizeof *number);
    }
    if (status == CAROM_OK && late)
        status = recall_contacts(s, number + nq + nv, count - nq - nv);
    if (status == CAROM_OK && late && !recall_slips(s, text, number, most))
        status = CAROM_E_INPUT;
    carom_memory_free(number);
    return status == CAROM_E_INPUT ? carom_tree_error(s->b->r.tree, kept, status, s->b->r.error,
                                                      "is not the start of these bodies that a run has kept")
                                   : status;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static enum carom_status take(struct from *f, double at)
{
    struct carom_error *error = f->s->b->r.error;
    enum carom_status status = carom_import_run_open(f->path, f->name, f->s->b->r.si, &f->run, error);
    if (status == CAROM_OK)
        status = carom_run_bodies_read(f->run->file, &f->old, error);
    if (status == CAROM_OK)
        status = compare_bodies(f);
    if (status == CAROM_OK)
        status = at < HUGE_VAL ? take_sample(f, at)
                               : carom_keep_end(f->s->b, f->run, f->path, f->name,
                                                "bodies start where its last checkpoint has them", take_state, f);
    if (status == CAROM_OK)
        shift(f);
    carom_run_bodies_free(&f->old);
    carom_run_file_close(f->run);
    return status;
}

/* where everybody is by now */
static enum carom_status remember_places(struct carom_bind_space *s)
{
    const struct carom_scene *scene = s->b->scene;
    const size_t nq = scene->model->nq, nv = scene->model->nv;
    struct carom_bind_space_run *run = s->run;
    if (!carom_memory_together(CAROM_ROOM(run->q, nq), CAROM_ROOM(run->v, nv)))
        return carom_bind_memory(s->b);
    memcpy(run->q, scene->q, nq * sizeof *run->q);
    memcpy(run->v, scene->v, nv * sizeof *run->v);
    return CAROM_OK;
}

enum carom_status carom_bind_space_from(struct carom_bind_space *s, struct carom_node *map)
{
    const struct carom_reader *r = &s->b->r;
    struct from f = {.s = s, .node = carom_tree_find(map, "run")};
    double at;
    if (s->run != NULL)
        return carom_value_wrong(r, f.node, "there is another run to start from already");
    if (carom_value_text(r, f.node, &f.name) != CAROM_OK || carom_bind_space_table_time(s, map, &at) != CAROM_OK)
        return r->error->status;
    s->run = carom_memory_zeroed(1, sizeof *s->run);
    if (s->run == NULL)
        return carom_bind_memory(s->b);
    s->run->map = map;
    s->run->kept = carom_tree_find(map, "state");
    if (s->run->kept != NULL)
        return recall(s, s->run->kept, false);
    char *path = carom_keep_beside(s->b, f.name);
    if (path == NULL)
        return carom_bind_memory(s->b);
    f.path = path;
    enum carom_status status = carom_bind_space_table_guard(s, path);
    if (status == CAROM_OK)
        status = take(&f, at);
    carom_memory_free(path);
    if (status != CAROM_OK)
        return carom_tree_error_at(r->tree, f.node, r->error);
    return remember_places(s);
}

enum carom_status carom_bind_space_from_contacts(struct carom_bind_space *s)
{
    const struct carom_bind_space_run *run = s->run;
    if (run == NULL)
        return CAROM_OK;
    if (run->kept != NULL)
        return recall(s, run->kept, true);
    if (run->contacts != NULL && take_contacts(s, run) != CAROM_OK)
        return s->b->r.error->status;
    return keep(s, run);
}

void carom_bind_space_from_free(struct carom_bind_space *s)
{
    if (s->run == NULL)
        return;
    carom_list_free(s->run->contacts);
    carom_memory_free_all(s->run->pairing, s->run->q, s->run);
    s->run = NULL;
}
