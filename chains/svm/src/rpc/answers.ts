import { type AnswerReader, answerOf, answersByMethod, strangeAnswer } from '@causeway/core/chain-kit'
import { type TSchema, Type } from '@sinclair/typebox'
import type { RpcSimulation } from './simulateMessage.js'
import type {
  Commitment,
  RpcAccount,
  RpcBlock,
  RpcBlockWithAccounts,
  RpcSignature,
  RpcSignatureStatus,
  RpcTransaction,
} from './wire.js'

/**
 * Readers of what nodes answer, by method: what does not fit is the node's failure, and another node is asked (faults.md F161). They
 * check no more than the members that this package reads. What a transaction did must be there (`meta`, `err`, balances of
 * tokens): a node that leaves it out has not said that it is nothing.
 */

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(nullable(schema))

/** Slots, heights, times, places. */
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const time = Type.Integer({ minimum: 0, maximum: 2 ** 43 })
/** JSON has it as a number: above 2^53 it is rounded. */
const lamports = Type.Integer({ minimum: 0, maximum: 2 ** 64 })
const key = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' })
/** A signature or other data, in base58. */
const base58 = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]*$' })
const units = Type.String({ pattern: '^[0-9]{1,20}$' })
const commitment = Type.Unsafe<Commitment>(
  Type.Union([Type.Literal('processed'), Type.Literal('confirmed'), Type.Literal('finalized')]),
)

const context = Type.Object({ slot: count })
const inContext = <Schema extends TSchema>(value: Schema) => Type.Object({ context, value })

const account = Type.Object({
  lamports,
  owner: key,
  executable: Type.Boolean(),
  data: Type.Tuple([Type.String(), Type.String()]),
  space: Type.Optional(count),
})

const tokenBalance = Type.Object({
  accountIndex: count,
  mint: key,
  owner: Type.Optional(key),
  programId: Type.Optional(key),
  uiTokenAmount: Type.Object({ amount: units, decimals: Type.Integer({ minimum: 0, maximum: 255 }) }),
})

const balances = {
  err: Type.Unknown(),
  fee: lamports,
  preBalances: Type.Array(lamports),
  postBalances: Type.Array(lamports),
  preTokenBalances: Type.Array(tokenBalance),
  postTokenBalances: Type.Array(tokenBalance),
}

const instruction = Type.Object({ programIdIndex: count, accounts: Type.Array(count), data: base58 })

const transaction = Type.Object({
  slot: count,
  blockTime: maybe(time),
  meta: Type.Object({
    ...balances,
    innerInstructions: maybe(Type.Array(Type.Object({ index: count, instructions: Type.Array(instruction) }))),
    loadedAddresses: maybe(Type.Object({ writable: Type.Array(key), readonly: Type.Array(key) })),
    logMessages: maybe(Type.Array(Type.String())),
  }),
  transaction: Type.Object({
    signatures: Type.Array(base58),
    message: Type.Object({ accountKeys: Type.Array(key), instructions: Type.Array(instruction) }),
  }),
})

const header = {
  blockhash: key,
  blockHeight: nullable(count),
  blockTime: nullable(time),
  parentSlot: count,
  previousBlockhash: key,
}

const blockWithAccounts = Type.Object({
  ...header,
  transactions: Type.Array(
    Type.Object({
      transaction: Type.Object({
        signatures: Type.Array(Type.String()),
        accountKeys: Type.Array(Type.Object({ pubkey: Type.String(), signer: Type.Boolean() })),
      }),
      meta: Type.Object(balances),
    }),
  ),
})

const status = Type.Object({ slot: count, err: Type.Unknown(), confirmationStatus: nullable(commitment) })

const signature = Type.Object({
  signature: base58,
  slot: count,
  err: Type.Unknown(),
  blockTime: maybe(time),
  confirmationStatus: maybe(commitment),
  memo: maybe(Type.String()),
})

const simulation = Type.Object({
  err: Type.Unknown(),
  logs: nullable(Type.Array(Type.String())),
  unitsConsumed: Type.Optional(count),
  accounts: maybe(Type.Array(nullable(account))),
})

const epochInfo = Type.Object({
  absoluteSlot: count,
  blockHeight: count,
  epoch: count,
  slotIndex: count,
  slotsInEpoch: count,
})

interface InContext<Value> {
  readonly context: { readonly slot: number }
  readonly value: Value
}

const readHeader: AnswerReader<RpcBlock | null> = answerOf(nullable(Type.Object(header)))
const readWithAccounts: AnswerReader<RpcBlockWithAccounts | null> = answerOf(nullable(blockWithAccounts))
const readTransaction: AnswerReader<RpcTransaction | null> = answerOf(nullable(transaction))
const readAccount: AnswerReader<InContext<RpcAccount | null>> = answerOf(inContext(nullable(account)))
const readAccounts: AnswerReader<InContext<readonly (RpcAccount | null)[]>> = answerOf(
  inContext(Type.Array(nullable(account))),
)
const readStatuses: AnswerReader<InContext<readonly (RpcSignatureStatus | null)[]>> = answerOf(
  inContext(Type.Array(nullable(status))),
)
const readSignatures: AnswerReader<readonly RpcSignature[]> = answerOf(Type.Array(signature))
const readSimulation: AnswerReader<InContext<RpcSimulation>> = answerOf(inContext(simulation))
const readCount = answerOf(count)
const readCounts: AnswerReader<readonly number[]> = answerOf(Type.Array(count))
const readText = answerOf(Type.String())

/** One for each that was asked for. */
const asMany =
  <T>(read: AnswerReader<InContext<readonly T[]>>) =>
  (answer: unknown, [asked]: readonly unknown[]): InContext<readonly T[]> => {
    const found = read(answer)
    if (Array.isArray(asked) && found.value.length !== asked.length) throw strangeAnswer('another number of values')
    return found
  }

const readBlockAnswer = (answer: unknown, [, options]: readonly unknown[]): RpcBlock | null =>
  Reflect.get(Object(options), 'transactionDetails') === 'accounts' ? readWithAccounts(answer) : readHeader(answer)

/** The transaction that was asked for: another one would count as it. */
const readTransactionOf = (answer: unknown, [signature]: readonly unknown[]): RpcTransaction | null => {
  const found = readTransaction(answer)
  if (found !== null && typeof signature === 'string' && found.transaction.signatures[0] !== signature)
    throw strangeAnswer('another transaction than the one asked for')
  return found
}

/** Slots in their order from the one on that was asked for, no more than were asked for. */
const readSlots = (answer: unknown, [first, limit]: readonly unknown[]): readonly number[] => {
  const slots = readCounts(answer)
  const isOrdered = slots.every((slot, at) => slot > (slots[at - 1] ?? Number(first ?? 0) - 1))
  if (!isOrdered || slots.length > Number(limit ?? slots.length))
    throw strangeAnswer('other blocks than those asked for')
  return slots
}

/** A page, newest first, no longer than was asked for. */
const readPage = (answer: unknown, [, options]: readonly unknown[]): readonly RpcSignature[] => {
  const page = readSignatures(answer)
  const limit: unknown = Reflect.get(Object(options), 'limit')
  const isOrdered = page.every(({ slot }, at) => slot <= (page[at - 1]?.slot ?? slot))
  if (!isOrdered || page.length > Number(limit ?? page.length))
    throw strangeAnswer('another page than the one asked for')
  return page
}

const READERS: Readonly<Record<string, (answer: unknown, params: readonly unknown[]) => unknown>> = {
  getAccountInfo: readAccount,
  getBlock: readBlockAnswer,
  getBlockTime: answerOf(nullable(time)),
  getBlocksWithLimit: readSlots,
  getEpochInfo: answerOf(epochInfo),
  getFirstAvailableBlock: readCount,
  getGenesisHash: readText,
  getLatestBlockhash: answerOf(inContext(Type.Object({ blockhash: key, lastValidBlockHeight: count }))),
  getMinimumBalanceForRentExemption: answerOf(lamports),
  getMultipleAccounts: asMany(readAccounts),
  getRecentPrioritizationFees: answerOf(Type.Array(Type.Object({ prioritizationFee: lamports }))),
  getSignatureStatuses: asMany(readStatuses),
  getSignaturesForAddress: readPage,
  getSlot: readCount,
  getTransaction: readTransactionOf,
  sendTransaction: readText,
  simulateTransaction: readSimulation,
}

/** Methods whose answers can be read. */
export const readMethods: readonly string[] = Object.keys(READERS)

/** An answer of a node to a call, checked. @throws ServiceError RPC_HTTP_ERROR for one that does not fit it */
export const readAnswer = answersByMethod(READERS)
