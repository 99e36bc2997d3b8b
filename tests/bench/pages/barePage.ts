import type { CDPSession } from 'playwright-core'

type Params = Readonly<Record<string, unknown>>

interface Reply {
  readonly id?: number
  readonly result?: Params
  readonly error?: { readonly message: string }
}

/**
 * A page in a profile of its own that nothing watches but what is asked of it: whoever drives pages otherwise has the browser note
 * where in a script each call came from, which takes longer than the call.
 */
export class BarePage {
  readonly #browser: CDPSession
  readonly #profile: string
  readonly #session: string
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #last = 0

  private constructor(browser: CDPSession, profile: string, session: string) {
    this.#browser = browser
    this.#profile = profile
    this.#session = session
    browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
      if (sessionId !== session) return
      // CAST: the browser's own protocol.
      const reply = JSON.parse(message) as Reply
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply)
    })
  }

  static async open(browser: CDPSession): Promise<BarePage> {
    const { browserContextId } = await browser.send('Target.createBrowserContext', {})
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false })
    return new BarePage(browser, browserContextId, sessionId)
  }

  /** One command of the browser's protocol. @throws Error with what the browser said against it */
  async send(method: string, params: Params = {}): Promise<Params> {
    this.#last += 1
    const id = this.#last
    const replied = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve))
    const message = JSON.stringify({ id, method, params })
    await this.#browser.send('Target.sendMessageToTarget', { sessionId: this.#session, message })
    const { result = {}, error } = await replied
    this.#waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** What an expression, or the promise that it is, comes to in the page. */
  async valueOf(expression: string): Promise<unknown> {
    const { result } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    return Reflect.get(Object(result), 'value')
  }

  async close(): Promise<void> {
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#profile })
  }
}
