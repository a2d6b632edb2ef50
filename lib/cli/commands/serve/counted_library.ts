import type { Library } from "../../../search/types.ts";

/** A library that knows whether searches are under way. */
export function countedLibrary(library: Library): Library & { readonly isBusy: () => boolean } {
  let searches = 0;
  return {
    get roots() {
      return library.roots;
    },
    get collections() {
      return library.collections;
    },
    async search(request, signal) {
      searches++;
      try {
        return await library.search(request, signal);
      } finally {
        searches--;
      }
    },
    readRawFile: (path, range, signal) => library.readRawFile(path, range, signal),
    readDocument: (path, signal) => library.readDocument(path, signal),
    readOriginal: (path, maxBytes, signal) => library.readOriginal(path, maxBytes, signal),
    catalog: () => library.catalog(),
    close: () => library.close(),
    isBusy: () => searches > 0,
  };
}
