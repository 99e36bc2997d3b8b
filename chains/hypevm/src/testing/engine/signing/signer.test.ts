import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { accountOfKey } from '../../hyperliquidWallet.js'
import type { Network } from '../tokens.js'
import type { Action } from './actions.js'
import { type Signature, signerOf } from './signer.js'

interface Vector extends Signature {
  readonly name: string
}

interface PythonVectors {
  readonly userSigned: readonly (Vector & {
    readonly key: string
    readonly message: { readonly destination: string; readonly amount: string; readonly time: number }
  })[]
  readonly l1Actions: readonly (Vector & { readonly network: 'mainnet' | 'testnet' })[]
}

interface TypescriptVectors {
  readonly key: string
  readonly userSignedUsdSend: {
    readonly signatureChainId: string
    readonly message: Readonly<Record<string, string | number>> & { readonly time: number }
    readonly signature: Signature
  }
}

const read = <T>(name: string): T =>
  // CAST: recorded vectors of public SDKs.
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as T

const KEY = '0x0123456789012345678901234567890123456789012345678901234567890123'
const python = read<PythonVectors>('pythonSdk')
const typescript = read<TypescriptVectors>('typescriptSdk')

const addressOf = (key: string): string => accountOfKey(key).address.toLowerCase()

const order = (more: object = {}) => ({
  a: 1,
  b: true,
  p: '100',
  s: '100',
  r: false,
  t: { limit: { tif: 'Gtc' } },
  ...more,
})
const orders = (more: object): Action =>
  // CAST: an order is JSON.
  ({ type: 'order', orders: [order(more)], grouping: 'na' }) as unknown as Action

/** The actions behind the vectors of the Python SDK; each has one signature for each network. */
const L1_ACTIONS: readonly { readonly action: Action; readonly vaultAddress?: string }[] = [
  { action: { type: 'dummy', num: 100_000_000_000 } },
  { action: orders({}) },
  { action: orders({ c: '0x00000000000000000000000000000001' }) },
  {
    action: { type: 'dummy', num: 100_000_000_000 },
    vaultAddress: '0x1719884eb866cb12b2287399b15f7db5e7d775ea',
  },
  { action: orders({ t: { trigger: { isMarket: true, triggerPx: '103', tpsl: 'sl' } } }) },
  { action: { type: 'createSubAccount', name: 'example' } },
  {
    action: {
      ...{ type: 'subAccountTransfer', subAccountUser: '0x1d9470d4b963f552e6f671a81619d395877bf409' },
      ...{ isDeposit: true, usd: 10 },
    },
  },
  { action: { type: 'scheduleCancel' } },
  { action: { type: 'scheduleCancel', time: 123_456_789 } },
]

const NETWORKS: Readonly<Record<'mainnet' | 'testnet', Network>> = { mainnet: 'Mainnet', testnet: 'Testnet' }

describe('signatures of public SDKs', () => {
  it('a user-signed action recovers to its key, on the network that it names', () => {
    const [vector] = python.userSigned
    const action = { type: 'usdSend', signatureChainId: '0x66eee', hyperliquidChain: 'Testnet', ...vector?.message }
    const { time = 0 } = vector?.message ?? {}
    const signature = { r: vector?.r ?? '', s: vector?.s ?? '', v: vector?.v ?? 0 }
    expect(signerOf({ action, nonce: time, signature }, 'Testnet')).toBe(addressOf(KEY))
    const { message, signatureChainId, signature: other } = typescript.userSignedUsdSend
    const sent = { type: 'usdSend', signatureChainId, ...message }
    expect(signerOf({ action: sent, nonce: message.time, signature: other }, 'Mainnet')).toBe(addressOf(typescript.key))
  })

  it('an L1 action recovers to its key; one of the other network does not', () => {
    expect(python.l1Actions).toHaveLength(2 * L1_ACTIONS.length)
    for (const [at, { network, r, s, v }] of python.l1Actions.entries()) {
      const signed = { nonce: 0, signature: { r, s, v }, ...(L1_ACTIONS[Math.floor(at / 2)] ?? L1_ACTIONS[0]) }
      if (signed.action === undefined) throw new Error('There is no action')
      const parts = { ...signed, action: signed.action }
      expect(signerOf(parts, NETWORKS[network])).toBe(addressOf(KEY))
      expect(signerOf(parts, network === 'mainnet' ? 'Testnet' : 'Mainnet')).not.toBe(addressOf(KEY))
    }
  })

  it('a changed action recovers to another account, and a signature of no key is refused', () => {
    const { message, signatureChainId, signature } = typescript.userSignedUsdSend
    const sent = { type: 'usdSend', signatureChainId, ...message }
    const recovered = signerOf({ action: { ...sent, amount: '1001' }, nonce: message.time, signature }, 'Mainnet')
    expect(recovered).toMatch(/^0x[0-9a-f]{40}$/)
    expect(recovered).not.toBe(addressOf(typescript.key))
    const zero = { r: '0x0', s: '0x0', v: 27 }
    expect(() => signerOf({ action: sent, nonce: message.time, signature: zero }, 'Mainnet')).toThrow(
      'Unable to recover signer.',
    )
  })

  it('a body that contradicts its action is refused', () => {
    const { message, signatureChainId, signature } = typescript.userSignedUsdSend
    const sent = { type: 'usdSend', signatureChainId, ...message }
    expect(() => signerOf({ action: sent, nonce: message.time + 1, signature }, 'Mainnet')).toThrow('Nonce mismatch.')
    expect(() => signerOf({ action: sent, nonce: message.time, signature }, 'Testnet')).toThrow(
      'Mainnet and testnet require different signature.',
    )
  })
})
