/* The files themselves, put here by the assembler: processors compile the same lines. */
#include "kernel/texts.h"

#ifdef __wasm__ /* pages have no devices */
const char carom_texts_lane[] = "", carom_texts_sheet[] = "", carom_texts_sheet_kernels[] = "",
           carom_texts_lane3[] = "", carom_texts_pair[] = "", carom_texts_brick[] = "", carom_texts_vec[] = "",
           carom_texts_quat[] = "", carom_texts_hinge[] = "", carom_texts_turn[] = "", carom_texts_space_kernels[] = "",
           carom_texts_press[] = "", carom_texts_chain[] = "", carom_texts_still[] = "", carom_texts_theta[] = "",
           carom_texts_irk[] = "", carom_texts_meet[] = "", carom_texts_ball[] = "", carom_texts_packing[] = "",
           carom_texts_friction[] = "", carom_texts_spring[] = "", carom_texts_abreast[] = "", carom_texts_body[] = "",
           carom_texts_flat[] = "", carom_texts_flat_kernels[] = "", carom_texts_damp[] = "", carom_texts_sum[] = "",
           carom_texts_acts[] = "", carom_texts_links[] = "", carom_texts_push[] = "", carom_texts_glide[] = "",
           carom_texts_lead[] = "", carom_texts_rates[] = "", carom_texts_rates_flat[] = "", carom_texts_drag[] = "";
#else
#ifdef CAROM_OPEN /* a shared library from which the program takes them, with their sizes */
#define SEEN(symbol) ".type " symbol ", %object\n.size " symbol ", . - " symbol "\n"
#else
#define SEEN(symbol) ".hidden " symbol "\n"
#endif
#define TEXT(name, file)                                                                                        \
    __asm__(".section .rodata\n.global carom_texts_" #name "\ncarom_texts_" #name ":\n.incbin \"" CAROM_KERNELS \
            "/" file "\"\n.byte 0\n" SEEN("carom_texts_" #name) ".previous")

TEXT(lane, "lane.cl");
TEXT(sheet, "sheet.h");
TEXT(sheet_kernels, "sheet.cl");
TEXT(lane3, "../base/lane3.h");
TEXT(vec, "../base/vec.h");
TEXT(quat, "../base/quat.h");
TEXT(pair, "pair.h");
TEXT(brick, "brick.h");
TEXT(hinge, "hinge.h");
TEXT(turn, "turn.h");
TEXT(still, "still.h");
TEXT(links, "links.cl");
TEXT(body, "body.cl");
TEXT(space_kernels, "space.cl");
TEXT(push, "push.cl");
TEXT(glide, "glide.cl");
TEXT(lead, "lead.cl");
TEXT(flat, "flat.h");
TEXT(flat_kernels, "flat.cl");
TEXT(sum, "../base/sum.h");
TEXT(damp, "damp.h");
TEXT(acts, "acts.cl");
TEXT(rates, "rates.h");
TEXT(rates_flat, "rates_flat.h");
TEXT(drag, "drag.cl");
TEXT(press, "press.h");
TEXT(abreast, "abreast.cl");
TEXT(chain, "chain.cl");
TEXT(theta, "theta.cl");
TEXT(irk, "irk.cl");
TEXT(meet, "meet.h");
TEXT(ball, "ball.h");
TEXT(friction, "ball_friction.h");
TEXT(spring, "spring.h");
TEXT(packing, "packing.cl");
#endif
