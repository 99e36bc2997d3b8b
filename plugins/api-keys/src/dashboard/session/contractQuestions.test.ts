import { HttpError } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { ContractQuestions } from './contractQuestions.js'

const world = () => {
  let now = 1_700_000_000_000
  const questions = new ContractQuestions({ clock: { now: () => now } })
  return {
    tick: (milliseconds: number) => {
      now += milliseconds
    },
    /** How many of so many questions are let through. */
    ask: (times: number, ip: (at: number) => string): number => {
      let passed = 0
      for (let at = 0; at < times; at += 1) {
        try {
          questions.take({ ip: ip(at) })
          passed += 1
        } catch (error) {
          if (!HttpError.is(error)) throw error
          expect(error).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
        }
      }
      return passed
    },
  }
}

const one = () => '192.0.2.1'
const each = (at: number) => `198.51.${at >> 8}.${at & 255}`

describe('questions that strangers cost (a node is asked for each)', () => {
  it('are thirty a minute of one address, or of an IPv6 /64', () => {
    const { ask, tick } = world()
    expect(ask(100, one)).toBe(30)
    expect(ask(100, (at) => `2001:db8::${at.toString(16)}`)).toBe(30)
    expect(ask(1, () => '192.0.2.2')).toBe(1)
    tick(59_999)
    expect(ask(1, one)).toBe(0)
    tick(1)
    expect(ask(100, one)).toBe(30)
  })

  it('are three hundred a minute of all together, and a few leave some to others', () => {
    const { ask, tick } = world()
    expect(ask(1_000, (at) => `192.0.2.${at % 9}`)).toBe(270)
    expect(ask(1_000, each)).toBe(30)
    tick(60_000)
    expect(ask(1_000, each)).toBe(300)
  })

  it('a clock that was set back does not stop them', () => {
    const { ask, tick } = world()
    expect(ask(100, one)).toBe(30)
    tick(-3_600_000)
    expect(ask(100, one)).toBe(30)
  })
})
