/* Carries viewer/dist/page.html inside the program, as it is: the assembler takes the file in, so neither a script nor
 * Node.js is needed to build. CAROM_VIEWER is the file's name, given by CMake. */
#include "report.h"

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".global cli_viewer_begin, cli_viewer_end\n"
        ".type cli_viewer_begin, %object\n"
        ".type cli_viewer_end, %object\n"
        "cli_viewer_begin:\n"
        ".incbin \"" CAROM_VIEWER "\"\n"
        "cli_viewer_end:\n"
        ".byte 0\n"
        ".popsection\n");
