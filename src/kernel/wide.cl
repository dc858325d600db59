/* Where the processor plays a device, it works on four numbers at a time: what is compiled after this and before
 * narrow.cl is for four cells or links at a time. Graphics cards work on one. Names serve for both. */
#if !CARD
ALWAYS_INLINE double4 root_of_four(double4 a)
{
    return (double4)(sqrt(a.x), sqrt(a.y), sqrt(a.z), sqrt(a.w));
}
#define carom_lane double4
#define carom_lane_mask long4
#define carom_lane3 carom_lane3_of_four
#define carom_pair_side carom_pair_side_of_four
#define carom_pair_form carom_pair_form_of_four
#define carom_pair_stiffness carom_pair_stiffness_of_four
#define carom_pair_stretch carom_pair_stretch_of_four
#define carom_pair_pull carom_pair_pull_of_four
#define carom_flat_side carom_flat_side_of_four
#define carom_flat_form carom_flat_form_of_four
#define carom_flat_bond carom_flat_bond_of_four
#define carom_flat_pull carom_flat_pull_of_four
#undef carom_lane_sqrt
#define carom_lane_sqrt(a) root_of_four(a)
#endif
