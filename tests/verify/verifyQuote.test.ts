import { gzipSync } from 'node:zlib'
import { verifyQuote } from '@causeway/core/verify'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectEachLeafBound } from './boundLeaves.js'
import { bundleForBrowsers, verifyInPage } from './browserBundle.js'
import { VMS } from './everyVm.js'
import { KINDS } from './quoteKinds.js'
import { type QuoteKind, type QuoteWorld, type RealQuote, startQuoteWorld } from './quoteWorld.js'
import { withLeaf } from './tamper.js'

let world: QuoteWorld
beforeAll(async () => {
  world = await startQuoteWorld()
})
afterAll(() => world?.close())

describe.each(KINDS)('a real quote: $name (wire.md 1.1 5)', (kind) => {
  let real: RealQuote
  beforeAll(async () => {
    real = await world.quote(kind)
  })

  it('is verified with all that is known, but for the fees of the network', () => {
    const verdict = verifyQuote(real.quote, real.options)
    expect(verdict).toMatchObject({ ok: true, covered: true, solver: real.options.solver })
    expect(verdict.ok && verdict.notCovered).toEqual([expect.stringMatching(/fees of the transaction/)])
  })

  it('is verified on its own word, which is said', () => {
    const verdict = verifyQuote(real.quote, { vms: VMS })
    expect(verdict).toMatchObject({ ok: true, covered: true })
    const said = verdict.ok ? verdict.notCovered.join('\n') : ''
    for (const option of ['options.request', 'options.solver', 'options.chains']) expect(said).toContain(option)
  })

  it('is refused as the answer to another request, and of another solver', () => {
    const { quote, options } = real
    const { request } = options
    const others = [
      { ...request, user: world.feePayer },
      { ...request, recipient: world.feePayer },
      { ...request, refundTo: world.feePayer },
      { ...request, amount: `${request.amount}0` },
      { ...request, originChainId: request.destinationChainId },
      { ...request, destinationCurrency: `0x${'12'.repeat(20)}` },
    ]
    for (const other of others) expect(verifyQuote(quote, { ...options, request: other }).ok).toBe(false)
    expect(verifyQuote(quote, { ...options, solver: `0x${'34'.repeat(20)}` }).ok).toBe(false)
  })

  it('is refused where its VM was not given, which is said', () => {
    const vms = VMS.filter(({ vmType }) => vmType !== kind.from)
    const verdict = verifyQuote(real.quote, { ...real.options, vms })
    expect(verdict.ok ? [] : verdict.problems).toEqual([expect.stringContaining('options.vms')])
  })

  it('is refused with a step more, a step less, or one twice', () => {
    // CAST: a quote has steps.
    const { steps, ...rest } = real.quote as { readonly steps: readonly unknown[] }
    const last = steps.slice(-1)
    for (const others of [[], [...steps, ...last], [...last, ...last, ...last], [...last, ...last]]) {
      expect(verifyQuote({ ...rest, steps: others }, real.options).ok).toBe(false)
    }
  })
})

it.each(KINDS.filter(({ name }) => name === 'EVM token by depository call' || name === 'SPL token with a memo'))(
  '$name is refused when any leaf of order, signature or steps is another one',
  async (kind) => expectEachLeafBound(await world.quote(kind), 1),
)

describe('what cannot be covered', () => {
  it('a quote without its order is refused, with the remedy', async () => {
    const { quote, options } = await world.quote(KINDS[0] as QuoteKind)
    const without = withLeaf(quote, ['protocol', 'v2', 'orderData'], undefined)
    const verdict = verifyQuote(without, options)
    expect(verdict.ok ? [] : verdict.problems).toEqual([expect.stringContaining('includeProtocolData')])
    expect(verifyQuote(withLeaf(quote, ['protocol'], undefined), options).ok).toBe(false)
  })

  it('a deposit address is not covered, and refused unless it was asked for', async () => {
    const { quote, options } = await world.quote(KINDS[0] as QuoteKind)
    const sent = withLeaf(quote, ['steps', 0, 'depositAddress'], `0x${'56'.repeat(20)}`)
    expect(verifyQuote(sent, options).ok).toBe(false)
    const request = { ...options.request, useDepositAddress: true }
    expect(verifyQuote(sent, { ...options, request })).toMatchObject({ ok: true, covered: false })
  })

  it('nothing that is no quote throws', () => {
    for (const value of [undefined, null, 7, 'quote', [], {}, { steps: {} }, { requestId: '0x', steps: [null] }]) {
      expect(verifyQuote(value, { vms: VMS }).ok).toBe(false)
    }
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(verifyQuote(value, { vms: VMS }).ok).toBe(false)
      }),
    )
  })
})

it('somebody else pays for the deposit on Solana, and only who was named', async () => {
  const more = { depositFeePayer: world.feePayer }
  const { quote, options } = await world.quote({ from: 'svm', symbol: 'USDC', amount: 10n ** 7n, more })
  expect(verifyQuote(quote, options)).toMatchObject({ ok: true, covered: true })
  const { depositFeePayer: _, ...request } = options.request
  expect(verifyQuote(quote, { ...options, request }).ok).toBe(false)
})

const MAX_BUNDLE_BYTES = 130_000

it('runs in a browser: one small script that needs nothing of Node and gives the same verdicts', async () => {
  const { code, files } = await bundleForBrowsers()
  const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  expect(new Set(packages)).toEqual(new Set(['@noble/curves', '@noble/hashes', '@scure/base']))
  console.info(`browser bundle: ${code.length} bytes, ${gzipSync(code).length} compressed`)
  expect(code.length).toBeLessThan(MAX_BUNDLE_BYTES)
  const page = verifyInPage(code)
  for (const name of ['process', 'Buffer', 'require']) {
    expect(page.typeOf(name)).toBe('undefined')
  }
  for (const kind of KINDS.filter(({ byProgram }) => byProgram !== true)) {
    const { quote, options } = await world.quote(kind)
    const forged = withLeaf(quote, ['details', 'currencyOut', 'minimumAmount'], '1')
    expect(page.verifyQuote(quote, options)).toEqual(verifyQuote(quote, options))
    expect(page.verifyQuote(forged, options)).toEqual(verifyQuote(forged, options))
    expect([verifyQuote(quote, options).ok, verifyQuote(forged, options).ok]).toEqual([true, false])
  }
})
