// How the manual is searched, the same when the index is made and when it is read.
export const searchOptions = {
  fields: ["title", "text"],
  storeFields: ["page", "anchor", "title"],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), combineWith: "AND" },
};
