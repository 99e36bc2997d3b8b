import type { Hex } from '@causeway/core'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { executeQuote, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld } from './httpWorld.js'
import { COVE } from './privateChain.js'

export interface HistoryWorld extends HttpWorld {
  /** A transfer that really happened, made with the host's key and the referrer `Shop %_`. */
  readonly real: QuoteAnswer
  /** Id of the host's key. */
  readonly ownKeyId: string
  /** A key of another integrator. */
  readonly other: { readonly id: string; readonly apiKey: string }
}

type Plugins = NonNullable<Parameters<typeof startHttpWorld>[0]>['plugins']

/** A deployment with a private chain and a first transfer. */
export const startHistoryWorld = async (plugins?: Plugins): Promise<HistoryWorld> => {
  const world = await startHttpWorld({ moreChains: [COVE], ...(plugins === undefined ? {} : { plugins }) })
  try {
    const real = await transfer(world)
    return {
      ...world,
      real,
      ownKeyId: await keyOf(world, real.requestId),
      other: await world.host.createApiKey('other'),
    }
  } catch (error) {
    await world.close()
    throw error
  }
}

const transfer = async (world: HttpWorld): Promise<QuoteAnswer> => {
  const body = nativeBody(world, { referrer: 'Shop %_' })
  // On a busy machine the first prices come late.
  const answer = await until('a quote', async () => {
    const quoted = await postQuote(world, body, '/quote', world.host.apiKey)
    return quoted.status === 503 ? null : quoted
  })
  if (answer.status !== 200) throw new Error(`The quote was answered with ${answer.status}: ${answer.text}`)
  // CAST: the tests of the quote's shape check it.
  const real = answer.body as QuoteAnswer
  await executeQuote(world.network.chains[0].chain, userOf(world.network, 0), real)
  await until('the transfer', async () => {
    const { body } = await callApi(world.host.url, `/intents/status/v3?requestId=${real.requestId}`)
    return valueAt(body, 'status') === 'success' ? true : null
  })
  return real
}

const keyOf = async ({ database }: HttpWorld, requestId: Hex): Promise<string> => {
  const { rows } = await database.pool.query<{ api_key_id: string }>('select api_key_id from requests where id = $1', [
    Buffer.from(requestId.slice(2), 'hex'),
  ])
  return rows[0]?.api_key_id ?? ''
}

export type HistoryQuery = Readonly<Record<string, string | number | boolean>>

/** Asks an operation of the history. */
export const askHistory = (
  { host }: HttpWorld,
  path: string,
  query: HistoryQuery,
  apiKey?: string,
): Promise<ApiAnswer> => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return callApi(host.url, `${path}?${text}`, apiKey === undefined ? {} : { apiKey })
}

/** The ids of a page, in its order. @throws Error when it is refused */
export const idsOf = ({ status, body, text }: ApiAnswer): readonly string[] => {
  if (status !== 200) throw new Error(`The page was answered with ${status}: ${text}`)
  return listAt(body, 'requests').map((record) => textAt(record, 'id'))
}
