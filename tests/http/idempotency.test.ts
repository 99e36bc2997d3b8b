import { expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { database, other, quotable, quote, start, useIdempotentHosts } from './idempotentHosts.js'

useIdempotentHosts()

it('a host that is killed after the quote was stored: another host answers the repeat with that quote (faults.md F94)', async () => {
  const dying = await start({ failpoint: 'idempotent.answer.before' })
  await quotable(dying)
  await expect(quote(dying, 'a')).rejects.toThrow()
  expect(await dying.ended).toBe('SIGKILL')
  const repeat = await quote(other, 'a')
  expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  const { rows } = await database.pool.query<{ id: string }>(`select '0x' || encode(id, 'hex') as id from quotes`)
  expect(rows).toEqual([{ id: textAt(repeat.body, 'requestId') }])
  expect((await quote(other, 'a')).text).toBe(repeat.text)
})
