import type { Language } from "../messages.ts";

/** Languages of `language`, of `--language`, and of every message. */
export const LANGUAGES = ["zh", "en"] as const satisfies readonly Language[];

/** What `search.mode`, `--mode` and the tool's `mode` may be. */
export const SEARCH_MODES = ["hybrid", "keyword", "semantic"] as const;

/** Bounds of `search.top_k`, `--top-k` and the tool's `top_k`, both included. */
export const TOP_K = { min: 1, max: 100 } as const;
