import { NOTHING_LIVE } from '@causeway/core/chain'
import { expect, it, vi } from 'vitest'
import { NATIVE } from '../address/addresses.js'

const sdk = vi.hoisted(() => ({ loads: 0 }))

vi.mock('@hashgraph/sdk', (importOriginal) => {
  sdk.loads += 1
  return importOriginal()
})

it('an adapter that watches loads no SDK; a lane that is read loads it, before it pays', async () => {
  // Another file of this process may have loaded the SDK.
  vi.resetModules()
  const { openHederaWorld } = await import('../hederaWorld.test.support.js')
  const world = await openHederaWorld({ isSigning: false })
  const adapter = world.adapterOver()
  const control = new AbortController()
  try {
    await adapter.start(control.signal)
    const id = await world.transfer(world.solverId, world.depositoryId, 7n)
    const pages = adapter.watch(await adapter.cursorAt(1n), NOTHING_LIVE, control.signal)
    for await (const { deposits } of pages) if (deposits.some(({ tx }) => tx.id === id)) break
    await adapter.getBalances([{ address: world.solver.address, currency: NATIVE }])
    expect(await adapter.recipientStatus({ address: world.solverId }, NATIVE)).toEqual({ canReceive: true })
    expect(sdk.loads).toBe(0)
    await adapter.lane.read(world.solver.address, null)
    await expect.poll(() => sdk.loads, { timeout: 60_000 }).toBe(1)
  } finally {
    control.abort()
    await adapter.stop()
    await world.chain.close()
  }
}, 120_000)
