/** One trace: its stages as a waterfall, the candidates of the legs, how ranks changed, and the same question with other settings. */
import { useMemo, useState } from "preact/hooks";
import type { ReplayAnswer, ReplaySettings, TraceAnswer } from "#wire/traces.ts";
import type { WireHit } from "#wire/search.ts";
import { call } from "#web/api.ts";
import { Button, Choice, Field } from "#web/components/field.tsx";
import { Failure, Notice } from "#web/components/notice.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { stageRows, Waterfall } from "#web/components/waterfall.tsx";
import { useAction, useLoaded } from "#web/load.ts";
import { countsText, Legs, Ranks, StageFacts, stageName, stageNote } from "#web/pages/trace_stages.tsx";
import { change } from "#web/router.ts";
import { duration, moment, number, textsOf } from "#web/texts.ts";
import { TRACES } from "#web/texts/traces.ts";

const t = textsOf(TRACES);

export function TraceView({ id, stage }: { readonly id: string; readonly stage: string | undefined }) {
  const { data, error } = useLoaded(id, (signal) => call<TraceAnswer>("traces/show", { id }, signal));
  return (
    <article class="trace">
      <Button kind="link" onClick={() => change({ trace: undefined, stage: undefined })}>{t("back")}</Button>
      {error !== undefined && <Failure error={error} />}
      {data !== undefined && <Trace trace={data} stage={stage} />}
    </article>
  );
}

function Trace({ trace, stage }: { readonly trace: TraceAnswer; readonly stage: string | undefined }) {
  const { kind, started, ms, text, method, counts, error, spans, dropped, texts } = trace;
  const selected = useMemo(() => stageRows(spans).find(({ span }) => span.id === stage), [spans, stage]);
  const question = typeof texts?.["question"] === "string" ? texts["question"] : undefined;
  return (
    <>
      <h2>
        <bdi>{text ?? moment(started)}</bdi>
      </h2>
      <p>{[moment(started), duration(ms), method, countsText(counts)].filter(Boolean).join(" · ")}</p>
      {error !== undefined && <Notice kind="error">{String(texts?.["error"] ?? error)}</Notice>}
      {dropped !== undefined && <Notice kind="warning">{t("dropped", { count: dropped })}</Notice>}
      <h3>{t("waterfall")}</h3>
      <p class="muted">{t("waterfall_hint")}</p>
      <Waterfall
        label={t("waterfall")}
        spans={spans}
        total={ms}
        nameOf={stageName}
        noteOf={stageNote}
        selected={stage}
        onSelect={(id) => change({ stage: id === stage ? undefined : id }, "silent")}
      />
      {selected !== undefined && <StageFacts span={selected.span} own={selected.own} />}
      {kind === "query" && (
        <>
          <h3>{t("legs")}</h3>
          <Legs spans={spans} />
          <Ranks spans={spans} question={question} />
          <Replay trace={trace} />
        </>
      )}
    </>
  );
}

const MODES = ["hybrid", "keyword", "semantic"] as const;
const DEGREES = ["low", "medium", "high"] as const;

/** Settings that are numbers, by their names in the configuration. */
const NUMBERS = ["top_k", "alpha", "fts_topn", "vec_topn", "per_doc_limit"] as const;

type Typed = Readonly<Partial<Record<typeof NUMBERS[number] | "mode" | "degree", string>>>;

function Replay({ trace: { id, canReplay } }: { readonly trace: TraceAnswer }) {
  const [typed, setTyped] = useState<Typed>({});
  const [answer, setAnswer] = useState<ReplayAnswer>();
  const { error, isRunning, run } = useAction();
  const set = (name: keyof Typed) => (value: string) => setTyped({ ...typed, [name]: value });
  const ask = () => {
    setAnswer(undefined);
    run(() => call<ReplayAnswer>("traces/replay", { id, settings: settingsOf(typed) }).then(setAnswer));
  };
  return (
    <section aria-label={t("replay")}>
      <h3>{t("replay")}</h3>
      {!canReplay ? <p>{t("cannot_replay")}</p> : (
        <>
          <p class="muted">{t("replay_hint")}</p>
          <div class="fields">
            <Choice
              label={t("mode")}
              value={typed.mode ?? ""}
              options={[
                { value: "", text: t("as_asked") },
                ...MODES.map((value) => ({ value: value as string, text: t(value) })),
              ]}
              onChange={set("mode")}
            />
            <Choice
              label={t("min_degree")}
              value={typed.degree ?? ""}
              options={[
                { value: "", text: t("as_asked") },
                ...DEGREES.map((value) => ({ value: value as string, text: t(value) })),
              ]}
              onChange={set("degree")}
            />
            {NUMBERS.map((name) => (
              <Field key={name} label={name} type="number" value={typed[name] ?? ""} onChange={set(name)} />
            ))}
          </div>
          <Button kind="main" disabled={isRunning} onClick={ask}>
            {t(isRunning ? "asking" : "ask")}
          </Button>
          {error !== undefined && <Failure error={error} />}
          {answer !== undefined && <Difference answer={answer} />}
        </>
      )}
    </section>
  );
}

function settingsOf({ mode, degree, top_k: topK, ...numbers }: Typed): ReplaySettings {
  const ranking = Object.fromEntries(
    Object.entries(numbers).filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)]),
  );
  return {
    ...(mode && { mode: mode as NonNullable<ReplaySettings["mode"]> }),
    ...(degree && { minDegree: degree as NonNullable<ReplaySettings["minDegree"]> }),
    ...(topK && { topK: Number(topK) }),
    ...(Object.keys(ranking).length > 0 && { ranking }),
  };
}

/** A hit with its ranks. */
interface Compared {
  readonly hit: WireHit;
  readonly was: number | undefined;
  readonly is: number | undefined;
}

function Difference({ answer: { before, after, ms } }: { readonly answer: ReplayAnswer }) {
  const ranksOf = (hits: readonly WireHit[]) => new Map(hits.map(({ chunkId }, at) => [chunkId, at + 1]));
  const [was, is] = [ranksOf(before), ranksOf(after)];
  const hits = [...after, ...before.filter(({ chunkId }) => !is.has(chunkId))];
  const rows = hits.map((hit): Compared => ({ hit, was: was.get(hit.chunkId), is: is.get(hit.chunkId) }));
  const columns: readonly Column<Compared>[] = [
    { key: "was", title: t("was"), isNumber: true, cell: ({ was }) => was === undefined ? "–" : number(was) },
    { key: "is", title: t("is"), isNumber: true, cell: ({ is }) => is === undefined ? "–" : number(is) },
    { key: "change", title: t("changed"), cell: changeText },
    {
      key: "hit",
      title: t("chunk"),
      cell: ({ hit: { shownPath, startLine, endLine } }) => (
        <bdi>{`${shownPath}:${startLine}-${endLine}`}</bdi>
      ),
    },
  ];
  return (
    <Table
      caption={t("compared", { before: duration(ms[0]), after: duration(ms[1]) })}
      columns={columns}
      rows={rows}
      keyOf={({ hit }) => hit.chunkId}
    />
  );
}

function changeText({ was, is }: Compared): string {
  if (was === undefined) return t("new");
  if (is === undefined) return t("gone");
  if (was === is) return t("same");
  return is < was ? t("up", { count: was - is }) : t("down", { count: is - was });
}
