import { type Coin, selectCoins } from '@causeway/chain-bvm'
import { accountOf } from '@causeway/chain-bvm/testing'
import type { BenchWorld } from '../benchWorld.js'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'

const COINS = 10_000
const LIMIT_MS = 50

/** (r) Choosing among many coins, for an amount that takes a tenth of them. */
export const measureCoins = async ({ scale, say }: BenchWorld): Promise<Measurement[]> => {
  say(`choosing among ${COINS} coins`)
  const { p2wpkh: script, p2tr } = accountOf(new Uint8Array(32).fill(3)).scripts
  const coins = Array.from({ length: COINS }, (_, at): Coin => {
    const value = 10_000n + ((BigInt(at) * 7_919n) % 90_000n)
    return { txId: at.toString(16).padStart(64, '0'), index: 0, value, script, height: 1n }
  })
  const request = { coins, outputs: [{ script: p2tr, value: 90_000_000n }], change: script, rate: 10_000n }
  const times = new Float64Array(scale.transfersPerRound)
  for (let at = 0; at < times.length; at += 1) {
    const startedAt = performance.now()
    const result = selectCoins(request)
    times[at] = performance.now() - startedAt
    if (!('coins' in result)) throw new Error('The coins are not enough')
  }
  times.sort()
  return [
    {
      case: 'r',
      what: `choosing among ${COINS} coins, p50`,
      unit: 'ms',
      value: percentile(times, 0.5),
      target: { of: 'value', limit: LIMIT_MS, better: 'less' },
    },
  ]
}
