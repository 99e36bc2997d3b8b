import { describe, expect, it } from 'vitest'
import type { Json } from '../../chain/json.js'
import type { Payout, PreparedAttempt, SignedAttempt } from '../../chain/laneAdapter.js'
import { createEd25519Signer } from '../../keys/ed25519Signer.js'
import { ACCOUNT, FakeAccount, type FakeNode, laneOf, payoutTo, SETTLE, SIGNER } from './fakeAccount.test.support.js'
import type { AccountReading, LaneQuestion, LaneSince } from './sequenceChain.js'

const VAULT = '0:vault'

/** The lane's own account, and a vault from which withdrawals go with numbers of its own; null while that does not exist. */
class TwoAccounts extends FakeAccount {
  readonly others = [VAULT]
  vault: FakeAccount | null = Object.assign(new FakeAccount(true), { next: 20n, first: 20n })

  constructor() {
    super(true)
  }

  accountOf({ purpose, from }: Payout): string {
    return purpose === 'withdraw' ? VAULT : from
  }

  override async read(node: FakeNode, question: LaneQuestion): Promise<AccountReading> {
    if (question.account !== VAULT) return super.read(node, question)
    this.asked.push(question)
    if (this.vault !== null) return this.vault.read(node, question)
    const { moment } = await super.read(node, { account: ACCOUNT, attempts: [] })
    return { moment, transactions: question.attempts.map(() => null), next: null }
  }

  override list(node: FakeNode, account: string, since: LaneSince | null) {
    if (account !== VAULT) return super.list(node, account, since)
    if (this.vault === null) throw new Error('Nobody lists what does not exist.')
    return this.vault.list(node, account, since)
  }
}

const withdrawal = (name: string): Payout => payoutTo(name, { purpose: 'withdraw' })

const prepare = async (chain: TwoAccounts, position: Json, ...payouts: readonly Payout[]) => {
  const made = await laneOf(chain).prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    position,
  )
  return { prepared: made.prepared, position: JSON.parse(JSON.stringify(made.position)) as Json }
}

const guardOf = (item: PreparedAttempt | null | undefined) => item?.guards[0] ?? null

const sign = (chain: TwoAccounts, item: PreparedAttempt | null | undefined): Promise<SignedAttempt> => {
  if (item === null || item === undefined) throw new Error('Nothing was prepared.')
  return laneOf(chain).sign(item, SIGNER)
}

describe('payments that take numbers of another account', () => {
  it('are guarded by that account, beside payments of the own one, and the position keeps both', async () => {
    const chain = new TwoAccounts()
    const made = await prepare(chain, { sequence: '5' }, payoutTo('a'), withdrawal('w'), payoutTo('b'), withdrawal('x'))
    expect(made.prepared.map(guardOf)).toEqual([
      `sequence:${ACCOUNT}:5:60`,
      `sequence:${VAULT}:20:60`,
      `sequence:${ACCOUNT}:6:60`,
      `sequence:${VAULT}:21:60`,
    ])
    expect(made.position).toEqual({
      sequence: '7',
      slots: { 5: '60', 6: '60' },
      others: { [VAULT]: { sequence: '22', slots: { 20: '60', 21: '60' } } },
    })
    const more = await prepare(chain, made.position, withdrawal('y'))
    expect(more.prepared.map(guardOf)).toEqual([`sequence:${VAULT}:22:60`])
    expect(more.position).toMatchObject({ sequence: '7', slots: { 5: '60', 6: '60' } })
  })

  it('are signed as the chain likes, with every key at hand; those of the own account by its key alone', async () => {
    const chain = new TwoAccounts()
    chain.addressOf = () => 'nobody'
    const { prepared } = await prepare(chain, { sequence: '5' }, payoutTo('a'), withdrawal('w'))
    const allocator = createEd25519Signer('22'.repeat(32))
    const seed = new Uint8Array([7])
    const [own, other] = prepared
    if (own === null || own === undefined || other === null || other === undefined) throw new Error('Not prepared.')
    await expect(laneOf(chain).sign(own, SIGNER)).rejects.toMatchObject({ code: 'UNKNOWN_ERROR' })
    await laneOf(chain).sign(other, SIGNER, allocator, seed)
    expect(chain.keys).toEqual([[SIGNER, allocator, seed]])
  })

  it('are looked up and judged by that account', async () => {
    const chain = new TwoAccounts()
    const { vault } = chain
    const { prepared } = await prepare(chain, { sequence: '5' }, payoutTo('a'), withdrawal('w'), withdrawal('x'))
    const [own, first, second] = await Promise.all(prepared.map((item) => sign(chain, item)))
    if (own === undefined || first === undefined || second === undefined) throw new Error('Not signed.')
    vault?.land(first)
    const asked = [withdrawal('x'), payoutTo('a'), withdrawal('w')]
    const states = await laneOf(chain).states(
      [second, own, first].map(({ txId }, at) => ({ txId, payout: asked[at] ?? payoutTo('?') })),
    )
    expect(states.map(({ status, feeFrom }) => [status, feeFrom])).toEqual([
      ['missing', undefined],
      ['missing', undefined],
      ['success', 'capital'],
    ])
    chain.land(own)
    const [paidByWallet] = await laneOf(chain).states([{ txId: own.txId, payout: payoutTo('a') }])
    expect([paidByWallet?.status, paidByWallet?.feeFrom]).toEqual(['success', undefined])
    const judge = ({ guards, txId }: SignedAttempt) => laneOf(chain).payoutVerdict(guards, [txId])
    expect([await judge(first), await judge(second)]).toEqual(['landed', 'alive'])
    for (const account of [chain, vault]) if (account !== null) account.height = 61n + BigInt(SETTLE)
    expect([await judge(second), await judge(own)]).toEqual(['dead', 'landed'])
  })

  it('are told when the lane is read: what the journal lacks, and no number unexplained', async () => {
    const chain = new TwoAccounts()
    const start = (await laneOf(chain).read(ACCOUNT, null)).position
    expect(start).toMatchObject({ sequence: '5', others: { [VAULT]: { sequence: '20' } } })
    const place = { position: start, sinceHeight: chain.height }
    const { prepared, position } = await prepare(chain, start, withdrawal('w'))
    const landed = await sign(chain, prepared[0])
    chain.vault?.land(landed)
    const lost = await laneOf(chain).read(ACCOUNT, place)
    expect(lost.unknown.map(({ to, purpose, guards, fee }) => [to, purpose, guards, fee])).toEqual([
      ['w', 'withdraw', [`sequence:${VAULT}:20:60`], undefined],
    ])
    expect((await laneOf(chain).read(ACCOUNT, { ...place, position })).unknown).toEqual([])
    const hiding = { name: 'one', unlisted: new Set([landed.txId]) }
    expect(await laneOf(chain, [hiding]).read(ACCOUNT, place)).toMatchObject({
      complete: false,
      gap: 'nothing is listed that used number 20',
    })
    const again = await laneOf(chain).readAgain?.(ACCOUNT, { ...place, position }, [`sequence:${VAULT}:20:60`])
    expect(again?.unknown.map(({ to }) => to)).toEqual(['w'])
  })

  it('F120: of an account that the journal does not name all is told that was sent since its height', async () => {
    const chain = new TwoAccounts()
    const { prepared } = await prepare(chain, { sequence: '5' }, withdrawal('w'))
    chain.vault?.land(await sign(chain, prepared[0]))
    const before = await laneOf(chain).read(ACCOUNT, { position: { sequence: '5' }, sinceHeight: chain.height })
    expect([before.complete, before.unknown.map(({ to }) => to)]).toEqual([true, ['w']])
  })

  it('wait while that account does not exist, and hold nothing else up', async () => {
    const chain = new TwoAccounts()
    chain.vault = null
    const reading = await laneOf(chain).read(ACCOUNT, null)
    expect([reading.complete, reading.position]).toEqual([true, { sequence: '5', settled: { next: '5', aside: 0 } }])
    const { prepared } = await prepare(chain, reading.position, withdrawal('w'), payoutTo('a'))
    expect(prepared.map(guardOf)).toEqual([null, `sequence:${ACCOUNT}:5:60`])
  })
})

it('an own account that does not exist keeps the lane shut', async () => {
  const chain = new FakeAccount(true)
  const read = chain.read.bind(chain)
  chain.read = async (node, question) => ({ ...(await read(node, question)), next: null })
  await expect(laneOf(chain).read(ACCOUNT, null)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
