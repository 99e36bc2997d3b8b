import { NOTHING_LIVE } from '../../../chain/address/depositAddresses.js'
import type { ConformanceHarness } from '../conformanceHarness.js'
import { tipCursor } from '../depositing.js'
import { startGate } from '../gate/endpointGate.js'
import { check, eventually, type Rule, within } from '../rule.js'

/** How long an aborted wait may go on. */
const PROMPT_SECONDS = 2

const watchEnds = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const cursor = await tipCursor(harness)
  const stop = new AbortController()
  let pages = 0
  const reading = (async () => {
    for await (const _page of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) pages += 1
  })()
  reading.catch(() => undefined)
  // At the tip, where it waits for what may never come.
  await harness.advance(1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  stop.abort()
  await within('an aborted watch', PROMPT_SECONDS, reading)
  const seen = pages
  await harness.advance(2)
  check(pages === seen, 'an aborted watch goes on giving pages')
  const before = (async () => {
    for await (const _page of adapter.watch(cursor, NOTHING_LIVE, AbortSignal.abort())) pages += 1
  })()
  await within('a watch that was aborted before it began', PROMPT_SECONDS, before)
}

const headsEnd = async ({ adapter, advance }: ConformanceHarness): Promise<void> => {
  const stop = new AbortController()
  let heads = 0
  let last = -1n
  adapter.onHead(({ height }) => {
    heads += 1
    last = height
  }, stop.signal)
  await eventually('a call back at a new head', async () => {
    await advance(1)
    return heads > 0 ? true : null
  })
  check(last >= 0n, 'a head has no height')
  stop.abort()
  const seen = heads
  await advance(2)
  await adapter.tip()
  check(heads === seen, 'an aborted listener is still called')
}

const startEnds = async (harness: ConformanceHarness): Promise<void> => {
  const gate = await startGate(null, 'silent')
  const adapter = await harness.createAdapter([gate.endpoint])
  try {
    const stop = new AbortController()
    const starting = adapter.start(stop.signal)
    let ended = false
    const note = () => {
      ended = true
    }
    starting.then(note, note)
    await new Promise((resolve) => setTimeout(resolve, 100))
    check(!ended, 'start does not wait for its endpoint')
    stop.abort()
    await within('an aborted start', PROMPT_SECONDS, starting)
    await within('stop', PROMPT_SECONDS, adapter.stop())
  } finally {
    await gate.close()
  }
}

/** An abort signal ends every wait. */
export const waitRules: readonly Rule[] = [
  { id: 'wait-watch', says: 'an abort ends a watch at once', run: watchEnds },
  { id: 'wait-heads', says: 'new heads are told, and an abort ends that', run: headsEnd },
  { id: 'wait-start', says: 'an abort ends a start that waits for an endpoint that never answers', run: startEnds },
]
