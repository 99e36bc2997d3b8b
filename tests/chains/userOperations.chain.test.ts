import { type EvmAdapter, type EvmOptions, evmAdapter } from '@causeway/chain-evm'
import { type LocalAccount, type LocalEvmChain, privateKeySigner, startLocalChain } from '@causeway/chain-evm/testing'
import { environmentOf, type Hex, systemClock } from '@causeway/core'
import type { ChainConfig, Delegation, Payout } from '@causeway/core/chain'
import { pino } from 'pino'
import { concat, createPublicClient, encodeFunctionData, erc20Abi, getAddress, http, toHex, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deploySimple7702Account,
  deploySimpleAccountFactory,
  ENTRY_POINT,
  ENTRY_POINT_ABI,
  placeEntryPoint,
  SIMPLE_7702_ACCOUNT_ABI,
  SIMPLE_ACCOUNT_FACTORY_ABI,
} from '../harness/evm/publicContracts.js'
import { until } from '../harness/until.js'

const CHAIN_ID = 31_190
const SHARE = 2n ** 128n

let chain: LocalEvmChain
let adapter: EvmAdapter
let depository: string
let solver: LocalAccount
let delegate: string
let token: string

beforeAll(async () => {
  chain = await startLocalChain({ chainId: CHAIN_ID })
  solver = chain.accounts[1] as LocalAccount
  const contracts = await chain.deployContracts({ owner: solver.address, allocator: solver.address })
  depository = contracts.depository
  expect(await placeEntryPoint(chain)).toBe(ENTRY_POINT)
  delegate = await deploySimple7702Account(chain)
  token = await chain.deployToken({ name: 'Dollar', symbol: 'USD', decimals: 6 })
  const options: EvmOptions = { depository, fillRouter: contracts.fillRouter, pollIntervalMs: 50 }
  const config: ChainConfig = {
    id: CHAIN_ID,
    slug: 'local',
    name: 'Local',
    package: '@causeway/chain-evm',
    rpc: [{ http: chain.rpcUrl }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) }
  adapter = evmAdapter(options, deps)
  await adapter.start(new AbortController().signal)
})

afterAll(async () => {
  await adapter.stop()
  await chain.close()
})

const user = privateKeyToAccount(generatePrivateKey())
const orderId: Hex = `0x${'d7'.repeat(32)}`

/** As a wallet makes it: the account's code is delegated in the same transaction, and it pays for nothing. */
const signedOperation = async () => {
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [getAddress(depository), 5_000n],
  })
  const callData = encodeFunctionData({
    abi: SIMPLE_7702_ACCOUNT_ABI,
    functionName: 'execute',
    args: [token, 0n, concat([transfer, orderId])],
  })
  const operation = {
    sender: user.address,
    nonce: 0n,
    initCode: '0x' as Hex,
    callData,
    accountGasLimits: toHex(300_000n * SHARE + 300_000n, { size: 32 }),
    preVerificationGas: 0n,
    gasFees: zeroHash,
    paymasterAndData: '0x' as Hex,
    signature: '0x' as Hex,
  }
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const hash = (await client.readContract({
    address: ENTRY_POINT,
    abi: ENTRY_POINT_ABI,
    functionName: 'getUserOpHash',
    args: [operation],
  })) as Hex
  return { ...operation, signature: await user.sign({ hash }) }
}

const delegation = async (): Promise<Delegation> => {
  const signed = await user.signAuthorization({ address: getAddress(delegate), chainId: CHAIN_ID, nonce: 0 })
  const { r, s, yParity = 0 } = signed
  return { chainId: CHAIN_ID, address: delegate, nonce: 0, yParity, r, s }
}

const run = async (payout: Payout) => {
  const simulation = await adapter.simulate(payout)
  if (!simulation.ok) throw new Error(simulation.message)
  const { position } = await adapter.lane.read(solver.address, null)
  const { prepared } = await adapter.lane.prepare([{ payout, gas: simulation.gas }], position)
  const [item] = prepared
  if (item === null || item === undefined) throw new Error('Nothing was prepared')
  const attempt = await adapter.lane.sign(item, privateKeySigner(solver.privateKey))
  await adapter.lane.broadcast([attempt])
  const { txId } = attempt
  const state = async () => (await adapter.lane.states([{ txId, payout }]))[0]
  await until('the operation', async () => ((await state())?.status === 'success' ? true : null))
  return { txId, state: await state() }
}

test('F.1: a user operation of an account that is delegated on the way is sent straight to EntryPoint, and deposits', async () => {
  await chain.fund(user.address, 10_000n, token)
  const data = encodeFunctionData({
    abi: ENTRY_POINT_ABI,
    functionName: 'handleOps',
    args: [[await signedOperation()], getAddress(solver.address)],
  })
  const payout: Payout = {
    purpose: 'origin',
    orderId,
    from: solver.address,
    to: { address: ENTRY_POINT },
    money: { currency: `0x${'0'.repeat(40)}`, amount: 0n },
    calls: [],
    call: { to: ENTRY_POINT, data, value: 0n },
    delegations: [await delegation()],
  }
  const { txId, state } = await run(payout)
  expect(state).toMatchObject({ paid: null, txData: { to: ENTRY_POINT, value: '0' } })
  expect(await adapter.findTransaction({ id: txId })).toMatchObject({ status: 'success', depositOrderIds: [orderId] })
  expect(await chain.rpc('eth_getBalance', [user.address, 'latest'])).toBe('0x0')
})

test('the factory of contract wallets names the wallet of a key', async () => {
  const factory = await deploySimpleAccountFactory(chain)
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const args = [user.address, 1n] as const
  const address = await client.readContract({
    address: getAddress(factory),
    abi: SIMPLE_ACCOUNT_FACTORY_ABI,
    functionName: 'getAddress',
    args,
  })
  expect(String(address)).toMatch(/^0x[0-9a-fA-F]{40}$/)
})
