import type { Command } from '@causeway/core'
import type { Kernel } from '../kernel/kernel.js'
import type { SimProcess } from '../kernel/simProcess.js'
import { openCommands, type SimHostDeps } from './simHost.js'

/** Whoever runs the service, at a command line: a process that is gone after its commands. */
export class Operator {
  readonly #kernel: Kernel
  readonly #process: SimProcess
  readonly #commands: Promise<ReadonlyMap<string, Command>>

  constructor(deps: SimHostDeps) {
    this.#kernel = deps.kernel
    this.#process = deps.process
    this.#commands = this.#process.run(() => openCommands(deps))
  }

  run<T>(work: (commands: ReadonlyMap<string, Command>) => Promise<T>): Promise<T> {
    return this.#process.run(async () => work(await this.#commands))
  }

  leave(): void {
    this.#kernel.kill(this.#process)
  }
}
