import { describe, expect, it } from 'vitest'
import { judgeFiles, openFilesIn, readLimit } from './fileCheck.js'

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             63304                63304                processes
Max open files            4096                 524288               files
Max locked memory         8388608              8388608              bytes
`

describe('the limit of open files beside http.maxConnections', () => {
  it.each([
    ['as many connections as files', 25_000, 25_000, 'warning'],
    ['room for connections alone', 25_499, 25_000, 'warning'],
    ['room for connections and the rest', 25_500, 25_000, 'ok'],
    ['the usual limit of a shell', 1_024, 25_000, 'warning'],
    ['no limit', Number.POSITIVE_INFINITY, 25_000, 'ok'],
  ])('%s', (_, limit, connections, state) => {
    expect(judgeFiles(limit, connections).state).toBe(state)
  })

  it('a limit that is too low names both figures and two ways out', () => {
    expect(judgeFiles(1_024, 25_000)).toMatchObject({
      message: expect.stringMatching(/^1024 for a process, and "http.maxConnections" is 25000/),
      remedy: expect.stringMatching(/25500.*LimitNOFILE.*ulimit -n.*"http.maxConnections" to 524/),
    })
    // Never less than the configuration takes.
    expect(judgeFiles(256, 25_000).remedy).toContain('to 10.')
  })

  it('is read as systems write it', () => {
    expect(openFilesIn(LIMITS)).toBe('4096')
    expect([readLimit('4096'), readLimit('unlimited'), readLimit(''), readLimit(undefined)]).toEqual([
      4096,
      Number.POSITIVE_INFINITY,
      null,
      null,
    ])
  })
})
