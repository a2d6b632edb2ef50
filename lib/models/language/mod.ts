/**
 * Language models on servers that the user configured, and their prompts. Nothing of the AI SDK is loaded before a model is opened.
 * @module
 */
import type { Config } from "#foundation/configuration/mod.ts";
import type { Budget, LanguageModel } from "./types.ts";
export * from "./budget.ts";
export * from "./prompts.ts";
export * from "./tokens.ts";
export * from "./types.ts";

/**
 * Opens the language model of the section `llm` or `vision_llm`, whose provider must not be `none`. Sends nothing.
 */
export async function openLanguageModel(
  llm: Config["llm"] | Config["vision_llm"],
  budget?: Budget,
): Promise<LanguageModel> {
  const { SdkLanguageModel } = await import("./client.ts");
  return new SdkLanguageModel(llm, "tasks" in llm ? "llm" : "vision_llm", budget);
}
