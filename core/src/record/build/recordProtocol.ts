import type { RecordDeposit, RecordFacts, RecordPayout } from '../recordFacts.js'
import type { RecordContext } from './recordContext.js'
import { isLanded, isRefund, isSent, type RecordExecution } from './recordExecution.js'

interface SettledTxJson {
  readonly chainId: number
  readonly transactionId: string
}

/** `protocol` of a record (wire.md 3.1). */
export interface RecordProtocolJson {
  readonly orderId: string
  readonly hubType: 'onchain'
  readonly isWithdrawable: boolean
  readonly solver: { readonly address: string; readonly protocolChainId: string; readonly chainId: number } | null
  readonly deposit: {
    /** Null until there is one. */
    readonly origin: {
      readonly amount: string
      readonly chainId: number
      readonly currency: string
      readonly depositor: string
      readonly depository: string
      readonly onchainId: string
      readonly transactionId: string
    } | null
  }
  readonly settlement: {
    readonly destination: { readonly fills: readonly SettledTxJson[]; readonly refunds: readonly SettledTxJson[] }
  }
}

const solverOf = ({ order, terms }: RecordFacts, { chains }: RecordContext): RecordProtocolJson['solver'] => {
  const [address, slug] = [order?.solver, order?.solverChainId]
  if (typeof address !== 'string' || typeof slug !== 'string') return null
  const chain = chains.all().find(({ config }) => config.slug === slug)
  return { address, protocolChainId: slug, chainId: chain?.config.id ?? terms.origin.chainId }
}

const depositJson = ({ amount, chainId, currency, depositor, depository, onchainId, txId }: RecordDeposit) => ({
  amount: amount.toString(),
  chainId,
  currency,
  depositor,
  depository,
  onchainId,
  transactionId: txId,
})

const settled = (payouts: readonly RecordPayout[], test: (payout: RecordPayout) => boolean): readonly SettledTxJson[] =>
  payouts.flatMap((payout) =>
    payout.txId !== null && isLanded(payout) && test(payout)
      ? [{ chainId: payout.chainId, transactionId: payout.txId }]
      : [],
  )

/** The deposit lies in the depository and nothing was paid or signed for it (wire.md K.3 5). */
const isWithdrawable = (deposit: RecordDeposit | null, payouts: readonly RecordPayout[]): boolean =>
  deposit !== null &&
  deposit.state === 'included' &&
  !deposit.withdrawn &&
  !payouts.some((payout) => (payout.purpose === 'fill' || isRefund(payout)) && isSent(payout))

/** `protocol`; null when there is no order (wire.md K.3 2). */
export const recordProtocol = (
  facts: RecordFacts,
  context: RecordContext,
  { deposit }: RecordExecution,
): RecordProtocolJson | null =>
  facts.orderId === null
    ? null
    : {
        orderId: facts.orderId,
        hubType: 'onchain',
        isWithdrawable: isWithdrawable(deposit, facts.payouts),
        solver: solverOf(facts, context),
        deposit: { origin: deposit === null ? null : depositJson(deposit) },
        settlement: {
          destination: {
            fills: settled(facts.payouts, ({ purpose }) => purpose === 'fill'),
            refunds: settled(facts.payouts, isRefund),
          },
        },
      }
