import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { hasChromium } from '../pages/browser.js'
import type { Verdict } from './table.js'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'bench', 'bench.js')

let measurements: readonly Verdict[] = []

beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'causeway-bench-')), 'result.json')
  await promisify(execFile)(process.execPath, [PROGRAM, '--short', '--json', file], { maxBuffer: 10_000_000 })
  // CAST: the program's own output.
  measurements = (JSON.parse(readFileSync(file, 'utf8')) as { measurements: readonly Verdict[] }).measurements
}, 900_000)

const valueNamed = (start: string): number => {
  const found = measurements.find(({ what }) => what.startsWith(start))
  if (found === undefined) throw new Error(`Nothing measured "${start}"`)
  return found.value
}

const MAY_BE_NONE: ReadonlySet<string> = new Set([
  'HTTP requests to nodes, bridge, warm',
  'long tasks while the list scrolls',
])

it('every case measures something, against a floor of the same run where it has one', () => {
  expect([...new Set(measurements.map((item) => item.case))]).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
    'g',
    'h',
    'i',
    'j',
    'k',
    'l',
    'm',
    'n',
    'o',
    'p',
    'q',
    'r',
    's',
    't',
    'u',
    'v',
    'w',
    ...(hasChromium ? ['x'] : []),
    'y',
    'z',
    'A',
  ])
  for (const { what, value, floor, ratio } of measurements) {
    // A process may give back more memory than few subscribers take, a database more pages than few transfers.
    if (/^(memory of|growth of) /.test(what)) expect(value, what).not.toBeNaN()
    else if (!MAY_BE_NONE.has(what)) expect(value, what).toBeGreaterThan(0)
    if (floor !== undefined) {
      expect(floor, what).toBeGreaterThan(0)
      expect(ratio, what).toBeCloseTo(value / floor)
    }
  }
})

it('every deposit of a burst is filled, with four RPC calls each and now and then a look that came too early', () => {
  expect(valueNamed('filled of the burst')).toBe(20)
  expect(valueNamed('RPC calls of a fill')).toBeLessThanOrEqual(5)
})

it('a quote asks each node once for its pools and for nothing else when all is known, one without swaps not even that', () => {
  expect(valueNamed('HTTP requests to nodes, bridge, cold')).toBeLessThanOrEqual(2)
  expect(valueNamed('HTTP requests to nodes, bridge, warm')).toBe(0)
  for (const route of ['swap on the origin', 'swap on the destination', 'swaps on both']) {
    expect(valueNamed(`HTTP requests to nodes, ${route}, warm`)).toBeLessThanOrEqual(2)
  }
})
