import type { Config } from "../config/mod.ts";
import { type Language, message, printable } from "../messages.ts";
import type { ServedCollection } from "../search/types.ts";
import { offeredTool } from "./_tool_choices.ts";

/** Folders that the instructions name. `list_collections` gives all. */
const MOST_FOLDERS = 20;

/** UTF-16 units of a description in the instructions. `list_collections` gives the whole text. */
const MAX_DESCRIPTION = 150;

/** The server's instructions for a model: its folders, and how to use the tools that `mcp.tools` offers. */
export function instructionsText(
  folders: readonly ServedCollection[],
  tools: Config["mcp"]["tools"],
  language: Language,
): string {
  const search = offeredTool("search", tools);
  const read = offeredTool("read", tools);
  return [
    message(language, "mcp_instructions", { roots: foldersText(folders, language) }),
    ...(search === undefined ? [] : [message(language, "mcp_instructions_search", { search })]),
    ...(read === undefined ? [] : [message(language, "mcp_instructions_read", { read })]),
    message(language, "mcp_instructions_cite"),
  ].join("\n");
}

function foldersText(folders: readonly ServedCollection[], language: Language): string {
  if (folders.length === 0) return message(language, "mcp_no_roots");
  const named = folders.slice(0, MOST_FOLDERS).map((folder) => folderText(folder, language));
  const others = folders.length - named.length;
  if (others > 0) named.push(message(language, "mcp_more_folders", { count: others }));
  return named.join(language === "zh" ? "、" : ", ");
}

/** A folder with its name and the beginning of its description. */
function folderText({ name, root, description }: ServedCollection, language: Language): string {
  const named = { path: printable(root), name: printable(name) };
  if (description === undefined) {
    return name === root ? named.path : message(language, "mcp_folder_named", named);
  }
  const about = description.length > MAX_DESCRIPTION
    ? `${description.slice(0, MAX_DESCRIPTION).toWellFormed()}…`
    : description;
  return message(language, "mcp_folder_described", {
    ...named,
    description: printable(about),
  });
}
