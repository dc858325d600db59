/* YAML into a tree: places, aliases, options of --set, and every kind of hostile text that must end in a sentence. */
#include "scene/text/yaml.h"

#include "base/memory.h"
#include "check.h"
#include "scene/keys/set.h"
#include "scene/text/yaml_build.h"

static struct carom_node *parse(struct carom_tree *tree, const char *text, size_t length, struct carom_error *error)
{
    *tree = (struct carom_tree){.name = "t.yaml"};
    *error = (struct carom_error){CAROM_OK, ""};
    carom_yaml_parse(tree, text, length, NULL, &tree->root, error);
    return tree->root;
}

/* A text that must be refused with these words. */
static void refused(const char *text, size_t length, const char *words)
{
    struct carom_tree tree;
    struct carom_error error;
    CHECK(parse(&tree, text, length, &error) == NULL);
    CHECK(error.status == CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, words);
    CHECK(strncmp(error.text, "t.yaml:", 7) == 0);
    carom_tree_free(&tree);
}

#define REFUSED(text, words) refused(text, sizeof text - 1, words)

static void test_tree(void)
{
    static const char text[] = "title: Two words\n"
                               "bodies:\n"
                               "  - chain: {count: 20, radius: 10 mm}\n"
                               "  - wall:\n"
                               "      side: \"right\"\n"
                               "empty:\n"
                               "list: [1, 2,\n"
                               "   3]\n";
    struct carom_tree tree;
    struct carom_error error;
    const struct carom_node *root = parse(&tree, text, sizeof text - 1, &error);
    CHECK_OR_STOP(root != NULL);
    CHECK(root->kind == CAROM_NODE_MAP && root->count == 4);
    CHECK_TEXT(carom_tree_find(root, "title")->text, "Two words");
    const struct carom_node *bodies = carom_tree_find(root, "bodies");
    CHECK(bodies->kind == CAROM_NODE_LIST && bodies->count == 2);
    CHECK(bodies->key_line == 2 && bodies->key_column == 1);
    const struct carom_node *chain = carom_tree_find(bodies->first, "chain");
    const struct carom_node *radius = carom_tree_find(chain, "radius");
    CHECK_TEXT(radius->text, "10 mm");
    CHECK(radius->line == 3 && radius->column == 32 && radius->key_column == 24);
    CHECK(radius->parent == chain && radius->next == NULL && chain->last == radius);
    CHECK_TEXT(carom_tree_find(carom_tree_find(bodies->last, "wall"), "side")->text, "right");
    const struct carom_node *empty = carom_tree_find(root, "empty");
    CHECK(empty->kind == CAROM_NODE_SCALAR && empty->text[0] == '\0' && empty->line == 6);
    CHECK(carom_tree_find(root, "list")->last->line == 8);
    CHECK(carom_tree_find(root, "nothing") == NULL && carom_tree_find(NULL, "x") == NULL);
    carom_tree_free(&tree);
}

static void test_aliases(void)
{
    static const char text[] = "a: &x {p: [1, 2]}\nb: *x\nc: [*x, *x]\n";
    struct carom_tree tree;
    struct carom_error error;
    const struct carom_node *root = parse(&tree, text, sizeof text - 1, &error);
    CHECK_OR_STOP(root != NULL);
    const struct carom_node *a = carom_tree_find(root, "a"), *b = carom_tree_find(root, "b");
    CHECK(b != a && b->kind == CAROM_NODE_MAP && b->line == 2);
    CHECK_TEXT(carom_tree_find(b, "p")->last->text, "2");
    CHECK(carom_tree_find(b, "p")->last->line == 1); /* where it is written */
    CHECK(carom_tree_find(root, "c")->count == 2);
    carom_tree_free(&tree);
}

/* characters of two, three and four bytes, each before a plain one; the column counts characters */
static void test_characters(void)
{
    static const char text[] = "a: \xc3\xa9x\xe2\x82\xacy\xf0\x9f\x98\x80z\n";
    struct carom_tree tree;
    struct carom_error error;
    const struct carom_node *root = parse(&tree, text, sizeof text - 1, &error);
    CHECK_OR_STOP(root != NULL);
    CHECK_TEXT(carom_tree_find(root, "a")->text, "\xc3\xa9x\xe2\x82\xacy\xf0\x9f\x98\x80z");
    carom_tree_free(&tree);
    REFUSED("a: \xc3\xa9x\xe2\x82\xacy\xf0\x9f\x98\x80z\xff\n", "t.yaml:1:10: there are bytes that are not UTF-8");
}

static void test_refusals(void)
{
    REFUSED("", "t.yaml:1:1: there is nothing in it");
    REFUSED("# only a comment\n", "there is nothing in it");
    REFUSED("---\n", "there is nothing in it");
    REFUSED("a: 1\nb: \0 2\n", "t.yaml:2:4: there is a NUL byte");
    REFUSED("a: \"x\\0y\"\n", "t.yaml:1:5: a NUL character");
    REFUSED("a: \xff\n", "t.yaml:1:4: there are bytes that are not UTF-8");
    REFUSED("a: \xc0\x80\n", "not UTF-8");         /* overlong */
    REFUSED("a: \xed\xa0\x80\n", "not UTF-8");     /* surrogate */
    REFUSED("a: \xf4\x90\x80\x80\n", "not UTF-8"); /* beyond the last character */
    REFUSED("a: \xe2\x82", "not UTF-8");           /* cut */
    REFUSED("a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document");
    REFUSED("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: key 'a' appears twice, first in line 1");
    REFUSED("a: {b: 1, c: 2, b: 3}\n", "t.yaml:1:17: key 'b' appears twice");
    REFUSED("a: [1, 2\n", "t.yaml:2:1: not valid YAML: flow sequence without a closing bracket");
    REFUSED("a: {b: 1\n", "not valid YAML");
    REFUSED("a: b: c\n", "t.yaml:1:5: not valid YAML");
    REFUSED("a: \"b\n", "not valid YAML");
    REFUSED("\tx: 1\n- y\n", "not valid YAML");
    REFUSED("a: *x\n", "t.yaml:1:5: the alias has no anchor before it");
    REFUSED("a: &x [1, *x]\n", "the alias stands inside what it stands for");
    REFUSED("? [a, b]\n: 1\n", "a key must be a plain word");
    REFUSED("a: &x 1\n*x : 2\n", "a key must be a plain word, not an alias");
    REFUSED("a: !!int 3\n", "tags");
    REFUSED(": 1\n", "a value without a key");
}

static void test_names_are_cut(void)
{
    char text[2000];
    memset(text, 'k', sizeof text);
    memcpy(text + 900, ": 1\n", 4);
    memset(text + 904, 'k', 900);
    memcpy(text + 1804, ": 2\n", 4);
    refused(text, 1808, "kkkkkkkk...' appears twice");
}

static char *many(const char *head, const char *piece, size_t times, const char *tail, size_t *length)
{
    const size_t one = strlen(piece);
    char *text = malloc(strlen(head) + times * one + strlen(tail) + 1);
    CHECK_OR_STOP(text != NULL);
    char *end = text + strlen(strcpy(text, head));
    for (size_t i = 0; i < times; i++, end += one)
        memcpy(end, piece, one);
    strcpy(end, tail);
    *length = strlen(text);
    return text;
}

static void test_limits(void)
{
    size_t length;
    struct carom_tree tree;
    struct carom_error error;
    char *text = many("a: ", "[", 64, "", &length);
    refused(text, length, "nested deeper than 64 levels");
    free(text);
    text = many("", "[", 100000, "", &length);
    refused(text, length, "nested deeper than 64 levels");
    free(text);
    text = many("a: [", "1,", 1000001, "]\n", &length);
    refused(text, length, "more than 1000000 keys and values");
    free(text);
    text = many("a: [", "1,", 900000, "]\n", &length);
    CHECK(parse(&tree, text, length, &error) != NULL);
    carom_tree_free(&tree);
    free(text);
    text = many("", "- &a x\n", 1001, "", &length);
    refused(text, length, "more than 1000 anchors");
    free(text);
    text = many("", "x", CAROM_YAML_BYTES + 1, "", &length);
    refused(text, length, "longer than 64 MB");
    free(text);
}

/* Ten levels of ten aliases would be 1e10 nodes: the count has to stop it early. */
static void test_billion_laughs(void)
{
    char text[2000] = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n";
    for (int i = 1; i < 10; i++) {
        char line[200];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    refused(text, strlen(text), "more than 1000000 keys and values, aliases written out");
}

/* Depth through aliases counts as well. */
static void test_deep_aliases(void)
{
    char text[4000] = "a0: &a0 [1]\n";
    for (int i = 1; i < 70; i++) {
        char line[60];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d]\n", i, i, i - 1);
        strcat(text, line);
    }
    refused(text, strlen(text), "nested deeper than 64 levels");
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static const char scene[] = "run: {until: 1, tol: 1e-6}\n"
                            "bodies:\n"
                            "  - chain: {count: 3, mass: [1, 2, 3]}\n"
                            "  - bead: {mass: 5}\n"
                            "start: [{body: 1, velocity: 2}]\n";

/* The text at a path after one option, or the error. */
static void set(const char *option, const char *map, const char *key, const char *expected)
{
    struct carom_tree tree;
    struct carom_error error;
    struct carom_node *root = parse(&tree, scene, sizeof scene - 1, &error);
    CHECK_OR_STOP(root != NULL);
    const enum carom_status status = carom_set_apply(&tree, option, &error);
    if (map == NULL) {
        CHECK(status != CAROM_OK);
        CHECK_TEXT(error.text, expected);
    } else {
        CHECK_TEXT(error.text, "");
        const struct carom_node *at = carom_tree_find(root, map);
        if (strcmp(map, "bodies") == 0)
            at = at->first->first;
        const struct carom_node *node = key != NULL ? carom_tree_find(at, key) : at;
        CHECK((node != NULL) == (expected != NULL));
        if (node != NULL && expected != NULL)
            CHECK_TEXT(node->kind == CAROM_NODE_SCALAR ? node->text : carom_tree_kind(node), expected);
    }
    carom_tree_free(&tree);
}

static void test_options(void)
{
    set("run.until=5 ms", "run", "until", "5 ms");
    set("until=7", "run", "until", "7");
    set("bodies.1.chain.count=30", "bodies", "count", "30");
    set("count=31", "bodies", "count", "31");
    set("chain.count=32", "bodies", "count", "32");
    set("chain.mass=[1,2]", "bodies", "mass", "list");
    set("run.scheme=verlet", "run", "scheme", "verlet");
    set("record.every=1", "record", "every", "1");
    set("title=new", "title", NULL, "new");
    set("tol=null", "run", "tol", NULL);
    set("chain.gap=0.5", "bodies", "gap", "0.5");
    set("bodies.2=[1]", "bodies", "count", "3");
    set("mass=1", NULL, NULL, "--set mass=1: could be bodies.1.chain.mass or bodies.2.bead.mass");
    set("run", NULL, NULL, "--set run: write key=value, in one line");
    set("=1", NULL, NULL, "--set =1: the key must be words joined by points, such as run.until");
    set("run..x=1", NULL, NULL, "--set run..x=1: the key must be words joined by points, such as run.until");
    set("run.=1", NULL, NULL, "--set run.=1: the key must be words joined by points, such as run.until");
    set("run.until=", NULL, NULL, "--set run.until=: there is no value");
    set("run.until=[1", NULL, NULL, "--set run.until=[1: not valid YAML: flow sequence without a closing bracket");
    set("unil=1", NULL, NULL, "--set unil=1: unknown key 'unil', did you mean 'until'?");
    set("toll=1", NULL, NULL, "--set toll=1: unknown key 'toll', did you mean 'tol'?");
    set("scheme=verlet", "run", "scheme", "verlet");
    set("every=1", "record", "every", "1");
    set("qqq.x=1", NULL, NULL, "--set qqq.x=1: there is no 'qqq' in the scene");
    set("bodies.3.chain=1", NULL, NULL, "--set bodies.3.chain=1: bodies is a list of 2 entries, counted from 1");
    set("bodies.1.chian.count=1", NULL, NULL,
        "--set bodies.1.chian.count=1: unknown key 'chian', did you mean 'chain'?");
    set("bodies.3=1", NULL, NULL, "--set bodies.3=1: bodies is a list of 2 entries, counted from 1");
    set("bodies.0=1", NULL, NULL, "--set bodies.0=1: bodies is a list of 2 entries, counted from 1");
    set("run.until.x=1", NULL, NULL, "--set run.until.x=1: run.until is a single value, nothing stands below it");
    set("zzz=null", NULL, NULL, "--set zzz=null: there is no 'zzz' in the scene that could be taken away");
}

/* Several options in a row, the last entry of a map replaced and removed: the links stay whole. */
static void test_links(void)
{
    struct carom_tree tree;
    struct carom_error error;
    struct carom_node *root = parse(&tree, scene, sizeof scene - 1, &error);
    static const char *const options[] = {"tol=1",  "tol=null", "run.a=1",    "run.b=2",
                                          "a=null", "b=null",   "until=null", "run.c=3"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        CHECK_STATUS(carom_set_apply(&tree, options[i], &error), CAROM_OK);
    const struct carom_node *run = carom_tree_find(root, "run");
    CHECK(run->count == 1 && run->first == run->last && run->first->next == NULL);
    CHECK_TEXT(run->first->key, "c");
    CHECK_TEXT(run->first->option, "run.c=3");
    carom_tree_free(&tree);
}

/* What a parser says is cut, too, at the end of what there is room for. */
static enum carom_status say_much(struct carom_yaml_builder *builder, const char *text, size_t length)
{
    (void)length;
    return carom_yaml_build_invalid(builder, 1, 1, text);
}

static void test_messages_are_cut(void)
{
    char text[400];
    struct carom_tree tree = {.name = "t.yaml"};
    struct carom_error error = {CAROM_OK, ""};
    memset(text, 'q', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK_STATUS(carom_yaml_build(&tree, text, sizeof text - 1, NULL, say_much, &tree.root, &error), CAROM_E_INPUT);
    CHECK(strlen(strchr(error.text, 'q')) == 255 - strlen("not valid YAML: "));
    carom_tree_free(&tree);
}

int main(void)
{
    test_tree();
    test_aliases();
    test_characters();
    test_refusals();
    test_names_are_cut();
    test_messages_are_cut();
    test_limits();
    test_billion_laughs();
    test_deep_aliases();
    test_options();
    test_links();
    return check_end();
}
