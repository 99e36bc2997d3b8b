import { opcodes, script, Transaction } from 'bitcoinjs-lib'
import { type BitcoinAccount, SPEND_FORMS, type SpendableCoin, type SpendForm, signAll } from '../accounts.js'
import { sameBytes } from '../api/view.js'
import { outpoint } from '../chain/coins.js'
import { scriptOf } from '../chain/scriptForms.js'
import { dustLimit } from '../mempool/policy.js'
import type { LocalNode } from './localNode.js'

const REPLACEABLE = 0xfffffffd

/** An output: to an address or a script. */
export interface PaidOutput {
  readonly to: string | Uint8Array
  /** Satoshis. */
  readonly value: bigint
}

/** How a payment is built; each part has a default. */
export interface PayOptions {
  /** Whole fee in satoshis (default 2,000). */
  readonly fee?: bigint
  /** Spend exactly these; else the account's largest, confirmed ones first. */
  readonly coins?: readonly SpendableCoin[]
  /** Choose among coins of this form only. */
  readonly form?: SpendForm
  /** Text or bytes of an OP_RETURN output, which stands after the others and before change. */
  readonly data?: string | Uint8Array
  /** Of every input (default 0xfffffffd, which signals BIP125). */
  readonly sequence?: number
  readonly locktime?: number
  /** Where change goes (default: the account's p2wpkh address); null: what is left is fee. */
  readonly change?: string | null
}

/** Unspent coins of an account, confirmed ones first, largest first; coinbases that are too young are left out. */
export const coinsOf = (node: LocalNode, account: BitcoinAccount, form?: SpendForm): readonly SpendableCoin[] => {
  const forms = form === undefined ? SPEND_FORMS : [form]
  const found = forms.flatMap((one) =>
    coinsOfScript(node, account.scripts[one]).map((coin) => ({ ...coin, form: one })),
  )
  return found.sort((a, b) => Number(b.confirmed) - Number(a.confirmed) || Number(b.value - a.value))
}

const coinsOfScript = (node: LocalNode, owned: Uint8Array) => {
  const { chain, mempool, policy } = node
  const waiting = [...mempool.entries.values()]
  const transactions = [
    ...chain
      .historyOf(owned)
      .flatMap((txid) => chain.placeOf(txid) ?? [])
      .flatMap(({ block, at }) => block.transactions[at] ?? []),
    ...waiting,
  ]
  return transactions.flatMap(({ tx, txid }) =>
    tx.outs.flatMap(({ value, script: paid }, vout) => {
      const key = outpoint(txid, vout)
      const coin = chain.coins.get(key) ?? mempool.coinOf(key)
      if (coin === undefined || !sameBytes(paid, owned) || mempool.spenderOf(key) !== undefined) return []
      const young = coin.coinbase && chain.height + 1 - (coin.height ?? 0) < policy.coinbaseMaturity
      return young ? [] : [{ txid, vout, value, confirmed: coin.height !== null }]
    }),
  )
}

/** Builds and signs a payment. @throws Error when the account holds too little */
export const buildPayment = (
  node: LocalNode,
  account: BitcoinAccount,
  outputs: readonly PaidOutput[],
  options: PayOptions = {},
): Transaction => {
  const { fee = 2_000n, sequence = REPLACEABLE, data } = options
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  const coins = options.coins ?? choose(coinsOf(node, account, options.form), paid + fee)
  const tx = new Transaction()
  tx.version = 2
  tx.locktime = options.locktime ?? 0
  for (const { txid, vout } of coins) tx.addInput(Buffer.from(txid, 'hex').reverse(), vout, sequence)
  for (const { to, value } of outputs) tx.addOutput(typeof to === 'string' ? scriptOf(to) : to, value)
  if (data !== undefined) tx.addOutput(dataScript(data), 0n)
  addChange(node, tx, account, coins.reduce((sum, { value }) => sum + value, 0n) - paid - fee, options)
  signAll(tx, account, coins)
  return tx
}

/** An OP_RETURN script of text or bytes. */
export const dataScript = (data: string | Uint8Array): Uint8Array =>
  script.compile([opcodes.OP_RETURN ?? 0x6a, typeof data === 'string' ? Buffer.from(data, 'utf8') : data])

const addChange = (
  node: LocalNode,
  tx: Transaction,
  account: BitcoinAccount,
  left: bigint,
  { change = account.addresses.p2wpkh }: PayOptions,
): void => {
  if (change === null) return
  const to = scriptOf(change)
  if (left >= dustLimit(to, node.policy.dustFeeRate)) tx.addOutput(to, left)
}

const choose = (coins: readonly SpendableCoin[], wanted: bigint): readonly SpendableCoin[] => {
  const chosen: SpendableCoin[] = []
  let sum = 0n
  for (const coin of coins) {
    if (sum >= wanted) break
    chosen.push(coin)
    sum += coin.value
  }
  if (sum < wanted) throw new Error(`the account holds ${sum} satoshis of ${wanted}`)
  return chosen
}
