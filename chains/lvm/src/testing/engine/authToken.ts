import { need } from './refusal.js'
import { keyIn, type State } from './state/entries.js'

/** Deadline in unix seconds, account, slot of the API key, and the signature of the key. */
const TOKEN = /^(\d+):(\d+):(\d+):[0-9a-f]{160}$/
/** Seconds that a token may last. */
const MOST_SECONDS = 8 * 3600

/** Checks that a token allows reading an account. Its signature is checked by form. @throws Refusal */
export const checkToken = (state: State, token: string, account: string, now: number): void => {
  const [, deadline = '', of = '', slot = ''] = TOKEN.exec(token) ?? []
  need(deadline !== '', 'invalidAuth', token === '' ? 'no token' : 'invalid token')
  need(Number(deadline) > now, 'invalidAuth', 'expired token')
  need(Number(deadline) <= now + MOST_SECONDS, 'invalidAuth', 'the deadline is too far')
  need(of === account, 'invalidAuth', 'token of another account')
  need(keyIn(state, of, Number(slot)) !== null, 'invalidAuth', 'api key not found')
}
