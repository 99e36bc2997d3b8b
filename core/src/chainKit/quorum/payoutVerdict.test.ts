import { expect, test } from 'vitest'
import type { Disagreement } from '../../chain/endpoint/endpointHealth.js'
import type { PayoutVerdict } from '../../chain/laneAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import { agreeOnPayout } from './payoutVerdict.js'

const judge = async (said: readonly (PayoutVerdict | null)[], { agreeing = 1, providerCount = said.length } = {}) => {
  const told: Disagreement[] = []
  const verdict = await agreeOnPayout(
    { txIds: ['tx'], agreeing },
    async (vote: PayoutVerdict | null) => {
      if (vote === null) throw new ServiceError('RPC_HTTP_ERROR', 'It is away.')
      return vote
    },
    { pool: { providers: said, providerCount }, monitor: { report: (disagreement) => told.push(disagreement) } },
  )
  return { verdict, told }
}

test('invariant 3: a payout is dead, or landed, only when every provider that answers says so; alive in doubt', async () => {
  expect((await judge(['dead', 'dead', null])).verdict).toBe('dead')
  expect((await judge(['landed', 'landed'])).verdict).toBe('landed')
  expect((await judge(['dead', 'alive', 'dead'])).verdict).toBe('alive')
  expect((await judge(['dead'])).verdict).toBe('dead')
})

test('nobody decides alone where two providers are configured, nor fewer than are asked for', async () => {
  const away = { code: 'SERVICE_UNAVAILABLE' }
  await expect(judge(['dead', null])).rejects.toMatchObject(away)
  await expect(judge(['dead'], { providerCount: 2 })).rejects.toMatchObject(away)
  await expect(judge(['dead', 'dead'], { agreeing: 3 })).rejects.toMatchObject(away)
  await expect(judge([])).rejects.toMatchObject(away)
})

test('F05: providers that say dead and landed of one payout are told', async () => {
  const { verdict, told } = await judge(['dead', 'landed'])
  expect([verdict, told.map(({ subject }) => subject)]).toEqual(['alive', ['payout tx']])
  expect((await judge(['alive', 'landed'])).told).toEqual([])
})
