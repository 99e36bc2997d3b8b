import { destinationText, ServiceError } from '@causeway/core'
import type { ChainMoney } from '@causeway/core/chain'
import { orderLook } from '@causeway/core/money-path'
import {
  ActionRefusedError,
  auditActor,
  type Chain,
  type Command,
  derivedAt,
  derivedTurns,
  recordAudit,
  type StoredDepositAddress,
  withTransaction,
} from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { moneyText, shown } from '../text/moneyText.js'
import { chainOf, requireOneAddress } from './findAddress.js'

const ADDRESS = { name: 'address', description: 'The address, or the id of the request that gave it', required: true }
const CHAIN = {
  flags: '--chain <chain>',
  description: 'Where money was sent to it, by slug or id (default: the chain that gave it)',
}

/** An address on the chain where it is to be looked at. */
interface Target {
  readonly address: StoredDepositAddress
  readonly chain: Chain
  readonly account: string
}

/**
 * The address where it is to be looked at. On another chain it must be the same one, made of the same terms: nobody else could pay there
 * (wire.md E.2 "other chain, same VM"). Throws ActionRefusedError.
 */
const requireTarget = async (deps: OperatorDeps, text: string, option: unknown): Promise<Target> => {
  const named = chainOf(deps, option)
  const address = await requireOneAddress(deps, text, named)
  const chain = named ?? deps.chains.find(address.chainId)
  if (chain === undefined) {
    throw new ActionRefusedError(
      `Chain ${address.chainId} of this address is not configured: add it to "chains" again.`,
    )
  }
  const { slug, id } = chain.config
  const { depositAddresses } = chain.adapter
  if (depositAddresses === undefined) {
    throw new ActionRefusedError(
      `${slug} has no addresses to pay to here, so nothing sweeps there: the options of the chain do not name what they are made of (its package's README).`,
    )
  }
  const target = { address, chain, account: address.destination.address }
  if (id === address.chainId) return target
  const { orderId, depositor } = address
  const terms = { orderId, depositor }
  const [usual] = derivedTurns(depositAddresses, terms)
  if (usual === undefined) {
    throw new ActionRefusedError(`Addresses of ${slug} cannot be made of an order, so this one is none of them.`)
  }
  if (derivedAt(depositAddresses, terms, address.destination) !== undefined) return target
  const there = destinationText(usual.destination)
  throw new ActionRefusedError(
    `This order's address on ${slug} is ${there}: what was sent to ${destinationText(address.destination)} there is out of reach of this service.`,
  )
}

/** What lies there now by the chain's word; null where it cannot be asked. */
const lookNow = async (deps: OperatorDeps, { address, chain }: Target): Promise<readonly ChainMoney[] | null> => {
  const { depositAddresses } = chain.adapter
  const currencies = deps.currencies.ofChain(chain.config.id).map((currency) => currency.address)
  if (depositAddresses === undefined) return null
  try {
    return (await deps.withChain(chain, () => depositAddresses.holdings([address], currencies))).flat()
  } catch (error) {
    if (ServiceError.is(error)) return null
    throw error
  }
}

const foundText = (deps: OperatorDeps, { chain }: Target, found: readonly ChainMoney[] | null): string => {
  if (found === null) return `${chain.config.slug} does not answer now`
  const lies = found.filter(({ amount }) => amount > 0n)
  const money = lies.map((item) => moneyText(shown(deps.currencies, { chainId: chain.config.id, ...item })))
  return `${money.join(', ') || 'nothing'} ${money.length > 1 ? 'lie' : 'lies'} there now on ${chain.config.slug}`
}

const order = (
  deps: OperatorDeps,
  { address, chain, account }: Target,
  { forced, reason, actor }: { readonly forced: boolean; readonly reason: string | null; readonly actor: string },
): Promise<void> => {
  const now = deps.clock.now()
  const { id: chainId } = chain.config
  return withTransaction(deps.pool, async (client) => {
    await orderLook(client, { addressId: address.id, chainId, account, forced }, now)
    await recordAudit(client, {
      at: now,
      actor,
      action: `deposit-addresses ${forced ? 'sweep' : 'rescan'}`,
      subject: `deposit address ${address.id}`,
      details: { reason, chainId, address: destinationText(address.destination), requestId: address.requestId },
    })
  })
}

const follow = (text: string): string => `follow it with causeway deposit-addresses show ${text}`

/** `causeway deposit-addresses sweep <address>`. */
export const addressSweepCommand = (deps: OperatorDeps): Command => ({
  name: 'deposit-addresses sweep',
  console: 'money',
  confirmWith: 'address',
  description: 'Sweep all that lies at an address into the depository, whatever it is worth',
  arguments: [ADDRESS],
  options: [
    CHAIN,
    { flags: '--reason <text>', description: 'Why; kept in the audit' },
    { flags: '--yes', description: 'Do not ask' },
  ],
  run: async ({ arguments: [text = ''], options, actor = auditActor(), print }) => {
    const target = await requireTarget(deps, text, options.chain)
    const found = await lookNow(deps, target)
    const lies = foundText(deps, target, found)
    if (options.yes !== true && !(await deps.confirm(`${lies}. Sweep it at whatever cost?`)))
      throw new ActionRefusedError('Nothing was done.')
    await order(deps, target, {
      forced: true,
      actor,
      reason: typeof options.reason === 'string' ? options.reason.slice(0, 500) : null,
    })
    print(`Ordered: ${lies}. The solver looks at once and sweeps what it finds; ${follow(text)}.`)
  },
})

/** `causeway deposit-addresses rescan <address>`. */
export const addressRescanCommand = (deps: OperatorDeps): Command => ({
  name: 'deposit-addresses rescan',
  console: 'action',
  description: 'Look at an address now; what lies there is swept where it is worth its sweep',
  arguments: [ADDRESS],
  options: [CHAIN],
  run: async ({ arguments: [text = ''], options, actor = auditActor(), print }) => {
    const target = await requireTarget(deps, text, options.chain)
    const found = await lookNow(deps, target)
    await order(deps, target, { forced: false, reason: null, actor })
    print(`Ordered: ${foundText(deps, target, found)}. The solver looks at once; ${follow(text)}.`)
  },
})
