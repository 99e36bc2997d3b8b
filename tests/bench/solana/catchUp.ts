import { type SvmAdapter, svmAdapter } from '@causeway/chain-svm'
import { type LocalSvmChain, startLocalSvm } from '@causeway/chain-svm/testing'
import { environmentOf, systemClock } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { pino } from 'pino'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const SLOTS_PER_DEPOSIT = 100
const SLOTS = 10_000
const LIMIT_MS = 30_000
/** Twice the slots may take so much more time. */
const LINEAR = 2.6
const BYTES_IN_MB = 1_000_000

/** (h) How long the watcher takes to read slots of which one in a hundred has a deposit. */
export const measureCatchUp = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const slots = scale.rounds > 1 ? SLOTS : SLOTS / 20
  const depository = Keypair.generate().publicKey.toBase58()
  // A detached chain, so that its memory is not counted.
  const chain = await startLocalSvm({ slotMs: 0, detached: true })
  try {
    await chain.fund(depository, 10n ** 9n)
    say(`catching up: ${slots} slots`)
    await seed(chain, depository, slots / 2)
    await catchUp(chain, depository, slots / 2)
    const half = await catchUp(chain, depository, slots / 2)
    await seed(chain, depository, slots / 2)
    const before = process.memoryUsage().rss
    const whole = await catchUp(chain, depository, slots)
    const grown = Math.max(1, (process.memoryUsage().rss - before) / BYTES_IN_MB)
    return [
      {
        case: 'h',
        what: `watcher catches up ${slots} slots, ${slots / SLOTS_PER_DEPOSIT} deposits`,
        unit: 'ms',
        value: whole,
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
      {
        case: 'h',
        what: 'catching up, all slots against half of them',
        unit: 'ms',
        value: whole,
        floor: half,
        floorIs: 'half of the slots',
        target: { of: 'ratio', limit: LINEAR, better: 'less' },
      },
      { case: 'h', what: 'resident memory that catching up adds', unit: 'MB', value: grown },
    ]
  } finally {
    await chain.close()
  }
}

let orders = 0

const seed = async (chain: LocalSvmChain, depository: string, slots: number): Promise<void> => {
  const [user] = chain.accounts
  if (user === undefined) throw new Error('The chain has no accounts')
  for (let at = 0; at < slots; at += SLOTS_PER_DEPOSIT) {
    orders += 1
    const orderId = `0x${orders.toString(16).padStart(64, '0')}`
    await chain.send(user, [
      SystemProgram.transfer({
        fromPubkey: user.keypair.publicKey,
        toPubkey: new PublicKey(depository),
        lamports: 1_000 + orders,
      }),
      new TransactionInstruction({ keys: [], programId: MEMO, data: Buffer.from(orderId) }),
    ])
    await chain.advance(SLOTS_PER_DEPOSIT - 1)
  }
}

/** Milliseconds until every deposit of the slots was delivered by a new adapter that begins with the first slot. */
const catchUp = async (chain: LocalSvmChain, depository: string, slots: number): Promise<number> => {
  const adapter = adapterOf(chain, depository)
  const control = new AbortController()
  await adapter.start(control.signal)
  const expected = slots / SLOTS_PER_DEPOSIT
  const startedAt = performance.now()
  const seen = new Set<string>()
  try {
    for await (const { deposits } of adapter.watch(null, NOTHING_LIVE, control.signal)) {
      for (const { tx, orderId } of deposits) if (orderId !== null) seen.add(tx.id)
      if (seen.size >= expected) break
    }
    return performance.now() - startedAt
  } finally {
    control.abort()
    await adapter.stop()
  }
}

const adapterOf = (chain: LocalSvmChain, depository: string): SvmAdapter => {
  const config = {
    id: 2,
    slug: 'reef',
    name: 'reef',
    package: '@causeway/chain-svm',
    rpc: [{ http: chain.rpcUrl, ws: chain.wsUrl }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 32, settleSeconds: 0 },
    solver: depository,
    enabled: true,
    options: {},
  }
  const options = { depository, genesisHash: chain.genesisHash, startSlot: 0, pollIntervalMs: 50 }
  return svmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}
