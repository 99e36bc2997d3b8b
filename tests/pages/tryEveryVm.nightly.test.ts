import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, TestBrowser } from './browser.js'
import { type SandboxWorld, startSandboxWorld } from './sandboxWorld.js'
import { tryTransfer } from './tryTransfer.js'

describe.runIf(hasChromium)('the page that tries transfers', () => {
  let world: SandboxWorld
  let browser: TestBrowser

  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startSandboxWorld(), TestBrowser.start()])
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it('shows the arrival of a transfer from a chain of every VM', { timeout: 600_000 }, async () => {
    const { chains } = world.info()
    const [home] = chains
    const origins = chains.filter(({ vmType }, at) => chains.findIndex((chain) => chain.vmType === vmType) === at)
    for (const { name: from } of origins) {
      const { page, context, complaints } = await browser.open(world.url)
      await tryTransfer(page, world, { from, to: (from === home?.name ? chains[1] : home)?.name ?? '' })
      await context.close()
      expect([from, complaints]).toEqual([from, []])
    }
  })
})
