import { freshAddress } from '../../harness/transfer.js'
import { numbers } from '../cases/quotes.js'
import { runLoad } from '../httpLoad.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { type AddressBench, addressBody } from './addressBench.js'

/** A quote with a fresh address against one that is paid by the user's own deposit. */
export const measureAddressQuotes = async (bench: AddressBench): Promise<Measurement[]> => {
  const { rounds, requests } = bench.world.scale
  const run = (withAddress: boolean) => async () =>
    numbers(
      await runLoad({
        ...{ url: bench.host.url, path: '/quote', connections: 1, requests },
        body: () => addressBody(bench, freshAddress(), withAddress),
      }),
    )
  const contestants = { without: run(false), with: run(true) }
  await contestants.without()
  await contestants.with()
  const results = await interleave(rounds, contestants, (round) =>
    bench.world.say(`quotes with addresses: round ${round + 1} of ${rounds}`),
  )
  return [
    {
      case: 't',
      what: 'POST /quote with an address, p50',
      unit: 'ms',
      value: results.with.p50 ?? Number.NaN,
      floor: results.without.p50 ?? Number.NaN,
      floorIs: 'the same without',
      target: { of: 'ratio', limit: 1.3, better: 'less' },
    },
  ]
}
