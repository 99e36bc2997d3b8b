import { bvmAdapter } from '@causeway/chain-bvm'
import { type LocalBitcoin, startLocalBitcoin } from '@causeway/chain-bvm/testing'
import { environmentOf, systemClock } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { pino } from 'pino'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'

const BLOCKS_PER_DEPOSIT = 100
const BLOCKS = 10_000
const LIMIT_MS = 30_000

/** (r) How long the watcher takes to read blocks of which one in a hundred has a deposit, by either API. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const blocks = scale.rounds > 1 ? BLOCKS : BLOCKS / 20
  const chain = await startLocalBitcoin({ policy: { coinbaseMaturity: 1 } })
  try {
    const startHeight = chain.node.chain.height + 1
    await seed(chain, blocks)
    const measurements: Measurement[] = []
    for (const access of ['esplora', 'core'] as const) {
      say(`catching up on Bitcoin: ${blocks} blocks by ${access}`)
      measurements.push({
        case: 'r',
        what: `watcher catches up ${blocks} blocks by ${access}, ${blocks / BLOCKS_PER_DEPOSIT} deposits`,
        unit: 'ms',
        value: await catchUp(chain, access, { startHeight, expected: blocks / BLOCKS_PER_DEPOSIT }),
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      })
    }
    return measurements
  } finally {
    await chain.close()
  }
}

const seed = async (chain: LocalBitcoin, blocks: number): Promise<void> => {
  const [user, vault] = chain.accounts
  if (user === undefined || vault === undefined) throw new Error('The chain has no accounts')
  for (let at = 0; at < blocks / BLOCKS_PER_DEPOSIT; at += 1) {
    const data = `0x${at.toString(16).padStart(64, '0')}`
    await chain.pay(user, [{ to: vault.addresses.p2wpkh, value: 1_000n + BigInt(at) }], { data })
    await chain.mine(BLOCKS_PER_DEPOSIT)
  }
}

/** Milliseconds until every deposit was delivered. */
const catchUp = async (
  chain: LocalBitcoin,
  access: 'esplora' | 'core',
  { startHeight, expected }: { readonly startHeight: number; readonly expected: number },
): Promise<number> => {
  const depository = chain.accounts[1]?.addresses.p2wpkh ?? ''
  const config = {
    id: 2,
    slug: 'glacier',
    name: 'glacier',
    package: '@causeway/chain-bvm',
    rpc: [{ http: access === 'core' ? chain.rpcUrl : chain.url }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 6, settleSeconds: 0 },
    solver: depository,
    enabled: true,
    options: {},
  }
  const options = { depository, network: 'regtest' as const, access: [access], startHeight, pollIntervalMs: 50 }
  const adapter = bvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
  const control = new AbortController()
  await adapter.start(control.signal)
  const startedAt = performance.now()
  const seen = new Set<string>()
  try {
    for await (const { deposits } of adapter.watch(null, NOTHING_LIVE, control.signal)) {
      for (const { tx, state } of deposits) if (state === 'included') seen.add(tx.id)
      if (seen.size >= expected) break
    }
    return performance.now() - startedAt
  } finally {
    control.abort()
    await adapter.stop()
  }
}
