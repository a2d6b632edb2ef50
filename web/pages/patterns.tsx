/** Every component in every state, for people who change the pages. */
import { useRef, useState } from "preact/hooks";
import type { WireHit } from "#wire/search.ts";
import type { WireSpan } from "#wire/traces.ts";
import { Progress } from "#web/components/bar.tsx";
import { Chart } from "#web/components/chart.tsx";
import { Degree } from "#web/components/degree.tsx";
import { Dialog } from "#web/components/dialog.tsx";
import { Button, Choice, Field, TextArea } from "#web/components/field.tsx";
import { Hit } from "#web/components/hit.tsx";
import { Link } from "#web/components/link.tsx";
import { VirtualList } from "#web/components/list.tsx";
import { Marked } from "#web/components/marked.tsx";
import { Empty, Failure, Notice } from "#web/components/notice.tsx";
import { QuestionForm } from "#web/components/question_form.tsx";
import { LongTable } from "#web/components/long_table.tsx";
import { Table } from "#web/components/table.tsx";
import { Waterfall } from "#web/components/waterfall.tsx";

const HIT: WireHit = {
  path: "/notes/guide.md",
  shownPath: "guide.md",
  collection: "notes",
  chunkId: "0123456789abcdef",
  startLine: 3,
  endLine: 9,
  score: 1,
  degree: "high",
  content: "Unpack the archive and run it.",
  citation: "[1] /notes/guide.md:3-9",
  marks: [{ start: 11, end: 18 }],
  section: ["Guide", "Install"],
  sectionMarks: [[], [{ start: 0, end: 7 }]],
  outdated: true,
  recognised: true,
  generated: { summary: "How to install the program." },
  also: [{ path: "/notes/copy.md", startLine: 1, endLine: 2 }],
};

const ROWS = [{ name: "guide.md", chunks: 3 }, { name: "备份.md", chunks: 12 }];

export default function PatternsPage() {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const [mode, setMode] = useState("a");
  return (
    <>
      <h2>Button</h2>
      <p class="actions">
        <Button onClick={() => {}}>plain</Button>
        <Button kind="main" onClick={() => {}}>main</Button>
        <Button kind="danger" onClick={() => {}}>danger</Button>
        <Button kind="link" onClick={() => {}}>link</Button>
        <Button disabled onClick={() => {}}>disabled</Button>
      </p>
      <h2>Field, TextArea, Choice</h2>
      <div class="fields">
        <Field label="Field" hint="A hint" value={text} onChange={setText} />
        <TextArea label="TextArea" hint="A hint" value={text} onChange={setText} />
        <Field label="Date" type="date" value="" onChange={() => {}} />
        <Choice
          label="Choice"
          value={mode}
          options={[{ value: "a", text: "First" }, {
            value: "b",
            text: "Second",
          }]}
          onChange={setMode}
        />
      </div>
      <h2>QuestionForm</h2>
      <QuestionForm
        box={box}
        question={text}
        label="Question"
        placeholder="What do you look for?"
        button="Ask"
        onAsk={setText}
      >
        <Button kind="link" onClick={() => {}}>Filters</Button>
      </QuestionForm>
      <h2>Notice, Failure, Empty</h2>
      <Notice>Info</Notice>
      <Notice kind="warning">Warning</Notice>
      <Notice kind="error">Error</Notice>
      <Failure error={new Error("Failure")} />
      <Empty title="Nothing here">
        <p>What to do about it.</p>
      </Empty>
      <h2>Degree, Hit</h2>
      <p class="actions">
        <Degree degree="high" />
        <Degree degree="medium" />
        <Degree degree="low" />
      </p>
      <Hit hit={HIT} number={1} onOpen={() => {}} />
      <h2>Progress</h2>
      <Progress label="split" done={40} total={120} counting="counting" />
      <Progress label="walk" done={40} counting="counting" />
      <h2>Chart</h2>
      <Chart
        label="nDCG over the runs"
        places={["1/3", "1/10", "2/1"]}
        lines={[
          { name: "keyword", values: [.5, .55, null] },
          { name: "hybrid", values: [.6, .7, .72] },
        ]}
      />
      <h2>Table</h2>
      <Table
        caption="Documents"
        columns={[
          { key: "name", title: "Name", cell: ({ name }) => name },
          {
            key: "chunks",
            title: "Chunks",
            cell: ({ chunks }) => chunks,
            isNumber: true,
          },
        ]}
        rows={ROWS}
        keyOf={({ name }) => name}
        sort="name"
        onSort={() => {}}
      />
      <h2>VirtualList</h2>
      <VirtualList
        label="Numbers"
        items={NUMBERS}
        keyOf={(item) => item}
        height={28}
      >
        {(item) => <span>{item}</span>}
      </VirtualList>
      <h2>Marked</h2>
      <p>
        <Marked text="Unpack the archive and run it." marks={HIT.marks} />
      </p>
      <h2>Waterfall</h2>
      <Waterfall
        label="Stages"
        spans={SPANS}
        total={20}
        nameOf={({ stage }) => stage}
        noteOf={({ error = "" }) => error}
        selected="2"
        onSelect={() => {}}
      />
      <h2>LongTable</h2>
      <LongTable
        label="Squares"
        columns={[
          { key: "number", title: "Number", width: "1fr", cell: (item) => item },
          { key: "square", title: "Square", width: "1fr", cell: (item) => item * item, isNumber: true },
        ]}
        rows={{ total: NUMBERS.length, rowAt: (at) => NUMBERS[at], error: undefined }}
        keyOf={String}
        sort="number"
        onSort={() => {}}
      />
      <h2>Link</h2>
      <p>
        <Link page="search" state={{ q: "tea" }}>Search</Link>
      </p>
      <h2>Dialog</h2>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      {isOpen && (
        <Dialog title="Dialog" onClose={() => setIsOpen(false)}>
          <p>Esc closes it.</p>
        </Dialog>
      )}
    </>
  );
}

const NUMBERS = Array.from({ length: 10_000 }, (_, at) => at + 1);

const SPANS: readonly WireSpan[] = [
  { id: "1", stage: "query", from: 0, ms: 20, facts: {} },
  { id: "2", parent: "1", stage: "keyword", from: 1, ms: 6, facts: {} },
  { id: "3", parent: "1", stage: "rerank", from: 8, ms: 10, facts: { fallback: "none" } },
  { id: "4", parent: "1", stage: "passages", from: 18, ms: 1, facts: {}, error: "Error" },
];
