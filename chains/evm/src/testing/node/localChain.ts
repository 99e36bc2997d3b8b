import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import {
  authorizationTokenAbi,
  authorizationTokenBytecode,
  blockingTokenAbi,
  blockingTokenBytecode,
  depositAddressFactoryAbi,
  depositAddressFactoryBytecode,
  depositoryAbi,
  depositoryBytecode,
  falseTokenAbi,
  falseTokenBytecode,
  feeTokenAbi,
  feeTokenBytecode,
  fickleTokenAbi,
  fickleTokenBytecode,
  fillRouterAbi,
  fillRouterBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  permitRouterAbi,
  permitRouterBytecode,
  permitTokenAbi,
  permitTokenBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  swapRouterAbi,
  swapRouterBytecode,
  testTokenAbi,
  testTokenBytecode,
} from '@causeway/contracts-abi'
import {
  type Abi,
  type Address,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  keccak256,
  publicActions,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CANONICAL_PERMIT2 } from '../../options.js'
import { addressIn, endProcess, endWithParent, type NodeOptions, removeStates, spawnNode } from './nodeProcess.js'

/** `permit`: with EIP-2612; `authorization`: with EIP-3009 too, both for accounts and for contract wallets. */
export type TestTokenKind =
  | 'standard'
  | 'no-return'
  | 'fee'
  | 'blocking'
  | 'false'
  | 'fickle'
  | 'reentrant'
  | 'permit'
  | 'authorization'

const TOKENS: Readonly<Record<TestTokenKind, { readonly abi: Abi; readonly bytecode: Hex }>> = {
  standard: { abi: testTokenAbi, bytecode: testTokenBytecode },
  'no-return': { abi: noReturnTokenAbi, bytecode: noReturnTokenBytecode },
  fee: { abi: feeTokenAbi, bytecode: feeTokenBytecode },
  blocking: { abi: blockingTokenAbi, bytecode: blockingTokenBytecode },
  false: { abi: falseTokenAbi, bytecode: falseTokenBytecode },
  fickle: { abi: fickleTokenAbi, bytecode: fickleTokenBytecode },
  reentrant: { abi: reentrantTokenAbi, bytecode: reentrantTokenBytecode },
  permit: { abi: permitTokenAbi, bytecode: permitTokenBytecode },
  authorization: { abi: authorizationTokenAbi, bytecode: authorizationTokenBytecode },
}

export interface LocalAccount {
  readonly address: Address
  readonly privateKey: Hex
}

export interface LocalChainOptions extends NodeOptions {
  readonly logPath?: string
}

export interface SentTransaction {
  readonly to?: string
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly nonce?: number
}

export interface LocalEvmChain {
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly chainId: number
  readonly pid: number
  /** Ten funded accounts, equal on every local chain. The last one deploys and funds. */
  readonly accounts: readonly LocalAccount[]
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Where nothing was deployed before, they are at the same addresses on every chain for the same roles. */
  deployContracts(roles: { readonly owner: string; readonly allocator: string }): Promise<{
    readonly depository: string
    readonly fillRouter: string
    readonly swapRouter: string
    readonly depositAddressFactory: string
    readonly permitRouter: string
  }>
  deployToken(token: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    readonly kind?: TestTokenKind
  }): Promise<string>
  /** Deploys any contract; returns its lower-case address. */
  deploy(abi: Abi, bytecode: Hex, args?: readonly unknown[]): Promise<string>
  /** Adds native currency, or mints `amount` of a test token. */
  fund(address: string, amount: bigint, token?: string): Promise<void>
  /** Signs and sends; returns the hash without waiting for a block. */
  send(account: LocalAccount, transaction: SentTransaction): Promise<Hex>
  mine(blocks?: number): Promise<void>
  /** Replaces the last blocks by empty ones of the same height. Their transactions are gone. */
  reorg(depth: number): Promise<void>
  setAutomine(enabled: boolean): Promise<void>
  setIntervalMining(seconds: number): Promise<void>
  dropTransaction(hash: string): Promise<void>
  /** Writes accounts, blocks and receipts to a file that another chain can begin with (`loadStatePath`). */
  saveState(path: string): Promise<void>
  close(): Promise<void>
}

/** Handle of a node that already runs, for example one that outlived its starter. */
export const adoptLocalChain = async (running: {
  readonly rpcUrl: string
  readonly pid: number
}): Promise<LocalEvmChain> => {
  const chainId = Number(await rpcCall<string>(running.rpcUrl, 'eth_chainId'))
  return chainAt({ ...running, chainId, close: () => endProcess(running.pid) })
}

/** Starts a local EVM node; funds its accounts unless it begins with a saved state. */
export const startLocalChain = async (options: LocalChainOptions): Promise<LocalEvmChain> => {
  const logPath = options.logPath ?? join(mkdtempSync(join(tmpdir(), 'causeway-evm-')), 'node.log')
  const child = spawnNode(options, logPath)
  const rpcUrl = await addressIn(logPath, child)
  const pid = child.pid ?? 0
  const close = async () => {
    await endProcess(pid, child)
    removeStates(logPath)
  }
  if (options.detached !== true) endWithParent(child)
  const chain = chainAt({ rpcUrl, pid, chainId: options.chainId, close })
  if (options.loadStatePath === undefined) {
    await Promise.all(chain.accounts.map(({ address }) => chain.fund(address, 10_000n * 10n ** 18n)))
  }
  return chain
}

/** Keys that hold nothing anywhere else. */
const localAccounts = (): LocalAccount[] =>
  Array.from({ length: 10 }, (_, at) => {
    const privateKey = keccak256(toHex(`causeway local account ${at}`))
    const address = privateKeyToAccount(privateKey).address.toLowerCase()
    return { address: address as Address, privateKey }
  })

let nextId = 1

const rpcCall = async <T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result as T
}

const chainAt = (running: {
  readonly rpcUrl: string
  readonly pid: number
  readonly chainId: number
  readonly close: () => Promise<void>
}): LocalEvmChain => {
  const { rpcUrl, chainId, pid, close } = running
  const accounts = localAccounts()
  const rpc = <T = unknown>(method: string, params: readonly unknown[] = []) => rpcCall<T>(rpcUrl, method, params)
  const chain = defineChain({
    id: chainId,
    name: `local ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const send = async (account: LocalAccount, { to, ...rest }: SentTransaction): Promise<Hex> => {
    const client = createWalletClient({
      account: privateKeyToAccount(account.privateKey),
      chain,
      transport: http(rpcUrl),
    }).extend(publicActions)
    const request = { ...rest, ...(to === undefined ? {} : { to: getAddress(to) }) }
    // As wallets do: a pool may write more in the next block than in the one the estimate ran in.
    const gas = rest.gas ?? ((await client.estimateGas({ ...request, account: client.account })) * 3n) / 2n
    return client.sendTransaction({ ...request, gas })
  }
  const deployer = accounts.at(-1) ?? { address: '0x', privateKey: '0x' }
  // One after the other: the deployer's nonce is read anew for each transaction.
  let queue: Promise<unknown> = Promise.resolve()
  const sendAsDeployer = (transaction: SentTransaction): Promise<MinedReceipt> => {
    const result = queue.then(async () => minedReceipt(rpc, await send(deployer, transaction)))
    queue = result.catch(() => undefined)
    return result
  }
  const deploy = async (abi: Abi, bytecode: Hex, args: readonly unknown[] = []): Promise<string> => {
    const receipt = await sendAsDeployer({ data: encodeDeployData({ abi, bytecode, args }) })
    if (receipt.contractAddress === null) throw new Error('The deployment made no contract.')
    return receipt.contractAddress.toLowerCase()
  }
  return {
    rpcUrl,
    wsUrl: rpcUrl.replace('http', 'ws'),
    chainId,
    pid,
    accounts,
    rpc,
    deploy,
    send,
    deployContracts: async ({ owner, allocator }) => {
      const roles = [getAddress(owner), getAddress(allocator)]
      const depository = await deploy(depositoryAbi, depositoryBytecode, roles)
      return {
        depository,
        fillRouter: await deploy(fillRouterAbi, fillRouterBytecode),
        swapRouter: await deploy(swapRouterAbi, swapRouterBytecode),
        depositAddressFactory: await deploy(depositAddressFactoryAbi, depositAddressFactoryBytecode, [depository]),
        permitRouter: await deploy(permitRouterAbi, permitRouterBytecode, [depository, getAddress(CANONICAL_PERMIT2)]),
      }
    },
    deployToken: ({ name, symbol, decimals, kind = 'standard' }) =>
      deploy(TOKENS[kind].abi, TOKENS[kind].bytecode, [name, symbol, decimals]),
    fund: async (address, amount, token) => {
      if (token === undefined) {
        const held = BigInt(await rpc<string>('eth_getBalance', [address, 'latest']))
        await rpc('anvil_setBalance', [address, toHex(held + amount)])
        return
      }
      const args = [getAddress(address), amount] as const
      await sendAsDeployer({ to: token, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args }) })
    },
    mine: async (blocks = 1) => {
      await rpc('anvil_mine', [toHex(blocks)])
    },
    reorg: async (depth) => {
      await rpc('anvil_reorg', [depth, []])
    },
    setAutomine: async (enabled) => {
      await rpc('evm_setAutomine', [enabled])
    },
    setIntervalMining: async (seconds) => {
      await rpc('evm_setIntervalMining', [seconds])
    },
    dropTransaction: async (hash) => {
      await rpc('anvil_dropTransaction', [hash])
    },
    saveState: async (path) => {
      const state = await rpc<Hex>('anvil_dumpState')
      writeFileSync(path, gunzipSync(Buffer.from(state.slice(2), 'hex')))
    },
    close,
  }
}

interface MinedReceipt {
  readonly status: Hex
  readonly contractAddress: string | null
}

const minedReceipt = async (rpc: LocalEvmChain['rpc'], hash: Hex): Promise<MinedReceipt> => {
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const receipt = await rpc<MinedReceipt | null>('eth_getTransactionReceipt', [hash])
    if (receipt !== null) {
      if (BigInt(receipt.status) !== 1n) throw new Error(`The transaction ${hash} reverted.`)
      return receipt
    }
    await delay(10)
  }
  throw new Error(`The transaction ${hash} was not mined.`)
}
