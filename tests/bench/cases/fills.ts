import { startFaultProxy } from '@causeway/chain-evm/testing'
import pg from 'pg'
import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import { until } from '../../harness/until.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { PaymentWatch } from '../paymentWatch.js'
import type { Measurement } from '../table.js'
import { TransferSource } from '../transfers.js'

const USER = 3
const FLOOR_PAYER = 4
const MAX_CALLS = 4

/** Calls that a chain costs however much is paid: heads, logs, balances, fees. */
const PER_BLOCK = new Set([
  'eth_getBlockByNumber',
  'eth_blockNumber',
  'eth_getLogs',
  'eth_chainId',
  'eth_getBalance',
  // balanceOf: what the solver holds.
  'eth_call 0x70a08231',
  'eth_maxPriorityFeePerGas',
  'eth_gasPrice',
  'eth_getTransactionCount',
])

/**
 * (c) Fills a second of one key: deposits are mined while no solver runs, then one starts. Timed from the first payment to the last,
 * so that neither the start of a process nor what came before counts; a script that only signs and sends is the floor.
 */
export const measureFills = async (world: BenchWorld): Promise<Measurement[]> => {
  const burst = await fillAtOnce(world, world.scale.burst)
  const sustained = await fillAtOnce(world, world.scale.sustained)
  const floor = await bareSends(world, world.scale.sustained)
  const rate = (what: string, value: number, target = true): Measurement => ({
    case: 'c',
    what,
    unit: '/s',
    value,
    floor,
    floorIs: 'a script that signs and sends token payments one after the other',
    ...(target ? { target: { of: 'value', limit: 50, better: 'more' } } : {}),
  })
  return [
    rate(`fills of one key, burst of ${world.scale.burst}`, burst.perSecond),
    {
      case: 'c',
      what: `filled of the burst of ${world.scale.burst}`,
      unit: 'fills',
      value: burst.filled,
      target: { of: 'value', limit: world.scale.burst, better: 'more' },
    },
    rate(`fills of one key, ${world.scale.sustained} in a row`, sustained.perSecond),
    {
      case: 'c',
      what: 'RPC calls of a fill on its chain',
      unit: 'calls',
      value: sustained.callsPerFill,
      target: { of: 'value', limit: MAX_CALLS, better: 'less' },
    },
  ]
}

interface Filled {
  readonly filled: number
  readonly perSecond: number
  readonly callsPerFill: number
}

const fillAtOnce = async (world: BenchWorld, count: number): Promise<Filled> => {
  const { network } = world
  const [, lagoon] = network.chains
  const databaseUrl = await world.createDatabase()
  const front = await openFront(world, databaseUrl)
  const source = await TransferSource.open(world, USER)
  world.say(`fills: ${count} deposits`)
  const transfers = await source.prepare(front.url, count)
  await source.depositor.sendAll(transfers.map(({ deposit }) => deposit))
  const proxy = await startFaultProxy(lagoon.chain.rpcUrl)
  const watch = await PaymentWatch.open(lagoon)
  const rpcUrls = { [lagoon.chain.chainId]: proxy.url }
  const solver = await world.startHost({ databaseUrl, roles: ['solver'], rpcUrls })
  const paidAt = await Promise.all(transfers.map(({ recipient }) => watch.paid(recipient)))
  await settled(databaseUrl, count)
  const calls = [...proxy.calls].reduce((sum, [method, times]) => sum + (PER_BLOCK.has(method) ? 0 : times), 0)
  watch.close()
  await world.stopHost(solver)
  await world.stopHost(front)
  await proxy.close()
  const seconds = (Math.max(...paidAt) - Math.min(...paidAt)) / 1_000
  return { filled: paidAt.length, perSecond: (count - 1) / seconds, callsPerFill: calls / count }
}

/** Waits until every fill is final: only then has all been asked about them. */
const settled = async (connectionString: string, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await until(
    'all fills to be final',
    async () => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from payouts where purpose = 'fill' and state = 'final'`,
      )
      return rows[0]?.count === count ? true : null
    },
    120_000,
  )
  await client.end()
}

/** A host that quotes and watches but does not pay. Quotes need an inventory, which a solver reads: one runs for a moment. */
const openFront = async (world: BenchWorld, databaseUrl: string): Promise<HostProcess> => {
  const front = await world.startHost({ databaseUrl, roles: ['api', 'watcher'] })
  const solver = await world.startHost({ databaseUrl, roles: ['solver'] })
  await waitUntilQuoting(world, front.url)
  await world.stopHost(solver)
  return front
}

/** Token payments a second by one key with local nonces, each sent when the one before was answered. */
const bareSends = async ({ network }: BenchWorld, count: number): Promise<number> => {
  const [, { chain, usdc }] = network.chains
  const payer = network.users[FLOOR_PAYER]
  if (payer === undefined) throw new Error('The network has too few users')
  const account = privateKeyToAccount(payer.privateKey)
  let nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [payer.address, 'pending']))
  const transfer = `${keccak256(toHex('transfer(address,uint256)')).slice(0, 10)}${payer.address.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  const startedAt = performance.now()
  let last: string | undefined
  for (let sent = 0; sent < count; sent += 1) {
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce: nonce++,
      // CAST: addresses and calldata of the harness are hex text.
      to: usdc as `0x${string}`,
      data: transfer as `0x${string}`,
      gas: 100_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    last = await chain.rpc<string>('eth_sendRawTransaction', [raw])
  }
  await chain.rpc('eth_getTransactionReceipt', [last])
  return (count * 1_000) / (performance.now() - startedAt)
}
