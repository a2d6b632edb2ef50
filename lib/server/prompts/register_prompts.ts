import type { McpServer } from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import { shownNames } from "../read_arguments.ts";
import { protocolError } from "../message_limits.ts";
import type { ToolContext } from "../tool.ts";
import { toolFor } from "../register_tool.ts";
import { PROMPTS } from "./mod.ts";
import type { Prompt } from "./prompt.ts";

/** Answers the requests for prompts. */
export function registerPrompts({ server }: McpServer, context: ToolContext): void {
  const { language, config } = context;
  server.setRequestHandler("prompts/list", () => ({
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
  }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    try {
      const prompt = promptNamed(params.name);
      const args = checkedArguments(prompt, params.arguments ?? {}, language);
      const tools = {
        search: toolFor("search", config.tools),
        read: toolFor("read", config.tools),
        list: toolFor("list", config.tools),
      };
      const text = prompt.text(args, { language, tools });
      return {
        description: message(language, prompt.description),
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      };
    } catch (error) {
      throw await protocolError(error, "prompts/get", context);
    }
  });
}

/** The prompt of this name. Throws `UserError` `prompt_unknown`. */
export function promptNamed(name: string): Prompt {
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
