import { type Chain, ChainRegistry, type TrackedRequest } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictureRoute } from './pictureRoute.js'
import { PICTURE_HEIGHT, PICTURE_WIDTH, pictureSvg, rendererToInstall } from './previewPicture.js'
import { STATUS_WORDS } from './statusWords.js'
import { TrackPreviews, type TrackPreviewsDeps } from './trackPreviews.js'

const HOSTILE = `"><script>alert(1)</script>&'\u202e\u0000 مرحبا 漢字 ${'x'.repeat(400)}`
const ID = `0x${'ab'.repeat(32)}` as const

const tracked: TrackedRequest = {
  requestId: ID,
  status: 'pending',
  originChainId: 1,
  destinationChainId: 2,
  updatedAt: 0,
  firstFailReason: null,
}

// CAST: names and whether they are private are all that is looked at.
const chains = new ChainRegistry([
  { config: { id: 1, name: HOSTILE } },
  { config: { id: 2, name: 'Secret chain', privateId: 'p' } },
] as unknown as Chain[])

const previews = (more: Partial<TrackPreviewsDeps> = {}, found: TrackedRequest | null = tracked) =>
  new TrackPreviews({
    tracked: { find: async () => found },
    chains,
    deployment: { listener: { host: '127.0.0.1', tls: false } },
    clock: { now: () => 0 },
    publicUrl: null,
    draws: true,
    ...more,
  })

const HERE = { headers: { host: '127.0.0.1:3000' } }

describe('the link to a transfer', () => {
  it.each(Object.keys(STATUS_WORDS) as (keyof typeof STATUS_WORDS)[])('says in words that it is %s', (status) => {
    const { title, description, image } = previews().preview({ ...tracked, status }, HERE)
    expect(title).toContain(STATUS_WORDS[status].title)
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(image).toBe(`http://127.0.0.1:3000/track/${ID}/preview.png?status=${status}`)
  })

  it('names no private chain', () => {
    const { description } = previews().preview(tracked, HERE)
    expect(description).not.toContain('Secret')
    expect(description).toContain('another chain')
    expect(description.length).toBeLessThan(200)
  })

  it('to nothing reads as the page without an id, and has no picture', async () => {
    expect(previews().preview(null, HERE)).toMatchObject({ title: 'Where is my transfer? · Causeway', image: null })
    expect(await previews({}, null).picture(ID)).toBeNull()
  })
})

it('pictures are at the public address, whatever was asked for; without one a foreign name gets none', () => {
  const evil = { headers: { host: 'evil.example' } }
  const { image } = previews({ publicUrl: 'https://pay.example' }).preview(tracked, evil)
  expect(image).toBe(`https://pay.example/track/${ID}/preview.png?status=pending`)
  expect(previews().preview(tracked, evil).image).toBeNull()
})

describe('without the packages that draw pictures', () => {
  const bare = previews({ draws: false, publicUrl: 'https://pay.example' })

  it('a link has its title and no picture, and the picture is 404', async () => {
    expect(bare.preview(tracked, HERE)).toMatchObject({ image: null, title: expect.stringContaining('Causeway') })
    const server = await startTestServer([pictureRoute(bare)])
    try {
      expect((await fetch(new URL(`/track/${ID}/preview.png`, server.server.url))).status).toBe(404)
    } finally {
      await server.close()
    }
  })

  it('an operator reads which to install', () => {
    const nowhere = (path: string): string => {
      throw new Error(`Cannot find module ${path}`)
    }
    expect(rendererToInstall(nowhere)).toMatch(/^npm install @expo-google-fonts\/inter@\S+ @resvg\/resvg-js@\S+$/)
    expect(rendererToInstall()).toBeNull()
  })
})

describe('the picture', () => {
  let test: TestServer
  beforeAll(async () => {
    test = await startTestServer([pictureRoute(previews())])
  })
  afterAll(() => test.close())

  it('has no markup of a name, and of a long one its beginning', () => {
    const svg = pictureSvg({ requestId: HOSTILE, status: 'failure', from: HOSTILE, to: HOSTILE })
    expect(svg).not.toContain('<script')
    expect(['\u0000', '\u202e'].filter((each) => svg.includes(each))).toEqual([])
    expect(svg).not.toContain('xxxxxxxxxxxxxxxx')
  })

  it('is drawn at the size that links are shown in, whatever the chains are called', async () => {
    const answer = await fetch(new URL(`/track/${ID}/preview.png`, test.server.url))
    expect(answer.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([PICTURE_WIDTH, PICTURE_HEIGHT])
  })

  it('of a status is drawn once', async () => {
    const kept = previews()
    const [one, two] = [await kept.picture(ID), await kept.picture(ID)]
    expect(one).not.toBeNull()
    expect(two).toBe(one)
  })

  it('of nothing is 404', async () => {
    const none = await startTestServer([pictureRoute(previews({}, null))])
    try {
      expect((await fetch(new URL('/track/x/preview.png', none.server.url))).status).toBe(404)
    } finally {
      await none.close()
    }
  })
})
