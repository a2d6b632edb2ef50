import assert from "node:assert/strict";
import { join } from "node:path";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { pdfOf } from "./_pdf.ts";
import { makeSandbox } from "./_program.ts";

/** A PDF that takes seconds to read: each page has many pieces of text. */
function slowPdf(pages: number): Uint8Array<ArrayBuffer> {
  const line = Array.from({ length: 120 }, (_, i) => `(word ${i}) Tj 0 -5 Td`).join(" ");
  return pdfOf(Array.from({ length: pages }, (_, i) => `page ${i + 1}) Tj ${line} (end`));
}

for (const [name, , connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} sees that a long read goes on, cancels it, and reads other files`, async () => {
    await using sandbox = await makeSandbox({ "tea.md": "Green tea.\n" });
    await Deno.writeFile(join(sandbox.folder, "slow.pdf"), slowPdf(4000));
    const config = join(sandbox.folder, "..", "slow.yaml");
    await Deno.writeTextFile(config, "index:\n  watch: false\nmcp:\n  tools: all\n");
    const env = { ...sandbox.env, MUXUE_RAG_CONFIG: config, MUXUE_RAG_LANGUAGE: "en" };
    await using client = await connect({ ...sandbox, env });
    for (const tool of ["get_document_content", "read_documents", "list_document_sections"]) {
      const args = tool === "read_documents" ? { paths: ["slow.pdf", "tea.md"] } : { file_path: "slow.pdf" };
      const stop = new AbortController();
      const messages: (string | undefined)[] = [];
      const read = client.call(tool, args, {
        signal: stop.signal,
        onprogress: ({ message }) => {
          messages.push(message);
          stop.abort(new Error("enough"));
        },
      });
      await assert.rejects(read);
      assert.match(messages[0]!, /^slow\.pdf: reading for \d+ s$/, tool);
      const { data } = await client.call("get_document_content", { file_path: "tea.md" });
      assert.equal(data.content, "Green tea.\n");
    }
  });
}
