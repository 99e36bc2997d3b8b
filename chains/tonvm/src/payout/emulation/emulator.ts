import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { Cell, getMethodId, loadShardAccount, parseTuple, serializeTuple } from '@ton/core'

const FOLDER = '@ton/sandbox/dist'
const EXECUTOR = 'executor/Executor.js'
export const SEED = '00'.repeat(32)
const METHOD_GAS = '1000000'
/** Time in which a machine is loaded. */
const LOAD_LIMIT_MS = 60_000
const requireFrom = createRequire(import.meta.url)

/** Whether the optional peer `@ton/sandbox` is installed. Loads nothing. */
export const hasEmulator = (): boolean => {
  try {
    return requireFrom.resolve(`${FOLDER}/${EXECUTOR}`) !== ''
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

/** Why a payment could not be run, in plain words. */
export class NotRunError extends Error {}

/** The code of the thread, as text: it is the same for sources and for a build. It keeps the emulator of the last configuration. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const opened = require(workerData).Executor.create()
let [kept, pointer] = ['', 0]
parentPort.on('message', async ({ id, method, config, args }) => {
  const executor = await opened
  if (method === 'open') return parentPort.postMessage({ id, answer: '{}' })
  if (method === '_emulate_with_emulator' && kept !== config) {
    if (pointer !== 0) executor.invoke('_destroy_emulator', [pointer])
    pointer = executor.invoke('_create_emulator', [config, 0])
    kept = config
  }
  const given = method === '_run_get_method' ? [...args, config] : [pointer, 0, ...args]
  parentPort.postMessage({ id, answer: executor.extractString(executor.invoke(method, given)) })
})`

interface Call {
  readonly method: 'open' | '_emulate_with_emulator' | '_run_get_method'
  readonly config: string
  readonly args: readonly string[]
}

let thread: Worker | null = null
let calls = 0
const waiting = new Map<number, (answer: string | null) => void>()

const endThread = (ended: Worker): void => {
  if (thread !== ended) return
  thread = null
  void ended.terminate()
  for (const resolve of waiting.values()) resolve(null)
  waiting.clear()
}

const startThread = (): Worker => {
  const started = new Worker(THREAD, { eval: true, workerData: requireFrom.resolve(`${FOLDER}/${EXECUTOR}`) })
  started.unref()
  started.on('message', ({ id, answer }: { readonly id: number; readonly answer: string }) => {
    waiting.get(id)?.(answer)
    waiting.delete(id)
  })
  started.on('error', () => endThread(started))
  started.on('exit', () => endThread(started))
  return started
}

/** The executor's JSON; null: it failed or takes longer. The thread is ended then, since a transaction cannot be interrupted. */
const callThread = (call: Call, limitMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    thread ??= startThread()
    const used = thread
    const timer = setTimeout(() => endThread(used), limitMs)
    calls += 1
    waiting.set(calls, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    used.postMessage({ ...call, id: calls })
  })

const base64Of = (cell: Cell | null | undefined): string => cell?.toBoc().toString('base64') ?? ''

/** The transaction executor and virtual machine of TON (the WebAssembly of `@ton/sandbox`) in a thread of its own, which starts on first use. */
export class Emulator {
  private constructor(
    readonly config: string,
    readonly deadline: number,
  ) {}

  /** Loads the machine, whose time does not count. @param config base64 of the configuration's cell */
  static async open(config: string, limitMs: number): Promise<Emulator> {
    await callThread({ method: 'open', config: '', args: [] }, LOAD_LIMIT_MS)
    return new Emulator(config, performance.now() + limitMs)
  }

  /** Executes a message without its signature; all texts are base64. Null: an external message is not accepted. */
  async transact(account: string, message: string, { now, lt }: { readonly now: number; readonly lt: bigint }) {
    const params = { utime: now, lt: `${lt}`, rand_seed: SEED, ignore_chksig: true, debug_enabled: false }
    const answer = await this.#answer('_emulate_with_emulator', [account, message, JSON.stringify(params)])
    const { success, transaction, shard_account, external_not_accepted, error } = Object(answer)
    if (external_not_accepted === true) return null
    if (success !== true) throw new Error(`The emulator refuses a message: ${error}`)
    return { transaction: Cell.fromBase64(String(transaction)), account: String(shard_account) }
  }

  /** Balance that a jetton wallet reports; null for an account that reports none. @param account base64 of its state */
  async jettonBalance(account: string, now: number): Promise<bigint | null> {
    const { storage, addr } = loadShardAccount(Cell.fromBase64(account).beginParse()).account ?? {}
    if (storage?.state.type !== 'active') return null
    const { code, data } = storage.state.state
    const params = {
      ...{ code: base64Of(code), data: base64Of(data), libs: '', verbosity: 0, address: String(addr), unixtime: now },
      ...{ balance: `${storage.balance.coins}`, rand_seed: SEED, gas_limit: METHOD_GAS, debug_enabled: false },
      method_id: getMethodId('get_wallet_data'),
    }
    const answer = await this.#answer('_run_get_method', [JSON.stringify(params), base64Of(serializeTuple([]))])
    const { success, vm_exit_code, stack } = Object(answer)
    if (success !== true || vm_exit_code !== 0) return null
    const [balance] = parseTuple(Cell.fromBase64(String(stack)))
    return balance?.type === 'int' ? balance.value : null
  }

  async #answer(method: Call['method'], args: readonly string[]): Promise<unknown> {
    const left = this.deadline - performance.now()
    const answer = left > 0 ? await callThread({ method, config: this.config, args }, left) : null
    if (answer === null && performance.now() >= this.deadline)
      throw new NotRunError('Running the payment takes too long.')
    const { fail, message, output } = Object(JSON.parse(answer ?? '{"fail":true}'))
    if (fail === true) throw new Error(`The emulator failed: ${message}`)
    return output
  }
}
