import type { TrackedRequest } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { type AskedView, DrawnViews, type DrawnViewsDeps } from './drawnViews.js'
import type { Area } from './pagePaths.js'

const HOSTILE = '"><script>alert(1)</script>'
const ID = `0x${'ab'.repeat(32)}` as const
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

/** What is found under an id. */
const found: TrackedRequest = {
  ...{ requestId: ID, status: 'failure', originChainId: 1, destinationChainId: 2, updatedAt: AT },
  firstFailReason: null,
}
const known = { tell: async () => transfer }

const views = (more: Partial<DrawnViewsDeps> & { readonly sandbox?: boolean } = {}) => {
  const { sandbox = false, ...deps } = more
  const facts = (area: Area) => ({ area, network: 'testnet', sandbox, extensions: [] })
  const log = { error: (fields: object) => expect(fields).toBeNull() }
  return new DrawnViews({ transfers: known, clock: { now: () => AT }, log, facts, ...deps })
}

const STRANGER: AskedView = { id: '', found: null, isSignedIn: false }
const FOLLOWER: AskedView = { id: ID, found, isSignedIn: false }
const drawn = async (of: DrawnViews, area: Area, asked = STRANGER): Promise<string> =>
  (await of.draw(area, asked))?.html ?? ''

describe('a view that the service draws', () => {
  it('is the form that opens a session, with the token first for operators', async () => {
    const [dashboard, console] = [await drawn(views(), 'dashboard'), await drawn(views(), 'console')]
    for (const html of [dashboard, console]) expect(html).toMatch(/<h1>[^<]+<\/h1>.*<input[^>]*type="password"/s)
    expect(console.indexOf('<form')).toBeLessThan(console.indexOf('No wallet'))
    expect(dashboard.indexOf('<form')).toBeGreaterThan(dashboard.indexOf('No wallet'))
  })

  it('links what the host serves: where there is something to try, that', async () => {
    for (const sandbox of [true, false, true])
      expect((await drawn(views({ sandbox }), 'dashboard')).includes('href="/try"')).toBe(sandbox)
  })

  it('is a transfer as it stands, its times told from when it was drawn', async () => {
    const html = await drawn(views(), 'track', FOLLOWER)
    expect(html).toContain('SLIPPAGE')
    expect(html).toMatch(new RegExp(`<time[^>]*dateTime="${new Date(AT - 180_000).toISOString()}"[^>]*>3 min ago<`))
    expect((await views().draw('track', FOLLOWER))?.of).toEqual({ at: AT, transfer })
  })

  it('has no markup of what strangers wrote, and links no address but those of the web', async () => {
    const html = await drawn(views(), 'track', FOLLOWER)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('javascript:')
    expect(html).toContain('&lt;script&gt;alert(1)')
  })

  it('shows no transfer where another was asked for before', async () => {
    const of = views()
    await of.draw('track', FOLLOWER)
    expect(await of.draw('track', { ...FOLLOWER, found: null })).toBeNull()
    for (const area of ['track', 'dashboard'] as const) expect(await drawn(of, area)).not.toContain('SLIPPAGE')
  })

  it('is drawn once where it is the same for everybody', async () => {
    const of = views()
    expect(await of.draw('console', STRANGER)).toBe(await of.draw('console', STRANGER))
    expect(await of.draw('track', FOLLOWER)).not.toBe(await of.draw('track', FOLLOWER))
  })

  it.each([
    ['dashboard', { ...STRANGER, isSignedIn: true }],
    ['console', { ...STRANGER, isSignedIn: true }],
    ['try', STRANGER],
    ['track', { ...STRANGER, id: '0x01' }],
  ] as const)('is left to the browser at /%s (%j)', async (area, asked) => {
    expect(await views({ sandbox: true }).draw(area, asked)).toBeNull()
  })

  it('asks for an id where none is given, whoever is signed in; without transfers of other plugins too', async () => {
    const alone = views({ transfers: null })
    for (const isSignedIn of [true, false])
      expect(await drawn(alone, 'track', { ...STRANGER, isSignedIn })).toMatch(/<form.*<input/s)
    expect(await alone.draw('track', FOLLOWER)).toBeNull()
  })

  it('that cannot be drawn here is left to the browser, and told in the log', async () => {
    const told: object[] = []
    const of = views({ folder: '/nowhere', log: { error: (fields) => told.push(fields) } })
    expect(await of.draw('track', FOLLOWER)).toBeNull()
    expect(told).toMatchObject([{ area: 'track', err: expect.any(Error) }])
  })
})
