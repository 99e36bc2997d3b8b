import type { Clock } from '@causeway/core'
import { clientNetwork, type RequestContext, tooManyRequests } from '@causeway/core/plugin'

export interface ContractQuestionsDeps {
  readonly clock: Clock
}

const WINDOW_MS = 60_000
/** A minute, for all callers of a host together, and for one of them. */
const [MOST, MOST_OF_ONE] = [300, 30]

/**
 * How often strangers may have a chain asked about a signature: each time is a call to a node, which costs the operator money. Beyond the
 * limits of calls, which many addresses together pass, so that a host asks 300 times a minute at most, and a few
 * addresses do not take that from everybody else. Sign-ins by the key of an account ask no chain and are not counted.
 */
export class ContractQuestions {
  readonly #deps: ContractQuestionsDeps
  readonly #byNetwork = new Map<string, number>()
  #windowEnd = 0
  #asked = 0

  constructor(deps: ContractQuestionsDeps) {
    this.#deps = deps
  }

  /** Counts a question. Throws `HttpError` 429 where no more may be asked. */
  take({ ip }: Pick<RequestContext, 'ip'>): void {
    const now = this.#deps.clock.now()
    if (now >= this.#windowEnd || this.#windowEnd > now + WINDOW_MS) {
      this.#windowEnd = now + WINDOW_MS
      this.#asked = 0
      this.#byNetwork.clear()
    }
    const network = clientNetwork(ip)
    const own = this.#byNetwork.get(network) ?? 0
    if (this.#asked >= MOST || own >= MOST_OF_ONE) {
      const seconds = (this.#windowEnd - now) / 1_000
      throw tooManyRequests(seconds, 'Too many contract wallets sign in now; try again')
    }
    this.#asked += 1
    this.#byNetwork.set(network, own + 1)
  }
}
