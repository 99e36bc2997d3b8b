import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Payment, Wallet } from 'xrpl'
import { startTestedServer, type TestedServer, XRP } from '../testedServer.test.support.js'

let tested: TestedServer
let issuer: Wallet
let alice: Wallet
let bob: Wallet
let dollar: string

beforeAll(async () => {
  tested = await startTestedServer()
  ;[issuer, alice, bob] = [await tested.funded(), await tested.funded(), await tested.funded()]
  dollar = `USD.${issuer.classicAddress}`
  await tested.chain.configure(issuer.classicAddress, { defaultRipple: true })
  await tested.chain.fund(alice.classicAddress, 10n ** 17n, dollar)
  await tested.chain.trust(bob.classicAddress, dollar)
})
afterAll(() => tested?.close())

const result = async (more: Partial<Payment> = {}) => {
  const { meta } = await tested.include(alice, {
    ...{ TransactionType: 'Payment', Account: alice.classicAddress, Destination: bob.classicAddress, Amount: '1' },
    ...more,
  })
  return typeof meta === 'object' ? meta.TransactionResult : ''
}
const dollars = (value: string) => ({ Amount: { currency: 'USD', issuer: issuer.classicAddress, value } })

it('an account asks for a tag, and for leave', async () => {
  const { chain } = tested
  await chain.configure(bob.classicAddress, { requireTag: true })
  expect(await result()).toBe('tecDST_TAG_NEEDED')
  await chain.configure(bob.classicAddress, { requireTag: false, depositAuth: true })
  expect(await result()).toBe('tecNO_PERMISSION')
  await chain.configure(bob.classicAddress, { depositAuth: false })
  expect(await result()).toBe('tesSUCCESS')
})

it('an issuer freezes one holder, or all, and takes its rate', async () => {
  const { chain } = tested
  await chain.freeze(dollar, alice.classicAddress)
  expect(await result(dollars('1'))).toBe('tecPATH_DRY')
  await chain.freeze(dollar, alice.classicAddress, false)
  await chain.freeze(dollar, null)
  expect(await result(dollars('1'))).toBe('tecPATH_DRY')
  await chain.freeze(dollar, null, false)
  await chain.configure(issuer.classicAddress, { transferRate: 1_010_000_000 })
  expect(await result(dollars('1'))).toBe('tecPATH_PARTIAL')
  expect(await result({ ...dollars('1'), SendMax: dollars('1.01').Amount })).toBe('tesSUCCESS')
  await chain.configure(issuer.classicAddress, { transferRate: 0 })
  expect(await result(dollars('1'))).toBe('tesSUCCESS')
  await expect(chain.freeze('rrrrrrrrrrrrrrrrrrrrrhoLvTp', null)).rejects.toThrow('XRP cannot be frozen')
})

it('a black hole is moved by nobody, and has tickets as long as it had them', async () => {
  const { chain, client } = tested
  const hole = await tested.funded(50n * XRP)
  await chain.createTickets(hole.classicAddress, 2)
  await chain.blackhole(hole.classicAddress)
  const payment = { Account: hole.classicAddress, Destination: bob.classicAddress, Amount: '1' } as const
  const { tx_blob } = hole.sign(await client.autofill({ TransactionType: 'Payment', ...payment }))
  expect((await client.submit(tx_blob)).result.engine_result).toBe('tefMASTER_DISABLED')
  const { result: info } = await client.request({ command: 'account_info', account: hole.classicAddress })
  expect(info.account_data.OwnerCount).toBe(2)
})
