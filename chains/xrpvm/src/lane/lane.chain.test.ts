import type { Payout, SignedAttempt } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRewritingNode } from '../rpc/rewritingNode.test.support.js'
import { freshAddress, numberOf, only, openPayWorld, type PayWorld } from './payWorld.test.support.js'

let world: PayWorld
beforeAll(async () => {
  world = await openPayWorld()
})
afterAll(() => world?.close())

const start = async () => (await world.lane.read(world.solver.address, null)).position

const signOne = async (payout: Payout = world.payout()) => {
  const { attempts, position } = await world.sign(world.lane, await start(), payout)
  return { payout, attempt: only(attempts), position }
}

const stateOf = async ({ txId }: SignedAttempt, payout: Payout) => {
  const [state] = await world.lane.states([{ txId, payout }])
  return state
}

const verdict = (attempts: readonly SignedAttempt[], payout?: Payout) =>
  world.lane.payoutVerdict(
    attempts[0]?.guards ?? [],
    attempts.map(({ txId }) => txId),
    { agreeing: 1, ...(payout === undefined ? {} : { payout }) },
  )

const outcomes = async (...attempts: readonly SignedAttempt[]) =>
  (await world.lane.broadcast(attempts)).map((result) =>
    result.outcome === 'rejected' ? result.reason : result.outcome,
  )

const balanceOf = async (address: string): Promise<bigint> => {
  const [outcome] = await world.rpc.batch([
    { method: 'account_info', params: [{ account: address, ledger_index: 'validated' }] },
  ])
  if (outcome?.ok !== true) return 0n
  return BigInt(Reflect.get(Object(Reflect.get(Object(outcome.result), 'account_data')), 'Balance'))
}

describe('the life of a payment', () => {
  it('prepared, signed, sent twice, in a validated ledger: what arrived, what it cost, and landed for ever', async () => {
    const { attempt, payout, position } = await signOne(world.payout({ tag: 7 }))
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'missing' })
    expect(await outcomes(attempt)).toEqual(['known'])
    // A host that died after it stored the bytes sends the same ones again.
    expect(await outcomes(attempt)).toEqual(['known'])
    expect(await stateOf(attempt, payout)).toMatchObject({ status: 'pending', confirmations: 0 })
    expect(await verdict([attempt], payout)).toBe('alive')
    await world.chain.advance()
    const state = await stateOf(attempt, payout)
    expect(state).toMatchObject({ status: 'success', confirmations: 1, paid: 2_000_000n, revert: null })
    expect(state?.fee).toBe(attempt.feeCap)
    expect(state?.feeFrom).toBeUndefined()
    expect(await balanceOf(payout.to.address)).toBe(2_000_000n)
    expect(await verdict([attempt], payout)).toBe('landed')
    await world.chain.advance(30)
    expect(await verdict([attempt], payout)).toBe('landed')
    const place = { position, sinceHeight: BigInt(await world.chain.height()) }
    expect(await world.lane.read(world.solver.address, place)).toMatchObject({ unknown: [], complete: true })
  })

  it('to another tag or in another currency nothing arrived for the order (faults.md F24, F123)', async () => {
    const { attempt, payout } = await signOne(world.payout({ tag: 7 }))
    await world.lane.broadcast([attempt])
    await world.chain.advance()
    const other = { ...payout, to: { address: payout.to.address, tag: 8 } }
    expect(await stateOf(attempt, other)).toMatchObject({ status: 'success', paid: 0n })
    expect(await verdict([attempt], other)).toBe('dead')
  })

  it('that does nothing but cost its fee is dead at once, and says why in plain words', async () => {
    const payout = world.payout({ money: { currency: world.payout().money.currency, amount: 10n } })
    const { attempt } = await signOne(payout)
    expect(await outcomes(attempt)).toEqual(['known'])
    await world.chain.advance()
    expect(await stateOf(attempt, payout)).toMatchObject({
      status: 'reverted',
      paid: 0n,
      revert: expect.stringContaining('does not exist'),
    })
    expect(await verdict([attempt], payout)).toBe('dead')
  })
})

it('F155: a lane is read beneath thousands of payments of one drop, however many pages they are', async () => {
  const { attempt, position } = await signOne()
  const sinceHeight = BigInt(await world.chain.height())
  await world.lane.broadcast([attempt])
  await world.chain.advance()
  const drop = {
    TransactionType: 'Payment' as const,
    Account: world.vault.address,
    Destination: world.solver.address,
    Amount: '1',
  }
  await world.chain.apply(...Array.from({ length: 300 }, () => drop))
  // As many pages as a hundred thousand payments are.
  const short = await startRewritingNode(world.chain.rpcUrl)
  short.redirect('account_tx', (asked) => ({ ...asked, limit: 1 }))
  const found = await world.newLane(short.url).read(world.solver.address, { position, sinceHeight })
  expect(found).toMatchObject({ complete: true, unknown: [] })
  await short.close()
})

describe('numbers', () => {
  it('in order: all land, sent in one go, and one that expired unused is given again', async () => {
    const payouts = [world.payout(), world.payout(), world.payout()]
    const { attempts } = await world.sign(world.lane, await start(), ...payouts)
    expect(await outcomes(...[...attempts].reverse())).toEqual(['known', 'known', 'known'])
    await world.chain.advance()
    const states = await world.lane.states(
      attempts.map(({ txId }, at) => ({ txId, payout: payouts[at] ?? world.payout() })),
    )
    expect(states.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    const lost = await signOne()
    await world.chain.advance(21)
    expect(await verdict([lost.attempt])).toBe('dead')
    expect(await outcomes(lost.attempt)).toEqual(['expired'])
    const again = await world.sign(world.lane, lost.position, world.payout())
    expect(numberOf(again.attempts[0])).toBe(numberOf(lost.attempt))
    expect(await outcomes(only(again.attempts))).toEqual(['known'])
    await world.chain.advance()
    expect(await verdict(again.attempts)).toBe('landed')
  })

  it('of tickets come first, land in any order, and are held up by none that got lost', async () => {
    await world.tickets(world.solver.address, 3)
    const payouts = [world.payout(), world.payout(), world.payout(), world.payout()]
    const { attempts, position } = await world.sign(world.lane, await start(), ...payouts)
    const [first, second, third, fourth] = attempts
    if (first === undefined || second === undefined || third === undefined || fourth === undefined)
      throw new Error('Not all were signed.')
    expect(numberOf(fourth)).toBe(numberOf(third) + 1)
    expect(await outcomes(fourth, third, second)).toEqual(['known', 'known', 'known'])
    await world.chain.advance()
    expect(await verdict([second])).toBe('landed')
    expect(await verdict([first])).toBe('alive')
    const place = { position, sinceHeight: BigInt(await world.chain.height()) }
    expect(await world.lane.read(world.solver.address, place)).toMatchObject({ unknown: [], complete: true })
    await world.chain.advance(20)
    expect(await verdict([first])).toBe('dead')
    const again = await world.sign(world.lane, position, world.payout())
    expect(numberOf(again.attempts[0])).toBe(numberOf(first))
    expect(await outcomes(only(again.attempts))).toEqual(['known'])
    await world.chain.advance()
    expect(await verdict(again.attempts)).toBe('landed')
    expect(await outcomes(first)).toEqual(['nonce-too-low'])
  })

  it('that something else used are told when the lane is read, and kill what had them', async () => {
    const { attempt, position } = await signOne()
    const place = { position, sinceHeight: BigInt(await world.chain.height()) }
    const to = freshAddress()
    await world.chain.apply({
      TransactionType: 'Payment',
      Account: world.solver.address,
      Destination: to,
      Amount: '3000000',
    })
    expect(await outcomes(attempt)).toEqual(['nonce-too-low'])
    expect(await verdict([attempt])).toBe('dead')
    const again = await world.lane.readAgain?.(world.solver.address, place, attempt.guards)
    expect(again).toMatchObject({ complete: true })
    expect(again?.unknown).toContainEqual(expect.objectContaining({ to, orderId: null }))
  })

  it('of the depository are those of withdrawals, which the allocator signs and the operator pays for', async () => {
    const withdrawal = world.payout({ purpose: 'withdraw', to: world.solver.address })
    const payment = world.payout()
    const [own, vault] = [await balanceOf(world.solver.address), await balanceOf(world.vault.address)]
    const { attempts, position } = await world.sign(world.lane, await start(), withdrawal, payment)
    const [taken, paid] = attempts
    if (taken === undefined || paid === undefined) throw new Error('Not all were signed.')
    expect(taken.guards[0]).toContain(`sequence:${world.vault.address}:`)
    expect(paid.guards[0]).toContain(`sequence:${world.solver.address}:`)
    expect(await outcomes(taken, paid)).toEqual(['known', 'known'])
    await world.chain.advance()
    const states = await world.lane.states([
      { txId: paid.txId, payout: payment },
      { txId: taken.txId, payout: withdrawal },
    ])
    expect(states.map(({ status, feeFrom }) => [status, feeFrom])).toEqual([
      ['success', undefined],
      ['success', 'capital'],
    ])
    expect(await balanceOf(world.vault.address)).toBe(vault - 2_000_000n - (states[1]?.fee ?? 0n))
    expect(await balanceOf(world.solver.address)).toBe(own - (states[0]?.fee ?? 0n))
    expect(await world.lane.payoutVerdict(taken.guards, [taken.txId])).toBe('landed')
    const place = { position, sinceHeight: BigInt(await world.chain.height()) }
    expect(await world.lane.read(world.solver.address, place)).toMatchObject({ unknown: [], complete: true })
    // A journal of before: the withdrawal is found by its memo.
    const before = { position: await forget(position), sinceHeight: place.sinceHeight }
    const found = await world.lane.read(world.solver.address, before)
    expect(found.unknown).toContainEqual(
      expect.objectContaining({ orderId: withdrawal.orderId, purpose: 'withdraw', to: world.solver.address }),
    )
    const [item] = (await world.lane.prepare([{ payout: withdrawal, gas: null }], position)).prepared
    if (item === null || item === undefined) throw new Error('Nothing was prepared.')
    const { signer } = world.solver
    await expect(world.lane.sign(item, signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(world.lane.sign(item, signer, signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

/** What was known of the depository is gone. */
const forget = async (position: unknown) => {
  const { others: _, ...own } = Object(position)
  return own
}

describe('what a server forgot', () => {
  it('is no proof, unless the account itself shows that its number is unused', async () => {
    const used = await signOne()
    await world.lane.broadcast([used.attempt])
    await world.chain.advance()
    const unused = await signOne()
    await world.chain.advance(25)
    const height = await world.chain.height()
    await world.chain.cutHistory(`${height - 2}-${height}`)
    await expect(verdict([used.attempt])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await verdict([unused.attempt])).toBe('dead')
    await world.chain.cutHistory(null)
    expect(await verdict([used.attempt])).toBe('landed')
  })

  it('is no proof where it forgot while it was asked (faults.md F122)', async () => {
    const used = await signOne()
    await world.lane.broadcast([used.attempt])
    await world.chain.advance(30)
    const height = await world.chain.height()
    const forgetful = await startRewritingNode(world.chain.rpcUrl)
    let isForgotten = false
    forgetful.rewrite('server_info', (answer) => {
      const complete_ledgers = isForgotten ? `${height - 2}-${height}` : `1-${height}`
      return { ...answer, info: { ...Object(answer.info), complete_ledgers } }
    })
    forgetful.rewrite('tx', () => {
      isForgotten = true
      return { status: 'error', error: 'txnNotFound' }
    })
    forgetful.rewrite('account_tx', (answer) => ({ ...answer, transactions: [] }))
    const lane = world.newLane(forgetful.url)
    const { guards, txId } = used.attempt
    await expect(lane.payoutVerdict(guards, [txId])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await forgetful.close()
    expect(await verdict([used.attempt])).toBe('landed')
  })

  it('keeps a lane shut where something may be in it, and not where the account did not change since', async () => {
    const first = await world.lane.read(world.solver.address, null)
    await world.chain.advance(100)
    const height = await world.chain.height()
    await world.chain.cutHistory(`${height - 2}-${height}`)
    const place = { position: first.position, sinceHeight: BigInt(height - 90) }
    expect(await world.lane.read(world.solver.address, place)).toMatchObject({ complete: true, unknown: [] })
    const paid = await world.sign(world.lane, first.position, world.payout())
    await world.lane.broadcast(paid.attempts)
    await world.chain.advance()
    expect(await world.lane.read(world.solver.address, { ...place, position: first.position })).toMatchObject({
      complete: false,
      gap: `a server has no ledgers before ${height - 2}`,
    })
    await world.chain.cutHistory(null)
    expect(await world.lane.read(world.solver.address, place)).toMatchObject({ complete: true })
  })

  it('F120: of a lost journal all is told, back to the ledger in which the account began', async () => {
    const { attempt, payout } = await signOne()
    await world.lane.broadcast([attempt])
    await world.chain.advance()
    const reading = await world.lane.read(world.solver.address, {
      position: world.lane.beginning(),
      sinceHeight: BigInt(await world.chain.height()),
    })
    expect(reading.complete).toBe(true)
    expect(reading.unknown.map(({ orderId }) => orderId)).toContain(payout.orderId)
  })
})

describe('a crowded ledger', () => {
  it('queues what offers too little, and a dearer version takes its place: one of both lands', async () => {
    const { attempt, payout } = await signOne()
    await world.chain.setFee({ openLedgerFee: 500n })
    expect(await outcomes(attempt)).toEqual(['known'])
    const lane = world.newLane()
    const dearer = await lane.replace(attempt, { version: 2 })
    if (dearer === null) throw new Error('Nothing outbids it.')
    expect(dearer.guards).toEqual(attempt.guards)
    expect(dearer.feeCap).toBe(625n)
    const second = await lane.sign(dearer, world.solver.signer)
    expect(await outcomes(second)).toEqual(['known'])
    await world.chain.setFee({ openLedgerFee: 0n })
    await world.chain.advance(2)
    const states = await world.lane.states([attempt, second].map(({ txId }) => ({ txId, payout })))
    expect(states.map(({ status }) => status).sort()).toEqual(['missing', 'success'])
    expect(await verdict([attempt, second], payout)).toBe('landed')
  })

  it('a payout whose order bears less than the least fee waits, and none costs more than is configured', async () => {
    await world.chain.setFee({ openLedgerFee: 1_000_000n })
    const lane = world.newLane()
    const position = await start()
    const [poor] = (await lane.prepare([{ payout: world.payout({ feeLimit: 5n }), gas: null }], position)).prepared
    const [rich] = (await lane.prepare([{ payout: world.payout(), gas: null }], position)).prepared
    expect([poor, rich?.feeCap]).toEqual([null, 5000n])
    expect(rich === null || rich === undefined ? null : await lane.replace(rich, { version: 2 })).toBeNull()
    await world.chain.setFee({ openLedgerFee: 0n })
  })

  it('a cancel races the payment it is for: one of both lands, and the payment is dead where it was the cancel', async () => {
    const { attempt, payout } = await signOne()
    await world.chain.setFee({ openLedgerFee: 400n })
    await world.lane.broadcast([attempt])
    const nothing = await world.newLane().cancel(attempt, { version: 2 })
    if (nothing === null) throw new Error('Nothing outbids it.')
    const cancel = await world.lane.sign(nothing, world.solver.signer)
    expect([cancel.kind, cancel.guards]).toEqual(['cancel', attempt.guards])
    expect(await outcomes(cancel)).toEqual(['known'])
    await world.chain.setFee({ openLedgerFee: 0n })
    await world.chain.advance(2)
    expect(await stateOf(cancel, payout)).toMatchObject({ status: 'success', paid: 0n })
    expect(await verdict([attempt, cancel], payout)).toBe('dead')
    expect(await balanceOf(payout.to.address)).toBe(0n)
    const late = await signOne()
    await world.lane.broadcast([late.attempt])
    await world.chain.advance()
    const tooLate = await world.lane.cancel(late.attempt, { version: 2 })
    if (tooLate === null) throw new Error('Nothing outbids it.')
    expect(await outcomes(await world.lane.sign(tooLate, world.solver.signer))).toEqual(['nonce-too-low'])
    expect(await verdict([late.attempt], late.payout)).toBe('landed')
  })
})

it('what was taken and then forgotten by a server is dead only once its last ledger is past', async () => {
  const { attempt, payout } = await signOne()
  await world.chain.holdTransactions()
  expect(await outcomes(attempt)).toEqual(['known'])
  await world.chain.advance(3)
  expect(await verdict([attempt], payout)).toBe('alive')
  await world.chain.dropTransactions()
  expect(await verdict([attempt], payout)).toBe('alive')
  expect(await outcomes(attempt)).toEqual(['known'])
  await world.chain.advance()
  expect(await verdict([attempt], payout)).toBe('landed')
})

it('a busy server, and one that answers nothing, says nothing of a payment (faults.md F54)', async () => {
  const { attempt, payout } = await signOne()
  await world.chain.failNext({ method: 'submit', error: { code: 10, message: 'slowDown' } })
  expect(await outcomes(attempt)).toEqual(['unknown'])
  await world.chain.failNext({ method: 'submit', afterAccepting: true, times: 3 })
  expect(await outcomes(attempt)).toEqual(['unknown'])
  await world.chain.clearFaults()
  await world.chain.advance()
  expect(await verdict([attempt], payout)).toBe('landed')
})
