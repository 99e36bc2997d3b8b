const PATIENCE_MS = 3_000

/** One JSON-RPC call to a local node. @throws Error when it does not answer */
export const callNode = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return Reflect.get(Object(await response.json()), 'result')
}
