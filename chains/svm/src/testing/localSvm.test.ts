import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adoptLocalSvm, type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from './localSvm.js'
import { spawnDetached } from './nodeProcess.js'

const DETACHED = { port: 0, slotMs: 0, confirmedLag: 0, finalizedLag: 4 }
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

let chain: LocalSvmChain

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
})
afterAll(() => chain?.close())

const [alice, bob] = [0, 1]
const account = (at: number): LocalSvmAccount => {
  const found = chain.accounts[at]
  if (found === undefined) throw new Error(`no account ${at}`)
  return found
}
const pay = (from: LocalSvmAccount, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.keypair.publicKey, toPubkey: to, lamports })
const memo = (text: string) => new TransactionInstruction({ keys: [], programId: MEMO, data: Buffer.from(text) })
const fresh = () => Keypair.generate().publicKey
const read = (signature: string) =>
  chain.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' })

/** Signed bytes that are not sent yet. */
const sign = async (instructions: readonly TransactionInstruction[], from = account(alice)) => {
  const { blockhash, lastValidBlockHeight } = await chain.connection.getLatestBlockhash()
  const payerKey = from.keypair.publicKey
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions: [...instructions] })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([from.keypair])
  return { bytes: transaction.serialize(), blockhash, lastValidBlockHeight }
}

describe('an unmodified Connection', () => {
  it('sends native currency and reads the transaction back with its balances', async () => {
    const to = fresh()
    const signature = await chain.send(account(alice), [pay(account(alice), to, 1e9), memo('hello')])
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
    const found = await read(signature)
    expect(found?.meta?.err).toBeNull()
    const { meta, transaction } = found ?? {}
    const at = transaction?.message.getAccountKeys().staticAccountKeys.findIndex((key) => key.equals(to)) ?? -1
    expect((meta?.postBalances[at] ?? 0) - (meta?.preBalances[at] ?? 0)).toBe(1e9)
    const lost = (meta?.preBalances[0] ?? 0) - (meta?.postBalances[0] ?? 0)
    expect(lost).toBe(1e9 + (meta?.fee ?? 0))
    const [listed] = await chain.connection.getSignaturesForAddress(to, {}, 'confirmed')
    expect(listed).toMatchObject({ signature, memo: '[5] hello', err: null })
  })

  it.each([
    ['SPL Token', { decimals: 6 }, TOKEN_PROGRAM_ID, 0n],
    [
      'Token-2022 with a transfer fee',
      { decimals: 9, transferFee: { bps: 100, maximum: 10n ** 12n } },
      TOKEN_2022_PROGRAM_ID,
      10n,
    ],
  ])('moves %s and shows what arrived', async (_, options, program, fee) => {
    const mint = new PublicKey(await chain.createToken(options))
    const from = account(alice)
    const to = fresh()
    await chain.fund(from.address, 1_000_000n, mint.toBase58())
    const [source, target] = [from.keypair.publicKey, to].map((owner) =>
      getAssociatedTokenAddressSync(mint, owner, true, program),
    ) as [PublicKey, PublicKey]
    const signature = await chain.send(from, [
      createAssociatedTokenAccountIdempotentInstruction(from.keypair.publicKey, target, to, mint, program),
      createTransferCheckedInstruction(
        source,
        mint,
        target,
        from.keypair.publicKey,
        1000n,
        options.decimals,
        [],
        program,
      ),
    ])
    const found = await read(signature)
    const held = found?.meta?.postTokenBalances?.find(({ owner }) => owner === to.toBase58())
    expect(held).toMatchObject({
      mint: mint.toBase58(),
      programId: program.toBase58(),
      uiTokenAmount: { amount: String(1000n - fee) },
    })
    expect(found?.meta?.innerInstructions?.length).toBeGreaterThan(0)
    const { value } = await chain.connection.getTokenAccountBalance(target, 'confirmed')
    expect(value.amount).toBe(String(1000n - fee))
  })

  it('uses an address lookup table', async () => {
    const from = account(alice)
    const authority = from.keypair.publicKey
    const recentSlot = (await chain.connection.getSlot('confirmed')) - 1
    const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
      authority,
      payer: authority,
      recentSlot,
    })
    const addresses = Array.from({ length: 18 }, fresh)
    await chain.send(from, [create])
    await chain.send(from, [
      AddressLookupTableProgram.extendLookupTable({ payer: authority, authority, lookupTable, addresses }),
    ])
    await chain.advance(2)
    const table = (await chain.connection.getAddressLookupTable(lookupTable)).value
    if (table === null) throw new Error('no table')
    const signature = await chain.send(
      from,
      addresses.map((to) => pay(from, to, 1_000_000)),
      { tables: [table] },
    )
    const found = await read(signature)
    expect(found?.meta?.loadedAddresses?.writable).toHaveLength(18)
    expect(await chain.connection.getBalance(addresses[17] ?? authority, 'confirmed')).toBe(1_000_000)
  })

  it('simulates without a signature or a recent blockhash, and is refused before sending what fails', async () => {
    const poor = Keypair.generate()
    const payerKey = account(alice).keypair.publicKey
    const build = (lamports: number) =>
      new VersionedTransaction(
        new TransactionMessage({
          payerKey,
          recentBlockhash: PublicKey.default.toBase58(),
          instructions: [pay(account(alice), poor.publicKey, lamports)],
        }).compileToV0Message(),
      )
    const options = { replaceRecentBlockhash: true, sigVerify: false }
    const good = await chain.connection.simulateTransaction(build(1e9), options)
    expect(good.value).toMatchObject({ err: null, unitsConsumed: expect.any(Number) })
    const bad = await chain.connection.simulateTransaction(build(1e15), options)
    expect(bad.value.err).toEqual({ InstructionError: [0, { Custom: 1 }] })
    await expect(chain.send(account(alice), [pay(account(alice), poor.publicKey, 1e15)])).rejects.toThrow(/simulation/i)
  })

  it('sees a failed transaction in its block, its fee paid and nothing moved', async () => {
    const to = fresh()
    const signature = await chain.send(account(bob), [pay(account(bob), to, 1e15)], { mayFail: true })
    const found = await read(signature)
    expect(found?.meta?.err).toEqual({ InstructionError: [1, { Custom: 1 }] })
    expect(found?.meta?.fee).toBeGreaterThanOrEqual(5000)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(0)
  })

  it('hears of slots, logs, accounts and signatures over the websocket', async () => {
    const { connection } = chain
    const heard: string[] = []
    const to = account(2).keypair.publicKey
    const ids = [
      connection.onSlotChange(() => heard.push('slot')),
      connection.onLogs(to, () => heard.push('logs'), 'confirmed'),
      connection.onAccountChange(to, () => heard.push('account'), { commitment: 'confirmed' }),
    ]
    await expect
      .poll(
        async () => {
          const { bytes, blockhash, lastValidBlockHeight } = await sign([
            pay(account(alice), to, 1e6),
            memo(String(heard.length)),
          ])
          const signature = await connection.sendRawTransaction(bytes)
          await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight }, 'confirmed')
          return [...new Set(heard)].sort()
        },
        { timeout: 10_000 },
      )
      .toEqual(['account', 'logs', 'slot'])
    await Promise.all([
      connection.removeSlotChangeListener(ids[0] ?? 0),
      connection.removeOnLogsListener(ids[1] ?? 0),
      connection.removeAccountChangeListener(ids[2] ?? 0),
    ])
  })
})

describe('what a real cluster does to transactions', () => {
  it('known bytes are refused, or taken for the same transaction', async () => {
    const to = fresh()
    const { bytes } = await sign([pay(account(alice), to, 1e9)])
    const signature = await chain.connection.sendRawTransaction(bytes)
    await expect(chain.connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed')
    expect(await chain.connection.sendRawTransaction(bytes, { skipPreflight: true })).toBe(signature)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('a blockhash lives for 150 blocks', async () => {
    const [early, late] = [fresh(), fresh()]
    const first = await sign([pay(account(alice), early, 1e9)])
    await chain.advance(140)
    await chain.connection.sendRawTransaction(first.bytes)
    const second = await sign([pay(account(alice), late, 1e9)])
    await chain.advance(152)
    await expect(chain.connection.sendRawTransaction(second.bytes)).rejects.toThrow('Blockhash not found')
    await chain.connection.sendRawTransaction(second.bytes, { skipPreflight: true })
    expect(await chain.connection.getBalance(early, 'confirmed')).toBe(1e9)
    expect(await chain.connection.getBalance(late, 'confirmed')).toBe(0)
  })

  it('a dropped block takes everything back, and the same bytes may land again', async () => {
    await chain.advance(10)
    const to = fresh()
    const before = await chain.connection.getBalance(account(alice).keypair.publicKey, 'confirmed')
    const { bytes } = await sign([pay(account(alice), to, 1e9)])
    const signature = await chain.connection.sendRawTransaction(bytes)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
    await chain.dropSlots(1)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(0)
    expect(await chain.connection.getBalance(account(alice).keypair.publicKey, 'confirmed')).toBe(before)
    expect((await chain.connection.getSignatureStatuses([signature])).value).toEqual([null])
    await chain.connection.sendRawTransaction(bytes)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('final slots cannot be dropped', async () => {
    const to = fresh()
    await chain.send(account(alice), [pay(account(alice), to, 1e9)])
    await chain.advance(6)
    await chain.dropSlots(50)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(1e9)
  })

  it('held transactions go into one block together, equal ones too', async () => {
    const to = fresh()
    await chain.hold()
    const sent = await Promise.all(
      [1, 2].map((n) => chain.send(account(n), [pay(account(n), to, 1e9)], { wait: false })),
    )
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(0)
    await chain.release()
    const slots = (await chain.connection.getSignatureStatuses(sent)).value.map((status) => status?.slot)
    expect(new Set(slots).size).toBe(1)
    expect(await chain.connection.getBalance(to, 'confirmed')).toBe(2e9)
  })

  it('commitments differ: confirmed is not yet final', async () => {
    const signature = await chain.send(account(alice), [pay(account(alice), fresh(), 1e9)])
    const status = async () => (await chain.connection.getSignatureStatuses([signature])).value[0]?.confirmationStatus
    expect(await status()).toBe('confirmed')
    expect(
      await chain.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0, commitment: 'finalized' }),
    ).toBeNull()
    await chain.advance(5)
    expect(await status()).toBe('finalized')
  })

  it('ten thousand slots pass quickly', async () => {
    const from = await chain.connection.getSlot('confirmed')
    await chain.advance(10_000)
    expect(await chain.connection.getSlot('confirmed')).toBe(from + 10_000)
  })

  it('empty slots of long ago are forgotten, and those with transactions are kept', async () => {
    const own = await startLocalSvm({ slotMs: 0 })
    const [payer] = own.accounts
    if (payer === undefined) throw new Error('No account')
    const signature = await own.send(payer, [pay(payer, fresh(), 1e9)])
    const [status] = (await own.connection.getSignatureStatuses([signature])).value
    const slot = status?.slot ?? 0
    await own.advance(50_100)
    const settings = { maxSupportedTransactionVersion: 0 }
    expect((await own.connection.getBlock(slot, settings))?.transactions).toHaveLength(1)
    await expect(own.connection.getBlock(slot + 20, settings)).rejects.toThrow('cleaned up')
    expect(await own.connection.getFirstAvailableBlock()).toBeGreaterThan(slot)
    await own.close()
  })
})

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

it('a chain in a process of its own outlives whoever started it, is taken on, and ends', async () => {
  const main = fileURLToPath(new URL('../../dist/testing/localSvmProcess.js', import.meta.url))
  const log = join(mkdtempSync(join(tmpdir(), 'causeway-svm-')), 'node.log')
  expect(existsSync(main), 'build first').toBe(true)
  const { pid, port } = await spawnDetached({ ...DETACHED, genesisHash: chain.genesisHash }, log, main)
  const adopted = await adoptLocalSvm({ rpcUrl: `http://127.0.0.1:${port}`, pid })
  expect(adopted.genesisHash).toBe(chain.genesisHash)
  await adopted.fund(account(alice).address, 7n)
  await adopted.close()
  await expect(adopted.connection.getSlot()).rejects.toThrow()
  rmSync(dirname(log), { recursive: true })
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
