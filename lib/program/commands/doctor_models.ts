/**
 * The part of `doctor` that tries out the language models: one small request for each task, with texts of the program alone.
 */
import * as z from "zod";
import {
  type Config,
  folderConfig,
  LLM_TASKS,
  maskSecrets,
  usageDir,
} from "#foundation/configuration/mod.ts";
import { textServer } from "#foundation/consent.ts";
import { message } from "#foundation/messages/mod.ts";
import {
  type LanguageModel,
  type ModelRequest,
  openLanguageModel,
  type Rung,
  TokenBudget,
} from "#models/language/mod.ts";
import { present } from "#foundation/present.ts";
import type { Session } from "../request.ts";
import { attempt, type Findings, type ServerReport } from "./doctor_findings.ts";

/** A task that is tried out; `answer` is that of `ask`. */
type TriedTask = Exclude<ModelRequest["task"], "check">;

/** The findings of a request for a task. */
export interface TaskReport extends Findings {
  readonly task: TriedTask;
  /** How the model was made to answer in a form; absent for a text. */
  readonly form?: Rung | undefined;
  readonly tokens?: { readonly input: number; readonly output: number; readonly isEstimated: boolean };
}

/** Findings about the model of `llm` or `vision_llm`. */
export interface LanguageReport {
  readonly section: "llm" | "vision_llm";
  readonly provider: Config["llm"]["provider"];
  readonly server: ServerReport;
  /** The reason why nothing was sent. */
  readonly notAsked?: string;
  /** Tokens of the window; absent if nothing was sent. */
  readonly contextTokens?: number;
  readonly tasks: readonly TaskReport[];
}

/** Most tokens of an answer: models that think first need them. */
const MAX_OUTPUT_TOKENS = 1024;

const INSTRUCTIONS =
  "This is a check of a connection. Do what the request says, and answer with the JSON object that it asks " +
  "for and nothing else.";

/** A small request and the form of its answer. */
interface Check {
  readonly prompt: string;
  readonly schema: z.ZodType;
}

const CHECKS: Readonly<Record<Exclude<TriedTask, "caption" | "answer">, Check>> = {
  refine: {
    prompt:
      'Lines of a page: 1 "Green tea", 2 "Page 3 of 9". Which lines are no content? Answer as JSON: {"drop": [2]}',
    schema: z.object({ drop: z.array(z.number().int()) }),
  },
  enrich: {
    prompt: 'Text: "Green tea wants 80 degrees." Answer as JSON: {"title": "…", "tags": ["…"]}',
    schema: z.object({ title: z.string(), tags: z.array(z.string()) }),
  },
  rewrite: {
    prompt:
      'After "What is green tea?" a person asks "How hot?". Answer as JSON: {"question": "…", "terms": ["…"]}',
    schema: z.object({ question: z.string(), terms: z.array(z.string()) }),
  },
  rerank: {
    prompt:
      'How well do 1 "green tea" and 2 "coffee" answer "tea", from 0 to 10? Answer as JSON: {"1": 9, "2": 0}',
    schema: z.object({ "1": z.number(), "2": z.number() }),
  },
  verify: {
    prompt:
      'Does "Green tea wants 80 degrees." support "Tea is green."? Answer as JSON: {"supported": true, "span": "…"}',
    schema: z.object({ supported: z.boolean(), span: z.string() }),
  },
  judge: {
    prompt: 'Statements of "Tea is green and wants 80 degrees."? Answer as JSON: {"statements": ["…"]}',
    schema: z.object({ statements: z.array(z.string()) }),
  },
};

/** A red square of 64 × 64 pixels. */
const RED_SQUARE =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEXcFBQXnfKmAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC";
const COLOUR = {
  prompt:
    'Which colour has the picture? Answer as JSON: {"colour": "…"}, with "unknown" if you see no picture.',
  schema: z.object({ colour: z.string() }),
};
/** Answers that name the colour of the square. */
const RED = /red|crimson|scarlet|红|紅/i;

/** Tries out the models that the configuration names. Empty without one. */
export async function languageReports(session: Session): Promise<LanguageReport[]> {
  const { config, roots } = session;
  const narrowed = roots.map((root) => folderConfig(config, root).llm.tasks);
  const used = LLM_TASKS.filter((task) =>
    roots.length === 0 ? config.llm.tasks.includes(task) : narrowed.some((tasks) => tasks.includes(task))
  );
  const reports: LanguageReport[] = [];
  if (config.llm.provider !== "none") {
    reports.push(await report(session, "llm", [...used.filter((task) => task !== "caption"), "answer"]));
  }
  if (config.vision_llm.provider !== "none") {
    reports.push(await report(session, "vision_llm", used.filter((task) => task === "caption")));
  }
  return reports;
}

async function report(
  session: Session,
  section: LanguageReport["section"],
  tasks: readonly TriedTask[],
): Promise<LanguageReport> {
  const { config, language, roots, consented, proxy, stateDir } = session;
  const { provider, base_url: address, model: name, api_key: key } = maskSecrets(config)[section];
  const server = textServer(config[section])!;
  const isConsented = server.isLocal || roots.some((root) => consented[root]?.includes(server.origin));
  const known = {
    section,
    provider,
    server: {
      address: address ?? server.origin,
      ...present({ proxy: server.isLocal ? undefined : proxy }),
      model: name ?? "",
      ...(isConsented && { keySet: key !== null }),
    },
  };
  if (!isConsented) {
    const [dir] = roots;
    const notAsked = dir === undefined
      ? message(language, "cli_doctor_llm_no_consent", { host: server.host })
      : message(language, "llm_consent_missing", { dir, host: server.host });
    return { ...known, notAsked, tasks: [] };
  }
  if (tasks.length === 0) {
    return { ...known, notAsked: message(language, "cli_doctor_llm_no_task"), tasks: [] };
  }
  // Small as the requests are, those of a day count.
  const budget = new TokenBudget({ ...config.llm.budget, "run_tokens": null }, usageDir(stateDir));
  const model = await openLanguageModel(config[section], budget);
  const reports: TaskReport[] = [];
  for (const task of tasks) {
    reports.push({ task, ...await attempt(session, "doctor.llm", () => ask(session, model, task)) });
  }
  return { ...known, contextTokens: model.contextTokens, tasks: reports };
}

/** Sends the request for a task. */
async function ask(
  { language, signal }: Session,
  model: LanguageModel,
  task: TriedTask,
): Promise<Partial<TaskReport>> {
  const request = {
    task: "check",
    instructions: INSTRUCTIONS,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
  } as const;
  const began = performance.now();
  const found = ({ usage }: Awaited<ReturnType<typeof model.text>>, form?: Rung): Partial<TaskReport> => ({
    ...present({ form }),
    milliseconds: Math.round(performance.now() - began),
    tokens: { input: usage.inputTokens, output: usage.outputTokens, isEstimated: usage.isEstimated },
  });
  if (task === "answer") {
    return found(await model.text({ ...request, instructions: "", prompt: "Reply with the word OK." }));
  }
  if (task !== "caption") {
    const { prompt, schema } = CHECKS[task];
    const answered = await model.object({ ...request, prompt }, schema);
    return found({ ...answered, value: "" }, model.rung);
  }
  const images = [{ bytes: Uint8Array.fromBase64(RED_SQUARE), mime: "image/png" }];
  const answered = await model.object({ ...request, prompt: COLOUR.prompt, images }, COLOUR.schema);
  const problem = RED.test(answered.value.colour) ? undefined : message(language, "cli_doctor_llm_blind");
  return {
    ...found({ ...answered, value: "" }, model.rung),
    ...present({ problem }),
    ok: problem === undefined,
  };
}
