import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { XrpAdapter } from '../adapter.js'
import { ACCOUNT_ONE, NATIVE } from '../address/addresses.js'
import { type LedgerWorld, newAddress, openLedgerWorld, UNIT, XRP } from '../ledgerWorld.test.support.js'
import { trustTransaction } from '../testing/node/funding.js'

const [REQUIRE_DEST, GLOBAL_FREEZE, DEPOSIT_AUTH] = [1, 7, 9]

let world: LedgerWorld
let adapter: XrpAdapter

beforeAll(async () => {
  world = await openLedgerWorld()
  adapter = world.adapterOver()
})

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

/** An account with some XRP, and what else is done for it. */
const account = async (...flags: readonly number[]): Promise<string> => {
  const address = newAddress()
  await world.fund(address, 20n * XRP)
  for (const SetFlag of flags) await world.apply({ TransactionType: 'AccountSet', Account: address, SetFlag })
  return address
}

describe('balances', () => {
  it('are all of an account, and of XRP what it must keep for itself and for what it owns (chains.md xrpvm 5)', async () => {
    const { user, token, solver } = world
    const nobody = newAddress()
    const queries = [
      { address: user, currency: NATIVE },
      { address: user, currency: token },
      { address: nobody, currency: NATIVE },
      { address: nobody, currency: token },
      { address: world.issuer, currency: token },
    ]
    const { amounts, reserved, height } = await adapter.getBalances(queries)
    expect(amounts).toEqual([1000n * XRP, UNIT, 0n, 0n, 0n])
    // One trust line.
    expect(reserved).toEqual([1_200_000n, 0n, 0n, 0n, 0n])
    expect(height).toBe(BigInt(await world.chain.height()))
    await world.apply({ TransactionType: 'TicketCreate', Account: solver, TicketCount: 5 })
    const owned = await adapter.getBalances([{ address: solver, currency: NATIVE }])
    expect(owned.reserved).toEqual([2_200_000n])
  })

  it('cost one round of questions while no ledger comes in between', async () => {
    const asked = async () => Object.values(await world.chain.counts()).reduce((sum, count) => sum + count, 0)
    const { user, token } = world
    const before = await asked()
    await adapter.getBalances([NATIVE, token].map((currency) => ({ address: user, currency })))
    expect((await asked()) - before).toBe(3)
  })
})

describe('a recipient', () => {
  const status = (address: string, currency = NATIVE, tag?: number) =>
    adapter.recipientStatus({ address, ...(tag === undefined ? {} : { tag }) }, currency)

  it('that is not there yet is opened by at least the reserve, and only with XRP', async () => {
    expect(await status(newAddress())).toEqual({ canReceive: true, least: XRP })
    expect(await status(newAddress(), world.token)).toMatchObject({ canReceive: false, why: /exist/ })
    expect(await status(world.user)).toEqual({ canReceive: true })
    expect(await status(world.user, world.token)).toEqual({ canReceive: true })
    expect(await status(world.issuer)).toEqual({ canReceive: true })
    expect(await status(world.issuer, world.token)).toMatchObject({
      canReceive: false,
      why: expect.stringMatching(/issues/),
    })
  })

  it('that asks for a tag is paid with one', async () => {
    const exchange = await account(REQUIRE_DEST)
    expect(await status(exchange)).toMatchObject({ canReceive: false, why: /destination tag/ })
    expect(await status(exchange, NATIVE, 0)).toEqual({ canReceive: true })
  })

  it('that chooses who pays it is paid by a solver that it chose', async () => {
    const choosy = await account(DEPOSIT_AUTH)
    expect(await status(choosy)).toMatchObject({ canReceive: false, why: /chose/ })
    await world.apply({ TransactionType: 'DepositPreauth', Account: choosy, Authorize: world.solver })
    expect(await status(choosy)).toEqual({ canReceive: true })
  })

  it('of an issued currency must trust its issuer, with room, while nothing is frozen', async () => {
    const holder = await account()
    expect(await status(holder, world.token)).toMatchObject({ canReceive: false, why: /trust/ })
    await world.apply(trustTransaction(holder, world.token))
    expect(await status(holder, world.token)).toEqual({ canReceive: true })
    const { issuer } = world
    await world.apply({ TransactionType: 'AccountSet', Account: issuer, SetFlag: GLOBAL_FREEZE })
    expect(await status(holder, world.token)).toMatchObject({ canReceive: false, why: /frozen/ })
    await world.apply({ TransactionType: 'AccountSet', Account: issuer, ClearFlag: GLOBAL_FREEZE })
    expect(await status(holder, `NOT.${newAddress()}`)).toMatchObject({ canReceive: false, why: /issues/ })
  })

  it('is never the depository, nor an account that nobody has a key of; the placeholder stands for one in use', async () => {
    expect(await status(world.depository)).toMatchObject({ canReceive: false, why: /depository/ })
    expect(await status(NATIVE)).toMatchObject({ canReceive: false, why: /key/ })
    expect(await status(ACCOUNT_ONE)).toEqual({ canReceive: true })
    expect(adapter.placeholders).toEqual([ACCOUNT_ONE])
  })
})

it('an issued currency is called by its code, where its issuer is there', async () => {
  const { issuer } = world
  const hex = `524C555344000000000000000000000000000000.${issuer}`
  expect(await adapter.readToken(world.token)).toMatchObject({ symbol: 'TOK', decimals: 15 })
  expect(await adapter.readToken(hex)).toMatchObject({ symbol: 'RLUSD', decimals: 15 })
  expect(await adapter.readToken(`TOK.${newAddress()}`)).toBeNull()
  expect(await adapter.readToken(NATIVE)).toBeNull()
})

it('what a transaction brought an account is told without the fee', async () => {
  const { user, solver, token, issuer } = world
  const Amount = { currency: 'TOK', issuer, value: '0.25' }
  const id = await world.pay({ Account: user, Destination: solver, Amount })
  expect(await adapter.accountGain({ id }, { address: solver, currency: token })).toBe(UNIT / 4n)
  expect(await adapter.accountGain({ id }, { address: user, currency: token })).toBe(-UNIT / 4n)
  expect(await adapter.accountGain({ id }, { address: user, currency: NATIVE })).toBe(0n)
  expect(await adapter.accountGain({ id: 'AB'.repeat(32) }, { address: user, currency: NATIVE })).toBeNull()
})
