import { type Json, ServiceError } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import {
  type AnswerReader,
  type AskedNode,
  answerOf,
  askNode,
  findAllAtNode,
  findAtNode,
  type RpcMethod,
  RpcResponseError,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type LedgerTransaction, readTransaction } from '../read/transactions.js'
import { type AccountState, readAccount, readLines } from './accountState.js'
import { UINT32 } from './fields.js'
import { readHead } from './ledgerHead.js'
import { readFeeLevels, readServerInfo, type ServerInfo } from './serverInfo.js'

/** The client, or one endpoint of it. */
export type Asked = AskedNode

/** The one object of parameters that a request has. */
type Fields = Readonly<Record<string, unknown>>
type Method<Answer> = RpcMethod<Fields, Answer>

const methodOf = <Answer>(
  method: string,
  read: AnswerReader<Answer>,
  rules: Pick<Method<Answer>, 'missing' | 'repeats'> = {},
): Method<Answer> => ({ method, params: (fields) => [fields], read, ...rules })

const missing = ['actNotFound']
const repeats = { account: 'account' }
const marker = Type.Optional(Type.Unknown())
const readEngineResult = answerOf(Type.Object({ engine_result: Type.String({ pattern: '^te[a-zA-Z_0-9]{1,60}$' }) }))

const LEDGER = methodOf('ledger', readHead, { repeats: { ledger_index: 'ledger_index' } })
const SERVER_INFO = methodOf('server_info', readServerInfo)
const ACCOUNT_INFO = methodOf('account_info', readAccount, { missing })
const openAccount = Type.Object({ Account: Type.String(), Sequence: UINT32, TicketCount: Type.Optional(UINT32) })
/** An account in the ledger that is being made: what it sent just now is in it. */
const OPEN_ACCOUNT = methodOf('account_info', answerOf(Type.Object({ account_data: openAccount })), {
  missing,
  repeats: { 'account_data.Account': 'account' },
})
const ACCOUNT_LINES = methodOf('account_lines', readLines, { missing, repeats })
const objects = Type.Object({
  account_objects: Type.Array(Type.Unknown()),
  ledger_index: Type.Optional(UINT32),
  validated: Type.Optional(Type.Boolean()),
  marker,
})
const ACCOUNT_OBJECTS = methodOf('account_objects', answerOf(objects), { repeats })
const page = Type.Object({
  ...{ account: Type.String(), ledger_index_min: UINT32, ledger_index_max: UINT32 },
  transactions: Type.Array(Type.Unknown()),
  marker,
})
const checkPage = answerOf(page)

/** A part of an account's transactions, in the order asked for. */
const readPage = (answer: unknown) => {
  const { transactions, ledger_index_min, ledger_index_max, marker = null } = checkPage(answer)
  return {
    transactions: transactions.map(readTransaction),
    /** Ledgers that the server really looked through. */
    first: BigInt(ledger_index_min),
    last: BigInt(ledger_index_max),
    /** Goes on from here; null: this was the rest. CAST: it was JSON, and goes back as it came. */
    marker: marker as Json,
  }
}
/** Null where the server does not have all of the ledgers asked for. */
const ACCOUNT_TX = methodOf('account_tx', readPage, {
  missing: ['lgrIdxMalformed', 'lgrIdxsInvalid', 'lgrNotFound', 'invalidLgrRange'],
  repeats,
})
const TX = methodOf('tx', readTransaction, { missing: ['txnNotFound'], repeats: { hash: 'transaction' } })
const FEE = methodOf('fee', readFeeLevels)
export const SUBMIT = methodOf('submit', readEngineResult)
/** Words of a server that does not serve a command. */
export const LACKING = ['unknownCmd', 'notSupported', 'notEnabled']
export const SIMULATE = methodOf('simulate', readEngineResult, { missing: LACKING })
const authorized = Type.Object({ deposit_authorized: Type.Boolean() })
export const AUTHORIZED = methodOf('deposit_authorized', answerOf(authorized), {
  missing: [...LACKING, 'srcActNotFound', 'dstActNotFound'],
})

/** Each method with the least that its answers have. */
export const METHODS = [
  ...[LEDGER, SERVER_INFO, OPEN_ACCOUNT, ACCOUNT_LINES, ACCOUNT_OBJECTS, ACCOUNT_TX],
  ...[TX, FEE, SUBMIT, SIMULATE, AUTHORIZED],
]

const VALIDATED = { ledger_index: 'validated' }
/** Servers give no more at once, most less. */
const PAGE_LIMIT = 400
/** Parts of one answer: servers look at so many objects of an account at once, whether or not they are asked for. */
const MOST_PARTS = 25
/** Parts of all trust lines of an account: untrusted accounts open lines to it, each for a reserve of their own. */
const MOST_LINE_PARTS = 250

const at = (height: bigint | undefined) => (height === undefined ? VALIDATED : { ledger_index: Number(height) })

/** The newest validated ledger, or the one at a height. */
export const askHead = (asked: Asked, height?: bigint): Promise<BlockRef> => askNode(asked, LEDGER, at(height))

export const askServerInfo = (asked: Asked): Promise<ServerInfo> => askNode(asked, SERVER_INFO, {})

/** `server_info` of a server that has caught up. @throws ServiceError SERVICE_UNAVAILABLE before */
export const askCaughtUp = async (asked: Asked) => {
  const { validated, ...info } = await askServerInfo(asked)
  if (validated !== null) return { ...info, validated }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A server of this chain has not caught up with its network.')
}

export const askFeeLevels = (asked: Asked) => askNode(asked, FEE, {})

/** An account in the newest validated ledger, or at a height; null where it is not there. */
export const askAccount = (asked: Asked, account: string, height?: bigint): Promise<AccountState | null> =>
  findAtNode(asked, ACCOUNT_INFO, { account, signer_lists: true, ...at(height) })

/** An account in the ledger that is being made; null where it is not there. */
export const askOpenAccount = async (asked: Asked, account: string) =>
  (await findAtNode(asked, OPEN_ACCOUNT, { account, ledger_index: 'current' }))?.account_data ?? null

/** Transactions in the order asked; null for one that the server does not know. */
export const askTransactions = (asked: Asked, ids: readonly string[]): Promise<readonly (LedgerTransaction | null)[]> =>
  findAllAtNode(
    asked,
    TX,
    ids.map((transaction) => ({ transaction, binary: false })),
  )

/** Transactions of an account between two ledgers, both in. `marker`: goes on after a page; `back`: newest first. */
export interface AccountQuestion {
  readonly account: string
  readonly first: bigint
  readonly last: bigint
  readonly marker: Json
  readonly back?: boolean
}

/** Transactions that touched an account, oldest first unless `back`; null where the server does not have all of these ledgers. */
export const askAccountPage = async (asked: Asked, { account, first, last, marker, back = false }: AccountQuestion) => {
  const range = { ledger_index_min: Number(first), ledger_index_max: Number(last) }
  const going = { forward: !back, binary: false, limit: PAGE_LIMIT, ...(marker === null ? {} : { marker }) }
  try {
    return await findAtNode(asked, ACCOUNT_TX, { account, ...range, ...going })
  } catch (error) {
    // An account that never was has no transactions, which a server may say in either way.
    if (error instanceof RpcResponseError && missing.includes(error.error.message))
      return { transactions: [], first, last, marker: null }
    throw error
  }
}

/** All parts of an answer, at most `most`, which are of one ledger; none where the account is not there. */
const askParts = async <T extends { readonly ledger_index?: number; readonly marker?: unknown }>(
  asked: Asked,
  method: Method<T>,
  fields: Fields,
  most = MOST_PARTS,
): Promise<readonly T[]> => {
  const parts: T[] = []
  let next: Fields | null = fields
  while (next !== null && parts.length < most) {
    const part: T | null = await findAtNode(asked, method, { limit: PAGE_LIMIT, ...next })
    if (part === null) break
    parts.push(part)
    const going: Fields = { ledger_index: part.ledger_index ?? fields.ledger_index, marker: part.marker }
    next = part.marker === undefined ? null : { ...fields, ...going }
  }
  return parts
}

/** `height`: the ledger they are asked for in, the newest validated one if absent; `current`: the one that is being made. */
export interface ObjectsQuestion {
  readonly account: string
  readonly type: 'ticket' | 'deposit_preauth'
  readonly height?: bigint | 'current' | undefined
}

/** Objects of one type that an account owns, as `item` reads each. */
export const askObjects = async <T>(
  asked: Asked,
  { account, type, height }: ObjectsQuestion,
  item: AnswerReader<T>,
): Promise<readonly T[]> => {
  const place = height === 'current' ? { ledger_index: height } : at(height)
  const parts = await askParts(asked, ACCOUNT_OBJECTS, { account, type, ...place })
  if (height !== 'current' && parts.some(({ validated }) => validated !== true))
    throw strangeAnswer('a ledger that is not validated')
  return parts.flatMap(({ account_objects }) => account_objects.map(item))
}

/** The trust lines between two accounts, as the first one sees them; null where that one is not there. */
export const askLines = async (
  asked: Asked,
  { account, peer, height }: { readonly account: string; readonly peer: string; readonly height?: bigint | undefined },
) => {
  const parts = await askParts(asked, ACCOUNT_LINES, { account, peer, ...at(height) })
  const [first] = parts
  if (first === undefined) return null
  return { lines: parts.flatMap(({ lines }) => lines), height: BigInt(first.ledger_index) }
}

/** Every trust line of an account; `isWhole` is false where it has more than are read. */
export const askAllLines = async (asked: Asked, account: string) => {
  const parts = await askParts(asked, ACCOUNT_LINES, { account, ...VALIDATED }, MOST_LINE_PARTS)
  return { lines: parts.flatMap(({ lines }) => lines), isWhole: parts.at(-1)?.marker === undefined }
}
