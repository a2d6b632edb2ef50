/** A request: its method and parameters. */
type Ask = [method: string, params: Record<string, unknown>];

/** Documents, whole or in lines. */
export const DOCUMENTS = { type: "ref/resource", uri: "muxue://{collection}/{+path}{?lines}" };

/** Asks how an argument of a resource or a prompt may go on. `given`: the other arguments. */
export function completion(
  ref: Readonly<Record<string, string>>,
  argument: { readonly name: string; readonly value: string },
  given?: Readonly<Record<string, string>>,
): Ask {
  return ["completion/complete", { ref, argument, ...(given && { context: { arguments: given } }) }];
}

/** Asks for names of collections and paths of documents that begin with a value, in every way. */
export function completionsOf(value: string): Ask[] {
  const prompt = (name: string) => ({ type: "ref/prompt", name });
  return [
    completion(DOCUMENTS, { name: "collection", value }),
    completion(DOCUMENTS, { name: "path", value }),
    completion(prompt("compare_documents"), { name: "first", value }),
    completion(prompt("summarise_folder"), { name: "folder", value }),
  ];
}
