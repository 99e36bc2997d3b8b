import { smaller } from '@causeway/core'
import { StateView } from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import type { Kind } from './kinds.js'
import type { LedgerTx, Transfer } from './ledgerTx.js'
import { need, Refusal } from './refusal.js'
import { type ExchangeRate, feeCredits, priceOf, tinybarsOf } from './rules/fees.js'
import { completingKey, hasSigned, type Signers } from './rules/signatures.js'
import { accountIn, type View } from './state/entries.js'
import { type Child, Context, type Ready } from './transactions/context.js'
import { TRANSACTORS } from './transactions/transactors.js'
import { bigintOf, type Code, numberOf } from './values.js'

/** The network at one consensus time. */
export interface Moment {
  readonly now: bigint
  readonly rate: ExchangeRate
  readonly nextId: () => string
}

export interface Order {
  readonly kind: Kind
  readonly body: proto.ITransactionBody
  readonly transactionId: proto.ITransactionID
  readonly payer: string
  readonly node: string
  readonly signers: Signers
  /** Needs no keys and pays no fees. */
  readonly trusted: boolean
  /** Found before execution: the transaction pays its fee and has no effect. */
  readonly refused?: Code
}

export interface Outcome extends Pick<LedgerTx, 'result' | 'fee' | 'transfers' | 'assessed' | 'made'> {
  readonly children: readonly Child[]
  readonly ready: Ready | null
}

/** Executes a transaction on a view: its fee, and if it succeeds its effects. */
export const execute = (view: View, order: Order, moment: Moment): Outcome => {
  const price = order.trusted ? 0n : tinybarsOf(priceOf(order.kind, order.body, view), moment.rate)
  const { payer, node } = order
  const held = accountIn(view, payer)?.balance ?? 0n
  const fee = smaller(held, price)
  const feeMoves = moveFee(view, payer, node, fee)
  const completed = completePayer(view, order)
  const inner: View = new StateView(view)
  let extra = 0n
  const charge = (more: bigint): void => {
    if (order.trusted) return
    extra += tinybarsOf(more, moment.rate)
    need(fee + extra <= bigintOf(order.body.transactionFee), 'INSUFFICIENT_TX_FEE')
  }
  const context = new Context({ ...order, ...moment, state: inner, charge })
  const extraMoves: Transfer[] = []
  const result = resultOf(() => {
    need(fee === price, 'INSUFFICIENT_PAYER_BALANCE')
    if (order.refused !== undefined) throw new Refusal(order.refused)
    if (!order.trusted) TRANSACTORS[order.kind].check?.(order.body)
    TRANSACTORS[order.kind].apply(order.body, context)
    need((accountIn(inner, payer)?.balance ?? 0n) >= extra, 'INSUFFICIENT_PAYER_BALANCE')
    extraMoves.push(...moveFee(inner, payer, node, extra))
  })
  if (result !== 'SUCCESS') {
    const nothing = { assessed: [], made: {}, ready: null }
    return { ...nothing, result, fee, transfers: netOf(feeMoves), children: completed }
  }
  view.take(inner.changes())
  const { transfers, children, assessed, made, ready } = context
  const net = netOf([...feeMoves, ...extraMoves, ...transfers])
  const all = [...completed, ...children]
  return { result, fee: fee + extra, transfers: net, children: all, assessed, made, ready }
}

/** `SUCCESS`, or the code of a refusal. */
export const resultOf = (run: () => void): Code => {
  try {
    run()
    return 'SUCCESS'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Takes a fee from its payer, whose balance has it. */
const moveFee = (view: View, payer: string, node: string, fee: bigint): readonly Transfer[] => {
  const changes = [[payer, -fee] as const, ...feeCredits(fee, node)].filter(([, amount]) => amount !== 0n)
  return changes.map(([id, amount]) => {
    const account = accountIn(view, id)
    if (account !== null) view.put({ ...account, balance: account.balance + amount })
    return { account: id, amount, token: null, approval: false }
  })
}

/** The signature of a hollow payer completes its account, also if the transaction fails. */
const completePayer = (view: View, { payer, signers }: Order): readonly Child[] => {
  const account = accountIn(view, payer)
  const key = account === null ? undefined : completingKey(account, signers)
  if (account === null || key === undefined) return []
  view.put({ ...account, key })
  return [{ kind: 'cryptoUpdateAccount', body: { cryptoUpdateAccount: { key } }, made: { account: payer } }]
}

/** Whether the payer signed, also with the key that completes its hollow account. */
export const hasPayerSigned = (view: View, { payer, signers }: Pick<Order, 'payer' | 'signers'>): boolean => {
  const account = accountIn(view, payer)
  if (account === null) return false
  return account.key === null ? completingKey(account, signers) !== undefined : hasSigned(account.key, signers)
}

/** One amount for each account and token, in the order of their numbers. */
const netOf = (transfers: readonly Transfer[]): readonly Transfer[] => {
  const net = new Map<string, Transfer>()
  for (const one of transfers) {
    const key = `${one.token}:${one.account}`
    const before = net.get(key)
    const amount = (before?.amount ?? 0n) + one.amount
    net.set(key, { ...one, amount, approval: one.approval || before?.approval === true })
  }
  const order = ({ token, account }: Transfer) => (token === null ? 0n : numberOf(token) << 64n) + numberOf(account)
  return [...net.values()].filter(({ amount }) => amount !== 0n).sort((a, b) => (order(a) < order(b) ? -1 : 1))
}
