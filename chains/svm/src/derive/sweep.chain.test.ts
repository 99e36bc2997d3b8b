import type { Hex } from '@causeway/core'
import { createEd25519Signer } from '@causeway/core/chain'
import { type TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileMessage } from '../lane/laneTransaction.js'
import { createPayWorld, type PayWorld } from '../lane/payWorld.test.support.js'
import { accountOf, type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import { deriveDepositAddress } from './depositAddress.js'
import { sweepInstructions } from './sweep.js'

const TOKENS = 10_000_000n
const seed = Buffer.alloc(64, 3)

let chain: LocalSvmChain
let world: PayWorld
let salts = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain)
  await world.start()
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

const derive = () => {
  salts += 1
  const { address, privateKey } = deriveDepositAddress(seed, `0x${salts.toString(16).padStart(64, '0')}`)
  const secret: Hex = `0x${Buffer.from(privateKey).toString('hex')}`
  return { address, account: accountOf(secret), secret }
}

/** The solver pays and signs first, the child signs what is its own. */
const sweep = async (instructions: readonly TransactionInstruction[], child: ReturnType<typeof derive>) => {
  const { blockhash } = await chain.connection.getLatestBlockhash('confirmed')
  const transaction = new VersionedTransaction(compileMessage(instructions, world.solver.address, blockhash))
  transaction.sign([world.solver.keypair, child.account.keypair])
  await chain.waitFor(await chain.connection.sendTransaction(transaction))
}

test('lamports: all of them go, the child pays nothing', async () => {
  const child = derive()
  await chain.fund(child.address, 1_000_000n)
  const before = await world.balance(world.vault.address)
  const terms = { child: child.address, payer: world.solver.address, to: world.vault.address }
  await sweep(await sweepInstructions({ ...terms, mint: null, amount: 1_000_000n }, world.accounts), child)
  expect(await world.balance(child.address)).toBe(0n)
  expect(await world.balance(world.vault.address)).toBe(before + 1_000_000n)
  expect(Buffer.from(createEd25519Signer(child.secret).publicKey)).toEqual(child.account.keypair.publicKey.toBuffer())
})

test.each([
  ['token', {}],
  ['token-2022', {}],
  ['token-2022', { transferFee: { bps: 100, maximum: 10n ** 9n } }],
] as const)('%s %o: all of them go, the account is closed and its rent comes back', async (program, extra) => {
  const child = derive()
  const currency = await chain.createToken({ decimals: 6, program, ...extra })
  await chain.fund(child.address, TOKENS, currency)
  await chain.openTokenAccount(world.vault.address, currency)
  if ('transferFee' in extra) {
    // Something withheld in the child's account: a transfer to it, of which the mint keeps a part there.
    await chain.fund(world.solver.address, TOKENS, currency)
    const payout = world.payout({ to: child.address, money: { currency, amount: TOKENS / 2n } })
    const [attempt] = await world.sign([payout], salts)
    if (attempt !== undefined) await world.lane.broadcast([attempt])
    await chain.waitFor(attempt?.txId ?? '')
  }
  const amount = await world.balance(child.address, currency)
  const lamports = await world.balance(world.solver.address)
  const mint = await world.mints.read(currency)
  const terms = { child: child.address, payer: world.solver.address, to: world.vault.address }
  await sweep(await sweepInstructions({ ...terms, mint, amount }, world.accounts), child)
  expect(await world.balance(child.address, currency)).toBe(0n)
  const kept = 'transferFee' in extra ? (amount + 99n) / 100n : 0n
  expect(await world.balance(world.vault.address, currency)).toBe(amount - kept)
  // Two signatures out, the rent of the closed account in.
  expect(await world.balance(world.solver.address)).toBeGreaterThan(lamports - 10_000n + 2_000_000n)
})
