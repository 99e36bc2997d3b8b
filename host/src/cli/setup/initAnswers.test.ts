import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { SecretStreams } from '../secretInput.js'
import { askLine } from './askLine.js'
import { type Asking, type InitFlags, initAnswers } from './initAnswers.js'

const NO_FLAGS: InitFlags = {
  ...{ folder: '.', chain: [], ownChain: [], rpc: [], token: [], price: [], package: [], timeout: 15 },
}
const NODE = 'http://127.0.0.1:9'
const CHAINS = [
  { slug: 'sepolia', network: 'testnet' as const, tokens: [] },
  {
    slug: 'base-sepolia',
    network: 'testnet' as const,
    tokens: [{ symbol: 'USDC', name: 'USD Coin', address: '0x1', decimals: 6, groupId: 'usdc' }],
  },
  { slug: 'base', network: 'mainnet' as const, tokens: [] },
]

/** A terminal at which somebody answers each question by the next line; null: leaves. */
const terminal = (...lines: readonly (string | null)[]) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const left = [...lines]
  let shown = ''
  let answered = 0
  output.on('data', (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString('utf8'))
    if (!/[:\]] $/.test(shown) || shown.length === answered) return
    answered = shown.length
    const line = left.shift()
    if (line === null) setImmediate(() => input.end())
    else if (line !== undefined) setImmediate(() => input.write(`${line}\n`))
  })
  return { streams: { input, output }, shown: () => shown, unused: left }
}

const asking = (streams: SecretStreams): Asking => ({
  ask: (question, flag) => askLine(question, flag, streams),
  publicChains: async () => CHAINS,
})

const answer = (flags: Partial<InitFlags>, streams: SecretStreams) =>
  initAnswers({ ...NO_FLAGS, ...flags }, asking(streams))

describe('what causeway init asks', () => {
  it('is all that no flag says, with the chains and tokens to choose from', async () => {
    const typed = ['testnet', 'sepolia, base-sepolia', NODE, '', 'env:BASE_RPC http://127.0.0.1:8', 'USDC']
    const { streams, shown, unused } = terminal(...typed, 'env:DATABASE_URL', '0xabc')
    expect(await answer({}, streams)).toMatchObject({
      network: 'testnet',
      chains: [
        { slug: 'sepolia', rpc: [{ text: NODE }], tokens: [] },
        { slug: 'base-sepolia', rpc: [{ env: 'BASE_RPC' }, { text: 'http://127.0.0.1:8' }], tokens: ['USDC'] },
      ],
      database: { env: 'DATABASE_URL' },
      passphrase: { env: 'KEYSTORE_PASSPHRASE' },
      owner: '0xabc',
    })
    expect(unused).toEqual([])
    expect(shown()).toContain('Chains of testnet: sepolia, base-sepolia\n')
    expect(shown()).toContain('Tokens of base-sepolia besides its native currency (USDC, addresses; empty: none):')
  })

  it('is nothing where flags say all: no terminal is needed', async () => {
    const nobody = { input: new PassThrough().end(), output: new PassThrough() }
    const flags = {
      ...{ network: 'testnet', chain: ['sepolia'], rpc: [`sepolia=${NODE}`, 'harbor=env:HARBOR'] },
      ...{
        ownChain: ['harbor=31337:ETH'],
        token: ['sepolia=USDC'],
        database: 'embedded',
        price: ['eth=3000'],
        balances: 'sepolia=USDC',
      },
      passphraseFile: 'passphrase',
    }
    expect(await answer(flags, nobody)).toMatchObject({
      chains: [
        { slug: 'sepolia', tokens: ['USDC'] },
        { slug: 'harbor', own: { id: 31_337, symbol: 'ETH' }, rpc: [{ env: 'HARBOR' }], tokens: [] },
      ],
      database: null,
      passphrase: { file: 'passphrase' },
      owner: undefined,
      prices: { eth: '3000' },
      balances: { slug: 'sepolia', token: 'USDC' },
    })
  })

  it.each([
    ['the network', {}, /--network/],
    ['the endpoints', { network: 'testnet', chain: ['sepolia'] }, /--rpc sepolia=<url>/],
    ['the database', { network: 'testnet', chain: ['sepolia'], rpc: [`sepolia=${NODE}`] }, /--database/],
  ])('without a terminal is named with its flag: %s', async (_what, flags, says) => {
    const nobody = { input: new PassThrough().end(), output: new PassThrough() }
    await expect(answer(flags, nobody)).rejects.toThrow(says)
  })

  it('ends with a sentence when whoever is asked leaves', async () => {
    const { streams } = terminal('testnet', null)
    await expect(answer({}, streams)).rejects.toThrow('No answer: nothing was done.')
  })

  it.each([
    ['a network that is none', { network: 'moon' }, /"moon" is no network/],
    ['an endpoint of no name', { network: 'testnet', chain: ['sepolia'], rpc: [NODE] }, /as --rpc takes it/],
    ['a chain of its own without an id', { network: 'testnet', ownChain: ['harbor=ETH'] }, /<slug>=<chain id>/],
    ['two passphrases', { passphraseEnv: 'A', passphraseFile: 'b' }, /not both/],
    [
      'balances of no chain',
      { network: 'testnet', chain: ['sepolia'], rpc: [`sepolia=${NODE}`], database: 'embedded', balances: 'USDC' },
      /as --balances takes it/,
    ],
    ['a price of no name', { price: ['3000'] }, /as --price takes it/],
  ])('refuses %s', async (_what, flags, says) => {
    const nobody = { input: new PassThrough().end(), output: new PassThrough() }
    await expect(answer(flags, nobody)).rejects.toThrow(says)
  })
})
