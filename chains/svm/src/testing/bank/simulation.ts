import { CallError } from '@causeway/core/testing'
import { encodeAccount } from '../rpc/accountAnswer.js'
import { invalidParams } from '../rpc/rpcFailure.js'
import type { Bank, SimulationResult } from './bank.js'
import { describeError, type RpcError } from './engineErrors.js'
import { BLOCKHASH_LIFE, type Commitment, type Slots } from './slots.js'
import type { WireTransaction } from './wireTransaction.js'

interface Parts {
  readonly slots: Slots
  readonly bank: Bank
}

/** A node, as far as its method `simulateTransaction` needs it. */
interface SimulatingNode extends Parts {
  decode(encoded: string, encoding: string): WireTransaction
}

interface SimulateOptions {
  readonly commitment?: Commitment
  readonly encoding?: string
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
  readonly innerInstructions?: boolean
  readonly accounts?: { readonly addresses: readonly string[] }
}

/** Runs a transaction without keeping what it did. */
const simulate = (
  { slots, bank }: Parts,
  wire: WireTransaction,
  { checkSignatures, checkHash }: { readonly checkSignatures: boolean; readonly checkHash: boolean },
): SimulationResult => {
  if (checkHash && !slots.isUsable(wire.decoded.message.recentBlockhash)) return refused('BlockhashNotFound')
  if (checkHash && bank.executed(wire.signature) !== undefined) return refused('AlreadyProcessed')
  return bank.simulate(wire, checkSignatures)
}

const refused = (err: RpcError): SimulationResult => ({
  err,
  logs: [],
  units: 0,
  inner: [],
  returnData: null,
  accounts: new Map(),
})

const answerOf = ({ err, logs, units, returnData }: SimulationResult) => ({
  err,
  logs,
  unitsConsumed: units,
  returnData,
  innerInstructions: null,
})

/** What a node does before it takes a transaction. @throws CallError -32002 with the simulation, -32003 for a bad signature */
export const preflight = (parts: Parts, wire: WireTransaction): void => {
  const result = simulate(parts, wire, { checkSignatures: true, checkHash: true })
  if (result.err === null) return
  if (result.err === 'SignatureFailure') throw new CallError(-32003, 'Transaction signature verification failure')
  const message = `Transaction simulation failed: ${describeError(result.err)}`
  throw new CallError(-32002, message, { ...answerOf(result), accounts: null })
}

/** The method `simulateTransaction`. */
export const simulateCall =
  (node: SimulatingNode) =>
  (encoded: string, options: SimulateOptions = {}) => {
    const { sigVerify = false, replaceRecentBlockhash = false, innerInstructions = false, accounts } = options
    const { slots, bank } = node
    if (sigVerify && replaceRecentBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    }
    const wire = node.decode(encoded, options.encoding ?? 'base58')
    const result = simulate(node, wire, { checkSignatures: sigVerify, checkHash: !replaceRecentBlockhash })
    const after = (address: string) =>
      result.err === null ? encodeAccount(result.accounts.get(address) ?? bank.account(address)) : null
    const { blockhash, blockHeight } = slots.newestBlock('confirmed')
    return {
      context: { slot: slots.newest(options.commitment ?? 'finalized'), apiVersion: '3.0.0' },
      value: {
        ...answerOf(result),
        accounts: accounts === undefined ? null : accounts.addresses.map(after),
        ...(innerInstructions ? { innerInstructions: result.inner } : {}),
        ...(replaceRecentBlockhash
          ? { replacementBlockhash: { blockhash, lastValidBlockHeight: blockHeight + BLOCKHASH_LIFE } }
          : {}),
      },
    }
  }
