/* What the recorder and the sinks need of probes beyond the public list. */
#ifndef CAROM_RECORD_PROBE_H
#define CAROM_RECORD_PROBE_H

#include "carom/record.h"
#include "record/cells.h"

#define CAROM_PROBE_PART_SIZE 64

/* The name of a model's part in run files: its kind's; a second part of that kind is "beads_2". */
void carom_probe_path_part(const struct carom_model *model, size_t member, char name[CAROM_PROBE_PART_SIZE]);

/* The probe's path with the part's name in place of %s. */
void carom_probe_path(const struct carom_probe *probe, const char *part, char *path, size_t size);

/* The probe whose path this is, for some part; NULL: none. */
const struct carom_probe *carom_probe_path_find(const char *path);

/* What a sensor reads; not one of the list, as sensors have names of their own. */
extern const struct carom_probe carom_probe_sensor;

/* The same of beads and contacts that were chosen: by enum carom_choice_what. */
extern const struct carom_probe carom_probe_chosen[3];

/* What the probe reads of the cells of a solid; does it read nothing else? */
enum carom_cells_what carom_probe_cells(const struct carom_probe *probe);
bool carom_probe_only_cells(const struct carom_probe *probe);

/* Is it worked out from the contacts of discs and spheres (the stress: where there are such)? */
bool carom_probe_of_grains(const struct carom_probe *probe);

/* Numbers of one that reads a region; does it divide by the region's volume? */
size_t carom_probe_region_size(const struct carom_probe *probe);
bool carom_probe_needs_volume(const struct carom_probe *probe);

/* Can it be read of a model? If not, `why` (unless NULL) ends the sentence "probe u ...". */
#define CAROM_PROBE_WHY 96
bool carom_probe_fits(const struct carom_probe *probe, const struct carom_model *model, char why[CAROM_PROBE_WHY]);

/* Is it one number of the whole run, which files keep without a second axis? */
bool carom_probe_single(const struct carom_probe *probe);

/* Is it one of the ledger's, which are always recorded? */
bool carom_probe_is_ledger(const struct carom_probe *probe);

#endif
