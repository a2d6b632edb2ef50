/** A server that speaks the part of Qdrant's protocol that the program uses, in the place of a real one. */

interface Point {
  readonly id: string;
  readonly vector: readonly number[];
  readonly payload: unknown;
}

/** Starts the server. `key`: what requests must have. It answers as Qdrant 1.15 does, and compares every vector. */
export class FakeQdrant implements AsyncDisposable {
  readonly collections = new Map<string, { readonly size: number; readonly points: Map<string, Point> }>();
  /** `METHOD path` of each request. */
  readonly requests: string[] = [];
  /** Answers a request in another way, if it returns an answer. */
  instead: (path: string) => Response | undefined = () => undefined;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(readonly key?: string) {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.requests.push(`${request.method} ${pathname}`);
    const other = this.instead(pathname);
    if (other !== undefined) return other;
    if (this.key !== undefined && request.headers.get("api-key") !== this.key) {
      return new Response("Invalid API key or JWT", { status: 401 });
    }
    const [, , name = "", points, what = ""] = pathname.split("/");
    const body = request.body === null ? undefined : await request.json();
    if (points === undefined) return this.#ofCollection(request.method, name, body);
    const collection = this.collections.get(name);
    if (collection === undefined) return missing(name);
    const { size, points: all } = collection;
    if (request.method === "PUT") {
      for (const point of body.points as Point[]) {
        if (point.vector.length !== size) {
          return failed(`Vector dimension error: expected dim: ${size}, got ${point.vector.length}`);
        }
        all.set(point.id, { ...point, vector: unit(point.vector) });
      }
      return done({ status: "completed" });
    }
    const shown = ({ id, payload }: Point, more: object = {}) => ({
      id,
      ...(body.with_payload && { payload }),
      ...more,
    });
    switch (what) {
      case "":
        return done((body.ids as string[]).flatMap((id) => all.get(id) ?? []).map((point) => shown(point)));
      case "query": {
        const [{ has_id: ids }] = body.filter?.must ?? [{}];
        const query = unit(body.query);
        const some = ids === undefined
          ? [...all.values()]
          : (ids as string[]).flatMap((id) => all.get(id) ?? []);
        const scored = some.map((point) => ({ point, score: dot(query, point.vector) })).sort((a, b) =>
          b.score - a.score
        );
        return done({
          points: scored.slice(0, body.limit).map(({ point, score }) => shown(point, { score })),
        });
      }
      case "scroll": {
        const from = [...all.keys()].sort();
        const at = body.offset === undefined ? 0 : from.indexOf(body.offset);
        const page = from.slice(at, at + Math.min(body.limit, 100));
        return done({
          points: page.map((id) => shown(all.get(id)!)),
          next_page_offset: from[at + page.length] ?? null,
        });
      }
      case "delete":
        for (const id of body.points as string[]) all.delete(id);
        return done({ status: "completed" });
      default:
        return missing(pathname);
    }
  }

  #ofCollection(
    method: string,
    name: string,
    body: { vectors: { size: number; distance: string } },
  ): Response {
    if (method === "PUT") {
      if (body.vectors.distance !== "Cosine") return failed("distance");
      this.collections.set(name, { size: body.vectors.size, points: new Map() });
      return done(true);
    }
    return this.collections.has(name) ? done({ status: "green" }) : missing(name);
  }
}

function done(result: unknown): Response {
  return Response.json({ result, status: "ok", time: 0.001 });
}

function missing(name: string): Response {
  return Response.json(
    { status: { error: `Not found: Collection \`${name}\` doesn't exist!` }, time: 0.001 },
    { status: 404 },
  );
}

function failed(words: string): Response {
  return Response.json({ status: { error: `Wrong input: ${words}` }, time: 0.001 }, { status: 400 });
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.fround(length === 0 ? value : value / length));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
