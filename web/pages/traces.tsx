/** The pages of query traces and ingestion traces: what ran, how long it took, and what came of it. */
import { useRef } from "preact/hooks";
import type { TraceKind, TraceListAnswer, TraceListCall, WireTraceSummary } from "#wire/traces.ts";
import { call } from "#web/api.ts";
import { Choice, Field } from "#web/components/field.tsx";
import { VirtualList } from "#web/components/list.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { useKeys } from "#web/keys.ts";
import { useLoaded } from "#web/load.ts";
import { countsText } from "#web/pages/trace_stages.tsx";
import { TraceView } from "#web/pages/trace_view.tsx";
import { change, route, type State } from "#web/router.ts";
import { duration, moment, number, textsOf } from "#web/texts.ts";
import { TRACES } from "#web/texts/traces.ts";

const t = textsOf(TRACES);

export default function TracesPage() {
  const { page, state } = route.value;
  const kind: TraceKind = page === "query-traces" ? "query" : "ingestion";
  const wanted = callOf(kind, state);
  const { data, error } = useLoaded(
    JSON.stringify(wanted),
    (signal) => call<TraceListAnswer>("traces/list", wanted, signal),
  );
  const open = state["trace"];
  const filter = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1) => {
    const traces = data?.traces ?? [];
    const at = traces.findIndex(({ id }) => id === open);
    const next = traces[at < 0 ? 0 : at + by];
    if (next !== undefined) {
      change({ trace: next.id, stage: undefined }, open === undefined ? "step" : "silent");
    }
  };
  useKeys([
    { key: "/", label: t("key_filter"), run: () => filter.current?.querySelector("input")?.focus() },
    { key: "j", label: t("key_next"), run: () => step(1) },
    { key: "k", label: t("key_previous"), run: () => step(-1) },
    { key: "Escape", label: t("key_back"), run: () => change({ trace: undefined, stage: undefined }) },
  ]);
  return (
    <>
      <div hidden={open !== undefined} ref={filter}>
        <Filters state={state} />
        {error !== undefined && <Failure error={error} />}
        {data?.isOff && <Notice kind="warning">{t("off")}</Notice>}
        {data !== undefined && data.torn > 0 && <p class="muted">{t("torn", { count: data.torn })}</p>}
        {data?.traces.length === 0 && <Empty title={t("none")}>{<p>{t(`none_${kind}`)}</p>}</Empty>}
        {data !== undefined && data.traces.length > 0 && <List answer={data} />}
      </div>
      {open !== undefined && <TraceView key={open} id={open} stage={state["stage"]} />}
    </>
  );
}

function List({ answer: { traces, more } }: { readonly answer: TraceListAnswer }) {
  return (
    <>
      <p role="status" class="muted">
        {t(more ? "more" : "found", { count: traces.length })}
      </p>
      <div class="long traces">
        <div class="row head" aria-hidden="true">
          <span>{t("started")}</span>
          <span class="number">{t("time")}</span>
          <span class="number">{t("stages")}</span>
          <span>{t("said")}</span>
        </div>
        <VirtualList label={t("list")} items={traces} keyOf={({ id }) => id} height={34}>
          {(trace) => <Row trace={trace} />}
        </VirtualList>
      </div>
    </>
  );
}

function Row({ trace: { id, started, ms, stages, text, method, counts, error } }: {
  readonly trace: WireTraceSummary;
}) {
  const when = moment(started);
  return (
    <div class="row">
      <button
        type="button"
        class="link"
        aria-label={t("open", { started: when })}
        onClick={() => change({ trace: id })}
      >
        {when}
      </button>
      <span class="number">{duration(ms)}</span>
      <span class="number">{number(stages)}</span>
      <span>
        {error !== undefined && <strong class="bad">{error}</strong>}
        {text !== undefined && <bdi>{text}</bdi>}{" "}
        <small>{[method, countsText(counts)].filter(Boolean).join(", ")}</small>
      </span>
    </div>
  );
}

/** The call that the address asks for. */
function callOf(kind: TraceKind, { text, slow, from, to, which }: State): TraceListCall {
  const minMs = Number(slow);
  return {
    kind,
    ...(text && { text }),
    ...(minMs > 0 && { minMs }),
    ...(which === "failed" && { failed: true }),
    ...(which === "fallback" && { fallback: true }),
    ...(isDay(from) && { after: new Date(`${from}T00:00`).toISOString() }),
    ...(isDay(to) && { before: new Date(`${to}T00:00`).toISOString() }),
  };
}

function isDay(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(`${text}T00:00`));
}

function Filters({ state }: { readonly state: State }) {
  const set = (name: string) => (value: string) => change({ [name]: value });
  return (
    <div class="fields" role="search" aria-label={t("filters")}>
      <Field label={t("text")} hint={t("text_hint")} value={state["text"] ?? ""} onChange={set("text")} />
      <Field label={t("slow")} type="number" value={state["slow"] ?? ""} onChange={set("slow")} />
      <Field label={t("after")} type="date" value={state["from"] ?? ""} onChange={set("from")} />
      <Field label={t("before")} type="date" value={state["to"] ?? ""} onChange={set("to")} />
      <Choice
        label={t("which")}
        value={state["which"] ?? ""}
        options={[
          { value: "", text: t("all") },
          { value: "failed", text: t("failed") },
          { value: "fallback", text: t("fallback") },
        ]}
        onChange={set("which")}
      />
    </div>
  );
}
