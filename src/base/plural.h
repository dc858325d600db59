/* What a word takes where a sentence speaks of so many: "1 sample", "2 samples"; "1 body", "2 bodies". */
#ifndef CAROM_BASE_PLURAL_H
#define CAROM_BASE_PLURAL_H

static inline const char *carom_plural(unsigned long long n)
{
    return n == 1 ? "" : "s";
}

/* of words in y */
static inline const char *carom_plural_y(unsigned long long n)
{
    return n == 1 ? "y" : "ies";
}

/* of verbs: "1 has", "2 have" */
static inline const char *carom_plural_have(unsigned long long n)
{
    return n == 1 ? "has" : "have";
}

#endif
