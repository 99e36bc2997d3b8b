import type { AnswerReader, Endpoint, EndpointPool, RestClient } from '@causeway/core/chain-kit'

/** A mirror node of the network. */
export type MirrorNode = Endpoint<RestClient>
export type MirrorPool = EndpointPool<RestClient>

/** A mirror node, or the pool of them. */
export interface Asked {
  ask<T>(question: (rest: RestClient, signal: AbortSignal) => Promise<T>): Promise<T>
}

/** One client as a node that can be asked. */
export const askedOf = (rest: RestClient, signal: AbortSignal): Asked => ({ ask: (question) => question(rest, signal) })

const API = '/api/v1'

/** Mirror nodes list no more at once. */
export const MOST_LISTED = 100

/** Answer of a path below `/api/v1`; null for status 404: the node knows no such thing. @throws ServiceError */
export const findAt = <T>(
  asked: Asked,
  path: string,
  read: AnswerReader<T>,
  query: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<T | null> => asked.ask((rest, signal) => rest.get(`${API}${path}`, read, { query, signal }))
