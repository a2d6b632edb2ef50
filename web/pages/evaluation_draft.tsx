/** Questions that are proposed from the documents of a folder, to accept one by one. Nothing is written into the folder. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DraftLine, WireDraft } from "#wire/evaluation.ts";
import { stream } from "#web/api.ts";
import { Progress } from "#web/components/bar.tsx";
import { Button, Field } from "#web/components/field.tsx";
import { Failure } from "#web/components/notice.tsx";
import { textsOf } from "#web/texts.ts";
import { EVALUATION } from "#web/texts/evaluation.ts";

const t = textsOf(EVALUATION);

type DraftProgress = Extract<DraftLine, { readonly progress: unknown }>["progress"];

export function Drafts({ folder, onAccept }: {
  readonly folder: string;
  /** Called with the line of a question that was accepted. */
  readonly onAccept: (line: string) => void;
}) {
  const [drafts, setDrafts] = useState<readonly WireDraft[]>();
  const [progress, setProgress] = useState<DraftProgress | "opening">();
  const [error, setError] = useState<unknown>();
  const gone = useRef(new AbortController());
  useEffect(() => () => gone.current.abort(), []);
  const propose = async () => {
    setProgress("opening");
    setError(undefined);
    try {
      await stream<DraftLine>("evaluation/draft", { folder }, (line) => {
        if ("drafts" in line) setDrafts(line.drafts);
        else setProgress(line.progress);
      }, gone.current.signal);
    } catch (error) {
      if (!gone.current.signal.aborted) setError(error);
    }
    setProgress(undefined);
  };
  const remove = (draft: WireDraft) => setDrafts((all) => all?.filter((one) => one !== draft));
  return (
    <details>
      <summary>{t("drafts")}</summary>
      <p class="muted">{t("drafts_hint")}</p>
      <p class="actions">
        <Button disabled={progress !== undefined} onClick={() => void propose()}>{t("propose")}</Button>
      </p>
      {progress !== undefined && (
        <Progress
          label={t("proposing")}
          done={progress === "opening" ? 0 : progress.done}
          {...(progress !== "opening" && { total: progress.total })}
          counting={t("counting")}
        />
      )}
      {error !== undefined && <Failure error={error} />}
      {drafts !== undefined && <p role="status">{t("drafted", { count: drafts.length })}</p>}
      {drafts?.map((draft) => (
        <Draft
          key={draft.question}
          draft={draft}
          onAccept={(question) => {
            const { spans, reference } = draft;
            onAccept(JSON.stringify({ question, spans, reference }));
            remove(draft);
          }}
          onDiscard={() => remove(draft)}
        />
      ))}
    </details>
  );
}

function Draft({ draft: { question, spans, passage }, onAccept, onDiscard }: {
  readonly draft: WireDraft;
  readonly onAccept: (question: string) => void;
  readonly onDiscard: () => void;
}) {
  const [text, setText] = useState(question);
  const [place] = spans;
  return (
    <article class="draft" aria-label={question}>
      <Field label={t("question")} value={text} onChange={setText} />
      {place !== undefined && (
        <p class="muted">
          <bdi>{place.file}</bdi>:{place.start_line}-{place.end_line}
        </p>
      )}
      <p class="text">{passage}</p>
      <p class="actions">
        <Button
          kind="main"
          label={t("accept_one", { question })}
          disabled={text.trim() === ""}
          onClick={() => onAccept(text.trim())}
        >
          {t("accept")}
        </Button>
        <Button label={t("discard_one", { question })} onClick={onDiscard}>{t("discard")}</Button>
      </p>
    </article>
  );
}
