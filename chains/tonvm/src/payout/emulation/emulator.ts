import { createRequire } from 'node:module'
import { Cell, getMethodId, loadShardAccount, parseTuple, serializeTuple } from '@ton/core'

/** The transaction executor and the virtual machine of TON, as `@ton/sandbox` calls its WebAssembly. */
interface Executor {
  /** Returns a pointer. Texts are passed as pointers, which are reused by later calls. */
  invoke(method: string, args: readonly (number | string)[]): number
  extractString(pointer: number): string
}

const FOLDER = '@ton/sandbox/dist'
export const SEED = '00'.repeat(32)
const METHOD_GAS = '1000000'
const requireFrom = createRequire(import.meta.url)

/** Whether the optional peer `@ton/sandbox` is installed. Loads nothing. */
export const hasEmulator = (): boolean => {
  try {
    return requireFrom.resolve(`${FOLDER}/executor/emulator-emscripten.js`) !== ''
  } catch {
    return false
  }
}

/**
 * Loads a file of the sandbox on first use; its entry point would load a debugger and table printers too.
 * @throws Error if `@ton/sandbox` is not installed
 */
export const loadSandbox = (path: string): unknown => {
  try {
    return requireFrom(`${FOLDER}/${path}`)
  } catch (cause) {
    throw new Error('The virtual machine of TON needs @ton/sandbox 0.41.0, an optional peer. Install it.', { cause })
  }
}

let opened: Promise<Executor> | null = null

/** The one executor of this process. Its calls share no state. */
const sharedExecutor = (): Promise<Executor> => {
  // CAST: exports of the pinned version.
  const { Executor } = loadSandbox('executor/Executor.js') as { readonly Executor: { create(): Promise<Executor> } }
  opened ??= Executor.create()
  return opened
}

const base64Of = (cell: Cell | null | undefined): string => cell?.toBoc().toString('base64') ?? ''

/** Calls the emulator. Each call ends before it returns, unlike those of the sandbox. */
export class Emulator {
  readonly #executor: Executor
  readonly #config: string
  readonly #pointer: number

  private constructor(executor: Executor, config: string) {
    this.#executor = executor
    this.#config = config
    this.#pointer = executor.invoke('_create_emulator', [config, 0])
  }

  /** @param config base64 of the configuration's cell */
  static async open(config: string): Promise<Emulator> {
    return new Emulator(await sharedExecutor(), config)
  }

  /** An emulator with another configuration, in the same memory. */
  configured(config: string): Emulator {
    return new Emulator(this.#executor, config)
  }

  close(): void {
    this.#executor.invoke('_destroy_emulator', [this.#pointer])
  }

  /** Executes a message on an account; all texts but the parameters are base64. Returns the JSON of the executor. */
  execute(account: string, message: string, params: object): unknown {
    return this.#answer('_emulate_with_emulator', [this.#pointer, 0, account, message, JSON.stringify(params)])
  }

  /** Executes a message without its signature. Null: an external message is not accepted. */
  transact(account: string, message: string, { now, lt }: { readonly now: number; readonly lt: bigint }) {
    const params = { utime: now, lt: `${lt}`, rand_seed: SEED, ignore_chksig: true, debug_enabled: false }
    const answer = Object(this.execute(account, message, params))
    const { success, transaction, shard_account, external_not_accepted, error } = answer
    if (external_not_accepted === true) return null
    if (success !== true) throw new Error(`The emulator refuses a message: ${error}`)
    return { transaction: Cell.fromBase64(String(transaction)), account: String(shard_account) }
  }

  /** Balance that a jetton wallet reports; null for an account that reports none. @param account base64 of its state */
  jettonBalance(account: string, now: number): bigint | null {
    const { storage, addr } = loadShardAccount(Cell.fromBase64(account).beginParse()).account ?? {}
    if (storage?.state.type !== 'active') return null
    const { code, data } = storage.state.state
    const params = {
      ...{ code: base64Of(code), data: base64Of(data), libs: '', verbosity: 0, address: String(addr), unixtime: now },
      ...{ balance: `${storage.balance.coins}`, rand_seed: SEED, gas_limit: METHOD_GAS, debug_enabled: false },
      method_id: getMethodId('get_wallet_data'),
    }
    const { success, vm_exit_code, stack } = Object(this.runGetMethod(params, base64Of(serializeTuple([]))))
    if (success !== true || vm_exit_code !== 0) return null
    const [balance] = parseTuple(Cell.fromBase64(String(stack)))
    return balance?.type === 'int' ? balance.value : null
  }

  /** Runs a get method. Returns the JSON of the virtual machine. */
  runGetMethod(params: object, stack: string): unknown {
    return this.#answer('_run_get_method', [JSON.stringify(params), stack, this.#config])
  }

  #answer(method: string, args: readonly (number | string)[]): unknown {
    let answer = ''
    try {
      answer = this.#executor.extractString(this.#executor.invoke(method, args))
    } catch (error) {
      // A module that trapped is not used again.
      opened = null
      throw error
    }
    const { fail, message, output } = Object(JSON.parse(answer))
    if (fail === true) throw new Error(`The emulator failed: ${message}`)
    return output
  }
}
