import type { proto } from '@hiero-ledger/proto'
import { describe, expect, it } from 'vitest'
import { keyText } from './rules/signatures.js'
import { ecdsaKey, edwardsKey, hbarTransfer, testedEngine, tokenTransfer } from './signedTransaction.test.support.js'
import { accountIn } from './state/entries.js'
import { accountIdOf, int64, tokenIdOf } from './values.js'

const engine = testedEngine()
const { network, payer, payerKey, open, send, result, token, associate, hbarOf, unitsOf } = engine
const bob = open()
const pay = hbarTransfer([payer, -5], [bob.id, 5])

describe('a node refuses', () => {
  const many = Array.from({ length: 11 }, (_, at): [string, bigint] => [`0.0.${at + 1001}`, at === 0 ? -10n : 1n])
  it.each<[proto.ResponseCodeEnum | string, proto.ITransactionBody, Parameters<typeof send>[1]]>([
    ['INVALID_SIGNATURE', pay, { keys: [] }],
    ['INVALID_SIGNATURE', pay, { keys: [ecdsaKey()] }],
    ['INVALID_SIGNATURE', pay, { message: Buffer.from('another body') }],
    ['INVALID_NODE_ACCOUNT', pay, { at: '0.0.4' }],
    ['PAYER_ACCOUNT_NOT_FOUND', pay, { payer: '0.0.77777' }],
    ['TRANSACTION_EXPIRED', pay, { startsIn: -111n }],
    ['INVALID_TRANSACTION_START', pay, { startsIn: 2n }],
    ['INVALID_TRANSACTION_DURATION', { ...pay, transactionValidDuration: { seconds: int64(181) } }, {}],
    ['MEMO_TOO_LONG', { ...pay, memo: 'ü'.repeat(51) }, {}],
    ['INVALID_ZERO_BYTE_IN_STRING', { ...pay, memo: '\0' }, {}],
    ['INSUFFICIENT_TX_FEE', { ...pay, transactionFee: int64(83_332) }, {}],
    ['INVALID_ACCOUNT_AMOUNTS', hbarTransfer([payer, -5], [bob.id, 4]), {}],
    ['ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS', hbarTransfer([payer, -5], [payer, 5]), {}],
    ['TRANSFER_LIST_SIZE_LIMIT_EXCEEDED', hbarTransfer(...many), {}],
    ['TRANSFERS_NOT_ZERO_SUM_FOR_TOKEN', tokenTransfer('0.0.5', [payer, -5], [bob.id, 4]), {}],
    ['EMPTY_TOKEN_TRANSFER_ACCOUNT_AMOUNTS', tokenTransfer('0.0.5'), {}],
    ['INVALID_TRANSACTION_BODY', { freeze: {} }, {}],
    ['TRANSACTION_OVERSIZE', { cryptoCreateAccount: { key: { ed25519: new Uint8Array(7000) } } }, {}],
  ])('with %s', (code, body, options) => {
    const before = hbarOf(payer)
    expect(send(body, options).code).toBe(code)
    expect(hbarOf(payer)).toBe(before)
  })

  it('bytes that are no transaction', () => {
    expect(network.submit(Buffer.from('nonsense'), '0.0.3')).toBe('INVALID_TRANSACTION')
    expect(network.submit(new Uint8Array(), '0.0.3')).toBe('INVALID_TRANSACTION')
  })

  it('the payer without the fee, and more transactions than its throttle', () => {
    const poor = open(ecdsaKey(), 83_332n)
    expect(result(pay, { payer: poor.id, keys: [poor.key, payerKey] })).toBe('INSUFFICIENT_PAYER_BALANCE')
    network.close()
    network.settings.throttle = 1
    expect([result(pay), result(pay)]).toEqual(['SUCCESS', 'BUSY'])
    network.close()
    expect(result(pay)).toBe('SUCCESS')
    network.settings.throttle = Number.POSITIVE_INFINITY
  })
})

describe('at consensus', () => {
  it('a transfer moves its amounts, and the fee goes to node and network', () => {
    const [before, received] = [hbarOf(payer) ?? 0n, hbarOf(bob.id) ?? 0n]
    const [tx] = send({ ...pay, memo: 'order' }).txs
    expect(hbarOf(payer)).toBe(before - 5n - 83_333n)
    expect(hbarOf(bob.id)).toBe(received + 5n)
    expect(tx?.fee).toBe(83_333n)
    expect(tx?.transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n)
    expect(tx?.transfers.map(({ account }) => account)).toEqual([
      '0.0.3',
      '0.0.98',
      '0.0.800',
      '0.0.801',
      payer,
      bob.id,
    ])
  })

  it('a transaction that fails costs its fee and has no other effect', () => {
    const [before, received] = [hbarOf(payer) ?? 0n, hbarOf(bob.id)]
    const { txs } = send(hbarTransfer([payer, -20_000_000_000n], [bob.id, 20_000_000_000n]))
    expect(txs.map((tx) => tx.result)).toEqual(['INSUFFICIENT_ACCOUNT_BALANCE'])
    expect(hbarOf(payer)).toBe(before - 83_333n)
    expect(hbarOf(bob.id)).toBe(received)
    expect(result(hbarTransfer([bob.id, -1], [payer, 1]))).toBe('INVALID_SIGNATURE')
    expect(result(hbarTransfer([bob.id, -1], [payer, 1]), { keys: [payerKey, bob.key] })).toBe('SUCCESS')
    expect(result(hbarTransfer([payer, -1], ['0.0.77777', 1]))).toBe('INVALID_ACCOUNT_ID')
  })

  it('consensus times rise and are unique, and an id is taken once', () => {
    const all = [send(pay), send(pay), send(pay)].flatMap(({ txs }) => txs.map(({ consensus }) => consensus))
    expect(new Set(all).size).toBe(3)
    expect([...all].sort()).toEqual(all)
    const { bytes, id } = send(pay)
    expect(network.submit(bytes, '0.0.3')).toBe('DUPLICATE_TRANSACTION')
    expect(network.known(id)).toHaveLength(1)
  })

  it('one id at two nodes before consensus has an effect once, and pays two fees', () => {
    const before = hbarOf(payer) ?? 0n
    network.hold()
    const first = send({ ...pay, transactionID: sharedId() })
    const second = send({ ...pay, transactionID: sharedId() }, { node: '0.0.4' })
    expect([first.code, second.code, network.known(first.id)]).toEqual(['OK', 'OK', null])
    network.release(false)
    expect(network.known(first.id)?.map((tx) => tx.result)).toEqual(['SUCCESS', 'DUPLICATE_TRANSACTION'])
    expect(hbarOf(payer)).toBe(before - 5n - 2n * 83_333n)
  })

  it('a transaction that is late has no effect and no fee; one that is dropped is unknown', () => {
    const before = hbarOf(payer)
    network.hold()
    const { id } = send(pay)
    network.blocks.wind(121_000)
    network.release(false)
    expect(network.known(id)?.map(({ result: code, fee }) => [code, fee])).toEqual([['TRANSACTION_EXPIRED', 0n]])
    network.hold()
    const dropped = send(pay)
    network.release(true)
    expect(network.known(dropped.id)).toEqual([])
    expect(hbarOf(payer)).toBe(before)
  })

  it('nodes forget a transaction after three minutes', () => {
    const { id } = send(pay)
    network.blocks.wind(179_000)
    expect(network.known(id)).toHaveLength(1)
    network.blocks.wind(2_000)
    expect(network.known(id)).toEqual([])
  })

  const SHARED = { seconds: 0n }
  const sharedId = (): proto.ITransactionID => {
    SHARED.seconds ||= network.now / 1_000_000_000n - 2n
    return { accountID: accountIdOf(payer), transactionValidStart: { seconds: int64(SHARED.seconds), nanos: 5 } }
  }
})

describe('keys', () => {
  it('a list needs all keys, a threshold some of them, and a receiver may have to sign', () => {
    const [one, two, three] = [edwardsKey(), ecdsaKey(), edwardsKey()]
    const keys = { keys: [one, two, three].map(({ key }) => key) }
    const spend = (id: string, ...signing: (typeof one)[]) =>
      result(hbarTransfer([id, -1], [bob.id, 1]), { keys: [payerKey, ...signing] })
    const list = open({ ...one, key: { keyList: keys } })
    expect([spend(list.id, one, two), spend(list.id, one, two, three)]).toEqual(['INVALID_SIGNATURE', 'SUCCESS'])
    const threshold = open({ ...one, key: { thresholdKey: { threshold: 2, keys } } })
    expect([spend(threshold.id, two), spend(threshold.id, three, two)]).toEqual(['INVALID_SIGNATURE', 'SUCCESS'])
    const update = { accountIDToUpdate: accountIdOf(bob.id), receiverSigRequiredWrapper: { value: true } }
    expect(result({ cryptoUpdateAccount: update }, { keys: [payerKey, bob.key] })).toBe('SUCCESS')
    expect([result(pay), result(pay, { keys: [payerKey, bob.key] })]).toEqual(['INVALID_SIGNATURE', 'SUCCESS'])
    network.apply({ cryptoUpdateAccount: { ...update, receiverSigRequiredWrapper: { value: false } } })
  })

  it('a transfer to an EVM address opens a hollow account, which its first signature completes', () => {
    const owner = ecdsaKey()
    const alias = Buffer.from(owner.address, 'hex')
    const { txs } = send(hbarTransfer([payer, -100_000_000n], [alias, 100_000_000n]))
    const child = txs.find(({ nonce }) => nonce === 1)
    const parent = txs.find(({ nonce }) => nonce === 0)
    expect([child?.kind, child?.parent]).toEqual(['cryptoCreateAccount', parent?.consensus])
    expect(child && parent && child.consensus < parent.consensus).toBe(true)
    expect(parent?.fee).toBe(83_333n + 41_666_666n)
    const id = child?.made.account ?? ''
    expect(accountIn(network.open, id)).toMatchObject({ key: null, balance: 10n ** 8n, slots: -1 })
    const long = Buffer.from(BigInt(id.slice(4)).toString(16).padStart(40, '0'), 'hex')
    expect(result(hbarTransfer([payer, -1], [long, 1]))).toBe('SUCCESS')
    const spend = (keys: (typeof owner)[]) => send(hbarTransfer([id, -1], [payer, 1]), { payer: id, keys })
    expect(spend([ecdsaKey()]).code).toBe('INVALID_SIGNATURE')
    expect(spend([owner]).txs.map(({ kind }) => kind)).toEqual(['cryptoUpdateAccount', 'cryptoTransfer'])
    expect(keyText(accountIn(network.open, id)?.key ?? {})).toBe(keyText(owner.key))
    expect(spend([owner]).txs).toHaveLength(1)
  })

  it('a deleted account neither pays nor receives', () => {
    const gone = open(ecdsaKey())
    const body = { deleteAccountID: accountIdOf(gone.id), transferAccountID: accountIdOf(payer) }
    expect(result({ cryptoDelete: body }, { keys: [payerKey, gone.key] })).toBe('SUCCESS')
    expect(result(hbarTransfer([payer, -1], [gone.id, 1]))).toBe('ACCOUNT_DELETED')
    expect(result(pay, { payer: gone.id, keys: [gone.key] })).toBe('PAYER_ACCOUNT_DELETED')
    expect(hbarOf(gone.id)).toBe(0n)
  })

  it('a spender transfers as much as its owner allowed', () => {
    const allowance = { owner: accountIdOf(bob.id), spender: accountIdOf(payer), amount: int64(7) }
    const approve = { cryptoApproveAllowance: { cryptoAllowances: [allowance] } }
    expect(result(approve)).toBe('INVALID_SIGNATURE')
    expect(result(approve, { keys: [payerKey, bob.key] })).toBe('SUCCESS')
    const amounts = [
      { accountID: accountIdOf(bob.id), amount: int64(-5), isApproval: true },
      { accountID: accountIdOf(payer), amount: int64(5) },
    ]
    const spend = () => send({ cryptoTransfer: { transfers: { accountAmounts: amounts } } }).txs[0]
    const done = spend()
    expect([done?.result, done?.transfers.find(({ account }) => account === bob.id)?.approval]).toEqual([
      'SUCCESS',
      true,
    ])
    expect(spend()?.result).toBe('AMOUNT_EXCEEDS_ALLOWANCE')
  })
})

describe('tokens', () => {
  it('an account receives a token it is associated with, or has a free slot for', () => {
    const made = token()
    const [plain, slot, full, unlimited] = [
      open(),
      open(edwardsKey(), 1n, 1),
      open(edwardsKey(), 1n, 1),
      open(edwardsKey(), 1n, -1),
    ]
    const give = (id: string, of = made) => result(tokenTransfer(of, [payer, -1], [id, 1]))
    expect(give(full.id, token())).toBe('SUCCESS')
    expect([plain, slot, full, unlimited].map(({ id }) => give(id))).toEqual([
      ...['TOKEN_NOT_ASSOCIATED_TO_ACCOUNT', 'SUCCESS', 'NO_REMAINING_AUTOMATIC_ASSOCIATIONS', 'SUCCESS'],
    ])
    const body = { tokenAssociate: { account: accountIdOf(plain.id), tokens: [tokenIdOf(made)] } }
    expect(result(body)).toBe('INVALID_SIGNATURE')
    expect(result(body, { keys: [payerKey, plain.key] })).toBe('SUCCESS')
    expect(result(body, { keys: [payerKey, plain.key] })).toBe('TOKEN_ALREADY_ASSOCIATED_TO_ACCOUNT')
    expect([give(plain.id), unitsOf(plain.id, made)]).toEqual(['SUCCESS', 1n])
    expect(give(plain.id, '0.0.77777')).toBe('INVALID_TOKEN_ID')
    expect(result(tokenTransfer(made, [payer, -1001], [plain.id, 1001]))).toBe('INSUFFICIENT_TOKEN_BALANCE')
  })

  it('freeze, KYC, pause and deletion stop transfers', () => {
    const { key } = payerKey
    const made = token({ freezeKey: key, kycKey: key, pauseKey: key, adminKey: key, supplyKey: key })
    const named = { account: accountIdOf(bob.id), token: tokenIdOf(made) }
    associate(bob.id, made)
    const give = () => result(tokenTransfer(made, [payer, -1], [bob.id, 1]))
    const steps: readonly (readonly [proto.ITransactionBody, string])[] = [
      [{}, 'ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN'],
      [{ tokenGrantKyc: named }, 'SUCCESS'],
      [{ tokenFreeze: named }, 'ACCOUNT_FROZEN_FOR_TOKEN'],
      [{ tokenUnfreeze: named }, 'SUCCESS'],
      [{ tokenPause: { token: named.token } }, 'TOKEN_IS_PAUSED'],
      [{ tokenUnpause: { token: named.token } }, 'SUCCESS'],
      [{ tokenMint: { token: named.token, amount: int64(9) } }, 'SUCCESS'],
      [{ tokenDeletion: { token: named.token } }, 'TOKEN_WAS_DELETED'],
    ]
    for (const [body, after] of steps) {
      if (Object.keys(body).length > 0) expect(result(body)).toBe('SUCCESS')
      expect(give()).toBe(after)
    }
    expect(unitsOf(payer, made)).toBe(1000n + 9n - 4n)
    const other = token()
    expect(result({ tokenPause: { token: tokenIdOf(other) } })).toBe('TOKEN_HAS_NO_PAUSE_KEY')
    expect(result({ tokenFreeze: { ...named, token: tokenIdOf(other) } })).toBe('TOKEN_HAS_NO_FREEZE_KEY')
  })
})

describe('custom fees', () => {
  const [collector, alice, carol] = [open(), open(), open()]
  const feeTo = (fee: proto.ICustomFee): proto.ICustomFee => ({
    ...fee,
    feeCollectorAccountId: accountIdOf(collector.id),
  })
  const world = (fees: readonly proto.ICustomFee[]) => {
    const made = token({ customFees: fees.map(feeTo) })
    for (const { id } of [alice, carol]) associate(id, made)
    network.apply(tokenTransfer(made, [payer, -500], [alice.id, 500]))
    const give = (amount: number) =>
      send(tokenTransfer(made, [alice.id, -amount], [carol.id, amount]), { keys: [payerKey, alice.key] })
    const held = () => [alice, carol, collector].map(({ id }) => unitsOf(id, made))
    return { made, give, held }
  }
  const tenth = { fractionalAmount: { numerator: int64(1), denominator: int64(10) } }

  it('a fraction is taken of what the receiver gets, within its minimum and maximum', () => {
    const bounds = { minimumAmount: int64(3), maximumAmount: int64(20) }
    const { give, held, made } = world([{ fractionalFee: { ...tenth, ...bounds } }])
    const { txs } = give(100)
    expect(held()).toEqual([400n, 90n, 10n])
    expect(txs[0]?.assessed).toEqual([
      { ...{ amount: 10n, collector: collector.id, payers: [carol.id] }, token: txs[0]?.assessed[0]?.token },
    ])
    give(10)
    expect(held()).toEqual([390n, 97n, 13n])
    give(300)
    expect(held()).toEqual([90n, 377n, 33n])
    // The collector pays no fee.
    const out = tokenTransfer(made, [collector.id, -10], [carol.id, 10])
    expect(result(out, { keys: [payerKey, collector.key] })).toBe('SUCCESS')
    expect(held()).toEqual([90n, 387n, 23n])
  })

  it('a net fraction and a fixed fee come on top, and are refused without the balance', () => {
    const { give, held } = world([
      { fractionalFee: { ...tenth, netOfTransfers: true } },
      { fixedFee: { amount: int64(5), denominatingTokenId: { tokenNum: int64(0) } } },
    ])
    give(100)
    expect(held()).toEqual([385n, 100n, 15n])
    expect(give(385).txs[0]?.result).toBe('INSUFFICIENT_SENDER_ACCOUNT_BALANCE_FOR_CUSTOM_FEE')
  })

  it('a fixed fee in HBAR costs the sender', () => {
    const { give, held } = world([{ fixedFee: { amount: int64(700) } }])
    const before = [hbarOf(alice.id) ?? 0n, hbarOf(collector.id) ?? 0n]
    expect(give(100).txs[0]).toMatchObject({ result: 'SUCCESS', fee: 20n * 83_333n + 6n })
    expect(held()).toEqual([400n, 100n, undefined])
    expect([hbarOf(alice.id), hbarOf(collector.id)]).toEqual([(before[0] ?? 0n) - 700n, (before[1] ?? 0n) + 700n])
  })
})

describe('transactions of one id', () => {
  it('a scheduled transfer runs once its signers signed', () => {
    const owner = open(ecdsaKey())
    const { cryptoTransfer = null } = hbarTransfer([owner.id, -9], [bob.id, 9])
    const scheduledTransactionBody = { cryptoTransfer, memo: 'later', transactionFee: int64(10n ** 8n) }
    const created = send({ scheduleCreate: { scheduledTransactionBody } })
    expect(created.txs.map(({ kind, scheduled }) => [kind, scheduled])).toEqual([['scheduleCreate', false]])
    const before = hbarOf(bob.id) ?? 0n
    const number = BigInt(created.txs[0]?.made.schedule?.slice(4) ?? 0)
    const sign = () =>
      result({ scheduleSign: { scheduleID: { scheduleNum: int64(number) } } }, { keys: [payerKey, owner.key] })
    expect(sign()).toBe('SUCCESS')
    expect(hbarOf(bob.id)).toBe(before + 9n)
    expect(network.known(created.id)?.map(({ kind, scheduled, result: code }) => [kind, scheduled, code])).toEqual([
      ...[
        ['scheduleCreate', false, 'SUCCESS'],
        ['cryptoTransfer', true, 'SUCCESS'],
      ],
    ])
    expect(sign()).toBe('SCHEDULE_ALREADY_EXECUTED')
  })

  it('transfers of a contract are children with a nonce, after their parent', () => {
    const parent = network.applyWithin([pay, hbarTransfer([payer, -2], [bob.id, 2])])
    const known = network.known(parent.id) ?? []
    expect(known.map(({ kind, nonce, parent: of }) => [kind, nonce, of])).toEqual([
      ...[
        ['contractCall', 0, null],
        ['cryptoTransfer', 1, parent.consensus],
        ['cryptoTransfer', 2, parent.consensus],
      ],
    ])
  })
})
