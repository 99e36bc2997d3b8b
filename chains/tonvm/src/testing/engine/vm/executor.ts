import { loadSandbox } from '../../../payout/emulation/emulator.js'

/** The transaction executor and the virtual machine of TON, as `@ton/sandbox` calls its WebAssembly. */
interface Executor {
  /** Returns a pointer. Texts are passed as pointers, which are reused by later calls. */
  invoke(method: string, args: readonly (number | string)[]): number
  extractString(pointer: number): string
}

let opened: Promise<Executor> | null = null

/** The one executor of this process. Its calls share no state. */
const sharedExecutor = (): Promise<Executor> => {
  // CAST: exports of the pinned version.
  const { Executor } = loadSandbox('executor/Executor.js') as { readonly Executor: { create(): Promise<Executor> } }
  opened ??= Executor.create()
  return opened
}

/** Calls the executor. Each call ends before it returns, unlike those of the sandbox. */
export class TonExecutor {
  readonly #executor: Executor
  readonly #config: string
  readonly #pointer: number

  private constructor(executor: Executor, config: string) {
    this.#executor = executor
    this.#config = config
    this.#pointer = executor.invoke('_create_emulator', [config, 0])
  }

  /** @param config base64 of the configuration's cell */
  static async open(config: string): Promise<TonExecutor> {
    return new TonExecutor(await sharedExecutor(), config)
  }

  /** An executor with another configuration, in the same memory. */
  configured(config: string): TonExecutor {
    return new TonExecutor(this.#executor, config)
  }

  /** Executes a message on an account; all texts but the parameters are base64. Returns the JSON of the executor. */
  execute(account: string, message: string, params: object): unknown {
    return this.#answer('_emulate_with_emulator', [this.#pointer, 0, account, message, JSON.stringify(params)])
  }

  /** Runs a get method. Returns the JSON of the virtual machine. */
  runGetMethod(params: object, stack: string): unknown {
    return this.#answer('_run_get_method', [JSON.stringify(params), stack, this.#config])
  }

  #answer(method: string, args: readonly (number | string)[]): unknown {
    const answer = this.#executor.extractString(this.#executor.invoke(method, args))
    const { fail, message, output } = Object(JSON.parse(answer))
    if (fail === true) throw new Error(`The executor failed: ${message}`)
    return output
  }
}
