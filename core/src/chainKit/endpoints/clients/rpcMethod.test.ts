import { Type } from '@sinclair/typebox'
import { expect, it, test } from 'vitest'
import { answerOf } from './checkedAnswer.js'
import { RpcResponseError } from './jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from './rpcCall.js'
import { askNode, checkedBy, findAllAtNode, findAtNode, type RpcMethod } from './rpcMethod.js'

const readAccount = answerOf(Type.Object({ account: Type.String(), balance: Type.Integer() }))

const ACCOUNT: RpcMethod<string, bigint> = {
  method: 'account',
  params: (account) => [{ account }],
  read: (answer) => BigInt(readAccount(answer).balance),
  missing: ['notFound'],
  repeats: { account: 'account' },
}

const outcomeOf = (answer: unknown): RpcOutcome =>
  typeof answer === 'string' ? { ok: false, error: { code: 1, message: answer } } : { ok: true, result: answer }

/** A node that gives these answers in turn; a text is the message of an error. */
const nodeOf = (...answers: readonly unknown[]) => {
  const asked: RpcCall[] = []
  const batch = async (calls: readonly RpcCall[]) => {
    asked.push(...calls)
    return calls.map((_, at) => outcomeOf(answers[at]))
  }
  return { asked, batch }
}

test('several questions are one batch, and what the chain does not have is null in its place', async () => {
  const node = nodeOf({ account: 'a', balance: 7 }, 'notFound')
  expect(await findAllAtNode(node, ACCOUNT, ['a', 'b'])).toEqual([7n, null])
  expect(node.asked).toEqual([
    { method: 'account', params: [{ account: 'a' }] },
    { method: 'account', params: [{ account: 'b' }] },
  ])
})

test('any other error, and an answer of another shape, is never taken for "there is none"', async () => {
  await expect(findAtNode(nodeOf('tooBusy'), ACCOUNT, 'a')).rejects.toThrow(RpcResponseError)
  await expect(findAtNode(nodeOf({ account: 'a', balance: 0.5 }), ACCOUNT, 'a')).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
  })
  await expect(askNode(nodeOf('notFound'), ACCOUNT, 'a')).rejects.toThrow(RpcResponseError)
})

it.each([
  ['fits', { account: 'a', balance: 7 }, 'a', true],
  ['is of a question that names none', { account: 'a', balance: 7 }, undefined, true],
  ['names the account in another case', { account: 'A', balance: 7 }, 'a', true],
  ['is of a question of another type', { account: 'a', balance: 7 }, 5, true],
  ['is of another account', { account: 'b', balance: 7 }, 'a', false],
  ['has another shape', { account: 'a' }, 'a', false],
])(
  'F161: an answer that %s counts as one: its node is asked no further where it does not',
  (_, answer, account, fits) => {
    const check = () => checkedBy([ACCOUNT])(answer, { method: 'account', params: [{ account }] })
    if (fits) expect(check()).toBe(answer)
    else expect(check).toThrow(/could not be reached/)
  },
)
