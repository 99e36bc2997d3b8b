import { readFileSync } from 'node:fs'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { describe, expect, it } from 'vitest'
import type { SendAsset } from '../payout/sendAsset.js'
import { signExchangeAction, signUserAction } from './sdk.js'
import { requestOf, signPayment } from './signPayment.js'

interface Vector {
  readonly sdk: string
  readonly key: `0x${string}`
  readonly message: Readonly<Record<string, unknown>>
  readonly signatureChainId: `0x${string}`
  readonly signature: unknown
}

// CAST: a file of this package.
const vectors = JSON.parse(
  readFileSync(new URL('./signingVectors.test.json', import.meta.url), 'utf8'),
) as readonly Vector[]
const signer = createSecp256k1Signer(vectors[0]?.key ?? '0x')

const USD_SEND = {
  'HyperliquidTransaction:UsdSend': [
    ...['hyperliquidChain', 'destination', 'amount'].map((name) => ({ name, type: 'string' })),
    { name: 'time', type: 'uint64' },
  ],
}

describe('signatures are those of public vectors', () => {
  it.each(vectors)('of $sdk', async ({ key, message, signatureChainId, signature }) => {
    const action = { type: 'usdSend', ...message, signatureChainId }
    expect(await signUserAction(createSecp256k1Signer(key), action, USD_SEND)).toEqual(signature)
  })

  it('of an action of the exchange, another one on each network', async () => {
    const action = { action: { type: 'noop' }, nonce: 1_234_567_890 }
    const [main, test] = await Promise.all(
      [false, true].map((isTestnet) => signExchangeAction(signer, { ...action, isTestnet })),
    )
    expect(main).not.toEqual(test)
    expect(main).toMatchObject({ r: expect.stringMatching(/^0x[0-9a-f]{64}$/), v: expect.any(Number) })
  })
})

it('a payment is signed once for all: the bytes hold action, nonce and signature', async () => {
  const parameters: SendAsset = {
    hyperliquidChain: 'Testnet',
    ...{ destination: `0x${'22'.repeat(20)}`, sourceDex: '', destinationDex: '' },
    ...{
      token: 'USDC:0xeb62eee3685fc4c43992febcd9e75443',
      amount: '1.5',
      fromSubAccount: '',
      nonce: 1_796_000_000_000,
    },
  }
  const from = `0x${'11'.repeat(20)}`
  const { raw, txId } = await signPayment({ from, parameters }, signer)
  expect(txId).toBe(`${from}${(1_796_000_000_000).toString(16).padStart(24, '0')}`)
  const { action, nonce } = requestOf(raw)
  expect(action).toEqual({ type: 'sendAsset', signatureChainId: '0x66eee', ...parameters })
  expect(nonce).toBe(1_796_000_000_000)
  expect(await signPayment({ from, parameters }, signer)).toEqual({ raw, txId })
})
