import { randomBytes } from 'node:crypto'
import { bitcoinAddressCodec, NETWORKS, validateAddress } from '@causeway/chain-bvm'
import { accountOf } from '@causeway/chain-bvm/testing'
import { address, networks } from 'bitcoinjs-lib'
import type { BenchWorld } from '../benchWorld.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const ACCOUNTS = 16
const LIMIT = 0.5

/** (r) Addresses of every kind validated and encoded a second, against the library that wallets use. */
export const measureAddresses = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  const texts = Array.from({ length: ACCOUNTS }, () => Object.values(accountOf(randomBytes(32)).addresses)).flat()
  const codec = bitcoinAddressCodec(NETWORKS.regtest)
  const rounds = Math.ceil(scale.requests / 10)
  const perSecond = (work: (text: string) => unknown) => async () => {
    const startedAt = performance.now()
    for (let time = 0; time < rounds; time += 1) for (const text of texts) work(text)
    return { perSecond: (rounds * texts.length * 1_000) / (performance.now() - startedAt) }
  }
  const contestants = {
    validate: perSecond((text) => validateAddress(text, NETWORKS.regtest)),
    encode: perSecond((text) => codec.encode(text)),
    floor: perSecond((text) => address.toOutputScript(text, networks.regtest)),
  }
  for (const warmUp of Object.values(contestants)) await warmUp()
  const results = await interleave(scale.rounds, contestants, (round) => say(`bitcoin addresses: round ${round + 1}`))
  const measurement = (what: string, name: 'validate' | 'encode'): Measurement => ({
    case: 'r',
    what,
    unit: '/s',
    value: results[name].perSecond ?? Number.NaN,
    floor: results.floor.perSecond ?? Number.NaN,
    floorIs: 'bitcoinjs-lib toOutputScript',
    target: { of: 'ratio', limit: LIMIT, better: 'more' },
  })
  return [
    measurement('Bitcoin addresses validated', 'validate'),
    measurement('Bitcoin addresses encoded for orders', 'encode'),
  ]
}
