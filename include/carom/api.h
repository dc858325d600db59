/* What every public header stands between: names that the shared library shows, and C linkage for C++. */
#ifndef CAROM_API_H
#define CAROM_API_H

#ifdef __cplusplus
#define CAROM_BEGIN                                    \
    _Pragma("GCC visibility push(default)") extern "C" \
    {
#define CAROM_END \
    }             \
    _Pragma("GCC visibility pop")
#else
#define CAROM_BEGIN _Pragma("GCC visibility push(default)")
#define CAROM_END _Pragma("GCC visibility pop")
#endif

#endif
