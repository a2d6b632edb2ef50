/** The page Why not: a file or a sentence through the gates of a search, and a setting to try. */
import { useRef } from "preact/hooks";
import type { WhyNotAnswer, WhyNotCall, WireChange, WireGate, WireLeg, WireWord } from "#wire/why_not.ts";
import { call } from "#web/api.ts";
import { Button, Field } from "#web/components/field.tsx";
import { Link } from "#web/components/link.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { QuestionForm } from "#web/components/question_form.tsx";
import { type Column, Table } from "#web/components/table.tsx";
import { useKeys } from "#web/keys.ts";
import { useLoaded } from "#web/load.ts";
import { callOf, FILTERS } from "#web/pages/search.tsx";
import { change, route, type State } from "#web/router.ts";
import { number, textsOf } from "#web/texts.ts";
import { SEARCH } from "#web/texts/search.ts";
import { WHY_NOT } from "#web/texts/why_not.ts";

const t = textsOf(WHY_NOT);
const ofSearch = textsOf(SEARCH);

export default function WhyNotPage() {
  const { state } = route.value;
  const wanted = wantedOf(state);
  const found = useLoaded(
    wanted && JSON.stringify(wanted),
    (signal) => call<WhyNotAnswer>("why-not/ask", wanted!, signal),
  );
  const box = useRef<HTMLInputElement>(null);
  useKeys([{ key: "/", label: ofSearch("key_search"), run: () => box.current?.select() }]);
  const tried = triedIn(state);
  const set = (name: string) => (value: string) =>
    change({ [name]: value.trim(), chunk: undefined, ...NOTHING_TRIED });
  return (
    <>
      <p>{t("intro")}</p>
      <QuestionForm
        box={box}
        question={state["q"]}
        label={t("question")}
        placeholder={t("question_hint")}
        button={t("ask")}
        onAsk={(q) => change({ q, ...NOTHING_TRIED })}
      >
        <div class="filters fields">
          <Field label={t("file")} hint={t("file_hint")} value={state["file"] ?? ""} onChange={set("file")} />
          <Field
            label={t("sentence")}
            hint={t("sentence_hint")}
            value={state["text"] ?? ""}
            onChange={set("text")}
          />
        </div>
        <Conditions state={state} />
      </QuestionForm>
      {tried !== "" && (
        <Notice>
          {t("tried", { values: tried })}{" "}
          <Button kind="link" onClick={() => change(NOTHING_TRIED)}>{t("back")}</Button>
        </Notice>
      )}
      {wanted === undefined && <Empty title={t("ask_first")} />}
      {found.error !== undefined && <Failure error={found.error} />}
      {found.isLoading && found.data === undefined && <p role="status">{t("asking")}</p>}
      {found.data !== undefined && wanted !== undefined && <Answer answer={found.data} state={state} />}
    </>
  );
}

/** Settings of the ranking that are tried, by their names in the address. */
const TRIED = {
  "top": "search.top_k",
  "fts": "search.fts_topn",
  "vec": "search.vec_topn",
  "per": "search.per_doc_limit",
} as const;

const NOTHING_TRIED: Readonly<Record<keyof typeof TRIED, undefined>> = {
  top: undefined,
  fts: undefined,
  vec: undefined,
  per: undefined,
};

/** The call that the address asks for; `undefined` before a question and a file are named. */
function wantedOf(state: State): WhyNotCall | undefined {
  const search = callOf(state);
  const { file, chunk, text } = state;
  if (search === undefined || !file && !chunk && !text) return undefined;
  const numberOf = (name: string) => {
    const value = Number(state[name]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const [top, fts, vec, per] = [numberOf("top"), numberOf("fts"), numberOf("vec"), numberOf("per")];
  const ranking = {
    ...(fts && { "fts_topn": fts }),
    ...(vec && { "vec_topn": vec }),
    ...(per && { "per_doc_limit": per }),
  };
  return {
    search: {
      ...search,
      ...(top && { topK: top }),
      ...(Object.keys(ranking).length > 0 && { ranking }),
    },
    ...(file && { file }),
    ...(chunk && { chunk }),
    ...(text && { text }),
  };
}

/** The settings that are tried, in words; empty without any. */
function triedIn(state: State): string {
  return Object.entries(TRIED).filter(([name]) => state[name])
    .map(([name, key]) => `${key} = ${state[name]}`).join(", ");
}

/** Tries another setting: it stands in the address, and nowhere else. */
function tryWith({ topK, mode, minDegree, ranking = {}, wholeScope }: WireChange): void {
  change({
    ...(topK !== undefined && { top: String(topK) }),
    ...(ranking.fts_topn !== undefined && { fts: String(ranking.fts_topn) }),
    ...(ranking.vec_topn !== undefined && { vec: String(ranking.vec_topn) }),
    ...(ranking.per_doc_limit !== undefined && { per: String(ranking.per_doc_limit) }),
    ...(mode && { mode: mode === "hybrid" ? undefined : mode }),
    ...(minDegree && { degree: minDegree === "low" ? undefined : minDegree }),
    ...(wholeScope && { folder: undefined }),
  });
}

/** Names of the conditions of the search in the address. */
const CONDITIONS = ["mode", ...FILTERS] as const;

/** The conditions that came with the question from the page Search. */
function Conditions({ state }: { readonly state: State }) {
  const set = CONDITIONS.filter((name) => state[name]);
  if (set.length === 0) return null;
  const filters = set.map((name) => `${ofSearch(name === "folder" ? "collection" : name)}: ${state[name]}`)
    .join(", ");
  return (
    <p class="remark filters">
      {t("filters", { filters })}{" "}
      <Button
        kind="link"
        onClick={() => change(Object.fromEntries(CONDITIONS.map((name) => [name, undefined])))}
      >
        {ofSearch("clear")}
      </Button>
    </p>
  );
}

function Answer({ answer, state }: { readonly answer: WhyNotAnswer; readonly state: State }) {
  const { file, gates, hint, setting, words, legs, gate } = answer;
  const { file: _, text: __, chunk: ___, ...search } = state;
  return (
    <section aria-label={t("answer")}>
      {file !== undefined && (
        <h2>
          <bdi>{file.shownPath}</bdi>
          {file.startLine !== undefined && (
            <>
              {" "}
              <small>{t("lines", { start: file.startLine, end: file.endLine ?? file.startLine })}</small>
            </>
          )}
        </h2>
      )}
      {gate !== "shown" && (
        <div class="notice warning" role="status">
          <p>{hint}</p>
          {setting !== undefined && <Setting setting={setting} />}
        </div>
      )}
      <ol class="gates" aria-label={t("gates")}>
        {gates.map((one) => <Gate key={one.gate} gate={one} />)}
      </ol>
      {words.length > 0 && (
        <Table
          caption={t("words")}
          columns={wordColumns()}
          rows={words}
          keyOf={({ word }) => word}
        />
      )}
      {legs.length > 0 && (
        <Table
          caption={t("legs")}
          columns={legColumns()}
          rows={legs}
          keyOf={({ leg }) => leg}
        />
      )}
      <p>
        <Link page="search" state={search}>{t("search")}</Link>
      </p>
    </section>
  );
}

const MARKS = { passed: "✓", stopped: "✗", not_reached: "·" } as const;

function Gate({ gate: { name, text, state } }: { readonly gate: WireGate }) {
  return (
    <li class={state} aria-current={state === "stopped" ? "step" : undefined}>
      <span class="mark" role="img" aria-label={t(state)}>{MARKS[state]}</span>
      <span class="name">{name}</span>
      <span class="said">{text}</span>
    </li>
  );
}

function Setting({ setting }: { readonly setting: NonNullable<WhyNotAnswer["setting"]> }) {
  const { key, value, needed, change: to } = setting;
  const params = { key, value: String(value ?? ""), needed: String(needed ?? "") };
  return (
    <p class="actions">
      {value !== undefined && value !== "" && (
        <span>{t(needed === undefined ? "setting" : "setting_needed", params)}</span>
      )}
      {to !== undefined && (
        <Button kind="main" onClick={() => tryWith(to)}>
          {to.wholeScope ? t("try_whole") : t("try", params)}
        </Button>
      )}
    </p>
  );
}

function wordColumns(): Column<WireWord>[] {
  const held = ({ word, has, form = "", likeness }: WireWord) => {
    if (has === "absent") return t("absent");
    if (has === "same") return form === "" || form === word ? t("same") : t("as", { form });
    return t(has, { form, likeness: number(likeness ?? 0, 2) });
  };
  return [
    { key: "word", title: t("word"), cell: ({ word }) => word },
    { key: "text", title: t("in_text"), cell: held },
    { key: "chunks", title: t("chunks"), isNumber: true, cell: ({ chunks }) => number(chunks) },
  ];
}

function legColumns(): Column<WireLeg>[] {
  const place = ({ rank, within }: WireLeg) => rank === undefined ? t("beyond", { within }) : number(rank);
  return [
    { key: "leg", title: t("leg"), cell: ({ leg }) => t(leg) },
    { key: "rank", title: t("rank"), isNumber: true, cell: place },
    { key: "taken", title: t("taken"), isNumber: true, cell: ({ limit }) => number(limit) },
  ];
}
