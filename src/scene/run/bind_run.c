/* How to run: until when, which scheme with which options. Without a scheme it is dp5, which takes a tolerance; a
 * scheme with a fixed step gets a recommended one if none is given. */
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/impact.h"
#include "model/bodies/list.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/strike/solid_strike.h"
#include "scene/bind.h"
#include "scheme/solid/rattle.h"

/* Steps per contact that resolve it well: explicit schemes need them for accuracy, theta is made for coarse ones. */
#define VERLET_STEPS 100.0
#define THETA_STEPS 20.0
#define BODIES_STEPS 40.0 /* of verlet in the plane and in space */

/* Bodies of the plane and of space take a tolerance unless they are many. Its pilots fly the run some ten times ahead,
 * and all of that costs about a millisecond for each body and contact time of the run: some 4 s here. A few fly freely
 * most of the time, which costs next to nothing. */
#define FEW 20
#define SMALL 2000
#define LENGTHY 4000.0

/* Is so much to be done that nobody would wait for a tolerance that was not asked for? */
static bool is_lengthy(const struct carom_bind *b, const struct carom_node *run, size_t n)
{
    const struct carom_scene *scene = b->scene;
    struct carom_error none = {CAROM_OK, ""}; /* errors are told where until and scales are read for good */
    const struct carom_reader quiet = {.tree = b->r.tree, .si = b->r.si, .error = &none};
    struct carom_node *node = carom_tree_find(run, "until");
    struct carom_scales scales = scene->scales;
    double until = 0.0;
    if (n <= FEW || n > SMALL || node == NULL)
        return n > SMALL;
    const struct carom_param *row = carom_param_find(carom_keys_run.kind.params, "until");
    return carom_value_read(&quiet, node, row, &until) == CAROM_OK &&
           carom_scales_within(scene->model, scene->q, scene->v, until, &scales, &none) == CAROM_OK &&
           scales.contact_time > 0.0 && (double)n * until > LENGTHY * scales.contact_time;
}

/* the scheme of scenes that name none */
static const char *usual_scheme(const struct carom_bind *b, const struct carom_node *run)
{
    static const char *const usual[] = {"dp5", "event", "event", "rattle"}; /* of the theories, in their order */
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const bool compliant = b->theory == CAROM_KEYS_COMPLIANT;
    if (!bodies || carom_tree_find(run, "tol") != NULL)
        return usual[b->theory];
    if (b->theory == CAROM_KEYS_NONSMOOTH && (bodies->shapes || bodies->frictional || bodies->njoints > 0))
        return "moreau-jean"; /* event takes a few bodies with corners, friction or joints, and no more */
    if (!compliant)
        return usual[b->theory];
    return carom_tree_find(run, "step") != NULL || is_lengthy(b, run, bodies->n) ? "verlet" : "dp5";
}

/* Whoever names neither scheme nor step nor tol is told when no error is promised, and how to have one. */
static enum carom_status tell_scheme(struct carom_bind *b, const struct carom_node *run)
{
    static const char *const chosen[] = {"scheme", "step", "tol"};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
        if (carom_tree_find(run, chosen[i]) != NULL)
            return CAROM_OK;
    return b->scene->scheme != &carom_scheme_verlet
               ? CAROM_OK
               : carom_bind_note(
                     b,
                     "so many bodies run under verlet with steps of %.3g%s, which promises no error: a "
                     "tolerance may take minutes, tol: 1e-6 asks for one",
                     carom_param_value(carom_param_find(carom_scheme_verlet.kind.params, "step"), b->scene->options),
                     b->r.si ? " s" : "");
}

static enum carom_status find_scheme(struct carom_bind *b, const struct carom_node *run)
{
    struct carom_node *node = carom_tree_find(run, "scheme");
    const char *names[64], *word = node == NULL ? usual_scheme(b, run) : NULL;
    size_t count = 0;
    if (node != NULL && carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    for (; b->schemes[count] != NULL; count++) {
        names[count] = b->schemes[count]->kind.name;
        if (strcmp(names[count], word) == 0) {
            b->scene->scheme = b->schemes[count];
            if (b->theory == CAROM_KEYS_LZB && b->scene->scheme != &carom_scheme_event)
                return carom_tree_error(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                        "theory lzb goes from impact to impact: its scheme is event, not %s; theory "
                                        "nonsmooth has moreau-jean and others, theory compliant has dp5",
                                        word);
            return CAROM_OK;
        }
    }
    if (strcmp(word, "cvode") == 0)
        return carom_tree_error(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                "this carom was built without SUNDIALS, which cvode needs: build it with "
                                "-DCAROM_CVODE=ON; dp5 takes a tolerance too");
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    return carom_value_unknown(&b->r, &at_value, "scheme", word, names, count);
}

/* a word more of a list in a sentence */
static void append(char *list, size_t size, const char *word)
{
    const size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", word);
}

/* impact: stronge under event is what time stepping calls blow: stronge; what the other would be called, or NULL */
static const char *twin_of(const struct carom_node *node, const struct carom_param *table)
{
    const char *other = strcmp(node->key, "impact") == 0 ? "blow" : strcmp(node->key, "blow") == 0 ? "impact" : NULL;
    const struct carom_param *twin = other != NULL ? carom_param_find(table, other) : NULL;
    for (size_t i = 0; twin != NULL && node->text != NULL && twin->choices[i] != NULL; i++)
        if (strcmp(node->text, twin->choices[i]) == 0)
            return other;
    return NULL;
}

/* An option that another scheme has deserves a sentence that names the one in use and what it takes and, where nobody
 * has named a scheme, those of the same theory that have it. */
static enum carom_status check_options(struct carom_bind *b, const struct carom_node *run)
{
    const struct carom_scheme *used = b->scene->scheme;
    const struct carom_param *table = used->kind.params;
    const bool named = carom_tree_find(run, "scheme") != NULL;
    char takes[200] = "";
    for (const struct carom_param *row = table; row != NULL && row->name != NULL; row++)
        append(takes, sizeof takes, row->name);
    for (const struct carom_node *node = run->first; node != NULL; node = node->next) {
        bool elsewhere = false;
        char others[200] = "";
        for (size_t i = 0; b->schemes[i] != NULL; i++)
            if (carom_param_find(b->schemes[i]->kind.params, node->key) != NULL) {
                elsewhere = true;
                if (!named && !((b->schemes[i]->needs ^ used->needs) & CAROM_RIGID))
                    append(others, sizeof others, b->schemes[i]->kind.name);
            }
        if (elsewhere && carom_param_find(table, node->key) == NULL &&
            carom_param_find(carom_keys_run.kind.params, node->key) == NULL) {
            const char *twin = twin_of(node, table);
            return carom_value_wrong_key(
                &b->r, node, "the scheme %s has no option '%s', it takes: %s%s%s%s%s%s%s%s", used->kind.name, node->key,
                takes, others[0] != '\0' ? "; schemes that have it: " : "", others, twin ? "; did you mean " : "",
                twin ? twin : "", twin ? ": " : "", twin ? node->text : "", twin ? "?" : "");
        }
    }
    return CAROM_OK;
}

/* An option of one impact law means nothing to another; those that scheme event itself uses are for all. */
static enum carom_status check_impact(struct carom_bind *b, const struct carom_node *run)
{
    const struct carom_impact *impact = carom_keys_impact(b->scene);
    for (const struct carom_node *node = impact != NULL ? run->first : NULL; node != NULL; node = node->next)
        if (carom_keys_foreign(impact, node->key))
            return carom_value_wrong_key(&b->r, node, "impact %s has no option '%s'", impact->kind.name, node->key);
    return CAROM_OK;
}

static double of_solid(const struct carom_scene *scene, size_t member)
{
    const struct carom_solid *solid = carom_solid_at(scene->model, member);
    const double turns = carom_solid_scales_spin(solid, scene->v + scene->model->member[member].v0),
                 limit = carom_rattle_limit(solid, solid->omega);
    /* a single cell has no frequency, but a time that waves would need through it */
    double step = fmin(0.5 * (limit < HUGE_VAL ? limit : scene->scales.contact_time), scene->until);
    step = step > 0.0 ? step : scene->until;
    if (carom_solid_strike_of(scene->model) != NULL) { /* a twentieth of the swing of the stiffest contact */
        const double omega = carom_solid_strike_swing_frequency(scene->model, scene->scales.speed, true);
        step = fmin(step, omega > 0.0 ? 0.3 / omega : HUGE_VAL);
        /* faces are a layer as the links are: half of what is stable */
        const double faces = carom_solid_strike_swing_frequency_faces(scene->model);
        step = fmin(step, faces > 0.0 ? 1.0 / faces : HUGE_VAL);
    }
    /* links that stiffen swing faster */
    step /= sqrt(carom_solid_bonds_stiffer(solid, scene->q + scene->model->member[member].q0, scene->scales.speed));
    /* a crack opens in some 25 steps at the scale speed */
    const double opening = carom_solid_fracture_opening(solid), speed = scene->scales.speed;
    step = fmin(step, opening > 0.0 && speed > 0.0 ? CAROM_SOLID_OPENING_STEP * opening / speed : HUGE_VAL);
    return fmin(fmin(step, turns > 0.0 ? 0.1 / turns : HUGE_VAL), 0.1 * carom_solid_scales_beat(solid));
}

/* The recommended step; where nothing collides, a share of the run. */
static double recommended(const struct carom_scene *scene)
{
    double least = HUGE_VAL; /* as the largest frequency says, as loads change, a turn far below what a step can take */
    for (size_t i = 0; i < carom_solid_count(scene->model); i++)
        least = fmin(least, of_solid(scene, i));
    if (carom_solid_count(scene->model) > 0)
        return least;
    const double steps = scene->scheme == &carom_scheme_theta ? THETA_STEPS
                         : carom_model_bodies(scene->model)   ? BODIES_STEPS
                                                              : VERLET_STEPS;
    const struct carom_scales *s = &scene->scales;
    if (s->contact_time > 0.0)
        return s->contact_time / steps;
    /* rigid contacts: however long the run, steps must see bodies cross their gaps */
    return s->speed > 0.0 && s->length > 0.0 ? fmin(scene->until * 1e-4, s->length / s->speed / steps)
                                             : scene->until * 1e-4;
}

/* the impact law that a theory has, unless the scene names another */
static double usual_impact(const struct carom_bind *b, const struct carom_param *row)
{
    for (size_t i = 0; b->theory == CAROM_KEYS_LZB && row->choices[i] != NULL; i++)
        if (strcmp(row->choices[i], "lzb") == 0)
            return (double)i;
    return row->standard;
}

/* Steps beyond this number could not be counted one by one, were there time for them. */
#define MOST_STEPS 0x1p53

/* a step that never gets there; node: where it is written, or the run that has none of its own */
static enum carom_status check_step(struct carom_bind *b, const struct carom_node *node, double step)
{
    if (!(step > 0.0) || b->scene->until / step <= MOST_STEPS)
        return CAROM_OK;
    return carom_value_wrong(&b->r, node,
                             "steps of %g never get to until = %g: that would be %.1g of them; the step must be larger",
                             step, b->scene->until, b->scene->until / step);
}

static enum carom_status read_options(struct carom_bind *b, const struct carom_node *run)
{
    struct carom_scene *scene = b->scene;
    scene->options = carom_options_create(&scene->scheme->kind);
    if (scene->options == NULL)
        return carom_bind_memory(b);
    for (const struct carom_param *row = scene->scheme->kind.params; row != NULL && row->name != NULL; row++) {
        struct carom_node *node = carom_tree_find(run, row->name);
        double value = row->standard;
        if (node != NULL && carom_value_read(&b->r, node, row, &value) != CAROM_OK)
            return b->r.error->status;
        if (node == NULL && strcmp(row->name, "impact") == 0)
            value = usual_impact(b, row);
        if (node == NULL && strcmp(row->name, "step") == 0 && row->standard == CAROM_REQUIRED)
            value = recommended(scene);
        else if (node == NULL && row->standard == CAROM_REQUIRED)
            return carom_value_missing(&b->r, run, row);
        if (strcmp(row->name, "step") == 0 && check_step(b, node != NULL ? node : run, value) != CAROM_OK)
            return b->r.error->status;
        carom_param_store(row, scene->options, value);
    }
    return CAROM_OK;
}

/* Schemes for rigid bodies refuse a start in which bodies overlap. */
static enum carom_status try_start(struct carom_bind *b, struct carom_stepper *stepper)
{
    const struct carom_scene *scene = b->scene;
    if (stepper->scheme->start == NULL || (scene->model->offers & CAROM_COMPLIANT))
        return CAROM_OK;
    struct carom_state *state =
        carom_state_create(scene->model, carom_stepper_memory(scene->scheme, scene->model, scene->options));
    if (state == NULL)
        return carom_bind_memory(b);
    memcpy(state->q, scene->q, scene->model->nq * sizeof *state->q);
    memcpy(state->v, scene->v, scene->model->nv * sizeof *state->v);
    if (state->contacts != NULL && scene->contacts != NULL) /* of another run: steps let them sink a little */
        carom_list_copy(state->contacts, scene->contacts);
    const enum carom_status status = stepper->scheme->start(stepper, state, b->r.error);
    carom_state_free(state);
    return status;
}

/* A scheme may refuse the model; asked here, the answer can say where the scheme was chosen. */
static enum carom_status ask_scheme(struct carom_bind *b, const struct carom_node *root, const struct carom_node *run)
{
    const struct carom_scene *scene = b->scene;
    struct carom_stepper *stepper =
        carom_stepper_create(scene->scheme, scene->model, scene->options, &scene->scales, NULL, b->r.error);
    if (stepper == NULL) {
        const struct carom_node *chosen = carom_tree_find(run, "scheme");
        return carom_tree_error_at(b->r.tree, chosen != NULL ? chosen : run, b->r.error);
    }
    const enum carom_status status = try_start(b, stepper);
    carom_stepper_free(stepper);
    if (status == CAROM_OK || status == CAROM_E_MEMORY)
        return status;
    const struct carom_node *start = carom_tree_find(root, "start"), *bodies = carom_tree_find(root, "bodies");
    const struct carom_node *stand = status == CAROM_E_INPUT && bodies != NULL ? bodies : run; /* where bodies stand */
    return carom_tree_error_at(b->r.tree, start != NULL ? start : stand, b->r.error);
}

/* Friction that is viscous below slip_speed stops what slips at V in slip_speed / (mu V) of a contact's time, and steps
 * of dp5 are no longer than that: measured, about as many as the inverse of it, seven forces each. */
#define STIFFEST 1e6

static enum carom_status check_friction(struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const bool follows = bodies && bodies->frictional && b->scene->scheme == &carom_scheme_dp5;
    for (size_t i = 0; follows && i < bodies->npairings * CAROM_WAYS; i++) {
        const struct carom_pairing *pairing = &bodies->pairing[i / CAROM_WAYS];
        const struct carom_friction *law = carom_pairing_resists(pairing, (enum carom_way)(i % CAROM_WAYS));
        const struct carom_scaled *param = carom_pairing_resistance(pairing, (enum carom_way)(i % CAROM_WAYS));
        const struct carom_param *row = law ? carom_param_find(law->kind.params, "slip_speed") : NULL;
        const double speed = row ? param[row - law->kind.params].param : 0.0;
        const double stiff = row ? param[0].param * b->scene->scales.speed / speed : 0.0;
        if (stiff > STIFFEST)
            return carom_value_wrong_key(
                &b->r, carom_tree_find(root, "contacts"),
                "friction %s with mu = %g and slip_speed = %g stops slip in %.0e of a contact's "
                "time, and dp5 would take more than %.0e steps in each: a larger slip_speed, a "
                "law that sticks by springs (mindlin, cundall-strack), or scheme: verlet",
                law->kind.name, param[0].param, speed, 1.0 / stiff, stiff);
    }
    return CAROM_OK;
}

/* do scales depend on how long the run is? Of rigid bodies, of what is pushed or falls, and where nothing is touched */
static bool asks_until(const struct carom_scene *scene)
{
    const struct carom_beads *beads = scene->model ? carom_model_chain(scene->model) : NULL;
    return scene->model && (carom_model_bodies(scene->model) || !(scene->model->offers & CAROM_COMPLIANT) ||
                            scene->scales.length == 0.0 || (beads && beads->loaded));
}

/* for those who want to see that nothing depends on it */
static enum carom_status set_skin(struct carom_bind *b, const struct carom_node *run, double skin)
{
    const struct carom_node *node = carom_tree_find(run, "skin");
    if (node == NULL)
        return CAROM_OK;
    if (!carom_model_bodies(b->scene->model))
        return carom_value_wrong_key(&b->r, node, "skin: contacts do not come and go in this scene");
    struct carom_bodies *own = b->scene->model->member[0].own;
    own->skin = skin;
    return CAROM_OK;
}

/* where steps are taken; whether there is such a device is seen when the run begins */
static enum carom_status read_device(struct carom_bind *b, const struct carom_node *run)
{
    struct carom_node *node = carom_tree_find(run, "device");
    const char *word = "none";
    if (node != NULL && carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    if (*word == '\0' || strlen(word) >= sizeof b->scene->device)
        return carom_value_wrong(
            &b->r, node,
            "device: must be none, auto, or the number or a part of the name of one of `carom list devices`");
    snprintf(b->scene->device, sizeof b->scene->device, "%s", word);
    if (node != NULL)
        carom_tree_place(b->r.tree, node, false, b->scene->device_at, sizeof b->scene->device_at);
    return CAROM_OK;
}

/* for what is only seen while stepping */
static void keep_step_place(struct carom_bind *b, const struct carom_node *run)
{
    const struct carom_node *node = carom_tree_find(run, "step");
    if (node != NULL)
        carom_tree_place(b->r.tree, node, false, b->scene->step_at, sizeof b->scene->step_at);
}

enum carom_status carom_bind_run(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *run = carom_tree_find(root, "run");
    struct carom_keys_run keys;
    if (run == NULL)
        return carom_value_wrong_key(&b->r, root, "run is missing: how long, such as run: {until: 2 ms}");
    if (carom_value_map(&b->r, run) != CAROM_OK || find_scheme(b, run) != CAROM_OK ||
        check_options(b, run) != CAROM_OK || carom_bind_space_linkage(b, run) != CAROM_OK)
        return b->r.error->status;
    const struct carom_param *const more[] = {b->scene->scheme->kind.params, NULL};
    if (carom_value_keys(&b->r, run, &carom_keys_run, more) != CAROM_OK ||
        carom_value_section(&b->r, run, &carom_keys_run.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    b->scene->until = keys.until;
    if (set_skin(b, run, keys.skin) != CAROM_OK)
        return b->r.error->status;
    if (asks_until(b->scene) && carom_scales_within(b->scene->model, b->scene->q, b->scene->v, b->scene->until,
                                                    &b->scene->scales, b->r.error) != CAROM_OK)
        return b->r.error->status;
    if (read_device(b, run) != CAROM_OK)
        return b->r.error->status;
    keep_step_place(b, run);
    b->scene->threads = (size_t)keys.threads;
    b->scene->checkpoint_every = keys.resumable ? keys.checkpoint : -1.0;
    if (read_options(b, run) != CAROM_OK || check_impact(b, run) != CAROM_OK || check_friction(b, root) != CAROM_OK)
        return b->r.error->status;
    return ask_scheme(b, root, run) == CAROM_OK ? tell_scheme(b, run) : b->r.error->status;
}
