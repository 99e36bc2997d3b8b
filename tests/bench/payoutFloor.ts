import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { subscribeLogs } from './logSocket.js'

/**
 * The floor of a fill: sees a deposit's log by a websocket of its own and sends a token payment at once, with a local nonce and fixed
 * fees. Keeps no state, checks nothing. Takes one JSON argument; prints `ready` when it listens.
 */
interface Settings {
  readonly originWs: string
  readonly depository: string
  readonly depositTopic: string
  readonly destinationUrl: string
  readonly destinationChainId: number
  readonly token: Address
  readonly recipient: Address
  readonly privateKey: Hex
}

// CAST: written by the benchmark.
const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const account = privateKeyToAccount(settings.privateKey)

const call = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
  const response = await fetch(settings.destinationUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // CAST: a node's answer.
  const answer = (await response.json()) as { result?: T; error?: { message: string } }
  if (answer.result === undefined) throw new Error(`${method}: ${answer.error?.message}`)
  return answer.result
}

let nonce = Number(await call<string>('eth_getTransactionCount', [account.address, 'pending']))

const pay = async (orderId: Hex): Promise<void> => {
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [settings.recipient, 1n] })
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: settings.destinationChainId,
    nonce: nonce++,
    to: settings.token,
    data: concat([transfer, orderId]),
    gas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  await call('eth_sendRawTransaction', [raw])
}

await subscribeLogs(
  settings.originWs,
  { address: settings.depository, topics: [settings.depositTopic] },
  (log) => void pay(log.data.length >= 66 ? `0x${log.data.slice(2, 66)}` : toHex(0, { size: 32 })),
)
console.log('ready now')
