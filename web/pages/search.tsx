/** The page Search: a question and filters, and the hits in the order in which assistants get them. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchCall, SearchResult, WireHit } from "#wire/search.ts";
import { call, CallError, session } from "#web/api.ts";
import { Answer } from "#web/components/answer.tsx";
import { Button, Choice, Field } from "#web/components/field.tsx";
import { Hit } from "#web/components/hit.tsx";
import { LateOriginal } from "#web/original/late_original.tsx";
import { Link } from "#web/components/link.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { QuestionForm } from "#web/components/question_form.tsx";
import { moveFocus, useKeys } from "#web/keys.ts";
import { useAction, useLoaded } from "#web/load.ts";
import { change, route, type State } from "#web/router.ts";
import { duration, textsOf } from "#web/texts.ts";
import { SEARCH } from "#web/texts/search.ts";

const t = textsOf(SEARCH);

/** Hits of the first answer, and of each further one. */
const HITS = 10;

const HIT = "article.hit";

export default function SearchPage() {
  const { state } = route.value;
  const wanted = callOf(state);
  const found = useLoaded(
    wanted && JSON.stringify(wanted),
    (signal) => call<SearchResult>("search/query", wanted!, signal),
  );
  const box = useRef<HTMLInputElement>(null);
  const close = () => {
    box.current?.blur();
    change({ hit: undefined });
  };
  useKeys([
    { key: "/", label: t("key_search"), run: () => box.current?.select() },
    { key: "j", label: t("key_next"), run: () => moveFocus(HIT, 1) },
    { key: "k", label: t("key_previous"), run: () => moveFocus(HIT, -1) },
    { key: "Escape", label: t("key_leave"), run: close },
  ]);
  return (
    <>
      <QuestionForm
        box={box}
        question={state["q"]}
        label={t("query")}
        placeholder={t("placeholder")}
        button={t("search")}
        onAsk={(q) => change({ q, hit: undefined })}
      >
        <Filters state={state} />
      </QuestionForm>
      {wanted === undefined && <Empty title={t("ask_first")} />}
      {found.error instanceof CallError && found.error.key === "index_not_ready"
        ? (
          <Empty title={t("no_index")}>
            <Link page="ingestion">{t("go_index")}</Link>
          </Empty>
        )
        : found.error !== undefined && <Failure error={found.error} />}
      {found.isLoading && found.data === undefined && <p role="status">{t("searching")}</p>}
      {found.data !== undefined && wanted !== undefined && (
        <Hits
          key={JSON.stringify(wanted)}
          first={found.data}
          wanted={wanted}
          open={state["hit"]}
        />
      )}
    </>
  );
}

/** The call that the address asks for; `undefined` without a question. */
export function callOf(state: State): SearchCall | undefined {
  const {
    q: query = "",
    mode,
    folder: collections,
    path,
    type,
    lang,
    after,
    before,
    tags,
    degree,
  } = state;
  if (query.trim() === "") return undefined;
  const filters = {
    ...(path && { path }),
    ...(type && { type }),
    ...(lang && { lang }),
    ...(after && { after }),
    ...(before && { before }),
    ...(tags &&
      {
        tags: tags.split(/[,，、]/).map((tag) => tag.trim()).filter((tag) => tag !== ""),
      }),
  };
  return {
    query,
    topK: HITS,
    ...(isOneOf(["hybrid", "keyword", "semantic"], mode) && { mode }),
    ...(isOneOf(["high", "medium"], degree) && { minDegree: degree }),
    ...(collections && { collections }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
}

function isOneOf<Value extends string>(
  values: readonly Value[],
  value: string | undefined,
): value is Value {
  return (values as readonly (string | undefined)[]).includes(value);
}

/** Names of the filters in the address. */
export const FILTERS = [
  "folder",
  "path",
  "type",
  "lang",
  "after",
  "before",
  "tags",
  "degree",
] as const;

function Filters({ state }: { readonly state: State }) {
  const used = FILTERS.filter((name) => state[name]).length;
  const set = (name: string) => (value: string) => change({ [name]: value, hit: undefined });
  const folders = session.value?.collections ?? [];
  return (
    <>
      <Choice
        label={t("mode")}
        value={state["mode"] ?? ""}
        options={[
          { value: "", text: t("hybrid") },
          { value: "keyword", text: t("keyword") },
          { value: "semantic", text: t("semantic") },
        ]}
        onChange={set("mode")}
      />
      <details class="filters" open={used > 0}>
        <summary>{t("filters")}{used > 0 && ` (${used})`}</summary>
        <div class="fields">
          {folders.length > 1 && (
            <Choice
              label={t("collection")}
              value={state["folder"] ?? ""}
              options={[
                { value: "", text: t("all") },
                ...folders.map(({ name }) => ({ value: name, text: name })),
              ]}
              onChange={set("folder")}
            />
          )}
          <Field
            label={t("path")}
            hint={t("path_hint")}
            value={state["path"] ?? ""}
            onChange={set("path")}
          />
          <Field
            label={t("type")}
            hint={t("type_hint")}
            value={state["type"] ?? ""}
            onChange={set("type")}
          />
          <Choice
            label={t("lang")}
            value={state["lang"] ?? ""}
            options={[
              { value: "", text: t("all") },
              { value: "zh", text: "中文" },
              { value: "en", text: "English" },
              { value: "ja", text: "日本語" },
              { value: "ko", text: "한국어" },
            ]}
            onChange={set("lang")}
          />
          <Field
            label={t("after")}
            type="date"
            value={state["after"] ?? ""}
            onChange={set("after")}
          />
          <Field
            label={t("before")}
            type="date"
            value={state["before"] ?? ""}
            onChange={set("before")}
          />
          <Field
            label={t("tags")}
            hint={t("tags_hint")}
            value={state["tags"] ?? ""}
            onChange={set("tags")}
          />
          <Choice
            label={t("degree")}
            value={state["degree"] ?? ""}
            options={[
              { value: "", text: t("degree_low") },
              { value: "medium", text: t("degree_medium") },
              { value: "high", text: t("degree_high") },
            ]}
            onChange={set("degree")}
          />
        </div>
        {used > 0 && (
          <Button
            kind="link"
            onClick={() =>
              change(
                Object.fromEntries(FILTERS.map((name) => [name, undefined])),
              )}
          >
            {t("clear")}
          </Button>
        )}
      </details>
    </>
  );
}

/** The hits of a search, and those that follow when the user asks for more. */
function Hits({ first, wanted, open }: {
  readonly first: SearchResult;
  readonly wanted: SearchCall;
  /** Name of the chunk whose original is shown. */
  readonly open: string | undefined;
}) {
  const [further, setFurther] = useState<readonly SearchResult[]>([]);
  const { error, run } = useAction();
  const answers = [first, ...further];
  const hits = answers.flatMap(({ hits }) => hits);
  const { more } = answers.at(-1)!;
  const select = (hit: WireHit) => change({ hit: hit.chunkId === open ? undefined : hit.chunkId });
  const count = useRef<HTMLParagraphElement>(null);
  // A screen reader hears the number, and the keys for hits work at once.
  useEffect(() => count.current?.scrollIntoView({ block: "nearest" }), []);
  const next = async () => {
    const topK = wanted.topK ?? HITS;
    const following = { ...wanted, offset: hits.length, firstTopK: topK };
    const answer = await call<SearchResult>("search/query", following);
    setFurther([...further, answer]);
  };
  const facts = { count: hits.length, time: duration(first.seconds * 1000) };
  const [isAsking, setIsAsking] = useState(false);
  const [cited, setCited] = useState<WireHit>();
  // A passage of an answer may be none of the hits.
  const shown = [...hits, ...(cited === undefined ? [] : [cited])].find(({ chunkId }) => chunkId === open);
  return (
    <div class={shown && "beside"}>
      <section aria-label={t("results")}>
        {session.value?.can.ask && !isAsking && hits.length > 0 && (
          <p>
            <Button onClick={() => setIsAsking(true)}>{t("ask")}</Button>
          </p>
        )}
        {isAsking && (
          <Answer
            wanted={wanted}
            onOpen={(hit) => {
              setCited(hit);
              change({ hit: hit.chunkId });
            }}
          />
        )}
        {first.notices.map((text) => <Notice key={text}>{text}</Notice>)}
        {first.suggestions.map(({ word, suggestion }) => (
          <p key={word}>
            {t("suggestion", { word })}{" "}
            <Button
              kind="link"
              onClick={() => change({ q: wanted.query.replaceAll(word, suggestion) })}
            >
              {suggestion}
            </Button>
          </p>
        ))}
        {hits.length === 0
          ? (
            <Empty title={t("none")}>
              <p>{t("none_hint")}</p>
              {first.filterCounts.map(({ condition, documents }) => (
                <p key={condition}>
                  {t("filter_count", { condition, count: documents })}
                </p>
              ))}
            </Empty>
          )
          : (
            <p ref={count} role="status" class="muted">
              {t(more ? "found_more" : "found", facts)}
            </p>
          )}
        {hits.map((hit, at) => (
          <Hit
            key={hit.chunkId}
            hit={hit}
            number={at + 1}
            isOpen={hit.chunkId === open}
            onOpen={() => select(hit)}
          />
        ))}
        {first.leftOut.map(({ path, passages }) => (
          <p class="remark" key={path}>
            {t("left_out", { path, count: passages })}
          </p>
        ))}
        {first.lowerDegree > 0 && <p class="remark">{t("lower", { count: first.lowerDegree })}</p>}
        {error !== undefined && <Failure error={error} />}
        {more && <Button onClick={() => run(next)}>{t("more")}</Button>}
        <p class="remark">
          <Link page="why-not" state={{ ...route.value.state, hit: undefined }}>{t("why_not")}</Link>
        </p>
      </section>
      {shown && <LateOriginal hit={shown} onClose={() => change({ hit: undefined })} />}
    </div>
  );
}
