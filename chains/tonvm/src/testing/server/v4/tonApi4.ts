import { type NodeDialect, type RestCall, type RestRoutes, type RunCall, restApi } from '@causeway/core/testing'
import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import type { TonBlock } from '../../engine/tonTx.js'
import { type Placed, parseAddress, type TonView } from '../tonView.js'
import { configOf, sendMessage } from '../v2/contractMethods.js'
import { accountJson, blockJson, changedJson, runJson } from './accountAnswers.js'
import { bocOfRoots } from './bocOfRoots.js'
import { parsedJson } from './parsedTransaction.js'

const MISSING = { exist: false }
const MOST_TRANSACTIONS = 20
/** Address of the contract that holds the configuration. */
const CONFIG_ADDRESS = new Address(-1, Buffer.alloc(32, 0x55))

const blockAnswer = (node: TonView, block: TonBlock | null) => {
  if (block === null) return MISSING
  const shards = [-1, 0].map((workchain) => ({
    ...blockJson(node.nameOf(block, workchain)),
    transactions: block.transactions
      .filter((tx) => tx.workchain === workchain)
      .map(({ account, lt, hash }) => ({
        account: Address.parse(account).toString(),
        hash: Buffer.from(hash, 'hex').toString('base64'),
        lt: String(lt),
      })),
  }))
  return { exist: true, block: { shards } }
}

/** The newest block up to a time, in seconds; null for a time after the newest block. */
const blockUpTo = ({ view, head }: TonView, time: number): TonBlock | null => {
  if (time > head.time) return null
  for (let height = head.height; height >= view.since; height -= 1) {
    const block = view.block(height)
    if (block !== null && block.time <= time) return block
  }
  return null
}

const latest = (node: TonView) => {
  const { rootHash, fileHash } = node.nameOf(node.ledger.blocks.block(0) ?? node.head)
  const last = blockJson(node.nameOf(node.head))
  return { last, init: { rootHash, fileHash }, stateRootHash: last.fileHash, now: node.head.time }
}

const page = (
  node: TonView,
  [address = '', lt = '', hash = '']: readonly string[],
  most: number,
): readonly Placed[] => {
  const bytes = Buffer.from(hash.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
  const asked = { lt: BigInt(lt), hash: bytes.toString('hex'), limit: node.view.limit(most, MOST_TRANSACTIONS) }
  return node.transactions(parseAddress(address), asked)
}

const blocksOf = (node: TonView, found: readonly Placed[]) =>
  found.map(({ tx, block }) => blockJson(node.nameOf(block, tx.workchain)))

const configAnswer = (node: TonView, ids?: string) => {
  const all = configOf(node)
  const wanted = ids === undefined ? all.keys() : ids.split(',').map(Number)
  const chosen = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
  for (const id of wanted) {
    const found = all.get(id)
    if (found !== undefined) chosen.set(id, found)
  }
  const cell = chosen.size === 0 ? Cell.EMPTY : cellOf(chosen)
  const boc = cell.toBoc({ idx: false }).toString('base64')
  return { exist: true, config: { cell: boc, address: CONFIG_ADDRESS.toString(), globalBalance: { coins: '0' } } }
}

const cellOf = (dictionary: Dictionary<number, Cell>): Cell => beginCell().storeDictDirect(dictionary).endCell()

const send = (node: TonView, { body }: RestCall) => {
  const { boc } = Object(JSON.parse(body))
  sendMessage(node, Cell.fromBase64(String(boc)))
  return { status: 1 }
}

const routesOf = (node: TonView): RestRoutes => ({
  'GET /block/latest': () => latest(node),
  'GET /block/utime/:utime': ([utime]) => blockAnswer(node, blockUpTo(node, Number(utime))),
  'GET /block/:seqno': ([seqno]) =>
    blockAnswer(node, Number(seqno) > node.head.height ? null : node.block(Number(seqno))),
  'GET /block/:seqno/config': () => configAnswer(node),
  'GET /block/:seqno/config/:ids': ([, ids]) => configAnswer(node, ids),
  'GET /block/:seqno/:address': ([seqno, address = '']) =>
    accountJson(node, Number(seqno), parseAddress(address), false),
  'GET /block/:seqno/:address/lite': ([seqno, address = '']) =>
    accountJson(node, Number(seqno), parseAddress(address), true),
  'GET /block/:seqno/:address/changed/:lt': ([seqno, address = '', lt = '']) =>
    changedJson(node, Number(seqno), parseAddress(address), BigInt(lt)),
  'GET /block/:seqno/:address/run/:method': ([seqno, address = '', method = '']) =>
    runJson(node, Number(seqno), parseAddress(address), decodeURIComponent(method), undefined),
  'GET /block/:seqno/:address/run/:method/:args': ([seqno, address = '', method = '', args]) =>
    runJson(node, Number(seqno), parseAddress(address), decodeURIComponent(method), args),
  'GET /account/:address/tx/:lt/:hash': (parts) => {
    const found = page(node, parts, MOST_TRANSACTIONS)
    const boc = bocOfRoots(found.map(({ tx }) => tx.cell)).toString('base64')
    return { blocks: blocksOf(node, found), boc }
  },
  'GET /account/:address/tx/parsed/:lt/:hash': (parts, { query }) => {
    const found = page(node, parts, Number(query.get('count') ?? MOST_TRANSACTIONS))
    const address = parseAddress(parts[0] ?? '')
    return { blocks: blocksOf(node, found), transactions: found.map(({ tx }) => parsedJson(tx, address)) }
  },
  'POST /send': (_, call) => send(node, call),
})

/** API v4, which `TonClient4` speaks. Its errors have no reason. */
export const tonApi4 = (node: TonView, run: RunCall): NodeDialect =>
  restApi(routesOf(node), run, (_, status) => ({
    ...{ status, type: 'text/plain', body: status === 429 ? '429 Too Many Requests' : '500 Internal Error' },
  }))
