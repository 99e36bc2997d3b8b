import { afterEach, expect, it } from 'vitest'
import { LighterSigner, type SigningKey, type TransferFields } from './lighterSigner.js'

let signer: LighterSigner | null = null
afterEach(() => signer?.close())

const KEY: SigningKey = { privateKey: `0x${'11'.repeat(40)}`, chainId: 300, apiKeyIndex: 2, accountIndex: 77 }
const FIELDS: TransferFields = {
  ...{ to: 88, asset: 3, fromRoute: 0, toRoute: 0, amount: 1_000_000, fee: 3_000_000, memo: 'ab'.repeat(32) },
  ...{ nonce: 5, expiredAt: 1_795_000_000_501 },
}

it('signs transfers that expire at the given millisecond, tokens and registrations of new keys', async () => {
  signer = new LighterSigner()
  const [one, two] = [await signer.transfer(KEY, FIELDS), await signer.transfer(KEY, FIELDS)]
  expect(JSON.parse(one.txInfo)).toMatchObject({
    ...{ FromAccountIndex: 77, ApiKeyIndex: 2, ToAccountIndex: 88, AssetIndex: 3, FromRouteType: 0, ToRouteType: 0 },
    ...{ Amount: 1_000_000, USDCFee: 3_000_000, ExpiredAt: FIELDS.expiredAt, Nonce: 5, L1Sig: '' },
    Memo: Array(32).fill(0xab),
  })
  // Signatures are randomized, hashes are not.
  expect(two.txHash).toBe(one.txHash)
  expect(JSON.parse(two.txInfo).Sig).not.toBe(JSON.parse(one.txInfo).Sig)
  expect(await signer.authToken(KEY, 1_795_000_000)).toMatch(/^1795000000:77:2:[0-9a-f]+$/)
  const { privateKey, publicKey } = await signer.newKey()
  const { txInfo } = await signer.changeKey({ ...KEY, privateKey }, { publicKey, nonce: 0 })
  expect(JSON.parse(txInfo)).toMatchObject({ AccountIndex: 77, ApiKeyIndex: 2, Nonce: 0 })
  await expect(signer.transfer(KEY, { ...FIELDS, amount: 0 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
}, 60_000)

/** A thread that answers a token, ends at a transfer, is silent at a new key, and speaks nonsense at a changed one. */
const FRAIL = `
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ id, call }) => {
  if (call === 'authToken') parentPort.postMessage({ id, result: { authToken: 'token' } })
  if (call === 'transfer') process.exit(1)
  if (call === 'changeKey') parentPort.postMessage('what?')
})`

it('a thread that ends or hangs is replaced; its calls fail and may be made again', async () => {
  signer = new LighterSigner({ startMs: 20_000, callMs: 50 }, FRAIL)
  await expect(signer.transfer(KEY, FIELDS)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/ended/),
  })
  expect(await signer.authToken(KEY, 1)).toBe('token')
  const changed = { publicKey: '0x', nonce: 0 }
  await expect(signer.changeKey(KEY, changed)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/failed/),
  })
  expect(await signer.authToken(KEY, 1)).toBe('token')
  await expect(signer.newKey()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/in time/),
  })
  expect(await signer.authToken(KEY, 1)).toBe('token')
})

it('a thread that cannot start fails its calls', async () => {
  signer = new LighterSigner({ startMs: 20_000, callMs: 50 }, 'throw new Error("no")')
  await expect(signer.authToken(KEY, 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
