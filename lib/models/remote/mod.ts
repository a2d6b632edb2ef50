/**
 * Requests to servers that the user has configured: guarded against answers that are wrong or endless, with retries, proxies
 * and errors that say what to do.
 * @module
 */
export {
  answerFailure,
  type Fetch,
  guardedFetch,
  networkKind,
  openaiCompatible,
  serverWords,
} from "./guarded_fetch.ts";
export {
  cutToLength,
  cutToTokens,
  estimateTokens,
  type FailureOptions,
  type RemoteServer,
  remoteServer,
  Retries,
  ServerFailure,
  type ServerFailureKind,
  type ServerSettings,
} from "./server.ts";
export { keepFromProxy, proxyFor } from "./proxy.ts";
