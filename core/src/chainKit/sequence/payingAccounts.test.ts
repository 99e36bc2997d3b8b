import { expect, it, test } from 'vitest'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'
import { createEd25519Signer } from '../../keys/ed25519Signer.js'
import { PayingAccounts } from './payingAccounts.js'

const [solver, allocator, sweeper] = ['11', '22', '33'].map((byte) => createEd25519Signer(byte.repeat(32)))
if (solver === undefined || allocator === undefined || sweeper === undefined) throw new Error('No keys.')

const addressOf = ({ publicKey }: { readonly publicKey: Uint8Array }) => Buffer.from(publicKey).toString('hex')
const [own, depository, account] = [solver, allocator, sweeper].map(addressOf)

const accounts = (deposits = true) =>
  new PayingAccounts({
    depository: depository ?? '',
    deposits: deposits ? { account: account ?? '', signer: () => sweeper } : null,
    addressOf,
  })

it.each<[PayoutPurpose, string | undefined, string]>([
  ['fill', own, 'solver'],
  ['withdraw', depository, 'depository'],
  ['sweep', account, 'deposits'],
])('a payout with the purpose %s leaves its account and is signed by the key of that', (purpose, payer, role) => {
  const from = own ?? ''
  expect(accounts().accountOf({ purpose, from })).toBe(payer)
  expect(accounts().roleOf(payer ?? '')).toBe(role)
  const key = accounts().keyOf(payer ?? '', { signer: solver, allocator, seed: new Uint8Array(1) })
  expect(addressOf(key)).toBe(payer)
})

test('no key signs for an account that is not its own', () => {
  expect(accounts().others).toEqual([depository, account])
  expect(accounts(false).others).toEqual([depository])
  expect(() => accounts().keyOf(depository ?? '', { signer: solver })).toThrow(/needs the key of the depository/)
  expect(() => accounts().keyOf(depository ?? '', { signer: solver, allocator: solver })).toThrow(/not the key/)
  expect(() => accounts().keyOf('stranger', { signer: solver, allocator })).toThrow(/not the key/)
})
