/* Where the processor plays a device, it works on four numbers at a time: what is compiled after this and before
 * narrow.cl is for places of four cells each. Graphics cards work on one. Names serve for both. */
#if !CARD
ALWAYS_INLINE double4 root_of_four(double4 a)
{
    return (double4)(sqrt(a.x), sqrt(a.y), sqrt(a.z), sqrt(a.w));
}
#define carom_lane double4
#define carom_lane3 carom_lane3_of_four
#undef carom_lane_sqrt
#define carom_lane_sqrt(a) root_of_four(a)
#endif
