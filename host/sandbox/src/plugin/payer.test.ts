import { HttpError } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { SandboxError } from '../sandboxError.js'
import { asAnswer, Payer } from './payer.js'

it('work of one account waits for what it has begun, whatever became of that, and not for other accounts', async () => {
  const payer = new Payer()
  const done: string[] = []
  let fail = (_error: Error): void => {}
  const first = payer.inTurn('a', () => new Promise((_, reject) => (fail = reject)))
  const second = payer.inTurn('a', async () => void done.push('second'))
  await payer.inTurn('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  fail(new SandboxError('no'))
  await expect(first).rejects.toThrow('no')
  await second
  expect(done).toEqual(['other', 'second'])
})

it('no more waits for an account than a person can ask for', async () => {
  const payer = new Payer()
  let go = (): void => {}
  const waiting = Array.from({ length: 8 }, () =>
    payer.inTurn('a', () => new Promise<void>((resolve) => (go = resolve))),
  )
  await expect(payer.inTurn('a', async () => undefined)).rejects.toThrow(expect.objectContaining({ status: 429 }))
  for (const turn of waiting) {
    await Promise.resolve()
    const ended = turn.then(() => true)
    while (!(await Promise.race([ended, new Promise((resolve) => setImmediate(() => resolve(false)))]))) go()
  }
  await expect(payer.inTurn('a', async () => 'again')).resolves.toBe('again')
})

it.each([
  [new SandboxError('It is no account of this sandbox.'), 400, 'It is no account of this sandbox.'],
  [new HttpError(404, 'There is none'), 404, 'There is none'],
  [
    Object.assign(new Error('long\nURL: http://127.0.0.1:8545'), { shortMessage: 'Nonce too low' }),
    422,
    'It could not be sent: Nonce too low',
  ],
  [new Error('refused by https://me:secret@node.example\nBody: 0x12'), 422, 'It could not be sent: refused by [url]'],
  ['lost', 422, 'It could not be sent: lost'],
])('%s is answered with what a person can act on, and no address of a node', async (error, status, message) => {
  const asked = asAnswer(async () => {
    throw error
  })
  await expect(asked).rejects.toMatchObject({ status, message })
})
