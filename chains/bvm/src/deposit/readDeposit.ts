import type { Hex } from '@causeway/core'
import { parseAddress } from '../address/addresses.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { COINBASE_MATURITY, type Outpoint } from '../coins/coin.js'
import { leastDeposit } from '../coins/dust.js'
import type { BitcoinNetwork } from '../network/networks.js'
import { readOrderText } from '../orderText/orderText.js'
import type { ChainTransaction } from '../transaction/chainTransaction.js'

/** A deposit as one transaction makes it; one transaction is one deposit at most. */
export interface ReadDeposit {
  /** Null when the transaction names no order: it waits for somebody who knows whose it is. */
  readonly orderId: Hex | null
  /** Satoshis: the sum of all outputs to the depository. */
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
 * What a transaction deposits, null when it deposits nothing (chains.md bvm 3): it pays the depository nothing, or only outputs
 * that are not worth spending, or it spends the depository's own coins and is a withdrawal.
 */
export const readDeposit = (
  transaction: ChainTransaction,
  { network, depository }: DepositRules,
): ReadDeposit | null => {
  const { inputs, outputs } = transaction
  if (inputs.some(({ previous }) => previous !== null && equalBytes(previous.script, depository))) return null
  const least = leastDeposit(depository)
  const amount = outputs.reduce(
    (sum, { script, value }) => (value >= least && equalBytes(script, depository) ? sum + value : sum),
    0n,
  )
  if (amount === 0n) return null
  const texts = outputs.map(({ script }) => readOrderText(script))
  const index = texts.findIndex((text) => text !== null)
  const text = texts[index] ?? null
  return {
    orderId: text?.orderId ?? null,
    amount,
    depositor: namedDepositor(text?.depositor ?? null, network) ?? firstSender(transaction, network),
    owner: soleOwner(transaction, network),
    index: Math.max(0, index),
    spent: inputs.flatMap(({ outpoint }) => outpoint ?? []),
    leastConfirmations: inputs.some(({ outpoint }) => outpoint === null) ? COINBASE_MATURITY : 1n,
  }
}

const namedDepositor = (text: string | null, network: BitcoinNetwork): string | null => {
  const parsed = text === null ? null : parseAddress(text, network)
  return parsed?.ok === true ? parsed.canonical : null
}

const firstSender = ({ inputs }: ChainTransaction, network: BitcoinNetwork): string | null => {
  for (const { previous } of inputs) {
    const address = previous === null ? null : addressOfScript(previous.script, network)
    if (address !== null) return address
  }
  return null
}

const soleOwner = ({ inputs }: ChainTransaction, network: BitcoinNetwork): string | null => {
  const owners = new Set(
    inputs.map(({ previous }) => (previous === null ? null : addressOfScript(previous.script, network))),
  )
  const [owner = null] = owners
  return owners.size === 1 ? owner : null
}
