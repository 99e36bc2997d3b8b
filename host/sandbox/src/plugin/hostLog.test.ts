import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readHostLog } from './hostLog.js'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-log-'))
  file = join(folder, 'host.log')
})
beforeEach(() => rmSync(file, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const line = (msg: string, more: object = {}) =>
  `${JSON.stringify({ level: 'info', time: '2026-11-28T00:00:00.000Z', ...more, msg })}\n`
const read = (after = 0, secrets: readonly string[] = []) => readHostLog(file, { after, secrets })

it('entries are told in plain form, and what is no JSON as it stands', async () => {
  writeFileSync(file, `${line('deposit seen', { chain: 'harbor', count: 2 })}Segmentation fault\n`)
  expect((await read()).lines).toEqual([
    { at: '2026-11-28T00:00:00.000Z', level: 'info', text: 'deposit seen chain=harbor count=2' },
    { at: null, level: null, text: 'Segmentation fault' },
  ])
})

it('what was told is not told again, and a line that is being written is told once it is whole', async () => {
  writeFileSync(file, line('one'))
  const { next } = await read()
  appendFileSync(file, line('two').slice(0, 20))
  expect(await read(next)).toEqual({ lines: [], next })
  appendFileSync(file, line('two').slice(20))
  expect(await read(next)).toMatchObject({ lines: [{ text: 'two' }], next: statSync(file).size })
})

it('a log that was begun anew is told from its beginning, and one that is not there has no lines', async () => {
  expect(await read(5)).toEqual({ lines: [], next: 0 })
  writeFileSync(file, line('again'))
  expect((await read(10_000)).lines).toMatchObject([{ text: 'again' }])
})

it('of a long log only the end is told, in whole lines, however long those are', async () => {
  writeFileSync(file, line('é'.repeat(500)).repeat(400))
  const { lines, next } = await read()
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.every(({ text }) => text === 'é'.repeat(500))).toBe(true)
  expect(next).toBe(statSync(file).size)
  writeFileSync(file, line('x').repeat(1_000))
  expect((await read()).lines).toHaveLength(200)
  writeFileSync(file, `${'y'.repeat(200_000)}\n${line('after')}`)
  expect((await read()).lines).toMatchObject([{ text: 'after' }])
  writeFileSync(file, 'z'.repeat(200_000))
  expect(await read()).toEqual({ lines: [], next: 200_000 })
})

it('secrets are not told, also where something else than the logger wrote them (F96)', async () => {
  const key = 'cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW'
  writeFileSync(
    file,
    `${line('sent', { apiKey: 'cct_test_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG' })}key ${key}\npostgres://me:secret@127.0.0.1/sandbox\n`,
  )
  const text = JSON.stringify(await read(0, [key]))
  for (const secret of [key, 'cct_test_abc', 'me:secret']) expect(text).not.toContain(secret)
})
