/** The page Evaluation: a set of questions is asked, its figures are shown, earlier runs are compared, questions are proposed. */
import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import {
  type EvaluateCall,
  type EvaluateLine,
  type HistoryAnswer,
  METRICS,
  MOST_QUESTIONS_TEXT,
  type WireEstimate,
  type WireEvaluation,
  type WireSystem,
  type WireWorst,
} from "#wire/evaluation.ts";
import { call, CallError, session, stream } from "#web/api.ts";
import { Progress } from "#web/components/bar.tsx";
import { Button, Choice, Field, TextArea } from "#web/components/field.tsx";
import { Link } from "#web/components/link.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { useLoaded } from "#web/load.ts";
import { Drafts } from "#web/pages/evaluation_draft.tsx";
import { figure, History, metricName, signed } from "#web/pages/evaluation_history.tsx";
import { change, route } from "#web/router.ts";
import { bytes, duration, textsOf } from "#web/texts.ts";
import { EVALUATION } from "#web/texts/evaluation.ts";

const t = textsOf(EVALUATION);

/** The questions, which stay while other pages are shown. */
const name = signal("questions.jsonl");
const questions = signal("");
const unreadable = signal<unknown>(undefined);

/** The work under way, and the result of the last one. */
const running = signal<{ readonly stop: AbortController; readonly progress?: RunProgress } | undefined>(
  undefined,
);
const outcome = signal<{ readonly result?: WireEvaluation; readonly error?: unknown }>({});

type RunProgress = Extract<EvaluateLine, { readonly progress: unknown }>["progress"];

/** Systems that can be compared, by their names in `eval --compare`. */
const SYSTEMS = ["keyword", "semantic", "hybrid", "legs"] as const;

export default function EvaluationPage() {
  const { state } = route.value;
  const collections = session.value?.collections ?? [];
  const folder = (collections.find((one) => one.name === state["folder"]) ?? collections[0])?.name;
  const history = useLoaded(
    folder,
    (signal) => call<HistoryAnswer>("evaluation/history", { folder }, signal),
  );
  const { error } = history;
  if (folder === undefined) return <Empty title={t("no_folder")} />;
  if (error instanceof CallError && error.key === "evaluation_not_shown") {
    return <Empty title={error.message} />;
  }
  const k = Number(state["k"]);
  const body: EvaluateCall = {
    folder,
    name: name.value,
    questions: questions.value,
    ...(state["system"] && { system: state["system"] }),
    ...(Number.isInteger(k) && k > 0 && { k }),
  };
  return (
    <>
      <p>{t("intro")}</p>
      {collections.length > 1 && (
        <Choice
          label={t("folder")}
          value={folder}
          options={collections.map(({ name }) => ({ value: name, text: name }))}
          onChange={(folder) => change({ folder, before: undefined, now: undefined, set: undefined })}
        />
      )}
      <Questions folder={folder} />
      <div class="fields">
        <Choice
          label={t("system")}
          value={state["system"] ?? ""}
          options={[
            { value: "", text: t("all_modes") },
            ...SYSTEMS.map((value) => ({ value, text: t(value) })),
          ]}
          onChange={(system) => change({ system })}
        />
        <Field
          label={t("k")}
          hint={t("k_hint")}
          type="number"
          value={state["k"] ?? "10"}
          onChange={(k) => change({ k })}
        />
      </div>
      <Running body={body} onEnd={history.reload} />
      {outcome.value.error !== undefined && <Failure error={outcome.value.error} />}
      {outcome.value.result !== undefined && <Result result={outcome.value.result} />}
      {error !== undefined && <Failure error={error} />}
      {history.data !== undefined && (
        <History key={folder} folder={folder} runs={history.data.runs} state={state} />
      )}
    </>
  );
}

/** The set of questions: typed, from a file, or proposed. */
function Questions({ folder }: { readonly folder: string }) {
  return (
    <>
      <QuestionFile />
      <TextArea
        label={t("questions")}
        hint={t("questions_hint")}
        value={questions.value}
        onChange={(text) => questions.value = text}
      />
      <p class="actions">
        <Button disabled={questions.value === ""} onClick={() => download(name.value, questions.value)}>
          {t("download")}
        </Button>
      </p>
      <Drafts
        key={folder}
        folder={folder}
        onAccept={(line) => {
          const before = questions.value.trimEnd();
          questions.value = `${before}${before === "" ? "" : "\n"}${line}\n`;
        }}
      />
    </>
  );
}

function QuestionFile() {
  const id = useId();
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    unreadable.value = undefined;
    try {
      if (file.size > MOST_QUESTIONS_TEXT) {
        throw new Error(t("too_large", { size: bytes(MOST_QUESTIONS_TEXT) }));
      }
      questions.value = await file.text();
      name.value = file.name;
    } catch (error) {
      unreadable.value = error;
    }
    // The same file may be chosen again.
    input.value = "";
  };
  return (
    <div class="fields">
      <div class="field">
        <label for={id}>{t("file")}</label>
        <input
          id={id}
          type="file"
          accept=".jsonl,.ndjson,.json,.txt"
          onChange={({ currentTarget }) => void read(currentTarget)}
        />
        {unreadable.value !== undefined && <Failure error={unreadable.value} />}
      </div>
      <Field
        label={t("name")}
        hint={t("name_hint")}
        value={name.value}
        onChange={(text) => name.value = text.trim() || name.value}
      />
    </div>
  );
}

/** Offers a text as a file. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The button that begins, and how far it is. */
function Running({ body, onEnd }: { readonly body: EvaluateCall; readonly onEnd: () => void }) {
  const now = running.value;
  const { progress } = now ?? {};
  return (
    <div class="run">
      <p class="actions">
        <Button
          kind="main"
          disabled={now !== undefined || body.questions.trim() === ""}
          onClick={() => void run(body).then(onEnd)}
        >
          {t("run")}
        </Button>
        {now !== undefined && <Button onClick={() => now.stop.abort()}>{t("cancel")}</Button>}
      </p>
      {now !== undefined && (
        <Progress
          label={progress?.system ?? t("opening")}
          done={progress?.done ?? 0}
          {...(progress !== undefined && { total: progress.total })}
          counting={t("counting")}
        />
      )}
    </div>
  );
}

async function run(body: EvaluateCall): Promise<void> {
  const stop = new AbortController();
  running.value = { stop };
  outcome.value = {};
  try {
    await stream<EvaluateLine>("evaluation/run", body, (line) => {
      if ("result" in line) outcome.value = line;
      else running.value = { stop, ...line };
    }, stop.signal);
  } catch (error) {
    outcome.value = { error: stop.signal.aborted ? new Error(t("cancelled")) : error };
  }
  running.value = undefined;
}

function Result({ result }: { readonly result: WireEvaluation }) {
  const { name, documents, queries, systems, worst, missing, missingNames, unaccepted, notices } = result;
  return (
    <section aria-label={t("result")}>
      <h2>{t("result")}</h2>
      <p role="status">{t("measured", { name, documents, queries })}</p>
      {result.run === undefined && <Notice kind="warning">{t("not_kept")}</Notice>}
      {missing > 0 && (
        <Notice kind="warning">{t("missing", { count: missing, names: missingNames.join(", ") })}</Notice>
      )}
      {unaccepted > 0 && <Notice>{t("unaccepted", { count: unaccepted })}</Notice>}
      {notices.map((text) => <Notice key={text}>{text}</Notice>)}
      <Table
        caption={t("figures")}
        columns={systemColumns(result)}
        rows={systems}
        keyOf={({ name }) => name}
      />
      <p class="muted">{t(systems.length > 1 ? "interval_difference" : "interval")}</p>
      {worst.length > 0 && (
        <Table
          caption={t("worst", { system: systems.at(-1)?.name ?? "" })}
          columns={worstColumns()}
          rows={worst}
          keyOf={(row) => worst.indexOf(row)}
        />
      )}
    </section>
  );
}

function systemColumns({ k }: WireEvaluation): readonly Column<WireSystem>[] {
  return [
    { key: "system", title: t("system"), cell: ({ name }) => name },
    ...METRICS.map((metric): Column<WireSystem> => ({
      key: metric,
      title: metricName(`${metric}@${k}`),
      isNumber: true,
      cell: ({ scores, difference }) => (
        <>
          {figure(scores[metric].mean)}{" "}
          <small>[{figure(scores[metric].low)}, {figure(scores[metric].high)}]</small>
          {difference !== undefined && <small class="block">{differenceText(difference[metric])}</small>}
        </>
      ),
    })),
    { key: "p50", title: "p50", isNumber: true, cell: ({ milliseconds: { p50 } }) => duration(p50) },
    { key: "p95", title: "p95", isNumber: true, cell: ({ milliseconds: { p95 } }) => duration(p95) },
  ];
}

/** A difference, with a star where it is significant. */
function differenceText({ mean, low, high }: WireEstimate): string {
  return `${signed(mean)}${low > 0 || high < 0 ? "*" : ""}`;
}

function worstColumns(): readonly Column<WireWorst>[] {
  return [
    { key: "ndcg", title: "nDCG", isNumber: true, cell: ({ ndcg }) => figure(ndcg) },
    { key: "question", title: t("question"), cell: ({ question }) => <bdi>{question}</bdi> },
    { key: "expected", title: t("expected"), cell: ({ expected }) => <bdi>{expected.join(" · ")}</bdi> },
    { key: "found", title: t("found"), cell: ({ found }) => <bdi>{found.join(" · ") || "–"}</bdi> },
    {
      key: "why",
      title: t("reason"),
      cell: ({ question, file }) => <Link page="why-not" state={{ q: question, file }}>{t("why_not")}</Link>,
    },
  ];
}
