import type { Clock } from '@causeway/core'
import { operatorCommands } from '@causeway/plugin-operator'
import type { Deployment } from '../harness/host/deployment.js'

/** What an operator types, and what comes back. */
export interface OperatorDesk {
  /** Runs a command by its words; rejects as the command does. */
  run(name: string, given?: readonly string[], options?: Readonly<Record<string, unknown>>): Promise<string[]>
  /** The same with `--json`, parsed; what it printed before it failed, where it fails. */
  json(name: string, given?: readonly string[], options?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Questions asked so far. */
  readonly questions: readonly string[]
}

export interface DeskOptions {
  /** What is answered to every question. */
  readonly answer?: boolean
  readonly clock?: Clock
  /** Chains that nobody can reach. */
  readonly unreachable?: readonly number[]
}

const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  explain: { limit: '5' },
  'parked list': { limit: '50' },
  'deposit-addresses list': { limit: '50' },
  balances: { limit: '50' },
}

/** The operator's commands over a deployment of this process, whose chains are started already. */
export const openDesk = (deployment: Deployment, desk: DeskOptions = {}): OperatorDesk => {
  const questions: string[] = []
  const commands = operatorCommands({
    ...deployment,
    clock: desk.clock ?? { now: Date.now },
    withChain: (chain, work) =>
      desk.unreachable?.includes(chain.config.id) === true ? Promise.reject(new Error('no route')) : work(),
    confirm: async (question) => {
      questions.push(question)
      return desk.answer ?? false
    },
  })
  const start = (name: string, given: readonly string[], options: Readonly<Record<string, unknown>>) => {
    const command = commands.find((item) => item.name === name)
    if (command === undefined) throw new Error(`There is no command ${name}`)
    const lines: string[] = []
    const print = (text: string) => lines.push(...text.split('\n'))
    const done = command.run({ arguments: given, options: { ...DEFAULTS[name], ...options }, print })
    return { lines, done }
  }
  return {
    questions,
    run: async (name, given = [], options = {}) => {
      const { lines, done } = start(name, given, options)
      await done
      return lines
    },
    json: async (name, given = [], options = {}) => {
      const { lines, done } = start(name, given, { ...options, json: true })
      await done.catch((error: unknown) => {
        if (lines.length === 0) throw error
      })
      return JSON.parse(lines.join('\n'))
    },
  }
}
