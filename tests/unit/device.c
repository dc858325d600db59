/* What carom does with OpenCL where there is none, where there are devices of many sorts, and where any of its calls
 * fails: a library of the test's own stands in the place of libOpenCL.so.1, and lets the nth call fail. */
#include "device/device.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static struct {
    bool missing, cards;
    const char *lacks;       /* a function that the library does not have */
    size_t call, fails;      /* calls so far; the one that fails, 0: none */
    size_t queued, released; /* what was asked of the queue; objects given back less objects made */
} cl;

static int fails(void)
{
    return ++cl.call == cl.fails ? -5 : 0;
}

static void *made(int *status)
{
    static char object;
    *status = fails();
    cl.released -= *status == 0;
    return *status == 0 ? &object : NULL;
}

static int release(void *object)
{
    CHECK(object != NULL);
    cl.released++;
    return 0;
}

static int queue(void)
{
    cl.queued++;
    return fails();
}

/* --- the library: platform 1 has a device without doubles and a processor, 2 fails, 3 has cards ------------------- */

static int platforms(uint32_t most, void **platform, uint32_t *count)
{
    for (uint32_t i = 0; i < 3 && i < most; i++)
        platform[i] = (char *)&cl + i + 1;
    *count = 3;
    return fails();
}

static int platform_info(void *platform, uint32_t item, size_t size, char *out, size_t *length)
{
    (void)platform, (void)item, (void)length;
    snprintf(out, size, "OpenCL\nof a test");
    return fails();
}

static int devices(char *platform, uint64_t type, uint32_t most, void **device, uint32_t *count)
{
    const ptrdiff_t number = platform - (char *)&cl;
    (void)type, (void)most;
    device[0] = (char *)&cl + 10 * number + 1;
    device[1] = (char *)&cl + 10 * number + 2;
    *count = 2;
    return number == 2 || (number == 3 && !cl.cards) ? -1 : fails();
}

static int device_info(char *device, uint32_t item, size_t size, void *out, size_t *length)
{
    const ptrdiff_t number = device - (char *)&cl;
    const uint64_t word = item == 0x1032 ? number != 11 : item == 0x1000 ? (number > 30 ? 4 : 2) : 1000;
    (void)length;
    if (item == 0x102b)
        snprintf(out, size, "Fake %s %d", number > 30 ? "Card" : "Processor", (int)number % 10);
    else if (item == 0x102d)
        snprintf(out, size, "1.0");
    else
        memcpy(out, &word, size < sizeof word ? size : sizeof word);
    return fails();
}

static void *create_context(const intptr_t *properties, uint32_t n, void **device, void *notify, void *own, int *status)
{
    (void)properties, (void)n, (void)device, (void)notify, (void)own;
    return made(status);
}

static void *create_queue(void *context, void *device, uint64_t properties, int *status)
{
    (void)context, (void)device, (void)properties;
    return made(status);
}

static void *create_program(void *context, uint32_t n, const char **text, const size_t *size, int *status)
{
    (void)context, (void)n, (void)text, (void)size;
    return made(status);
}

static int build(void *program, uint32_t n, void **device, const char *options, void *notify, void *own)
{
    (void)program, (void)n, (void)device, (void)notify, (void)own;
    CHECK(strstr(options, "fast") == NULL);
    return fails();
}

static int build_info(void *program, void *device, uint32_t item, size_t size, char *log, size_t *length)
{
    (void)program, (void)device, (void)item, (void)length;
    snprintf(log, size, "line 3:\nwhat is this?");
    return 0;
}

static void *create_kernel(void *program, const char *name, int *status)
{
    (void)program, (void)name;
    return made(status);
}

static int set_argument(void *kernel, uint32_t i, size_t size, const void *value)
{
    (void)kernel, (void)i;
    CHECK(size > 0 && value != NULL);
    return fails();
}

static void *create_buffer(void *context, uint64_t flags, size_t size, void *host, int *status)
{
    (void)context, (void)flags, (void)host;
    CHECK(size > 0);
    return made(status);
}

static int enqueue_write(void *of, void *memory, uint32_t waits, size_t at, size_t size, const void *from, uint32_t n,
                         const void *after, void *event)
{
    (void)of, (void)memory, (void)waits, (void)at, (void)size, (void)from, (void)n, (void)after, (void)event;
    return queue();
}

static int enqueue_read(void *of, void *memory, uint32_t waits, size_t at, size_t size, void *to, uint32_t n,
                        const void *after, void *event)
{
    return enqueue_write(of, memory, waits, at, size, to, n, after, event);
}

static int enqueue_copy(void *of, void *from, void *to, size_t at, size_t there, size_t size, uint32_t n,
                        const void *after, void *event)
{
    (void)to;
    return enqueue_write(of, from, 0, at, size + there, NULL, n, after, event);
}

static int enqueue_range(void *of, void *kernel, uint32_t dimension, const size_t *offset, const size_t *size,
                         const size_t *group, uint32_t n, const void *after, void *event)
{
    (void)offset, (void)size, (void)group;
    return enqueue_write(of, kernel, dimension, 0, 0, NULL, n, after, event);
}

static int finish(void *of)
{
    (void)of;
    return queue();
}

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
    {"clGetPlatformIDs", (void (*)(void))platforms},
    {"clGetPlatformInfo", (void (*)(void))platform_info},
    {"clGetDeviceIDs", (void (*)(void))devices},
    {"clGetDeviceInfo", (void (*)(void))device_info},
    {"clCreateContext", (void (*)(void))create_context},
    {"clCreateCommandQueue", (void (*)(void))create_queue},
    {"clCreateProgramWithSource", (void (*)(void))create_program},
    {"clBuildProgram", (void (*)(void))build},
    {"clGetProgramBuildInfo", (void (*)(void))build_info},
    {"clCreateKernel", (void (*)(void))create_kernel},
    {"clSetKernelArg", (void (*)(void))set_argument},
    {"clCreateBuffer", (void (*)(void))create_buffer},
    {"clEnqueueWriteBuffer", (void (*)(void))enqueue_write},
    {"clEnqueueReadBuffer", (void (*)(void))enqueue_read},
    {"clEnqueueCopyBuffer", (void (*)(void))enqueue_copy},
    {"clEnqueueNDRangeKernel", (void (*)(void))enqueue_range},
    {"clFinish", (void (*)(void))finish},
    {"clReleaseMemObject", (void (*)(void))release},
    {"clReleaseKernel", (void (*)(void))release},
    {"clReleaseProgram", (void (*)(void))release},
    {"clReleaseCommandQueue", (void (*)(void))release},
    {"clReleaseContext", (void (*)(void))release},
};

/* Sanitizers look for the functions that they replace by dlsym, before anything else: under them this is skipped. */
#if defined __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || HAS_FEATURE(address_sanitizer) || \
    HAS_FEATURE(thread_sanitizer)
#define SKIPPED true
#else
#define SKIPPED false
/* these stand before those of the system */
void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);

void *dlopen(const char *name, int flags)
{
    (void)flags;
    return cl.missing || name == NULL || strcmp(name, "libOpenCL.so.1") != 0 ? NULL : &cl;
}

void *dlsym(void *library, const char *name)
{
    void *found = NULL;
    for (size_t i = 0; library == &cl && i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0 && (cl.lacks == NULL || strcmp(cl.lacks, name) != 0))
            memcpy(&found, &functions[i].function, sizeof found);
    return found;
}

#endif

/* --- which there are ---------------------------------------------------------------------------------------------- */

static void refuse(const char *name, const char *sentence)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK(carom_device_open(name, &error) == NULL);
    CHECK_STATUS(error.status, CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, sentence);
}

static void open_named(const char *name, const char *expected, bool card)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_device *device = carom_device_open(name, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(device != NULL);
    CHECK_TEXT(carom_device_what(device)->name, expected);
    CHECK(carom_device_what(device)->card == card);
    carom_device_free(device);
}

static void test_none(void)
{
    struct carom_device_about about[4];
    cl.missing = true;
    CHECK(carom_device_list(about, 4) == 0);
    refuse("auto", "there is no device with double precision here");
    cl.missing = false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) { /* an old library, which lacks one */
        cl.lacks = functions[i].name;
        CHECK(carom_device_list(about, 4) == 0);
    }
    cl.lacks = NULL;
}

static void test_list(void)
{
    struct carom_device_about about[4] = {{.name = ""}};
    CHECK(carom_device_list(about, 4) == 1);
    CHECK_TEXT(about[0].name, "Fake Processor 2");
    CHECK(!about[0].card && about[0].memory == 1000 && about[0].units == 1000);
    CHECK(strchr(about[0].driver, '\n') == NULL);
    CHECK_CONTAINS(about[0].driver, "of a test 1.0");
    refuse("auto", "there is no graphics card here");
    cl.cards = true;
    about[2] = (struct carom_device_about){.name = "untouched"};
    CHECK(carom_device_list(about, 2) == 3);
    CHECK_TEXT(about[1].name, "Fake Card 1");
    CHECK(about[1].card);
    CHECK_TEXT(about[2].name, "untouched");
    open_named("auto", "Fake Card 1", true);
    open_named("1", "Fake Processor 2", false);
    open_named("3", "Fake Card 2", true);
    open_named("card 2", "Fake Card 2", true);
    open_named("PROCESSOR", "Fake Processor 2", false);
    refuse("4", "none of the 3 devices");
    refuse("0", "none of the 3 devices");
    refuse("-1", "none of the 3 devices");
    refuse("cards", "none of the 3 devices");
}

/* --- work --------------------------------------------------------------------------------------------------------- */

/* all that a scheme does; true: all went well */
static bool work(struct carom_error *error)
{
    static const char *const text[2] = {"one", "two"};
    double x[2] = {1.0, 2.0};
    bool good = false;
    struct carom_device *d = carom_device_open("auto", error);
    struct carom_device_program *p = d ? carom_device_compile(d, "a test", text, 2, error) : NULL;
    struct carom_device_memory *a = p ? carom_device_take(d, sizeof x, error) : NULL;
    struct carom_device_memory *b = a ? carom_device_take(d, 0, error) : NULL;
    if (b) {
        const struct carom_device_argument argument[2] = {{.memory = a}, {.value = x, .size = sizeof *x}};
        const size_t places[2] = {2, 1}, none[2] = {2, 0};
        carom_device_write(a, x, sizeof x);
        carom_device_write(a, x, 0);
        carom_device_copy(a, b, sizeof x);
        carom_device_copy(a, b, 0);
        carom_device_run(p, "kernel", places, argument, 2);
        carom_device_run(p, "kernel", places, argument, 2);
        carom_device_run(p, "other", places, argument, 2);
        carom_device_run(p, "other", none, argument, 2);
        carom_device_read(b, x, sizeof x);
        carom_device_read(b, x, 0);
        good = carom_device_finish(d, error) == CAROM_OK;
        struct carom_error later = {CAROM_OK, ""};
        if (!good) /* once said it is forgotten */
            CHECK_STATUS(carom_device_finish(d, &later), CAROM_OK);
    }
    carom_device_release(a);
    carom_device_release(b);
    carom_device_program_free(p);
    carom_device_free(d);
    return good;
}

static void test_failures(void)
{
    static const char *const said[] = {"cannot be opened",
                                       "cannot compile the kernels of a test: line 3: what is this?", "bytes left",
                                       "failed at", "there is no"};
    size_t heard[5] = {0};
    cl.call = cl.queued = 0;
    CHECK(work(NULL) && cl.queued == 7 && cl.released == 0);
    const size_t calls = cl.call;
    for (size_t n = 1; n <= calls; n++) {
        struct carom_error error = {CAROM_OK, ""};
        cl.call = cl.queued = 0;
        cl.fails = n;
        const bool good = work(&error);
        CHECK(good == (error.status == CAROM_OK) && cl.released == 0);
        for (size_t i = 0; i < 5; i++)
            heard[i] += strstr(error.text, said[i]) != NULL;
        CHECK(error.status != CAROM_E_NUMERIC || cl.queued < 8 + (cl.fails == calls));
    }
    cl.fails = 0;
    for (size_t i = 0; i < 4; i++)
        CHECK(heard[i] > 0);
    CHECK(heard[0] == 2 && heard[1] == 2 && heard[2] == 2 && heard[3] >= 12);
}

static void test_bounds(void)
{
    enum { TEXTS = 32, KERNELS = 16 };
    const char *text[TEXTS + 1];
    char kernel[KERNELS + 1][2];
    for (size_t i = 0; i <= TEXTS; i++)
        text[i] = "";
    for (size_t i = 0; i <= KERNELS; i++)
        memcpy(kernel[i], (const char[]){(char)('a' + (int)i), '\0'}, 2);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_device *d = carom_device_open("auto", &error);
    CHECK_OR_STOP(d != NULL);
    CHECK(carom_device_compile(d, "too many", text, TEXTS + 1, &error) == NULL && error.status == CAROM_E_MEMORY);
    struct carom_device_program *p = carom_device_compile(d, "many", text, TEXTS, &error);
    CHECK_OR_STOP(p != NULL);
    for (size_t i = 0; i <= KERNELS; i++) { /* more kernels than there is room for are not passed over in silence */
        carom_device_run(p, kernel[i], (const size_t[2]){1, 1}, NULL, 0);
        CHECK((carom_device_finish(d, &error) == CAROM_OK) == (i < KERNELS));
    }
    CHECK_CONTAINS(error.text, "failed at q ");
    carom_device_program_free(p);
    carom_device_free(d);
    CHECK(cl.released == 0);
}

int main(void)
{
    if (SKIPPED)
        return 77;
    test_none();
    test_list();
    test_failures();
    test_bounds();
    return check_end();
}
