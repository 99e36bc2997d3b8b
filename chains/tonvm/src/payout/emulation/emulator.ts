import { createRequire } from 'node:module'
import { Cell, getMethodId, loadShardAccount, parseTuple, serializeTuple } from '@ton/core'

/** The transaction executor and the virtual machine of TON, as the WebAssembly of `@ton/sandbox` exports them. */
interface EmulatorModule {
  _malloc(length: number): number
  _free(pointer: number): void
  _create_emulator(config: number, verbosity: number): number
  _destroy_emulator(emulator: number): void
  _emulate_with_emulator(emulator: number, libraries: number, account: number, message: number, params: number): number
  _run_get_method(params: number, stack: number, config: number): number
  lengthBytesUTF8(text: string): number
  stringToUTF8(text: string, pointer: number, length: number): void
  UTF8ToString(pointer: number): string
}

type OpenModule = (options: { readonly wasmBinary: Uint8Array }) => Promise<EmulatorModule>

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

let opened: Promise<EmulatorModule> | null = null

/** The one module of this process. Its calls share no state. */
const sharedModule = (): Promise<EmulatorModule> => {
  opened ??= openModule()
  return opened
}

const openModule = (): Promise<EmulatorModule> => {
  // CAST: exports of the pinned version.
  const open = loadSandbox('executor/emulator-emscripten.js') as OpenModule
  // CAST: as above.
  const { EmulatorEmscriptenWasm } = loadSandbox('executor/emulator-emscripten.wasm.js') as {
    readonly EmulatorEmscriptenWasm: string
  }
  return open({ wasmBinary: Buffer.from(EmulatorEmscriptenWasm, 'base64') })
}

const base64Of = (cell: Cell | null | undefined): string => cell?.toBoc().toString('base64') ?? ''

/** Calls the emulator. Each call ends before it returns, unlike those of the sandbox. */
export class Emulator {
  readonly #module: EmulatorModule
  readonly #config: string
  readonly #pointer: number

  private constructor(module: EmulatorModule, config: string) {
    this.#module = module
    this.#config = config
    this.#pointer = this.#withTexts([config], ([text = 0]) => module._create_emulator(text, 0))
  }

  /** @param config base64 of the configuration's cell */
  static async open(config: string): Promise<Emulator> {
    return new Emulator(await sharedModule(), config)
  }

  /** An emulator with another configuration, in the same memory. */
  configured(config: string): Emulator {
    return new Emulator(this.#module, config)
  }

  close(): void {
    this.#module._destroy_emulator(this.#pointer)
  }

  /** Executes a message on an account; all texts but the parameters are base64. Returns the JSON of the executor. */
  execute(account: string, message: string, params: object): unknown {
    return this.#answer([account, message, JSON.stringify(params)], ([shard = 0, cell = 0, options = 0]) =>
      this.#module._emulate_with_emulator(this.#pointer, 0, shard, cell, options),
    )
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
    return this.#answer([JSON.stringify(params), stack, this.#config], ([options = 0, items = 0, config = 0]) =>
      this.#module._run_get_method(options, items, config),
    )
  }

  #answer(texts: readonly string[], call: (pointers: readonly number[]) => number): unknown {
    let answer = ''
    try {
      const pointer = this.#withTexts(texts, call)
      answer = this.#module.UTF8ToString(pointer)
      this.#module._free(pointer)
    } catch (error) {
      // A module that trapped is not used again.
      opened = null
      throw error
    }
    const { fail, message, output } = Object(JSON.parse(answer))
    if (fail === true) throw new Error(`The emulator failed: ${message}`)
    return output
  }

  #withTexts<T>(texts: readonly string[], call: (pointers: readonly number[]) => T): T {
    const pointers = texts.map((text) => this.#allocate(text))
    try {
      return call(pointers)
    } finally {
      for (const pointer of pointers) this.#module._free(pointer)
    }
  }

  #allocate(text: string): number {
    const length = this.#module.lengthBytesUTF8(text) + 1
    const pointer = this.#module._malloc(length)
    this.#module.stringToUTF8(text, pointer, length)
    return pointer
  }
}
