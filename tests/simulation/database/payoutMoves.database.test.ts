import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase } from '@causeway/core/testing'
import { expect, it } from 'vitest'
import { takePayoutMoves, watchPayoutMoves } from './payoutMoves.js'
import { queryOver } from './query.js'
import { putBack, takeSnapshot } from './snapshot.js'

it('tells each move of a payout that was committed, once and in order; what is put back is none', async () => {
  const database = await createTestDatabase({
    packages: [{ name: '@causeway/core', migrations: coreMigrations }],
    poolSize: 1,
  })
  const query = queryOver(database.pool)
  await watchPayoutMoves(query)
  await query(
    `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at, next_action, next_action_at)
     values ('send', 'test', '\\x01', 1, 's', 'r', 'coin', 1, 'ready', now(), now(), 'sign', now())`,
  )
  await query(`update payouts set state = 'signed'`)
  const then = await takeSnapshot(query)
  await query(`update payouts set attempts = 7; begin; update payouts set state = 'included'; rollback`)
  expect(await takePayoutMoves(query)).toEqual([
    { purpose: 'send', from: null, to: 'ready' },
    { purpose: 'send', from: 'ready', to: 'signed' },
  ])
  await putBack(query, then)
  expect(await takePayoutMoves(query)).toEqual([])
  await database.drop()
})
