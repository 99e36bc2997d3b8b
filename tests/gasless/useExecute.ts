import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { NATIVE } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { postQuote, tokenBody } from '../http/httpWorld.js'
import { type ExecuteWorld, startExecuteWorld } from './executing.js'
import { gaslessUser } from './gaslessWorld.js'

export const DEPOSIT = 25_000_000n
export let world: ExecuteWorld
export const newUser = (amount = DEPOSIT) => gaslessUser(world.origin, world.origin.usdc, amount)
export const nativeOf = (address: string): Promise<bigint> => balanceOnChain(world.origin, address, NATIVE)

/** A quote for a user, by the key of the host or another one; `null`: without any. */
export const quoted = async (
  user: LocalAccount,
  more: Readonly<Record<string, unknown>> = {},
  apiKey: string | null = world.host.apiKey,
) => {
  const body = tokenBody(world, { user: user.address, recipient: freshAddress(), ...more })
  const answer = await postQuote(world, body, '/quote', apiKey ?? undefined)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

export const allowanceOf = async (token: string, owner: string, spender: string): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner as Hex, spender as Hex] })
  return BigInt(await world.origin.chain.rpc<Hex>('eth_call', [{ to: token, data }, 'latest']))
}

/** Starts a world of relayed calls before the tests of a file, and stops it afterwards. */
export const useExecute = (): void => {
  beforeAll(async () => {
    world = await startExecuteWorld()
  })
  afterAll(() => world?.close())
}
