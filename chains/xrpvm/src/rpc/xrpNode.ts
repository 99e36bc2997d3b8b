import type { Json } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import {
  type AnswerReader,
  answerOf,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  resultOf,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type LedgerTransaction, readTransaction } from '../ledger/transactions.js'
import { readAccount } from './accountState.js'
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

const ticketsSchema = Type.Object({
  account_objects: Type.Array(Type.Object({ LedgerEntryType: Type.Literal('Ticket'), TicketSequence: uint32 })),
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
/** Pages of one account's objects; an account holds at most 250 tickets. */
const MOST_PAGES = 8

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

/** The trust lines between two accounts, as the first one sees them. */
export const linesCall = (account: string, peer: string, height?: bigint): RpcCall => ({
  method: 'account_lines',
  params: [{ account, peer, limit: PAGE_LIMIT, ...at(height) }],
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

/** An account in the newest validated ledger; null where it is in none. */
export const askAccount = async (asked: Asked, account: string) => {
  const call = accountCall(account)
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

/** Numbers of the tickets that an account holds, in the newest validated ledger. */
export const askTickets = async (asked: Asked, account: string): Promise<readonly bigint[]> => {
  const tickets: bigint[] = []
  let [marker, place]: [unknown, object] = [undefined, VALIDATED]
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const going = marker === undefined ? {} : { marker }
    const fields = { account, type: 'ticket', limit: PAGE_LIMIT, ...place, ...going }
    const answer = await askOne(asked, { method: 'account_objects', params: [fields] }, answerOf(ticketsSchema))
    tickets.push(...answer.account_objects.map(({ TicketSequence }) => BigInt(TicketSequence)))
    if (answer.marker === undefined) return tickets
    marker = answer.marker
    place = { ledger_index: answer.ledger_index }
  }
  return tickets
}
