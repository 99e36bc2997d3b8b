import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import { agreedAnswer } from './agreedAnswer.js'

type Told = 'yes' | 'no' | 'away' | 'silent' | 'broken'

const ask = (told: readonly Told[], agreeing: number): Promise<string> =>
  agreedAnswer({ providers: told }, agreeing, async (each) => {
    if (each === 'away') throw new ServiceError('RPC_HTTP_ERROR', 'Away')
    if (each === 'broken') throw new TypeError('broken')
    return each === 'silent' ? new Promise<string>(() => undefined) : each
  })

describe('the answer of so many providers (invariant 3)', () => {
  it.each<[readonly Told[], number, string]>([
    [['yes'], 1, 'yes'],
    [['yes', 'yes'], 2, 'yes'],
    [['no', 'no', 'yes'], 2, 'no'],
    [['no', 'yes', 'yes'], 2, 'yes'],
    [['away', 'yes', 'yes'], 2, 'yes'],
    [['silent', 'yes', 'yes'], 2, 'yes'],
  ])('%j is by %d the answer %s', async (told, agreeing, answer) => {
    expect(await ask(told, agreeing)).toBe(answer)
  })

  it.each<[readonly Told[], number, RegExp]>([
    [[], 1, /Too few/],
    [['yes'], 2, /Too few/],
    [['yes', 'away'], 2, /Too few/],
    [['yes', 'no'], 2, /do not say the same/],
    [['yes', 'no', 'yes'], 3, /do not say the same/],
    [['yes', 'no', 'away'], 2, /do not say the same/],
  ])('%j has no answer by %d', async (told, agreeing, reason) => {
    await expect(ask(told, agreeing)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(reason),
    })
  })

  it('a fault of ours is no silence of a provider', async () => {
    await expect(ask(['no', 'broken'], 2)).rejects.toBeInstanceOf(TypeError)
  })
})
