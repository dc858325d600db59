/* What analyzers cannot see across files, for tools/check-all: carom_error_set returns the status it is handed, and
 * carom_source_wrong false. */
#include "carom/error.h"
#define carom_error_set(error, status, ...) ((carom_error_set)(error, status, __VA_ARGS__), (status))
#if __has_include("mesh/source.h")
#include "mesh/source.h"
#define carom_source_wrong(...) ((carom_source_wrong)(__VA_ARGS__), false)
#endif
