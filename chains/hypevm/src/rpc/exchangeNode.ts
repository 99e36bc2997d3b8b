import {
  type AnswerReader,
  type Endpoint,
  type EndpointPool,
  httpStatusError,
  type RestClient,
} from '@causeway/core/chain-kit'

/** An API server of the exchange. */
export type ExchangeNode = Endpoint<RestClient>
export type ExchangePool = EndpointPool<RestClient>

/** An API server, or the pool of them. */
export interface Asked {
  ask<T>(question: (rest: RestClient, signal: AbortSignal) => Promise<T>): Promise<T>
}

/** One client as a node that can be asked. */
export const askedOf = (rest: RestClient, signal: AbortSignal): Asked => ({ ask: (question) => question(rest, signal) })

const NOT_FOUND = 404

/** Answer to a question of type `type`. @throws ServiceError */
export const askInfo = <T>(
  asked: Asked,
  type: string,
  read: AnswerReader<T>,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<T> =>
  asked.ask(async (rest, signal) => {
    const answer = await rest.post('/info', { type, ...parameters }, (json) => ({ found: read(json) }), {
      ...{ signal, repeatable: true },
    })
    if (answer === null) throw httpStatusError(NOT_FOUND, null)
    return answer.found
  })
