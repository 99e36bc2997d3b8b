import { CallError, type NodeRequest } from '@causeway/core/testing'
import type { TronBlock, TronTx } from '../engine/tronTx.js'
import type { VmLog } from '../engine/vm/tronVm.js'
import { base58Of, hexAddress } from '../wire/addresses.js'
import type { Fields } from '../wire/protobuf.js'
import { millisecondsOf } from './answers.js'
import type { TronView } from './tronView.js'

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const MOST_ROWS = 200
const DEFAULT_ROWS = 20

interface LoggedEvent {
  readonly log: VmLog
  readonly at: number
  readonly tx: TronTx
  readonly block: TronBlock
}

const eventsOf = (block: TronBlock): readonly LoggedEvent[] =>
  block.transactions.flatMap((tx) => (tx.vm?.outcome.logs ?? []).map((log, at) => ({ log, at, tx, block })))

/** Events of all blocks that the node shows, newest first. */
const eventsIn = (node: TronView): readonly LoggedEvent[] => {
  const events: LoggedEvent[] = []
  for (let height = node.height; height >= node.view.since; height -= 1) {
    const block = node.block(height)
    if (block !== null) events.push(...[...eventsOf(block)].reverse())
  }
  return events
}

const addressOfTopic = (topic = ''): string => base58Of(`41${topic.slice(-40)}`)

/** A TRC-20 transfer as `v1/accounts/:address/transactions/trc20` lists it. */
const transferJson = ({ log, tx, block }: LoggedEvent): Fields => ({
  ...{ transaction_id: tx.id, block_timestamp: millisecondsOf(block), type: 'Transfer' },
  token_info: { address: base58Of(`41${log.address}`) },
  ...{
    from: addressOfTopic(log.topics[1]),
    to: addressOfTopic(log.topics[2]),
    value: `${BigInt(`0x${log.data || '0'}`)}`,
  },
})

const eventJson = ({ log, at, tx, block }: LoggedEvent): Fields => ({
  ...{ block_number: block.height, block_timestamp: millisecondsOf(block), event_index: at },
  ...{ contract_address: base58Of(`41${log.address}`), caller_contract_address: base58Of(`41${log.address}`) },
  ...{ transaction_id: tx.id, event: log.topics[0] ?? '', event_name: log.topics[0] === TRANSFER ? 'Transfer' : '' },
  result: { raw: log },
})

/** A page of rows; `fingerprint` of the answer continues it. */
const pageOf = (node: TronView, rows: readonly Fields[], query: URLSearchParams): Fields => {
  const asked = Number(query.get('limit') ?? DEFAULT_ROWS)
  const size = node.view.limit(asked, MOST_ROWS)
  const first = Number(query.get('fingerprint') ?? 0)
  const data = rows.slice(first, first + size)
  const isLast = first + size >= rows.length
  const at = node.head.time * 1000
  return {
    data,
    success: true,
    meta: { at, page_size: data.length, ...(isLast ? {} : { fingerprint: `${first + size}` }) },
  }
}

/** The indexed API of TronGrid, as far as it is a hint of payments; null for another path. */
export const gridAnswer = (all: TronView, solid: TronView, { path, query }: NodeRequest): Fields | null => {
  const [, version, kind, id = '', ...rest] = path.split('/')
  if (version !== 'v1') return null
  const node = query.get('only_confirmed') === 'true' ? solid : all
  const route = `${kind}/${rest.join('/')}`
  const rows = (keep: (event: LoggedEvent) => boolean, json: (event: LoggedEvent) => Fields): Fields =>
    pageOf(node, eventsIn(node).filter(keep).map(json), query)
  if (route === 'contracts/events') {
    const contract = hexAddress(id).slice(2)
    return rows(({ log }) => log.address === contract, eventJson)
  }
  if (route !== 'accounts/transactions/trc20') throw new CallError(404, 'no such path')
  const [holder, contract] = [hexAddress(id).slice(2), query.get('contract_address')]
  const named = (topic = '') => topic.slice(-40) === holder
  const isTransfer = ({ log: { topics, address } }: LoggedEvent): boolean => {
    const isToken = contract === null || hexAddress(contract).slice(2) === address
    return topics[0] === TRANSFER && isToken && (named(topics[1]) || named(topics[2]))
  }
  return rows(isTransfer, transferJson)
}
