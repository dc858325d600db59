/* Force sensors as laboratories build them into chains. One inside a bead (a bead cut in two, with a thin disc
 * between the halves) reads the mean of the bead's two contact forces; one at a wall or contact reads that force.
 * The bandwidth is that of a first-order low-pass filter, solved exactly for an input of straight lines between
 * samples. */
#include "record/sensors.h"

#include <stdio.h>

#include "base/power.h"

#define TWO_PI 6.28318530717958647692

static enum carom_status inside_bead(const struct carom_model *model, struct carom_sensors *sensor,
                                     struct carom_error *error)
{
    size_t found = 0;
    for (size_t j = 0; j < model->nc; j++)
        for (size_t side = 0; side < 2; side++)
            if (model->pair[j][side] >= 0 && (size_t)model->pair[j][side] == sensor->what.place) {
                if (found == 2)
                    return carom_error_set(error, CAROM_E_REFUSED, "sensor %s: body %zu has more than two contacts",
                                           sensor->what.name, sensor->what.place + 1);
                sensor->contact[found] = j;
                sensor->weight[found++] = 0.5;
            }
    if (found == 0)
        return carom_error_set(error, CAROM_E_REFUSED, "sensor %s: body %zu has no contact", sensor->what.name,
                               sensor->what.place + 1);
    return CAROM_OK;
}

enum carom_status carom_sensors_place(const struct carom_model *model, const struct carom_sensor *what,
                                      struct carom_sensors *sensor, struct carom_error *error)
{
    *sensor = (struct carom_sensors){.what = *what};
    if (what->kind == CAROM_SENSOR_BODY)
        return inside_bead(model, sensor, error);
    if (what->place >= model->nc)
        return carom_error_set(error, CAROM_E_REFUSED, "sensor %s: there is no such contact", what->name);
    sensor->contact[0] = sensor->contact[1] = what->place;
    sensor->weight[0] = 1.0;
    return CAROM_OK;
}

double carom_sensors_input(const struct carom_sensors *sensor, const double *force)
{
    return sensor->weight[0] * force[sensor->contact[0]] + sensor->weight[1] * force[sensor->contact[1]];
}

/* Over a step h with z = h/tau and input from x0 to x1: y1 = y0 e^-z + x0 (p - e^-z) + x1 (1 - p), p = (1 -
 * e^-z)/z. */
double carom_sensors_output(struct carom_sensors *sensor, double time, double input)
{
    if (!sensor->begun || !(sensor->what.bandwidth > 0.0)) {
        sensor->output = input; /* as if it had been so for ever */
    } else {
        const double z = (time - sensor->time) * TWO_PI * sensor->what.bandwidth;
        const double share = z > 0.0 ? -carom_power_expm1(-z) / z : 1.0, decay = carom_power_exp(-z);
        sensor->output = sensor->output * decay + sensor->input * (share - decay) + input * (1.0 - share);
    }
    sensor->begun = true;
    sensor->time = time;
    sensor->input = input;
    return sensor->output;
}

/* the last value of a sensor's item among the first `rows` */
static enum carom_status last_value(const struct carom_run_file *run, const char *name, const char *more, uint64_t rows,
                                    double *value, struct carom_error *error)
{
    char path[96];
    snprintf(path, sizeof path, "observables/sensors/%s%s", name, more);
    const struct carom_run_item *item = carom_run_file_item(run, path);
    if (item == NULL)
        return carom_error_set(error, CAROM_E_FILE, "the run file has no %s", path);
    return carom_run_file_read(run, item, rows - 1, 1, value, error);
}

enum carom_status carom_sensors_recall(struct carom_recorder *recorder, const struct carom_run_file *run, uint64_t rows,
                                       struct carom_error *error)
{
    for (size_t i = 0; rows > 0 && i < carom_recorder_sensors(recorder); i++) {
        const struct carom_sensor *sensor = carom_recorder_sensor(recorder, i);
        double time, input, output;
        if (!(sensor->bandwidth > 0.0))
            continue;
        enum carom_status status = carom_run_file_times(run, rows - 1, 1, &time, error);
        if (status == CAROM_OK)
            status = last_value(run, sensor->name, "", rows, &output, error);
        if (status == CAROM_OK)
            status = last_value(run, sensor->name, "_raw", rows, &input, error);
        if (status != CAROM_OK)
            return status;
        carom_recorder_recall(recorder, i, time, input, output);
    }
    return CAROM_OK;
}

void carom_sensors_resume(struct carom_sensors *sensor, double time, double input, double output)
{
    sensor->begun = true;
    sensor->time = time;
    sensor->input = input;
    sensor->output = output;
}
