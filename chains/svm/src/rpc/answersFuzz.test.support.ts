import type { RpcCall } from '@causeway/core/chain-kit'
import { readMutated } from '@causeway/core/testing'
import fc from 'fast-check'
import { recogniseDeposits } from '../deposit/recognise/recognise.js'
import { tokensGained, viewTransaction } from '../deposit/recognise/transactionView.js'
import { accountsOf, memosOf, programsOf } from '../lane/transactionFacts.js'
import { readTokenAccount } from '../read/token/tokenAccounts.js'
import { readAnswer, readMethods } from './answers.js'
import { readClock } from './clock.js'
import type { RpcAccount, RpcContext, RpcTransaction } from './wire.js'

const KEY = 'So11111111111111111111111111111111111111112'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const SIGNATURE = '5'.repeat(88)
const CONTEXT = { slot: 9 }

const account = { lamports: 5, owner: TOKEN_PROGRAM, executable: false, data: ['AAAA', 'base64'], space: 3 }

const tokenBalance = {
  accountIndex: 1,
  mint: KEY,
  owner: KEY,
  programId: TOKEN_PROGRAM,
  uiTokenAmount: { amount: '7', decimals: 6 },
}

const balances = {
  err: null,
  fee: 5000,
  preBalances: [9, 1],
  postBalances: [4, 6],
  preTokenBalances: [],
  postTokenBalances: [tokenBalance],
}

const instruction = { programIdIndex: 1, accounts: [0, 1], data: '3Bxs' }

export const transactionAnswer = {
  slot: 9,
  blockTime: 1_700_000_000,
  meta: {
    ...balances,
    innerInstructions: [{ index: 0, instructions: [instruction] }],
    loadedAddresses: { writable: [KEY], readonly: [] },
    logMessages: ['Program log: hello'],
  },
  transaction: { signatures: [SIGNATURE], message: { accountKeys: [KEY, TOKEN_PROGRAM], instructions: [instruction] } },
}

const header = { blockhash: KEY, blockHeight: 8, blockTime: 1_700_000_000, parentSlot: 8, previousBlockhash: KEY }

const blockWithAccounts = {
  ...header,
  transactions: [
    { transaction: { signatures: [SIGNATURE], accountKeys: [{ pubkey: KEY, signer: true }] }, meta: balances },
  ],
}

interface Sample {
  readonly params?: readonly unknown[]
  readonly answer: unknown
  /** Uses what was read as the adapter does. */
  use?(read: unknown): void
}

const asNumber = (read: unknown) => void BigInt(read as number)

const useTransaction = (read: unknown) => {
  if (read === null) return
  const transaction = read as RpcTransaction
  const view = viewTransaction(transaction)
  accountsOf(transaction)
  programsOf(transaction)
  memosOf(transaction)
  if (view === null) return
  tokensGained(view, KEY)
  for (const { data } of view.instructions) void data.length
  recogniseDeposits(transaction, KEY, null, { height: 9n, hash: KEY, time: 1 })
}

const useAccount = (read: unknown) => {
  const answer = read as RpcContext<RpcAccount | null>
  readClock(answer)
  readTokenAccount(answer.value)
}

/** An answer of each method as a node gives it, and what is made of it. */
export const samples: Readonly<Record<string, readonly Sample[]>> = {
  getAccountInfo: [{ answer: { context: CONTEXT, value: account }, use: useAccount }],
  getBlock: [
    { params: [9, { transactionDetails: 'none' }], answer: header },
    { params: [9, { transactionDetails: 'accounts' }], answer: blockWithAccounts },
  ],
  getBlockTime: [{ answer: 1_700_000_000 }],
  getBlocksWithLimit: [{ answer: [7, 8, 9], use: (read) => (read as readonly number[]).forEach(asNumber) }],
  getEpochInfo: [{ answer: { absoluteSlot: 9, blockHeight: 8, epoch: 0, slotIndex: 9, slotsInEpoch: 432_000 } }],
  getFirstAvailableBlock: [{ answer: 1, use: asNumber }],
  getGenesisHash: [{ answer: KEY }],
  getLatestBlockhash: [{ answer: { context: CONTEXT, value: { blockhash: KEY, lastValidBlockHeight: 150 } } }],
  getMinimumBalanceForRentExemption: [{ answer: 890_880, use: asNumber }],
  getMultipleAccounts: [{ params: [[KEY, KEY]], answer: { context: CONTEXT, value: [account, null] } }],
  getRecentPrioritizationFees: [{ answer: [{ slot: 9, prioritizationFee: 0 }] }],
  getSignatureStatuses: [
    {
      params: [[SIGNATURE]],
      answer: { context: CONTEXT, value: [{ slot: 9, err: null, confirmationStatus: 'finalized' }] },
    },
  ],
  getSignaturesForAddress: [
    { answer: [{ signature: SIGNATURE, slot: 9, err: null, blockTime: null, confirmationStatus: 'finalized' }] },
  ],
  getSlot: [{ answer: 9, use: asNumber }],
  getTransaction: [{ answer: transactionAnswer, use: useTransaction }],
  sendTransaction: [{ answer: SIGNATURE }],
  simulateTransaction: [
    { answer: { context: CONTEXT, value: { err: null, logs: [], unitsConsumed: 5, accounts: [account, null] } } },
  ],
}

/** Requires that each answer of a node is read, or is the node's failure. */
export const checkReaders = (numRuns: number): void => {
  const work = readMethods.flatMap((method) =>
    (samples[method] ?? []).map(({ params = [], answer, use }) => {
      const call: RpcCall = { method, params }
      const read = (value: unknown) => use?.(readAnswer(value, call)) ?? readAnswer(value, call)
      return [read, answer] as const
    }),
  )
  const property = fc.property(fc.gen(), fc.nat({ max: work.length - 1 }), (gen, at) => {
    const [read, answer] = work[at] as (typeof work)[number]
    const chance = { below: (count: number) => gen(fc.nat, { max: count - 1 }), anything: () => gen(fc.jsonValue) }
    readMutated({ answer, read }, chance)
  })
  fc.assert(property, { numRuns })
}
