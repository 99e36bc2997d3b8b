import { setTimeout as wait } from 'node:timers/promises'
import type { Measurement } from '../table.js'
import { type AddressBench, giveAddress, readHost } from './addressBench.js'

const FEW = 10
const ADDED_MB = 50

/** Calls to the origin's node for each of its blocks, and memory: with ten live addresses, and with very many. */
export const measureLive = async (bench: AddressBench): Promise<Measurement[]> => {
  const { live } = bench.world.scale.addresses
  for (let given = 0; given < FEW; given += 1) await giveAddress(bench)
  const few = await callsOfBlocks(bench)
  const before = await readHost(bench)
  await addAddresses(bench, live)
  bench.world.say(`addresses: ${live} live ones`)
  const many = await callsOfBlocks(bench)
  const after = await readHost(bench)
  return [
    {
      case: 't',
      what: `RPC calls of a block, ${live} live addresses`,
      unit: 'calls',
      value: many,
      floor: few,
      floorIs: `the same with ${FEW}`,
      target: { of: 'ratio', limit: 1.15, better: 'less' },
    },
    {
      case: 't',
      what: `resident memory with ${live} live addresses`,
      unit: 'MB',
      value: after.megabytes,
      floor: before.megabytes,
      floorIs: `the same with ${FEW}`,
      target: { of: 'value', limit: before.megabytes + ADDED_MB, better: 'less' },
    },
  ]
}

/** Of every kind, whatever asks: watchers, lanes, balances. */
const callsOfBlocks = async ({ world, origin, calls }: AddressBench): Promise<number> => {
  const height = async (): Promise<number> => Number(await origin.chain.rpc<string>('eth_blockNumber'))
  const count = (): number => [...calls.values()].reduce((sum, times) => sum + times, 0)
  const [from, before] = [await height(), count()]
  const until = performance.now() + world.scale.addresses.watchedMs
  while (performance.now() < until) {
    await origin.chain.mine(1)
    await wait(BLOCK_MS)
  }
  return (count() - before) / ((await height()) - from)
}

const BLOCK_MS = 250

/** Given over the last half year, one after the other, and looked at last when they were due. */
const addAddresses = async ({ pool, origin }: AddressBench, count: number): Promise<void> => {
  await pool.query(
    `with n as (
       select 'bench ' || n as name, now() - n * interval '180 days' / $2::int as at from generate_series(1, $2::int) n
     ), a as (
       insert into deposit_addresses (chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, created_at, live_until)
       select $1, text, text, 'open', sha256(('order ' || name)::bytea), sha256(('request ' || name)::bytea), $3, '{}', $3, at, at + interval '180 days'
       from n, lateral (select '0x' || left(encode(sha256(name::bytea), 'hex'), 40) as text) t
       returning id, chain_id, account, created_at
     )
     insert into deposit_address_places (address_id, chain_id, account, next_look_at)
     select id, chain_id, account, now() + random() * case when created_at > now() - interval '1 hour' then interval '30 seconds'
       when created_at > now() - interval '1 day' then interval '10 minutes' else interval '6 hours' end from a`,
    [origin.chain.chainId, count, origin.usdc],
  )
}
