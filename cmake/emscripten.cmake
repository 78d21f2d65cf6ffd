# The toolchain of whatever em++ is on the PATH: Debian's, emsdk's or Homebrew's, which lie in different places.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "Emscripten was not found: em-config must be on the PATH (Debian: the package emscripten; emsdk: source emsdk_env.sh).")
endif()
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")
