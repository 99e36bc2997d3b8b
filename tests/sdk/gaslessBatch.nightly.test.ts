import { batchExecutorAbi } from '@causeway/contracts-abi'
import { type BatchExecutorConfig, executeGaslessBatch, getQuote } from '@relayprotocol/relay-sdk'
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BATCH_TYPES, batchDomain, type ExecuteWorld, startExecuteWorld } from '../gasless/executing.js'
import { gaslessUser } from '../gasless/gaslessWorld.js'
import { valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { NATIVE } from '../harness/localNetwork.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

const SOURCE = 'shop.example'
const AMOUNT = 25_000_000n

let world: ExecuteWorld
let proxy: ApiProxy

beforeAll(async () => {
  world = await startExecuteWorld()
  // The client sends its key to no address but those it knows: who serves it adds the key (wire.md A.1 1, 5).
  proxy = await startApiProxy({ target: () => world.host.url, prefix: '/bridge/api', apiKey: world.host.apiKey })
  const chains = world.network.chains.map(relayChainOf)
  pointClientAt({ baseApiUrl: proxy.url, chains, source: SOURCE, apiKey: 'not sent' })
})
afterAll(async () => {
  await proxy?.close()
  await world?.close()
})

/** The executor of the tests, as the client is given one. */
const executorOf = (): BatchExecutorConfig => ({
  address: world.executor,
  abi: batchExecutorAbi,
  originGasOverhead: 80_000,
  eip712Types: BATCH_TYPES,
  eip712PrimaryType: 'Batch',
  salt: zeroHash,
  buildSignDomain: (chainId, user) => ({ ...batchDomain(chainId, user), chainId: BigInt(chainId) }),
  buildSignMessage: (calls, nonce) => ({ calls, nonce }),
  encodeExecute: ({ calls, nonce }, wrapped) =>
    encodeFunctionData({
      abi: batchExecutorAbi,
      functionName: 'execute',
      // CAST: what `buildSignMessage` gave.
      args: [calls as { to: Hex; value: bigint; data: Hex }[], nonce as bigint, wrapped],
    }),
  getNonce: async (client, user) => {
    const code = await client.getCode({ address: user })
    return code === undefined
      ? 0n
      : client.readContract({ address: user, abi: batchExecutorAbi, functionName: 'nonce' })
  },
})

it('executeGaslessBatch of the unmodified public client: an account without gas is delegated, deposits and is filled (wire.md F.4, A.1 5)', async () => {
  const [origin, destination] = world.network.chains
  const user = await gaslessUser(origin, origin.usdc, 2n * AMOUNT)
  const walletClient = walletOn(origin, user)
  const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: AMOUNT }
  for (const isFirst of [true, false]) {
    const parameters = routeOf(origin, destination, route, walletClient)
    const quote = await getQuote({ ...parameters, user: user.address, options: { originGasOverhead: 80_000 } })
    const seen: string[] = []
    const { requestId } = await executeGaslessBatch({
      quote,
      walletClient,
      executor: executorOf(),
      onProgress: ({ status }) => seen.push(status),
    })
    expect(requestId).toBe(quote.steps.at(-1)?.requestId)
    expect(seen).toEqual(['signing_authorization', 'signing_batch', 'submitting', 'polling', 'success'])
    const posted = proxy.calls.filter(({ path }) => path === '/execute').at(-1)
    expect(valueAt(posted?.body, 'data.authorizationList') !== undefined).toBe(isFirst)
    expect(await balanceOnChain(destination, parameters.recipient, destination.usdc)).toBeGreaterThan(0n)
  }
  expect(await balanceOnChain(origin, user.address, origin.usdc)).toBe(0n)
  expect(await balanceOnChain(origin, user.address, NATIVE)).toBe(0n)
})
