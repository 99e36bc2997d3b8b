import { expect, test } from 'vitest'
import type { BroadcastResult, SignedAttempt } from '../../chain/laneAdapter.js'
import { Endpoint } from '../endpoints/endpoint.js'
import { broadcastInOrder } from './broadcastInOrder.js'
import { sequenceGuard } from './numbers/sequenceGuard.js'

const attemptOf = (account: string, sequence: bigint, aside = false): SignedAttempt => ({
  ...{ kind: 'pay', transaction: { aside }, feeCap: 1n, txId: `${account}${sequence}`, raw: '0x00' },
  guards: [sequenceGuard({ account, sequence, until: 9n })],
})

test('an account sends by its numbers, one after another; others, and numbers held aside, wait for none', async () => {
  const node = new Endpoint({
    name: 'one',
    provider: 'one',
    client: 'one',
    identify: async () => true,
    close: () => {},
  })
  const begun: string[] = []
  const ended: string[] = []
  const open = new Map<string, (result: BroadcastResult) => void>()
  const attempts = [attemptOf('a', 8n), attemptOf('a', 7n), attemptOf('b', 1n), attemptOf('a', 3n, true)]
  const sent = broadcastInOrder({ ordered: () => [node] }, attempts, {
    send: (_, { txId }) => {
      begun.push(txId)
      return new Promise((resolve) => open.set(txId, resolve))
    },
    isAside: ({ transaction }) => Object(transaction).aside === true,
  }).then((results) => {
    ended.push('all')
    return results
  })
  await expect.poll(() => [...begun].sort()).toEqual(['a3', 'a7', 'b1'])
  open.get('a7')?.({ outcome: 'rejected', reason: 'underpriced', message: 'Too little.' })
  await expect.poll(() => begun.includes('a8')).toBe(true)
  expect(ended).toEqual([])
  for (const id of ['a3', 'a8', 'b1']) open.get(id)?.({ outcome: 'known' })
  expect((await sent).map(({ outcome }) => outcome)).toEqual(['known', 'rejected', 'known', 'known'])
})
