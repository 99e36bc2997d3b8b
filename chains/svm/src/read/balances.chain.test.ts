import { JsonRpcClient } from '@causeway/core/chain-kit'
import { Keypair } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { svmProtocol } from '../rpc/protocol.js'
import { type RewritingNode, startRewritingNode } from '../rpc/rewritingNode.test.support.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/node/localSvm.js'
import { readBalances } from './balances.js'
import { MintReader } from './token/mintReader.js'

let chain: LocalSvmChain
let node: RewritingNode
let rpc: JsonRpcClient

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  node = await startRewritingNode(chain.rpcUrl)
  const logger = pino({ level: 'silent' })
  const endpoints = [{ http: node.url }]
  rpc = new JsonRpcClient({ protocol: svmProtocol(chain.genesisHash), endpoints, timeoutMs: 2000, logger })
})

afterAll(async () => {
  rpc?.close()
  await node?.close()
  await chain?.close()
})

test('lamports and tokens of both programs come in one request, and what is not there is 0', async () => {
  const owner = Keypair.generate().publicKey.toBase58()
  const stranger = Keypair.generate().publicKey.toBase58()
  const token = await chain.createToken({ decimals: 6 })
  const newer = await chain.createToken({ decimals: 6, program: 'token-2022' })
  await chain.fund(owner, 7_000_000n)
  await chain.fund(owner, 2n ** 63n, token)
  await chain.fund(owner, 5n, newer)
  const mints = new MintReader({ rpc })
  await mints.readMany([token, newer])
  const before = new Map(node.calls)
  const { amounts, height } = await readBalances(
    [
      { address: owner, currency: NATIVE },
      { address: owner, currency: token },
      { address: owner, currency: newer },
      { address: stranger, currency: NATIVE },
      { address: stranger, currency: token },
      { address: owner, currency: NATIVE },
    ],
    { rpc, mints },
  )
  expect(amounts).toEqual([7_000_000n, 2n ** 63n, 5n, 0n, 0n, 7_000_000n])
  expect(height).toBe(BigInt(await chain.connection.getSlot('confirmed')))
  expect((node.calls.get('getMultipleAccounts') ?? 0) - (before.get('getMultipleAccounts') ?? 0)).toBe(1)
  const none = await readBalances([{ address: owner, currency: stranger }], { rpc, mints })
  expect(none.amounts).toEqual([0n])
})

test('more accounts than one call takes', async () => {
  const mints = new MintReader({ rpc })
  const [rich] = chain.accounts
  const others = Array.from({ length: 150 }, () => Keypair.generate().publicKey.toBase58())
  const queries = [...others, rich?.address ?? ''].map((address) => ({ address, currency: NATIVE }))
  const { amounts } = await readBalances(queries, { rpc, mints })
  expect(amounts.slice(0, 150)).toEqual(others.map(() => 0n))
  expect(amounts[150]).toBeGreaterThan(0n)
})
