import { createSecp256k1Signer } from '@causeway/core/chain'
import { initEccLib, Psbt, Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOfScript } from './address/scriptAddress.js'
import { spendable } from './coins/spendable.js'
import { buildDepositPsbt, planDeposit } from './deposit/depositPsbt.js'
import { readDeposits } from './deposit/readDeposit.js'
import { buildSweep } from './derive/buildSweep.js'
import { accountOfSeed, depositAddressSigner, deriveDepositAddress } from './derive/depositAddress.js'
import { ecc } from './network/curve.js'
import { NETWORKS } from './network/networks.js'
import { buildPayout } from './payout/buildPayout.js'
import { judgeGeneration } from './payout/generationState.js'
import { payoutSigner } from './payout/payoutSigner.js'
import { keyScript, type PayoutTransaction, signPayout } from './payout/payoutTransaction.js'
import { cancelPayout, raiseFee } from './payout/replacePayout.js'
import { CoreSource } from './source/coreSource.js'
import { EsploraSource } from './source/esplora/esploraSource.js'
import {
  type BitcoinAccount,
  type LocalBitcoin,
  SPEND_FORMS,
  type SpendForm,
  startLocalBitcoin,
} from './testing/index.js'

initEccLib(ecc)

const network = NETWORKS.regtest
const orderId = `0x${'5a'.repeat(32)}` as const
const solver = payoutSigner(createSecp256k1Signer(`0x${'31'.repeat(32)}`))
const solverScript = keyScript(solver.publicKey)
const solverAddress = addressOfScript(solverScript, network) ?? ''
const solverCoins = { address: solverAddress, script: solverScript }

let chain: LocalBitcoin
let source: EsploraSource
let core: CoreSource

beforeAll(async () => {
  chain = await startLocalBitcoin()
  source = new EsploraSource({ url: chain.url, timeoutMs: 10_000, maxBytes: 8_000_000 })
  core = new CoreSource({ url: chain.rpcUrl, timeoutMs: 10_000, maxBytes: 8_000_000 })
  await chain.fund(solverAddress, 2_000_000n)
})

afterAll(async () => {
  source.close()
  core.close()
  await chain.close()
})

const account = (at: number): BitcoinAccount => {
  const found = chain.accounts[at]
  if (found === undefined) throw new Error('no such account')
  return found
}

const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const

/** Signs as a wallet does: with its own keys, and what it knows of its own scripts. */
const signAsWallet = (
  text: string,
  { key, taprootKey, witnessScript }: BitcoinAccount,
  form: SpendForm,
): Transaction => {
  const psbt = Psbt.fromHex(text, { network: network.parameters })
  psbt.data.inputs.forEach((_, at) => {
    if (form === 'p2wsh') psbt.updateInput(at, { witnessScript })
  })
  psbt.signAllInputs(form === 'p2tr' ? taprootKey : key)
  return psbt.finalizeAllInputs().extractTransaction()
}

describe('wire.md A.5 bvm: a node takes the deposit that a wallet signed, and it is read as one', () => {
  test.each(SPEND_FORMS.map((form, at) => [form, at] as const))('%s', async (form, at) => {
    const user = account(at)
    const [address, script] = [user.addresses[form], user.scripts[form]]
    await chain.fund(address, 70_000n)
    await chain.fund(address, 60_000n)
    const terms = {
      network,
      from: address,
      publicKey: hexOf(user.publicKey),
      to: solverAddress,
      amount: 100_000n,
      orderId,
      rate: 2000n,
    }
    const coins = (await source.coins({ address, script })).filter(({ value }) => value < 80_000n)
    const psbt = await buildDepositPsbt(terms, planDeposit(terms, coins), async (id) => {
      const raw = await source.rawTransaction(id)
      return raw ?? new Uint8Array()
    })
    const signed = signAsWallet(psbt, user, form)
    expect(await source.broadcast(`0x${signed.toHex()}`)).toEqual({ outcome: 'known' })
    for (const node of [source, core]) {
      const [seen] = (await node.waiting(solverCoins)).filter(({ id }) => id === signed.getId())
      expect(seen && readDeposits(seen, { network, depository: solverScript })[0]).toMatchObject({
        orderId,
        amount: 100_000n,
        depositor: address,
        index: 1,
        leastConfirmations: 1n,
      })
    }
    await chain.mine()
  })
})

describe('BIP-125: a node takes each version in place of the one before', () => {
  const send = async (payout: PayoutTransaction) => {
    const { raw, txId } = await signPayout(payout, [solver])
    return { txId, result: await source.broadcast(hexOf(raw)) }
  }

  const fill = async () => {
    const { height: tip } = await source.tip()
    const all = await source.coins(solverCoins)
    const coins = spendable(all, { tip, locked: new Set(), own: new Set() })
    const to = account(9).scripts.p2tr
    return buildPayout(
      { payments: [{ to, amount: 150_000n, orderId }], from: solverScript, rate: 1000n, highestRate: 20_000n },
      coins,
    )
  }

  test('a fill, two bumps, and what is left of it: one version in a block, its outpoints landed', async () => {
    const first = await fill()
    const versions = [first]
    for (const rate of [1001n, 9000n]) {
      const next = raiseFee(versions.at(-1) ?? first, { rate })
      if (next !== null) versions.push(next)
    }
    const ids = new Set<string>()
    for (const version of versions) {
      const { txId, result } = await send(version)
      expect(result).toEqual({ outcome: 'known' })
      ids.add(txId)
    }
    expect(ids.size).toBe(3)
    // The first version again: it is the cheaper one now.
    expect((await send(first)).result).toMatchObject({ outcome: 'rejected' })
    await chain.mine(5)
    const spends = await Promise.all(first.inputs.map((input) => source.spend(input, 0n)))
    expect(judgeGeneration(spends, ids, 4n)).toBe('landed')
    expect(judgeGeneration(spends, new Set(['of another payout']), 4n)).toBe('dead')
  })

  test('a cancelled fill never lands', async () => {
    const payout = await fill()
    const { txId } = await send(payout)
    const cancelled = cancelPayout(payout, { rate: 3000n }, solverScript)
    if (cancelled === null) throw new Error('not cancelled')
    expect((await send(cancelled)).result).toEqual({ outcome: 'known' })
    await chain.mine(3)
    expect(await source.transaction(txId)).toBeNull()
    expect(judgeGeneration([await source.spend(payout.inputs[0] ?? { txId, index: 0 }, 0n)], new Set([txId]), 2n)).toBe(
      'dead',
    )
  })
})

test('chains.md bvm 8: what arrives at a deposit address is swept whole, with its own key; the lane pays the fee', async () => {
  const root = accountOfSeed(new Uint8Array(32).fill(5), network)
  const salt = `0x${'77'.repeat(32)}` as const
  const derived = deriveDepositAddress(root, salt, network)
  await chain.fund(derived.address, 40_000n)
  await chain.fund(solverAddress, 300_000n)
  const [depository, user] = [account(8), account(9)]
  const rules = { network, depository: depository.scripts.p2wpkh }
  const [coins = [], lane = []] = await source.coinsOf([derived, solverCoins])
  const build = (depositor: string | null, lying = coins) =>
    buildSweep(
      {
        addresses: [{ orderId, salt, script: derived.script, depositor, coins: lying }],
        depository: rules.depository,
        from: solverScript,
        rate: 2000n,
        highestRate: 20_000n,
      },
      lane.filter(({ height }) => height !== null),
    )
  const signers = [depositAddressSigner(root, salt), solver]
  const seen = async (raw: Uint8Array) => {
    const transaction = await source.transaction(Transaction.fromBuffer(raw).getId())
    return transaction && readDeposits(transaction, rules)
  }
  const plain = await signPayout(build(null), signers)
  expect(await core.broadcast(hexOf(plain.raw))).toEqual({ outcome: 'known' })
  expect(await seen(plain.raw)).toMatchObject([{ orderId, depositor: derived.address, amount: 40_000n }])
  // The longer text is more than nodes of today pass on by themselves; in a block it is good.
  const { raw } = await signPayout(build(user.addresses.p2tr), signers)
  expect(await core.broadcast(hexOf(raw))).toMatchObject({ outcome: 'rejected', reason: 'invalid' })
  await chain.mine(1, { transactions: [Transaction.fromBuffer(raw)] })
  expect(await seen(raw)).toMatchObject([{ orderId, depositor: user.addresses.p2tr, amount: 40_000n }])
  expect(() => build(null, [])).toThrow(/nothing/i)
})
