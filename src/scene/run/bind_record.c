/* What to keep and when. Without any of every, every_steps and times there are 200 samples over the run. */
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/solid.h"
#include "model/bodies/linkage.h"
#include "model/frame.h"
#include "record/probe.h"
#include "record/schedule.h"
#include "scene/bind.h"
#include "scene/run/strike_time.h"

#define SAMPLES 200
#define IN_ACTION 24.0     /* samples in the shortest contact, while contacts act */
#define MOST_IN_ACTION 2e4 /* of them in a run, */
#define MOST_NUMBERS 8e6   /* and of the numbers in them */
#define IN_LIST 40         /* numbers of the contacts of a disc or sphere, about */
#define FEW 5000           /* bodies of the plane and of space of which everything is kept */
#define EPISODES 1000000   /* kept where nobody says how many */

static enum carom_status read_times(struct carom_bind *b, struct carom_node *list)
{
    const struct carom_param row = {"times", CAROM_REAL, 0, 0.0, 0.0, HUGE_VAL, "s", "times of samples", NULL};
    struct carom_schedule *schedule = &b->scene->schedule;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    if (list->count == 0)
        return carom_value_wrong(&b->r, list, "the list is empty");
    double *times = carom_memory_zeroed(list->count, sizeof *times);
    if (times == NULL)
        return carom_bind_memory(b);
    schedule->times = times;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        double time;
        if (carom_value_read(&b->r, node, &row, &time) != CAROM_OK)
            return b->r.error->status;
        if (schedule->ntimes > 0 && !(time > times[schedule->ntimes - 1]))
            return carom_value_wrong(&b->r, node, "times must rise");
        if (time > b->scene->until)
            return carom_value_wrong(&b->r, node, "%s lies after the end of the run",
                                     carom_tree_short(node->text).text);
        times[schedule->ntimes++] = time;
    }
    return CAROM_OK;
}

static enum carom_status unknown_probe(struct carom_bind *b, const struct carom_node *node)
{
    const char *names[64];
    size_t count = 0;
    for (; count < 64 && carom_probe_list[count] != NULL; count++)
        names[count] = carom_probe_list[count]->kind.name;
    return carom_value_unknown(&b->r, node, "probe", node->text, names, count);
}

/* what is kept where nobody says it */
static const char *const *usual_probes(const struct carom_model *model, size_t *count)
{
    static const char *const rows[] = {"u", "v", "contact_force"};
    static const char *const bodies[] = {"position", "v", "contacts", "u", "rotation", "spin"};
    static const char *const linked[] = {"u", "v", "contact_force", "position",
                                         "rotation"}; /* bodies as one mechanism */
    const struct carom_bodies *of = carom_model_bodies(model);
    if (carom_linkage_of(model) != NULL) {
        *count = sizeof linked / sizeof *linked;
        return linked;
    }
    *count = carom_solid_of(model, NULL) != NULL && model->nc == 0 ? 2 : 3; /* a solid alone has no contacts */
    if (of != NULL && of->n <= FEW)
        *count = sizeof bodies / sizeof *bodies;
    return of != NULL ? bodies : rows;
}

/* what the bodies of the scene cannot be asked for */
static enum carom_status check_probe(struct carom_bind *b, const struct carom_node *node,
                                     const struct carom_probe *probe)
{
    const struct carom_model *model = b->scene->model;
    const char *name = probe->kind.name;
    char why[CAROM_PROBE_WHY];
    if (carom_probe_fits(probe, model, why) && (probe->extent != CAROM_PER_CONTACT || model->nc > 0))
        return CAROM_OK;
    if (probe->extent == CAROM_PER_CONTACT && carom_model_bodies(model) == NULL && model->nc == 0)
        return carom_value_wrong(&b->r, node, "%s: this scene has no contacts", name);
    if (carom_probe_only_cells(probe) && carom_solid_of(model, NULL) == NULL)
        return carom_value_wrong(&b->r, node, "%s is for cells of a solid, and there is none", name);
    return carom_value_wrong(&b->r, node, "%s %s", name, why);
}

/* what is kept of all bodies is not kept of some of them again */
static enum carom_status check_chosen(struct carom_bind *b, const struct carom_node *node, const char *name)
{
    static const char *const of[] = {"u", "v", "contact_force"};
    for (size_t i = 0; i < b->scene->nchoices; i++)
        if (strcmp(of[b->scene->choices[i].what], name) == 0)
            return carom_value_wrong(&b->r, node, "%s is kept of all bodies by probes and of some by %s, choose one",
                                     name, b->scene->choices[i].what == CAROM_CHOICE_FORCE ? "contacts" : "beads");
    return CAROM_OK;
}

static enum carom_status read_probes(struct carom_bind *b, struct carom_node *list)
{
    struct carom_scene *scene = b->scene;
    size_t usual;
    const char *const *standard = usual_probes(scene->model, &usual);
    if (list != NULL && carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    scene->probes =
        carom_memory_zeroed(list != NULL && list->count > usual ? list->count : usual, sizeof *scene->probes);
    if (scene->probes == NULL)
        return carom_bind_memory(b);
    for (; list == NULL && scene->nchoices == 0 && scene->nprobes < usual; scene->nprobes++)
        scene->probes[scene->nprobes] = carom_probe_find(standard[scene->nprobes])->kind.name;
    for (struct carom_node *node = list != NULL ? list->first : NULL; node != NULL; node = node->next) {
        const char *name;
        if (carom_value_text(&b->r, node, &name) != CAROM_OK)
            return b->r.error->status;
        const struct carom_probe *probe = carom_probe_find(name);
        if (probe == NULL)
            return unknown_probe(b, node);
        for (size_t i = 0; i < scene->nprobes; i++)
            if (strcmp(scene->probes[i], name) == 0)
                return carom_value_wrong(&b->r, node, "%s appears twice", name);
        if (check_probe(b, node, probe) != CAROM_OK || check_chosen(b, node, name) != CAROM_OK)
            return b->r.error->status;
        scene->probes[scene->nprobes++] = probe->kind.name;
    }
    return CAROM_OK;
}

/* numbers of a list, for each of which there are `kinds` choices */
static enum carom_status read_choice(struct carom_bind *b, struct carom_node *list, size_t first, size_t last,
                                     const enum carom_choice_what *what, size_t kinds)
{
    const struct carom_param row = {"number", CAROM_INTEGER, 0, 0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    struct carom_scene *scene = b->scene;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    if (list->count == 0)
        return carom_value_wrong(&b->r, list, "the list is empty");
    const size_t begin = scene->nchoices, end = begin + kinds * list->count + 1;
    if (!carom_memory_widen(&scene->choices, begin, end, sizeof *scene->choices))
        return carom_bind_memory(b);
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        double number;
        if (carom_value_read(&b->r, node, &row, &number) != CAROM_OK)
            return b->r.error->status;
        if (!(number >= (double)first && number <= (double)last))
            return carom_value_wrong(&b->r, node, "there is no %.*s %.15g, here they are %zu to %zu",
                                     (int)strlen(list->key) - 1, list->key, number, first, last);
        for (size_t i = begin; i < scene->nchoices; i++)
            if (scene->choices[i].number == (size_t)number)
                return carom_value_wrong(&b->r, node, "%.15g appears twice", number);
        for (size_t k = 0; k < kinds; k++)
            scene->choices[scene->nchoices + k] =
                (struct carom_choice){what[k], (size_t)number - first, (size_t)number};
        scene->nchoices += kinds;
    }
    return CAROM_OK;
}

/* Single beads and contacts of a row: without `probes` nothing else is kept of its bodies. */
static enum carom_status read_choices(struct carom_bind *b, struct carom_node *beads, struct carom_node *contacts)
{
    static const enum carom_choice_what of_beads[] = {CAROM_CHOICE_U, CAROM_CHOICE_V},
                                        of_contacts[] = {CAROM_CHOICE_FORCE};
    const struct carom_model *model = b->scene->model;
    const struct carom_node *any = beads != NULL ? beads : contacts;
    if (any == NULL)
        return CAROM_OK;
    if (carom_model_chain(model) == NULL)
        return carom_value_wrong_key(&b->r, any, "%s are chosen of rows of beads, and this scene has none", any->key);
    if (contacts != NULL && model->nc == 0)
        return carom_value_wrong_key(&b->r, contacts, "contacts: there are none");
    if (beads != NULL && read_choice(b, beads, 1, model->nq, of_beads, 2) != CAROM_OK)
        return b->r.error->status;
    if (contacts == NULL)
        return CAROM_OK;
    const size_t first = carom_frame_number(model, 0);
    return read_choice(b, contacts, first, first + model->nc - 1, of_contacts, 1);
}

/* Nobody says when: a few samples over the run, or from `from` to `to`, and many while contacts give way. */
static void follow_action(struct carom_scene *scene)
{
    const struct carom_model *model = scene->model;
    const struct carom_bodies *bodies = carom_model_bodies(model);
    struct carom_schedule *schedule = &scene->schedule;
    const size_t contacts = bodies ? IN_LIST * bodies->n : model->nc;
    const double contact = carom_strike_time(model, &scene->scales),
                 numbers = (double)(model->nq + model->nv + contacts) + 10.0;
    const double end = schedule->to > 0.0 ? fmin(schedule->to, scene->until) : scene->until;
    schedule->every = (end > schedule->from ? end - schedule->from : scene->until) / SAMPLES;
    const struct carom_param *step = carom_param_find(scene->scheme->kind.params, "step");
    const bool solid = step != NULL && carom_solid_of(model, NULL) != NULL;
    const double least = solid ? carom_param_value(step, scene->options) : 0.0; /* between its steps it tells nothing */
    const double close = fmax(contact / IN_ACTION, least);
    schedule->every = fmax(schedule->every, least);
    if (contacts == 0 || !(model->offers & CAROM_COMPLIANT) || !(contact > 0.0) || schedule->every <= close)
        return;
    schedule->action = close;
    schedule->most = SAMPLES + 1 + (uint64_t)fmin(MOST_IN_ACTION, MOST_NUMBERS / numbers);
    schedule->end = end;
}

/* `from` and `to` must leave something of `every` */
static enum carom_status check_interval(struct carom_bind *b, const struct carom_node *record)
{
    const struct carom_schedule *schedule = &b->scene->schedule;
    const struct carom_node *from = carom_tree_find(record, "from"), *to = carom_tree_find(record, "to");
    if ((from != NULL || to != NULL) && schedule->every == 0.0)
        return carom_value_wrong_key(&b->r, from != NULL ? from : to,
                                     "from and to limit the samples of every, which is not given");
    if (from != NULL && schedule->from > b->scene->until)
        return carom_value_wrong(&b->r, from, "%g comes after the end of the run, %g", schedule->from, b->scene->until);
    if (to != NULL && schedule->to > 0.0 && schedule->to < schedule->from)
        return carom_value_wrong(&b->r, to, "%g comes before from, %g", schedule->to, schedule->from);
    return CAROM_OK;
}

/* all, none, or how many are kept */
static enum carom_status read_episodes(struct carom_bind *b, struct carom_node *node)
{
    const struct carom_param row = {"episodes", CAROM_INTEGER, 0, 0, 1, 1e15, "1", "the most that are kept", NULL};
    struct carom_schedule *schedule = &b->scene->schedule;
    double most = EPISODES;
    schedule->episodes = EPISODES;
    if (node == NULL)
        return CAROM_OK;
    const bool all = node->text != NULL && strcmp(node->text, "all") == 0;
    const bool none = node->text != NULL && strcmp(node->text, "none") == 0;
    if ((all || none) && carom_value_text(&b->r, node, &(const char *){NULL}) != CAROM_OK)
        return b->r.error->status;
    if (!all && !none && carom_value_read(&b->r, node, &row, &most) != CAROM_OK)
        return carom_value_wrong(&b->r, node, "must be all, none, or how many are kept at most");
    schedule->episodes = all ? UINT64_MAX : none ? 0 : (uint64_t)most;
    return CAROM_OK;
}

/* forces are followed by the book of impacts, and told by laws */
static enum carom_status check_zeros(struct carom_bind *b, const struct carom_node *node)
{
    const struct carom_model *model = b->scene->model;
    const struct carom_schedule *schedule = &b->scene->schedule;
    if (!schedule->zeros)
        return CAROM_OK;
    if (carom_model_bodies(model) != NULL || !(model->offers & CAROM_COMPLIANT) || model->nc == 0)
        return carom_value_wrong_key(&b->r, node,
                                     "zero_force: only compliant contacts of rows and mechanisms have such moments");
    if (schedule->episodes == 0 || !schedule->events)
        return carom_value_wrong_key(
            &b->r, node, "zero_force: these moments are events that the book of impacts finds, and the scene says %s",
            schedule->events ? "episodes: none" : "events: false");
    return CAROM_OK;
}

enum carom_status carom_bind_record(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *record = carom_tree_find(root, "record");
    struct carom_schedule *schedule = &b->scene->schedule;
    struct carom_keys_record keys;
    if (record != NULL && (carom_value_map_of(&b->r, record, &carom_keys_record) != CAROM_OK))
        return b->r.error->status;
    if (carom_value_section(&b->r, record, &carom_keys_record.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    schedule->every = keys.every;
    schedule->from = keys.from;
    schedule->to = keys.to;
    const double samples = carom_schedule_count(schedule, 0.0, b->scene->until);
    if (samples > CAROM_SCHEDULE_MOST)
        return carom_value_wrong(&b->r, carom_tree_find(record, "every"), "gives %.3g samples, at most %.0e are taken",
                                 samples, CAROM_SCHEDULE_MOST);
    schedule->every_steps = (uint64_t)keys.every_steps;
    schedule->events = keys.events;
    schedule->zeros = keys.zero_force;
    schedule->impact_every = keys.impact_every;
    struct carom_node *times = carom_tree_find(record, "times");
    if (times != NULL && read_times(b, times) != CAROM_OK)
        return b->r.error->status;
    if (schedule->every == 0.0 && schedule->every_steps == 0 && times == NULL)
        follow_action(b->scene);
    if (check_interval(b, record) != CAROM_OK || read_episodes(b, carom_tree_find(record, "episodes")) != CAROM_OK)
        return b->r.error->status;
    if (check_zeros(b, carom_tree_find(record, "zero_force")) != CAROM_OK)
        return b->r.error->status;
    if (read_choices(b, carom_tree_find(record, "beads"), carom_tree_find(record, "contacts")) != CAROM_OK)
        return b->r.error->status;
    return read_probes(b, carom_tree_find(record, "probes"));
}
