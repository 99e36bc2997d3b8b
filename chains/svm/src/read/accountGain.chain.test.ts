import { JsonRpcClient } from '@causeway/core/chain-kit'
import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { encodeBase58 } from '../address/base58.js'
import { svmProtocol } from '../rpc/protocol.js'
import { pay, startTestedChain, type TestedChain } from '../testing/testedChain.test.support.js'
import { readAccountGain } from './accountGain.js'
import { transferChecked } from './token/program/tokenInstructions.js'
import { associatedAddress } from './token/program/tokenPrograms.js'

let tested: TestedChain
let rpc: JsonRpcClient
beforeAll(async () => {
  tested = await startTestedChain()
  const { genesisHash, rpcUrl } = tested.chain
  const logger = pino({ level: 'silent' })
  rpc = new JsonRpcClient({
    protocol: svmProtocol(genesisHash),
    endpoints: [{ http: rpcUrl }],
    timeoutMs: 5_000,
    logger,
  })
})
afterAll(async () => {
  rpc?.close()
  await tested?.chain.close()
})

const gain = (id: string, address: string, currency = NATIVE) =>
  readAccountGain(
    (calls) => rpc.batch(calls),
    { depository: tested.account(9).address, program: null },
    { id },
    { address, currency },
  )

test('lamports that came and went, the fee of whoever paid it not counted', async () => {
  const { chain, account } = tested
  const [alice, bob] = [account(0), account(1)]
  const id = await chain.send(alice, [pay(alice, bob.keypair.publicKey, 5_000_000)])
  expect(await gain(id, bob.address)).toBe(5_000_000n)
  expect(await gain(id, alice.address)).toBe(-5_000_000n)
  expect(await gain(id, account(2).address)).toBe(0n)
})

test('tokens of an owner, of this mint alone; what is not on the chain tells nothing', async () => {
  const { chain, account } = tested
  const [alice, bob] = [account(0), account(1)]
  const mint = await chain.createToken({ decimals: 6 })
  await chain.fund(alice.address, 900n, mint)
  const to = new PublicKey(await chain.openTokenAccount(bob.address, mint))
  const key = new PublicKey(mint)
  const from = associatedAddress(key, alice.keypair.publicKey)
  const transfer = transferChecked({
    ...{ source: from, mint: key, destination: to },
    ...{ owner: alice.keypair.publicKey, amount: 70n, decimals: 6 },
  })
  const id = await chain.send(alice, [transfer])
  expect(await gain(id, bob.address, mint)).toBe(70n)
  expect(await gain(id, alice.address, mint)).toBe(-70n)
  expect(await gain(id, alice.address)).toBe(0n)
  expect(await gain(id, bob.address, tested.account(3).address)).toBe(0n)
  const { bytes } = await tested.sign([pay(alice, bob.keypair.publicKey, 1)])
  const [signature] = VersionedTransaction.deserialize(bytes).signatures
  expect(await gain(encodeBase58(signature ?? new Uint8Array()), bob.address)).toBeNull()
})
