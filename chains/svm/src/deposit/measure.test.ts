import {
  AddressLookupTableAccount,
  Keypair,
  MessageV0,
  PublicKey,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSignatures, measureTransaction } from './measure.js'

const keys = Array.from({ length: 40 }, (_, at) => new PublicKey(Buffer.alloc(32, at + 1)))
const key = (at: number): PublicKey => keys[at % keys.length] ?? PublicKey.default
const payer = Keypair.generate().publicKey

const instructions = fc.array(
  fc.record({
    program: fc.nat(39),
    accounts: fc.array(
      fc.record({ at: fc.nat(39), signs: fc.integer({ max: 9, min: 0 }).map((n) => n === 0), writes: fc.boolean() }),
      {
        maxLength: 12,
      },
    ),
    data: fc.nat(200),
  }),
  { maxLength: 4 },
)
const tables = fc.array(fc.array(fc.nat(39), { maxLength: 20 }), { maxLength: 3 })

test('the count equals the length of the serialised transaction, lookup tables applied (chains.md svm 10)', () => {
  let compared = 0
  fc.assert(
    fc.property(instructions, tables, (drawn, lists) => {
      const made = drawn.map(
        ({ program, accounts, data }) =>
          new TransactionInstruction({
            programId: key(program),
            keys: accounts.map(({ at, signs, writes }) => ({ pubkey: key(at), isSigner: signs, isWritable: writes })),
            data: Buffer.alloc(data),
          }),
      )
      const lookups = lists.map(
        (list, at) =>
          new AddressLookupTableAccount({
            key: new PublicKey(Buffer.alloc(32, 200 + at)),
            state: {
              deactivationSlot: 2n ** 64n - 1n,
              lastExtendedSlot: 0,
              lastExtendedSlotStartIndex: 0,
              addresses: list.map(key),
            },
          }),
      )
      const message = MessageV0.compile({
        payerKey: payer,
        instructions: made,
        recentBlockhash: PublicKey.default.toBase58(),
        addressLookupTableAccounts: lookups,
      })
      const size = measureTransaction(made, payer, lookups)
      expect(countSignatures(made, payer)).toBe(message.header.numRequiredSignatures)
      if (size > 1232) return
      compared += 1
      expect(size).toBe(new VersionedTransaction(message).serialize().length)
    }),
    { numRuns: 300 },
  )
  expect(compared).toBeGreaterThan(100)
})

test('what no library can serialise is measured too', () => {
  const programId = key(0)
  const many = Array.from({ length: 400 }, (_, at) => {
    const bytes = Buffer.alloc(32, 9)
    bytes.writeUInt16BE(at, 0)
    return { pubkey: new PublicKey(bytes), isSigner: false, isWritable: false }
  })
  const made = [new TransactionInstruction({ programId, keys: many, data: Buffer.alloc(0) })]
  // 65 signatures, 4 head, 2 + 402 keys, hash, 1 + instruction (1 + 2 + 400 + 1), 1 for no tables
  expect(measureTransaction(made, payer)).toBe(65 + 4 + 2 + 402 * 32 + 32 + 1 + 404 + 1)
})
