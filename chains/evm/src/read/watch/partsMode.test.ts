import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PartsMode } from './partsMode.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => void vi.useRealTimers())

const BLOCK_MS = 250

test('F165: of an hour of blocks that a node refuses whole, few are asked for whole, so that the lag stays bounded', () => {
  const mode = new PartsMode()
  let refused = 0
  for (let block = 0; block < 3_600_000 / BLOCK_MS; block += 1) {
    if (!mode.isOn) {
      refused += 1
      mode.failed()
    }
    // The block is read in parts.
    mode.read(true)
    vi.advanceTimersByTime(BLOCK_MS)
  }
  // One a minute, and the first few while the pause doubles.
  expect(refused).toBeLessThan(60 + 20)
})

test('a block that is shown whole ends the mode', () => {
  const mode = new PartsMode()
  for (let failure = 0; failure < 5; failure += 1) mode.failed()
  vi.advanceTimersByTime(60_000)
  mode.read(false)
  expect(mode.isOn).toBe(false)
  mode.failed()
  mode.read(true)
  expect(mode.isOn).toBe(false)
})
