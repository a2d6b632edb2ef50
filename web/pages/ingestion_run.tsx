/** One update: its progress while it runs, also after a reload or a lost connection, and how each file ended. */
import { useEffect, useState } from "preact/hooks";
import {
  ALL_ENDS,
  type End,
  ENDS,
  type EndsAnswer,
  type WatchLine,
  type WireEnd,
  type WireProgress,
  type WireRun,
} from "#wire/ingestion.ts";
import { call, CallError, stream } from "#web/api.ts";
import { Progress } from "#web/components/bar.tsx";
import { Choice, Field } from "#web/components/field.tsx";
import { type LongColumn, LongTable } from "#web/components/long_table.tsx";
import { Notice } from "#web/components/notice.tsx";
import { change, route } from "#web/router.ts";
import { moment, number, textsOf } from "#web/texts.ts";
import { INGESTION } from "#web/texts/ingestion.ts";
import { useWindows } from "#web/windows.ts";

const t = textsOf(INGESTION);

/** Milliseconds until a lost connection is tried again. */
const AGAIN_MS = 1000;

/** A run as it was told of last. */
export interface WatchedRun {
  readonly run: WireRun;
  /** Whether the connection was lost and is made again. */
  readonly isLost: boolean;
}

/** Follows a run until it has ended. */
export function useRun(listed: WireRun | undefined): WatchedRun | undefined {
  const [watched, setWatched] = useState<WatchedRun>();
  const id = listed?.id;
  const isOver = listed === undefined || listed.ended !== undefined;
  useEffect(() => {
    if (id === undefined || isOver) return;
    const gone = new AbortController();
    void follow(id, gone.signal, setWatched);
    return () => gone.abort();
  }, [id, isOver]);
  if (listed === undefined) return undefined;
  return watched?.run.id === id && !isOver ? watched : { run: listed, isLost: false };
}

async function follow(
  run: string,
  signal: AbortSignal,
  onChange: (watched: WatchedRun) => void,
): Promise<void> {
  let last: WireRun | undefined;
  while (!signal.aborted && last?.ended === undefined) {
    try {
      await stream<WatchLine>("ingestion/watch", { run }, (line) => {
        last = line.run;
        onChange({ run: last, isLost: false });
      }, signal);
    } catch (error) {
      // A program that has restarted does not know the run.
      if (signal.aborted || error instanceof CallError && error.status >= 400) return;
      if (last !== undefined) onChange({ run: last, isLost: true });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

export function RunView({ run, isLost, onEnd }: {
  readonly run: WireRun;
  readonly isLost: boolean;
  /** Called when it has ended while it was shown. */
  readonly onEnd: () => void;
}) {
  const { state, progress, reason, ended, began, warnings = [], counts } = run;
  const isOver = ended !== undefined;
  useEffect(() => isOver ? onEnd() : undefined, [isOver]);
  return (
    <div class="run">
      <p class="muted">
        {t("began", { at: moment(began) })}
        {ended !== undefined && state === "done" && ` · ${t("ended", { at: moment(ended) })}`}
      </p>
      {isLost && <Notice kind="warning">{t("lost_contact")}</Notice>}
      {state === "waiting" && (
        <Notice>{reason === undefined ? t("waiting") : t("waiting_for", { reason })}</Notice>
      )}
      {state === "running" && progress !== undefined && <ProgressOf progress={progress} />}
      {state === "failed" && <Notice kind="error">{t("failed", { reason: reason ?? "" })}</Notice>}
      {state === "cancelled" && <Notice>{t("cancelled")}</Notice>}
      {warnings.map((text) => <Notice key={text} kind="warning">{text}</Notice>)}
      {counts !== undefined && <Result run={run} counts={counts} />}
    </div>
  );
}

/** Progress by its step. A total that is not known is never shown as a number. */
export function ProgressOf({ progress }: { readonly progress: WireProgress }) {
  const { step, files, totalFiles, chunks, embedded, toEmbed, recognised, path } = progress;
  const facts = [
    ...(chunks > 0 ? [t("chunks", { count: chunks })] : []),
    ...(recognised === undefined ? [] : [t("recognised", { count: recognised })]),
    ...(path === undefined ? [] : [<bdi key="path">{path}</bdi>]),
  ];
  return (
    <>
      <Progress
        label={t(step)}
        done={files}
        {...(totalFiles !== undefined && { total: totalFiles })}
        counting={files > 0 ? t("counted", { count: files }) : t("counting")}
      />
      {toEmbed !== undefined && embedded !== undefined && (
        <Progress label={t("embed")} done={embedded} total={toEmbed} counting={t("counting")} />
      )}
      <p class="muted">
        {facts.map((fact, at) => [at > 0 && " · ", fact])}
      </p>
    </>
  );
}

function endWord(end: End): string {
  return t(end === "failed" ? "failed_files" : end);
}

type Counts = NonNullable<WireRun["counts"]>;

/** The numbers of a run, which add up, and its files. */
function Result({ run: { id }, counts }: { readonly run: WireRun; readonly counts: Counts }) {
  const { end = "", text = "" } = route.value.state;
  const wanted = (Object.keys(counts) as (End | "found")[]).find((one) => one === end && one !== "found");
  const rows = useWindows<WireEnd>(`${id} ${end} ${text}`, async (offset, limit, signal) => {
    const body = { run: id, offset, limit, ...(wanted && { end: wanted }), ...(text && { text }) };
    const answer = await call<EndsAnswer>("ingestion/ends", body, signal);
    return { total: answer.total, rows: answer.ends };
  });
  const parts = ENDS.map((one) => `${number(counts[one])} ${endWord(one)}`).join(" + ");
  return (
    <>
      <h3>{t("result")}</h3>
      <p class="sum" role="status">
        {t("found")}: {t("sum", { found: counts.found, parts })}
        {counts.removed > 0 && `; ${number(counts.removed)} ${t("removed")}`}
      </p>
      <div class="fields">
        <Choice
          label={t("end")}
          value={wanted ?? ""}
          options={[
            { value: "", text: t("all") },
            ...ALL_ENDS.map((one) => ({
              value: one,
              text: t("counted_end", { value: endWord(one), count: counts[one] }),
            })),
          ]}
          onChange={(end) => change({ end })}
        />
        <Field label={t("filter")} value={text} onChange={(text) => change({ text })} />
      </div>
      {rows.total === 0
        ? <p>{t("no_files")}</p>
        : <LongTable label={t("files")} columns={columns()} rows={rows} keyOf={({ path }) => path} />}
    </>
  );
}

function columns(): readonly LongColumn<WireEnd>[] {
  return [
    { key: "path", title: t("path"), width: "5fr", cell: ({ path }) => <bdi>{path}</bdi> },
    { key: "end", title: t("end"), width: "1fr", cell: ({ end }) => endWord(end) },
    { key: "reason", title: t("reason"), width: "4fr", cell: ({ reason = "" }) => reason },
  ];
}
