import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withDeployLock } from './deployLock.js'

/** Larger than any process id of Linux. */
const NOBODY = 2 ** 22 + 1

let folder: string
let journal: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-lock-'))
  journal = join(folder, 'causeway.contracts.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const leave = (text: string): void => writeFileSync(`${journal}.lock`, text)
const leftBy = (pid: number, host = hostname()): void =>
  leave(JSON.stringify({ pid, host, since: '2026-01-01T00:00:00Z' }))

describe('one deploy of a configuration at a time', () => {
  it('a second one is told who is at work, and takes nothing away', async () => {
    await withDeployLock(journal, async () => {
      expect(statSync(`${journal}.lock`).mode & 0o777).toBe(0o600)
      await expect(withDeployLock(journal, async () => 'deployed')).rejects.toThrow(`Process ${process.pid} on`)
      expect(JSON.parse(readFileSync(`${journal}.lock`, 'utf8'))).toMatchObject({ pid: process.pid })
    })
    expect(existsSync(`${journal}.lock`)).toBe(false)
  })

  it('is given back when the deploy fails', async () => {
    await expect(withDeployLock(journal, () => Promise.reject(new Error('died')))).rejects.toThrow('died')
    expect(await withDeployLock(journal, async () => 'deployed')).toBe('deployed')
  })

  it('is taken over from a process that is no more', async () => {
    leftBy(NOBODY)
    expect(await withDeployLock(journal, async () => 'deployed')).toBe('deployed')
  })

  it.each([
    ['one that lives', () => leftBy(process.pid), /deploys since 2026/],
    ['one on another machine, of which nobody here can tell', () => leftBy(NOBODY, 'elsewhere'), /on elsewhere/],
    ['one that is being written', () => leave(''), /begins or was cut off/],
  ])('is not taken from %s', async (_what, left, says) => {
    left()
    await expect(withDeployLock(journal, async () => 'deployed')).rejects.toThrow(says)
    expect(existsSync(`${journal}.lock`)).toBe(true)
  })
})
