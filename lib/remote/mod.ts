/**
 * Requests to servers that the user has configured: guarded against answers that are wrong or endless, with retries, proxies
 * and errors that say what to do.
 * @module
 */
export { answerFailure } from "./answer_failure.ts";
export { cutToLength, cutToTokens, estimateTokens } from "./cut.ts";
export { type Fetch, guardedFetch } from "./guarded_fetch.ts";
export { networkKind } from "./network_failure.ts";
export { openaiCompatible } from "./openai_compatible.ts";
export { keepFromProxy, proxyFor } from "./proxy.ts";
export { Retries } from "./retry.ts";
export {
  type FailureOptions,
  type RemoteServer,
  remoteServer,
  ServerFailure,
  type ServerFailureKind,
  type ServerSettings,
} from "./server.ts";
export { serverWords } from "./server_words.ts";
