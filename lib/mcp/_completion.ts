import { join } from "node:path";
import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { UserError } from "../errors.ts";
import type { Library } from "../search/mod.ts";
import { folderNamed } from "./_collections.ts";
import { protocolError } from "./_protocol_error.ts";
import type { PromptArgument } from "./prompts/prompt.ts";
import { promptNamed } from "./prompts/register_prompts.ts";
import { documentList } from "./resources/document_list.ts";
import { URI_TEMPLATE } from "./resources/uri.ts";
import type { ToolContext } from "./tool.ts";

/** Values in one answer, which the protocol limits. */
const MAX_VALUES = 100;

/** Completes the arguments of prompts and of the template of resources. */
export function registerCompletion({ server }: McpServer, context: ToolContext): void {
  const { library } = context;
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument: { name, value } } = params;
    try {
      if (ref.type === "ref/prompt") {
        const kind = promptNamed(ref.name).arguments.find((argument) => argument.name === name)?.completion;
        return completion(value, await valuesOf(kind, library));
      }
      if (ref.uri !== URI_TEMPLATE) throw new UserError("resource_not_found", { uri: ref.uri });
      const collection = params.context?.arguments?.collection;
      return completion(value, await partsOfUri(name, collection, library));
    } catch (error) {
      const known = await protocolError(error, "completion/complete", context);
      const isUnknown = error instanceof UserError && error.key === "resource_not_found";
      throw isUnknown ? new ProtocolError(ProtocolErrorCode.InvalidParams, known.message) : known;
    }
  });
}

async function valuesOf(kind: PromptArgument["completion"], library: Library): Promise<readonly string[]> {
  const names = library.collections.map(({ name }) => name);
  if (kind === undefined) return [];
  if (kind === "collections") return names;
  const { documents } = await documentList(library);
  if (kind === "paths") {
    const seen = new Set<string>();
    const several = new Set<string>();
    for (const { file: { path } } of documents) (seen.has(path) ? several : seen).add(path);
    return documents.map(({ folder, file: { path } }) => several.has(path) ? join(folder.root, path) : path);
  }
  const below = new Set<string>();
  for (const { folder, file } of documents) {
    for (let at = file.path.indexOf("/"); at >= 0; at = file.path.indexOf("/", at + 1)) {
      below.add(join(folder.root, file.path.slice(0, at)));
    }
  }
  return [...names, ...below];
}

/** Values for a part of the template. `collection`: the folder that the client has chosen before. */
async function partsOfUri(
  name: string,
  collection: string | undefined,
  library: Library,
): Promise<readonly string[]> {
  const folders = library.collections;
  if (name === "collection") return folders.map(({ name }) => name);
  if (name !== "path") return [];
  const chosen = collection === undefined ? undefined : folderNamed(collection, folders);
  const { documents } = await documentList(library);
  return documents.filter(({ folder }) => collection === undefined || folder.root === chosen?.root)
    // The template keeps these characters as they are.
    .map(({ file }) => file.path.replace(/[%?#]/g, encodeURIComponent));
}

/** The values that begin with the typed text, those with a last part that does, and those that contain it. */
function completion(typed: string, values: readonly string[]) {
  const text = typed.toLowerCase();
  const ranks: string[][] = [[], [], []];
  for (const value of values) {
    const lower = value.toLowerCase();
    const at = lower.indexOf(text);
    if (at < 0) continue;
    const isLastPart = lower.startsWith(text, lower.lastIndexOf("/") + 1);
    ranks[at === 0 ? 0 : isLastPart ? 1 : 2]!.push(value);
  }
  const found = ranks.flat();
  return {
    completion: {
      values: found.slice(0, MAX_VALUES),
      total: found.length,
      hasMore: found.length > MAX_VALUES,
    },
  };
}
