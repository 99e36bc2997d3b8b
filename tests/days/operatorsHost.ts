import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { type Ended, runOperator } from '../harness/host/operatorCommand.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** A deployment as its operator has it: a folder with a configuration, hosts, and commands. */
export interface OperatorsHost {
  readonly options: HostProcessOptions
  start(more?: Partial<HostProcessOptions>): Promise<HostProcess>
  /** Stops a host in order. */
  stop(host: HostProcess): Promise<void>
  /** A command by its words, as typed; rejects with what was said where its exit code is another than `code`. */
  causeway(words: string, code?: number): Promise<string>
  /** The same over other options, for example another database. */
  causewayWith(more: Partial<HostProcessOptions>, words: string, code?: number): Promise<string>
  close(): Promise<void>
}

export const openOperatorsHost = (given: HostProcessOptions): OperatorsHost => {
  const options = { folder: mkdtempSync(join(tmpdir(), 'causeway-operator-')), ...given }
  const running = new Set<HostProcess>()
  const stop = async (host: HostProcess): Promise<void> => {
    running.delete(host)
    host.signal('SIGTERM')
    const how = await host.ended
    if (how !== '0') throw new Error(`The host ended with ${how}: ${host.log().slice(-1_000)}`)
  }
  const causewayWith = async (more: Partial<HostProcessOptions>, words: string, code = 0): Promise<string> => {
    const ended: Ended = await runOperator({ ...options, ...more }, wordsOf(words))
    if (ended.code === code) return ended.output
    throw new Error(`"causeway ${words}" ended with ${ended.code}: ${ended.output}`)
  }
  return {
    options,
    start: async (more = {}) => {
      const host = await startHostProcess({ ...options, ...more })
      running.add(host)
      return host
    },
    stop,
    causeway: (words, code) => causewayWith({}, words, code),
    causewayWith,
    close: async () => {
      for (const host of running) host.signal('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
    },
  }
}

/** Splits at blanks; what stands between quotes is one word. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

/** A quote of native currency from the first chain to the second. */
export const quoteOn = (host: HostProcess, network: LocalNetwork, user: number): Promise<QuoteAnswer> =>
  quoteOverHttp(host.url, nativeTransfer(network, user))

export const depositFor = (network: LocalNetwork, user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

/** Waits until a host says that a request came to an end of this kind. */
export const reached = (host: HostProcess, { requestId }: QuoteAnswer, status: string): Promise<unknown> =>
  until(`${requestId} to be ${status}`, async () => {
    const response = await fetch(`${host.url}/intents/status/v3?requestId=${requestId}`)
    // CAST: documented shape.
    const body = (await response.json()) as { readonly status?: string }
    return body.status === status ? body : null
  })
