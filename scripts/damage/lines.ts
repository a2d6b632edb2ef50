/** Splits a stream of text into lines. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(piece, controller) {
        const lines = (rest + piece).split("\n");
        rest = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
    });
  }
}
