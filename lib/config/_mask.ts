/** What stands for a secret wherever a configuration is shown. */
export const MASK = "****";
