import type { RestRoutes } from '@causeway/core/testing'
import type { RecordBlock } from '../../engine/ledgerTx.js'
import { timeText } from '../../engine/values.js'
import { ratesExpireAt } from '../systemFiles.js'
import { boundsOf, NOT_FOUND, pageOf, parseId, parseTime } from './mirrorPages.js'
import type { MirrorView } from './mirrorView.js'

const HOUR = 3600n
const GAS_KINDS = ['ContractCall', 'ContractCreate', 'EthereumTransaction']

const blockJson = ({ height, hash, parentHash, from, to, transactions }: RecordBlock) => ({
  ...{ number: height, hash: `0x${hash}`, previous_hash: `0x${parentHash.padStart(96, '0')}` },
  name: `${new Date(Number(from / 1_000_000n)).toISOString().replace(/:/g, '_')}.rcd`,
  ...{ count: transactions.length, gas_used: 0, hapi_version: '0.68.0', logs_bloom: null, size: null },
  timestamp: { from: timeText(from), to: timeText(to) },
})

const blocksOf = ({ view }: MirrorView): readonly RecordBlock[] =>
  view
    .ranges()
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => view.block(first + at)).filter((block) => block !== null),
    )

const nodeJson = ({ network }: MirrorView, account: string, port: number) => ({
  ...{ node_id: network.nodes.indexOf(account), node_account_id: account, memo: account, description: 'Local node' },
  service_endpoints: [{ domain_name: '', ip_address_v4: '127.0.0.1', port }],
  timestamp: { from: timeText(network.blocks.block(network.blocks.first)?.from ?? 0n), to: null },
  ...{ file_id: '0.0.102', admin_key: null, public_key: '0x', node_cert_hash: '0x', grpc_proxy_endpoint: null },
  ...{ stake: 0, min_stake: 0, max_stake: 0, stake_rewarded: 0, stake_not_rewarded: 0, reward_rate_start: 0 },
  ...{ staking_period: null, decline_reward: false },
})

/** `portOf` returns the port of a node's gRPC server. */
export const networkRoutes = (mirror: MirrorView, portOf: (account: string) => number): RestRoutes => ({
  'GET /api/v1/blocks': (_, call) => {
    const placeOf = ({ height }: RecordBlock) => BigInt(height)
    // The time of a block is that of its end.
    const isWithin = boundsOf(call.query, 'timestamp', parseTime)
    const all = blocksOf(mirror).filter(({ to }) => isWithin(to))
    const { items, links } = pageOf(call, '/api/v1/blocks', mirror.limit, {
      ...{ all, placeOf, parse: parseId, name: 'block.number', textOf: String, order: 'desc' },
    })
    return { blocks: items.map(blockJson), links }
  },
  'GET /api/v1/blocks/:id': ([id = '']) => {
    const block = /^\d+$/.test(id) ? mirror.view.block(Number(id)) : mirror.view.blockWith(id.replace(/^0x/, ''))
    if (block === null) throw NOT_FOUND
    return blockJson(block)
  },
  'GET /api/v1/network/nodes': (_, call) => {
    const { nodes } = mirror.network
    const placeOf = (account: string) => BigInt(nodes.indexOf(account))
    const { items, links } = pageOf(call, '/api/v1/network/nodes', mirror.limit, {
      ...{ all: nodes, placeOf, parse: parseId, name: 'node.id', textOf: String },
    })
    return { nodes: items.map((account) => nodeJson(mirror, account, portOf(account))), links }
  },
  'GET /api/v1/network/exchangerate': () => {
    const { hbar, cents } = mirror.network.settings.rate
    const end = ratesExpireAt(mirror.view.head.to)
    const rateUntil = (time: bigint) => ({ cent_equivalent: cents, expiration_time: time, hbar_equivalent: hbar })
    return { current_rate: rateUntil(end), next_rate: rateUntil(end + HOUR), timestamp: mirror.time }
  },
  'GET /api/v1/network/fees': () => ({
    fees: GAS_KINDS.map((transaction_type) => ({ gas: 71, transaction_type })),
    timestamp: mirror.time,
  }),
})
