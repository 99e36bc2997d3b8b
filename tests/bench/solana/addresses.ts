import { type SvmAdapter, svmAdapter } from '@causeway/chain-svm'
import { environmentOf, systemClock } from '@causeway/core'
import { encodeAddress } from '@causeway/core/chain'
import { Keypair, PublicKey } from '@solana/web3.js'
import { pino } from 'pino'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const ADDRESSES = 64
const LIMIT = 0.5

/** (h) Addresses validated and encoded a second, against the library that wallets use. */
export const measureAddresses = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const texts = Array.from({ length: ADDRESSES }, () => Keypair.generate().publicKey.toBase58())
  const adapter = idleAdapter(texts[0] ?? '')
  const perSecond = (work: (text: string) => unknown) => async () => {
    const startedAt = performance.now()
    for (let time = 0; time < scale.requests; time += 1) for (const text of texts) work(text)
    return { perSecond: (scale.requests * ADDRESSES * 1_000) / (performance.now() - startedAt) }
  }
  const contestants = {
    validate: perSecond((text) => adapter.validateAddress(text)),
    encode: perSecond((text) => encodeAddress('solana-vm', text)),
    validateFloor: perSecond((text) => new PublicKey(text).toBase58() === text),
    encodeFloor: perSecond((text) => new PublicKey(text).toBytes()),
  }
  for (const warmUp of Object.values(contestants)) await warmUp()
  const results = await interleave(scale.rounds, contestants, (round) => say(`addresses: round ${round + 1}`))
  const measurement = (what: string, name: 'validate' | 'encode'): Measurement => ({
    case: 'h',
    what,
    unit: '/s',
    value: results[name].perSecond ?? Number.NaN,
    floor: results[`${name}Floor`].perSecond ?? Number.NaN,
    floorIs: '@solana/web3.js PublicKey',
    target: { of: 'ratio', limit: LIMIT, better: 'more' },
  })
  return [
    measurement('Solana addresses validated', 'validate'),
    measurement('Solana addresses encoded for orders', 'encode'),
  ]
}

/** One that is never started, for what needs no node. */
const idleAdapter = (depository: string): SvmAdapter => {
  const config = {
    id: 1,
    slug: 'reef',
    name: 'reef',
    package: '@causeway/chain-svm',
    rpc: [{ http: 'http://127.0.0.1:9' }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 32, settleSeconds: 0 },
    solver: depository,
    enabled: true,
    options: {},
  }
  const options = { depository, genesisHash: depository }
  return svmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}
