/** The answer of a language model, sentence by sentence, each with what the comparison with the documents says. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AskedLine, AskEndLine, AskingLine, AskLine, SearchCall, WireHit } from "#wire/search.ts";
import { stream } from "#web/api.ts";
import { Button } from "#web/components/field.tsx";
import { placeText } from "#web/components/hit.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { useKeys } from "#web/keys.ts";
import { textsOf } from "#web/texts.ts";
import { SEARCH } from "#web/texts/search.ts";

const t = textsOf(SEARCH);

interface Given {
  readonly asking?: AskingLine;
  readonly sentences: readonly AskedLine[];
  readonly end?: AskEndLine;
  readonly state: "running" | "stopped" | "ended";
  readonly error?: unknown;
}

/** Asks when it is first shown. `onOpen` shows the original of a passage. */
export function Answer({ wanted, onOpen }: {
  readonly wanted: SearchCall;
  readonly onOpen: (hit: WireHit) => void;
}) {
  const [given, setGiven] = useState<Given>({ sentences: [], state: "running" });
  const stop = useRef<() => void>(() => {});
  useEffect(() => {
    const gone = new AbortController();
    const change = (more: Partial<Given>) => setGiven((before) => ({ ...before, ...more }));
    stop.current = () => {
      gone.abort();
      change({ state: "stopped" });
    };
    stream<AskLine>("search/ask", wanted, (line) => {
      if (line.kind === "asking") change({ asking: line });
      else if (line.kind === "end") change({ end: line, state: "ended" });
      else setGiven((before) => ({ ...before, sentences: [...before.sentences, line] }));
    }, gone.signal).catch((error) => gone.signal.aborted || change({ error, state: "ended" }));
    return () => gone.abort();
  }, []);
  const { asking, sentences, end, state, error } = given;
  const hits = end?.hits ?? [];
  const cited = new Set(sentences.flatMap(({ citations }) => citations));
  return (
    <section class="answer" aria-label={t("answer")}>
      <h2>{t("answer")}</h2>
      <p class="text" aria-live="polite">
        {sentences.map((sentence, at) => (
          <Sentence
            key={at}
            sentence={sentence}
            hits={hits}
            onOpen={onOpen}
          />
        ))}
      </p>
      {state === "running" && (
        <p class="actions">
          <span role="status" class="muted">
            {asking === undefined
              ? t("finding")
              : t("asking", { model: asking.model, count: asking.passages })}
          </span>
          <Stop onStop={() => stop.current()} />
        </p>
      )}
      {state === "stopped" && <p role="status" class="muted">{t("stopped")}</p>}
      {error !== undefined && <Failure error={error} />}
      {end !== undefined && end.status !== "answered" && (
        <Notice kind={end.status === "failed" ? "error" : "info"}>{end.summary}</Notice>
      )}
      {end?.remarks.map((text) => <p key={text} class="remark">{text}</p>)}
      {cited.size > 0 && hits.length > 0 && (
        <ol class="sources" aria-label={t("sources")}>
          {hits.map((hit, i) =>
            cited.has(i + 1) && (
              <li key={hit.chunkId} value={i + 1}>
                <Button kind="link" onClick={() => onOpen(hit)}>
                  <bdi>{hit.shownPath}</bdi>
                </Button>{" "}
                <span class="muted">{placeText(hit)}</span>
              </li>
            )
          )}
        </ol>
      )}
    </section>
  );
}

function Sentence({ sentence, hits, onOpen }: {
  readonly sentence: AskedLine;
  readonly hits: readonly WireHit[];
  readonly onOpen: (hit: WireHit) => void;
}) {
  const { before, text, after, verdict, mark, citations } = sentence;
  return (
    <>
      {before}
      <span class={`sentence ${verdict ?? ""}`} title={verdict && t(verdict)}>{text}</span>
      {citations.map((number) => {
        const hit = hits[number - 1];
        return hit === undefined ? <sup key={number}>[{number}]</sup> : (
          <sup key={number}>
            <Button
              kind="link"
              label={t("source", { number, path: hit.shownPath })}
              onClick={() => onOpen(hit)}
            >
              [{number}]
            </Button>
          </sup>
        );
      })}
      {mark !== "" && <strong class="doubt">{mark}</strong>}
      {after}
    </>
  );
}

/** Its key comes before that of the page, because it is shown later. */
function Stop({ onStop }: { readonly onStop: () => void }) {
  useKeys([{ key: "Escape", label: t("key_stop"), run: onStop }]);
  return <Button onClick={onStop}>{t("stop")}</Button>;
}
