import { VersionedMessage } from '@solana/web3.js'
import type { Executed } from './bank.js'
import type { LocalNode } from './localNode.js'
import { invalidParams, RpcFailure } from './rpcFailure.js'
import { BLOCKHASH_LIFE, type Commitment } from './slots.js'
import { decimalsOf, type EngineAccount, holdingOf, tokenAmount } from './tokenBalances.js'
import { statusOf, transactionAnswer } from './transactionAnswer.js'

export type RpcMethod = (...params: readonly never[]) => unknown

interface Options {
  readonly commitment?: Commitment
  readonly encoding?: string
}

const VERSION = { 'solana-core': 'local', 'feature-set': 0 }
const RECENT_STATUSES = 150

const commitmentOf = (options: Options | undefined): Commitment => options?.commitment ?? 'finalized'

export const encodeAccount = (account: EngineAccount | null, encoding = 'base64') =>
  account === null
    ? null
    : {
        lamports: Number(account.lamports),
        owner: account.owner,
        executable: account.executable,
        rentEpoch: 0,
        space: account.data.length,
        data: [Buffer.from(account.data).toString('base64'), encoding === 'jsonParsed' ? 'base64' : 'base64'],
      }

/** Methods of a node's HTTP interface over a local chain; each throws RpcFailure as a node would. */
export const rpcMethods = (node: LocalNode): Readonly<Record<string, RpcMethod>> => ({
  ...chainMethods(node),
  ...accountMethods(node),
  ...transactionMethods(node),
})

const chainMethods = ({ slots, genesisHash, bank }: LocalNode) => {
  const context = () => ({ slot: slots.newest('confirmed'), apiVersion: '3.0.0' })
  const blockAt = (number: number) => {
    if (number > slots.newest('confirmed')) throw new RpcFailure(-32004, `Block not available for slot ${number}`)
    const slot = slots.at(number)
    if (slot !== undefined) return slot
    throw new RpcFailure(-32007, `Slot ${number} was skipped, or missing due to ledger jump to recent snapshot`)
  }
  return {
    getHealth: () => 'ok',
    getVersion: () => VERSION,
    getGenesisHash: () => genesisHash,
    getFirstAvailableBlock: () => 0,
    getSlot: (options?: Options) => slots.newest(commitmentOf(options)),
    getBlockHeight: (options?: Options) => slots.newestBlock(commitmentOf(options)).blockHeight,
    getEpochInfo: (options?: Options) => {
      const { number, blockHeight } = slots.newestBlock(commitmentOf(options))
      return { epoch: 0, absoluteSlot: number, blockHeight, slotIndex: number, slotsInEpoch: 432_000 }
    },
    getLatestBlockhash: (options?: Options) => {
      const { blockhash, blockHeight } = slots.newestBlock(commitmentOf(options))
      return { context: context(), value: { blockhash, lastValidBlockHeight: blockHeight + BLOCKHASH_LIFE } }
    },
    isBlockhashValid: (blockhash: string) => ({ context: context(), value: slots.isUsable(blockhash) }),
    getBlockTime: (number: number) => blockAt(number).time,
    getBlocks: (from: number, to: number) =>
      Array.from(
        { length: Math.max(0, Math.min(to, slots.newest('confirmed')) - from + 1) },
        (_, at) => from + at,
      ).filter((number) => slots.at(number) !== undefined),
    getBlock: (number: number, options?: { readonly transactionDetails?: string; readonly encoding?: string }) => {
      const { blockhash, previous, parent, time, blockHeight, signatures } = blockAt(number)
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
      }
    },
    getRecentPrioritizationFees: () => slots.recent(150).map(({ number }) => ({ slot: number, prioritizationFee: 0 })),
    getMinimumBalanceForRentExemption: (bytes: number) => Number(bank.rentFor(bytes)),
    getFeeForMessage: (encoded: string) => {
      const message = VersionedMessage.deserialize(Buffer.from(encoded, 'base64'))
      const usable = slots.isUsable(message.recentBlockhash)
      return { context: context(), value: usable ? 5000 * message.header.numRequiredSignatures : null }
    },
  } as unknown as Record<string, RpcMethod>
}

const accountMethods = ({ slots, bank }: LocalNode) => {
  const answer = (value: unknown) => ({ context: { slot: slots.newest('confirmed'), apiVersion: '3.0.0' }, value })
  const holdings = (owner: string, program: string) =>
    bank.ownedBy(program).filter(({ account }) => holdingOf(account)?.owner === owner)
  return {
    getBalance: (address: string) => answer(Number(bank.account(address)?.lamports ?? 0n)),
    getAccountInfo: (address: string, options?: Options) =>
      answer(encodeAccount(bank.account(address), options?.encoding)),
    getMultipleAccounts: (addresses: readonly string[], options?: Options) => {
      if (addresses.length > 100) throw invalidParams(`Too many inputs provided; max 100`)
      return answer(addresses.map((address) => encodeAccount(bank.account(address), options?.encoding)))
    },
    getTokenAccountBalance: (address: string) => {
      const holding = holdingOf(bank.account(address))
      if (holding === null) throw invalidParams('Invalid param: could not find account')
      return answer(tokenAmount(holding.amount, decimalsOf(bank.account(holding.mint))))
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
        found.map(({ address, account }) => ({ pubkey: address, account: encodeAccount(account, options?.encoding) })),
      )
    },
  } as unknown as Record<string, RpcMethod>
}

const transactionMethods = (node: LocalNode) => {
  const { slots, bank } = node
  const context = () => ({ slot: slots.newest('confirmed'), apiVersion: '3.0.0' })
  const timeOf = ({ slot }: Executed) => slots.at(slot)?.time ?? 0
  return {
    requestAirdrop: (address: string, lamports: number) => {
      bank.mint(address, BigInt(lamports))
      node.advance(1)
      return '1'.repeat(64)
    },
    sendTransaction: (encoded: string, options?: Options & { readonly skipPreflight?: boolean }) =>
      node.submit(node.decode(encoded, options?.encoding ?? 'base58'), options?.skipPreflight === true),
    simulateTransaction: (encoded: string, options: SimulateOptions = {}) => simulate(node, encoded, options),
    getSignatureStatuses: (
      signatures: readonly string[],
      options?: { readonly searchTransactionHistory?: boolean },
    ) => ({
      context: context(),
      value: signatures.map((signature) => {
        const executed = node.find(signature, 'processed')
        if (executed === null) return null
        const age = slots.newest('processed') - executed.slot
        if (age > RECENT_STATUSES && options?.searchTransactionHistory !== true) return null
        const confirmationStatus = slots.commitmentOf(executed.slot) ?? 'processed'
        const confirmations = confirmationStatus === 'finalized' ? null : age
        return { slot: executed.slot, confirmations, confirmationStatus, ...statusOf(executed.err) }
      }),
    }),
    getTransaction: (signature: string, options?: Options & { readonly maxSupportedTransactionVersion?: number }) => {
      if (options?.commitment === 'processed')
        throw invalidParams('Method does not support commitment below `confirmed`')
      const executed = node.find(signature, commitmentOf(options))
      if (executed === null) return null
      if (executed.wire.decoded.version === 0 && options?.maxSupportedTransactionVersion === undefined) {
        throw new RpcFailure(
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
    if (executed !== undefined && executed.slot <= newest) found.push(executed)
  }
  return found
}

interface SimulateOptions extends Options {
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
  readonly accounts?: { readonly addresses: readonly string[]; readonly encoding?: string }
}

const simulate = (node: LocalNode, encoded: string, options: SimulateOptions) => {
  const { slots, bank } = node
  const { sigVerify = false, replaceRecentBlockhash = false, accounts } = options
  if (sigVerify && replaceRecentBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
  const wire = node.decode(encoded, options.encoding ?? 'base58')
  const context = { slot: slots.newest('confirmed'), apiVersion: '3.0.0' }
  const stale = !replaceRecentBlockhash && !slots.isUsable(wire.decoded.message.recentBlockhash)
  const result = stale
    ? { err: 'BlockhashNotFound', logs: [], units: 0, accounts: new Map<string, EngineAccount>() }
    : bank.simulate(wire, sigVerify)
  const after = (address: string) => encodeAccount(result.accounts.get(address) ?? bank.account(address))
  return {
    context,
    value: {
      err: result.err,
      logs: result.logs,
      unitsConsumed: result.units,
      accounts: accounts === undefined || result.err !== null ? null : accounts.addresses.map(after),
      returnData: null,
      innerInstructions: null,
      ...(replaceRecentBlockhash ? { replacementBlockhash: slots.newestBlock('confirmed') } : {}),
    },
  }
}
