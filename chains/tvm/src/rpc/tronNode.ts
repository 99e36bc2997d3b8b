import {
  type AnswerReader,
  type Endpoint,
  type EndpointPool,
  type RestClient,
  strangeAnswer,
} from '@causeway/core/chain-kit'

/** A full node of the network. */
export type TronNode = Endpoint<RestClient>
export type TronPool = EndpointPool<RestClient>

/** A node, or the pool of them. */
export interface Asked {
  ask<T>(question: (rest: RestClient, signal: AbortSignal) => Promise<T>): Promise<T>
}

/** One client as a node that can be asked. */
export const askedOf = (rest: RestClient, signal: AbortSignal): Asked => ({ ask: (question) => question(rest, signal) })

/** Full nodes show all blocks below `wallet`, and solidified ones alone below `walletsolidity`. */
export type Api = 'wallet' | 'walletsolidity'

/**
 * Asks a method, whose numbers are read as text. Addresses are hex in questions and answers.
 * @throws ServiceError RPC_HTTP_ERROR for an error, which nodes answer with the status 200
 */
export const call = <T>(
  asked: Asked,
  path: `${Api}/${string}`,
  body: Readonly<Record<string, unknown>>,
  read: AnswerReader<T>,
  repeatable = true,
): Promise<T> =>
  asked.ask(async (rest, signal) => {
    const readChecked = (json: unknown) => ({ value: read(withoutError(json)) })
    const answer = await rest.post(`/${path}`, body, readChecked, { signal, repeatable })
    if (answer === null) throw strangeAnswer('a node without the HTTP API of full nodes')
    return answer.value
  })

const withoutError = (json: unknown): unknown => {
  const isObject = typeof json === 'object' && json !== null
  if (isObject && 'Error' in json) throw strangeAnswer(`an error: ${String(json.Error).slice(0, 200)}`)
  return json
}

/** Null for the empty object, by which nodes say that there is no such thing. */
export const orNone =
  <T>(read: AnswerReader<T>): AnswerReader<T | null> =>
  (answer) =>
    typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0 ? null : read(answer)

/** Text of the hex by which nodes write messages; the text itself where it is no hex. */
export const messageText = (hex: string): string => {
  const text = /^(?:[0-9a-f]{2})+$/i.test(hex) ? Buffer.from(hex, 'hex').toString('utf8') : hex
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 300)
}
