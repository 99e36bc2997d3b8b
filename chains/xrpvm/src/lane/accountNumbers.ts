import { larger } from '@causeway/core'
import { type AccountReading, answerOf, type JsonRpcEndpoint, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { readAccount } from '../rpc/accountState.js'
import { accountCall, NO_ACCOUNT, readOr } from '../rpc/xrpNode.js'

const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

/** An account in the ledger that is being made: what it sent just now is in it. */
const readOpen = answerOf(
  Type.Object({ account_data: Type.Object({ Sequence: uint32, TicketCount: Type.Optional(uint32) }) }),
)

const readTickets = answerOf(
  Type.Object({
    account_objects: Type.Array(Type.Object({ LedgerEntryType: Type.Literal('Ticket'), TicketSequence: uint32 })),
    marker: Type.Optional(Type.Unknown()),
  }),
)

/** What a server gives at once; an account holds at most 250 tickets. */
const TICKETS_LIMIT = 400
/** Servers may give less than what is asked for. */
const MOST_PAGES = 25

type Numbers = Pick<AccountReading, 'next' | 'aside'>

/** Which ledger is asked: a validated one by its height, or the one that is being made. */
type Place = number | 'current'

/**
 * The number that an account takes next, and its tickets, in a validated ledger and in the one that is being made (chains.md xrpvm 5).
 * @throws ServiceError when the node does not answer
 */
export const askNumbers = async (node: JsonRpcEndpoint, account: string, height: bigint): Promise<Numbers> => {
  const calls = [accountCall(account, height), openCall(account)] as const
  const [validated, open] = await node.batch(calls)
  const state = readOr(validated, calls[0], { missing: NO_ACCOUNT, read: readAccount })
  if (state === null) return { next: null, aside: { final: [], newest: [] } }
  // An account that is deleted in the open ledger sends nothing more, and is still there for now.
  const now = readOr(open, calls[1], { missing: NO_ACCOUNT, read: readOpen })?.account_data
  const [final, newest] = await Promise.all([
    state.tickets === 0 ? [] : askTickets(node, account, Number(height)),
    (now?.TicketCount ?? 0) === 0 ? [] : askTickets(node, account, 'current'),
  ])
  const next = state.sequence
  return { next: { final: next, newest: larger(next, BigInt(now?.Sequence ?? 0)) }, aside: { final, newest } }
}

const openCall = (account: string): RpcCall => ({
  method: 'account_info',
  params: [{ account, ledger_index: 'current' }],
})

const askTickets = async (node: JsonRpcEndpoint, account: string, place: Place): Promise<readonly bigint[]> => {
  const tickets: bigint[] = []
  let marker: unknown
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const going = marker === undefined ? {} : { marker }
    const fields = { account, type: 'ticket', limit: TICKETS_LIMIT, ledger_index: place, ...going }
    const call: RpcCall = { method: 'account_objects', params: [fields] }
    const [outcome] = await node.batch([call])
    const answer = readTickets(resultOf(outcome, call.method))
    tickets.push(...answer.account_objects.map(({ TicketSequence }) => BigInt(TicketSequence)))
    if (answer.marker === undefined) break
    marker = answer.marker
  }
  return tickets
}
