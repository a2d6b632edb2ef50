/** The page Documents: the files of the folders with their states, and what the index has of each. */
import { useRef, useState } from "preact/hooks";
import type { ListAnswer, ListCall, SortKey, WireDocument } from "#wire/documents.ts";
import { call, session } from "#web/api.ts";
import { Choice, Field } from "#web/components/field.tsx";
import { type LongColumn, LongTable } from "#web/components/long_table.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { DocumentView } from "#web/pages/document_view.tsx";
import { useKeys } from "#web/keys.ts";
import { change, route, type State } from "#web/router.ts";
import { bytes, moment, number, textsOf } from "#web/texts.ts";
import { DOCUMENTS } from "#web/texts/documents.ts";
import { useWindows } from "#web/windows.ts";

const t = textsOf(DOCUMENTS);

export default function DocumentsPage() {
  const { state } = route.value;
  const open = state["doc"];
  const [first, setFirst] = useState<ListAnswer>();
  const [round, setRound] = useState(0);
  const wanted = callOf(state);
  const rows = useWindows<WireDocument>(
    `${JSON.stringify(wanted)} ${round}`,
    async (offset, limit, signal) => {
      const answer = await call<ListAnswer>("documents/list", { ...wanted, offset, limit }, signal);
      if (offset === 0) setFirst(answer);
      return { total: answer.total, rows: answer.documents };
    },
  );
  const filter = useRef<HTMLDivElement>(null);
  useKeys([
    { key: "/", label: t("key_filter"), run: () => filter.current?.querySelector("input")?.focus() },
    { key: "j", label: t("key_next"), run: () => step(1) },
    { key: "k", label: t("key_previous"), run: () => step(-1) },
    { key: "Escape", label: t("key_back"), run: () => change({ doc: undefined }) },
  ]);
  /** Opens the document after or before the one that is shown. */
  const step = (by: 1 | -1) => {
    const { total = 0, rowAt } = rows;
    let at = -1;
    for (let i = 0; i < total && at < 0; i++) if (rowAt(i)?.path === open) at = i;
    const next = rowAt(at < 0 ? 0 : at + by);
    if (next !== undefined) change({ doc: next.path }, open === undefined ? "step" : "silent");
  };
  return (
    <>
      <div hidden={open !== undefined} ref={filter}>
        <Filters state={state} counts={first} />
        {rows.error !== undefined && <Failure error={rows.error} />}
        {first?.notices.map((text) => <Notice key={text} kind="warning">{text}</Notice>)}
        {first?.isComplete === false && <p class="muted">{t("only_index")}</p>}
        {rows.total === 0 && <Empty title={t("none")} />}
        {rows.total !== undefined && rows.total > 0 && (
          <>
            <p role="status" class="muted">{t("found", { count: rows.total })}</p>
            <LongTable
              label={t("list")}
              columns={columns()}
              rows={rows}
              keyOf={({ path }) => path}
              sort={state["sort"] ?? "path"}
              onSort={(sort) => change({ sort }, "silent")}
            />
          </>
        )}
      </div>
      {open !== undefined && <DocumentView key={open} path={open} onChange={() => setRound(round + 1)} />}
    </>
  );
}

/** The columns of the list. A further fact of a document is a line here, in `WireDocument` and in `documentOf()` of `api/documents.ts`. */
function columns(): readonly LongColumn<WireDocument, SortKey>[] {
  return [
    {
      key: "path",
      title: t("path"),
      width: "6fr",
      cell: ({ path, shownPath, collection }) => (
        <>
          <button type="button" class="link" onClick={() => change({ doc: path })}>
            <bdi>{shownPath}</bdi>
          </button>
          {(session.value?.collections.length ?? 0) > 1 && (
            <small>
              {" "}
              <bdi>{collection}</bdi>
            </small>
          )}
        </>
      ),
    },
    { key: "title", title: t("title"), width: "3fr", cell: ({ title = "" }) => <bdi>{title}</bdi> },
    { key: "kind", title: t("kind"), width: "4rem", cell: ({ kind }) => kind },
    {
      key: "state",
      title: t("state"),
      width: "3fr",
      cell: ({ state, reason }) => (
        <>
          {t(state)}
          {reason !== undefined && <small>{reason}</small>}
        </>
      ),
    },
    {
      key: "size",
      title: t("size"),
      width: "5rem",
      isNumber: true,
      cell: ({ size }) => size === undefined ? "–" : bytes(size),
    },
    {
      key: "modified",
      title: t("modified"),
      width: "12rem",
      cell: ({ modified }) => modified === undefined ? "–" : moment(modified),
    },
    {
      key: "chunks",
      title: t("chunks"),
      width: "5rem",
      isNumber: true,
      cell: ({ chunks }) => number(chunks),
    },
    {
      key: "pages",
      title: t("pages"),
      width: "4rem",
      isNumber: true,
      cell: ({ pages }) => pages === undefined ? "–" : number(pages),
    },
    {
      key: "losses",
      title: t("losses"),
      width: "5rem",
      isNumber: true,
      isFixed: true,
      cell: ({ losses }) => losses === 0 ? "" : number(losses),
    },
  ];
}

/** The call that the address asks for. */
function callOf(state: State): ListCall {
  const { folder: collection, path, kind, tag, state: wanted, text, sort } = state;
  return {
    ...(collection && { collection }),
    ...(path && { path }),
    ...(kind && { kind }),
    ...(tag && { tag }),
    ...(wanted && { state: wanted as NonNullable<ListCall["state"]> }),
    ...(text && { text }),
    ...(sort && { sort }),
  };
}

function Filters({ state, counts }: { readonly state: State; readonly counts: ListAnswer | undefined }) {
  const set = (name: string) => (value: string) => change({ [name]: value });
  const folders = session.value?.collections ?? [];
  /** A choice among values that occur, with the one that is chosen. */
  const choice = (name: "kind" | "tag" | "state", values: ListAnswer["kinds"] = []) => {
    const chosen = state[name] ?? "";
    const known = values.some(({ value }) => value === chosen) || chosen === "";
    const all = known ? values : [{ value: chosen, count: 0 }, ...values];
    return (
      <Choice
        label={t(name)}
        value={chosen}
        options={[
          { value: "", text: t("all") },
          ...all.map(({ value, count }) => ({
            value,
            text: t("counted", { value: name === "state" ? stateWord(value) : value, count }),
          })),
        ]}
        onChange={set(name)}
      />
    );
  };
  return (
    <div class="fields" role="search" aria-label={t("filters")}>
      <Field label={t("text")} hint={t("text_hint")} value={state["text"] ?? ""} onChange={set("text")} />
      <Field label={t("path")} hint={t("path_hint")} value={state["path"] ?? ""} onChange={set("path")} />
      {folders.length > 1 && (
        <Choice
          label={t("folder")}
          value={state["folder"] ?? ""}
          options={[
            { value: "", text: t("all") },
            ...folders.map(({ name }) => ({ value: name, text: name })),
          ]}
          onChange={set("folder")}
        />
      )}
      {choice("state", counts?.states)}
      {choice("kind", counts?.kinds)}
      {choice("tag", counts?.tags)}
    </div>
  );
}

function stateWord(state: string): string {
  return Object.hasOwn(DOCUMENTS, state) ? t(state as keyof typeof DOCUMENTS) : state;
}
