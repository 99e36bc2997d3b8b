import type { RpcEndpoint } from '@causeway/core/chain'

/** Posts a body to the exchange. @throws Error with the text of another status than 200 */
export const askExchange = async <T>(
  { endpoint }: { readonly endpoint: RpcEndpoint },
  path: 'info' | 'exchange' | 'explorer',
  body: object,
): Promise<T> => {
  const response = await fetch(`${new URL(endpoint.http).origin}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The exchange answered ${response.status}: ${await response.text()}`)
  // CAST: the answers of a local exchange.
  return (await response.json()) as T
}
