/* What analyzers cannot see across files, for tools/check-all: carom_error_set returns the status it is handed, as those
 * do that say where in a scene, and carom_source_wrong false. */
#include "carom/error.h"
#define carom_error_set(error, status, ...) ((carom_error_set)(error, status, __VA_ARGS__), (status))
#if __has_include("mesh/source.h")
#include "mesh/source.h"
#define carom_source_wrong(...) ((carom_source_wrong)(__VA_ARGS__), false)
#endif
#ifdef CAROM_KNOWN_SCENE
#include "scene/bind.h"
#define carom_tree_error(tree, node, status, ...) ((carom_tree_error)(tree, node, status, __VA_ARGS__), (status))
#define carom_tree_error_key(tree, node, status, ...) \
    ((carom_tree_error_key)(tree, node, status, __VA_ARGS__), (status))
#define carom_bind_memory(b) ((carom_bind_memory)(b), CAROM_E_MEMORY)
#endif
