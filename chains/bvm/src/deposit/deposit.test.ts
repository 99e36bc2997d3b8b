import { ServiceError } from '@causeway/core'
import { crypto, initEccLib, Psbt, payments, Transaction } from 'bitcoinjs-lib'
import { describe, expect, test } from 'vitest'
import { ecc } from '../address/curve.js'
import { NETWORKS } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import type { Coin } from '../payout/coins/coin.js'
import { leastDeposit } from '../payout/coins/dust.js'
import { type ChainTransaction, feePaid } from '../rpc/chainTransaction.js'
import { buildDepositPsbt, type DepositTerms, planDeposit } from './depositPsbt.js'
import { orderScript, readOrderId } from './orderText.js'
import { readDeposits } from './readDeposits.js'

initEccLib(ecc)

const network = NETWORKS.regtest
const parameters = network.parameters
const orderId = `0x${'ab'.repeat(32)}` as const

/** A wallet with one key and an address of every kind. */
const walletOf = (fill: number) => {
  const secret = new Uint8Array(32).fill(fill)
  const publicKey = ecc.pointFromScalar(secret, true) as Uint8Array
  const even = publicKey[0] === 2 ? secret : ecc.privateNegate(secret)
  const tweaked = ecc.privateAdd(even, crypto.taggedHash('TapTweak', publicKey.subarray(1))) as Uint8Array
  const signer = { publicKey, sign: (hash: Uint8Array) => ecc.sign(hash, secret) }
  const taproot = {
    publicKey: ecc.pointFromScalar(tweaked, true) as Uint8Array,
    sign: (hash: Uint8Array) => ecc.sign(hash, tweaked),
    signSchnorr: (hash: Uint8Array) => ecc.signSchnorr(hash, tweaked),
  }
  const nested = payments.p2wpkh({ pubkey: publicKey, network: parameters })
  return {
    publicKey: `0x${Buffer.from(publicKey).toString('hex')}` as const,
    p2pkh: { ...payments.p2pkh({ pubkey: publicKey, network: parameters }), signer },
    p2sh: { ...payments.p2sh({ redeem: nested, network: parameters }), signer },
    p2wpkh: { ...nested, signer },
    p2tr: { ...payments.p2tr({ internalPubkey: publicKey.subarray(1), network: parameters }), signer: taproot },
  }
}

const user = walletOf(7)
const depository = walletOf(9).p2wpkh.address as string
const depositoryScript = walletOf(9).p2wpkh.output as Uint8Array

/** Transactions that gave an address its coins, by id. */
const fund = (script: Uint8Array, values: readonly bigint[]) => {
  const raws = new Map<string, Uint8Array>()
  const coins = values.map((value, at): Coin => {
    const parent = new Transaction()
    parent.addInput(new Uint8Array(32).fill(at + 1), at)
    parent.addOutput(script, value)
    raws.set(parent.getId(), parent.toBuffer())
    return { txId: parent.getId(), index: 0, value, script, height: 5n }
  })
  return { coins, readRaw: async (id: string) => raws.get(id) as Uint8Array }
}

const termsOf = (from: string, change: Partial<DepositTerms> = {}): DepositTerms => ({
  network,
  from,
  publicKey: null,
  to: depository,
  amount: 50_000n,
  orderId,
  rate: 3000n,
  ...change,
})

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return ServiceError.is(error) ? error.code : String(error)
  }
}

describe('wire.md A.5 bvm: the PSBT of a deposit', () => {
  test.each(['p2pkh', 'p2sh', 'p2wpkh', 'p2tr'] as const)(
    '%s: a wallet signs it, and it pays what was asked',
    async (kind) => {
      const { address = '', output: script = new Uint8Array(), signer } = user[kind]
      const { coins, readRaw } = fund(script, [30_000n, 40_000n, 500n])
      const terms = termsOf(address, { publicKey: user.publicKey })
      const plan = planDeposit(terms, coins)
      const psbt = Psbt.fromHex(await buildDepositPsbt(terms, plan, readRaw), { network: parameters })
      expect(psbt.txOutputs.map(({ script, value }) => ({ script: Buffer.from(script), value }))).toEqual([
        { script: Buffer.from(depositoryScript), value: 50_000n },
        { script: Buffer.from(orderScript(orderId)), value: 0n },
        { script: Buffer.from(script), value: plan.change },
      ])
      psbt.signAllInputs(signer).finalizeAllInputs()
      expect(psbt.getFee()).toBe(plan.fee)
      const transaction = psbt.extractTransaction()
      const real = BigInt(transaction.virtualSize())
      expect(plan.size).toBeGreaterThanOrEqual(real)
      expect(plan.size - real).toBeLessThanOrEqual(BigInt(2 * plan.coins.length))
      expect(transaction.ins.every(({ sequence }) => sequence >= 0xffff_fffe)).toBe(true)
    },
  )

  test.each([
    ['p2pkh', [false, true]],
    ['p2sh', [true, true]],
    ['p2wpkh', [true, true]],
    ['p2tr', [true, false]],
  ] as const)('%s: witness and previous transaction are %j, as hardware wallets need them', async (kind, carried) => {
    const { address = '', output: script = new Uint8Array() } = user[kind]
    const { coins, readRaw } = fund(script, [30_000n, 40_000n])
    const terms = termsOf(address, { publicKey: user.publicKey })
    const inputsOf = async (read: typeof readRaw) => {
      const psbt = Psbt.fromHex(await buildDepositPsbt(terms, planDeposit(terms, coins), read), { network: parameters })
      return psbt.data.inputs.map((input) => [input.witnessUtxo !== undefined, input.nonWitnessUtxo !== undefined])
    }
    expect(await inputsOf(readRaw)).toEqual([carried, carried])
    const without = inputsOf(async () => {
      throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lost a transaction.')
    })
    if (kind === 'p2pkh') await expect(without).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    else
      expect(await without).toEqual([
        [true, false],
        [true, false],
      ])
  })

  test('P2WPKH: of very many coins no previous transaction is read', async () => {
    const { address = '', output: script = new Uint8Array() } = user.p2wpkh
    const { coins } = fund(
      script,
      Array.from({ length: 70 }, () => 1_000n),
    )
    const terms = termsOf(address, { rate: 1_000n })
    const psbt = await buildDepositPsbt(terms, planDeposit(terms, coins), () => expect.unreachable())
    expect(Psbt.fromHex(psbt, { network: parameters }).inputCount).toBeGreaterThan(50)
  })

  test('P2WSH: the wallet, which knows its script, finds the output that it spends', async () => {
    const redeem = payments.p2ms({ m: 1, pubkeys: [user.p2wpkh.pubkey as Uint8Array], network: parameters })
    const { address = '', output: script = new Uint8Array() } = payments.p2wsh({ redeem, network: parameters })
    const { coins, readRaw } = fund(script, [90_000n])
    const plan = planDeposit(termsOf(address), coins)
    const psbt = Psbt.fromHex(await buildDepositPsbt(termsOf(address), plan, readRaw), { network: parameters })
    psbt.updateInput(0, { witnessScript: redeem.output as Uint8Array })
    psbt.signAllInputs(user.p2wpkh.signer).finalizeAllInputs()
    expect(plan.size).toBeGreaterThanOrEqual(BigInt(psbt.extractTransaction().virtualSize()))
  })

  test('coins of somebody else, and those that wait for a block, are never an input', () => {
    const foreign = fund(walletOf(8).p2wpkh.output as Uint8Array, [1_000_000n]).coins
    const own = fund(user.p2wpkh.output as Uint8Array, [60_000n]).coins
    const waiting = own.map((coin) => ({ ...coin, index: 1, value: 55_000n, height: null }))
    const plan = planDeposit(termsOf(user.p2wpkh.address as string), [...foreign, ...waiting, ...own])
    expect(plan.coins).toEqual(own)
  })

  test('change that would be dust goes into the fee', () => {
    const { coins } = fund(user.p2wpkh.output as Uint8Array, [50_900n])
    const plan = planDeposit(termsOf(user.p2wpkh.address as string), coins)
    expect(plan).toMatchObject({ change: 0n, fee: 900n })
  })

  test('bad requests are told by code: no coins, too few, dust, a wrong key, a hidden script', () => {
    const from = user.p2wpkh.address as string
    expect(codeOf(() => planDeposit(termsOf(from), []))).toBe('INSUFFICIENT_FUNDS')
    const { coins } = fund(user.p2wpkh.output as Uint8Array, [50_100n])
    try {
      planDeposit(termsOf(from), coins)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        code: 'INSUFFICIENT_FUNDS',
        message: /0\.00050\d{3} BTC.*0\.00050100 BTC in blocks/,
      })
      expect(error).toMatchObject({ data: { errorData: { available: '50100' } } })
    }
    expect(codeOf(() => planDeposit(termsOf(from, { amount: 680n }), coins))).toBe('AMOUNT_TOO_LOW')
    expect(codeOf(() => planDeposit(termsOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), coins))).toBe(
      'INVALID_ADDRESS',
    )
  })

  test.each([
    ['a larger value', { value: 45_000n }],
    ['a smaller value', { value: 35_000n }],
    ['another output', { index: 1 }],
  ])('F05: %s than the transaction has is refused where the previous transaction is read', async (_, lie) => {
    for (const kind of ['p2pkh', 'p2wpkh'] as const) {
      const { address = '', output: script = new Uint8Array() } = user[kind]
      const { coins, readRaw } = fund(script, [30_000n, 40_000n])
      const terms = termsOf(address)
      const told = coins.map((coin, at) => (at === 1 ? { ...coin, ...lie } : coin))
      await expect(buildDepositPsbt(terms, planDeposit(terms, told), readRaw)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
      const foreign = fund(walletOf(8).p2wpkh.output as Uint8Array, [30_000n, 40_000n])
      const claimed = foreign.coins.map((coin) => ({ ...coin, script }))
      await expect(buildDepositPsbt(terms, planDeposit(terms, claimed), foreign.readRaw)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
    }
  })

  test('P2SH needs the key of its wallet, and only that one will do (wire.md 1.2 additionalData.userPublicKey)', async () => {
    const { address = '', output: script = new Uint8Array() } = user.p2sh
    const { coins, readRaw } = fund(script, [90_000n])
    for (const publicKey of [null, walletOf(8).publicKey, '0x04ab'] as const) {
      const terms = termsOf(address, { publicKey })
      await expect(buildDepositPsbt(terms, planDeposit(terms, coins), readRaw)).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      })
    }
  })
})

describe('chains.md bvm 3: what a transaction deposits', () => {
  const sender = user.p2wpkh.output as Uint8Array
  const transaction = (
    outputs: ChainTransaction['outputs'],
    inputs: readonly (Uint8Array | null)[] = [sender],
  ): ChainTransaction => ({
    id: 'aa'.repeat(32),
    inputs: inputs.map((script, index) => ({
      outpoint: { txId: 'bb'.repeat(32), index },
      previous: script === null ? null : { script, value: 100_000n },
      sequence: 0xffff_fffe,
    })),
    outputs,
    block: null,
  })
  const paid = (value: bigint) => ({ script: depositoryScript, value })
  const text = (words: string) => ({
    script: Uint8Array.from([0x6a, ...push(words), ...Buffer.from(words)]),
    value: 0n,
  })
  const push = (words: string) => (words.length > 75 ? [0x4c, words.length] : [words.length])
  const readAll = (tx: ChainTransaction) => readDeposits(tx, { network, depository: depositoryScript })
  const read = (tx: ChainTransaction) => {
    const [found = null, ...others] = readAll(tx)
    expect(others).toEqual([])
    return found
  }

  test('two outputs to the depository are one deposit of their sum; its index is the place of the order id', () => {
    const other = { script: walletOf(3).p2tr.output as Uint8Array, value: 7n }
    expect(read(transaction([paid(1000n), other, paid(2000n), text(orderId)]))).toEqual({
      position: 0,
      orderId,
      amount: 3000n,
      depositor: user.p2wpkh.address,
      owner: user.p2wpkh.address,
      index: 3,
      spent: [{ txId: 'bb'.repeat(32), index: 0 }],
      leastConfirmations: 1n,
    })
  })

  test('several orders, each right behind an output of its own, are deposits of their own; never are two mixed up', () => {
    const [first, second] = [`0x${'c1'.repeat(32)}`, `0x${'c2'.repeat(32)}`]
    const [one, two] = [walletOf(3).p2wpkh, walletOf(4).p2wpkh]
    const [ofOne, ofTwo] = [one.output as Uint8Array, two.output as Uint8Array]
    const outputs = [paid(3000n), text(first), paid(5000n), text(second), { script: sender, value: 900n }]
    const swept = transaction(outputs, [ofOne, ofTwo, sender])
    const values = [3000n, 5000n, 1000n]
    const inputs = swept.inputs.map((input, at) => ({
      ...input,
      previous: { script: input.previous?.script ?? new Uint8Array(), value: values[at] ?? 0n },
    }))
    expect(readAll({ ...swept, inputs })).toMatchObject([
      { position: 0, index: 1, orderId: first, amount: 3000n, depositor: one.address, owner: null },
      { position: 1, index: 3, orderId: second, amount: 5000n, depositor: two.address, owner: null },
    ])
    // Where the inputs of an address are not just what its output is, the first one decides as ever.
    expect(readAll(swept).map(({ depositor }) => depositor)).toEqual([one.address, one.address])
    const named = text(`${second}|depositor=${one.address}|`)
    expect(readAll(transaction([paid(3000n), text(first), paid(5000n), named]))[1]?.depositor).toBe(one.address)
    for (const mixed of [
      [paid(3000n), text(first), paid(5000n), text(first)],
      [paid(3000n), paid(5000n), text(first), text(second)],
      [paid(3000n), text(first), text(second), paid(5000n)],
      [text(first), paid(3000n), text(second), paid(5000n), text(first)],
      [paid(3000n), text(first), paid(5000n), text(second), text(`0x${'c3'.repeat(32)}`)],
    ]) {
      expect(read(transaction(mixed))).toMatchObject({ orderId: first, amount: 8000n })
    }
  })

  test('without an order id, or with text that is none, it belongs to no order', () => {
    expect(read(transaction([paid(1000n)]))).toMatchObject({ orderId: null, index: 0 })
    expect(read(transaction([text('hello'), paid(1000n)]))).toMatchObject({ orderId: null, index: 0 })
    expect(read(transaction([text(`x${orderId}`), paid(1000n)]))).toMatchObject({ orderId: null })
  })

  test('the first order id counts, and is kept as it was written', () => {
    const [other, capitals] = [`0x${'cd'.repeat(32)}`, `0x${'AB'.repeat(32)}`]
    expect(read(transaction([text('note'), text(other), text(orderId), paid(1000n)]))).toMatchObject({
      orderId: other,
      index: 1,
    })
    expect(read(transaction([text(capitals), paid(1000n)]))).toMatchObject({ orderId: capitals })
  })

  test('a named depositor is credited when the bar closes and the address is one', () => {
    const named = walletOf(3).p2wpkh.address as string
    expect(read(transaction([text(`${orderId}|depositor=${named}|`), paid(1000n)]))?.depositor).toBe(named)
    for (const tail of [
      `|depositor=${named}`,
      '|depositor=nobody|',
      '|depositor=bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4|',
    ]) {
      expect(read(transaction([text(orderId + tail), paid(1000n)]))?.depositor).toBe(user.p2wpkh.address)
    }
  })

  test.each([
    ['without an order id', (named: string) => [`|depositor=${named}|`]],
    ['behind an order id that is too short', (named: string) => [`0x1234|depositor=${named}|`]],
    ['behind an order id that is no hex', (named: string) => [`0x${'zz'.repeat(32)}|depositor=${named}|`]],
    ['behind another that is no address', (named: string) => [`${orderId}|depositor=nobody|depositor=${named}|`]],
    ['in another output than the order id', (named: string) => [orderId, `|depositor=${named}|`]],
  ])('a depositor that is named %s is credited, as the public attestation service reads it', (_, textsOf) => {
    const named = walletOf(3).p2wpkh.address as string
    const texts = textsOf(named)
    const deposit = read(transaction([...texts.map(text), paid(1000n)]))
    expect(deposit).toMatchObject({ depositor: named, orderId: texts[0]?.startsWith(orderId) ? orderId : null })
  })

  test('F135: it is surely of an address only where all inputs are; a named depositor owns nothing', () => {
    const named = text(`${orderId}|depositor=${user.p2wpkh.address}|`)
    const stranger = walletOf(3).p2wpkh.output as Uint8Array
    expect(read(transaction([named, paid(1000n)], [sender, sender]))?.owner).toBe(user.p2wpkh.address)
    for (const inputs of [
      [stranger, stranger],
      [sender, stranger],
      [Uint8Array.from([0x51]), sender],
    ]) {
      const deposit = read(transaction([named, paid(1000n)], inputs))
      expect(deposit?.depositor).toBe(user.p2wpkh.address)
      expect(deposit?.owner).not.toBe(user.p2wpkh.address)
    }
  })

  test('an exchange’s batch: many outputs, the first sender with an address is the depositor', () => {
    const others = Array.from({ length: 200 }, (_, at) => ({
      script: Uint8Array.from([0, 20, ...new Array(20).fill(at)]),
      value: 5n,
    }))
    const bare = Uint8Array.from([0x21, ...new Array(33).fill(2), 0xac])
    const nested = user.p2sh.output as Uint8Array
    expect(read(transaction([...others, paid(1000n)], [bare, nested, sender]))).toMatchObject({
      amount: 1000n,
      depositor: user.p2sh.address,
    })
  })

  test('dust, nothing, and a withdrawal are no deposit', () => {
    expect(read(transaction([paid(leastDeposit(depositoryScript) - 1n), text(orderId)]))).toBeNull()
    expect(read(transaction([text(orderId)]))).toBeNull()
    expect(read(transaction([paid(9000n), text(orderId)], [sender, depositoryScript]))).toBeNull()
  })

  test('outputs that cost about as much as they bring count for nothing, however many there are', () => {
    const tiny = Array.from({ length: 500 }, () => paid(680n))
    expect(read(transaction([...tiny, text(orderId)]))).toBeNull()
    expect(read(transaction([...tiny, paid(681n), paid(9000n), text(orderId)]))).toMatchObject({ amount: 9681n })
  })

  test('F132: a block of one transaction, all inputs and outputs of it ours or dust, is one deposit', () => {
    // What fits the weight of a block: 31 bytes an output, 41 an input.
    const [outputs, inputs] = [30_000, 20_000]
    const startedAt = process.cpuUsage()
    const found = read(
      transaction(
        [...Array.from({ length: outputs }, () => paid(1_000n)), text(orderId)],
        Array.from({ length: inputs }, () => sender),
      ),
    )
    // Microseconds of a processor: others may have it in between.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000)
    expect(found).toMatchObject({ orderId, amount: 1_000n * BigInt(outputs), depositor: user.p2wpkh.address })
    expect(found?.spent).toHaveLength(inputs)
  })

  test('F34: a coinbase waits until it can be spent; a fee is only told when all inputs are', () => {
    const coinbase: ChainTransaction = {
      ...transaction([paid(5000n)]),
      inputs: [{ outpoint: null, previous: null, sequence: 0xffff_ffff }],
    }
    expect(read(coinbase)).toMatchObject({ leastConfirmations: 100n, depositor: null, spent: [] })
    expect(feePaid(coinbase)).toBe(0n)
    expect(feePaid(transaction([paid(5000n)]))).toBe(95_000n)
    expect(feePaid(transaction([paid(5000n)], [sender, null]))).toBeNull()
  })

  test('chains.md bvm 5 and 10: a fill carries the id and nothing else; pushes are minimal; long ones are not read', () => {
    const script = orderScript(orderId.toUpperCase().replace('0X', '0x') as typeof orderId)
    expect(script.length).toBe(68)
    expect(Buffer.from(script.subarray(2)).toString()).toBe(orderId)
    expect(readOrderId(Uint8Array.from([0x6a, 0x4d, 66, 0, ...Buffer.from(orderId)]))).toBeNull()
    for (const bytes of [[], [0x6a], [0x6a, 66], [0x6a, 0x4c], [0x51, 66, ...Buffer.from(orderId)]]) {
      expect(readOrderId(Uint8Array.from(bytes))).toBeNull()
    }
    expect(addressOfScript(script, network)).toBeNull()
  })
})
