/* The mechanisms carom knows by name. A new one is written in a file machine_*.c of its own and added here. */
#include "model/mechanism/machine.h"

const struct carom_machine *const carom_machines_list[] = {
    &carom_machine_ball,          &carom_machine_oscillator,
    &carom_machine_pendulum,      &carom_machine_double_pendulum,
    &carom_machine_rocking_block, &carom_machine_slider_crank,
    &carom_machine_block,         &carom_machine_sliding_block,
    &carom_machine_disc,          &carom_machine_rod,
    &carom_machine_kane_pendulum, NULL,
};

const struct carom_machine *carom_machines_of(const struct carom_mechanism *mechanism)
{
    size_t i = 0;
    while (mechanism && carom_machines_list[i] && carom_machines_list[i]->mechanism.mass != mechanism->mass)
        i++;
    return mechanism ? carom_machines_list[i] : NULL;
}
