import type { Json } from '@causeway/core'
import type { DepositRequest, SwapOrder } from '@causeway/core/chain'
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { compileMessage } from '../lane/laneTransaction.js'
import {
  accountAt,
  createPayWorld,
  freshAddress,
  newOrderId,
  type PayWorld,
  sendStep,
} from '../lane/payWorld.test.support.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/index.js'
import { readDepositInstruction } from './program/depositInstructions.js'
import type { StepData } from './stepData.js'
import { decodeStepData } from './stepData.test.support.js'

const AMOUNT = 1_000_000n
const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const VAULT = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

let chain: LocalSvmChain
let world: PayWorld

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  world = createPayWorld(chain)
  await world.start()
})
afterAll(async () => {
  world?.close()
  await chain?.close()
})

const user = () => accountAt(chain, 4)
const request = (changes: Partial<DepositRequest> = {}): DepositRequest => ({
  from: user().address,
  money: { currency: NATIVE, amount: AMOUNT },
  orderId: newOrderId(),
  explicitDeposit: true,
  ...changes,
})

const dataOf = async (asked: DepositRequest, on = world): Promise<Json> => {
  const [item, ...more] = await on.deposits.build(asked)
  expect(more).toEqual([])
  expect(item).toMatchObject({ stepId: 'deposit', kind: 'transaction' })
  return item?.data ?? null
}

const ORDER: SwapOrder = {
  offer: {
    source: 'test',
    from: NATIVE,
    to: NATIVE,
    amountIn: AMOUNT,
    amountOut: AMOUNT,
    hops: 1,
    midAmountOut: null,
    gas: 0n,
    route: null,
  },
  minimumOut: AMOUNT,
  deadline: 0,
}

/** Builds deposits behind instructions that need no source. */
const swapping = (instructions: readonly TransactionInstruction[], tables: readonly string[] = []) => {
  const data: StepData = { instructions, tables }
  return createPayWorld(chain, { swaps: { read: async () => data } }).deposits
}

const note = (bytes: number) =>
  new TransactionInstruction({ keys: [], programId: new PublicKey(MEMO), data: Buffer.alloc(bytes, 'z') })

describe('memo form', () => {
  test('lamports: a transfer and the order id, exactly (wire.md A.5)', async () => {
    const asked = request()
    const data = await dataOf(asked)
    expect(data).toEqual({
      instructions: [
        {
          keys: [
            { pubkey: asked.from, isSigner: true, isWritable: true },
            { pubkey: world.vault.address, isSigner: false, isWritable: true },
          ],
          programId: NATIVE,
          data: '0200000040420f0000000000',
        },
        { keys: [], programId: MEMO, data: Buffer.from(asked.orderId).toString('hex') },
      ],
      addressLookupTableAddresses: [],
    })
    const before = await world.balance(world.vault.address)
    const held = await world.balance(user().address)
    const { network } = await world.deposits.estimate(asked)
    await sendStep(chain, data, user())
    expect(await world.balance(world.vault.address)).toBe(before + AMOUNT)
    expect(network).toEqual({ currency: NATIVE, amount: 5000n })
    expect(held - (await world.balance(user().address))).toBe(AMOUNT + network.amount)
  })

  test.each(['token', 'token-2022'] as const)(
    '%s: the first deposit pays the rent of the depository account',
    async (program) => {
      const currency = await chain.createToken({ decimals: 6, program })
      await chain.fund(user().address, 10n * AMOUNT, currency)
      const asked = request({ money: { currency, amount: AMOUNT } })
      const { network } = await world.deposits.estimate(asked)
      const held = await world.balance(user().address)
      await sendStep(chain, await dataOf(asked), user())
      expect(await world.balance(world.vault.address, currency)).toBe(AMOUNT)
      expect(held - (await world.balance(user().address))).toBe(network.amount)
      expect(network.amount).toBe(5000n + (program === 'token' ? 2_039_280n : 2_074_080n))
    },
  )

  test('a fee payer: two signatures, rent and fee are its own (wire.md 1.2 depositFeePayer)', async () => {
    const sponsor = accountAt(chain, 5)
    const currency = await chain.createToken({ decimals: 6 })
    await chain.fund(user().address, AMOUNT, currency)
    const asked = request({ money: { currency, amount: AMOUNT }, feePayer: sponsor.address })
    const { network } = await world.deposits.estimate(asked)
    const [mine, theirs] = [await world.balance(user().address), await world.balance(sponsor.address)]
    await sendStep(chain, await dataOf(asked), user(), sponsor)
    expect(await world.balance(user().address)).toBe(mine)
    expect(theirs - (await world.balance(sponsor.address))).toBe(network.amount)
    expect(network.amount).toBe(10_000n + 2_039_280n)
    await expect(world.deposits.build({ ...asked, feePayer: asked.from })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('depositFeePayer'),
    })
  })

  test('no such token', async () => {
    const asked = request({ money: { currency: freshAddress(), amount: AMOUNT } })
    await expect(world.deposits.build(asked)).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
  })
})

describe('size (wire.md 1.1 6)', () => {
  test('1232 bytes pass; one more is refused, with size, excess and remedies', async () => {
    const asked = request()
    const deposit = decodeStepData(await dataOf(asked)).instructions
    const bytesWith = (length: number): number => {
      const message = compileMessage([note(length), ...deposit], asked.from, NATIVE)
      return new VersionedTransaction(message).serialize().length
    }
    const most = 800 + 1232 - bytesWith(800)
    expect(bytesWith(most)).toBe(1232)
    const swapped = { ...asked, originSwap: ORDER }
    await swapping([note(most)]).build(swapped)
    const large = swapping([note(most + 1)])
    for (const refused of [large.build(swapped), large.estimate(swapped)]) {
      await expect(refused).rejects.toMatchObject({ code: 'SOLANA_TX_TOO_LARGE', status: 400 })
      await expect(refused).rejects.toThrow(/1233 bytes, 1 more .*1232.*maxRouteLength.*includedOriginSwapSources/)
    }
    // A second signature takes its place too.
    const sponsored = { ...swapped, feePayer: freshAddress() }
    await expect(swapping([note(most)]).build(sponsored)).rejects.toThrow(/1328 bytes, 96 more/)
  })
})

describe('a swap before the deposit', () => {
  test('lookup tables are read and make room', async () => {
    const payer = accountAt(chain, 6)
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.keypair.publicKey,
      payer: payer.keypair.publicKey,
      recentSlot: (await chain.connection.getSlot()) - 1,
    })
    const addresses = Array.from({ length: 20 }, () => Keypair.generate().publicKey)
    await chain.send(payer, [create])
    await chain.send(payer, [
      AddressLookupTableProgram.extendLookupTable({
        payer: payer.keypair.publicKey,
        authority: payer.keypair.publicKey,
        lookupTable: table,
        addresses,
      }),
    ])
    await chain.advance(2)
    const keys = addresses.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false }))
    const { publicKey } = user().keypair
    const crowded = SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 0 })
    crowded.keys.push(...keys)
    const wide = [note(300), crowded]
    const asked = request({ originSwap: ORDER })
    await expect(swapping(wide).build(asked)).rejects.toMatchObject({ code: 'SOLANA_TX_TOO_LARGE' })
    const [item] = await swapping(wide, [table.toBase58()]).build(asked)
    const data = item?.data ?? null
    expect(data).toMatchObject({ addressLookupTableAddresses: [table.toBase58()] })
    expect(decodeStepData(data).instructions).toHaveLength(4)
  })

  test('a table that does not exist is named', async () => {
    const missing = freshAddress()
    await expect(swapping([note(1)], [missing]).build(request({ originSwap: ORDER }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(missing),
    })
  })
})

describe('program form (chains.md, Depository program)', () => {
  test('lamports and tokens go through the program, the user named as depositor', async () => {
    const program = createPayWorld(chain, { options: { depository: VAULT, depositoryProgram: PROGRAM } })
    try {
      const asked = request()
      const [only, ...none] = decodeStepData(await dataOf(asked, program)).instructions
      expect(none).toEqual([])
      expect(only?.programId.toBase58()).toBe(PROGRAM)
      expect(readDepositInstruction(only?.data ?? Buffer.alloc(0))).toMatchObject({
        orderId: asked.orderId,
        amount: AMOUNT,
      })
      expect(only?.keys[2]?.pubkey.toBase58()).toBe(asked.from)
      const currency = await chain.createToken({ decimals: 6 })
      const tokens = decodeStepData(
        await dataOf(request({ money: { currency, amount: AMOUNT } }), program),
      ).instructions
      expect(tokens).toHaveLength(1)
      const sponsored = { money: { currency, amount: AMOUNT }, feePayer: freshAddress() }
      const paid = decodeStepData(await dataOf(request(sponsored), program)).instructions
      expect(paid.map(({ programId }) => programId.toBase58())).toEqual([
        'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
        PROGRAM,
      ])
    } finally {
      program.close()
    }
  })
})
