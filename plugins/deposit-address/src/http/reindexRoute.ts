import {
  type Clock,
  type Currency,
  type CurrencyRegistry,
  destinationText,
  readAddressToPay,
  ServiceError,
} from '@causeway/core'
import type { DepositAddress } from '@causeway/core/chain'
import {
  type Chain,
  type ChainRegistry,
  type DatabasePool,
  defineRoute,
  derivedAt,
  findAddresses,
  HttpError,
  MessageSchema,
  ownsAs,
  type Route,
  type StoredDepositAddress,
  tooManyRequests,
} from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import { ReindexAnswer, ReindexBody } from './addressSchemas.js'
import { findHoldings, type Holdings } from './findHoldings.js'
import { callLook, noteFound, type Place, returnLook, takeLook } from './places.js'

export interface ReindexRouteDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly clock: Clock
}

type Body = Static<typeof ReindexBody>

const unknownAddress = (): HttpError => new HttpError(404, 'No such address was given on this chain')
const refuse = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

const storedOf = async ({ pool, chains }: ReindexRouteDeps, body: Body): Promise<StoredDepositAddress> => {
  const adapter = chains.find(body.chainId)?.adapter
  if (adapter === undefined) throw unknownAddress()
  const check = readAddressToPay(adapter, body.depositAddress)
  if (!check.ok) throw unknownAddress()
  const key = { address: destinationText(check.destination), chainId: body.chainId }
  const [found] = await findAddresses(pool, key)
  if (found === undefined) throw unknownAddress()
  return found
}

/** The address as the chain to look at knows it: the same place there, made of the same terms (wire.md E.2 "other chain, same VM"). */
const addressOn = (stored: StoredDepositAddress, target: Chain): DepositAddress => {
  if (target.config.id === stored.chainId) return stored
  const { orderId, depositor } = stored
  const { depositAddresses } = target.adapter
  const derived = depositAddresses && derivedAt(depositAddresses, { orderId, depositor }, stored.destination)
  if (derived !== undefined) return { orderId, depositor, ...derived }
  throw refuse(`body.targetChainId: the address is no address of this service on chain ${target.config.id}`)
}

const targetOf = ({ chains }: ReindexRouteDeps, { chainId, targetChainId = chainId }: Body): Chain => {
  const target = chains.find(targetChainId)
  if (target === undefined) throw refuse(`body.targetChainId: chain ${targetChainId} is not served here`)
  if (target.adapter.vmType !== chains.get(chainId).adapter.vmType) {
    throw refuse('body.targetChainId must be of the same VM as body.chainId: addresses have another form there')
  }
  if (!chains.isServed(target))
    throw refuse(`body.targetChainId: chain ${targetChainId} is switched off or on hold now`)
  if (target.adapter.depositAddresses !== undefined) return target
  throw refuse(`body.targetChainId: chain ${targetChainId} has no addresses to pay to here`)
}

/** By its address on that chain or its group; a token that the solver does not hold by its address alone. */
const currenciesOf = (
  deps: ReindexRouteDeps,
  target: Chain,
  asked: string | undefined,
): readonly Pick<Currency, 'address'>[] => {
  const all = deps.currencies.ofChain(target.config.id)
  if (asked === undefined) return all
  const canonical = target.adapter.normalizeCurrency(asked)
  const found = all.find(({ address, groupId }) => address === canonical || groupId === asked)
  if (found !== undefined) return [found]
  if (canonical === null) throw refuse(`body.currency is no currency of chain ${target.config.id}`)
  return [{ address: canonical }]
}

/** Looks now, once a minute at most; a look that the chain did not answer leaves the next one free. */
const look = async (
  { pool, clock }: ReindexRouteDeps,
  place: Place,
  { read, isHeld }: { read(): Promise<Holdings>; isHeld(currency: string): boolean },
): Promise<Holdings> => {
  const now = clock.now()
  const wait = await takeLook(pool, place, now)
  if (wait !== null) throw tooManyRequests(wait / 1000, 'This address was looked at less than a minute ago')
  try {
    const holdings = await read()
    await noteFound(pool, place, holdings.found)
    if (holdings.found.some(({ currency }) => isHeld(currency))) await callLook(pool, place, now)
    return holdings
  } catch (error) {
    await returnLook(pool, place, now)
    if (!ServiceError.is(error)) throw error
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The chain did not answer in time. Try again.', { cause: error })
  }
}

const messageOf = (found: Holdings['found'], isHeld: (currency: string) => boolean): string => {
  const other = found.filter(({ currency }) => !isHeld(currency))
  const texts = [
    ...(found.length > other.length
      ? ['The address is looked at now: what is worth its sweep is swept, the rest stays until more comes.']
      : []),
    ...other.map(
      ({ currency, amount }) =>
        `${amount} smallest units of ${currency} arrived and cannot be exchanged: the operator recovers them by adding the token to the chain's currencies, then a reindex sends them back.`,
    ),
  ]
  return texts.length === 0 ? 'Nothing lies at this address' : texts.join(' ')
}

/**
 * `POST /transactions/deposit-address/reindex` (wire.md 2.11): looks for money of any currency, on any chain of the VM, that came to an
 * address, and has it swept where it is worth its sweep.
 */
export const reindexRoute = (deps: ReindexRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/transactions/deposit-address/reindex',
    summary: 'Look again for what came to an address',
    description: 'An address that a quote with an API key gave needs a key of the same integrator.',
    tags: ['transactions'],
    bucket: 'other',
    auth: 'optional',
    changes: true,
    body: ReindexBody,
    responses: { 200: ReindexAnswer, 400: MessageSchema, 403: MessageSchema, 404: MessageSchema, 429: MessageSchema },
    handler: async ({ body, caller }) => {
      const stored = await storedOf(deps, body)
      if (stored.integratorId !== null && !ownsAs(caller, stored.integratorId)) {
        throw new ServiceError('FORBIDDEN', 'This address belongs to the quote of another API key')
      }
      const target = targetOf(deps, body)
      const address = addressOn(stored, target)
      const currencies = currenciesOf(deps, target, body.currency)
      const { id: chainId } = target.config
      const isHeld = (currency: string): boolean => deps.currencies.find(chainId, currency) !== undefined
      const place = { addressId: stored.id, chainId, account: address.destination.address }
      const { depositAddresses } = target.adapter
      if (depositAddresses === undefined) throw new Error('The target has the capability')
      const { found, failed } = await look(deps, place, {
        read: () => findHoldings(depositAddresses, address, currencies),
        isHeld,
      })
      return {
        message: messageOf(found, isHeld),
        triggeredCurrencies: found
          .filter(({ currency }) => isHeld(currency))
          .map(({ currency, amount }) => ({
            currency,
            symbol: deps.currencies.find(chainId, currency)?.symbol ?? '',
            balance: amount.toString(),
          })),
        checkedCurrencies: currencies.length,
        failedCurrencies: failed,
      }
    },
  })
