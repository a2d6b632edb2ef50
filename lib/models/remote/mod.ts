/**
 * Requests to servers that the user has configured: guarded against answers that are wrong or endless, with retries, proxies
 * and errors that say what to do.
 * @module
 */
export * from "./guarded_fetch.ts";
export * from "./proxy.ts";
export * from "./sdk_providers.ts";
export * from "./server.ts";
