import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alice, bob, fresh, pay, startTestedChain, type TestedChain } from '../testedChain.test.support.js'

let tested: TestedChain
let chain: TestedChain['chain']

beforeAll(async () => {
  tested = await startTestedChain()
  chain = tested.chain
})
afterAll(() => chain?.close())

const account: TestedChain['account'] = (at) => tested.account(at)
const read: TestedChain['read'] = (signature) => tested.read(signature)
const sign: TestedChain['sign'] = (...what) => tested.sign(...what)

describe('as a node answers', () => {
  it('a plain Connection finds the websocket by itself, and an airdrop can be waited for', async () => {
    const connection = new Connection(chain.rpcUrl, 'confirmed')
    const to = fresh()
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const signature = await connection.requestAirdrop(to, 2e9)
    const { value } = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
    expect(value.err).toBeNull()
    expect(await connection.getBalance(to)).toBe(2e9)
  })

  it('the websocket tells of a transaction once at each commitment, from processed on', async () => {
    const { connection } = chain
    const to = fresh()
    const told: string[] = []
    const ids = (['processed', 'confirmed', 'finalized'] as const).map((commitment) =>
      connection.onAccountChange(to, () => told.push(commitment), { commitment }),
    )
    // Subscribed last: once it hears something, the others are there too.
    let slots = 0
    const last = connection.onSlotChange(() => {
      slots += 1
    })
    await expect.poll(() => chain.advance().then(() => slots)).toBeGreaterThan(0)
    await chain.send(account(alice), [pay(account(alice), to, 1e9)])
    await chain.advance(6)
    await expect.poll(() => told).toEqual(['processed', 'confirmed', 'finalized'])
    await chain.advance(6)
    expect(told).toHaveLength(3)
    await connection.removeSlotChangeListener(last)
    await Promise.all(ids.map((id) => connection.removeAccountChangeListener(id)))
  })

  it('an answer names the slot that its commitment shows, and a block is not final before it is', async () => {
    const { connection } = chain
    const { context, value } = await connection.getLatestBlockhashAndContext('finalized')
    const block = await connection.getBlock(context.slot, {
      commitment: 'finalized',
      maxSupportedTransactionVersion: 0,
    })
    expect(block?.blockhash).toBe(value.blockhash)
    const confirmed = await connection.getSlot('confirmed')
    await expect(connection.getBlock(confirmed, { commitment: 'finalized' })).rejects.toThrow('not available')
  })

  it('a simulation names the hash it put in, and shows no accounts of what fails', async () => {
    const transaction = async (lamports: number) => {
      const { bytes } = await sign([pay(account(alice), account(bob).keypair.publicKey, lamports)])
      return VersionedTransaction.deserialize(bytes)
    }
    const options = {
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64' as const, addresses: [account(bob).address] },
    }
    const fine = (await chain.connection.simulateTransaction(await transaction(5), options)).value
    expect(Reflect.get(fine, 'replacementBlockhash')).toEqual(await chain.connection.getLatestBlockhash())
    expect(fine.accounts?.[0]?.lamports).toBe((await chain.connection.getBalance(account(bob).keypair.publicKey)) + 5)
    const failing = (await chain.connection.simulateTransaction(await transaction(1e15), options)).value
    expect(failing.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    expect(failing.accounts).toEqual([null])
  })

  it('the fee of a message is what the transaction then pays, price and limit included', async () => {
    const { bytes } = await sign([
      ComputeBudgetProgram.setComputeUnitLimit({ units: 70_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 }),
      pay(account(alice), account(bob).keypair.publicKey, 7),
    ])
    const { message } = VersionedTransaction.deserialize(bytes)
    const { value: fee } = await chain.connection.getFeeForMessage(message)
    const signature = await chain.connection.sendRawTransaction(bytes)
    expect((await read(signature))?.meta?.fee).toBe(fee)
    expect(fee).toBe(5000 + 86_420)
  })

  it('errors have the names that nodes give them', async () => {
    const stranger = { ...account(alice), keypair: Keypair.generate() }
    const { bytes } = await sign([pay(stranger, fresh(), 1e9)], stranger)
    await expect(chain.connection.sendRawTransaction(bytes)).rejects.toThrow('no record of a prior credit')
    const withoutData = new TransactionInstruction({
      keys: [],
      programId: SystemProgram.programId,
      data: Buffer.alloc(0),
    })
    const signature = await chain.send(account(alice), [withoutData], { mayFail: true })
    expect((await read(signature))?.meta?.err).toEqual({ InstructionError: [1, 'InvalidInstructionData'] })
  })

  it('a broken signature is refused before it is sent', async () => {
    const { bytes } = await sign([pay(account(alice), fresh(), 1e9)])
    bytes[10] = (bytes[10] ?? 0) ^ 1
    await expect(chain.connection.sendRawTransaction(bytes)).rejects.toThrow('signature verification failure')
  })
})

it('a node fails, lags and loses answers as told', async () => {
  const { connection } = chain
  await chain.failNext({ method: 'getSlot', error: { code: -32005, message: 'Node is behind' } })
  await expect(connection.getSlot()).rejects.toThrow('Node is behind')
  const slot = await connection.getSlot('confirmed')
  await chain.lag(20)
  expect(await connection.getSlot('confirmed')).toBe(slot - 20)
  await chain.lag(0)
  const to = fresh()
  const { bytes } = await sign([pay(account(alice), to, 1e9)])
  await chain.failNext({ method: 'sendTransaction', afterAccepting: true, error: { code: -32603, message: 'lost' } })
  await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('lost')
  expect(await connection.getBalance(to, 'confirmed')).toBe(1e9)
})
