import { type Chain, getAddress, getContractAddress, parseTransaction, recoverTransactionAddress } from 'viem'
import * as known from 'viem/chains'
import { expect, it } from 'vitest'
import { minPriorityFeeOf } from '../options.js'
import { FACTORY, FACTORY_COST, FACTORY_SENDER, FACTORY_TRANSACTION } from './contractAddresses.js'
import { publicChains } from './publicChains.js'

it('ids and slugs of public chains are unique, addresses checksummed and unique within a chain', () => {
  expect(new Set(publicChains.map(({ id }) => id)).size).toBe(publicChains.length)
  expect(new Set(publicChains.map(({ slug }) => slug)).size).toBe(publicChains.length)
  for (const { tokens } of publicChains) {
    const addresses = tokens.map(({ address }) => address)
    expect(addresses).toEqual(addresses.map((address) => getAddress(address)))
    expect(new Set(addresses).size).toBe(addresses.length)
  }
})

it('network, native currency and explorer of every public chain are those that the wallet library knows', () => {
  const library = new Map<number, Chain>(Object.values(known).map((chain) => [chain.id, chain]))
  for (const chain of publicChains) {
    const other = library.get(chain.id)
    expect(other, chain.slug).toBeDefined()
    expect(other?.testnet ?? false).toBe(chain.network === 'testnet')
    expect(other?.nativeCurrency.symbol).toMatch(new RegExp(`^(Sepolia )?${chain.native.symbol}$`, 'i'))
    expect(other?.nativeCurrency.decimals).toBe(chain.native.decimals)
    expect(new URL(chain.explorerUrl ?? '').protocol).toBe('https:')
  }
})

it('F166: the least tip is the one of the configuration, else of the public chain with this id, else none', () => {
  expect(minPriorityFeeOf(137, undefined)).toBe(25_000_000_000n)
  expect(minPriorityFeeOf(56, undefined)).toBe(50_000_000n)
  expect(minPriorityFeeOf(137, '7')).toBe(7n)
  expect(minPriorityFeeOf(1, undefined)).toBe(0n)
})

it('no public chain brings an endpoint of anyone', () => {
  expect(JSON.stringify(publicChains)).not.toMatch(/rpc|wss?:|infura|alchemy/i)
})

it('the deployment proxy is what its presigned transaction makes, and its sender the one that is paid for it', async () => {
  const sender = await recoverTransactionAddress({ serializedTransaction: FACTORY_TRANSACTION as never })
  const { gas, gasPrice } = parseTransaction(FACTORY_TRANSACTION)
  expect(sender.toLowerCase()).toBe(FACTORY_SENDER)
  expect(getContractAddress({ from: sender, nonce: 0n }).toLowerCase()).toBe(FACTORY)
  expect((gas ?? 0n) * (gasPrice ?? 0n)).toBe(FACTORY_COST)
})
