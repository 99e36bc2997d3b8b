import { expect, it } from 'vitest'
import { boundedCalls } from './boundedCalls.js'

class Node {
  readonly name = 'node'
  readonly #secret = 7
  asked = 0
  readonly optional?: () => Promise<number>

  answer = async (more: number): Promise<number> => this.#secret + more
  sum(more: number): number {
    return this.#secret + more
  }
  async hangs(): Promise<never> {
    this.asked += 1
    return new Promise(() => undefined)
  }
  async fails(): Promise<never> {
    throw new TypeError('broken')
  }
}

it('F126: an answer that never comes fails with the name of what was asked; everything else is as it was', async () => {
  const node = new Node()
  const bound = boundedCalls(node, 20, 'Chain base')
  await expect(bound.hangs()).rejects.toMatchObject({
    code: 'REQUEST_TIMED_OUT',
    message: 'Chain base did not answer "hangs" within 20 ms.',
  })
  expect([bound.asked, bound.name, bound.sum(1), await bound.answer(2), bound.optional]).toEqual([
    1,
    'node',
    8,
    9,
    undefined,
  ])
  await expect(bound.fails()).rejects.toThrow('broken')
})
