import type { Hex } from '@causeway/core'
import {
  type ChainRegistry,
  defineRoute,
  HttpError,
  MessageSchema,
  type RequestReader,
  type RequestStatusView,
  type Route,
} from '@causeway/core/plugin'
import type { TSchema } from '@sinclair/typebox'
import type { Names } from './fundsText.js'
import { statusBodyLegacy, statusBodyV2, statusBodyV3 } from './statusBody.js'
import { StatusLegacy, StatusQuery, StatusV2, StatusV3 } from './statusSchemas.js'

export interface StatusRouteDeps {
  readonly requests: RequestReader
  readonly chains: Pick<ChainRegistry, 'find'>
  readonly currencies: Names
  /** Words of `/intents/status` (wire.md K.2 8). */
  readonly statusV1Words: 'v3' | 'legacy'
}

interface Surface {
  readonly path: string
  readonly schema: TSchema
  body(view: RequestStatusView, names: Names): object
}

const NO_REQUEST =
  'No request has this id. query.requestId is the requestId of a quote; by the hash of a transaction ask GET /transactions/status, or GET /requests/v3 with term.'

const surfacesOf = (words: 'v3' | 'legacy'): readonly Surface[] => [
  { path: '/intents/status/v3', schema: StatusV3, body: statusBodyV3 },
  { path: '/intents/status/v2', schema: StatusV2, body: statusBodyV2 },
  words === 'legacy'
    ? { path: '/intents/status', schema: StatusLegacy, body: statusBodyLegacy }
    : { path: '/intents/status', schema: StatusV3, body: statusBodyV3 },
]

/** Whether the allowance that an `approve` item gives is on the chain; false where the chain has none, or does not say. */
const isApproved = async (
  chains: Pick<ChainRegistry, 'find'>,
  { originChainId }: RequestStatusView,
  approval: string,
): Promise<boolean> => {
  const [owner = '', token = '', spender = '', amount = ''] = approval.split(',')
  const adapter = chains.find(originChainId)?.adapter
  const currency = adapter?.normalizeCurrency(token) ?? null
  if (adapter?.readAllowance === undefined || currency === null) return false
  const [from, to] = [adapter.validateAddress(owner), adapter.validateAddress(spender)]
  if (!from.ok || !to.ok) return false
  const allowance = await adapter.readAllowance({ owner: from.canonical, token: currency, spender: to.canonical })
  return allowance >= BigInt(amount)
}

/**
 * The three status operations, which differ in their words only. A missing or malformed id is 400, an unknown one 404
 * `{message}` (wire.md H.3).
 */
export const statusRoutes = ({ requests, chains, currencies, statusV1Words }: StatusRouteDeps): readonly Route[] =>
  surfacesOf(statusV1Words).map(({ path, schema, body }) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'Status of a request',
      tags: ['intents'],
      bucket: 'status',
      auth: 'optional',
      query: StatusQuery,
      responses: { 200: schema, 400: MessageSchema, 404: MessageSchema },
      handler: async ({ query }) => {
        const view = await requests.findStatus(query.requestId.toLowerCase() as Hex)
        if (view === null) throw new HttpError(404, NO_REQUEST)
        const { approval } = query
        const isDone = approval !== undefined && view.status === 'waiting' && (await isApproved(chains, view, approval))
        return body(isDone ? { ...view, status: 'success' } : view, currencies)
      },
    }),
  )
