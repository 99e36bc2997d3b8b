import { toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { depositoryAbi, depositorySelectors, eventTopics, fillRouterAbi, swapRouterAbi, testTokenAbi } from './index.js'

const topicOf = (abi: readonly unknown[], name: string) => {
  const item = abi.find((entry) => (entry as { type: string; name?: string }).name === name)
  return toEventSelector(item as never)
}

/** Signature text of a function, tuples spelled out, and its selector. */
const selectors = depositoryAbi
  .filter((item) => item.type === 'function')
  .map((item) => [item.name, toFunctionSelector(item)] as const)

describe('interface of the depository (chains.md, depository contract)', () => {
  it('has exactly the published functions', () => {
    expect(selectors.map(([name, selector]) => `${name} ${selector}`).sort()).toEqual(
      [
        'depositNative 0x49290c1c',
        'depositErc20 0xe8017952',
        'depositErc20 0x5a1ee3ac',
        'execute 0x2d9fb478',
        'setAllocator 0xbf83f2a2',
        'allocator 0xaa5dcecc',
        'callRequests 0xd52bfcc8',
        '_CALL_TYPEHASH 0xcf5905d7',
        '_CALL_REQUEST_TYPEHASH 0xeae335b3',
        'owner 0x8da5cb5b',
        'transferOwnership 0xf2fde38b',
        'renounceOwnership 0x715018a6',
        'requestOwnershipHandover 0x25692962',
        'cancelOwnershipHandover 0x54d1f13d',
        'completeOwnershipHandover 0xf04e283e',
        'ownershipHandoverExpiresAt 0xfee81cf4',
        'eip712Domain 0x84b0196e',
      ].sort(),
    )
    expect(selectors.map(([, selector]) => selector)).toEqual(
      expect.arrayContaining(Object.values(depositorySelectors)),
    )
  })

  it('cannot receive native currency without an order id', () => {
    expect(depositoryAbi.some(({ type }) => (type as string) === 'receive' || (type as string) === 'fallback')).toBe(
      false,
    )
  })

  it('has the published error selectors', () => {
    const errors = depositoryAbi.filter((item) => item.type === 'error')
    const found = errors.map((item) => {
      const types = item.inputs.map(({ type }) => type).join(',')
      return `${item.name} ${toFunctionSelector(`${item.name}(${types})`)}`
    })
    expect(found).toEqual(
      expect.arrayContaining([
        'AddressCannotBeZero 0xe622e040',
        'InvalidSignature 0x8baa579f',
        'CallRequestExpired 0x68b8a4da',
        'CallRequestAlreadyUsed 0x49482b28',
        'CallFailed 0xa5fa8d2b',
        'Unauthorized 0x82b42900',
        'TransferFromFailed 0x7939f424',
      ]),
    )
  })
})

describe('event topics (chains.md evm 3 to 5)', () => {
  it('are those of the compiled contracts', () => {
    expect(topicOf(depositoryAbi, 'RelayNativeDeposit')).toBe(eventTopics.relayNativeDeposit)
    expect(topicOf(depositoryAbi, 'RelayErc20Deposit')).toBe(eventTopics.relayErc20Deposit)
    expect(topicOf(depositoryAbi, 'RelayCallExecuted')).toBe(eventTopics.relayCallExecuted)
    expect(topicOf(fillRouterAbi, 'SolverNativeTransfer')).toBe(eventTopics.solverNativeTransfer)
    expect(topicOf(fillRouterAbi, 'SolverCallExecuted')).toBe(eventTopics.solverCallExecuted)
    expect(topicOf(swapRouterAbi, 'SolverNativeTransfer')).toBe(eventTopics.solverNativeTransfer)
    expect(topicOf(swapRouterAbi, 'SolverCallExecuted')).toBe(eventTopics.solverCallExecuted)
    expect(topicOf(swapRouterAbi, 'SwapExecuted')).toBe(eventTopics.swapExecuted)
    expect(topicOf(testTokenAbi, 'Transfer')).toBe(eventTopics.transfer)
  })

  it('have no indexed parameter in the depository and the routers', () => {
    const events = [...depositoryAbi, ...fillRouterAbi, ...swapRouterAbi].filter((item) => item.type === 'event')
    const indexed = events.filter((item) => item.inputs.some((input) => input.indexed)).map(({ name }) => name)
    expect(indexed.filter((name) => !name.startsWith('Ownership'))).toEqual([])
  })
})
