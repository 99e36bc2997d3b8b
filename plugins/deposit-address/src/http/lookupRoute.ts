import { type CurrencyRegistry, destinationText, type Hex, readAddressToPay, ServiceError } from '@causeway/core'
import {
  type ChainRegistry,
  type DatabasePool,
  defineRoute,
  findAddresses,
  HttpError,
  MessageSchema,
  type Route,
  type StoredDepositAddress,
} from '@causeway/core/plugin'
import type { AddressGiver } from '../quoting/addressGiver.js'
import { DepositAddressAnswer, LookupQuery } from './addressSchemas.js'

export interface LookupRouteDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly giver: Pick<AddressGiver, 'isOurs'>
}

const REQUEST_ID = /^0x[0-9a-fA-F]{64}$/

/** How the address may stand in the table: in the form of each chain that reads it as one. */
const formsOf = (chains: ChainRegistry, text: string): readonly string[] => [
  ...new Set(
    chains.all().flatMap(({ adapter }) => {
      const check = readAddressToPay(adapter, text)
      return check.ok ? [destinationText(check.destination)] : []
    }),
  ),
]

const find = async (
  { pool, chains }: LookupRouteDeps,
  { address, requestId }: { readonly address?: string; readonly requestId?: string },
): Promise<StoredDepositAddress | undefined> => {
  if (requestId !== undefined) {
    if (!REQUEST_ID.test(requestId)) return undefined
    // CAST: the pattern.
    return (await findAddresses(pool, { requestId: requestId.toLowerCase() as Hex }))[0]
  }
  for (const form of formsOf(chains, address ?? '')) {
    const [found] = await findAddresses(pool, { address: form })
    if (found !== undefined) return found
  }
  return undefined
}

/** `GET /deposit-addresses/v1` (wire.md 2.12). Nothing is told that does not derive, or is not signed, as ours. */
export const lookupRoute = (deps: LookupRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/deposit-addresses/v1',
    summary: 'Look up an address to pay to',
    description: 'Takes exactly one of `address` and `requestId`.',
    tags: ['transactions'],
    bucket: 'other',
    auth: 'required',
    query: LookupQuery,
    responses: { 200: DepositAddressAnswer, 400: MessageSchema, 404: MessageSchema },
    handler: async ({ query }) => {
      if ((query.address === undefined) === (query.requestId === undefined)) {
        throw new ServiceError('INVALID_REQUEST', 'Exactly one of query.address and query.requestId is needed')
      }
      const found = await find(deps, query)
      if (found === undefined) throw new HttpError(404, 'No such address was given here')
      const chain = deps.chains.find(found.chainId)
      if (chain === undefined || !(await deps.giver.isOurs(chain, found))) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'This address cannot be confirmed now. Pay nothing to it.')
      }
      const { type, requestId, chainId, createdAt, currency, refundTo } = found
      return {
        depositAddress: destinationText(found.destination),
        ...{ type, requestId, chainId, refundTo },
        createdAt: new Date(createdAt).toISOString(),
        currency: deps.currencies.find(chainId, currency)?.groupId ?? null,
      }
    },
  })
