import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAssociated, transferChecked } from '../../read/token/program/tokenInstructions.js'
import { associatedAddress, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import { alice, bob, fresh, memo, pay, startTestedChain, type TestedChain } from '../testedChain.test.support.js'

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
    const [source, target] = [from.keypair.publicKey, to].map((owner) => associatedAddress(mint, owner, program)) as [
      PublicKey,
      PublicKey,
    ]
    const signature = await chain.send(from, [
      createAssociated({ payer: from.keypair.publicKey, owner: to, mint, program }),
      transferChecked({
        ...{ source, mint, destination: target, owner: from.keypair.publicKey, program },
        ...{ amount: 1000n, decimals: options.decimals },
      }),
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
      .poll(async () => {
        const { bytes, blockhash, lastValidBlockHeight } = await sign([
          pay(account(alice), to, 1e6),
          memo(String(heard.length)),
        ])
        const signature = await connection.sendRawTransaction(bytes)
        await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight }, 'confirmed')
        return [...new Set(heard)].sort()
      })
      .toEqual(['account', 'logs', 'slot'])
    await Promise.all([
      connection.removeSlotChangeListener(ids[0] ?? 0),
      connection.removeOnLogsListener(ids[1] ?? 0),
      connection.removeAccountChangeListener(ids[2] ?? 0),
    ])
  })
})
