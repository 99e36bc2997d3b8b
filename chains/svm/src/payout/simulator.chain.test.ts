import { PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { accountAt, createPayWorld, freshAddress, type PayWorld } from '../lane/payWorld.test.support.js'
import { associatedAddress } from '../read/token/program/tokenPrograms.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'

const TOKENS = 10_000_000n
const RENT = 2_039_280n
const PROGRAM_ADDRESS = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'

let chain: LocalSvmChain
let world: PayWorld
let plain: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain)
  await world.start()
  plain = await chain.createToken({ decimals: 6, freezable: true })
  await chain.fund(world.solver.address, 100n * TOKENS, plain)
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

const tokenAccountOf = (owner: string, mint: string): string =>
  associatedAddress(new PublicKey(mint), new PublicKey(owner)).toBase58()

const pay = (currency: string, amount: bigint, to = freshAddress()) =>
  world.simulator.simulate(world.payout({ to, money: { currency, amount } }))

describe('what can be paid', () => {
  test('lamports to a new wallet and to one that is there', async () => {
    expect(await pay(NATIVE, 1_000_000n)).toMatchObject({ ok: true })
    const there = await pay(NATIVE, 1n, accountAt(chain, 3).address)
    expect(there).toMatchObject({ ok: true })
    expect(there.ok && there.accountCreation).toBeFalsy()
  })

  test('tokens: the rent of a missing account is said, once', async () => {
    const to = freshAddress()
    expect(await pay(plain, TOKENS, to)).toMatchObject({ ok: true, accountCreation: RENT })
    expect(await world.status(to, plain)).toEqual({ canReceive: true, cost: { currency: NATIVE, amount: RENT } })
    await chain.fund(to, 1n, plain)
    const again = await pay(plain, TOKENS, to)
    expect(again.ok && again.accountCreation).toBeUndefined()
    expect(await world.status(to, plain)).toEqual({ canReceive: true })
  })

  test('tokens to a vault of a program: one that has an account, or a token account, already', async () => {
    await chain.fund(PROGRAM_ADDRESS, 1_000_000n)
    expect(await pay(plain, TOKENS, PROGRAM_ADDRESS)).toMatchObject({ ok: true, accountCreation: RENT })
    expect(await world.status(PROGRAM_ADDRESS, plain)).toMatchObject({ canReceive: true })
    const vault = tokenAccountOf(freshAddress(), plain)
    await chain.fund(vault, 1n, plain)
    expect(await pay(plain, TOKENS, vault)).toMatchObject({ ok: true })
  })
})

describe('who cannot receive (wire.md 1.1 7: recipient-cannot-receive)', () => {
  const refused = async (currency: string, to: string, why: RegExp) => {
    const simulation = await pay(currency, currency === NATIVE ? 1_000_000_000n : TOKENS, to)
    expect(simulation).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
    expect(simulation.ok ? '' : simulation.message).toMatch(why)
    const status = await world.status(to, currency)
    expect(status.canReceive).toBe(false)
    expect(status.why).toMatch(why)
  }

  test('lamports that leave a new account below its rent: the least amount is named', async () => {
    const simulation = await pay(NATIVE, 890_879n)
    expect(simulation).toMatchObject({ ok: false, kind: 'recipient-cannot-receive', leastAmount: 890_880n })
    expect(simulation.ok ? '' : simulation.message).toMatch(/890880 lamports \(0.00089088 SOL\)/)
    expect(await pay(NATIVE, 890_880n)).toMatchObject({ ok: true })
  })

  test('a token account, a mint, a program, the System program', async () => {
    const held = tokenAccountOf(world.solver.address, plain)
    for (const currency of [NATIVE, plain]) {
      await refused(currency, held, /token account: give the address of the wallet/)
      await refused(currency, plain, /is a token, not a wallet/)
      await refused(currency, 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', /is a program/)
      await refused(currency, NATIVE, /System program/)
    }
  })

  test('tokens: an associated token address that does not exist; the owner of the address is to be named', async () => {
    const owner = freshAddress()
    await refused(plain, tokenAccountOf(owner, plain), /token account that does not exist yet.*wallet that owns it/)
    expect(await pay(plain, TOKENS, owner)).toMatchObject({ ok: true })
    expect(await pay(NATIVE, 1_000_000n, tokenAccountOf(owner, plain))).toMatchObject({ ok: true })
  })

  test('tokens: an account owned by a program', async () => {
    const table = 'SysvarC1ock11111111111111111111111111111111'
    await refused(plain, table, /account of the network/)
  })

  test('a frozen account, and a token whose new accounts are frozen', async () => {
    const to = freshAddress()
    await chain.fund(to, 1n, plain)
    await chain.freeze(to, plain)
    await refused(plain, to, /frozen by its issuer/)
    await chain.thaw(to, plain)
    expect(await pay(plain, TOKENS, to)).toMatchObject({ ok: true })
    const frozen = await chain.createToken({ decimals: 6, program: 'token-2022', defaultFrozen: true })
    await refused(frozen, freshAddress(), /frozen until its issuer thaws/)
  })

  test('a token that cannot be transferred', async () => {
    const bound = await chain.createToken({ decimals: 6, program: 'token-2022', nonTransferable: true })
    await refused(bound, freshAddress(), /cannot be transferred/)
  })

  test('the depository', async () => {
    expect(await world.status(world.vault.address, NATIVE)).toMatchObject({ canReceive: false })
  })
})

describe('what the payer or the chain lacks', () => {
  test('the solver is short: of lamports, of tokens, of the token account itself', async () => {
    for (const [currency, amount] of [
      [NATIVE, 10n ** 15n],
      [plain, 10n ** 15n],
      [await chain.createToken({ decimals: 6 }), TOKENS],
    ] as const) {
      expect(await pay(currency, amount)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    }
  })

  test('a solver without lamports for fee and rent', async () => {
    const poor = world.payout({ from: freshAddress() })
    expect(await world.simulator.simulate(poor)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })

  test('a payment that would leave the solver below its rent', async () => {
    const held = await world.balance(world.solver.address)
    expect(await pay(NATIVE, held - 5000n - 1n)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })

  test('a hook that refuses is met before anything is sent', async () => {
    const transferHook = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
    const hooked = await chain.createToken({ decimals: 6, program: 'token-2022', transferHook })
    await chain.fund(world.solver.address, TOKENS, hooked)
    const simulation = await pay(hooked, 1000n)
    expect(simulation).toMatchObject({ ok: false, kind: 'revert' })
    expect(simulation.ok ? '' : simulation.message).not.toMatch(/http|Error:/)
  })

  test('no such token, and a node that fails', async () => {
    expect(await pay(freshAddress(), 1n)).toMatchObject({ ok: false, kind: 'revert' })
    await chain.failNext({ method: 'simulateTransaction', error: { code: -32603, message: 'Internal error' } })
    expect(await pay(NATIVE, 1_000_000n)).toMatchObject({ ok: false, kind: 'transient' })
    await chain.clearFaults()
  })
})

test('an account that is there but belongs to a program takes lamports and no tokens', async () => {
  const owned = accountAt(chain, 7)
  await chain.send(
    owned,
    [
      SystemProgram.assign({
        accountPubkey: owned.keypair.publicKey,
        programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      }),
    ],
    { feePayer: accountAt(chain, 8) },
  )
  expect(await pay(NATIVE, 1_000_000n, owned.address)).toMatchObject({ ok: true })
  expect(await pay(plain, TOKENS, owned.address)).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
})

test('a fresh pair costs one request to the node (architecture.md 3, step 1)', async () => {
  await pay(plain, TOKENS)
  await world.heads.refresh()
  const before = await chain.callCounts()
  await pay(plain, TOKENS)
  const after = await chain.callCounts()
  const asked = (method: string) => (after[method] ?? 0) - (before[method] ?? 0)
  expect([asked('simulateTransaction'), asked('getMultipleAccounts'), asked('getAccountInfo') <= 2]).toEqual([
    1,
    1,
    true,
  ])
})
