import { deployScriptedWallets, placePermit2, type ScriptedWallets, type WalletMood } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valueAt } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether } from '../harness/localNetwork.js'
import { type HttpWorld, leakIn } from '../http/httpWorld.js'
import { statusOf } from '../sponsorship/sponsorWorld.js'
import {
  DOLLARS,
  depositsUnder,
  postSignature,
  type SignedQuote,
  signedQuote,
  startGaslessWorld,
} from './gaslessWorld.js'

let world: HttpWorld
let wallets: ScriptedWallets
beforeAll(async () => {
  world = await startGaslessWorld()
  wallets = await deployScriptedWallets(world.network.chains[0].chain)
})
afterAll(() => world?.close())

/** A contract wallet with 25 dollars, and the key that owns it. */
const walletUser = async (mood: WalletMood): Promise<SignedQuote['user']> => {
  const [{ chain, usdc }] = world.network.chains
  const privateKey = generatePrivateKey()
  // CAST: an address of the local chains.
  const address = (await wallets.make(privateKeyToAccount(privateKey).address, mood)) as Hex
  await chain.fund(address, DOLLARS[0], usdc)
  return { address, privateKey }
}

const expectDeposit = async ({ answer, orderId, user }: SignedQuote): Promise<void> => {
  expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
  expect(await depositsUnder(world.network.chains[0], orderId)).toMatchObject([
    { from: user.address.toLowerCase(), amount: DOLLARS[0] },
  ])
}

describe('contract wallets sign too, where the token takes it (EIP-1271; wire.md 2.7)', () => {
  it('an honest one: by its owner’s key, and no other', async () => {
    const quote = await signedQuote(world, { user: await walletUser('honest') })
    expect(valueAt(quote.step, 'items.0.data.post.body.kind')).toBe('eip3009')
    const stranger = await signedQuote(world, { user: { ...quote.user, privateKey: generatePrivateKey() } })
    const refused = await postSignature(world, quote.step, stranger.signature)
    expect([refused.status, valueAt(refused.body, 'message')]).toEqual([
      400,
      expect.stringMatching(/the contract wallet does not take it for its own/),
    ])
    expect((await postSignature(world, quote.step, quote.signature)).status).toBe(200)
    await expectDeposit(quote)
  })

  it('one that says yes to everything gives its own money away, once', async () => {
    const quote = await signedQuote(world, { user: await walletUser('always-yes') })
    const any = `0x${'ab'.repeat(700)}`
    expect((await postSignature(world, quote.step, any)).status).toBe(200)
    const other = await postSignature(world, quote.step, `0x${'cd'.repeat(65)}`)
    expect([200, 400]).toContain(other.status)
    await expectDeposit(quote)
  })

  it.each<readonly [WalletMood, RegExp]>([
    ['always-no', /does not take it for its own/],
    ['burns-gas', /does not take it for its own/],
    ['reverts-long', /does not take it for its own/],
    ['answers-long', /does not take it for its own/],
    ['answers-short', /does not take it for its own/],
    ['answers-nothing', /does not take it for its own/],
    ['leaves-dirt', /does not take it for its own/],
    ['yes-to-nobody', /does not take it for its own|refuses what was signed/],
  ])('one that %s is refused, and nothing is written', async (mood, says) => {
    const quote = await signedQuote(world, { user: await walletUser(mood) })
    const refused = await postSignature(world, quote.step, quote.signature)
    expect([refused.status, valueAt(refused.body, 'message')]).toEqual([400, expect.stringMatching(says)])
    expect(leakIn(world, refused.text)).toBeNull()
    const { rows } = await world.database.pool.query(`select 1 from requests where order_id = decode($1, 'hex')`, [
      quote.orderId.slice(2),
    ])
    expect(rows).toEqual([])
  })

  it('one that says yes in every second block: a deposit or none, and never a fill without', async () => {
    const quote = await signedQuote(world, { user: await walletUser('by-block') })
    const { status } = await postSignature(world, quote.step, quote.signature)
    const end = status === 400 ? null : await statusOf(world, quote.answer)
    const deposits = await depositsUnder(world.network.chains[0], quote.orderId)
    if (end === null) {
      expect(deposits).toEqual([])
      return
    }
    expect(valueAt(end, 'status')).toBe(deposits.length === 1 ? 'success' : 'failure')
  })

  it('where the token takes keys alone, the way of a contract wallet is Permit2, and there is none without it', async () => {
    const [, { chain, usdc }] = world.network.chains
    const factory = await deployScriptedWallets(chain)
    const privateKey = generatePrivateKey()
    // CAST: an address of the local chains.
    const address = (await factory.make(privateKeyToAccount(privateKey).address)) as Hex
    await chain.fund(address, DOLLARS[1], usdc)
    await expect(signedQuote(world, { from: 1, user: { address, privateKey } })).rejects.toThrow(
      /body.usePermit is not supported for USDC: it cannot be moved by a signature/,
    )
    await placePermit2(chain)
    // For the approval.
    await chain.fund(address, ether('1'))
    const { step, answer } = await signedQuote(world, { from: 1, user: { address, privateKey } })
    expect(valueAt(step, 'items.0.data.post.body.kind')).toBe('permit2')
    expect(answer).toMatchObject({ steps: [{ id: 'approve', kind: 'transaction' }, { id: 'authorize1' }] })
  })
})

it('the books agree with the chains', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
