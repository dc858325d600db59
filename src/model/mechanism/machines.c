/* The mechanisms carom knows by name. A new one is written in a file machine_*.c of its own and added here. */
#include "carom/mechanism.h"

const struct carom_machine *const carom_machines_list[] = {
    &carom_machine_ball,          &carom_machine_oscillator,
    &carom_machine_pendulum,      &carom_machine_double_pendulum,
    &carom_machine_rocking_block, &carom_machine_slider_crank,
    &carom_machine_block,         &carom_machine_sliding_block,
    &carom_machine_disc,          &carom_machine_rod,
    &carom_machine_kane_pendulum, NULL,
};
