import { maskSecrets } from "../../../config/mod.ts";
import { createReranker, RerankFailure } from "../../../rerank/mod.ts";
import { errorText } from "../../report.ts";
import type { Session } from "../../session.ts";
import type { RerankReport, ServerReport } from "./doctor_report.ts";

/** A question with passages. A language model gives a number for each passage, so one would not show that it counts them. */
const QUESTION = "茶 tea";
const PASSAGES = ["绿茶 green tea", "咖啡 coffee"];

/** Has the configured reranker judge two short passages. Returns `undefined` without a reranker of its own. */
export async function rerankReport(session: Session): Promise<RerankReport | undefined> {
  const { config: { search, rerank }, language, log, signal } = session;
  const reranker = search.rerank ? await createReranker(rerank) : undefined;
  if (reranker === undefined) return undefined;
  const { provider, path } = rerank;
  const known = provider === "local"
    ? { provider, path: path ?? "" }
    : { provider, server: serverIn(session) };
  // A model on this machine is loaded first, which a search does not wait for.
  const limit = provider === "local" ? undefined : AbortSignal.timeout(rerank.timeout_seconds * 1000);
  try {
    const began = performance.now();
    await reranker.score(QUESTION, PASSAGES, limit === undefined ? signal : AbortSignal.any([signal, limit]));
    return { ...known, ok: true, milliseconds: Math.round(performance.now() - began) };
  } catch (error) {
    signal.throwIfAborted();
    const failure = limit?.aborted
      ? new RerankFailure("timeout", { seconds: rerank.timeout_seconds })
      : error;
    log.warning("doctor.rerank", { error: error instanceof Error ? error.stack : String(error) });
    return { ...known, ok: false, problem: errorText(failure, language, log.problem === undefined) };
  } finally {
    reranker.close?.();
  }
}

function serverIn({ config }: Session): ServerReport {
  const { base_url: address, model, api_key: key } = maskSecrets(config).rerank;
  return { address: address ?? "", model: model ?? "", keySet: key !== null };
}
