/* The end of what wide.cl begins: lane3.h, pair.h and flat.h, which have been compiled, are compiled once more for one number
 * at a time. */
#if !CARD
#undef carom_lane
#undef carom_lane_mask
#undef carom_lane3
#undef carom_pair_side
#undef carom_pair_form
#undef carom_pair_stiffness
#undef carom_pair_stretch
#undef carom_pair_pull
#undef carom_flat_side
#undef carom_flat_form
#undef carom_flat_bond
#undef carom_flat_pull
#undef carom_lane_sqrt
#define carom_lane_sqrt(a) sqrt(a)
#undef CAROM_BASE_LANE3_H
#undef CAROM_KERNEL_PAIR_H
#undef CAROM_KERNEL_FLAT_H
#endif
