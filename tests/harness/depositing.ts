import type { LocalAccount } from '@causeway/chain-evm/testing'
import { depositoryAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type Address, encodeFunctionData } from 'viem'
import type { NetworkChain } from './localNetwork.js'
import { receiptOf } from './transfer.js'

/** A native deposit of any amount under any order id, as a stranger might send it. */
export const depositNative = async (
  item: NetworkChain,
  user: LocalAccount,
  orderId: Hex,
  amount: bigint,
): Promise<Hex> => {
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'depositNative', args: [user.address, orderId] })
  const hash = await item.chain.send(user, { to: item.depository, data, value: amount })
  await receiptOf(item.chain, hash)
  return hash
}

/** A token deposit: approve, then deposit. */
export const depositToken = async (
  item: NetworkChain,
  user: LocalAccount,
  token: string,
  orderId: Hex,
  amount: bigint,
): Promise<Hex> => {
  // CAST: token addresses of this harness are hex text.
  const address = token as Address
  const approve = encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'approve',
    args: [item.depository as Address, amount],
  })
  await receiptOf(item.chain, await item.chain.send(user, { to: token, data: approve }))
  const data = encodeFunctionData({
    abi: depositoryAbi,
    functionName: 'depositErc20',
    args: [user.address, address, amount, orderId],
  })
  const hash = await item.chain.send(user, { to: item.depository, data })
  await receiptOf(item.chain, hash)
  return hash
}
