import type { ChainAdapter } from '../../chain/chainAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { ConformanceHarness } from './conformanceHarness.js'
import { type EndpointGate, startGate } from './gate/endpointGate.js'
import { there } from './rule.js'

/** A started adapter over two gates to the same node, said to be of these providers; the second gate can be spoilt. */
export const overTwo = async <T>(
  harness: ConformanceHarness,
  providers: readonly [string, string],
  use: (adapter: ChainAdapter, second: EndpointGate) => Promise<T>,
): Promise<T> => {
  const target = there(harness.rpc[0], 'the harness has no endpoint')
  const gates = [await startGate(target), await startGate(target)] as const
  const adapter = await harness.createAdapter(
    gates.map(({ endpoint }, at) => ({ ...endpoint, provider: providers[at] ?? '' })),
  )
  try {
    await adapter.start(new AbortController().signal)
    return await use(adapter, gates[1])
  } finally {
    await adapter.stop()
    await Promise.all(gates.map((gate) => gate.close()))
  }
}

/** An answer, or null where the adapter says that too few answer. */
export const orDoubt = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (ServiceError.is(error)) return null
    throw error
  })
