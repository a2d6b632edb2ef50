/** The runs of evaluations that are kept: a chart, a table, and two of them side by side. */
import type { CompareAnswer, WireEvalRun, WireRankChange } from "#wire/evaluation.ts";
import { call } from "#web/api.ts";
import { Chart } from "#web/components/chart.tsx";
import { Choice } from "#web/components/field.tsx";
import { Link } from "#web/components/link.tsx";
import { Empty, Failure } from "#web/components/notice.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { useLoaded } from "#web/load.ts";
import { change, type State } from "#web/router.ts";
import { language, moment, textsOf } from "#web/texts.ts";
import { EVALUATION } from "#web/texts/evaluation.ts";

const t = textsOf(EVALUATION);

/** A value between 0 and 1, as long in every row. */
export function figure(value: number): string {
  return value.toFixed(3);
}

/** A difference between two. */
export function signed(value: number): string {
  const text = figure(Math.abs(value));
  return text === "0.000" ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/** `ndcg@10` as people write it; the names of other metrics stay. */
export function metricName(metric: string): string {
  return metric.replace(/^ndcg@/, "nDCG@").replace(/^mrr@/, "MRR@").replace(
    /^[a-z](?=[a-z]*@)/,
    (first) => first.toUpperCase(),
  );
}

/** A result of a run: a row of the table. */
interface Row extends Omit<WireEvalRun, "results"> {
  readonly result: WireEvalRun["results"][number];
}

export function History({ folder, runs, state }: {
  readonly folder: string;
  /** The oldest first. */
  readonly runs: readonly WireEvalRun[];
  readonly state: State;
}) {
  const rows = runs.flatMap(({ results, ...run }) => results.map((result): Row => ({ ...run, result })));
  const sets = [...new Set(rows.map(({ result }) => result.set))];
  const set = sets.find((one) => one === state["set"]) ?? sets.at(-1);
  const own = rows.filter(({ result }) => result.set === set);
  const metrics = [...new Set(own.flatMap(({ result }) => Object.keys(result.means)))];
  const metric = metrics.find((one) => one === state["metric"]) ?? metrics[0] ?? "";
  return (
    <section aria-label={t("history")}>
      <h2>{t("history")}</h2>
      {rows.length === 0 ? <Empty title={t("no_runs")} /> : (
        <>
          <div class="fields">
            <Choice
              label={t("set")}
              value={set ?? ""}
              options={sets.map((value) => ({ value, text: value }))}
              onChange={(set) => change({ set, before: undefined, now: undefined })}
            />
            <Choice
              label={t("metric")}
              value={metric}
              options={metrics.map((value) => ({ value, text: metricName(value) }))}
              onChange={(metric) => change({ metric })}
            />
          </div>
          <Chart label={t("chart", { metric: metricName(metric) })} {...linesOf(own, metric)} />
          <Table
            caption={t("runs", { set: set ?? "" })}
            columns={runColumns(metrics)}
            rows={own.toReversed()}
            keyOf={({ id, result }) => `${id} ${result.system}`}
          />
          <Compared
            folder={folder}
            runs={runs.filter(({ id }) => own.some((row) => row.id === id))}
            {...{ state }}
          />
        </>
      )}
    </section>
  );
}

/** The values of a metric over the runs, a line for each system. */
function linesOf(rows: readonly Row[], metric: string) {
  const times = new Map(rows.map(({ id, time }) => [id, time]));
  const systems = [...new Set(rows.map(({ result }) => result.system))];
  const valueOf = (run: string, system: string) =>
    rows.find(({ id, result }) => id === run && result.system === system)?.result.means[metric] ?? null;
  return {
    places: [...times.values()].map(dayOf),
    lines: systems.map((name) => ({ name, values: [...times.keys()].map((run) => valueOf(run, name)) })),
  };
}

function dayOf(time: string): string {
  return new Intl.DateTimeFormat(language.value, { month: "numeric", day: "numeric" }).format(new Date(time));
}

function runColumns(metrics: readonly string[]): readonly Column<Row>[] {
  return [
    { key: "time", title: t("run_time"), cell: ({ time }) => moment(time) },
    { key: "version", title: t("version"), cell: ({ version }) => version },
    { key: "system", title: t("system"), cell: ({ result }) => <bdi>{result.system}</bdi> },
    { key: "questions", title: t("count"), isNumber: true, cell: ({ result }) => result.questions },
    ...metrics.map((metric): Column<Row> => ({
      key: metric,
      title: metricName(metric),
      isNumber: true,
      cell: ({ result: { means: { [metric]: value } } }) => typeof value === "number" ? figure(value) : "–",
    })),
  ];
}

/** Two runs, by default the last two. */
function Compared({ folder, runs, state }: {
  readonly folder: string;
  readonly runs: readonly WireEvalRun[];
  readonly state: State;
}) {
  const named = (name: string, at: number) => runs.find(({ id }) => id === state[name]) ?? runs.at(at);
  const [before, now] = [named("before", -2)?.id, named("now", -1)?.id];
  const isTwo = before !== undefined && now !== undefined && before !== now;
  const { data, error } = useLoaded(
    isTwo ? `${before} ${now}` : undefined,
    (signal) => call<CompareAnswer>("evaluation/compare", { folder, before, now }, signal),
  );
  if (runs.length < 2) return <p class="muted">{t("one_run")}</p>;
  const choice = (name: "before" | "now", value: string | undefined) => (
    <Choice
      label={t(name)}
      value={value ?? ""}
      options={runs.toReversed().map(({ id, time }) => ({ value: id, text: `${moment(time)} (${id})` }))}
      onChange={(id) => change({ [name]: id })}
    />
  );
  return (
    <section aria-label={t("compared")}>
      <h2>{t("compared")}</h2>
      <div class="fields">
        {choice("before", before)}
        {choice("now", now)}
      </div>
      {!isTwo && <p>{t("same_run")}</p>}
      {error !== undefined && <Failure error={error} />}
      {data !== undefined && <Differences answer={data} />}
    </section>
  );
}

function Differences(
  { answer: { differences, settings, changes, total } }: { readonly answer: CompareAnswer },
) {
  return (
    <>
      {settings.length > 0 && (
        <Table
          caption={t("settings")}
          columns={[
            { key: "name", title: t("setting"), cell: ({ name }) => <code>{name}</code> },
            { key: "before", title: t("before"), cell: ({ before = "–" }) => <code>{before}</code> },
            { key: "now", title: t("now"), cell: ({ now = "–" }) => <code>{now}</code> },
          ]}
          rows={settings}
          keyOf={({ name }) => name}
        />
      )}
      <Table
        caption={t("differences")}
        columns={[
          { key: "system", title: t("system"), cell: ({ system }) => <bdi>{system}</bdi> },
          { key: "metric", title: t("metric"), cell: ({ metric }) => metricName(metric) },
          { key: "before", title: t("before"), isNumber: true, cell: ({ before }) => figure(before) },
          { key: "now", title: t("now"), isNumber: true, cell: ({ now }) => figure(now) },
          {
            key: "difference",
            title: t("difference"),
            isNumber: true,
            cell: ({ difference: { mean, low, high } }) => (
              <span class={high < 0 ? "bad" : low > 0 ? "good" : ""}>
                {signed(mean)} [{signed(low)}, {signed(high)}]
              </span>
            ),
          },
          { key: "questions", title: t("count"), isNumber: true, cell: ({ questions }) => questions },
        ]}
        rows={differences}
        keyOf={({ set, system, metric }) => `${set} ${system} ${metric}`}
      />
      {changes.length > 0 && (
        <Table
          caption={t("changes")}
          columns={changeColumns()}
          rows={changes}
          keyOf={(row) => changes.indexOf(row)}
        />
      )}
      {total > changes.length && <p class="muted">{t("more_changes", { count: total - changes.length })}</p>}
    </>
  );
}

function changeColumns(): readonly Column<WireRankChange>[] {
  const rank = (value: number | undefined) => value ?? t("not_found");
  return [
    { key: "question", title: t("question"), cell: ({ question }) => <bdi>{question}</bdi> },
    { key: "system", title: t("system"), cell: ({ system }) => <bdi>{system}</bdi> },
    {
      key: "rank",
      title: t("rank"),
      cell: ({ before, now }) => `${rank(before)} → ${rank(now)}`,
    },
    {
      key: "difference",
      title: t("difference_ndcg"),
      isNumber: true,
      cell: ({ difference }) => (
        <span class={difference < 0 ? "bad" : difference > 0 ? "good" : ""}>{signed(difference)}</span>
      ),
    },
    {
      key: "trace",
      title: t("trace"),
      cell: ({ traceBefore, traceNow }) => (
        <>
          {traceLink(t("before"), traceBefore)} {traceLink(t("now"), traceNow)}
        </>
      ),
    },
    {
      key: "why",
      title: t("reason"),
      cell: ({ question }) => <Link page="why-not" state={{ q: question }}>{t("why_not")}</Link>,
    },
  ];
}

function traceLink(text: string, trace: string | undefined) {
  return trace !== undefined && <Link page="query-traces" state={{ trace }}>{text}</Link>;
}
