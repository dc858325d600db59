/* The end of what wide.cl begins: lane3.h, which has been compiled, is compiled once more for one number at a time. */
#if !CARD
#undef carom_lane
#undef carom_lane3
#undef carom_lane_sqrt
#define carom_lane_sqrt(a) sqrt(a)
#undef CAROM_BASE_LANE3_H
#endif
