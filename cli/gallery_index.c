/* Writes the start page of a gallery: plain HTML without scripts, small pictures as SVG. All texts are escaped. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "gallery.h"
#include "record/run_file.h"

enum { POINTS = 160, CURVES = 5, WIDTH = 280, HEIGHT = 84 };

static void write_text(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            putc(*text, out);
        }
}

/* a link inside the gallery: what is not plain is written as %xx */
static void write_link(FILE *out, const char *path)
{
    for (; *path; path++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./", *path))
            putc(*path, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*path);
}

void cli_gallery_begin(FILE *out)
{
    fputs(
        "<!doctype html>\n<html lang=\"en\" data-carom=\"gallery\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>carom: "
        "gallery</title>\n<style>\n"
        ":root{color-scheme:light dark;--paper:#f6f6f3;--card:#fff;--ink:#23262a;--faint:#6b7178;--line:#d9dad6}\n"
        "@media(prefers-color-scheme:dark){:root{--paper:#121416;--card:#1a1d20;--ink:#dfe2e5;--faint:#8e959d;"
        "--line:#32383e}}\n"
        "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,\"Segoe "
        "UI\",Arial,sans-serif}\n"
        "main{max-width:1280px;margin:0 auto;padding:24px clamp(12px,3vw,36px) 60px}\nh1{margin:0;font-size:26px}\n"
        "h2{font-size:18px;margin:32px 0 12px}\nh3{font-size:15px;margin:0}\n"
        ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(290px,1fr));gap:14px}\n"
        ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px;color:inherit;"
        "text-decoration:none;display:block}\na.card:hover,a.card:focus-visible{border-color:#0072b2;outline:none}\n"
        "p{margin:4px 0 0;color:var(--faint);font-size:13px;overflow-wrap:anywhere}\nsvg{display:block;width:100%;"
        "height:auto;margin:8px 0 2px}\npolyline{fill:none;stroke-width:1.4}\n.failed{color:#b00060}\n"
        "circle,polygon{stroke:#00000055;stroke-width:.6}\n.fine "
        "*{stroke-width:.15}\n.bare{stroke:none}.hollow{fill:none;stroke:var(--faint);stroke-width:1}\n"
        "[hidden]{display:none!important}\n"
        "input{font:inherit;padding:5px 10px;width:min(360px,100%);border:1px solid var(--line);border-radius:6px;"
        "background:var(--card);color:inherit}\n</style></head>\n"
        "<body><main>\n<h1>carom: gallery</h1>\n<p>Each card opens the page of a run. All pages use page.js, so keep "
        "it beside them.</p>\n"
        "<p><input id=\"search\" type=\"search\" placeholder=\"search: cradle, taper, friction ...\" "
        "aria-label=\"search\"></p>\n"
        "<p id=\"none\" role=\"status\" hidden>No page has all of these words; fewer find more.</p>\n",
        out);
}

void cli_gallery_heading(FILE *out, const char *title)
{
    fputs("<section><h2>", out);
    write_text(out, title);
    fputs("</h2>\n<div class=\"grid\">\n", out);
}

/* --- small pictures ---------------------------------------------------------------------------------------------- */

/* The item whose curves tell most. */
static const struct carom_run_item *chosen_item(const struct carom_run_file *run)
{
    static const char *const paths[] = {"particles/beads/velocity",       "particles/mechanism/displacement",
                                        "particles/sensors/displacement", "particles/cells/displacement",
                                        "particles/beads/displacement",   "observables/ledger/kinetic"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct carom_run_item *item = carom_run_file_item(run, paths[i]);
        if (item && item->width > 0)
            return item;
    }
    return NULL;
}

static void write_curves(FILE *out, const double *value, size_t count, size_t curves)
{
    static const char *const colours[CURVES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b"};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count * curves; i++)
        if (isfinite(value[i])) {
            low = fmin(low, value[i]);
            high = fmax(high, value[i]);
        }
    if (!(low <= high))
        return;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\">", WIDTH, HEIGHT);
    for (size_t c = 0; c < curves; c++) {
        fprintf(out, "<polyline stroke=\"%s\" points=\"", colours[c]);
        for (size_t i = 0; i < count; i++)
            if (isfinite(value[i * curves + c]))
                fprintf(out, "%.1f,%.1f ", (double)i * WIDTH / (double)(count - 1),
                        HEIGHT - 4.0 -
                            (HEIGHT - 8.0) * (high > low ? (value[i * curves + c] - low) / (high - low) : 0.5));
        fputs("\"/>", out);
    }
    fputs("</svg>\n", out);
}

static void write_picture(FILE *out, const char *path, const struct carom_scene *scene)
{
    struct carom_run_file *run = carom_run_file_open(path, NULL);
    const bool drawn = run && scene && cli_gallery_picture(out, run, scene);
    const struct carom_run_item *item = run && !drawn ? chosen_item(run) : NULL;
    double *row = item ? carom_memory_zeroed(item->width, sizeof *row) : NULL;
    if (row && run->rows > 2) {
        double value[POINTS * CURVES];
        const size_t count = run->rows < POINTS ? (size_t)run->rows : POINTS;
        const size_t curves = item->width < CURVES ? item->width : CURVES;
        bool good = true;
        for (size_t i = 0; i < count && good; i++) {
            good = carom_run_file_read(run, item, i * (run->rows - 1) / (count - 1), 1, row, NULL) == CAROM_OK;
            for (size_t c = 0; c < curves; c++)
                value[i * curves + c] = row[curves > 1 ? c * (item->width - 1) / (curves - 1) : 0];
        }
        if (good)
            write_curves(out, value, count, curves);
    }
    carom_memory_free(row);
    carom_run_file_close(run);
}

void cli_gallery_card(FILE *out, const struct cli_card *card)
{
    fputs(card->page ? "<a class=\"card\" href=\"" : "<div class=\"card", out);
    if (card->page)
        write_link(out, card->page);
    fputs("\"><h3>", out);
    write_text(out, *card->title ? card->title : card->name);
    fputs("</h3>\n", out);
    if (card->run)
        write_picture(out, card->run, card->scene);
    fputs(card->run && *card->text ? "<p>Look at: " : "<p>", out);
    write_text(out, card->text);
    fputs("</p><p><code>", out);
    write_text(out, card->name);
    fputs("</code></p>", out);
    if (card->failed) {
        fputs("<p class=\"failed\">", out);
        write_text(out, card->failed);
        fputs("</p>", out);
    }
    fputs(card->page ? "</a>\n" : "</div>\n", out);
}

void cli_gallery_end(FILE *out)
{
    fputs("<script>\nconst box=document.getElementById('search');\n"
          "box.addEventListener('input',()=>{const words=box.value.toLowerCase().split(/\\s+/);\n"
          "for(const card of document.querySelectorAll('.card')){const text=card.textContent.toLowerCase();\n"
          "card.hidden=!words.every((word)=>text.includes(word));}\n"
          "for(const part of "
          "document.querySelectorAll('section'))part.hidden=!part.querySelector('.card:not([hidden])');\n"
          "document.getElementById('none').hidden=!!document.querySelector('.card:not([hidden])');});\n"
          "</script></main></body></html>\n",
          out);
}
