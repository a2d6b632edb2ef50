/**
 * The facts about each provider of language models that the program must know before it asks: its protocol, the ways in which its
 * models can be held to a form, and windows.
 */
import type { LlmProvider } from "#foundation/configuration/mod.ts";
import type { Rung } from "./types.ts";

/** The best way first. A server that refuses one is asked in the next, which is then remembered. */
const ALL: readonly Rung[] = ["json_schema", "json_object", "text"];
/** LM Studio answers 400 to `json_object` (lmstudio-bug-tracker#189), and Anthropic has no such form. */
const WITHOUT_OBJECT: readonly Rung[] = ["json_schema", "text"];
/** DeepSeek answers 400 to `json_schema` (BerriAI/litellm#7580), as do older models of the other services. */
const WITHOUT_SCHEMA: readonly Rung[] = ["json_object", "text"];

/** Facts about a provider. */
export interface Preset {
  /** `openai` is the newer protocol `/responses` and, where a server does not know it, `/chat/completions`. */
  readonly protocol: "openai" | "azure" | "compatible" | "ollama" | "anthropic";
  readonly rungs: readonly Rung[];
  /** Tokens of the smallest window among the models of today that the table below does not know. */
  readonly window: number;
}

/** Tokens of a window that nearly all models of today have. Ollama gives a model no more unless it is asked to. */
const SMALL = 8192;

export const PRESETS: Readonly<Record<LlmProvider, Preset>> = {
  openai: { protocol: "openai", rungs: ALL, window: 128_000 },
  azure: { protocol: "azure", rungs: ALL, window: 128_000 },
  "openai-compatible": { protocol: "compatible", rungs: ALL, window: SMALL },
  ollama: { protocol: "ollama", rungs: ALL, window: SMALL },
  deepseek: { protocol: "compatible", rungs: WITHOUT_SCHEMA, window: 64_000 },
  anthropic: { protocol: "anthropic", rungs: WITHOUT_OBJECT, window: 200_000 },
  lmstudio: { protocol: "compatible", rungs: WITHOUT_OBJECT, window: SMALL },
  vllm: { protocol: "compatible", rungs: ALL, window: SMALL },
  qwen: { protocol: "compatible", rungs: WITHOUT_SCHEMA, window: 32_000 },
  zhipu: { protocol: "compatible", rungs: WITHOUT_SCHEMA, window: 32_000 },
  moonshot: { protocol: "compatible", rungs: WITHOUT_SCHEMA, window: 128_000 },
  siliconflow: { protocol: "compatible", rungs: WITHOUT_SCHEMA, window: 32_000 },
  gemini: { protocol: "compatible", rungs: ALL, window: 1_000_000 },
};

/** Windows of services' models that differ from those of the preset. The first pattern that matches counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/gpt-4\.1/, 1_000_000],
  [/gpt-3\.5/, 16_000],
  [/gpt-4(?:-0\d{3})?$/, SMALL],
  [/moonshot-v1-8k/, SMALL],
  [/moonshot-v1-32k/, 32_000],
  [/deepseek-(?:v3|v4|r1|chat|reasoner)/, 64_000],
  [/kimi-k2|qwen-(?:plus|turbo|long)|qwen3|glm-4|glm-5|glm-z1/, 128_000],
  [/qwen-(?:max|vl)/, 32_000],
  [/gemini-1\.0/, 32_000],
];

/** Providers whose models run with a window that the user of the server chose, whatever the models are called. */
const CHOSEN: readonly LlmProvider[] = ["openai-compatible", "ollama", "lmstudio", "vllm"];

/** Returns the tokens of a model's window as far as its name tells; a model that is not known has at least as many. */
export function knownWindow(provider: LlmProvider, model: string): number {
  const { window } = PRESETS[provider];
  if (CHOSEN.includes(provider)) return window;
  return WINDOWS.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? window;
}
