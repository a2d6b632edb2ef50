/**
 * The interface that every prompt implements: a text that a user chooses from a menu of the client and sends to the model.
 *
 * To add a prompt:
 * 1. Write `lib/server/prompts/NAME.ts`.
 * 2. Add it to the list in `prompts/mod.ts`.
 * 3. Add its messages to `lib/foundation/messages/mcp.ts`.
 * 4. Add it to the tests in `tests/server/prompts/`, and describe it in the guide's page `mcp-clients.md` in both languages.
 * @module
 */
import type { Language, MessageKey } from "#foundation/messages/mod.ts";

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description: MessageKey;
  readonly required?: true;
  /** The kind of values to suggest while the user types. */
  readonly completion?: "collections" | "folders" | "paths";
}

/** The names of the tools that a prompt can tell the model to use. */
export interface PromptTools {
  readonly search: string;
  readonly read: string;
  readonly list: string;
}

/** The objects that a prompt works with. */
export interface PromptContext {
  readonly language: Language;
  readonly tools: PromptTools;
}

/** A prompt. */
export interface Prompt {
  readonly name: string;
  readonly title: MessageKey;
  readonly description: MessageKey;
  readonly arguments: readonly PromptArgument[];
  /** Returns the message of the user. `args`: those that are declared, trimmed and not empty. */
  text(args: Readonly<Record<string, string>>, context: PromptContext): string;
}
