/* What an open run file says of itself, for those who see only include/carom. */
#include "record/run_file.h"

void carom_run_about(const struct carom_run_file *run, struct carom_run_about *about)
{
    if (run == NULL) {
        *about = (struct carom_run_about){.title = "", .scene = "", .set = "", .units = "", .command = ""};
        about->scheme = about->version = about->ends = "";
        return;
    }
    *about = (struct carom_run_about){
        .title = run->title,
        .scene = run->scene,
        .set = run->set,
        .units = run->units,
        .command = run->command,
        .scheme = run->scheme,
        .version = run->version,
        .seed = run->seed,
        .scales = run->scales,
        .tol = run->tol,
        .estimate = run->estimate,
        .counts = run->counts,
        .complete = run->complete,
        .rows = run->rows,
        .events = run->events,
        .episodes = run->episodes.there ? run->episodes.rows : 0,
        .left_out = run->episodes.there ? run->episodes.left_out : 0,
        .impacts = run->impacts,
        .forces = run->forces,
        .touches = run->touches.there ? run->touches.lines : 0,
        .nitems = run->nitems,
        .item = run->item,
        .nc = run->nc,
        .pair = (const int32_t(*)[2])run->pair,
        .row = run->row,
        .listed = run->listed,
        .ends = run->ends != NULL ? run->ends : "",
        .changes = run->doubt.why == CAROM_DOUBT_CHANGED ? run->doubt.contact : 0.0,
        .changed = run->doubt.why == CAROM_DOUBT_CHANGED ? run->doubt.time : 0.0,
    };
}
