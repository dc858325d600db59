/* Programs, memory and work on a device, for schemes. Calls queue work in order and return; the first that fails makes
 * all later ones do nothing, and carom_device_finish tells. */
#ifndef CAROM_DEVICE_DEVICE_H
#define CAROM_DEVICE_DEVICE_H

#include "carom/device.h"

struct carom_device_program; /* kernels, compiled for the device */
struct carom_device_memory;

/* One program out of several texts, in which CARD is 1 for graphics cards, else 0; `name` for people, should it not
 * compile. */
struct carom_device_program *carom_device_compile(struct carom_device *device, const char *name,
                                                  const char *const *text, size_t ntexts, struct carom_error *error);
void carom_device_program_free(struct carom_device_program *program);

/* Its kernels run in work groups of so many places along rows and so many rows; 128 and 1 unless told. */
void carom_device_group(struct carom_device_program *program, size_t along, size_t rows);

/* NULL, with CAROM_E_MEMORY, where the device has not as much. Free with carom_device_release. */
struct carom_device_memory *carom_device_take(struct carom_device *device, size_t bytes, struct carom_error *error);
void carom_device_release(struct carom_device_memory *memory);

/* Waits until the copy is made; a copy on the device does not. */
void carom_device_write(struct carom_device_memory *to, const void *from, size_t bytes);
void carom_device_read(struct carom_device_memory *from, void *to, size_t bytes);
void carom_device_copy(struct carom_device_memory *from, struct carom_device_memory *to, size_t bytes);

/* What a kernel is called with: memory, or (NULL) so many bytes at `value`. */
struct carom_device_argument {
    struct carom_device_memory *memory;
    const void *value;
    size_t size;
};

/* One call of a kernel, by its name, for each of size[0] x size[1] places. */
void carom_device_run(struct carom_device_program *p, const char *name, const size_t size[2],
                      const struct carom_device_argument *argument, size_t count);

/* Waits for all that is queued; says what failed since the last time. */
enum carom_status carom_device_finish(struct carom_device *device, struct carom_error *error);

#endif
