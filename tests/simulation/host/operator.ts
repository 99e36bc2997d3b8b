import type { Command } from '@causeway/core/plugin'
import type { SimProcess } from '../kernel/simProcess.js'
import { openCommands, type SimHostDeps } from './simHost.js'

export interface OperatorDeps extends SimHostDeps {
  /** Who sits there. */
  readonly world: SimProcess
}

/** Whoever runs the service, at a command line: a process that is gone after its commands. */
export class Operator {
  readonly #deps: OperatorDeps
  #commands: Promise<ReadonlyMap<string, Command>> | null = null

  constructor(deps: OperatorDeps) {
    this.#deps = deps
  }

  run<T>(work: (commands: ReadonlyMap<string, Command>) => Promise<T>): Promise<T> {
    const { kernel, world, process } = this.#deps
    return kernel.call(world, process, async () => {
      this.#commands ??= openCommands(this.#deps)
      return work(await this.#commands)
    })
  }

  leave(): void {
    this.#deps.kernel.kill(this.#deps.process)
  }
}
