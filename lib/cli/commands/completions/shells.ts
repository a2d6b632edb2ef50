/** The shells for which there are completions. */
export const SHELLS = ["bash", "zsh", "fish", "pwsh"] as const;

export type Shell = typeof SHELLS[number];
