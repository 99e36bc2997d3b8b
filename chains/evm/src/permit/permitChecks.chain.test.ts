import type { Hex } from '@causeway/core'
import { PERMIT_KINDS, type PermitForm, type PermitKind } from '@causeway/core/chain'
import { serializeErc6492Signature, slice } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AMOUNT, newOrderId, type PermitWorld, signForm, startPermitWorld } from './permitWorld.test.support.js'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let world: PermitWorld
let token: string

beforeAll(async () => {
  world = await startPermitWorld(31_142)
  token = await world.token('authorization')
})

afterAll(() => world.close())

const check = (form: PermitForm, signature: string) => world.permits.check(form, signature, { agreeing: 1 })

const refused = (form: PermitForm, signature: string, why: RegExp) =>
  expect(check(form, signature)).rejects.toMatchObject({ code: 'PERMIT_FAILED', message: expect.stringMatching(why) })

const formOf = (kind: PermitKind, changes: Parameters<PermitWorld['terms']>[2] = {}) =>
  world.permits.form(world.terms(kind, token, changes))

/** As JSON of the database gives it back. */
const stored = (form: PermitForm): PermitForm => ({ ...form, sign: JSON.parse(JSON.stringify(form.sign)) })

test.each(PERMIT_KINDS)('%s: the signature of the owner is taken, of whoever else is not', async (kind) => {
  const form = stored(await formOf(kind))
  const signature = await signForm(form, world.user)
  expect(await check(form, signature.toUpperCase().replace('0X', '0x'))).toBe(signature)
  const stranger = privateKeyToAccount(generatePrivateKey())
  await refused(form, await signForm(form, stranger), new RegExp(`${stranger.address.toLowerCase()} signed`))
})

test.each(PERMIT_KINDS)('%s: a signature for another order, amount or chain is refused', async (kind) => {
  const form = await formOf(kind)
  for (const changes of [{ orderId: newOrderId() }, { money: { currency: token, amount: AMOUNT + 1n } }]) {
    const other = await formOf(kind, changes)
    await refused(form, await signForm(other, world.user), /is not that of/)
    // What was signed is right, but for another order than that of the terms.
    const mixed = { ...other, terms: form.terms }
    await refused(mixed, await signForm(mixed, world.user), /is not the deposit of this order/)
  }
  const elsewhere = { ...form, sign: { ...form.sign, domain: { ...Object(form.sign.domain), chainId: 1 } } }
  await refused(elsewhere, await signForm(elsewhere, world.user), /another chain than 31142/)
})

test.each(PERMIT_KINDS)('%s: what has expired is refused', async (kind) => {
  const form = await formOf(kind, { expiresAt: Math.floor(Date.now() / 1000) - 1 })
  await refused(form, await signForm(form, world.user), /has expired/)
})

test('F80: one form of a signature counts, and the 64 bytes of EIP-2098 become it', async () => {
  const form = await formOf('eip3009')
  const signature = await signForm(form, world.user)
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64)]
  const compactS = (BigInt(s) | (v === '0x1c' ? 1n << 255n : 0n)).toString(16).padStart(64, '0')
  expect(await check(form, `${r}${compactS}`)).toBe(signature)
  const highS = (CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0')
  await refused(form, `${r}${highS}${v === '0x1c' ? '1b' : '1c'}`, /s is not in its lower half/)
  await refused(form, `${r}${s.slice(2)}${v === '0x1c' ? '01' : '00'}`, /v must be 27 or 28/)
  await refused(form, `${r}${s.slice(2)}1d`, /v must be 27 or 28/)
})

test('what is no signature is refused before anybody is asked', async () => {
  const form = await formOf('permit2')
  for (const text of ['', '0x', '0x0', 'signature', `0x${'ab'.repeat(8193)}`, `${await signForm(form, world.user)}0`]) {
    await refused(form, text, /must be 0x and whole bytes in hex/)
  }
})

test('a contract wallet vouches for itself, but not before it is there, and not where a key is asked for', async () => {
  const wallet = await world.wallets.make(world.user.address)
  const form = await formOf('permit2', { owner: wallet })
  const signature = await signForm(form, world.user)
  expect(await check(form, signature)).toBe(signature)
  const stranger = privateKeyToAccount(generatePrivateKey())
  await refused(form, await signForm(form, stranger), /the contract wallet does not take it for its own/)
  const wrapped = serializeErc6492Signature({
    address: `0x${'12'.repeat(20)}`,
    data: '0x12',
    signature: signature as Hex,
  })
  await refused(form, wrapped, /must be deployed/)
  const own = await formOf('eip2612', { owner: wallet })
  await refused(own, await signForm(own, world.user), /asks for one by a key/)
  const hostile = await world.wallets.make(world.user.address, 'burns-gas')
  await refused(await formOf('permit2', { owner: hostile }), signature, /does not take it/)
})

test('the fee is about what a signed deposit takes', async () => {
  const form = await formOf('eip3009')
  const signature = await check(form, await signForm(form, world.user))
  const { network } = await world.permits.fee(token, 'eip3009')
  const { state } = await world.pay(world.payout(form, signature))
  expect(network.amount).toBeGreaterThan(state.fee / 2n)
  expect(network.amount).toBeLessThan(state.fee * 3n)
})
