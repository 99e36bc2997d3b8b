import { describe, expect, it } from 'vitest'
import { DrawnViews } from './drawnViews.js'
import type { Area } from './pagePaths.js'

const HOSTILE = '"><script>alert(1)</script>'
const ID = `0x${'ab'.repeat(32)}`
const AT = 1_760_000_000_000

const transfer = {
  requestId: ID,
  status: 'failure',
  originChainId: 1,
  destinationChainId: 2,
  inTxHashes: [],
  txHashes: [],
  updatedAt: AT - 180_000,
  quoteCreatedAt: AT - 7_200_000,
  failReason: 'SLIPPAGE',
  refundFailReason: 'N/A',
  details: HOSTILE,
  chains: { origin: { name: HOSTILE, explorerUrl: null }, destination: { name: 'Far', explorerUrl: null } },
  links: { payment: null, in: [{ chainId: 1, txHash: HOSTILE, explorerUrl: 'javascript:alert(1)' }], out: [] },
}

const views = (sandbox = false, transfers: { find(id: string): Promise<object | null> } | null = null) =>
  new DrawnViews({
    transfers,
    clock: { now: () => AT },
    facts: (area) => ({ area, network: 'testnet', sandbox, extensions: [] }),
  })

const known = { find: async (id: string) => (id === ID ? transfer : null) }
const drawn = async (of: DrawnViews, area: Area, id: string | null = null, isSignedIn = false): Promise<string> =>
  (await of.draw(area, id, isSignedIn))?.html ?? ''

describe('a view that the service draws', () => {
  it('is the form that opens a session, with the token first for operators', async () => {
    const [dashboard, console] = [await drawn(views(), 'dashboard'), await drawn(views(), 'console')]
    for (const html of [dashboard, console]) expect(html).toMatch(/<h1>[^<]+<\/h1>.*<input[^>]*type="password"/s)
    expect(console.indexOf('<form')).toBeLessThan(console.indexOf('No wallet'))
    expect(dashboard.indexOf('<form')).toBeGreaterThan(dashboard.indexOf('No wallet'))
  })

  it('links what the host serves: where there is something to try, that', async () => {
    for (const sandbox of [true, false, true])
      expect((await drawn(views(sandbox), 'dashboard')).includes('href="/try"')).toBe(sandbox)
  })

  it('is a transfer as it stands, its times told from when it was drawn', async () => {
    const html = await drawn(views(false, known), 'track', ` ${ID} `)
    expect(html).toContain('SLIPPAGE')
    expect(html).toMatch(new RegExp(`<time[^>]*dateTime="${new Date(AT - 180_000).toISOString()}"[^>]*>3 min ago<`))
    expect((await views(false, known).draw('track', ID, false))?.of).toEqual({ at: AT, transfer })
  })

  it('has no markup of what strangers wrote, and links no address but those of the web', async () => {
    const html = await drawn(views(false, known), 'track', ID)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('javascript:')
    expect(html).toContain('&lt;script&gt;alert(1)')
  })

  it('shows no transfer where another was asked for before', async () => {
    const of = views(false, known)
    await of.draw('track', ID, false)
    expect(await of.draw('track', `0x${'cd'.repeat(32)}`, false)).toBeNull()
    expect(await drawn(of, 'track')).not.toContain('SLIPPAGE')
    expect(await drawn(of, 'dashboard')).not.toContain('SLIPPAGE')
  })

  it.each([
    ['dashboard', null, true],
    ['console', null, true],
    ['try', null, false],
    ['track', '0x01', false],
  ] as const)('is left to the browser at /%s of %s, signed in: %s', async (area, id, isSignedIn) => {
    expect(await views(true, known).draw(area, id, isSignedIn)).toBeNull()
  })

  it('asks for an id where none is given, whoever is signed in; without transfers of other plugins too', async () => {
    for (const isSignedIn of [true, false])
      expect(await drawn(views(false, null), 'track', null, isSignedIn)).toMatch(/<form.*<input/s)
    expect(await views(false, null).draw('track', ID, false)).toBeNull()
  })
})
