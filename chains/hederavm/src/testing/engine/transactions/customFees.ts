import { larger, smaller } from '@causeway/core'
import type { proto } from '@hiero-ledger/proto'
import type { AssessedFee } from '../ledgerTx.js'
import type { Token } from '../state/entries.js'
import { bigintOf, idText } from '../values.js'

/** An amount of a token or of tinybars that a transfer moves. */
export interface Move {
  readonly account: string
  readonly token: string | null
  amount: bigint
  readonly approval: boolean
  /** Added by a custom fee. */
  readonly isFee?: true
}

type Sender = { readonly account: string; readonly sent: bigint }
type Own = { readonly receivers: readonly Move[]; readonly moves: Move[] }

const collectorOf = (fee: proto.ICustomFee): string => idText(fee.feeCollectorAccountId?.accountNum)

/** The treasury and the collector of a fee do not pay it; where all collectors are exempt, none of them does. */
const isExempt = (account: string, fee: proto.ICustomFee, { treasury, fees }: Token): boolean => {
  if (account === treasury || account === collectorOf(fee)) return true
  return fee.allCollectorsAreExempt === true && fees.some((other) => collectorOf(other) === account)
}

/** Adds the custom fees of a token to the moves of a transfer. Returns what was assessed. */
export const assessFees = (token: Token, moves: Move[]): readonly AssessedFee[] => {
  const own = moves.filter((move) => move.token === token.id && move.isFee !== true)
  const senders = own.filter(({ amount }) => amount < 0n).map(({ account, amount }) => ({ account, sent: -amount }))
  const receivers = own.filter(({ amount }) => amount > 0n)
  return token.fees.flatMap((fee) =>
    senders
      .filter(({ account }) => !isExempt(account, fee, token))
      .map(({ account, sent }) =>
        fee.fixedFee
          ? assessFixed(token, fee, account, moves)
          : assessFractional(token, fee, { account, sent }, { receivers, moves }),
      ),
  )
}

const pay = (moves: Move[], { amount, token, collector, payers }: AssessedFee): void => {
  for (const account of payers) moves.push({ account, token, amount: -amount, approval: false, isFee: true })
  moves.push({ account: collector, token, amount, approval: false, isFee: true })
}

const assessFixed = (token: Token, fee: proto.ICustomFee, account: string, moves: Move[]): AssessedFee => {
  const { amount, denominatingTokenId } = fee.fixedFee ?? {}
  // 0.0.0 is the token that a transaction makes with the fee.
  const named = denominatingTokenId && idText(denominatingTokenId.tokenNum)
  const paidIn = named === '0.0.0' ? token.id : (named ?? null)
  const assessed = { amount: bigintOf(amount), token: paidIn, collector: collectorOf(fee), payers: [account] }
  pay(moves, assessed)
  return assessed
}

const assessFractional = (token: Token, fee: proto.ICustomFee, { account, sent }: Sender, own: Own): AssessedFee => {
  const { receivers, moves } = own
  const { fractionalAmount, minimumAmount, maximumAmount, netOfTransfers } = fee.fractionalFee ?? {}
  const share = (sent * bigintOf(fractionalAmount?.numerator)) / bigintOf(fractionalAmount?.denominator)
  const most = bigintOf(maximumAmount)
  const raised = larger(share, bigintOf(minimumAmount))
  const amount = most > 0n ? smaller(raised, most) : raised
  const assessed = { amount, token: token.id, collector: collectorOf(fee) }
  if (netOfTransfers === true) {
    pay(moves, { ...assessed, payers: [account] })
    return { ...assessed, payers: [account] }
  }
  const credited = receivers.reduce((sum, move) => sum + move.amount, 0n)
  let left = amount
  for (const [at, move] of receivers.entries()) {
    const part = at === receivers.length - 1 ? left : (amount * move.amount) / credited
    move.amount -= part
    left -= part
  }
  pay(moves, { ...assessed, payers: [] })
  return { ...assessed, payers: receivers.map((move) => move.account) }
}
