import { expect, test } from 'vitest'
import type { BroadcastResult } from '../../../chain/laneAdapter.js'
import { httpStatusError, transportError } from '../transportError.js'
import { broadcastBatch } from './broadcastBatch.js'
import type { JsonRpcEndpoint } from './jsonRpcEndpoint.js'
import { type JsonRpcError, RefusedCalls } from './jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from './rpcCall.js'

const TAKEN: RpcOutcome = { ok: true, result: '0x01' }

const LOW: RpcOutcome = { ok: false, error: { code: -32000, message: 'nonce too low' } }

const classify = ({ message }: JsonRpcError): BroadcastResult =>
  message === 'nonce too low'
    ? { outcome: 'rejected', reason: 'nonce-too-low', message }
    : message === 'already known'
      ? { outcome: 'known' }
      : { outcome: 'unknown', message }

/** Says the same of each transaction that it is sent, or throws. */
const nodeOf = (say: (calls: readonly RpcCall[]) => readonly RpcOutcome[]) => {
  const sent: string[][] = []
  const batch = async (calls: readonly RpcCall[]) => {
    sent.push(calls.map(({ params: [raw] }) => String(raw)))
    return say(calls)
  }
  return { sent, batch }
}

const each = (outcome: RpcOutcome) => (calls: readonly RpcCall[]) => calls.map(() => outcome)

const refusing =
  (error: JsonRpcError, status = 200) =>
  (calls: readonly RpcCall[]) => {
    throw new RefusedCalls(
      { method: 'send' },
      error,
      calls.map(() => ({ ok: false, error })),
      { status, retryAfterMs: null },
    )
  }

const failing = (error: Error) => () => {
  throw error
}

const send = (nodes: readonly ReturnType<typeof nodeOf>[], count = 1) =>
  broadcastBatch(
    // CAST: nothing else of an endpoint is used.
    { ordered: () => nodes as unknown as readonly JsonRpcEndpoint[] },
    Array.from({ length: count }, (_, at) => ({ method: 'send', params: [`raw ${at}`] })),
    classify,
  )

test.each<[string, (calls: readonly RpcCall[]) => readonly RpcOutcome[]]>([
  ['has no right to send', refusing({ code: -32601, message: 'the method is not available' })],
  ['wants to be paid', failing(httpStatusError(402, null))],
  ['is full', refusing({ code: -32000, message: 'txpool is full' })],
  ['cannot be reached', failing(transportError(new Error('reset'), false))],
  ['rejects', each(LOW)],
])('F163: what a first node that %s does not take goes to the next at once, and then to one more', async (_, say) => {
  const nodes = [nodeOf(say), nodeOf(each(TAKEN)), nodeOf(each(TAKEN)), nodeOf(each(TAKEN))]
  expect(await send(nodes, 2)).toEqual([{ outcome: 'known' }, { outcome: 'known' }])
  await expect.poll(() => nodes.map(({ sent }) => sent.length)).toEqual([1, 1, 1, 0])
})

test('F163: a node is sent no more than what none before took', async () => {
  const first = nodeOf(([one, two]) => [one, two].map((call) => (call?.params[0] === 'raw 0' ? TAKEN : LOW)))
  const second = nodeOf(each({ ok: false, error: { code: -32000, message: 'already known' } }))
  expect(await send([first, second], 2)).toEqual([{ outcome: 'known' }, { outcome: 'known' }])
  expect(second.sent).toEqual([['raw 1']])
})

test('F163: what one node took goes to a second one, whose answer nobody waits for', async () => {
  const second = nodeOf(() => {
    throw new Error('late')
  })
  expect(await send([nodeOf(each(TAKEN)), second])).toEqual([{ outcome: 'known' }])
  await expect.poll(() => second.sent.length).toBe(1)
})

test('F54: rejected only when every node that tried it rejects', async () => {
  const rejected = { outcome: 'rejected', reason: 'nonce-too-low', message: 'nonce too low' }
  expect(await send([nodeOf(each(LOW)), nodeOf(each(LOW))])).toEqual([rejected])
  const closed = nodeOf(refusing({ code: -32005, message: 'daily request count exceeded' }))
  expect(await send([closed, nodeOf(each(LOW))])).toEqual([rejected])
  for (const doubtful of [
    failing(transportError(new Error('late'), true)),
    refusing({ code: -32603, message: 'Internal error' }),
    refusing({ code: -32000, message: 'txpool is full' }),
  ])
    expect(await send([nodeOf(doubtful), nodeOf(each(LOW))])).toMatchObject([{ outcome: 'unknown' }])
})

test('a single node is asked once more when it could not be reached, but not after a time-out or a refusal', async () => {
  const counts = async (say: (calls: readonly RpcCall[]) => readonly RpcOutcome[]) => {
    const node = nodeOf(say)
    await send([node])
    return node.sent.length
  }
  expect(await counts(failing(transportError(new Error('reset'), false)))).toBe(2)
  expect(await counts(failing(transportError(new Error('late'), true)))).toBe(1)
  expect(await counts(refusing({ code: -32601, message: 'no' }))).toBe(1)
  expect(await counts(each(TAKEN))).toBe(1)
})
