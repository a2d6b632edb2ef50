/** An HTTP response with a JSON-RPC error. `id`: that of the request; null where it is not known. */
export function errorResponse(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status, headers });
}

/** The id of the one request that a body holds; null where it holds none, or several. */
export function requestIdOf(body: unknown): string | number | null {
  if (body === null || typeof body !== "object" || !("id" in body) || !("method" in body)) return null;
  const { id } = body;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The response, with the id of its request in an error that lacks it. */
export async function withRequestId(response: Response, id: string | number | null): Promise<Response> {
  const isError = response.status >= 400 && response.headers.get("content-type") === "application/json";
  if (id === null || !isError) return response;
  const answer = await response.json();
  const { status, headers } = response;
  return Response.json({ ...answer, id: answer.id ?? id }, { status, headers });
}
