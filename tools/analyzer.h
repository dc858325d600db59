/* What analyzers cannot see across files, for tools/check-all: carom_error_set returns the status it is handed. */
#include "carom/error.h"
#define carom_error_set(error, status, ...) ((carom_error_set)(error, status, __VA_ARGS__), (status))
