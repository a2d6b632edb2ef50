/**
 * The prompts: texts that a user chooses from a menu of the client and sends to the model,
 * and the completion of what a user types: arguments of prompts, and the parts of a resource's URI.
 */
import {
  type CompleteRequest,
  type CompleteResult,
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { join, sep } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { type Language, message, type MessageKey } from "#foundation/messages/mod.ts";
import type { Library } from "#library/search/mod.ts";
import { shownNames } from "./tool_arguments.ts";
import { protocolError } from "./errors.ts";
import { documentList, folderNamed, PICTURE_TEMPLATE, URI_TEMPLATE } from "./resources.ts";
import type { ToolContext } from "./tool.ts";
import { toolFor } from "./tools/mod.ts";

interface PromptArgument {
  readonly name: string;
  readonly description: MessageKey;
  readonly required?: true;
  /** The kind of values to suggest while the user types. */
  readonly completion?: "folders" | "paths";
  /** Its parameter in the text. Default: its name. */
  readonly parameter?: string;
  /** The text that stands for a missing argument. */
  readonly otherwise?: MessageKey;
}

interface Prompt {
  readonly name: string;
  readonly title: MessageKey;
  readonly description: MessageKey;
  /** The message of the user. Its parameters are the arguments, and the names of the tools to search, read and list. */
  readonly text: MessageKey;
  readonly arguments: readonly PromptArgument[];
}

/** All prompts, in the order in which the client receives them. */
const PROMPTS: readonly Prompt[] = [
  {
    name: "answer_with_citations",
    title: "prompt_answer_title",
    description: "prompt_answer_about",
    text: "prompt_answer_text",
    arguments: [
      { name: "question", description: "prompt_arg_question", required: true },
      {
        name: "collection",
        description: "prompt_arg_collection",
        completion: "folders",
        parameter: "scope",
        otherwise: "prompt_all_folders",
      },
    ],
  },
  {
    name: "compare_documents",
    title: "prompt_compare_title",
    description: "prompt_compare_about",
    text: "prompt_compare_text",
    arguments: [
      { name: "first", description: "prompt_arg_first", required: true, completion: "paths" },
      { name: "second", description: "prompt_arg_second", required: true, completion: "paths" },
      { name: "focus", description: "prompt_arg_focus", otherwise: "prompt_compare_focus" },
    ],
  },
  {
    name: "summarise_folder",
    title: "prompt_summarise_title",
    description: "prompt_summarise_about",
    text: "prompt_summarise_text",
    arguments: [
      { name: "folder", description: "prompt_arg_folder", required: true, completion: "folders" },
      { name: "focus", description: "prompt_arg_focus", otherwise: "prompt_compare_focus" },
    ],
  },
];

/** Answers `prompts/list`. */
export function listPrompts({ language }: Pick<ToolContext, "language">): ListPromptsResult {
  return {
    prompts: PROMPTS.map((prompt) => ({
      name: prompt.name,
      title: message(language, prompt.title),
      description: message(language, prompt.description),
      arguments: prompt.arguments.map(({ name, description, required }) => ({
        name,
        description: message(language, description),
        required: required ?? false,
      })),
    })),
  };
}

/** Answers `prompts/get`. */
export async function getPrompt(
  params: GetPromptRequest["params"],
  context: ToolContext,
): Promise<GetPromptResult> {
  const { language, config } = context;
  try {
    const prompt = promptNamed(params.name);
    const args = checkedArguments(prompt, params.arguments ?? {}, language);
    const values = prompt.arguments.map(({ name, parameter = name, otherwise }) => [
      parameter,
      args[name] ?? (otherwise === undefined ? "" : message(language, otherwise)),
    ]);
    const tools = (["search", "read", "list"] as const).map((use) => [use, toolFor(use, config.tools)]);
    const text = message(language, prompt.text, Object.fromEntries([...values, ...tools]));
    return {
      description: message(language, prompt.description),
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  } catch (error) {
    throw await protocolError(error, "prompts/get", context);
  }
}

/** The prompt of this name. Throws `UserError` `prompt_unknown`. */
function promptNamed(name: string): Prompt {
  const prompt = PROMPTS.find((prompt) => prompt.name === name);
  if (prompt !== undefined) return prompt;
  const known = PROMPTS.map(({ name }) => name).join(", ");
  throw new UserError("prompt_unknown", { name: shownNames([name]), known });
}

/** The arguments without blank ones. Throws `UserError` `prompt_bad_arguments` for missing and unknown ones. */
function checkedArguments(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
  language: Language,
): Record<string, string> {
  const args = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== ""),
  );
  const problems = [
    ...prompt.arguments.filter(({ name, required }) => required === true && !Object.hasOwn(args, name))
      .map(({ name }) => message(language, "argument_missing", { name })),
    ...Object.keys(args).filter((name) => !prompt.arguments.some((argument) => argument.name === name))
      .slice(0, 3).map((name) => message(language, "prompt_argument_unknown", { name: shownNames([name]) })),
  ];
  if (problems.length > 0) {
    throw new UserError("prompt_bad_arguments", { name: prompt.name, problems: problems.join("; ") });
  }
  return args;
}

/** Values in one answer, which the protocol limits. */
const MAX_VALUES = 100;

/** Answers `completion/complete`. */
export async function complete(
  { ref, argument: { name, value }, context: typed }: CompleteRequest["params"],
  context: ToolContext,
): Promise<CompleteResult> {
  const { library } = context;
  try {
    if (ref.type === "ref/prompt") {
      const kind = promptNamed(ref.name).arguments.find((argument) => argument.name === name)?.completion;
      return completion(value, await valuesOf(kind, library));
    }
    const isPicture = ref.uri === PICTURE_TEMPLATE;
    if (ref.uri !== URI_TEMPLATE && !isPicture) throw new UserError("resource_not_found", { uri: ref.uri });
    return completion(value, await partsOfUri(name, typed?.arguments ?? {}, isPicture, library));
  } catch (error) {
    const known = await protocolError(error, "completion/complete", context);
    const isUnknown = error instanceof UserError && error.key === "resource_not_found";
    throw isUnknown ? new ProtocolError(ProtocolErrorCode.InvalidParams, known.message) : known;
  }
}

async function valuesOf(kind: PromptArgument["completion"], library: Library): Promise<readonly string[]> {
  if (kind === undefined) return [];
  const documents = await documentList(library);
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
  return [...library.collections.map(({ name }) => name), ...below];
}

/** Values for a part of a template. `collection`, `path`: what the client has chosen before. */
async function partsOfUri(
  name: string,
  { collection, path }: Readonly<Record<string, string>>,
  isPicture: boolean,
  library: Library,
): Promise<readonly string[]> {
  const folders = library.collections;
  if (name === "collection") return folders.map(({ name }) => name);
  if (name !== "path" && !(isPicture && name === "image")) return [];
  const chosen = collection === undefined ? undefined : folderNamed(collection, folders);
  const documents = (await documentList(library)).filter(({ folder, file }) =>
    (collection === undefined || folder.root === chosen?.root) && (!isPicture || file.images !== undefined)
  );
  // The template keeps these characters as they are.
  const paths = documents.map(({ file }) => file.path.replace(/[%?#]/g, encodeURIComponent));
  if (name === "path") return paths;
  const images = documents[paths.indexOf(path ?? "")]?.file.images ?? [];
  return images.map((_, i) => String(i + 1));
}

/** The values that begin with the typed text, those with a last part that does, and those that contain it. */
function completion(typed: string, values: readonly string[]) {
  const text = typed.toLowerCase();
  const ranks: string[][] = [[], [], []];
  for (const value of values) {
    const lower = value.toLowerCase();
    const at = lower.indexOf(text);
    if (at < 0) continue;
    const last = Math.max(lower.lastIndexOf("/"), lower.lastIndexOf(sep)) + 1;
    const isLastPart = lower.startsWith(text, last);
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
