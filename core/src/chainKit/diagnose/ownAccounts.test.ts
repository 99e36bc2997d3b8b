import { describe, expect, it } from 'vitest'
import type { CurrencyConfig } from '../../chain/chainPackage.js'
import type { Diagnosis } from '../../chain/endpoint/diagnosis.js'
import {
  diagnoseOwnAccounts,
  type OwnAccountQuestions,
  type OwnAccountsTerms,
  verifyOwnAccounts,
} from './ownAccounts.js'

interface State {
  readonly held: bigint
  readonly isClosed?: boolean
  readonly isUsed?: boolean
  readonly lacks?: string
}

const currency = (symbol: string): CurrencyConfig => ({
  ...{ symbol, address: symbol.toLowerCase(), name: symbol, decimals: 6, groupId: symbol },
})

const terms: OwnAccountsTerms = {
  config: { slug: 'acme', solver: 'solver', currencies: [currency('COIN'), currency('USD')] },
  ...{ depository: 'vault', depositAccount: 'tags', allocator: 'vault' },
  validateAddress: (text) => ({ ok: true, canonical: text }),
}

const rich: State = { held: 30n }

const questionsOf = (states: Record<string, State | undefined>): OwnAccountQuestions<State> => ({
  native: { symbol: 'COIN', unit: 'drops' },
  read: async ({ address }) => states[address] ?? null,
  funds: async ({ held }) => ({ held, reserve: 20n }),
  closed: (_, { isClosed }) => (isClosed === true ? { message: 'is closed', remedy: 'Open it.' } : null),
  usedByOthers: async (_, { isUsed }) => [
    isUsed === true
      ? { check: 'use', state: 'fault', message: 'is used', remedy: 'Stop it.' }
      : { check: 'use', state: 'ok', message: 'is used by no other' },
  ],
  holds: async ({ address }, { symbol }) => {
    if (symbol === 'COIN') return null
    const lacks = states[address]?.lacks === symbol
    return lacks
      ? { check: `line ${symbol}`, state: 'fault', message: 'is missing', remedy: 'Set it up.' }
      : { check: `line ${symbol}`, state: 'ok', message: 'holds it' }
  },
  advice: () => [],
})

const all = { vault: rich, solver: rich, tags: rich }
const wrong = (found: readonly Diagnosis[]) =>
  found.filter(({ state }) => state !== 'ok').map(({ subject, message }) => `${subject} ${message}`)

describe('accounts of the service', () => {
  it('that need no money are ok without any', async () => {
    const empty: State = { held: 0n }
    const funds = async (_: State, { role }: { readonly role: string }) =>
      role === 'depository' ? null : { held: 1n, reserve: 0n }
    const questions = { ...questionsOf({ vault: empty, solver: empty, tags: empty }), funds }
    const found = await diagnoseOwnAccounts(terms, questions)
    expect(wrong(found)).toEqual([])
    expect(found[1]).toMatchObject({ check: 'account', message: 'exists' })
  })

  it('that work are ok in each check', async () => {
    const found = await diagnoseOwnAccounts(terms, questionsOf(all))
    expect(wrong(found)).toEqual([])
    const each = ['account', 'use', 'line USD']
    expect(found.map(({ check }) => check)).toEqual(['allocator', ...each, ...each, ...each])
    expect(found[1]).toMatchObject({
      subject: 'acme depository',
      message: 'exists, and holds 10 drops above its reserve',
    })
    expect(wrong(await verifyOwnAccounts(terms, questionsOf(all)))).toEqual([])
  })

  it.each([
    [
      'an account that does not exist',
      { ...all, vault: undefined },
      ['acme depository does not exist yet, so nothing can be deposited'],
      true,
    ],
    [
      'a payer that does not exist',
      { ...all, tags: undefined },
      ['acme deposit addresses does not exist yet, so nothing can be paid to deposit addresses'],
      false,
    ],
    [
      'an account with its reserve alone',
      { ...all, solver: { held: 20n } },
      ['acme solver holds no more than its reserve of 20 drops, so it can pay no fee'],
      false,
    ],
    ['a closed depository', { ...all, vault: { ...rich, isClosed: true } }, ['acme depository is closed'], true],
    ['a closed payer, which is no fault', { ...all, solver: { ...rich, isClosed: true } }, [], false],
    [
      'an account that others use',
      { ...all, tags: { ...rich, isUsed: true } },
      ['acme deposit addresses is used'],
      true,
    ],
    [
      'an account that cannot hold a currency',
      { ...all, vault: { ...rich, lacks: 'USD' } },
      ['acme depository is missing'],
      false,
    ],
  ])('%s', async (_, states, expected, stops) => {
    const questions = questionsOf(states)
    const found = await diagnoseOwnAccounts(terms, questions)
    expect(wrong(found)).toEqual(expected)
    expect(found.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
    expect(wrong(await verifyOwnAccounts(terms, questions))).toEqual(stops ? expected : [])
  })

  it.each([
    [{ depository: 'solver', allocator: 'solver' }, 'acme depository is the account of the solver'],
    [{ depositAccount: 'vault' }, 'acme depository is the account of the deposit addresses'],
    [{ depositAccount: 'solver' }, 'acme solver is the account of the deposit addresses'],
  ])('two of which are one account: %j', async (changes, message) => {
    for (const ask of [diagnoseOwnAccounts, verifyOwnAccounts])
      expect(wrong(await ask({ ...terms, ...changes }, questionsOf(all)))).toEqual([message])
  })

  it('without a solver and deposit addresses only the depository is asked, and its key', async () => {
    const alone = { ...terms, config: { ...terms.config, solver: '' }, depositAccount: null }
    const found = await diagnoseOwnAccounts({ ...alone, allocator: 'other' }, questionsOf({ vault: rich }))
    expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set(['acme depository']))
    expect(wrong(found)).toHaveLength(1)
  })
})
