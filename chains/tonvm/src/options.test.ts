import { expect, it } from 'vitest'
import { resolveOptions, TON_CHAIN_ID, TON_TESTNET_CHAIN_ID } from './options.js'

const depository = `0:${'ab'.repeat(32)}`

it('knows the public networks, and takes any spelling of the depository', () => {
  const friendly = 'EQCrq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6qK'
  expect(resolveOptions({ depository }, TON_CHAIN_ID)).toMatchObject({ networkId: -239, isTestnet: false, depository })
  expect(resolveOptions({ depository }, TON_TESTNET_CHAIN_ID)).toMatchObject({ networkId: -3, isTestnet: true })
  expect(() => resolveOptions({ depository: friendly }, TON_CHAIN_ID)).toThrow('options.depository')
  expect(() => resolveOptions({ depository: `-1:${'ab'.repeat(32)}` }, TON_CHAIN_ID)).toThrow('workchain 0')
})

it('refuses one account for two purposes', () => {
  expect(() => resolveOptions({ depository, depositAccount: depository }, TON_CHAIN_ID)).toThrow('is the depository')
})
