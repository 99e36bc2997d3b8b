/** One call of a local ledger's server over HTTP: of its own commands, or to control it. @throws Error with the error it answers */
export const callNode = async <T>(url: string, method: string, params: readonly unknown[]): Promise<T> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ method, params }) })
  if (!response.ok) throw new Error(`The local ledger answered ${method} with the status ${response.status}`)
  // CAST: the server is ours.
  const { result } = (await response.json()) as { result: { error?: string; error_message?: string } }
  if (result.error === undefined) return result as T
  throw new NodeError(result.error, result.error_message)
}

/** An error that the server answered. */
export class NodeError extends Error {
  constructor(
    readonly error: string,
    message = error,
  ) {
    super(message)
  }
}
