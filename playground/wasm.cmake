# Debian's clang with wasi-libc: tools/setup playground installs them.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(wasm_clang NAMES clang clang-14 REQUIRED)
set(CMAKE_C_COMPILER ${wasm_clang})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
