import { parseArgs } from 'node:util'
import { SandboxProcess } from './sandboxProcess.js'
import { ms, screen } from './screen.js'
import { type Outcome, Story } from './story.js'

const HELP = `npm run demo [-- options]

Starts a sandbox of its own (PostgreSQL, two EVM chains, Solana, Bitcoin, the XRP Ledger, Hedera, TON, Tron, Hyperliquid, Lighter, a host), moves value between them, pays to an address of each kind,
earns a fee and claims it, sponsors a user, fills before a deposit, sends for accounts without gas, forces a refund, kills the host in the middle of its work, and compares the books with the chains. Nothing of it leaves this machine.

  --keep    leave the sandbox running at the end; the command that stops it is printed
  --help    this text

The last line of the output is JSON: ok, transfers (times in ms), refunds, claims, fastFills, gasless, killed, ledgerBalanced, totalSeconds, and error
when something went wrong. The exit code is 0 when all went well, else 1.`

const PAGE_MS = 2_000

/** One run from the first line to the last; whatever happens, it ends with one line of JSON and stops what it started. */
class Demo {
  readonly #startedAt = performance.now()
  readonly #outcome: Outcome = {
    transfers: [],
    refunds: 0,
    claims: 0,
    fastFills: 0,
    gasless: 0,
    killed: false,
    ledgerBalanced: false,
  }
  #sandbox: SandboxProcess | undefined
  #finished: Promise<never> | undefined

  async run({ keep }: { readonly keep: boolean }): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void this.finish({ keep: false, error: `Stopped by ${signal}` }))
    }
    // A reader that went away (`| head`) must not leave the sandbox behind.
    process.stdout.on('error', () => void this.finish({ keep: false, error: 'The output was closed' }))
    try {
      await this.#tell()
      await this.finish({ keep })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (this.#finished === undefined) this.#explain(message)
      await this.finish({ keep, error: message })
    }
  }

  async #tell(): Promise<void> {
    screen.title('Causeway: value moves between chains, and comes back when it cannot')
    screen.step(1, 'A sandbox: PostgreSQL, local chains and a host')
    const sandbox = new SandboxProcess()
    this.#sandbox = sandbox
    const info = await sandbox.ready(screen.quiet)
    screen.good(
      `Ready at ${info.baseUrl} after ${ms(performance.now() - this.#startedAt)}, the host is process ${info.hostPid}`,
    )
    const story = await Story.open({ sandbox, info, outcome: this.#outcome })
    try {
      await story.tell()
    } finally {
      await story.close()
    }
  }

  #explain(message: string): void {
    screen.title('The demo failed')
    screen.bad(message)
    const log = this.#sandbox?.hostLog()
    if (!log) return
    screen.quiet('The host logged last:')
    for (const line of log.split('\n')) screen.quiet(line.slice(0, 400))
  }

  /** Stops the sandbox, unless it is to be kept, says the last line and ends the process. The first call decides. */
  finish(how: { readonly keep: boolean; readonly error?: string }): Promise<never> {
    this.#finished ??= this.#finish(how)
    return this.#finished
  }

  async #finish({ keep, error }: { readonly keep: boolean; readonly error?: string }): Promise<never> {
    const stopProblem = await this.#stop(keep)
    const problem = error ?? stopProblem
    const totalSeconds = Math.round((performance.now() - this.#startedAt) / 100) / 10
    const ok = problem === undefined
    const last = { ok, ...this.#outcome, totalSeconds, ...(ok ? {} : { error: problem }) }
    return new Promise(() => {
      process.stdout.write(`\n${JSON.stringify(last)}\n`, () => process.exit(ok ? 0 : 1))
    })
  }

  /** Where the page to try it is; null where the host has none. */
  async #servedPage(sandbox: SandboxProcess): Promise<string | null> {
    const { baseUrl } = sandbox.readInfo() ?? {}
    if (baseUrl === undefined) return null
    try {
      const page = await fetch(`${baseUrl}/try`, { signal: AbortSignal.timeout(PAGE_MS) })
      await page.arrayBuffer()
      return page.status === 200 ? `${baseUrl}/try` : null
    } catch {
      return null
    }
  }

  /** What went wrong with stopping, or undefined. */
  async #stop(keep: boolean): Promise<string | undefined> {
    const sandbox = this.#sandbox
    if (sandbox === undefined) return undefined
    const page = await this.#servedPage(sandbox)
    if (keep) {
      screen.title('The sandbox runs on')
      if (page !== null) screen.fact('see it', page)
      screen.fact('stop it', sandbox.stopCommand())
      return undefined
    }
    try {
      await sandbox.stop()
      sandbox.remove()
      screen.quiet('Everything the demo started is stopped')
      if (page !== null) screen.quiet('To see it and work it on a page: npm start, and open the link that it prints')
      return undefined
    } catch (error) {
      return `The sandbox could not be stopped: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}

const readOptions = (): { readonly keep: boolean; readonly help: boolean } => {
  const { values } = parseArgs({ options: { keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  return { keep: values.keep ?? false, help: values.help ?? false }
}

const main = async (): Promise<void> => {
  const demo = new Demo()
  try {
    const { keep, help } = readOptions()
    if (help) console.log(HELP)
    else await demo.run({ keep })
  } catch (error) {
    await demo.finish({ keep: false, error: error instanceof Error ? error.message : String(error) })
  }
}

await main()
