import type { Chain, ChainRegistry } from '../chain/chainRegistry.js'
import type { Json } from '../chain/json.js'
import { storedTx } from '../chain/txLocator.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import type { Prices } from '../money/prices/priceSource.js'
import type { Usd } from '../money/usd.js'
import { usdValue } from '../money/usdMath.js'
import { type QuorumDemand, quorumDemand, requireQuorum } from '../quorum/quorumTiers.js'

export interface DepositTrustDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
}

/** A stored deposit about which something is to be decided. */
export interface DepositInDoubt {
  readonly txId: string
  readonly locator?: Json
  readonly position: number
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  readonly height: bigint
  /** The order id that its transaction carries: another one, or none, where an operator gave it to the request. */
  readonly orderId: Hex | null
}

/** `shallow`: more blocks are to come; `unconfirmed`: too few providers show it. */
export type DepositTrust = 'trusted' | 'shallow' | 'unconfirmed'

/** What an amount on a chain asks of its providers. A currency without a price counts as above every tier. */
export const demandOf = async (
  deps: DepositTrustDeps,
  money: { readonly chainId: number; readonly currency: string; readonly amount: bigint },
): Promise<QuorumDemand> => quorumDemand(deps.chains.get(money.chainId).config, await worthOf(deps, money))

const worthOf = async (
  { currencies, prices }: DepositTrustDeps,
  {
    chainId,
    currency: address,
    amount,
  }: { readonly chainId: number; readonly currency: string; readonly amount: bigint },
): Promise<Usd | null> => {
  const currency = currencies.find(chainId, address)
  if (currency === undefined) return null
  const [price] = await prices.get([currency]).catch(() => [])
  return price === undefined ? null : usdValue({ currency, amount }, price.usd)
}

/** As deep as asked; where the chain says itself what is final, a depth of `settle` or more means just that. */
const isDeep = async ({ adapter, config }: Chain, height: bigint, confirmations: number): Promise<boolean> => {
  const tip = await adapter.tip()
  if (tip.height - height + 1n < BigInt(confirmations)) return false
  if (adapter.finalHeight === undefined || confirmations < config.confirmations.settle) return true
  return (await adapter.finalHeight()) >= height
}

/**
 * Whether a deposit may be filled or refunded: as deep as its origin chain asks and, above a tier, shown by as many providers
 * with this very money and order id (invariant 3, faults.md F05). Throws ServiceError when the chain cannot be asked.
 */
export const judgeDeposit = async (deps: DepositTrustDeps, deposit: DepositInDoubt): Promise<DepositTrust> => {
  const chain = deps.chains.get(deposit.chainId)
  const { adapter } = chain
  const demand = await demandOf(deps, deposit)
  if (demand.confirmations > 1 && !(await isDeep(chain, deposit.height, demand.confirmations))) return 'shallow'
  if (demand.agreeing <= 1) return 'trusted'
  // Without it nothing is asked: a decision that waits for nodes which are gone holds up those beside it.
  requireQuorum(chain, demand.agreeing)
  const { position, currency, amount, orderId, height } = deposit
  const claim = { tx: storedTx(deposit), position, money: { currency, amount }, orderId, height }
  return (await adapter.confirmDeposit(claim, demand)) ? 'trusted' : 'unconfirmed'
}
