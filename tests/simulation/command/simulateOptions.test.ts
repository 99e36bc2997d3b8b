import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../mutants/mutants.js'
import { HELP, parseSimulateOptions } from './simulateOptions.js'

describe('options of npm run simulate', () => {
  it('are a hundred seeds from the first one on without any', () => {
    expect(parseSimulateOptions([])).toMatchObject({
      first: 1,
      count: 100,
      keepGoing: false,
      mutant: null,
      replay: null,
    })
  })

  it('are what was typed', () => {
    const seeds = parseSimulateOptions(['--seeds', '5', '--from', '7', '--workers', '1', '--keep-going'])
    expect(seeds).toMatchObject({ first: 7, count: 5, workers: 1, keepGoing: true })
    const replayed = parseSimulateOptions(['--replay', '9', '--steps', '1,4', '--mutant', 'tier-ignored'])
    expect(replayed).toMatchObject({ replay: 9, steps: [1, 4], mutant: 'tier-ignored' })
  })

  it.each([
    [['--seeds', '0'], /--seeds takes whole numbers/],
    [['--from', '-1'], /--from/],
    [['--replay', '1e3'], /--replay takes whole numbers/],
    [['--steps', '1'], /--steps is for --replay/],
    [['--replay', '1', '--steps', '1,,2'], /--steps takes whole numbers/],
    [['--mutant', 'none'], /no mutant "none"/],
    [['--mutant', 'all', '--replay', '1'], /one mutant/],
    [['--seed', '1'], /--seed/],
  ])('refuse %j', (args, words) => {
    expect(() => parseSimulateOptions(args)).toThrow(words)
  })

  it('are explained', () => {
    expect(parseSimulateOptions(['--help'])).toBe('help')
    for (const { name } of MUTANTS) expect(HELP).toContain(name)
  })
})
