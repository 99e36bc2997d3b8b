import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ENTRY_POINT } from '../harness/evm/publicContracts.js'
import { freshAddress } from '../harness/transfer.js'
import { holdings, recordOf, sponsoredIntegrator, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  batchBody,
  bornesOf,
  delegationTo,
  type ExecuteWorld,
  executeBody,
  postExecute,
  postInOneBlock,
  startExecuteWorld,
  transferCall,
  userOperation,
} from './executing.js'
import { gaslessUser } from './gaslessWorld.js'

const DEPOSIT = 25_000_000n

let world: ExecuteWorld
beforeAll(async () => {
  world = await startExecuteWorld()
})
afterAll(() => world?.close())

const newUser = (amount = DEPOSIT) => gaslessUser(world.origin, world.origin.usdc, amount)

describe('the simulation reverted (wire.md 2.6)', () => {
  const countsOf = async () => {
    const { rows } = await world.database.pool.query(
      `select (select count(*) from quotes)::int as quotes, (select count(*) from payouts where purpose = 'origin')::int as payouts,
        (select count(*) from gasless_calls)::int as calls`,
    )
    return rows[0]
  }

  it('400 {error, message, requestId, details}: the decoded label, and nothing is stored', async () => {
    const user = await newUser(1n)
    const before = await countsOf()
    const answer = await postExecute(
      world,
      await batchBody(world, user, [transferCall(world.origin.usdc, freshAddress(), 2n)]),
    )
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'balance too low',
        message: 'balance too low',
        requestId: expect.stringMatching(/^0x/),
        details: expect.objectContaining({
          topLevel: expect.objectContaining({ contract: 'FillRouter' }),
          innermost: expect.objectContaining({ function: 'transfer(address,uint256)' }),
          revert: expect.objectContaining({ type: 'errorString', selector: '0x08c379a0' }),
        }),
      },
    ])
    expect(await countsOf()).toEqual(before)
  })

  it('a user operation that its account refuses is told with the entry point’s reason', async () => {
    const user = await newUser()
    const data = await userOperation(world.origin, user, transferCall(world.origin.usdc, freshAddress(), 1n), {
      nonce: 7n,
    })
    const authorizationList = [await delegationTo(world.origin, user, world.account7702)]
    const answer = await postExecute(world, executeBody(world, { to: ENTRY_POINT, data }, { authorizationList }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'FAILED_OP', details: { revert: { args: { reason: expect.stringContaining('AA25') } } } },
    })
  })

  it('a user operation that passes validation and whose call reverts is refused too', async () => {
    const user = await newUser(1n)
    const data = await userOperation(world.origin, user, transferCall(world.origin.usdc, freshAddress(), 2n))
    const authorizationList = [await delegationTo(world.origin, user, world.account7702)]
    const answer = await postExecute(world, executeBody(world, { to: ENTRY_POINT, data }, { authorizationList }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'balance too low', details: { innermost: { function: 'transfer(address,uint256)' } } },
    })
  })
})

describe('a call that passes its simulation and reverts (wire.md B.3)', () => {
  it('ends `failure` with TRANSACTION_REVERTED, is sent once, and its gas is paid for by who bears it', async () => {
    const { wallet, apiKey } = await sponsoredIntegrator(world, 'unlucky', { user: 3, balance: 10_000_000n })
    const user = await newUser()
    // Both batches of one nonce pass while neither is in a block.
    const options = { executionOptions: { subsidizeFees: true } }
    const bodies = await Promise.all(
      [1n, 2n].map((amount) =>
        batchBody(world, user, [transferCall(world.origin.usdc, freshAddress(), amount)], options),
      ),
    )
    const answers = await postInOneBlock(world, bodies, apiKey)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const ends = await Promise.all(answers.map(({ body }) => statusOf(world, body)))
    expect(ends.map((end) => valueAt(end, 'status')).sort()).toEqual(['failure', 'success'])
    const failed = ends.find((end) => valueAt(end, 'status') === 'failure')
    expect(failed).toMatchObject({
      failReason: 'TRANSACTION_REVERTED',
      details: expect.stringContaining('Transaction failed'),
    })
    const at = ends.indexOf(failed)
    expect(await recordOf(world, answers[at]?.body)).toMatchObject({
      status: 'failure',
      data: { failReason: 'TRANSACTION_REVERTED', inTxs: [{ status: 'failure' }] },
    })
    const paid = (await Promise.all(answers.map(({ body }) => bornesOf(world, textAt(body, 'requestId'))))).flat()
    const sum = paid.reduce<bigint>((total, borne) => total + BigInt(textAt(borne, 'amount')), 0n)
    expect(await holdings(world, wallet)).toEqual({ app: 10_000_000n - sum })
  })

  it('so does a user operation that fails in a block, though its transaction does not', async () => {
    const { wallet, apiKey } = await sponsoredIntegrator(world, 'overdrawn', { user: 4, balance: 10_000_000n })
    const user = await newUser()
    const authorizationList = [await delegationTo(world.origin, user, world.account7702)]
    // Each takes all that the account has; their nonces are of two keys, so that both are valid.
    const bodies = await Promise.all(
      [0n, 2n ** 64n].map(async (nonce) => {
        const call = transferCall(world.origin.usdc, freshAddress(), DEPOSIT)
        const data = await userOperation(world.origin, user, call, { nonce })
        const options = { executionOptions: { subsidizeFees: true } }
        return executeBody(world, { to: ENTRY_POINT, data }, { authorizationList, ...options })
      }),
    )
    const answers = await postInOneBlock(world, bodies, apiKey)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const ends = await Promise.all(answers.map(({ body }) => statusOf(world, body)))
    expect(ends.map((end) => valueAt(end, 'status')).sort()).toEqual(['failure', 'success'])
    expect(ends.find((end) => valueAt(end, 'status') === 'failure')).toMatchObject({
      failReason: 'TRANSACTION_REVERTED',
      details: expect.stringContaining('balance too low'),
    })
    const paid = (await Promise.all(answers.map(({ body }) => bornesOf(world, textAt(body, 'requestId'))))).flat()
    const sum = paid.reduce<bigint>((total, borne) => total + BigInt(textAt(borne, 'amount')), 0n)
    expect(await holdings(world, wallet)).toEqual({ app: 10_000_000n - sum })
  })
})

it('the books agree with the chains, and all gas stands in them', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
