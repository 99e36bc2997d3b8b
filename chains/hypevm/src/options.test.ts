import { expect, it } from 'vitest'
import { HYPERLIQUID_CHAIN_ID, HYPERLIQUID_TESTNET_CHAIN_ID, resolveOptions, SPOT_USDC } from './options.js'

const depository = '0xD8DA6bf26964af9d7eed9e03e53415d37aa96045'

it('network and spot USDC follow from the chain', () => {
  expect(resolveOptions({ depository }, HYPERLIQUID_CHAIN_ID)).toMatchObject({
    ...{ isTestnet: false, spotUsdc: SPOT_USDC.mainnet, depository: depository.toLowerCase() },
  })
  expect(resolveOptions({ depository }, HYPERLIQUID_TESTNET_CHAIN_ID)).toMatchObject({
    ...{ isTestnet: true, spotUsdc: SPOT_USDC.testnet },
  })
  const spotUsdc = `0x${'1'.repeat(32)}`
  expect(resolveOptions({ depository, testnet: false, spotUsdc }, 7)).toMatchObject({ isTestnet: false, spotUsdc })
})

it('an option that is left out has its default', () => {
  expect(resolveOptions({ depository }, HYPERLIQUID_CHAIN_ID)).toMatchObject({
    ...{ windowMs: 900_000n, mappingWaitMs: 3_600_000, lagMs: 1000, pollIntervalMs: 2000 },
    ...{ depositKey: null, explorerUrl: null, startTime: null },
  })
})
