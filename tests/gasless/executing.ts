import type { LocalAccount } from '@causeway/chain-evm/testing'
import { batchExecutorAbi, batchExecutorBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { Delegation } from '@causeway/core/chain'
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  http,
  type PublicClient,
  toHex,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ApiAnswer, callApi, listAt, textAt } from '../harness/apiCall.js'
import {
  deploySimple7702Account,
  ENTRY_POINT,
  ENTRY_POINT_ABI,
  placeEntryPoint,
  SIMPLE_7702_ACCOUNT_ABI,
} from '../harness/evm/publicContracts.js'
import type { NetworkChain } from '../harness/localNetwork.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'

/** A host that sends calls for users, and what accounts delegate to on its first chain. */
export interface ExecuteWorld extends HttpWorld {
  readonly origin: NetworkChain
  /** Runs batches that the account's key signed. */
  readonly executor: Address
  /** Runs user operations of EntryPoint. */
  readonly account7702: Address
}

export const startExecuteWorld = async (
  gasless: Readonly<Record<string, unknown>> = {},
  more: Parameters<typeof startHttpWorld>[0] = {},
): Promise<ExecuteWorld> => {
  const world = await startHttpWorld({
    plugins: () => ({ gasless: { execute: gasless }, sponsorship: {}, 'requests-v2': { sunsetAt: '2999-01-01' } }),
    balances: ({ chains: [origin] }) => ({ chainId: origin.chain.chainId, currency: origin.usdc }),
    ...more,
  })
  const [origin] = world.network.chains
  const { chain } = origin
  await placeEntryPoint(chain)
  const executor = getAddress(await chain.deploy(batchExecutorAbi, batchExecutorBytecode))
  return { ...world, origin, executor, account7702: getAddress(await deploySimple7702Account(chain)) }
}

export const clientOf = ({ chain }: NetworkChain): PublicClient =>
  createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 50 })

/** The account of a key of the local chains. */
export const signerOf = ({ privateKey }: LocalAccount) => privateKeyToAccount(privateKey as Hex)

export interface UserCall {
  readonly to: string
  readonly value?: bigint
  readonly data: Hex
}

export const transferCall = (token: string, to: string, amount: bigint): UserCall => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(to), amount] }),
})

/** A signed delegation of the account to some code, as it is posted. */
export const delegationTo = async (
  { chain }: Pick<NetworkChain, 'chain'>,
  user: LocalAccount,
  address: Address,
  changes: { readonly chainId?: number; readonly nonce?: number } = {},
): Promise<Delegation> => {
  const nonce = changes.nonce ?? Number(await chain.rpc<Hex>('eth_getTransactionCount', [user.address, 'latest']))
  const chainId = changes.chainId ?? chain.chainId
  const { r, s, yParity = 0 } = await signerOf(user).signAuthorization({ address, chainId, nonce })
  return { chainId, address, nonce, yParity, r, s }
}

/** The typed data of a batch, as the executor takes it. */
export const BATCH_TYPES = {
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  Batch: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

export const batchDomain = (chainId: number, user: string) => ({
  name: 'BatchExecutor',
  version: '1',
  chainId,
  verifyingContract: getAddress(user),
  salt: zeroHash,
})

/** A batch that the account's key signed: what is called of the account. */
export const signedBatch = async (
  { chain }: Pick<NetworkChain, 'chain'>,
  user: LocalAccount,
  calls: readonly UserCall[],
  nonce = 0n,
): Promise<Hex> => {
  const list = calls.map(({ to, value = 0n, data }) => ({ to: getAddress(to), value, data }))
  const signature = await signerOf(user).signTypedData({
    domain: batchDomain(chain.chainId, user.address),
    types: BATCH_TYPES,
    primaryType: 'Batch',
    message: { calls: list, nonce },
  })
  const wrapped = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [signature, '0x'])
  return encodeFunctionData({ abi: batchExecutorAbi, functionName: 'execute', args: [list, nonce, wrapped] })
}

const SHARE = 2n ** 128n

/** `handleOps` with one operation of an account, signed, with gas prices of zero. */
export const userOperation = async (
  origin: NetworkChain,
  user: LocalAccount,
  call: UserCall,
  { nonce = 0n, callGas = 400_000n } = {},
): Promise<Hex> => {
  const callData = encodeFunctionData({
    abi: SIMPLE_7702_ACCOUNT_ABI,
    functionName: 'execute',
    args: [getAddress(call.to), call.value ?? 0n, call.data],
  })
  const operation = {
    sender: getAddress(user.address),
    nonce,
    initCode: '0x' as Hex,
    callData,
    accountGasLimits: toHex(300_000n * SHARE + callGas, { size: 32 }),
    preVerificationGas: 0n,
    gasFees: zeroHash,
    paymasterAndData: '0x' as Hex,
    signature: '0x' as Hex,
  }
  // CAST: the artifact is not typed.
  const hash = (await clientOf(origin).readContract({
    address: ENTRY_POINT,
    abi: ENTRY_POINT_ABI,
    functionName: 'getUserOpHash',
    args: [operation],
  })) as Hex
  const signature = await signerOf(user).sign({ hash })
  const beneficiary = getAddress(`0x${'be'.repeat(20)}`)
  return encodeFunctionData({
    abi: ENTRY_POINT_ABI,
    functionName: 'handleOps',
    args: [[{ ...operation, signature }], beneficiary],
  })
}

/** Body of a call. */
export const executeBody = (
  { origin }: Pick<ExecuteWorld, 'origin'>,
  { to, data }: UserCall,
  {
    authorizationList,
    ...more
  }: { readonly authorizationList?: readonly Delegation[]; readonly [name: string]: unknown } = {},
) => ({
  executionKind: 'rawCalls',
  data: {
    chainId: origin.chain.chainId,
    to,
    data,
    value: '0',
    ...(authorizationList === undefined ? {} : { authorizationList }),
  },
  executionOptions: { referrer: '', subsidizeFees: false },
  ...more,
})

/** Posts a call with the key of the host, or another one; `null`: without any. */
export const postExecute = (
  { host }: HttpWorld,
  body: unknown,
  apiKey: string | null = host.apiKey,
): Promise<ApiAnswer> => callApi(host.url, '/execute', { body, ...(apiKey === null ? {} : { apiKey }) })

/** A batch of the account, delegated on the way, as it is posted. */
export const batchBody = async (
  world: Pick<ExecuteWorld, 'origin' | 'executor'>,
  user: LocalAccount,
  calls: readonly UserCall[],
  more: Readonly<Record<string, unknown>> = {},
) => {
  const call = { to: user.address, data: await signedBatch(world.origin, user, calls) }
  return executeBody(world, call, {
    authorizationList: [await delegationTo(world.origin, user, world.executor)],
    ...more,
  })
}

/** Posts calls of which none is in a block before all are answered. */
export const postInOneBlock = async (
  world: ExecuteWorld,
  bodies: readonly unknown[],
  apiKey?: string,
): Promise<readonly ApiAnswer[]> => {
  const { chain } = world.origin
  await chain.setIntervalMining(0)
  try {
    return await Promise.all(bodies.map((body) => postExecute(world, body, apiKey)))
  } finally {
    await chain.setIntervalMining(1)
  }
}

/** The transactions of a quote's deposit. */
export const callsOf = (quote: unknown): readonly UserCall[] =>
  listAt(quote, 'steps').map((step) => ({
    to: textAt(step, 'items.0.data.to'),
    // CAST: calldata is hex.
    data: textAt(step, 'items.0.data.data') as Hex,
  }))

/** Who bears what was sent for a request. */
export const bornesOf = async ({ database }: HttpWorld, requestId: string): Promise<unknown> => {
  const { rows } = await database.pool.query<{ data: string }>(
    `select data from payouts where purpose = 'origin' and request_id = decode($1, 'hex')`,
    [requestId.slice(2)],
  )
  return rows.map(({ data }) => JSON.parse(data).origin.borne)
}
