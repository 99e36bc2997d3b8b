import { token } from '../container/tokens.js'

/** Business time. Every dated rule asks it, so that tests can move all processes together. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}

export const CLOCK = token<Clock>('core/Clock')

/** The machine's own time. */
export const systemClock: Clock = { now: () => Date.now() }
