import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  type Abi,
  type Address,
  BaseError,
  type Chain,
  type Client,
  ContractFunctionRevertedError,
  createTestClient,
  defineChain,
  type Hex,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type TransactionReceipt,
  type WalletActions,
  walletActions,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { expect } from 'vitest'

const CHAIN_ID = 900_331
const MNEMONIC = 'test test test test test test test test test test test junk'
const START_DEADLINE_MS = 20_000

/** One write to a contract; `trailing` goes behind the calldata, as an order id does. */
export interface Write {
  readonly address: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
  readonly value?: bigint
  readonly trailing?: Hex
  readonly gas?: bigint
}

type LocalClient = Client<HttpTransport, Chain, undefined> &
  PublicActions<HttpTransport, Chain> &
  WalletActions<Chain> &
  TestActions

/** A private chain with ten funded accounts. */
export interface LocalChain {
  readonly client: LocalClient
  readonly accountAt: (index: number) => HDAccount
  readonly deploy: (abi: Abi, bytecode: Hex, args?: readonly unknown[], value?: bigint) => Promise<Address>
  /** Sends the write and waits for its block. Throws before sending if it would revert. */
  readonly send: (account: HDAccount, write: Write) => Promise<TransactionReceipt>
  readonly stop: () => Promise<void>
}

/** Starts a private chain with a block per transaction. Stop it when done. */
export async function startLocalChain(): Promise<LocalChain> {
  const packageJson = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json')
  const child = spawn(
    join(dirname(packageJson), 'bin/anvil'),
    ['--port', '0', '--chain-id', String(CHAIN_ID), '--mnemonic', MNEMONIC],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = `http://${await listeningAddress(child.stdout)}`
  child.stdout.resume()

  const chain = defineChain({
    id: CHAIN_ID,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const client: LocalClient = createTestClient({ mode: 'anvil', chain, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const accountAt = (addressIndex: number) => mnemonicToAccount(MNEMONIC, { addressIndex })

  async function deploy(abi: Abi, bytecode: Hex, args: readonly unknown[] = [], value = 0n): Promise<Address> {
    const hash = await client.deployContract({ account: accountAt(0), abi, bytecode, args, value } as never)
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success' || !receipt.contractAddress) throw new Error('deployment failed')
    return receipt.contractAddress
  }

  async function send(account: HDAccount, write: Write): Promise<TransactionReceipt> {
    const { trailing, ...rest } = write
    const request = { account, ...rest, ...(trailing ? { dataSuffix: trailing } : {}) }
    await client.simulateContract(request as never)
    const hash = await client.writeContract(request as never)
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return receipt
  }

  async function stop(): Promise<void> {
    const closed = once(child, 'exit')
    child.kill('SIGTERM')
    await closed
  }

  return { client, accountAt, deploy, send, stop }
}

/** Name and arguments of the contract's error that the write reverts with. */
export async function revertOf(write: Promise<unknown>): Promise<{ name: string; args: readonly unknown[] }> {
  const error = await write.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const reverted =
    error instanceof BaseError ? error.walk((inner) => inner instanceof ContractFunctionRevertedError) : undefined
  if (!(reverted instanceof ContractFunctionRevertedError)) {
    throw new Error('expected the contract to revert', { cause: error })
  }
  return { name: reverted.data?.errorName ?? reverted.signature ?? 'unknown', args: reverted.data?.args ?? [] }
}

async function listeningAddress(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  const deadline = setTimeout(() => lines.close(), START_DEADLINE_MS)
  try {
    for await (const line of lines) {
      const address = /Listening on (\S+)/.exec(line)?.[1]
      if (address) return address
    }
  } finally {
    clearTimeout(deadline)
    lines.close()
  }
  throw new Error('the chain did not start')
}
