/* Natural words for what has another name in scenes: sentences about them say what to write. */
#ifndef CAROM_SCENE_TEXT_GUESS_H
#define CAROM_SCENE_TEXT_GUESS_H

/* What to write instead of a word that is not known in a section (its name as in keys.c; "body" for kinds of bodies,
 * "joint" for those of joints, "side" for sides of walls), as the end of a sentence; NULL: nobody knows. */
const char *carom_guess(const char *section, const char *word);

#endif
