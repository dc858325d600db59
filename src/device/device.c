/* OpenCL, the one place that knows it. The library is looked for while the program runs, and the few functions used
 * here are declared below as the standard has them, so that nothing is needed to build: version 1.2, which every
 * platform knows. The same operations in the same order give the same bits everywhere: quotients and double roots are
 * IEEE's, contraction is switched off, and nobody says -cl-fast-relaxed-math. */
#include "device/device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#ifdef __wasm__
#define dlopen(name, flags) ((void)(name), NULL)
#define dlsym(library, name) ((void)(library), (void)(name), NULL)
#else
#include <dlfcn.h>
#endif

/* --- what the standard says --------------------------------------------------------------------------------------- */

typedef struct platform *cl_platform;
typedef struct cl_device_object *cl_device;
typedef struct cl_context_object *cl_context;
typedef struct cl_queue_object *cl_queue;
typedef struct cl_program_object *cl_program;
typedef struct cl_kernel_object *cl_kernel;
typedef struct cl_memory_object *cl_memory;
typedef intptr_t cl_property;
typedef void (*cl_notify)(const char *text, const void *info, size_t size, void *own);
typedef void (*cl_built)(cl_program program, void *own);

enum {
    PLATFORM_NAME = 0x0902,
    DEVICE_TYPE = 0x1000,
    DEVICE_COMPUTE_UNITS = 0x1002,
    DEVICE_MEMORY = 0x101f,
    DEVICE_NAME = 0x102b,
    DRIVER_VERSION = 0x102d,
    DEVICE_DOUBLES = 0x1032,
    CONTEXT_PLATFORM = 0x1084,
    BUILD_LOG = 0x1183,
};
enum { TYPE_CARD = 1 << 2 | 1 << 3, READ_WRITE = 1, MOST_PLATFORMS = 16, MOST_DEVICES = 64 };
#define TYPE_ALL UINT64_C(0xffffffff)

#define FUNCTIONS(X)                                                                                                   \
    X(int, clGetPlatformIDs, (uint32_t, cl_platform *, uint32_t *))                                                    \
    X(int, clGetPlatformInfo, (cl_platform, uint32_t, size_t, void *, size_t *))                                       \
    X(int, clGetDeviceIDs, (cl_platform, uint64_t, uint32_t, cl_device *, uint32_t *))                                 \
    X(int, clGetDeviceInfo, (cl_device, uint32_t, size_t, void *, size_t *))                                           \
    X(cl_context, clCreateContext, (const cl_property *, uint32_t, const cl_device *, cl_notify, void *, int *))       \
    X(cl_queue, clCreateCommandQueue, (cl_context, cl_device, uint64_t, int *))                                        \
    X(cl_program, clCreateProgramWithSource, (cl_context, uint32_t, const char **, const size_t *, int *))             \
    X(int, clBuildProgram, (cl_program, uint32_t, const cl_device *, const char *, cl_built, void *))                  \
    X(int, clGetProgramBuildInfo, (cl_program, cl_device, uint32_t, size_t, void *, size_t *))                         \
    X(cl_kernel, clCreateKernel, (cl_program, const char *, int *))                                                    \
    X(int, clSetKernelArg, (cl_kernel, uint32_t, size_t, const void *))                                                \
    X(cl_memory, clCreateBuffer, (cl_context, uint64_t, size_t, void *, int *))                                        \
    X(int, clEnqueueWriteBuffer,                                                                                       \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, const void *, uint32_t, const void *, void *))                   \
    X(int, clEnqueueReadBuffer,                                                                                        \
      (cl_queue, cl_memory, uint32_t, size_t, size_t, void *, uint32_t, const void *, void *))                         \
    X(int, clEnqueueCopyBuffer,                                                                                        \
      (cl_queue, cl_memory, cl_memory, size_t, size_t, size_t, uint32_t, const void *, void *))                        \
    X(int, clEnqueueNDRangeKernel,                                                                                     \
      (cl_queue, cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const void *, void *)) \
    X(int, clFinish, (cl_queue))                                                                                       \
    X(int, clReleaseMemObject, (cl_memory))                                                                            \
    X(int, clReleaseKernel, (cl_kernel))                                                                               \
    X(int, clReleaseProgram, (cl_program))                                                                             \
    X(int, clReleaseCommandQueue, (cl_queue))                                                                          \
    X(int, clReleaseContext, (cl_context))

struct opencl {
#define DECLARE(type, name, arguments) type(*name) arguments;
    FUNCTIONS(DECLARE)
#undef DECLARE
};

/* Is it there, with all its functions? It stays open: drivers do not like to be unloaded. */
static bool load(struct opencl *cl)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    bool whole = true;
#define LOOK_UP(type, name, arguments)               \
    {                                                \
        void *symbol = dlsym(library, #name);        \
        memcpy(&cl->name, &symbol, sizeof cl->name); \
        whole &= symbol != NULL;                     \
    }
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return whole;
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

struct carom_device {
    struct opencl cl;
    struct carom_device_about about;
    cl_platform platform;
    cl_device device;
    cl_context context;
    cl_queue queue;
    int failure;      /* the first one, by OpenCL's number; 0: none */
    const char *what; /* was wanted then */
};

static void text_of(const struct opencl *cl, cl_device device, uint32_t item, char *text, size_t size)
{
    char whole[1024] = "";
    if (cl->clGetDeviceInfo(device, item, sizeof whole - 1, whole, NULL) != 0)
        whole[0] = '\0';
    carom_text_plain(whole);
    snprintf(text, size, "%.*s", (int)size - 1, whole);
}

/* false: it has no double precision */
static bool describe(const struct opencl *cl, cl_platform platform, cl_device device, struct carom_device_about *about)
{
    uint64_t doubles = 0, type = 0, memory = 0;
    uint32_t units = 0;
    char of[96] = "", version[96];
    memset(about, 0, sizeof *about);
    if (cl->clGetDeviceInfo(device, DEVICE_DOUBLES, sizeof doubles, &doubles, NULL) != 0 || doubles == 0)
        return false;
    cl->clGetDeviceInfo(device, DEVICE_TYPE, sizeof type, &type, NULL);
    cl->clGetDeviceInfo(device, DEVICE_MEMORY, sizeof memory, &memory, NULL);
    cl->clGetDeviceInfo(device, DEVICE_COMPUTE_UNITS, sizeof units, &units, NULL);
    text_of(cl, device, DEVICE_NAME, about->name, sizeof about->name);
    text_of(cl, device, DRIVER_VERSION, version, sizeof version);
    cl->clGetPlatformInfo(platform, PLATFORM_NAME, sizeof of - 1, of, NULL);
    carom_text_plain(of);
    snprintf(about->driver, sizeof about->driver, "%.94s %.94s", of, version);
    about->card = (type & TYPE_CARD) != 0 || getenv("CAROM_DEVICES_ARE_CARDS"); /* so that tests run what cards run */
    about->memory = memory;
    about->units = units;
    return true;
}

/* calls `visit` for every device with double precision until it says that it has seen enough */
static void each(const struct opencl *cl, struct carom_device *found,
                 bool (*visit)(void *own, const struct carom_device *found), void *own)
{
    cl_platform platform[MOST_PLATFORMS];
    uint32_t nplatforms = 0;
    if (cl->clGetPlatformIDs(MOST_PLATFORMS, platform, &nplatforms) != 0)
        return;
    for (uint32_t p = 0; p < nplatforms && p < MOST_PLATFORMS; p++) {
        cl_device device[MOST_DEVICES];
        uint32_t ndevices = 0;
        if (cl->clGetDeviceIDs(platform[p], TYPE_ALL, MOST_DEVICES, device, &ndevices) != 0)
            continue;
        for (uint32_t d = 0; d < ndevices && d < MOST_DEVICES; d++) {
            found->platform = platform[p];
            found->device = device[d];
            if (describe(cl, platform[p], device[d], &found->about) && visit(own, found))
                return;
        }
    }
}

struct roll {
    struct carom_device_about *about;
    size_t most, count;
};

static bool note(void *own, const struct carom_device *found)
{
    struct roll *roll = own;
    if (roll->count < roll->most)
        roll->about[roll->count] = found->about;
    roll->count++;
    return false;
}

size_t carom_device_list(struct carom_device_about *about, size_t most)
{
    struct carom_device found = {0};
    struct roll roll = {about, most, 0};
    if (load(&found.cl))
        each(&found.cl, &found, note, &roll);
    return roll.count;
}

struct wish {
    const char *name;
    bool counted; /* by its number */
    unsigned long number;
    size_t seen;
    bool met;
};

static bool contains(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool choose(void *own, const struct carom_device *found)
{
    struct wish *wish = own;
    wish->seen++;
    wish->met = strcmp(wish->name, "auto") == 0 ? found->about.card
                : wish->counted                 ? wish->seen == wish->number
                                                : contains(found->about.name, wish->name);
    return wish->met;
}

static enum carom_status nothing_found(const struct wish *wish, struct carom_error *error)
{
    if (wish->seen == 0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "device %s: there is no device with double precision here (OpenCL finds none); "
                               "device: none runs on the processor",
                               wish->name);
    if (strcmp(wish->name, "auto") == 0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "device auto: there is no graphics card here; device: none runs on the processor, and "
                               "carom list devices shows what else there is");
    return carom_error_set(error, CAROM_E_REFUSED,
                           "device %s: none of the %zu devices here has that number or name; carom list devices shows "
                           "them",
                           wish->name, wish->seen);
}

struct carom_device *carom_device_open(const char *name, struct carom_error *error)
{
    if (!name)
        return carom_error_missing(error), NULL;
    struct carom_device *d = carom_memory_zeroed(1, sizeof *d);
    struct wish wish = {.name = name};
    char *end;
    if (!d)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a device"), NULL;
    wish.number = strtoul(name, &end, 10);
    wish.counted = *end == '\0' && *name != '-';
    if (load(&d->cl))
        each(&d->cl, d, choose, &wish);
    if (!wish.met) {
        nothing_found(&wish, error);
        carom_memory_free(d);
        return NULL;
    }
    const cl_property properties[] = {CONTEXT_PLATFORM, (intptr_t)d->platform, 0};
    int status = 0;
    d->context = d->cl.clCreateContext(properties, 1, &d->device, NULL, NULL, &status);
    d->queue = d->context ? d->cl.clCreateCommandQueue(d->context, d->device, 0, &status) : NULL;
    if (d->queue)
        return d;
    carom_error_set(error, CAROM_E_REFUSED, "device %s cannot be opened (OpenCL's error %d)", d->about.name, status);
    carom_device_free(d);
    return NULL;
}

void carom_device_free(struct carom_device *d)
{
    if (d && d->queue)
        d->cl.clReleaseCommandQueue(d->queue);
    if (d && d->context)
        d->cl.clReleaseContext(d->context);
    carom_memory_free(d);
}

const struct carom_device_about *carom_device_what(const struct carom_device *d)
{
    return &d->about;
}

/* --- programs, memory, work --------------------------------------------------------------------------------------- */

enum { MOST_KERNELS = 16, MOST_TEXTS = 32, GROUP = 128 };

struct carom_device_program {
    struct carom_device *device;
    cl_program program;
    size_t group[2], nkernels;
    struct {
        const char *name;
        cl_kernel kernel;
    } kernel[MOST_KERNELS];
};

struct carom_device_memory {
    struct carom_device *device;
    cl_memory memory;
};

/* Is all well still? The first failure stays. */
static bool well(struct carom_device *d, const char *what, int status)
{
    if (d->failure == 0 && status != 0) {
        d->failure = status;
        d->what = what;
    }
    return d->failure == 0;
}

static void say_why(const struct carom_device_program *p, const char *name, struct carom_error *error)
{
    char log[1 << 14] = "";
    const struct carom_device *d = p->device;
    d->cl.clGetProgramBuildInfo(p->program, d->device, BUILD_LOG, sizeof log - 1, log, NULL);
    carom_text_plain(log);
    carom_error_set(error, CAROM_E_REFUSED, "device %s cannot compile the kernels of %s: %.300s", d->about.name, name,
                    log);
}

void carom_device_group(struct carom_device_program *p, size_t along, size_t rows)
{
    p->group[0] = along;
    p->group[1] = rows;
}

struct carom_device_program *carom_device_compile(struct carom_device *d, const char *name, const char *const *text,
                                                  size_t ntexts, struct carom_error *error)
{
    struct carom_device_program *p = carom_memory_zeroed(1, sizeof *p);
    const char *source[MOST_TEXTS];
    int status = 0;
    if (!p || ntexts > MOST_TEXTS) {
        carom_memory_free(p);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for the kernels of %s", name);
        return NULL;
    }
    for (size_t i = 0; i < ntexts; i++)
        source[i] = text[i];
    p->device = d;
    carom_device_group(p, GROUP, 1);
    p->program = d->cl.clCreateProgramWithSource(d->context, (uint32_t)ntexts, source, NULL, &status);
    const char *options = d->about.card ? "-cl-std=CL1.2 -DCARD=1" : "-cl-std=CL1.2 -DCARD=0";
    if (p->program && d->cl.clBuildProgram(p->program, 1, &d->device, options, NULL, NULL) == 0)
        return p;
    say_why(p, name, error);
    carom_device_program_free(p);
    return NULL;
}

void carom_device_program_free(struct carom_device_program *p)
{
    for (size_t i = 0; p && i < p->nkernels; i++)
        p->device->cl.clReleaseKernel(p->kernel[i].kernel);
    if (p && p->program)
        p->device->cl.clReleaseProgram(p->program);
    carom_memory_free(p);
}

static cl_kernel kernel_of(struct carom_device_program *p, const char *name)
{
    int status = -6; /* out of memory, where there is no room for a kernel more */
    for (size_t i = 0; i < p->nkernels; i++)
        if (strcmp(p->kernel[i].name, name) == 0)
            return p->kernel[i].kernel;
    cl_kernel kernel = p->nkernels < MOST_KERNELS ? p->device->cl.clCreateKernel(p->program, name, &status) : NULL;
    if (!well(p->device, name, status) || !kernel)
        return NULL;
    p->kernel[p->nkernels].name = name;
    p->kernel[p->nkernels++].kernel = kernel;
    return kernel;
}

struct carom_device_memory *carom_device_take(struct carom_device *d, size_t bytes, struct carom_error *error)
{
    struct carom_device_memory *m = carom_memory_zeroed(1, sizeof *m);
    int status = 0;
    if (m) {
        m->device = d;
        m->memory = d->cl.clCreateBuffer(d->context, READ_WRITE, bytes > 0 ? bytes : 8, NULL, &status);
    }
    if (m && m->memory && status == 0)
        return m;
    carom_memory_free(m);
    carom_error_set(error, CAROM_E_MEMORY, "device %s has no %zu bytes left (it has %llu in all)", d->about.name, bytes,
                    (unsigned long long)d->about.memory);
    return NULL;
}

void carom_device_release(struct carom_device_memory *m)
{
    if (m && m->memory)
        m->device->cl.clReleaseMemObject(m->memory);
    carom_memory_free(m);
}

void carom_device_write(struct carom_device_memory *to, const void *from, size_t bytes)
{
    struct carom_device *d = to->device;
    if (bytes > 0 && d->failure == 0)
        well(d, "writing to it", d->cl.clEnqueueWriteBuffer(d->queue, to->memory, 1, 0, bytes, from, 0, NULL, NULL));
}

void carom_device_read(struct carom_device_memory *from, void *to, size_t bytes)
{
    struct carom_device *d = from->device;
    if (bytes > 0 && d->failure == 0)
        well(d, "reading from it", d->cl.clEnqueueReadBuffer(d->queue, from->memory, 1, 0, bytes, to, 0, NULL, NULL));
}

void carom_device_copy(struct carom_device_memory *from, struct carom_device_memory *to, size_t bytes)
{
    struct carom_device *d = from->device;
    if (bytes > 0 && d->failure == 0)
        well(d, "copying on it",
             d->cl.clEnqueueCopyBuffer(d->queue, from->memory, to->memory, 0, 0, bytes, 0, NULL, NULL));
}

void carom_device_run(struct carom_device_program *p, const char *name, const size_t size[2],
                      const struct carom_device_argument *argument, size_t count)
{
    struct carom_device *d = p->device;
    cl_kernel kernel = d->failure == 0 ? kernel_of(p, name) : NULL;
    if (!kernel || size[0] == 0 || size[1] == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct carom_device_argument *a = &argument[i];
        const size_t handle = sizeof a->memory->memory; /* NOLINT: of the handle, which OpenCL takes by its address */
        if (!well(d, name,
                  d->cl.clSetKernelArg(kernel, (uint32_t)i, a->memory ? handle : a->size,
                                       a->memory ? (const void *)&a->memory->memory : a->value)))
            return;
    }
    /* places beyond the last do nothing: left to itself, a driver makes groups that divide the size, of a prime of 1 */
    size_t whole[2];
    for (int k = 0; k < 2; k++)
        whole[k] = (size[k] + p->group[k] - 1) / p->group[k] * p->group[k];
    well(d, name, d->cl.clEnqueueNDRangeKernel(d->queue, kernel, 2, NULL, whole, p->group, 0, NULL, NULL));
}

enum carom_status carom_device_finish(struct carom_device *d, struct carom_error *error)
{
    if (d->failure == 0)
        well(d, "waiting for it", d->cl.clFinish(d->queue));
    if (d->failure == 0)
        return CAROM_OK;
    carom_error_set(error, CAROM_E_NUMERIC, "device %s failed at %s (OpenCL's error %d)", d->about.name, d->what,
                    d->failure);
    d->failure = 0;
    return CAROM_E_NUMERIC;
}
