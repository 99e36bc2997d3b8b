import { CallError } from '@causeway/core/testing'
import { VersionedMessage } from '@solana/web3.js'
import type { Executed } from '../bank/bank.js'
import { messageFee } from '../bank/messageFee.js'
import { simulateCall } from '../bank/simulation.js'
import { BLOCKHASH_LIFE, type Commitment, type Slots } from '../bank/slots.js'
import { Faucet } from '../node/faucet.js'
import type { LocalNode } from '../node/localNode.js'
import { encodeAccount } from './accountAnswer.js'
import { invalidParams } from './rpcFailure.js'
import { decimalsOf, holdingOf, tokenAmount } from './tokenBalances.js'
import { accountsAnswer, statusOf, transactionAnswer } from './transactionAnswer.js'

export type RpcMethod = (...params: readonly never[]) => unknown

interface Options {
  readonly commitment?: Commitment
  readonly encoding?: string
}

const VERSION = { 'solana-core': 'local', 'feature-set': 0 }
const RECENT_STATUSES = 150

const MAX_STATUSES = 256
const MAX_BLOCKS = 500_000

/** The slot that an answer is of. */
const contextOf = (slots: Slots, options?: Options) => ({
  slot: slots.newest(commitmentOf(options)),
  apiVersion: '3.0.0',
})

const commitmentOf = (options: Options | undefined): Commitment => options?.commitment ?? 'finalized'

/** Methods of a node's HTTP interface over a local chain; each throws CallError as a node would. */
export const rpcMethods = (node: LocalNode): Readonly<Record<string, RpcMethod>> => ({
  ...chainMethods(node),
  ...accountMethods(node),
  ...transactionMethods(node),
})

const chainMethods = ({ slots, genesisHash, bank }: LocalNode) => {
  const context = (options?: Options) => contextOf(slots, options)
  const blockAt = (number: number, commitment: Commitment) => {
    if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
    if (number > slots.newest(commitment)) throw new CallError(-32004, `Block not available for slot ${number}`)
    const slot = slots.at(number)
    if (slot !== undefined) return slot
    if (number < slots.forgottenBelow) {
      const first = `First available block: ${slots.forgottenBelow}`
      throw new CallError(-32001, `Block ${number} cleaned up, does not exist on node. ${first}`)
    }
    throw new CallError(-32007, `Slot ${number} was skipped, or missing due to ledger jump to recent snapshot`)
  }
  return {
    getHealth: () => 'ok',
    getVersion: () => VERSION,
    getGenesisHash: () => genesisHash,
    getFirstAvailableBlock: () => slots.forgottenBelow,
    getSlot: (options?: Options) => slots.newest(commitmentOf(options)),
    getBlockHeight: (options?: Options) => slots.newestBlock(commitmentOf(options)).blockHeight,
    getEpochInfo: (options?: Options) => {
      const { number, blockHeight } = slots.newestBlock(commitmentOf(options))
      return { epoch: 0, absoluteSlot: number, blockHeight, slotIndex: number, slotsInEpoch: 432_000 }
    },
    getLatestBlockhash: (options?: Options) => {
      const { number, blockhash, blockHeight } = slots.newestBlock(commitmentOf(options))
      return {
        context: { ...context(options), slot: number },
        value: { blockhash, lastValidBlockHeight: blockHeight + BLOCKHASH_LIFE },
      }
    },
    isBlockhashValid: (blockhash: string, options?: Options) => ({
      context: context(options),
      value: slots.isUsable(blockhash),
    }),
    getBlockTime: (number: number) => blockAt(number, 'confirmed').time,
    getBlocks: (from: number, to: number | null | Options = null, options?: Options) => {
      const last = typeof to === 'number' ? to : Number.MAX_SAFE_INTEGER
      const newest = slots.newest(commitmentOf(options ?? (typeof to === 'object' && to !== null ? to : undefined)))
      const length = Math.max(0, Math.min(last, newest) - from + 1)
      if (length > MAX_BLOCKS) throw invalidParams(`Slot range too large; max ${MAX_BLOCKS}`)
      return Array.from({ length }, (_, at) => from + at).filter((number) => slots.at(number) !== undefined)
    },
    getBlocksWithLimit: (from: number, limit: number, options?: Options) => {
      const newest = slots.newest(commitmentOf(options))
      const found: number[] = []
      for (let number = from; number <= newest && found.length < limit; number += 1) {
        if (slots.at(number) !== undefined) found.push(number)
      }
      return found
    },
    getBlock: (number: number, options?: Options & { readonly transactionDetails?: string }) => {
      const block = blockAt(number, commitmentOf(options))
      const { blockhash, previous, parent, time, blockHeight, signatures } = block
      const details = options?.transactionDetails ?? 'full'
      const shown = signatures.flatMap((signature) => bank.executed(signature) ?? [])
      return {
        blockhash,
        previousBlockhash: previous,
        parentSlot: parent,
        blockTime: time,
        blockHeight,
        ...(details === 'signatures' ? { signatures } : {}),
        ...(details === 'full'
          ? { transactions: shown.map((item) => transactionAnswer(item, time, options?.encoding ?? 'json')) }
          : {}),
        ...(details === 'accounts' ? { transactions: shown.map(accountsAnswer) } : {}),
      }
    },
    getRecentPrioritizationFees: () => slots.recent(150).map(({ number }) => ({ slot: number, prioritizationFee: 0 })),
    getMinimumBalanceForRentExemption: (bytes: number) => Number(bank.rentFor(bytes)),
    getFeeForMessage: (encoded: string, options?: Options) => {
      const message = VersionedMessage.deserialize(Buffer.from(encoded, 'base64'))
      const usable = slots.isUsable(message.recentBlockhash)
      return { context: context(options), value: usable ? messageFee(message) : null }
    },
  } as unknown as Record<string, RpcMethod>
}

const accountMethods = ({ slots, bank }: LocalNode) => {
  const answer = (value: unknown, options?: Options) => ({ context: contextOf(slots, options), value })
  const holdings = (owner: string, program: string) =>
    bank.ownedBy(program).filter(({ account }) => holdingOf(account)?.owner === owner)
  return {
    getBalance: (address: string, options?: Options) => answer(Number(bank.account(address)?.lamports ?? 0n), options),
    getAccountInfo: (address: string, options?: Options) => answer(encodeAccount(bank.account(address)), options),
    getMultipleAccounts: (addresses: readonly string[], options?: Options) => {
      if (addresses.length > 100) throw invalidParams(`Too many inputs provided; max 100`)
      return answer(
        addresses.map((address) => encodeAccount(bank.account(address))),
        options,
      )
    },
    getTokenAccountBalance: (address: string, options?: Options) => {
      const holding = holdingOf(bank.account(address))
      if (holding === null) throw invalidParams('Invalid param: could not find account')
      return answer(tokenAmount(holding.amount, decimalsOf(bank.account(holding.mint))), options)
    },
    getTokenAccountsByOwner: (
      owner: string,
      filter: { readonly mint?: string; readonly programId?: string },
      options?: Options,
    ) => {
      const program = filter.programId ?? bank.account(filter.mint ?? '')?.owner
      if (program === undefined) throw invalidParams('Invalid param: could not find mint')
      const found = holdings(owner, program).filter(
        ({ account }) => filter.mint === undefined || holdingOf(account)?.mint === filter.mint,
      )
      return answer(
        found.map(({ address, account }) => ({ pubkey: address, account: encodeAccount(account) })),
        options,
      )
    },
  } as unknown as Record<string, RpcMethod>
}

const transactionMethods = (node: LocalNode) => {
  const { slots } = node
  const faucet = new Faucet(node)
  const timeOf = ({ slot }: Executed) => slots.at(slot)?.time ?? 0
  return {
    requestAirdrop: (address: string, lamports: number) => node.submit(faucet.transfer(address, lamports), true),
    sendTransaction: (encoded: string, options?: Options & { readonly skipPreflight?: boolean }) =>
      node.submit(node.decode(encoded, options?.encoding ?? 'base58'), options?.skipPreflight === true),
    simulateTransaction: simulateCall(node),
    getSignatureStatuses: (
      signatures: readonly string[],
      options?: { readonly searchTransactionHistory?: boolean },
    ) => {
      if (signatures.length > MAX_STATUSES) throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`)
      const statusAt = (signature: string) => {
        const executed = node.find(signature, 'processed')
        if (executed === null) return null
        const age = slots.newest('processed') - executed.slot
        if (age > RECENT_STATUSES && options?.searchTransactionHistory !== true) return null
        const confirmationStatus = slots.commitmentOf(executed.slot) ?? 'processed'
        const confirmations = confirmationStatus === 'finalized' ? null : age
        return { slot: executed.slot, confirmations, confirmationStatus, ...statusOf(executed.err) }
      }
      return { context: contextOf(slots, { commitment: 'processed' }), value: signatures.map(statusAt) }
    },
    getTransaction: (signature: string, options?: Options & { readonly maxSupportedTransactionVersion?: number }) => {
      if (options?.commitment === 'processed')
        throw invalidParams('Method does not support commitment below `confirmed`')
      const executed = node.find(signature, commitmentOf(options))
      if (executed === null) return null
      if (executed.wire.decoded.version === 0 && options?.maxSupportedTransactionVersion === undefined) {
        throw new CallError(
          -32015,
          'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
        )
      }
      return transactionAnswer(executed, timeOf(executed), options?.encoding ?? 'json')
    },
    getSignaturesForAddress: (address: string, options: SignaturesOptions = {}) => {
      if (options.commitment === 'processed')
        throw invalidParams('Method does not support commitment below `confirmed`')
      return signaturesFor(node, address, options).map((executed) => ({
        signature: executed.wire.signature,
        slot: executed.slot,
        err: executed.err,
        memo: executed.memo,
        blockTime: timeOf(executed),
        confirmationStatus: slots.commitmentOf(executed.slot) ?? 'confirmed',
      }))
    },
  } as unknown as Record<string, RpcMethod>
}

interface SignaturesOptions extends Options {
  readonly before?: string
  readonly until?: string
  readonly limit?: number
}

/** Newest first, as a page: after `before`, until `until` without it. */
const signaturesFor = (
  { bank, slots }: LocalNode,
  address: string,
  { commitment = 'finalized', before, until, limit = 1000 }: SignaturesOptions,
): readonly Executed[] => {
  if (limit < 1 || limit > 1000) throw invalidParams('Invalid limit; max 1000')
  const all = bank.signaturesOf(address)
  const newest = slots.newest(commitment)
  const found: Executed[] = []
  let at = before === undefined ? all.length : all.lastIndexOf(before)
  for (at -= 1; at >= 0 && found.length < limit; at--) {
    const signature = all[at] ?? ''
    if (signature === until) break
    const executed = bank.executed(signature)
    if (executed === undefined || executed.slot > newest) continue
    if (executed.slot < slots.cleanedUpTo) break
    found.push(executed)
  }
  return found
}
