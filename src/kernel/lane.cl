/* What src/base/lane.h is to processors: on a device every place works on one number, and thousands of places side by
 * side. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define CAROM_ON_DEVICE
#define ALWAYS_INLINE static inline __attribute__((always_inline))
typedef double carom_lane;
typedef int carom_lane_mask;

/* Where the processor plays a device, libraries have calls for what is one instruction. */
#if !CARD
#undef sqrt
#undef fabs
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs
#endif

#define carom_lane_pick(mask, y, x) ((mask) ? (y) : (x))
#define carom_lane_sqrt(a) sqrt(a)
#define carom_lane_abs(a) fabs(a)
#define carom_lane_positive(a) ((a) > 0.0 ? (a) : 0.0)
#define carom_lane_where(mask, a) ((mask) ? (a) : 0.0)
#define carom_lane_any(mask) (mask)
#define carom_lane_all(x) (x)
#define carom_lane_not(mask) (!(mask))
