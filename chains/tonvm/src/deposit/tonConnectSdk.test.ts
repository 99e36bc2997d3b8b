import { TonConnect } from '@tonconnect/sdk'
import { expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { type TonStep, tonConnectRequest } from '../testing/tonConnect.js'
import { paymentStep } from './buildDeposit.js'

const account = (digits: string) => `0:${digits.repeat(32)}`
const payment = (currency: string) => ({
  ...{ from: account('11'), depository: account('22'), orderId: `0x${'5a'.repeat(32)}` },
  money: { currency, amount: 150_000n },
})

const memory = () => {
  const kept = new Map<string, string>()
  return {
    setItem: async (key: string, value: string) => void kept.set(key, value),
    getItem: async (key: string) => kept.get(key) ?? null,
    removeItem: async (key: string) => void kept.delete(key),
  }
}

/** The SDK checks the request before it looks for a wallet. */
const sent = (request: unknown): Promise<string> => {
  const sdk = new TonConnect({ manifestUrl: 'https://app.example/manifest.json', storage: memory() })
  // CAST: untrusted data, which the SDK checks.
  return sdk.sendTransaction(request as Parameters<typeof sdk.sendTransaction>[0]).then(
    () => 'sent',
    (error: unknown) => String(error),
  )
}

it.each([
  ['TON', paymentStep(payment(NATIVE), null)],
  ['jettons', paymentStep(payment(account('44')), account('33'))],
])('@tonconnect/sdk takes a deposit of %s, and refuses it with another address', async (_, [step]) => {
  // CAST: the shape of a step item of this chain.
  const request = tonConnectRequest(step?.data as unknown as TonStep, Math.floor(Date.now() / 1000))
  expect(await sent(request)).toMatch(/WalletNotConnectedError/)
  const messages = request.messages.map((message) => ({ ...message, address: account('11') }))
  expect(await sent({ ...request, messages })).toMatch(/validation failed/)
})
