import { BoundedCache } from '@causeway/core'
import { type Command, HttpError, PreparedJson } from '@causeway/core/plugin'
import { hasJson } from './commandInput.js'
import { runCommand } from './runCommand.js'

export interface Read {
  readonly command: Command
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

interface Answer {
  readonly body: PreparedJson
  readonly lifeMs: number
}

const USUAL_FRESH_MS = 2_000
const MOST_KEPT = 200
/** A longer answer is made anew for whoever asks next. */
const LONGEST_KEPT = 1_048_576
/** So many are made at once, so that consoles leave the connections of the database to others. */
const AT_ONCE = 4
const MOST_WAITING = 100

/** Reads of all consoles: those of the same at the same time are one, and its answer is everybody's while it is fresh. */
export class SharedReads {
  readonly #now: () => number
  readonly #cache: BoundedCache<Answer>
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** `now`: milliseconds that only grow. */
  constructor({ now }: { readonly now: () => number }) {
    this.#now = now
    this.#cache = new BoundedCache({ clock: { now }, maxEntries: MOST_KEPT, lifeOf: ({ lifeMs }) => lifeMs })
  }

  /** `{lines, result, refusal}` as JSON. @throws HttpError where the command refuses, and 503 where too many wait */
  async read(read: Read): Promise<PreparedJson> {
    const { body } = await this.#cache.get(keyOf(read), () => this.#take(read))
    return body
  }

  async #take(read: Read): Promise<Answer> {
    await this.#turn()
    try {
      return await this.#make(read)
    } finally {
      const next = this.#waiting.shift()
      // Whoever waits takes this place over, so that nobody slips in between.
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #make({ command, arguments: given, options }: Read): Promise<Answer> {
    const began = this.#now()
    const asJson = hasJson(command)
    const { lines, refusal } = await runCommand(command, {
      arguments: given,
      options: asJson ? { ...options, json: true } : options,
    })
    const body = PreparedJson.of(
      asJson ? { lines: [], result: JSON.parse(lines.join('\n')), refusal } : { lines, result: null, refusal },
    )
    // Fresh from when it is there, not from when it was asked for.
    const lifeMs = (command.freshMs ?? USUAL_FRESH_MS) + this.#now() - began
    return { body, lifeMs: body.text.length > LONGEST_KEPT ? 0 : lifeMs }
  }

  async #turn(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= MOST_WAITING) throw new HttpError(503, 'Too much is asked at once; try again')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

const keyOf = ({ command, arguments: given, options }: Read): string =>
  JSON.stringify([command.name, given, Object.entries(options).sort(([left], [right]) => (left < right ? -1 : 1))])
