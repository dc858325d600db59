/* What kernels of rows beside each other are told, and what is made of their answer, where there is no device: the
 * processor takes the steps in the kernel's place. The heads of programs, the sizes of arrays and every number told
 * stand stored; what is heard is the state that was told, to the bit; which rows go together is stored as well. */
#include "scheme/abreast.h"
#include "stored.h"

static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 6, mass: 1, radius: 0.5}, wall: {side: right}]\n"
                           "contacts: {law: hertz, k: 10}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 1, scheme: verlet, step: 0.015625}\n";

enum { BESIDE = 3, SETS = 2 };

static const struct carom_abreast_scheme *const ways[] = {&carom_verlet_abreast, &carom_theta_abreast,
                                                          &carom_irk_abreast};

/* Rows that go together: what makes each differ from the text. */
static const char *const rows[][BESIDE][SETS] = {
    {{"contacts.k=11"}, {"start=[{body: 6, velocity: -1}]"}, {"contacts.k=12"}},
    {{"bodies.1.chain.mass=0.7"}, {"bodies.1.chain.mass=[1, 1, 2, 1, 1, 1]"}, {"contacts.k=9"}},
    {{"bodies=[chain: {count: 5, mass: [1, 3, 0.2, 1, 1], radius: 0.5}]"},
     {"bodies=[chain: {count: 5, mass: 1, radius: 0.5}]", "contacts.k=20"},
     {"bodies=[chain: {count: 5, mass: 2, radius: 0.5}]"}},
    {{"bodies=[wall: {side: left}, chain: {count: 7, mass: 1, radius: 0.5}, wall: {side: right}]"},
     {"bodies=[wall: {side: left}, chain: {count: 7, mass: 3, radius: 0.5}, wall: {side: right}]"},
     {"bodies=[wall: {side: left}, chain: {count: 7, mass: 2, radius: 0.5}, wall: {side: right}]", "contacts.k=7"}},
    {{"contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
     {"contacts={law: kuwabara-kono, k: 10, gamma: 0.09}", "start=[{body: 2, velocity: 2}]"},
     {"contacts={law: kuwabara-kono, k: 30, gamma: 0.06}", "bodies.1.chain.mass=[1, 2, 1, 2, 1, 2]"}},
    {{"count=2"}, {"count=2", "contacts.k=30"}, {"count=2", "bodies.1.chain.mass=5"}},
    {{"count=33"}, {"count=33", "contacts.k=30"}, {"count=33", "bodies.1.chain.mass=5"}},
    {{"count=200"}, {"count=200", "contacts.k=30"}, {"count=200", "bodies.1.chain.mass=5"}},
    {{"contacts={law: power, k: 10, p: 2, gamma: 0.05, b: 1.25}"},
     {"contacts={law: linear-dashpot, k: 10, gamma: 0.05}"},
     {"contacts={law: hunt-crossley, k: 10, gamma: 0.05}"}}, /* under verlet alone, as what follows */
};

/* What devices take, or not, and which of it goes together; each is asked of every scheme. */
static const char *const kinds[][SETS] = {
    {"contacts.k=11"},
    {"count=7"},
    {"count=7", "bodies=[wall: {side: left}, chain: {count: 7, mass: 1, radius: 0.5}]"},
    {"count=7", "bodies=[chain: {count: 7, mass: 1, radius: 0.5}]"},
    {"run.step=0.005"},
    {"contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
    {"contacts={law: kuwabara-kono, k: 10, gamma: 0.06, contact_end: force}"},
    {"contacts={law: power, k: 1, p: 1.7}"},
    {"contacts={law: power, k: 1, p: 2}"},
    {"contacts={law: linear-dashpot, k: 10, gamma: 0.05}"},
    {"count=256"},
    {"count=257"},
    {"gravity=9.81"},
    {"bodies.1.chain.spring=3"},
    {"run.until=2"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* NULL: the scheme does not take it at all */
static struct carom_sim *open_sim(const struct carom_abreast_scheme *way, const char *const set[SETS])
{
    char scheme[40];
    const char *sets[SETS + 1] = {scheme, set[0], set[1]};
    struct carom_error error = {CAROM_OK, ""};
    snprintf(scheme, sizeof scheme, "run.scheme=%s", way->scheme->kind.name);
    struct carom_scene *scene = carom_scene_parse("beside", text, strlen(text), sets, set[1] != NULL ? 3 : 2, &error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, &error) : NULL;
    carom_scene_free(scene);
    return sim;
}

/* --- told and heard ----------------------------------------------------------------------------------------------- */

struct batch {
    struct carom_abreast_rows r;
    struct carom_sim *sim[BESIDE];
    struct carom_stepper *stepper[BESIDE];
    struct carom_state *before[BESIDE]; /* half of the steps ago */
};

static void open_batch(struct batch *b, const struct carom_abreast_scheme *way, const char *const set[BESIDE][SETS])
{
    struct carom_error error = {CAROM_OK, ""};
    for (size_t c = 0; c < BESIDE; c++) {
        struct carom_sim *sim = b->sim[c] = open_sim(way, set[c]);
        CHECK_OR_STOP(sim != NULL);
        CHECK_STATUS(carom_sim_to(sim, 0.5, NULL), CAROM_OK);
        b->stepper[c] = sim->stepper;
        b->before[c] = carom_state_create(sim->stepper->model, sim->state->nmemory);
        CHECK_OR_STOP(b->before[c] != NULL);
        carom_state_copy(b->before[c], sim->state);
        CHECK_STATUS(carom_sim_to(sim, 1.0, NULL), CAROM_OK);
        CHECK(way->fits(b->stepper[0], b->stepper[c], &error));
    }
}

static void close_batch(struct batch *b)
{
    for (size_t c = 0; c < BESIDE; c++) {
        carom_state_free(b->before[c]);
        carom_sim_free(b->sim[c]);
    }
}

static void tell(struct batch *b, const struct carom_abreast_scheme *way)
{
    char head[300];
    way->head(&b->r, b->stepper, head, sizeof head);
    mix_text(head);
    mix(b->r.places);
    mix(b->r.group);
    for (size_t m = 0; m < way->arrays; m++) {
        mix(b->r.length[m]);
        b->r.number[m] = m < way->sent ? carom_memory_zeroed(b->r.length[m] * BESIDE + 1, sizeof(double)) : NULL;
    }
    for (size_t c = 0; c < BESIDE; c++)
        CHECK(way->tell(&b->r, c, b->stepper[c], b->sim[c]->state));
    for (size_t m = 0; m < way->sent; m++)
        mix_reals(b->r.number[m], b->r.length[m] * BESIDE);
}

/* into states of before; then the answer of a row that broke down, of which nothing is taken */
static void hear(struct batch *b, const struct carom_abreast_scheme *way)
{
    for (size_t c = 0; c < BESIDE; c++) {
        struct carom_state *heard = b->before[c];
        const struct carom_state *state = b->sim[c]->state;
        CHECK(memcmp(heard->q, state->q, state->nq * sizeof(double)) != 0);
        CHECK(way->hear(&b->r, c, b->stepper[c], heard));
        CHECK(memcmp(heard->q, state->q, state->nq * sizeof(double)) == 0);
        CHECK(memcmp(heard->v, state->v, state->nv * sizeof(double)) == 0);
        CHECK(memcmp(heard->lost, state->lost, state->nlost * sizeof(double)) == 0);
        CHECK(memcmp(heard->memory, state->memory, state->nmemory * sizeof(double)) == 0);
    }
    const uint64_t whole = carom_state_hash(b->before[1]);
    for (size_t m = way->first_back; m < way->sent; m++)
        for (size_t i = 0; i < b->r.length[m]; i++)
            b->r.number[m][i * BESIDE + 1] = way->even ? -1.0 : nan("");
    CHECK(!way->hear(&b->r, 1, b->stepper[1], b->before[1]));
    CHECK(carom_state_hash(b->before[1]) == whole);
    CHECK(way->hear(&b->r, 2, b->stepper[2], b->before[2]));
    for (size_t m = 0; m < way->sent; m++)
        carom_memory_free(b->r.number[m]);
}

static void check_batch(const struct carom_abreast_scheme *way, const char *const set[BESIDE][SETS], uint64_t stored)
{
    hash = 1;
    for (int card = 0; card < 2; card++) {
        struct batch b = {.r = {.rows = BESIDE, .card = card, .places = 1, .group = 128}};
        open_batch(&b, way, set);
        tell(&b, way);
        hear(&b, way);
        close_batch(&b);
    }
    CHECK(hash == stored);
    if (hash != stored)
        printf("%s, %s: 0x%016llx\n", way->scheme->kind.name, set[0][0], (unsigned long long)hash);
}

/* --- which go together -------------------------------------------------------------------------------------------- */

/* a bit for every pair, and the sentence of what is not taken */
static void check_kinds(const struct carom_abreast_scheme *way, uint64_t stored)
{
    struct carom_sim *sim[KINDS];
    hash = 1;
    for (size_t i = 0; i < KINDS; i++)
        sim[i] = open_sim(way, kinds[i]);
    for (size_t i = 0; i < KINDS; i++)
        for (size_t j = 0; j < KINDS; j++) {
            struct carom_error error = {CAROM_OK, ""};
            mix(sim[i] && sim[j] ? way->fits(sim[i]->stepper, sim[j]->stepper, &error) : 2);
            mix_text(error.text);
        }
    for (size_t i = 0; i < KINDS; i++)
        carom_sim_free(sim[i]);
    CHECK(hash == stored);
    if (hash != stored)
        printf("%s, kinds: 0x%016llx\n", way->scheme->kind.name, (unsigned long long)hash);
}

int main(void)
{
    enum { BATCHES = sizeof rows / sizeof *rows };
    static const uint64_t told[3][BATCHES] = {
        {0x83891b994dcdc0d2, 0x0c54ed3f9c3b6ef5, 0x44a08d3f04ca3f57, 0x65338d00be079004, 0x1810fccc9c73e398,
         0x76d55b3fd0bb20ca, 0xbb28b1acda96d456, 0x334fdb25a55c343b, 0x64e4ec183b4be2d7},
        {0xad2155d0545328c4, 0x0c514129e5e2e866, 0x857c4cdeeba63ebc, 0x9f9ed1cf3693dffe, 0x6ad9bd5a8dd24ace,
         0x124aeba81009c9e9, 0x40c36a4b64e5419c, 0x2102413f2d3b48f5},
        {0x9ff33303947a16d2, 0x28268e3d5c504b07, 0xd72d18291e8b322f, 0xcf7806574052c206, 0x7e8d3617e7ad7300,
         0x706182d707e8c8b6, 0xa31bc964cf0ae7be, 0xf10434fcbd7deaba}};
    static const uint64_t fit[3] = {0xd44395e8da75c61f, 0x8ca74cec4f5aa376, 0x589d19eddb7f0fee};
    for (size_t w = 0; w < 3; w++) {
        for (size_t i = 0; i < (w == 0 ? BATCHES : BATCHES - 1); i++)
            check_batch(ways[w], rows[i], told[w][i]);
        check_kinds(ways[w], fit[w]);
    }
    return check_end();
}
