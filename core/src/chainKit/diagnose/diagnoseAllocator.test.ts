import { expect, test } from 'vitest'
import type { AddressCheck } from '../../chain/chainAdapter.js'
import { diagnoseDepositoryAccount, diagnoseNamedAllocator } from './diagnoseAllocator.js'

const validateAddress = (text: string): AddressCheck =>
  /^[a-z]+$/i.test(text) ? { ok: true, canonical: text.toLowerCase() } : { ok: false, why: 'Expected letters.' }

const account = (depository: string, allocator: string | null) =>
  diagnoseDepositoryAccount({ subject: 'acme depository', depository, allocator, validateAddress })

test('a depository that obeys another key is a fault with a remedy; without a key of ours it is told whom it obeys', () => {
  expect(diagnoseNamedAllocator('acme depository', 'abc', 'abc').state).toBe('ok')
  expect(diagnoseNamedAllocator('acme depository', 'abc', null).message).toBe(
    'obeys abc; the allocator key to compare with is not here',
  )
  const wrong = diagnoseNamedAllocator('acme depository', 'abc', 'xyz')
  expect([wrong.state, wrong.message]).toEqual(['fault', 'obeys abc, not the allocator key of this deployment (xyz)'])
  expect(wrong.remedy).toContain('Use the key')
})

test('a depository that is an account belongs to the allocator key, however it is spelt', () => {
  expect(account('ABC', 'abc').state).toBe('ok')
  expect(account('abc', null)).toMatchObject({
    state: 'unchecked',
    message: 'is abc; the allocator key to compare with is not here',
  })
  expect(account('abc', 'xyz')).toMatchObject({ state: 'fault', remedy: expect.stringContaining('to xyz') })
})

test('a depository that is no address of the chain is a fault, with the key or without', () => {
  for (const allocator of ['abc', null]) {
    expect(account('a1', allocator)).toMatchObject({
      state: 'fault',
      message: 'is no address of this chain: Expected letters.',
    })
  }
})
