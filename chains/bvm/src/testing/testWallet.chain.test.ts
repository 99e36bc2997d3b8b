import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf, type LocalBitcoin, startLocalBitcoin } from './index.js'
import { BitcoinReader, BitcoinWallet } from './testWallet.js'

let chain: LocalBitcoin

beforeAll(async () => {
  chain = await startLocalBitcoin({ policy: { coinbaseMaturity: 1 }, funded: 0n })
})

afterAll(() => chain.close())

test('a wallet pays an address by a plain transfer, out of several coins, and says what it lacks', async () => {
  const [user, other] = [7, 8].map((byte) => accountOf(new Uint8Array(32).fill(byte)))
  if (user === undefined || other === undefined) throw new Error('no accounts')
  const reader = new BitcoinReader(chain.url)
  const wallet = new BitcoinWallet(reader, user.wif)
  for (let at = 0; at < 2; at++) await chain.fund(user.addresses.p2wpkh, 50_000n)
  await expect(wallet.pay(other.addresses.p2wpkh, 99_000n)).rejects.toThrow(/lacks 1000/)
  const id = await wallet.pay(other.addresses.p2wpkh, 70_000n)
  await chain.mine()
  expect(await reader.succeeded(id)).toBe(true)
  expect(await reader.balance(other.addresses.p2wpkh)).toBe(70_000n)
  expect(await reader.balance(user.addresses.p2wpkh)).toBe(28_000n)
})
