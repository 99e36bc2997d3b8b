import type { Json } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import {
  type AnswerReader,
  answerOf,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  RpcResponseError,
  resultOf,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { readAccount, readLines } from './accountState.js'
import { readHead } from './ledgerHead.js'
import { readServerInfo, type ServerInfo } from './serverInfo.js'

/** Whom a question goes to: the client, or one endpoint of it. */
export type Asked = Pick<JsonRpcEndpoint, 'batch'>

const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

const pageSchema = Type.Object({
  account: Type.String(),
  ledger_index_min: uint32,
  ledger_index_max: uint32,
  transactions: Type.Array(Type.Unknown()),
  marker: Type.Optional(Type.Unknown()),
})

const objectsSchema = Type.Object({
  account_objects: Type.Array(Type.Unknown()),
  ledger_index: uint32,
  validated: Type.Literal(true),
  marker: Type.Optional(Type.Unknown()),
})

/** A part of an account's transactions, oldest first. */
export interface AccountPage {
  readonly transactions: readonly LedgerTransaction[]
  /** What the server really looked through. */
  readonly first: bigint
  readonly last: bigint
  /** Goes on from here; null: this was the rest. */
  readonly marker: Json
}

/** Which transactions of an account are asked for: both ledgers are in. */
export interface AccountQuestion {
  readonly account: string
  readonly first: bigint
  readonly last: bigint
  readonly marker: Json
}

const VALIDATED = { ledger_index: 'validated' }
/** Servers give no more at once, most less. */
const PAGE_LIMIT = 400
/** Parts of one answer: servers look at so many objects of an account at once, whether or not they are asked for. */
const MOST_PARTS = 25
/** Parts of all trust lines of an account: untrusted accounts open lines to it, each for a reserve of their own. */
const MOST_LINE_PARTS = 250

export const headCall: RpcCall = { method: 'ledger', params: [VALIDATED] }
export const serverInfoCall: RpcCall = { method: 'server_info', params: [] }

/** A ledger by its height. */
export const ledgerCall = (height: bigint): RpcCall => ({
  method: 'ledger',
  params: [{ ledger_index: Number(height) }],
})

/** An account in the newest validated ledger, or at a height. */
export const accountCall = (account: string, height?: bigint): RpcCall => ({
  method: 'account_info',
  params: [{ account, signer_lists: true, ...at(height) }],
})

/** The trust lines between two accounts, or all of the first one (no peer), as the first one sees them. */
export const linesCall = (account: string, peer?: string, height?: bigint): RpcCall => ({
  method: 'account_lines',
  params: [{ account, ...(peer === undefined ? {} : { peer }), limit: PAGE_LIMIT, ...at(height) }],
})

const at = (height: bigint | undefined) => (height === undefined ? VALIDATED : { ledger_index: Number(height) })

/** The outcome of a call as `read` makes it; null where the server says by one of these words that there is no such thing. */
export const readOr = <T>(
  outcome: RpcOutcome | undefined,
  { method }: RpcCall,
  { missing, read }: { readonly missing: readonly string[]; readonly read: AnswerReader<T> },
): T | null => {
  if (outcome?.ok === false && missing.includes(outcome.error.message)) return null
  return read(resultOf(outcome, method))
}

/** What the word is for an account that is not there. */
export const NO_ACCOUNT = ['actNotFound']

const askOne = async <T>(asked: Asked, call: RpcCall, read: AnswerReader<T>): Promise<T> => {
  const [outcome] = await asked.batch([call])
  return read(resultOf(outcome, call.method))
}

/** The newest validated ledger. */
export const askHead = (asked: Asked): Promise<BlockRef> => askOne(asked, headCall, readHead)

export const askServerInfo = (asked: Asked): Promise<ServerInfo> => askOne(asked, serverInfoCall, readServerInfo)

/** An account in the newest validated ledger, or at a height; null where it is not there. */
export const askAccount = async (asked: Asked, account: string, height?: bigint) => {
  const call = accountCall(account, height)
  const [outcome] = await asked.batch([call])
  return readOr(outcome, call, { missing: NO_ACCOUNT, read: readAccount })
}

const readPage = (answer: unknown): AccountPage => {
  const { transactions, ledger_index_min, ledger_index_max, marker } = answerOf(pageSchema)(answer)
  return {
    transactions: transactions.map(readTransaction),
    first: BigInt(ledger_index_min),
    last: BigInt(ledger_index_max),
    // CAST: it was JSON, and goes back as it came.
    marker: (marker ?? null) as Json,
  }
}

/** Words of a server that does not have all of the ledgers asked for. */
const OUT_OF_RANGE = ['lgrIdxMalformed', 'lgrIdxsInvalid', 'lgrNotFound', 'invalidLgrRange']

/** Transactions that touched an account, oldest first; null where the server does not have all of these ledgers. */
export const askAccountPage = async (asked: Asked, question: AccountQuestion): Promise<AccountPage | null> => {
  const { account, first, last, marker } = question
  const range = { ledger_index_min: Number(first), ledger_index_max: Number(last) }
  const going = { forward: true, binary: false, limit: PAGE_LIMIT, ...(marker === null ? {} : { marker }) }
  const call: RpcCall = { method: 'account_tx', params: [{ account, ...range, ...going }] }
  const [outcome] = await asked.batch([call])
  // An account that never was has no transactions, which a server may say in either way.
  if (outcome?.ok === false && NO_ACCOUNT.includes(outcome.error.message))
    return { transactions: [], first, last, marker: null }
  return readOr(outcome, call, { missing: OUT_OF_RANGE, read: readPage })
}

export const transactionCall = (id: string): RpcCall => ({ method: 'tx', params: [{ transaction: id, binary: false }] })

/** What a server shows of a transaction: null where it knows none. */
export const readFound = (outcome: RpcOutcome | undefined, call: RpcCall): LedgerTransaction | null =>
  readOr(outcome, call, { missing: ['txnNotFound'], read: readTransaction })

/** All answers of a question that is answered in parts, which are of one ledger; at most `most` of them. */
const askParts = async <T extends { readonly ledger_index: number; readonly marker?: unknown }>(
  asked: Asked,
  { method, params: [fields] }: RpcCall,
  read: AnswerReader<T>,
  most = MOST_PARTS,
): Promise<readonly T[]> => {
  const parts: T[] = []
  let call: RpcCall | null = { method, params: [fields] }
  while (call !== null && parts.length < most) {
    const part: T = await askOne(asked, call, read)
    parts.push(part)
    const { marker, ledger_index } = part
    call = marker === undefined ? null : { method, params: [{ ...Object(fields), ledger_index, marker }] }
  }
  return parts
}

/** What an account owns of one type (`ticket`, `deposit_preauth`), as `item` reads each, in the newest validated ledger. */
export const askObjects = async <T>(
  asked: Asked,
  { account, type }: { readonly account: string; readonly type: string },
  item: AnswerReader<T>,
): Promise<readonly T[]> => {
  const call = { method: 'account_objects', params: [{ account, type, limit: PAGE_LIMIT, ...VALIDATED }] }
  const parts = await askParts(asked, call, answerOf(objectsSchema))
  return parts.flatMap(({ account_objects }) => account_objects.map(item))
}

/** Between which accounts, and in which ledger: the newest validated one if none is named. */
export interface LinesQuestion {
  readonly account: string
  readonly peer: string
  readonly height?: bigint | undefined
}

/** The trust lines between two accounts, as the first one sees them; null where that one is not there. */
export const askLines = async (asked: Asked, { account, peer, height }: LinesQuestion) => {
  try {
    const parts = await askParts(asked, linesCall(account, peer, height), readLines)
    return { lines: parts.flatMap(({ lines }) => lines), height: BigInt(parts[0]?.ledger_index ?? 0) }
  } catch (error) {
    if (error instanceof RpcResponseError && NO_ACCOUNT.includes(error.error.message)) return null
    throw error
  }
}

/** Every trust line of an account; `isWhole` is false where it has more than are read. @throws RpcResponseError where there is no such account */
export const askAllLines = async (asked: Asked, account: string) => {
  const parts = await askParts(asked, linesCall(account), readLines, MOST_LINE_PARTS)
  return { lines: parts.flatMap(({ lines }) => lines), isWhole: parts.at(-1)?.marker === undefined }
}
