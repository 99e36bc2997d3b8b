import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import {
  deposit,
  fillsOf,
  proxy,
  quoteMany,
  refusedPlainly,
  unknownPayments,
  useSickDatabase,
  worksAgain,
} from './sickDatabase.test.support.js'

useSickDatabase()

describe('a database that cannot work, while deposits arrive', { timeout: 240_000 }, () => {
  it('vanishes in the middle of payments: none is lost, none is paid twice (F43)', async () => {
    const quotes = await quoteMany(8)
    const depositing = deposit(quotes)
    await until('payments', async () => ((await fillsOf(quotes)).some((count) => count > 0) ? true : null))
    proxy.vanish()
    await depositing
    await refusedPlainly()
    expect(await unknownPayments(quotes)).toBe(0)
    proxy.appear()
    await worksAgain(quotes)
  })
})
