/** Tools and a prompt that ask the client for input in the protocol without sessions. */
import { createRequestStateCodec, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { text } from "./_fixture_content.ts";

const codec = createRequestStateCodec<{ step: number }>({
  key: "a key of the fixtures, which seal no secrets",
});

type Inputs = Readonly<Record<string, Record<string, unknown>>>;

const elicit = (message: string, property: string, type = "string") => ({
  method: "elicitation/create",
  params: {
    message,
    requestedSchema: { type: "object", properties: { [property]: { type } }, required: [property] },
  },
});

const sample = (question: string, maxTokens: number) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens },
});

const ROOTS = { method: "roots/list", params: {} };
const NAME = elicit("What is your name?", "name");

/** Asks for all of the inputs until the client has sent them; then `undefined`. */
function missing(
  { mcpReq }: ServerContext,
  inputs: Inputs,
  requestState?: string,
): Record<string, unknown> | undefined {
  const given = mcpReq.inputResponses ?? {};
  if (Object.keys(inputs).every((name) => given[name] !== undefined)) return undefined;
  return {
    resultType: "input_required",
    inputRequests: inputs,
    ...(requestState !== undefined && { requestState }),
  };
}

/** Registers the tools and the prompt with a server. */
export function registerFixtureInputs(server: McpServer): void {
  // The option of the constructor, which the program's servers do not have.
  Reflect.set(server.server, "_requestStateVerify", codec.verify);
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(
      name,
      { description: `Fixture ${name}` },
      ((context: ServerContext) => run(context)) as never,
    );
  const given = ({ mcpReq }: ServerContext) => text(JSON.stringify(mcpReq.inputResponses));

  tool("test_input_required_result_elicitation", (context) => {
    const request = missing(context, { user_name: NAME });
    if (request !== undefined) return request;
    // deno-lint-ignore no-explicit-any
    const answer = context.mcpReq.inputResponses!.user_name as any;
    const name = (answer.content ?? answer.result?.content)?.name;
    return typeof name === "string"
      ? text(`Hello, ${name}!`)
      : { resultType: "input_required", inputRequests: { user_name: NAME } };
  });
  tool(
    "test_input_required_result_sampling",
    (context) =>
      missing(context, { capital_question: sample("What is the capital of France?", 100) }) ?? given(context),
  );
  tool(
    "test_input_required_result_list_roots",
    (context) => missing(context, { client_roots: ROOTS }) ?? given(context),
  );
  tool(
    "test_missing_capability",
    (context) => missing(context, { question: sample("Is there a capability?", 10) }) ?? given(context),
  );
  tool("test_streaming_elicitation", (context) => missing(context, { user_name: NAME }) ?? given(context));
  tool("test_input_required_result_multiple_inputs", async (context) =>
    missing(
      context,
      { user_name: NAME, greeting: sample("Generate a greeting", 50), client_roots: ROOTS },
      await codec.mint({ step: 1 }, context),
    ) ?? given(context));
  for (
    const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]
  ) {
    tool(name, async (context) =>
      missing(
        context,
        { confirm: elicit("Please confirm", "ok", "boolean") },
        await codec.mint({ step: 1 }, context),
      ) ?? text("state-ok"));
  }
  tool("test_input_required_result_multi_round", async (context) => {
    const state = context.mcpReq.requestState() as { step: number } | undefined;
    const step = state?.step ?? 0;
    if (step === 0) {
      return missing(
        context,
        { step1: elicit("Step 1: What is your name?", "name") },
        await codec.mint({ step: 1 }, context),
      );
    }
    if (step === 1 && context.mcpReq.inputResponses?.step2 === undefined) {
      return missing(
        context,
        { step2: elicit("Step 2: What is your favorite color?", "color") },
        await codec.mint({ step: 2 }, context),
      );
    }
    return given(context);
  });
  tool("test_input_required_result_capabilities", (context) => {
    const declared = (context.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined)
      ?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
    const all = { sampling: sample("What now?", 10), elicitation: NAME, roots: ROOTS };
    const inputs = Object.fromEntries(Object.entries(all).filter(([name]) => declared[name] !== undefined));
    return Object.keys(inputs).length === 0 ? text("none") : missing(context, inputs) ?? given(context);
  });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Fixture" },
    ((context: ServerContext) =>
      missing(context, { user_context: elicit("What context should the prompt use?", "context") }) ?? {
        messages: [{
          role: "user",
          content: { type: "text", text: JSON.stringify(context.mcpReq.inputResponses) },
        }],
      }) as never,
  );
}
