import { chainTesting } from '@causeway/chain-tvm/testing'
import { encodeAddress } from '@causeway/core/chain'
import { TronWeb } from 'tronweb'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { adapterOf } from './adapterOf.js'

const ACCOUNTS = 32
const LIMIT = 0.5

/** (A) Addresses validated and encoded a second, against the library that wallets use. */
export const measureAddresses = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const texts = Array.from({ length: ACCOUNTS }, (_, at) => chainTesting.keyOf(Buffer.alloc(32, at + 1)).address)
  const adapter = adapterOf({ depository: texts[0] ?? '' }, { id: 1, endpoint: { http: 'http://127.0.0.1:9' } })
  const rounds = Math.ceil(scale.requests / 10)
  const perSecond = (work: (text: string) => unknown) => async () => {
    const startedAt = performance.now()
    for (let time = 0; time < rounds; time += 1) for (const text of texts) work(text)
    return { perSecond: (rounds * ACCOUNTS * 1_000) / (performance.now() - startedAt) }
  }
  const contestants = {
    validate: perSecond((text) => adapter.validateAddress(text)),
    validateFloor: perSecond((text) => TronWeb.isAddress(text)),
    encode: perSecond((text) => encodeAddress('tron-vm', text)),
    encodeFloor: perSecond((text) => TronWeb.address.toHex(text)),
  }
  for (const warmUp of Object.values(contestants)) await warmUp()
  const results = await interleave(scale.rounds, contestants, (round) => say(`Tron addresses: round ${round + 1}`))
  const measurement = (what: string, name: 'validate' | 'encode', floorIs: string): Measurement => ({
    case: 'A',
    what,
    floorIs,
    unit: '/s',
    value: results[name].perSecond ?? Number.NaN,
    floor: results[`${name}Floor`].perSecond ?? Number.NaN,
    target: { of: 'ratio', limit: LIMIT, better: 'more' },
  })
  return [
    measurement('Tron addresses validated', 'validate', 'tronweb isAddress'),
    measurement('Tron addresses encoded for orders', 'encode', 'tronweb address.toHex'),
  ]
}
