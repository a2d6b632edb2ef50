interface Field {
  instruction: string;
  /** Whether the separator was passed: the instruction precedes it, the result follows. */
  inResult: boolean;
  /** Index in the parts of the paragraph where the result begins. */
  from: number;
}

/** Follows the fields of a document. Their instructions are not text, their results are. */
export class Fields {
  readonly #open: Field[] = [];

  /** Whether the current text belongs to an instruction. */
  get hidden(): boolean {
    return this.#open.some((field) => !field.inResult);
  }

  /** Continues open fields at the start of a new paragraph. */
  newParagraph(): void {
    for (const field of this.#open) field.from = 0;
    // An instruction does not extend beyond a paragraph. A field without a separator must not hide the rest of the document.
    while (this.#open.length > 0 && !this.#open.at(-1)!.inResult) this.#open.pop();
  }

  instruction(text: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && !field.inResult && field.instruction.length < 5000) field.instruction += text;
  }

  /** Handles a mark: `begin`, `separate` or `end`. At the end of a link, returns its address and where its text begins. */
  mark(type: string | undefined, at: number): { readonly from: number; readonly link: string } | undefined {
    if (type === "begin" && this.#open.length < 100) {
      this.#open.push({ instruction: "", inResult: false, from: at });
    }
    const field = this.#open.at(-1);
    if (field === undefined) return undefined;
    if (type === "separate") {
      field.inResult = true;
      field.from = at;
    } else if (type === "end") {
      this.#open.pop();
      const link = /^\s*HYPERLINK\s+"([^"]*)"/i.exec(field.instruction)?.[1];
      if (link !== undefined && field.inResult) return { from: field.from, link };
    }
    return undefined;
  }
}
