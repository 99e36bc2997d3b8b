import { expect, it } from 'vitest'
import { keptAnswers } from './keptAnswers.js'

const LONG_MS = 60_000

it('one question serves its callers, another one and a failure are asked again', async () => {
  const asked: string[] = []
  const answer = keptAnswers(
    LONG_MS,
    async (currency: string, account: string) => {
      asked.push(`${currency} ${account}`)
      if (account === 'away') throw new Error('no answer')
      return asked.length
    },
    2,
  )
  expect(await Promise.all([answer('coin', 'a'), answer('coin', 'a'), answer('coin', 'b')])).toEqual([1, 1, 2])
  expect(await answer('coin', 'a')).toBe(1)
  for (let times = 0; times < 2; times += 1) await expect(answer('coin', 'away')).rejects.toThrow('no answer')
  expect(asked).toEqual(['coin a', 'coin b', 'coin away', 'coin away'])
})

it('an answer whose time is over is asked for again', async () => {
  let count = 0
  const answer = keptAnswers(0, async () => {
    count += 1
  })
  await answer()
  await answer()
  expect(count).toBe(2)
})
