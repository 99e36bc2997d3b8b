import { environmentOf } from '@causeway/core'
import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { readApiKeys } from './lane/apiKeys.js'
import {
  LIGHTER_CHAIN_ID,
  LIGHTER_TESTNET_CHAIN_ID,
  type LighterOptions,
  lighterOptions,
  resolveOptions,
} from './options.js'

const owner = (digit: string) => `0x${digit.repeat(40)}`
const options: LighterOptions = {
  depository: '723071',
  accounts: [
    { account: '723071', owner: owner('A'), apiKeyVariable: 'DEPOSITORY_KEY' },
    { account: '723072', owner: owner('b'), apiKeyIndex: 7 },
  ],
}

describe('options', () => {
  it('know the chain ids inside signatures of the public networks', () => {
    const ids = [LIGHTER_CHAIN_ID, LIGHTER_TESTNET_CHAIN_ID, 9].map((id) => resolveOptions(options, id).signingChainId)
    expect(ids).toEqual([304, 300, 9])
  })

  it.each([
    ['an index with leading zeros', { depository: '0723071' }],
    ['an owner that is no address', { accounts: [{ account: '1', owner: '0x12' }] }],
    ['a lifetime beyond that of the signer', { lifetimeSeconds: 600 }],
    ['a misspelled option', { lifetime: 60 }],
  ])('are refused with %s', (_, changes) => {
    expect(Value.Check(lighterOptions, options)).toBe(true)
    expect(Value.Check(lighterOptions, { ...options, ...changes })).toBe(false)
  })

  it('with an index that no account has, or two accounts of one key, are refused', () => {
    expect(() => resolveOptions({ ...options, depository: '281474976710655' }, 9)).toThrow(/too large/)
    const twice = [...options.accounts, { account: '5', owner: owner('a') }]
    expect(() => resolveOptions({ ...options, accounts: twice }, 9)).toThrow(/same owner/)
  })
})

describe('API keys', () => {
  const keysIn = (variables: Record<string, string>) =>
    readApiKeys(resolveOptions(options, 9), environmentOf(variables))

  it('come from the variables that the options name', () => {
    const keys = keysIn({ DEPOSITORY_KEY: 'AB'.repeat(40) })
    expect(keys.require('723071')).toEqual({
      ...{ privateKey: `0x${'ab'.repeat(40)}`, chainId: 9, apiKeyIndex: 2, accountIndex: 723_071 },
    })
    expect(() => keys.require('723072')).toThrow(/apiKeyVariable/)
    expect(() => keysIn({}).require('723071')).toThrow(/DEPOSITORY_KEY is not set/)
  })

  it('are never shown: a variable that holds no key is named by its name', () => {
    expect(() => keysIn({ DEPOSITORY_KEY: 'secret' })).toThrow(
      /^The environment variable DEPOSITORY_KEY holds no private/,
    )
  })
})
