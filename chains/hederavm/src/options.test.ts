import { expect, it } from 'vitest'
import { HEDERA_CHAIN_ID, HEDERA_TESTNET_CHAIN_ID, resolveOptions } from './options.js'

const depository = '0xD8DA6bf26964af9d7eed9e03e53415d37aa96045'

it('ledger id and block 0 follow from the chain where that is the main network', () => {
  expect(resolveOptions({ depository }, HEDERA_CHAIN_ID)).toMatchObject({
    ...{ ledgerId: '00', genesisHash: expect.stringMatching(/^0x420fffe6/), depository: depository.toLowerCase() },
  })
  expect(resolveOptions({ depository }, HEDERA_TESTNET_CHAIN_ID)).toMatchObject({ ledgerId: '01', genesisHash: null })
  expect(resolveOptions({ depository }, 7)).toMatchObject({ ledgerId: null, genesisHash: null })
  expect(resolveOptions({ depository, ledgerId: '03' }, 7).ledgerId).toBe('03')
})

it('an option that is left out has its default', () => {
  expect(resolveOptions({ depository, startBlock: 5 }, HEDERA_CHAIN_ID)).toMatchObject({
    ...{ startBlock: 5, windowSeconds: 120n, maxFeeTinybars: 100_000_000n, mirrorLagBlocks: 1n, pollIntervalMs: 1000 },
    ...{ depositKey: null, depositAccount: null, depositHistoryBlocks: 2_000_000n },
  })
})

it('addresses are of one kind, and memos of another account than the depository', () => {
  const depositAccount = '0xAbDA6bf26964af9d7eed9e03e53415d37aa96045'
  expect(resolveOptions({ depository, depositAccount }, 7).depositAccount).toBe(depositAccount.toLowerCase())
  expect(() => resolveOptions({ depository, depositAccount, depositKey: 'xpub' }, 7)).toThrow(/Configure one/)
  expect(() => resolveOptions({ depository, depositAccount: depository.toLowerCase() }, 7)).toThrow(/is the depository/)
})
