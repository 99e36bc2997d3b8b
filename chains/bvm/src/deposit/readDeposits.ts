import type { Hex } from '@causeway/core'
import { parseAddress } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { COINBASE_MATURITY, type Outpoint } from '../payout/coins/coin.js'
import { leastDeposit } from '../payout/coins/dust.js'
import { type ChainOutput, type ChainTransaction, outpointsIn, spentFrom } from '../rpc/chainTransaction.js'
import { readDepositors, readOrderId } from './orderText.js'

/** A deposit that a transaction makes. */
export interface ReadDeposit {
  /** Counts the deposits of one transaction from 0. */
  readonly position: number
  /** Null when the transaction names no order: it waits for somebody who knows whose it is. */
  readonly orderId: Hex | null
  /** Satoshis: of all outputs to the depository, or of the one that is this order's own. */
  readonly amount: bigint
  /** Null when no input has an address and none is named. */
  readonly depositor: string | null
  /** Owner of all inputs, who alone can have sent it; null when they have several, or one without an address. */
  readonly owner: string | null
  /** Place of the OP_RETURN among the outputs, else 0 (chains.md, What commits a deposit to an order 5). */
  readonly index: number
  /** What it spends. Another transaction that spends one of these can make the deposit vanish. */
  readonly spent: readonly Outpoint[]
  /** Blocks that it needs whatever its amount: those of a coinbase cannot be spent before. */
  readonly leastConfirmations: bigint
}

export interface DepositRules {
  readonly network: BitcoinNetwork
  /** Script of the depository's address. */
  readonly depository: Uint8Array
}

/**
 * What a transaction deposits (chains.md bvm 3): one deposit of all its outputs to the depository, for the first order that it names. One
 * that names several orders, each right behind an output to the depository of its own, makes as many deposits: so several deposit
 * addresses are swept together. None when it pays the depository nothing, or only outputs
 * that are not worth spending, or it spends the depository's own coins and is a withdrawal.
 */
export const readDeposits = (
  transaction: ChainTransaction,
  { network, depository }: DepositRules,
): readonly ReadDeposit[] => {
  const { inputs, outputs } = transaction
  if (spentFrom(transaction, depository).length > 0) return []
  const least = leastDeposit(depository)
  const paid = outputs.flatMap(({ script, value }, at) =>
    value >= least && equalBytes(script, depository) ? [{ at, value }] : [],
  )
  if (paid.length === 0) return []
  const ids = outputs.map(({ script }) => readOrderId(script))
  const shared = {
    owner: soleOwner(transaction, network),
    spent: outpointsIn(transaction),
    leastConfirmations: inputs.some(({ outpoint }) => outpoint === null) ? COINBASE_MATURITY : 1n,
  }
  const sender = firstSender(transaction, network)
  /** `at`: the output with its text, null where it has none; `told`: those that may name the depositor. */
  const depositOf = (at: number | null, told: readonly ChainOutput[], amount: bigint, payer: string | null) => ({
    ...shared,
    orderId: at === null ? null : (ids[at] ?? null),
    index: at ?? 0,
    amount,
    depositor: namedDepositor(told, network) ?? payer,
  })
  if (namesEach(paid, ids)) {
    const payers = payersOf(transaction, paid, network)
    return paid.map(({ at, value }, position) => ({
      ...depositOf(at + 1, outputs.slice(at + 1, at + 2), value, payers?.[position] ?? sender),
      position,
    }))
  }
  const index = ids.findIndex((id) => id !== null)
  const amount = paid.reduce((sum, { value }) => sum + value, 0n)
  return [{ ...depositOf(index === -1 ? null : index, outputs, amount, sender), position: 0 }]
}

interface PaidOutput {
  /** Place among the outputs. */
  readonly at: number
  readonly value: bigint
}

/** Whether several orders are named, all different, each right behind an output of its own, and none anywhere else. */
const namesEach = (paid: readonly PaidOutput[], ids: readonly (Hex | null)[]): boolean => {
  const named = paid.flatMap(({ at }) => ids[at + 1]?.toLowerCase() ?? [])
  const all = ids.filter((id) => id !== null)
  return (
    named.length > 1 &&
    named.length === paid.length &&
    all.length === named.length &&
    new Set(named).size === named.length
  )
}

/** Whose coins each output is made of: inputs of one owner stand together and bring just that; null where it is not so. */
const payersOf = (
  { inputs }: ChainTransaction,
  paid: readonly PaidOutput[],
  network: BitcoinNetwork,
): readonly string[] | null => {
  const runs: { readonly owner: string | null; value: bigint }[] = []
  for (const { previous } of inputs) {
    const owner = previous === null ? null : addressOfScript(previous.script, network)
    const last = runs.at(-1)
    if (last !== undefined && last.owner === owner) last.value += previous?.value ?? 0n
    else runs.push({ owner, value: previous?.value ?? 0n })
  }
  const owners = paid.flatMap(({ value }, at) => (runs[at]?.value === value ? (runs[at]?.owner ?? []) : []))
  return owners.length === paid.length ? owners : null
}

/** The first that is named and is an address of the network. */
const namedDepositor = (outputs: readonly ChainOutput[], network: BitcoinNetwork): string | null => {
  for (const named of outputs.flatMap(({ script }) => readDepositors(script))) {
    const parsed = parseAddress(named, network)
    if (parsed.ok) return parsed.canonical
  }
  return null
}

const firstSender = ({ inputs }: ChainTransaction, network: BitcoinNetwork): string | null => {
  for (const { previous } of inputs) {
    const address = previous === null ? null : addressOfScript(previous.script, network)
    if (address !== null) return address
  }
  return null
}

/** Owner of all inputs; null when they have several, or one without an address. */
export const soleOwner = ({ inputs }: ChainTransaction, network: BitcoinNetwork): string | null => {
  const owners = new Set(
    inputs.map(({ previous }) => (previous === null ? null : addressOfScript(previous.script, network))),
  )
  const [owner = null] = owners
  return owners.size === 1 ? owner : null
}
