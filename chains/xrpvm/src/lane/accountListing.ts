import { larger } from '@causeway/core'
import { answerOf, type JsonRpcEndpoint, type LaneSince, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type LedgerTransaction, numberOf, readTransaction } from '../read/transactions.js'
import { wholeSince } from '../rpc/ledgerRanges.js'
import { askServerInfo, NO_ACCOUNT } from '../rpc/xrpNode.js'
import { catchingUp } from './laneMoment.js'

const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

const readPage = answerOf(
  Type.Object({
    ledger_index_min: uint32,
    ledger_index_max: uint32,
    transactions: Type.Array(Type.Unknown()),
    marker: Type.Optional(Type.Unknown()),
  }),
)

const readTouched = answerOf(
  Type.Object({
    account_data: Type.Object({ PreviousTxnLgrSeq: Type.Optional(uint32) }),
    validated: Type.Literal(true),
  }),
)

/** What servers give at once, most less. */
const PAGE_LIMIT = 400
/** Pages that are read back through before it is given up: ten million payments that others sent the account. */
const MOST_PAGES = 25_000
/** The first ledger of the main network that anybody has: those before it are lost. */
const FIRST_OF_MAIN = 32_570n
const MAIN_NETWORK = 0

/** What an account sent, on the network of an id. */
export interface SentQuestion {
  readonly account: string
  readonly since: LaneSince
  readonly networkId: number
}

export interface AccountListing {
  readonly transactions: readonly LedgerTransaction[]
  readonly gap?: string
}

/**
 * What an account sent, in validated ledgers, from the newest back to where `since` begins. All that can have a number is among what was
 * sent since the account's own turn came to that number: a ticket is made after it, and used after that.
 * @throws ServiceError when the node does not answer
 */
export const listSent = async (
  node: JsonRpcEndpoint,
  { account, since, networkId }: SentQuestion,
): Promise<AccountListing> => {
  const { validated, complete } = await askServerInfo(node)
  if (validated === null) throw catchingUp()
  const { height } = validated
  const oldest = wholeSince(complete, height)
  const wanted = 'height' in since ? since.height + 1n : 1n
  if (wanted > height || (await isUntouched(node, account, wanted))) return { transactions: [] }
  if (oldest === null) return { transactions: [], gap: 'a server has no ledgers at all' }
  const found = await readBack(node, { account, first: larger(oldest, wanted), last: height, since })
  const isWhole = found.isWhole || oldest <= wanted || oldest <= firstOf(networkId)
  return isWhole && !found.isTooLong
    ? { transactions: found.transactions }
    : { transactions: found.transactions, gap: gapOf(found.isTooLong, oldest) }
}

/** Whoever sends pays, which changes the account: what did not change since a ledger sent nothing since. */
const isUntouched = async (node: JsonRpcEndpoint, account: string, wanted: bigint): Promise<boolean> => {
  const call: RpcCall = { method: 'account_info', params: [{ account, ledger_index: 'validated' }] }
  const [outcome] = await node.batch([call])
  // One that is not there may have been, and sent something.
  if (outcome?.ok === false && NO_ACCOUNT.includes(outcome.error.message)) return false
  const { PreviousTxnLgrSeq: last } = readTouched(resultOf(outcome, call.method)).account_data
  return last !== undefined && BigInt(last) < wanted
}

interface Back {
  readonly account: string
  readonly first: bigint
  readonly last: bigint
  readonly since: LaneSince
}

interface Found {
  readonly transactions: readonly LedgerTransaction[]
  /** Nothing older can matter, whatever the server lacks. */
  readonly isWhole: boolean
  readonly isTooLong: boolean
}

const readBack = async (node: JsonRpcEndpoint, { account, first, last, since }: Back): Promise<Found> => {
  const transactions: LedgerTransaction[] = []
  const range = { ledger_index_min: Number(first), ledger_index_max: Number(last), forward: false, binary: false }
  let marker: unknown
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const fields = { account, ...range, limit: PAGE_LIMIT, ...(marker === undefined ? {} : { marker }) }
    const call: RpcCall = { method: 'account_tx', params: [fields] }
    const [outcome] = await node.batch([call])
    if (outcome?.ok === false && NO_ACCOUNT.includes(outcome.error.message)) break
    const page = readPage(resultOf(outcome, call.method))
    const shown = page.transactions.map(readTransaction)
    transactions.push(...shown.filter(({ signed }) => signed.Account === account))
    const isWhole = shown.some((transaction) => isBeginning(transaction, account, since))
    if (isWhole || page.marker === undefined) return { transactions, isWhole, isTooLong: false }
    marker = page.marker
  }
  return { transactions, isWhole: false, isTooLong: marker !== undefined }
}

const firstOf = (networkId: number): bigint => (networkId === MAIN_NETWORK ? FIRST_OF_MAIN : 1n)

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined

const createsAccount = ({ validated }: LedgerTransaction, account: string): boolean =>
  (validated === null ? [] : validated.meta.AffectedNodes).some((node) => {
    const created = memberOf(node, 'CreatedNode')
    const isAccount = memberOf(created, 'LedgerEntryType') === 'AccountRoot'
    return isAccount && memberOf(memberOf(created, 'NewFields'), 'Account') === account
  })

/** Nothing of interest came before: the account did not exist, or had not come to the number that is asked for. */
const isBeginning = (transaction: LedgerTransaction, account: string, since: LaneSince): boolean => {
  if (createsAccount(transaction, account)) return true
  const { signed } = transaction
  if (!('sequence' in since) || signed.Account !== account) return false
  return signed.TicketSequence === undefined && numberOf(transaction) <= since.sequence
}

const gapOf = (isTooLong: boolean, oldest: bigint): string =>
  isTooLong ? 'there is more than a server lists' : `a server has no ledgers before ${oldest}`
