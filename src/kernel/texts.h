/* The kernels as texts, for devices to compile. */
#ifndef CAROM_KERNEL_TEXTS_H
#define CAROM_KERNEL_TEXTS_H

extern const char carom_texts_lane[], carom_texts_sheet[], carom_texts_sheet_kernels[];

#endif
