import { describe, expect, it } from 'vitest'
import type { SignedAttempt } from '../../../chain/laneAdapter.js'
import { ACCOUNT, FakeAccount, type FakeNode, laneOf, payoutTo, SETTLE, SIGNER } from '../fakeAccount.test.support.js'

const AWAY = { code: 'SERVICE_UNAVAILABLE' }
const FINAL = BigInt(SETTLE)

/** A payment with number 5 that may land up to height 60. */
const signed = async (chain: FakeAccount, to = 'a'): Promise<SignedAttempt> => {
  const [attempt] = (await laneOf(chain).prepare([{ payout: payoutTo(to), gas: null }], { sequence: '5' })).prepared
  if (attempt === null || attempt === undefined) throw new Error('Nothing was prepared.')
  return laneOf(chain).sign(attempt, SIGNER)
}

const verdict = (chain: FakeAccount, { guards, txId }: SignedAttempt, ...nodes: readonly FakeNode[]) =>
  laneOf(chain, nodes.length === 0 ? undefined : nodes).payoutVerdict(guards, [txId])

describe.each([
  ['bind nothing', false],
  ['are in strict order', true],
])('where numbers %s', (_, strict) => {
  it('a payment that never landed is dead when the last block that can hold it is final, and not before (F122)', async () => {
    const chain = new FakeAccount(strict)
    const attempt = await signed(chain)
    chain.height = 60n + FINAL
    expect(await verdict(chain, attempt)).toBe('alive')
    chain.height += 1n
    expect(await verdict(chain, attempt)).toBe('dead')
  })

  it('a payment that landed is never dead', async () => {
    const chain = new FakeAccount(strict)
    const attempt = await signed(chain)
    chain.land(attempt)
    expect(await verdict(chain, attempt)).toBe('landed')
    chain.height = 500n
    expect(await verdict(chain, attempt)).toBe('landed')
  })

  it('a payment that failed is dead as soon as its block is final', async () => {
    const chain = new FakeAccount(strict)
    const attempt = await signed(chain)
    chain.land(attempt, 'reverted')
    chain.height += FINAL - 1n
    expect(await verdict(chain, attempt)).toBe('alive')
    chain.height += 1n
    expect(await verdict(chain, attempt)).toBe('dead')
  })

  it('a payment that brought nothing counts as one that failed, once it is known what it was to bring (F123)', async () => {
    const chain = new FakeAccount(strict)
    const attempt = await signed(chain)
    chain.land(attempt)
    const [landed] = chain.sent.splice(0)
    if (landed !== undefined) chain.sent.push({ ...landed, arrived: { ...landed.money, amount: 0n } })
    chain.height += FINAL
    const lane = laneOf(chain)
    expect(await lane.payoutVerdict(attempt.guards, [attempt.txId])).toBe('landed')
    const options = { agreeing: 1, payout: payoutTo('a') }
    expect(await lane.payoutVerdict(attempt.guards, [attempt.txId], options)).toBe('dead')
  })

  it('two providers must say that it is dead where there are two', async () => {
    const chain = new FakeAccount(strict)
    const attempt = await signed(chain)
    chain.height = 100n
    expect(await verdict(chain, attempt, { name: 'one' }, { name: 'two' })).toBe('dead')
    await expect(verdict(chain, attempt, { name: 'one' }, { name: 'two', away: true })).rejects.toMatchObject(AWAY)
    chain.land(attempt)
  })

  it('guards of another kind prove nothing', async () => {
    const chain = new FakeAccount(strict)
    chain.height = 500n
    expect(await laneOf(chain).payoutVerdict(['nonce:0xab:5'], ['gone'])).toBe('alive')
    expect(await laneOf(chain).payoutVerdict([], [])).toBe('alive')
  })
})

describe('where numbers bind nothing', () => {
  it('a node that has forgotten blocks in which a payment can have been denies nothing', async () => {
    const chain = new FakeAccount(false)
    const attempt = await signed(chain)
    chain.height = 100n
    expect(await verdict(chain, attempt, { name: 'one', history: 50n })).toBe('dead')
    await expect(verdict(chain, attempt, { name: 'one', history: 51n })).rejects.toMatchObject(AWAY)
  })
})

describe('where numbers are in strict order', () => {
  it('what used up the number must be seen, be another one, and be final', async () => {
    const chain = new FakeAccount(true)
    const [attempt, other] = [await signed(chain), await signed(chain, 'other')]
    chain.land(other)
    chain.height += FINAL - 1n
    expect(await verdict(chain, attempt)).toBe('alive')
    chain.height += 1n
    expect(await verdict(chain, attempt)).toBe('dead')
    const unlisted = new Set([other.txId])
    expect(await verdict(chain, attempt, { name: 'one', unlisted })).toBe('alive')
  })

  it('a payment that a node does not find by its id, but lists, is not dead', async () => {
    const chain = new FakeAccount(true)
    const attempt = await signed(chain)
    chain.land(attempt)
    chain.height = 500n
    const blind = { name: 'one', hides: new Set([attempt.txId]) }
    await expect(verdict(chain, attempt, blind)).rejects.toMatchObject(AWAY)
  })

  it('a number used up by what is not shown is proof only after the expiry, by a node that forgot nothing', async () => {
    const chain = new FakeAccount(true)
    const attempt = await signed(chain)
    chain.land(attempt)
    chain.height = 500n
    const blind = { name: 'one', hides: new Set([attempt.txId]), unlisted: new Set([attempt.txId]), history: 51n }
    await expect(verdict(chain, attempt, blind)).rejects.toMatchObject(AWAY)
  })

  it('a number that the final state still has to take was used by nothing, whatever a node forgot', async () => {
    const chain = new FakeAccount(true)
    const attempt = await signed(chain)
    chain.height = 100n
    expect(await verdict(chain, attempt, { name: 'one', history: 99n })).toBe('dead')
  })

  it('a number of an account whose spelling holds colons is read back', async () => {
    const chain = new FakeAccount(true)
    expect((await signed(chain)).guards).toEqual([`sequence:${ACCOUNT}:5:60`])
  })
})
