import { redactErrorMessage } from '@causeway/core/host'
import { HttpError } from '@causeway/core/plugin'
import { SandboxError } from '../sandboxError.js'
import type { SandboxState } from '../state/sandboxState.js'
import { type PaidSteps, type Payable, paySteps } from '../wallets/payQuote.js'

/** Most payments of one account that wait for another. */
const MAX_WAITING = 8
const MAX_REMEMBERED = 1_000

/** What a wallet or node said, in one line without an address of a node. */
const refusalOf = (error: unknown): string => {
  const short: unknown = Reflect.get(Object(error), 'shortMessage')
  const message = typeof short === 'string' ? short : error instanceof Error ? error.message : String(error)
  return redactErrorMessage(message.split('\n')[0] ?? '').slice(0, 300)
}

/** Runs work for the page; whatever goes wrong becomes an answer that says so. @throws HttpError */
export const asAnswer = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (HttpError.is(error)) throw error
    if (error instanceof SandboxError) throw new HttpError(400, error.message, { cause: error })
    throw new HttpError(422, `It could not be sent: ${refusalOf(error)}`, { cause: error })
  }
}

/** Sends with the sandbox's accounts: one payment of an account after the other, since they count their transactions; each quote once. */
export class Payer {
  readonly #lines = new Map<string, { last: Promise<unknown>; waiting: number }>()
  readonly #begun = new Set<string>()

  /** @throws HttpError 409 for a quote that was paid here already, or is being paid */
  async payOnce(requestId: string, state: SandboxState, payable: Payable): Promise<PaidSteps> {
    if (this.#begun.has(requestId))
      throw new HttpError(409, 'This quote is paid, or being paid, already; ask for another')
    this.#remember(requestId)
    try {
      return await this.pay(state, payable)
    } catch (error) {
      this.#begun.delete(requestId)
      throw error
    }
  }

  /** @throws HttpError */
  async pay(state: SandboxState, payable: Payable): Promise<PaidSteps> {
    return this.inTurn(`${payable.chain.id}:${payable.account.address}`, () => paySteps(state, payable))
  }

  /** Work of one account, after what it has begun. @throws HttpError 429 where too much of it waits */
  async inTurn<T>(account: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(account) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= MAX_WAITING) throw new HttpError(429, 'Too many payments of this account wait; try again')
    this.#lines.set(account, line)
    line.waiting += 1
    const turn = line.last.then(() => asAnswer(work))
    line.last = turn.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await turn
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) this.#lines.delete(account)
    }
  }

  #remember(requestId: string): void {
    this.#begun.add(requestId)
    const [oldest] = this.#begun
    if (this.#begun.size > MAX_REMEMBERED && oldest !== undefined) this.#begun.delete(oldest)
  }
}
