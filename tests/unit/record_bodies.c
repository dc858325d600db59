/* Recording of discs and spheres: what probes and the list of contacts say of two bodies that meet, events, tables. */
#include "base/vec.h"
#include "bodies.h"
#include "chain.h"
#include "record/run_file.h"

static const char *const all_probes[] = {"u", "v", "position", "rotation", "spin", "contacts"};

/* two balls, the second at rest, that meet off centre; the sink is the memory's */
static struct carom_sim *meet(size_t dimension, const struct carom_friction *friction,
                              const struct carom_scheme *scheme, const char *option, double value,
                              const struct carom_sink *sink, void *own)
{
    const double param[] = {1e3, 0.0}, rub[] = {0.4, 0.0, 800.0, 0.0, 3.0};
    const struct carom_schedule schedule = {.every = 0.01, .every_steps = 1, .events = true};
    struct carom_bodies *b = bodies_of(dimension, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    b->pairing[0].friction = friction;
    for (size_t i = 0; friction && i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 0.5, 0.3, 1.8, friction ? 0.6 : 0.0, 0.0);
    double v[12] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    v[friction ? dimension + (dimension == 3 ? 2 : 0) : 11] = 2.0; /* spins about z */
    struct carom_model *model = bodies_model(b);
    struct carom_recorder *recorder = carom_recorder_create(model, all_probes, 6, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, sink, own, NULL), CAROM_OK);
    return bodies_sim_of(model, b, v, scheme, option, value, 1.0, recorder);
}

static double value_of(const struct carom_memory *m, size_t row, const char *probe, size_t i)
{
    return m->value[row * m->width + carom_sink_memory_column(m, probe, i)];
}

/* Hertz's force along the line of centres, at a point between the surfaces */
static void test_head_on(void)
{
    struct carom_memory *m = carom_sink_memory_new();
    struct carom_sim *sim = meet(2, NULL, &carom_scheme_verlet, "step", 1e-3, &carom_sink_memory, m);
    bodies_run(sim);
    size_t seen = 0;
    for (size_t i = 0; i < m->nrows; i++) {
        const double x[2] = {value_of(m, i, "position", 0), value_of(m, i, "position", 2)};
        CHECK(value_of(m, i, "u", 0) == x[0]);
        CHECK_NEAR(value_of(m, i, "u", 2), x[1] - 1.8, 1e-15);
        const double gap = x[1] - x[0] - 1.5;
        CHECK(fabs(gap) < 1e-12 || m->first[i + 1] - m->first[i] == (gap < 0.0));
        for (size_t j = m->first[i]; j < m->first[i + 1]; j++, seen++) {
            const struct carom_touch *t = &m->touch[j];
            CHECK(t->pair[0] == 1 && t->pair[1] == 2 && t->normal[0] == 1.0 && t->normal[1] == 0.0);
            CHECK_NEAR(t->gap, gap, 1e-12);
            CHECK_NEAR(t->force[0], 1e3 * pow(-t->gap, 1.5), 1e-9);
            CHECK_NEAR(t->point[0], x[0] + 1.0 + 0.5 * t->gap, 1e-12);
            CHECK(t->force[1] == 0.0 && t->point[1] == 0.0 && t->dissipated == 0.0);
        }
    }
    CHECK(seen > 20 && seen == m->ntouches);
    CHECK(m->nevents == 2 && m->event[0].kind == CAROM_EVENT_CLOSE && m->event[1].kind == CAROM_EVENT_OPEN);
    CHECK(carom_event_body(&m->event[0], 0) == 1 && carom_event_body(&m->event[0], 1) == 2);
    CHECK_NEAR(m->event[0].time, 0.3, 1e-9);
    CHECK_NEAR(m->event[0].before, -1.0, 1e-9);
    CHECK_NEAR(m->event[1].before, 1.0, 1e-3); /* nothing is lost */
    carom_sim_free(sim);
}

/* the force on the second body is what changes its velocity, at its arm what changes its spin */
static void test_pushes(size_t dimension)
{
    struct carom_memory *m = carom_sink_memory_new();
    struct carom_sim *sim =
        meet(dimension, &carom_friction_mindlin, &carom_scheme_verlet, "step", 1e-4, &carom_sink_memory, m);
    bodies_run(sim);
    const size_t spin = dimension == 2 ? 1 : 5;
    size_t seen = 0;
    double most = 0.0;
    for (size_t j = 0; j < m->ntouches; j++)
        most = fmax(most, carom_vec_norm(m->touch[j].force));
    for (size_t i = 1; i + 1 < m->nrows; i++) {
        if (m->first[i] == m->first[i + 1] || m->step[i + 1] != m->step[i - 1] + 2)
            continue;
        const struct carom_touch *t = &m->touch[m->first[i]];
        const double h = m->time[i + 1] - m->time[i - 1];
        double arm[3] = {0.0}, torque[3];
        for (size_t k = 0; k < dimension; k++) {
            const double v[2] = {value_of(m, i - 1, "v", dimension + k), value_of(m, i + 1, "v", dimension + k)};
            CHECK_NEAR((v[1] - v[0]) / h, t->force[k] / 0.3, 0.02 * most / 0.3);
            arm[k] = t->point[k] - value_of(m, i, "position", dimension + k);
        }
        const double w[2] = {value_of(m, i - 1, "spin", spin), value_of(m, i + 1, "spin", spin)};
        const double inertia = (dimension == 2 ? 0.5 : 0.4) * 0.3 * 0.25;
        carom_vec_cross(arm, t->force, torque);
        CHECK_NEAR((w[1] - w[0]) / h * inertia, torque[2], 0.02 * most * 0.5);
        CHECK(t->dissipated >= 0.0);
        seen++;
    }
    CHECK(seen > 100);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK(value_of(m, m->nrows - 1, "stiffness_change", 0) == ledger.change);
    CHECK(value_of(m, m->nrows - 1, "friction", 0) == ledger.friction && ledger.friction > 0.0);
    carom_sim_free(sim);
}

/* the force of the only contact at a time both schemes sampled, inside the cone */
static void force_at(const struct carom_memory *m, double time, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    for (size_t i = 0; i < m->nrows; i++)
        if (fabs(m->time[i] - time) < 1e-9 && m->first[i] < m->first[i + 1]) {
            const struct carom_touch *t = &m->touch[m->first[i]];
            const double normal = carom_vec_dot(t->force, t->normal), all = carom_vec_dot(t->force, t->force);
            CHECK(sqrt(fmax(all - normal * normal, 0.0)) <= 0.4 * normal * (1.0 + 1e-6) + 1e-9);
            memcpy(force, t->force, sizeof t->force);
        }
}

/* a scheme that finds the moments itself, and one whose steps are looked at */
static void test_events(void)
{
    struct carom_memory *m[2] = {carom_sink_memory_new(), carom_sink_memory_new()};
    struct carom_sim *sim[2] = {
        meet(2, &carom_friction_mindlin, &carom_scheme_verlet, "step", 1e-4, &carom_sink_memory, m[0]),
        meet(2, &carom_friction_mindlin, &carom_scheme_dp5, "tol", 1e-8, &carom_sink_memory, m[1])};
    bodies_run(sim[0]);
    bodies_run(sim[1]);
    CHECK_OR_STOP(m[0]->nevents == 2 && m[1]->nevents > 2);
    for (size_t i = 1; i + 1 < m[1]->nevents; i++) /* while it is closed it sticks and slips in turn */
        CHECK(m[1]->event[i].kind == (i % 2 == 1 ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK) &&
              m[1]->event[i].time >= m[1]->event[i - 1].time);
    for (size_t i = 0; i < 2; i++) {
        const struct carom_event *a = &m[0]->event[i], *b = &m[1]->event[i > 0 ? m[1]->nevents - 1 : 0];
        CHECK(a->kind == b->kind && a->contact == b->contact);
        CHECK_NEAR(a->time, b->time, 1e-5);
        CHECK_NEAR(a->before, b->before, 1e-3);
    }
    size_t pushed = 0;
    for (int i = 0; i < 100; i++) {
        double a[3], b[3];
        force_at(m[0], 0.01 * i, a);
        force_at(m[1], 0.01 * i, b);
        pushed += a[0] != 0.0;
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(a[k], b[k], 0.02);
    }
    CHECK(pushed > 2);
    carom_sim_free(sim[0]);
    carom_sim_free(sim[1]);
}

static size_t lines_of(const char *path, char *first, int size)
{
    FILE *in = fopen(path, "r");
    CHECK_OR_STOP(in != NULL && fgets(first, size, in) != NULL);
    size_t lines = 1;
    for (int c; (c = getc(in)) != EOF;)
        lines += c == '\n';
    fclose(in);
    return lines;
}

static void test_csv(void)
{
    char heading[512];
    struct carom_memory *m = carom_sink_memory_new();
    remove("two.csv"), remove("two_contacts.csv");
    struct carom_sim *sim = meet(3, NULL, &carom_scheme_verlet, "step", 1e-3, &carom_sink_memory, m);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_csv, carom_sink_csv_new("two.csv"), NULL), CAROM_OK);
    bodies_run(sim);
    CHECK(lines_of("two.csv", heading, sizeof heading) == m->nrows + 1);
    CHECK_CONTAINS(heading, "time,step,u_1_x,u_1_y,u_1_z,u_2_x,u_2_y,u_2_z,v_1_x");
    CHECK_CONTAINS(heading, "rotation_1_a,rotation_1_b,rotation_1_c,rotation_1_d");
    CHECK(lines_of("two_contacts.csv", heading, sizeof heading) == m->ntouches + 1);
    CHECK_TEXT(heading, "time,step,first,second,point_x,point_y,point_z,normal_x,normal_y,normal_z,force_x,force_y,"
                        "force_z,gap,dissipated\n");
    carom_sim_free(sim);
}

static void refuses(const struct carom_model *model, const char *probe, const char *said)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_schedule schedule = {.every = 1.0};
    struct carom_recorder *recorder = carom_recorder_create(model, &probe, 1, &schedule, &error);
    CHECK(recorder == NULL);
    CHECK_TEXT(error.text, said);
    carom_recorder_free(recorder);
}

static void test_refusals(void)
{
    static struct chain chain;
    const double param[] = {1.0, 0.0};
    chain_uniform(&chain, 2, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_model *row = chain_model(&chain);
    refuses(row, "contacts", "probe contacts needs bodies whose contacts come and go");
    refuses(row, "stiffness_change", "probe stiffness_change needs friction of bodies");
    refuses(row, "rotation", "probe rotation needs a solid");
    carom_model_free(row);
    struct carom_bodies *b = bodies_of(2, 1, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    struct carom_model *model = bodies_model(b);
    refuses(model, "contact_force",
            "probe contact_force is for contacts that stay; probe contacts lists those that come and go");
    refuses(model, "strain", "probe strain needs a solid");
    carom_model_free(model);
}

/* a killed writer may leave rows whose contacts never came to the disk; damage is told, not followed */
static void test_damaged_table(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim =
        meet(2, NULL, &carom_scheme_verlet, "step", 1e-3, &carom_sink_hdf5, carom_sink_hdf5_new("table.h5"));
    bodies_run(sim);
    carom_sim_free(sim);
    struct carom_run_file *run = carom_run_file_open("table.h5", &error);
    CHECK_OR_STOP(run != NULL);
    const uint64_t rows = run->rows, lines = run->touches.lines;
    CHECK(rows > 100 && lines > 20 && run->listed && run->events == 2 && run->nc == 0);
    carom_run_file_close(run);
    struct carom_hdf5_file *file = carom_hdf5_file_reopen("table.h5", &error);
    struct carom_run_touches touches;
    CHECK_STATUS(carom_run_touches_find(&touches, file, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_set_cut(file, touches.column[3], lines - 2, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_file_close(file, &error), CAROM_OK);
    run = carom_run_file_open("table.h5", &error);
    uint64_t first, count;
    CHECK(run->rows < rows && run->rows > 0 && run->touches.lines == lines - 2);
    CHECK_STATUS(carom_run_file_touching(run, run->rows - 1, &first, &count, &error), CAROM_OK);
    CHECK(first + count <= lines - 2);
    const uint64_t left = run->rows;
    carom_run_file_close(run);
    struct carom_run_repair repair;
    CHECK_STATUS(carom_run_file_repair("table.h5", &repair, &error), CAROM_OK);
    CHECK(repair.rows == left && repair.cut == rows - left);
    file = carom_hdf5_file_reopen("table.h5", &error);
    CHECK_STATUS(carom_run_touches_find(&touches, file, &error), CAROM_OK);
    CHECK(touches.rows == left && touches.lines == first + count);
    const uint64_t wrong = UINT64_MAX / 2;
    CHECK_STATUS(carom_hdf5_set_write(file, touches.first, 5, 1, &wrong, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_file_close(file, &error), CAROM_OK);
    run = carom_run_file_open("table.h5", &error);
    CHECK_OR_STOP(run != NULL);
    CHECK_STATUS(carom_run_file_touching(run, 5, &first, &count, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "table.h5: row 5 of observables/contacts/list counts contacts that are not there");
    carom_run_file_close(run);
}

int main(void)
{
    test_head_on();
    test_pushes(2);
    test_pushes(3);
    test_events();
    test_csv();
    test_refusals();
    test_damaged_table();
    return check_end();
}
