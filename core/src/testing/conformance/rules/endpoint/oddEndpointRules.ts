import type { ChainAdapter } from '../../../../chain/chainAdapter.js'
import { ServiceError } from '../../../../errors/serviceError.js'
import type { ConformanceHarness } from '../../conformanceHarness.js'
import { deposit, depositsOf, newOrderId, tipCursor, watchUntil } from '../../depositing.js'
import { startGate } from '../../gate/endpointGate.js'
import { type OddNode, refusingNodes, strangeNodes } from '../../gate/oddNodes.js'
import { broadcast, checkArrived, makePayout, signPayout, succeeded } from '../../paying.js'
import { check, nativeOf, type Rule, there } from '../../rule.js'

/** The adapter over a gate and, after it, the honest endpoints; the gate passes until it is set. */
const behindOdd = async (
  harness: ConformanceHarness,
  odd: OddNode,
  use: (adapter: ChainAdapter) => Promise<void>,
): Promise<void> => {
  const gate = await startGate(there(harness.rpc[0], 'the harness has no endpoint'))
  // Without websockets, which would tell of heads whoever is asked.
  const honest = harness.rpc.map(({ http, provider = 'honest' }) => ({ http, provider }))
  const adapter = await harness.createAdapter([gate.endpoint, ...honest])
  try {
    await adapter.start(new AbortController().signal)
    gate.set(odd)
    await use(adapter)
  } finally {
    await adapter.stop()
    await gate.close()
  }
}

/** An adapter throws only errors that callers know how to handle. */
const orServiceError = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work()
  } catch (error) {
    check(ServiceError.is(error), `${what} throws something else than a ServiceError: ${String(error).slice(0, 200)}`)
    return null
  }
}

/** Balances come from the endpoint that answers. */
const asksOn = (harness: ConformanceHarness, odd: OddNode): Promise<void> =>
  behindOdd(harness, odd, async (adapter) => {
    const { amount, signer } = harness
    const why = `while the first endpoint ${odd.what}`
    const payer = adapter.lane.addressOf(signer)
    const asked = () => adapter.getBalances([{ address: payer, currency: nativeOf(harness) }])
    const held = await orServiceError(`getBalances, ${why},`, asked)
    check((held?.amounts[0] ?? 0n) > amount, `getBalances does not ask the second endpoint ${why}`)
    await orServiceError(`lane.read, ${why},`, () => adapter.lane.read(payer, null))
  })

/** Deposits come from the endpoint that answers. */
const watchesOn = (harness: ConformanceHarness, odd: OddNode): Promise<void> =>
  behindOdd(harness, odd, async (adapter) => {
    const { advance, patienceSeconds } = harness
    const why = `while the first endpoint ${odd.what}`
    const cursor = await tipCursor(harness)
    const orderId = newOrderId()
    await deposit(harness, nativeOf(harness), orderId)
    await advance(1)
    const watching = { adapter, advance, ...(patienceSeconds === undefined ? {} : { patienceSeconds }) }
    const isSeen = orServiceError(`watch, ${why},`, () =>
      watchUntil(watching, cursor, (read) => depositsOf(read, orderId).some(({ state }) => state === 'included')),
    )
    check((await isSeen) !== null, `a deposit is not found ${why}`)
  })

const strange = async (harness: ConformanceHarness): Promise<void> => {
  for (const odd of strangeNodes) await asksOn(harness, odd)
  await watchesOn(harness, there(strangeNodes[0], 'no node is strange'))
}

/** One payment each is sent, and must reach the endpoint that takes it. */
const refusing = async (harness: ConformanceHarness): Promise<void> => {
  for (const odd of refusingNodes) await asksOn(harness, odd)
  const odd = there(refusingNodes[0], 'no node refuses')
  await watchesOn(harness, odd)
  await behindOdd(harness, odd, async (adapter) => {
    const payout = await makePayout(harness)
    const attempt = await signPayout(harness, payout)
    const { outcome } = await broadcast(adapter, attempt)
    check(outcome === 'known', `says "${outcome}" of a broadcast that the second endpoint takes and the first refuses`)
    await succeeded(harness, attempt, payout)
    await checkArrived(harness, payout, harness.amount)
  })
}

/** Endpoints that can be reached and do not answer as they should. */
export const oddEndpointRules: readonly Rule[] = [
  {
    id: 'endpoint-strange',
    says: 'an answer of another shape than it must have is the failure of its endpoint: the next one is asked, and nothing else is thrown (F161)',
    run: strange,
  },
  {
    id: 'endpoint-refusing',
    says: 'keys, plans, rates, faults and missing methods of one endpoint leave questions and broadcasts to the next one (F162, F163)',
    run: refusing,
  },
]
