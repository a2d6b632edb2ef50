import { CLIENT_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { AnswerShape } from "../answer/mod.ts";

/**
 * Clients by a beginning of the name that they send, in lower case, and the part of an answer that they give a model. The
 * guide's page `mcp-clients.md` has the same table. A client that passes on both parts gets the structured one, beside which
 * the text is short.
 */
export const CLIENTS: readonly (readonly [name: string, shape: AnswerShape])[] = [
  ["claude-code", "structured"],
  ["codex", "structured"],
  ["cursor", "structured"],
  ["github-copilot", "structured"],
  ["visual studio code", "structured"],
  ["claude-ai", "text"],
  ["cline", "text"],
  ["gemini-cli", "text"],
  ["goose", "text"],
  ["hermes", "text"],
  ["kimi", "text"],
  ["opencode", "text"],
  ["qwen-cli", "text"],
  ["windsurf", "text"],
  ["zed", "text"],
];

/** The shape of the answers for a client: that of the configuration, or what is known of the client, or both forms. */
export function answerShape(setting: AnswerShape | "auto", client: string | undefined): AnswerShape {
  if (setting !== "auto") return setting;
  const name = client?.trim().toLowerCase() ?? "";
  return CLIENTS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? "both";
}

/** The client's name in the envelope of a request, which revision 2026-07-28 sends with each. */
export function clientName(envelope: object | undefined): string | undefined {
  const info: unknown = (envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY];
  const name: unknown = typeof info === "object" && info !== null && "name" in info ? info.name : undefined;
  return typeof name === "string" ? name : undefined;
}
