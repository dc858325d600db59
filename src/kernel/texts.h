/* The kernels as texts, for devices to compile. */
#ifndef CAROM_KERNEL_TEXTS_H
#define CAROM_KERNEL_TEXTS_H

extern const char carom_texts_lane[], carom_texts_sheet[], carom_texts_sheet_kernels[], carom_texts_lane3[],
    carom_texts_pair[], carom_texts_brick[], carom_texts_vec[], carom_texts_quat[], carom_texts_hinge[],
    carom_texts_turn[], carom_texts_space_kernels[], carom_texts_press[], carom_texts_chain[], carom_texts_still[],
    carom_texts_theta[], carom_texts_irk[], carom_texts_meet[], carom_texts_ball[], carom_texts_packing[],
    carom_texts_friction[], carom_texts_spring[], carom_texts_abreast[], carom_texts_body[], carom_texts_flat[],
    carom_texts_flat_kernels[], carom_texts_damp[], carom_texts_sum[], carom_texts_acts[], carom_texts_links[],
    carom_texts_push[], carom_texts_glide[], carom_texts_lead[], carom_texts_rates[], carom_texts_rates_flat[],
    carom_texts_drag[];

#endif
