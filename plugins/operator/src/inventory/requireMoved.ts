import { type Currency, formatAmount } from '@causeway/core'
import { ActionRefusedError, type Chain } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

export interface Moved {
  readonly currency: Currency
  /** What the wallet is said to have got; below 0: what was taken out. */
  readonly amount: bigint
  readonly txId: string
  /** The operator vouches for it, where the chain cannot show it. */
  readonly unchecked: boolean
  /** Whose it is; absent: the payout key's wallet. */
  readonly wallet?: string
}

/**
 * That a transaction moved just this into a wallet, or out of it, as the chain shows it. True where the chain
 * showed it, false where it cannot and the operator vouches for it.
 * @throws ActionRefusedError when it did something else, or nobody vouches
 */
export const requireMoved = async (deps: OperatorDeps, chain: Chain, moved: Moved): Promise<boolean> => {
  const { currency, amount, txId, unchecked } = moved
  const { adapter, config } = chain
  const wallet = moved.wallet ?? config.solver
  const gain = await deps.withChain(chain, async () => {
    const { status } = await adapter.findTransaction({ id: txId })
    if (status !== 'success')
      throw new ActionRefusedError(`${config.slug} shows ${txId} as ${status}; only a successful one is booked.`)
    return adapter.accountGain?.({ id: txId }, { address: wallet, currency: currency.address }) ?? null
  })
  if (gain === amount) return true
  if (gain !== null) {
    throw new ActionRefusedError(
      `${txId} ${happened(gain, currency)} the wallet ${wallet} on ${config.slug}; nothing else is booked for it.`,
    )
  }
  if (unchecked) return false
  throw new ActionRefusedError(
    `${config.slug} cannot show what ${txId} moved. Look at it in an explorer; if it is right, give --unchecked and a --reason.`,
  )
}

const happened = (gain: bigint, { decimals, symbol }: Currency): string => {
  if (gain === 0n) return `moved no ${symbol} into or out of`
  const shown = `${formatAmount(gain < 0n ? -gain : gain, decimals)} ${symbol}`
  return gain < 0n ? `took ${shown} out of` : `brought ${shown} into`
}
