/**
 * Program of the worker thread that holds the exchange's signer. It is text because the thread runs beside any build of this package. The
 * signer of the SDK takes globals of its thread, and its only clock is `Date`: `at` sets it, so that a transaction expires when it should.
 */
export const SIGNER_THREAD = `'use strict'
const { parentPort, workerData } = require('node:worker_threads')
const { WasmSignerClient } = require(workerData.module)
const RealDate = Date
let at = null
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0 && at !== null) super(at)
    else super(...given)
  }
  static now() {
    return at === null ? RealDate.now() : at
  }
}
const client = new WasmSignerClient({ wasmPath: workerData.wasm, wasmExecPath: workerData.wasmExec })
const ready = client.initialize()
const open = ({ privateKey, chainId, apiKeyIndex, accountIndex }) =>
  client.createClient({ url: '', privateKey, chainId, apiKeyIndex, accountIndex })
const calls = {
  transfer: async (key, [to, asset, fromRoute, toRoute, amount, fee, memo, nonce]) => {
    await open(key)
    const { apiKeyIndex, accountIndex } = key
    return client.wasmModule.signTransfer(to, asset, fromRoute, toRoute, amount, fee, memo, nonce, apiKeyIndex, accountIndex)
  },
  authToken: async (key, [deadline]) => {
    await open(key)
    return client.wasmModule.createAuthToken(deadline, key.apiKeyIndex, key.accountIndex)
  },
  newKey: async () => client.wasmModule.generateAPIKey(),
  changeKey: async (key, [publicKey, nonce]) => {
    await open(key)
    return client.wasmModule.signChangePubKey(publicKey, nonce, key.apiKeyIndex, key.accountIndex)
  },
}
let turn = Promise.resolve()
parentPort.on('message', ({ id, call, key, args, time }) => {
  turn = turn.then(async () => {
    try {
      await ready
      at = time
      const result = await calls[call](key, args)
      parentPort.postMessage(result.error ? { id, error: String(result.error) } : { id, result })
    } catch (error) {
      parentPort.postMessage({ id, error: String(error && error.message) })
    } finally {
      at = null
    }
  })
})
`
