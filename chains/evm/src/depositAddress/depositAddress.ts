import { depositAddressFactoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { DepositAddressTerms, Payout } from '@causeway/core/chain'
import { concat, encodeFunctionData, getAddress, getContractAddress, keccak256, toFunctionSelector } from 'viem/utils'
import type { Contracts } from '../address/addresses.js'
import { create2Address } from '../address/create2.js'
import type { EncodedCall } from '../payout/contracts/encodedCall.js'
import { words } from '../payout/contracts/staticCall.js'

/** Of `sweep` of the factory. */
export const SWEEP_SELECTOR = toFunctionSelector('sweep(bytes32,address,address[])')

/** The code that the receivers of a factory share: its constructor makes it first. Lower case. */
export const receiverImplementationOf = (factory: string): string =>
  getContractAddress({ from: getAddress(factory), nonce: 1n }).toLowerCase()

const codeHashes = new Map<string, Hex>()

/** Hash of what creates a receiver, a minimal proxy (ERC-1167): the same for every address of a factory. */
const receiverCodeHash = (factory: string): Hex => {
  const known = codeHashes.get(factory)
  if (known !== undefined) return known
  // CAST: a lower-case address.
  const implementation = receiverImplementationOf(factory) as Hex
  const code = concat([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const hash = keccak256(code)
  codeHashes.set(factory, hash)
  return hash
}

/** The address of an order id and a depositor, lower case: CREATE2, so that whoever knows them can tell it (wire.md E.4). */
export const depositAddressOf = ({ orderId, depositor }: DepositAddressTerms, factory: string): string =>
  create2Address(factory, keccak256(words(orderId, depositor)), receiverCodeHash(factory))

/** Currencies that a sweep takes, that of its `money` first. */
export const sweptCurrencies = ({ money, sweep }: Payout): readonly string[] => [
  ...new Set([money.currency, ...(sweep?.currencies ?? [])]),
]

/**
 * Encodes the call of the factory that deposits the balance of an address: the configured factory, or the former one that made the
 * address. Throws Error when the chain has no factory, or when none of its factories made the address.
 */
export const encodeSweep = (payout: Payout, contracts: Contracts): EncodedCall => {
  const { chainId, depository, depositAddressFactory, formerDepositAddressFactories } = contracts
  const { sweep, to, orderId } = payout
  if (sweep === undefined) throw new Error('A sweep must say which address it sweeps.')
  const factories = [
    ...(depositAddressFactory === null ? [] : [depositAddressFactory]),
    ...formerDepositAddressFactories,
  ]
  if (factories.length === 0)
    throw new Error(`Chain ${chainId} has no deposit addresses; set "depositAddressFactory" in its options.`)
  const { address } = sweep
  if (to.address.toLowerCase() !== depository || orderId.toLowerCase() !== address.orderId.toLowerCase())
    throw new Error('A sweep pays the depository alone, under the order id of its address.')
  const swept = address.destination.address.toLowerCase()
  const factory = factories.find((each) => depositAddressOf(address, each) === swept)
  if (factory === undefined)
    throw new Error(
      `The address was made by another factory than those of chain ${chainId}: add its factory to "formerDepositAddressFactories".`,
    )
  const tokens = sweptCurrencies(payout).map((currency) => getAddress(currency))
  const args = [address.orderId, getAddress(address.depositor), tokens] as const
  const data = encodeFunctionData({ abi: depositAddressFactoryAbi, functionName: 'sweep', args })
  return { to: factory, data, value: 0n }
}
