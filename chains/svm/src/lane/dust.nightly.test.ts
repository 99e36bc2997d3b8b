import { SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoInstruction } from '../payout/memo/memoInstruction.js'
import { payoutMemo } from '../payout/memo/memoText.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import { accountAt, createPayWorld, eventually, newOrderId, type PayWorld } from './payWorld.test.support.js'

/** Transactions of a stranger that name the lane, and how many of them carry a memo such as the lane's own. */
const DUST = 1000
const FORGED = 50

let chain: LocalSvmChain
let world: PayWorld

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain, { options: { signaturePage: 250 } })
  await world.start()
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

/** Transfers of the stranger to the lane, each of another amount. */
const sendDust = async (): Promise<void> => {
  const stranger = accountAt(chain, 6)
  const dust = (at: number) => {
    const memo = payoutMemo({ orderId: newOrderId(), purpose: 'fill', sequence: 1_000_000 + at })
    const gift = SystemProgram.transfer({
      fromPubkey: stranger.keypair.publicKey,
      toPubkey: world.solver.keypair.publicKey,
      lamports: at + 1,
    })
    return chain.send(stranger, at < FORGED ? [gift, memoInstruction(memo)] : [gift])
  }
  for (let from = 0; from < DUST; from += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, at) => dust(from + at)))
  }
}

const transactionsRead = async (): Promise<number> => (await chain.callCounts()).getTransaction ?? 0

test('thousands of transactions of a stranger that name the lane leave it complete, its own payment is found beneath them', async () => {
  const { lane, solver, heads } = world
  const since = (await heads.tip()).height
  const payout = world.payout()
  const [attempt] = await world.sign([payout], 0)
  if (attempt === undefined) throw new Error('nothing was signed')
  await lane.broadcast([attempt])
  await eventually('the payment', async () =>
    (await lane.states([{ txId: attempt.txId, payout }]))[0]?.status === 'success' ? true : null,
  )
  await sendDust()
  await chain.advance(1)
  const before = await transactionsRead()
  const begun = performance.now()
  const reading = await lane.read(solver.address, { position: { sequence: 0 }, sinceHeight: since })
  console.info(`${DUST} transactions of strangers: ${Math.round(performance.now() - begun)} ms`)
  expect(reading).toMatchObject({ position: { sequence: 1 }, complete: true })
  expect(reading.unknown.map(({ tx }) => tx.id)).toEqual([attempt.txId])
  // Only what says that it is a payment of the lane is read: its own, and what a stranger forged; again where an answer came late.
  expect((await transactionsRead()) - before).toBeLessThanOrEqual(3 * (FORGED + 1))
  // First use finds the number beneath them too.
  expect(await lane.read(solver.address, null)).toMatchObject({ position: { sequence: 1 }, complete: true })
}, 240_000)
