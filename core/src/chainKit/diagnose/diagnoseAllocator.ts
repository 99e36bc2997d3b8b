import type { AddressCheck } from '../../chain/chainAdapter.js'
import type { Diagnosis } from '../../chain/endpoint/diagnosis.js'

const CHECK = 'allocator'
const OK = { check: CHECK, state: 'ok' } as const
const UNCHECKED = { check: CHECK, state: 'unchecked', remedy: 'Ask again where that key is: --role solver.' } as const
const FAULT = { check: CHECK, state: 'fault' } as const

/**
 * Whether a depository that is a contract obeys the allocator key of this deployment. `named` is the allocator that the contract
 * names, `allocator` that of the key, both in the canonical form; null where this process has no such key.
 */
export const diagnoseNamedAllocator = (subject: string, named: string, allocator: string | null): Diagnosis => {
  if (allocator === null)
    return { ...UNCHECKED, subject, message: `obeys ${named}; the allocator key to compare with is not here` }
  if (named === allocator) return { ...OK, subject, message: 'obeys the allocator key of this deployment' }
  return {
    ...FAULT,
    subject,
    message: `obeys ${named}, not the allocator key of this deployment (${allocator})`,
    remedy: 'Use the key that belongs to it: without it no deposit can be withdrawn.',
  }
}

export interface DepositoryAccount {
  readonly subject: string
  /** As it is configured. */
  readonly depository: string
  /** Canonical address of the allocator key, null where this process has none. */
  readonly allocator: string | null
  validateAddress(text: string): AddressCheck
}

/** Whether a depository that is a plain account is an address of the chain, and that of the allocator key. */
export const diagnoseDepositoryAccount = (account: DepositoryAccount): Diagnosis => {
  const { subject, depository, allocator } = account
  const address = account.validateAddress(depository)
  if (!address.ok) {
    const message = `is no address of this chain: ${address.why}`
    return { ...FAULT, subject, message, remedy: 'Correct "depository" in the chain\'s options.' }
  }
  if (allocator === null) {
    return { ...UNCHECKED, subject, message: `is ${depository}; the allocator key to compare with is not here` }
  }
  if (allocator === address.canonical) {
    return { ...OK, subject, message: 'belongs to the allocator key of this deployment' }
  }
  const message = 'does not belong to the allocator key of this deployment: deposits could not be withdrawn'
  const remedy = `Set "depository" in the chain's options to ${allocator}, or the allocator key of this chain.`
  return { ...FAULT, subject, message, remedy }
}
