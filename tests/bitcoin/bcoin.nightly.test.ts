import { accountOfSeed, BvmAdapter, NETWORKS } from '@causeway/chain-bvm'
import {
  accountOf,
  type BitcoinAccount,
  type LocalBitcoin,
  SPEND_FORMS,
  type SpendForm,
  startLocalBitcoin,
} from '@causeway/chain-bvm/testing'
import { environmentOf, systemClock } from '@causeway/core'
import { createSecp256k1Signer, type Payout, type PreparedAttempt, type SignedAttempt } from '@causeway/core/chain'
import { crypto, Psbt, Transaction } from 'bitcoinjs-lib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BcoinJudge, installBcoin, type JudgedTransaction, type Verdict } from './bcoinJudge.js'
import { BTC } from './bitcoinNetwork.js'

const [SOLVER_KEY, VAULT_KEY] = ['c1'.repeat(32), 'c2'.repeat(32)]
const [solver, vault] = [SOLVER_KEY, VAULT_KEY].map((key) => accountOf(Buffer.from(key, 'hex'))) as [
  BitcoinAccount,
  BitcoinAccount,
]
const [signer, allocator] = [createSecp256k1Signer(`0x${SOLVER_KEY}`), createSecp256k1Signer(`0x${VAULT_KEY}`)]
const ORDER = `0x${'5a'.repeat(32)}` as const
/** bcoin is of before taproot: it judges what such an output asks for as unknown. */
const UNKNOWN = 'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM'
const SETTLE = 2
const SEED = new Uint8Array(32).fill(5)

let chain: LocalBitcoin
let adapter: BvmAdapter
let bcoin: BcoinJudge
/** By what each is. */
const made = new Map<string, { readonly tx: Transaction; readonly spends: JudgedTransaction; readonly fee: bigint }>()
let verdicts: ReadonlyMap<string, Verdict>

beforeAll(async () => {
  ;[chain, bcoin] = await Promise.all([startLocalBitcoin({ policy: { coinbaseMaturity: 1 } }), installBcoin()])
  await chain.setFeeRates({ 2: 3000n })
  adapter = openAdapter()
  for (const form of SPEND_FORMS) await makeDeposit(form)
  await makePayouts()
  await makeWithdrawal()
  await makeSweeps()
  const answers = bcoin.judge([...made.values()].map(({ spends }) => spends))
  verdicts = new Map([...made.keys()].flatMap((name, at) => (answers[at] ? [[name, answers[at]]] : [])))
})
afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
  bcoin?.close()
})

const openAdapter = (creditSweeps = false): BvmAdapter => {
  const config = {
    id: 9_000_003,
    slug: 'glacier',
    name: 'glacier',
    package: '@causeway/chain-bvm',
    rpc: [{ http: chain.url }],
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
    solver: solver.addresses.p2wpkh,
    enabled: true,
    options: {},
  }
  const depositAccountKey = accountOfSeed(SEED, NETWORKS.regtest).publicExtendedKey
  const [depository, network] = [vault.addresses.p2wpkh, 'regtest' as const]
  const options = { depository, network, maxFeeRate: 50, depositAccountKey, creditSweeps }
  return new BvmAdapter(options, {
    config,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    environment: environmentOf({}),
  })
}

/** Keeps a transaction with the outputs that it spends, as the chain has them. */
const keep = (name: string, tx: Transaction): void => {
  const coins = tx.ins.map(({ hash, index: vout }) => {
    const txid = Buffer.from(hash).reverse().toString('hex')
    const place = chain.node.chain.placeOf(txid)
    const output = place?.block.transactions.find((one) => one.txid === txid)?.tx.outs[vout]
    if (output === undefined) throw new Error(`${name} spends what is in no block`)
    return { txid, vout, value: output.value, script: output.script }
  })
  const sumOf = (parts: readonly { readonly value: bigint }[]) => parts.reduce((sum, { value }) => sum + value, 0n)
  made.set(name, { tx, spends: { hex: tx.toHex(), coins }, fee: sumOf(coins) - sumOf(tx.outs) })
}

/** A user's deposit out of two coins, as the quote's PSBT asks for it and a wallet of that form signs it. */
const makeDeposit = async (form: SpendForm): Promise<void> => {
  const user = chain.accounts[SPEND_FORMS.indexOf(form)]
  if (user === undefined) throw new Error('no user')
  // Other coins than those that it starts with.
  const key = form === 'p2wpkh' ? accountOf(crypto.sha256(Buffer.from('bcoin'))) : user
  for (const value of [70_000n, 60_000n]) await chain.fund(key.addresses[form], value)
  const [step] = await adapter.buildDeposit({
    from: key.addresses[form],
    money: { currency: BTC, amount: 100_000n },
    orderId: ORDER,
    explicitDeposit: false,
    userPublicKey: Buffer.from(key.publicKey).toString('hex'),
  })
  if (step === undefined) throw new Error('no step')
  // CAST: the shape of a step item of Bitcoin (wire.md A.5).
  const { psbt: text } = step.data as unknown as { readonly psbt: string }
  const psbt = Psbt.fromHex(text, { network: chain.network })
  if (form === 'p2wsh') {
    for (const at of psbt.data.inputs.keys()) psbt.updateInput(at, { witnessScript: key.witnessScript })
  }
  psbt.signAllInputs(form === 'p2tr' ? key.taprootKey : key.key)
  const tx = psbt.finalizeAllInputs().extractTransaction()
  await chain.send(tx)
  keep(`a deposit of ${form} coins`, tx)
  await chain.mine()
}

const payoutOf = (to: string, more: Partial<Payout> = {}): Payout => ({
  purpose: 'fill',
  orderId: ORDER,
  from: solver.addresses.p2wpkh,
  to: { address: to },
  money: { currency: BTC, amount: 150_000n },
  calls: [],
  ...more,
})

const prepare = async (payout: Payout, { lane } = adapter): Promise<PreparedAttempt> => {
  const { position } = await lane.read(solver.addresses.p2wpkh, null)
  const [prepared] = (await lane.prepare([{ payout, gas: null }], position)).prepared
  if (!prepared) throw new Error('nothing was prepared')
  return prepared
}

/** Signs, sends and keeps one version. */
const send = async (name: string, prepared: PreparedAttempt | null): Promise<SignedAttempt> => {
  if (prepared === null) throw new Error(`no ${name}`)
  const attempt = await adapter.lane.sign(prepared, signer, allocator)
  expect(await adapter.lane.broadcast([attempt])).toEqual([{ outcome: 'known' }])
  keep(name, Transaction.fromHex(attempt.raw.slice(2)))
  expect(made.get(name)).toMatchObject({ fee: attempt.feeCap })
  return attempt
}

/** To each form of address; out of one coin, and out of several, with its later versions. */
const makePayouts = async (): Promise<void> => {
  const recipient = accountOf(crypto.sha256(Buffer.from('recipient')))
  for (const form of SPEND_FORMS) {
    await chain.fund(solver.addresses.p2wpkh, 400_000n)
    await send(`a fill to ${form}`, await prepare(payoutOf(recipient.addresses[form])))
    await chain.mine(SETTLE)
  }
  const money = { currency: BTC, amount: 900_000n }
  const refund = payoutOf(recipient.addresses.p2tr, { purpose: 'refund', money })
  const first = await send('a refund out of several coins', await prepare(refund))
  const raised = await send('its replacement', await adapter.lane.replace(first))
  const cancelled = await send('its cancellation', await adapter.lane.cancel(raised))
  await send('its raised cancellation', await adapter.lane.replace(cancelled))
  await chain.mine(SETTLE)
}

const makeWithdrawal = async (): Promise<void> => {
  const money = { currency: BTC, amount: 123_456n }
  await send('a withdrawal', await prepare(payoutOf(solver.addresses.p2wpkh, { purpose: 'withdraw', money })))
  await chain.mine(SETTLE)
}

/** Two coins of a deposit address and one of the lane's; not sent, since nodes do not pass the longer text on. */
const makeSweeps = async (): Promise<void> => {
  const terms = { orderId: ORDER, depositor: solver.addresses.p2tr }
  const derived = adapter.depositAddresses?.derive?.(terms)
  if (derived === undefined) throw new Error('no deposit address')
  for (const value of [40_000n, 50_000n]) await chain.fund(derived.destination.address, value)
  const sweep = { address: { ...terms, ...derived }, currencies: [BTC] }
  const payout = payoutOf(vault.addresses.p2wpkh, {
    purpose: 'sweep',
    money: { currency: BTC, amount: 90_000n },
    sweep,
  })
  for (const credited of [false, true]) {
    const sweeper = openAdapter(credited)
    const { raw } = await sweeper.lane.sign(await prepare(payout, sweeper), signer, undefined, SEED)
    await sweeper.stop()
    keep(credited ? 'a sweep that names the depositor' : 'a sweep', Transaction.fromHex(raw.slice(2)))
  }
}

const DEPOSITS = SPEND_FORMS.map((form) => [form, `a deposit of ${form} coins`] as const)
const PAYOUTS = [
  ...SPEND_FORMS.map((form) => `a fill to ${form}`),
  'a refund out of several coins',
  'its replacement',
  'its cancellation',
  'its raised cancellation',
  'a withdrawal',
  'a sweep',
  'a sweep that names the depositor',
]

const judged = (name: string) => {
  const [one, verdict] = [made.get(name), verdicts.get(name)]
  if (one === undefined || verdict === undefined) throw new Error(`no ${name}`)
  return { ...one, verdict }
}

/** Id, sizes and fee as we reckon them, and a form that a block may hold. */
const expectSame = (name: string): Verdict => {
  const { tx, fee, verdict } = judged(name)
  expect(verdict).toMatchObject({
    txid: tx.getId(),
    weight: tx.weight(),
    vsize: tx.virtualSize(),
    fee: Number(fee),
    insane: null,
  })
  expect(verdict.failures).toHaveLength(tx.ins.length)
  return verdict
}

describe('bcoin, whose rules and curve are neither ours nor those of the library that the test node judges by', () => {
  it.each(DEPOSITS.filter(([form]) => form !== 'p2tr'))('%s: takes the deposit that a wallet signed', (_, name) => {
    expect(expectSame(name).failures).toEqual([null, null])
  })

  it('p2tr: reckons id, sizes and fee of the deposit alike; it knows no taproot, so this proves nothing of signatures', () => {
    expect(expectSame('a deposit of p2tr coins').failures).toEqual([UNKNOWN, UNKNOWN])
  })

  it.each(PAYOUTS)('takes %s', (name) => {
    expect(expectSame(name).failures.filter((failure) => failure !== null)).toEqual([])
  })
})

describe('what bcoin refuses', () => {
  const ask = (spends: JudgedTransaction): Verdict => {
    const [verdict] = bcoin.judge([spends])
    if (verdict === undefined) throw new Error('no verdict')
    return verdict
  }

  it.each(DEPOSITS.filter(([form]) => form !== 'p2tr'))('%s: another byte in a signature', (form, name) => {
    const { tx, spends } = judged(name)
    const changed = tx.clone()
    const [, input] = changed.ins
    const signature = form === 'p2pkh' ? input?.script : input?.witness[0]
    if (signature?.[20] === undefined) throw new Error('no signature')
    signature[20] ^= 1
    expect(ask({ ...spends, hex: changed.toHex() }).failures).toEqual([null, 'NULLFAIL'])
  })

  it.each(['a deposit of p2sh-p2wpkh coins', 'a deposit of p2wsh coins', 'a fill to p2wpkh', 'a withdrawal'])(
    '%s: another value of what it spends than was signed for',
    (name) => {
      const { spends } = judged(name)
      const coins = spends.coins.map((coin) => ({ ...coin, value: coin.value + 1n }))
      expect(new Set(ask({ ...spends, coins }).failures)).toEqual(new Set(['NULLFAIL']))
    },
  )

  it('a payment that spends one coin twice', () => {
    const { tx, spends } = judged('a fill to p2wpkh')
    const changed = tx.clone()
    const [input] = changed.ins
    if (input === undefined) throw new Error('no input')
    changed.ins.push(input)
    expect(ask({ ...spends, hex: changed.toHex() }).insane).toBe('bad-txns-inputs-duplicate')
  })
})
