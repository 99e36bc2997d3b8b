import { createSecp256k1Signer } from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { recoverMessageAddress } from 'viem'
import { expect, it } from 'vitest'
import type { PreparedTransfer } from '../payout/paymentForm.js'
import type { LighterSigner, SigningKey } from './lighterSigner.js'
import { signTransfer, textOf, transferText } from './signTransfer.js'

const owner = createSecp256k1Signer(`0x${'5a'.repeat(32)}`)
const key: SigningKey = { privateKey: '0x', chainId: 304, apiKeyIndex: 2, accountIndex: 77 }
const transfer: PreparedTransfer = {
  ...{ from: '77', to: '88', asset: 3, route: 0, amount: '1000000', fee: '3000000', memo: 'ab'.repeat(32) },
  ...{ nonce: '5', expiredAt: '1795000000500', apiKeyIndex: 2 },
}
const info = {
  ...{ FromAccountIndex: 77, ApiKeyIndex: 2, ToAccountIndex: 88, AssetIndex: 3, FromRouteType: 0, ToRouteType: 0 },
  ...{ Amount: 1_000_000, USDCFee: 3_000_000, Memo: Array(32).fill(0xab), ExpiredAt: 1_795_000_000_500, Nonce: 5 },
  ...{ Sig: 'sig', L1Sig: '' },
}

const signed = (changes: object = {}) => {
  const signer: Pick<LighterSigner, 'transfer'> = {
    transfer: async () => ({ txHash: 'cd'.repeat(40), txInfo: JSON.stringify({ ...info, ...changes }) }),
  }
  return signTransfer(transfer, { signer, key, owner })
}

it('the owner signs the text that names every field, which the SDK shows too', async () => {
  const text = transferText(transfer, 304)
  expect(text).toBe(
    [
      'Transfer\n',
      'nonce: 0x0000000000000005',
      'from: 0x000000000000004d (route 0x0000000000000000)',
      'api key: 0x0000000000000002',
      'to: 0x0000000000000058 (route 0x0000000000000000)',
      'asset: 0x0000000000000003',
      'amount: 0x00000000000f4240',
      'fee: 0x00000000002dc6c0',
      'chainId: 0x0000000000000130',
      `memo: ${'ab'.repeat(32)}`,
      'Only sign this message for a trusted client!',
    ].join('\n'),
  )
  const { txId, raw } = await signed()
  const { L1Sig, ...rest } = JSON.parse(textOf(raw))
  expect([txId, rest]).toEqual(['cd'.repeat(40), { ...info, L1Sig: undefined }])
  const address = await recoverMessageAddress({ message: text, signature: L1Sig })
  expect(address.toLowerCase()).toBe(evmAddressOfKey(owner.publicKey))
})

it.each([
  ['another recipient', { ToAccountIndex: 89 }],
  ['another amount', { Amount: 1_000_001 }],
  ['another fee', { USDCFee: 0 }],
  ['another memo', { Memo: Array(32).fill(0xac) }],
  ['another number', { Nonce: 6 }],
  ['another expiry', { ExpiredAt: 1_795_000_000_501 }],
  ['another route', { ToRouteType: 1 }],
  ['another account', { FromAccountIndex: 78 }],
])('a signature of %s is not used', async (_, changes) => {
  await expect(signed(changes)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/something else/),
  })
})
