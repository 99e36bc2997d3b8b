import { NOTHING_LIVE } from '../../../../chain/address/depositAddresses.js'
import type { ChainAdapter, WatchPage } from '../../../../chain/chainAdapter.js'
import type { Json } from '../../../../chain/json.js'
import type { ConformanceHarness, HostileEndpoint } from '../../conformanceHarness.js'
import { depositSeen, keyOf } from '../../depositing.js'
import { startGate } from '../../gate/endpointGate.js'
import { movingNode } from '../../gate/oddNodes.js'
import { broadcast, makePayout, signPayout, stateOf, succeeded } from '../../paying.js'
import { check, eventually, nativeOf, type Rule, there, withAdapter } from '../../rule.js'
import { orDoubt } from '../../twoProviders.js'

/** Runs `use` over a node that dropped its blocks. An adapter may also refuse such a node at start. */
const overForgetful = async (
  harness: ConformanceHarness,
  use: (adapter: ChainAdapter) => Promise<void>,
): Promise<void> => {
  const node: HostileEndpoint = there(await harness.forget?.(), 'the harness has no node that forgets')
  try {
    await orDoubt(withAdapter(harness.createAdapter([node.endpoint]), use))
  } finally {
    await node.close()
  }
}

/** The payment is made, final and expired, so only the dropped blocks show it. */
const payment = async (harness: ConformanceHarness): Promise<void> => {
  const { expire, advance, finalDepth } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  await broadcast(harness.adapter, attempt)
  const { block } = await succeeded(harness, attempt, payout)
  await expire?.([attempt])
  await advance(finalDepth + 2)
  await overForgetful(harness, async ({ lane }) => {
    for (const options of [undefined, { agreeing: 1, payout }]) {
      const said = await orDoubt(lane.payoutVerdict(attempt.guards, [attempt.txId], options))
      check(
        said !== 'dead',
        `calls ${attempt.txId} dead, which paid in block ${block?.height}: the node has only blocks from ` +
          `${(await harness.height()) - finalDepth} on, and what it does not show there it does not deny (history)`,
      )
    }
  })
}

/** New heads until a watcher counts as standing still. */
const HEADS = 4

/** Returns the pages of the watcher up to `from.height`, or those before `HEADS` new heads have passed. */
const readOn = async (
  harness: ConformanceHarness,
  adapter: ChainAdapter,
  from: { readonly cursor: Json; readonly height: bigint },
): Promise<readonly WatchPage[]> => {
  const stop = new AbortController()
  const pages: WatchPage[] = []
  const reading = (async () => {
    for await (const page of adapter.watch(from.cursor, NOTHING_LIVE, stop.signal)) pages.push(page)
  })()
  reading.catch(() => undefined)
  for (let heads = 0; heads < HEADS && !pages.some(({ height }) => height >= from.height); heads += 1) {
    await harness.advance(1)
    const newest = BigInt(await harness.height())
    const hasHeard = async () => ((await adapter.tip()).height >= newest ? true : null)
    await eventually(`tip() at block ${newest}`, hasHeard, harness.patienceSeconds)
  }
  stop.abort()
  await reading.catch(() => undefined)
  return pages
}

const forgottenDeposit = async (harness: ConformanceHarness): Promise<void> => {
  const { cursor, found } = await depositSeen(harness, nativeOf(harness))
  const { height } = there(found.block, 'the deposit has no block')
  await harness.advance(harness.finalDepth + 2)
  await overForgetful(harness, async (adapter) => {
    const [evidence] =
      (await orDoubt(adapter.recheckDeposits([{ tx: found.tx, position: found.position, height }]))) ?? []
    check(
      evidence === undefined || evidence.finding === 'present',
      `a second reading of ${found.tx.id} says "${evidence?.finding}": it is in block ${height}, which the node has dropped`,
    )
    const pages = await readOn(harness, adapter, { cursor, height })
    const isShown = pages.flatMap(({ deposits }) => deposits).some((event) => keyOf(event) === keyOf(found))
    const passed = pages.find((page) => page.height >= height)
    check(
      isShown || passed === undefined,
      `reads on to block ${passed?.height} from a cursor below ${height}, and does not show the deposit ${found.tx.id} there: the node has dropped that block`,
    )
  })
}

/** The payment lands and expires after the node answered that it does not show the payment, and before the next answer. */
const torn = async (harness: ConformanceHarness): Promise<void> => {
  const { expire, advance, finalDepth } = harness
  const payout = await makePayout(harness)
  const attempt = await signPayout(harness, payout)
  const gate = await startGate(there(harness.rpc[0], 'the harness has no endpoint'))
  try {
    await withAdapter(harness.createAdapter([gate.endpoint]), async ({ lane }) => {
      const move = async () => {
        await broadcast(harness.adapter, attempt)
        await succeeded(harness, attempt, payout)
        await expire?.([attempt])
        await advance(finalDepth + 2)
      }
      gate.set(movingNode(attempt.txId, move))
      const said = await orDoubt(lane.payoutVerdict(attempt.guards, [attempt.txId]))
      const { status, block } = await stateOf(harness, attempt, payout)
      check(
        said !== 'dead',
        `calls ${attempt.txId} dead, which is a ${status} in block ${block?.height}: it came there between two questions. Ask for the head first`,
      )
    })
  } finally {
    await gate.close()
  }
}

const needs: NonNullable<Rule['needs']> = { ability: 'forget', isThere: ({ forget }) => forget !== undefined }

/** A transaction that a node does not show may still exist. */
export const forgottenRules: readonly Rule[] = [
  {
    id: 'deposit-forgotten',
    says: 'a node that dropped the block of a deposit neither denies it nor has the watcher pass it over',
    needs,
    run: forgottenDeposit,
  },
  {
    id: 'death-forgotten',
    says: 'a node that dropped the block of a payment does not prove it dead (F122)',
    needs,
    run: payment,
  },
  {
    id: 'death-torn',
    says: 'a payment that lands between two questions of one verdict is not dead (F122)',
    run: torn,
  },
]
