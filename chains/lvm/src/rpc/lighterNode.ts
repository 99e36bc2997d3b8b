import { ServiceError } from '@causeway/core'
import {
  type AnswerReader,
  answerOf,
  type Endpoint,
  type EndpointPool,
  parseExactJson,
  type RestClient,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { COUNT } from './fields.js'

/** An API server of the exchange. */
export type LighterNode = Endpoint<RestClient>
export type LighterPool = EndpointPool<RestClient>

/** A node, or the pool of them. */
export interface Asked {
  ask<T>(question: (rest: RestClient, signal: AbortSignal) => Promise<T>): Promise<T>
}

/** One client as a node that can be asked. */
export const askedOf = (rest: RestClient, signal: AbortSignal): Asked => ({ ask: (question) => question(rest, signal) })

const BAD_REQUEST = 400
const NOT_FOUND = 404
/** Statuses whose body says why there is no answer. */
export const EXPLAINED: readonly number[] = [BAD_REQUEST, NOT_FOUND]
const INVALID_AUTH = '20013'

const readRefusal = answerOf(Type.Object({ code: COUNT, message: Type.Optional(Type.String()) }))

/** A refusal as the exchange writes it. */
export interface Refusal {
  readonly code: string
  readonly message: string
}

/** The exchange does not take an access token. */
export class TokenRefused extends ServiceError {
  override readonly name = 'TokenRefused'

  constructor() {
    super(
      'SERVICE_UNAVAILABLE',
      'The exchange refused the access token of an account. Check that the API key of the role solver is registered for the account.',
    )
  }
}

/** JSON of an answer, or its refusal: any status but 200, or a code but 200 in the body. @throws ServiceError for text that is no JSON */
export const readAnswer = ({
  status,
  text,
}: {
  readonly status: number
  readonly text: string
}): { readonly json: unknown } | { readonly refusal: Refusal } => {
  const json = parsed(text)
  const code = typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined
  if (status === 200 && (code === undefined || code === '200')) return { json }
  const refusal = readRefusal(json)
  return { refusal: { code: refusal.code, message: refusal.message ?? '' } }
}

const parsed = (text: string): unknown => {
  try {
    return parseExactJson(text)
  } catch {
    throw strangeAnswer('text that is no JSON')
  }
}

const isMissing = ({ code, message }: Refusal): boolean => code === '404' || /\bnot found\b/i.test(message)

/**
 * Answer of a path; null where the exchange says that there is no such thing.
 * @throws TokenRefused, ServiceError
 */
export const findAt = <T>(
  asked: Asked,
  path: string,
  read: AnswerReader<T>,
  query: Readonly<Record<string, string>> = {},
): Promise<T | null> =>
  asked.ask(async (rest, signal) => {
    const answer = readAnswer(await rest.getAnswer(path, EXPLAINED, { query, signal }))
    if ('json' in answer) return read(answer.json)
    if (isMissing(answer.refusal)) return null
    if (answer.refusal.code === INVALID_AUTH) throw new TokenRefused()
    throw strangeAnswer(`code ${answer.refusal.code}`)
  })

/** As `findAt`, of a thing that every node has. @throws ServiceError also where there is none */
export const askAt = async <T>(...question: Parameters<typeof findAt<T>>): Promise<T> => {
  const found = await findAt(...question)
  if (found === null) throw strangeAnswer(`no answer of ${question[1]}`)
  return found
}
