import { createSecp256k1Signer } from '@causeway/core/chain'
import { crypto, Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { payToKeyHash } from '../address/addresses.js'
import { ecc } from '../address/curve.js'
import { orderScript } from '../deposit/orderText.js'
import { buildSweep, type SweptAddress } from '../depositAddress/buildSweep.js'
import { buildPayout } from './buildPayout.js'
import { buildWithdrawal } from './buildWithdrawal.js'
import { type Coin, coinGuard, outpointOfGuard } from './coins/coin.js'
import { dustLimit } from './coins/dust.js'
import { feeOf } from './coins/feeRate.js'
import { judgeGeneration } from './generationState.js'
import { payoutSigner } from './payoutSigner.js'
import {
  decodePayout,
  encodePayout,
  keyScript,
  payoutFee,
  payoutId,
  payoutSize,
  signPayout,
} from './payoutTransaction.js'
import { cancelPayout, raiseFee } from './replacePayout.js'

const orderId = `0x${'ab'.repeat(32)}` as const
const signer = payoutSigner(createSecp256k1Signer(`0x${'11'.repeat(32)}`))
const from = keyScript(signer.publicKey)
const to = Uint8Array.from([0x51, 32, ...new Array(32).fill(7)])

const coin = (value: bigint, at: number): Coin => ({
  txId: (at + 1).toString(16).padStart(64, '0'),
  index: at,
  value,
  script: from,
  height: 1n,
})
const coins = fc
  .array(fc.bigInt({ min: 5000n, max: 500_000n }), { minLength: 1, maxLength: 20 })
  .map((values) => values.map(coin))
const paying = (amount: bigint) => ({
  payments: [{ to, amount, orderId }],
  from,
  rate: 2000n,
  highestRate: 20_000n,
})
const terms = paying(20_000n)

describe('chains.md bvm 5: fills and refunds', () => {
  test('one output to the recipient, exactly the order id, change to the payer; every input signals replacement', async () => {
    const payout = buildPayout(terms, [coin(300_000n, 0)])
    const [paid, text, change] = payout.outputs
    expect(paid).toEqual({ script: to, value: 20_000n })
    expect(text?.script).toEqual(orderScript(orderId))
    expect(change).toEqual({ script: from, value: 300_000n - 20_000n - payoutFee(payout) })
    const { raw, txId } = await signPayout(payout, [signer])
    const transaction = Transaction.fromBuffer(raw)
    expect(transaction.ins.map(({ sequence }) => sequence)).toEqual([0xffff_fffd])
    expect([transaction.getId(), payoutId(payout)]).toEqual([txId, txId])
  })

  test('signatures are valid, and the size is never estimated too low or far too high', async () => {
    await fc.assert(
      fc.asyncProperty(coins, async (coins) => {
        const amount = coins.reduce((sum, { value }) => sum + value, 0n) / 3n
        if (amount < 20_000n) return
        const payout = buildPayout(paying(amount), coins)
        const transaction = Transaction.fromBuffer((await signPayout(payout, [signer])).raw)
        transaction.ins.forEach(({ witness: [signature, key] }, at) => {
          const digest = transaction.hashForWitnessV0(
            at,
            payToKeyHash(crypto.hash160(signer.publicKey)),
            payout.inputs[at]?.value ?? 0n,
            Transaction.SIGHASH_ALL,
          )
          expect(key).toEqual(signer.publicKey)
          expect(ecc.verify(digest, signer.publicKey, compact(signature ?? new Uint8Array()), true)).toBe(true)
        })
        const real = BigInt(transaction.virtualSize())
        expect(payoutSize(payout)).toBeGreaterThanOrEqual(real)
        expect(payoutSize(payout) - real).toBeLessThanOrEqual(BigInt(payout.inputs.length) + 1n)
        expect(payoutFee(payout)).toBeGreaterThanOrEqual(feeOf(real, terms.rate))
      }),
      { numRuns: 20 },
    )
  })

  test('a key that is not the input’s signs nothing; dust and empty pockets are refused', async () => {
    const other = payoutSigner(createSecp256k1Signer(`0x${'22'.repeat(32)}`))
    await expect(signPayout(buildPayout(terms, [coin(300_000n, 0)]), [other])).rejects.toThrow(/none of the keys/)
    expect(() => buildPayout(paying(329n), [coin(300_000n, 0)])).toThrow(/no node passes on less than 330/)
    expect(() => buildPayout(terms, [])).toThrow(/not enough/)
  })

  test('what is stored is what was built', () => {
    fc.assert(
      fc.property(coins, (coins) => {
        const amount = (coins[0]?.value ?? 0n) / 2n
        if (amount < 5000n) return
        const payout = buildPayout(paying(amount), coins)
        const stored: unknown = JSON.parse(JSON.stringify(encodePayout(payout)))
        // CAST: it was JSON before.
        const read = decodePayout(stored as ReturnType<typeof encodePayout>)
        expect(payoutId(read)).toBe(payoutId(payout))
        expect(payoutFee(read)).toBe(payoutFee(payout))
      }),
    )
  })
})

describe('many small coins', () => {
  const depository = Uint8Array.from([0, 20, ...new Array(20).fill(9)])
  const small = (count: number) => Array.from({ length: count }, (_, at) => ({ ...coin(700n, at), script: depository }))
  const withdrawal = { orderId, depository, from, rate: 1000n, highestRate: 1000n }

  test('a withdrawal takes as many deposits as fit into one transaction that nodes pass on, and says when it cannot', () => {
    const coins = [coin(5_000_000n, 9999)]
    const taken = buildWithdrawal({ ...withdrawal, amount: 700n * 1400n }, { coins, deposits: small(3000) })
    expect(taken.inputs).toHaveLength(1401)
    expect(payoutSize(taken)).toBeLessThanOrEqual(100_000n)
    expect(() => buildWithdrawal({ ...withdrawal, amount: 700n * 2000n }, { coins, deposits: small(3000) })).toThrow(
      /many/,
    )
  })
})

describe('chains.md bvm 8: sweeps of deposit addresses', () => {
  const depository = Uint8Array.from([0, 20, ...new Array(20).fill(9)])
  const at = (place: number, values: readonly bigint[]): SweptAddress => {
    const script = Uint8Array.from([0, 20, ...new Array(20).fill(100 + place)])
    return {
      orderId: `0x${(place + 16).toString(16).padStart(64, '0')}`,
      salt: `0x${'ab'.repeat(32)}`,
      script,
      depositor: null,
      coins: values.map((value, index) => ({ ...coin(value, index), txId: `${place}a`.padStart(64, '0'), script })),
    }
  }
  const sweep = (addresses: readonly SweptAddress[], lane: readonly Coin[] = [coin(50_000_000n, 7000)]) =>
    buildSweep({ addresses, depository, from, rate: 1000n, highestRate: 1000n }, lane)
  const value = (values: readonly { readonly value: bigint }[]) => values.reduce((sum, item) => sum + item.value, 0n)

  test('what fits is taken, the largest coins first; another sweep takes the rest', () => {
    const values = Array.from({ length: 3000 }, (_, index) => 700n + BigInt(index))
    const first = sweep([at(1, values)])
    expect(payoutSize(first)).toBeLessThanOrEqual(100_000n)
    expect(first.inputs.length).toBeGreaterThan(1400)
    const moved = new Set(first.inputs.map(({ index }) => index))
    const rest = at(1, values).coins.filter(({ index }) => !moved.has(index))
    const second = sweep([{ ...at(1, values), coins: rest }])
    expect(first.inputs.at(-2)?.value).toBeGreaterThan(second.inputs[0]?.value ?? 0n)
    expect(first.outputs[0]?.value).toBe(value(first.inputs.slice(0, -1)))
  })

  test('of coins that cost more than they bring a few go along, while others pay for them; alone they wait', () => {
    const dust = Array.from({ length: 10_000 }, () => 60n)
    expect(sweep([at(1, [5000n, 60n, 60n])]).outputs[0]?.value).toBe(5120n)
    expect(sweep([at(1, [5000n, ...dust])]).inputs.length).toBeLessThan(30)
    expect(() => sweep([at(1, dust)])).toThrow(/worth/)
    expect(() => sweep([at(1, [680n])])).toThrow(/worth/)
    expect(() => sweep([at(1, [])])).toThrow(/Nothing/)
  })

  test('many addresses, one transaction: each output is just what lay at one, and the lane alone pays the fee', () => {
    const values = fc.array(fc.bigInt({ min: 700n, max: 90_000n }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (all) => {
        const addresses = all.map((of, place) => at(place, of))
        const { inputs, outputs, changeAt, sweeps } = sweep(addresses, [coin(400_000n, 1), coin(600n, 2)])
        for (const [place, { coins, orderId }] of addresses.entries()) {
          const [paid, text] = [outputs[2 * place], outputs[2 * place + 1]]
          expect(paid).toEqual({ script: depository, value: value(coins) })
          expect(text?.script).toEqual(orderScript(orderId))
        }
        expect([outputs.length, changeAt, sweeps?.length]).toEqual([2 * all.length + 1, 2 * all.length, all.length])
        expect(inputs.at(-1)?.script).toEqual(from)
      }),
    )
  })

  test('without a coin of the lane that pays the fee nothing is swept; several small ones pay together', () => {
    expect(() => sweep([at(1, [5000n])], [])).toThrow(/network fee/)
    expect(sweep([at(1, [5000n])], [coin(400n, 1), coin(420n, 2)]).inputs).toHaveLength(3)
  })

  test('a bump takes its fee of the lane alone; a cancel spends nothing but coins of the lane', () => {
    const first = sweep([at(1, [5000n, 800n]), at(2, [900n])])
    const raised = raiseFee(first, { rate: 9000n })
    expect(raised?.inputs).toEqual(first.inputs)
    expect(raised?.outputs.slice(0, 4)).toEqual(first.outputs.slice(0, 4))
    expect(raised?.sweeps).toEqual(first.sweeps)
    const cancelled = raised && cancelPayout(raised, { rate: 9000n }, from)
    expect(cancelled?.inputs).toEqual(first.inputs.slice(-1))
    expect(cancelled?.outputs.map(({ script }) => script)).toEqual([from])
    expect(cancelled && payoutFee(cancelled)).toBeGreaterThan(raised ? payoutFee(raised) : 0n)
    expect(cancelled?.sweeps).toBeUndefined()
  })

  test('stored and read back it is the same, keys of its addresses included', () => {
    const made = sweep([at(1, [5000n]), at(2, [900n])])
    const stored: unknown = JSON.parse(JSON.stringify(encodePayout(made)))
    // CAST: it was JSON before.
    const read = decodePayout(stored as ReturnType<typeof encodePayout>)
    expect([payoutId(read), read.sweeps]).toEqual([payoutId(made), made.sweeps])
  })
})

describe('BIP-125: a later version takes the place of the earlier ones', () => {
  test('same inputs and payments, a fee higher by the relay fee of its size and by rate; change is never dust', () => {
    fc.assert(
      fc.property(coins, fc.array(fc.bigInt({ min: 1000n, max: 60_000n }), { maxLength: 5 }), (coins, rates) => {
        const amount = coins.reduce((sum, { value }) => sum + value, 0n) / 2n
        if (amount < 20_000n) return
        let version = buildPayout(paying(amount), coins)
        for (const rate of rates) {
          const next = raiseFee(version, { rate })
          if (next === null) return
          expect(next.inputs).toEqual(version.inputs)
          expect(next.outputs.slice(0, 2)).toEqual(version.outputs.slice(0, 2))
          expect(payoutFee(next)).toBeGreaterThanOrEqual(payoutFee(version) + payoutSize(next))
          expect(payoutFee(next) * payoutSize(version)).toBeGreaterThan(payoutFee(version) * payoutSize(next))
          expect(payoutFee(next)).toBeGreaterThanOrEqual(feeOf(payoutSize(next), rate))
          const change = next.changeAt === null ? null : next.outputs[next.changeAt]
          expect(change === null || (change !== undefined && change.value >= dustLimit(from))).toBe(true)
          version = next
        }
      }),
    )
  })

  test('without change to take from it asks for another coin, or says that it cannot', () => {
    const payout = buildPayout({ ...terms, highestRate: terms.rate }, [coin(20_500n, 0)])
    expect(payout.changeAt).toBeNull()
    expect(raiseFee(payout, { rate: 9000n })).toBeNull()
    const raised = raiseFee(payout, { rate: 9000n }, [coin(50_000n, 1)])
    expect(raised?.inputs.map(({ index }) => index)).toEqual([0, 1])
    expect(raised?.outputs.slice(0, 2)).toEqual(payout.outputs)
  })

  test('change is kept for raising the fee where the coins allow it', () => {
    const payout = buildPayout(terms, [coin(20_500n, 0), coin(21_000n, 1), coin(90_000n, 2)])
    expect(raiseFee(payout, { rate: terms.highestRate })).not.toBeNull()
  })

  test('a cancellation spends the same inputs, pays nobody but the payer, and replaces the payment', () => {
    const payout = buildPayout(terms, [coin(300_000n, 0)])
    const cancelled = cancelPayout(payout, { rate: 3000n }, from)
    expect(cancelled?.inputs).toEqual(payout.inputs)
    expect(cancelled?.outputs.map(({ script }) => script)).toEqual([from])
    expect(cancelled && payoutFee(cancelled) > payoutFee(payout)).toBe(true)
  })
})

describe('guards: one for each outpoint', () => {
  test('a guard names its outpoint and nothing else is one', () => {
    const guard = coinGuard({ txId: 'ab'.repeat(32), index: 3 })
    expect(outpointOfGuard(guard)).toEqual({ txId: 'ab'.repeat(32), index: 3 })
    for (const text of ['', 'nonce:1:2', `coin:${'ab'.repeat(32)}`, `coin:${'AB'.repeat(32)}:1`]) {
      expect(outpointOfGuard(text)).toBeNull()
    }
  })

  test('dead only when a final stranger holds an outpoint; landed only when a version is final', () => {
    const versions = new Set(['v1', 'v2'])
    const judge = (...spends: ([string, bigint] | null)[]) =>
      judgeGeneration(
        spends.map((spend) => (spend === null ? null : { txId: spend[0], confirmations: spend[1] })),
        versions,
        4n,
      )
    expect(judge(null, null)).toBe('alive')
    expect(judge(['stranger', 4n], null)).toBe('alive')
    expect(judge(['stranger', 0n])).toBe('alive')
    expect(judge(['stranger', 5n], null)).toBe('dead')
    expect(judge(null, ['stranger', 9n])).toBe('dead')
    expect(judge(['v2', 4n])).toBe('alive')
    expect(judge(['v2', 5n], ['v2', 5n])).toBe('landed')
  })
})

/** r and s of a DER signature with its sighash behind. */
const compact = (der: Uint8Array): Uint8Array => {
  const length = der[3] ?? 0
  const [r, s] = [der.subarray(4, 4 + length), der.subarray(6 + length, der.length - 1)]
  const fixed = (part: Uint8Array) => Buffer.concat([Buffer.alloc(32), part]).subarray(-32)
  return Uint8Array.from([...fixed(r), ...fixed(s)])
}
