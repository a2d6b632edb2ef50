import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { READ_COST } from "./tool.ts";
import { TOOLS } from "./tools/mod.ts";

/** Sum of the costs of all requests in progress, until their answers are written. */
export const CAPACITY = 64;

/** The cost of a request. A subscription has none: it stays unanswered as long as it lives. */
export function requestCost({ method, params }: JSONRPCRequest): number {
  if (method === "subscriptions/listen") return 0;
  if (method === "resources/read") return READ_COST;
  if (method !== "tools/call") return 1;
  return TOOLS.find(({ name }) => name === params?.name)?.cost ?? 1;
}
