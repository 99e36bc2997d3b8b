import { associatedAddress, transferChecked } from '@causeway/chain-svm/testing'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import { EVM_ID, SVM_ID } from './crossNetwork.js'
import {
  client,
  fromSolana,
  instructionsOf,
  MEMO,
  mintOf,
  network,
  options,
  pool,
  refusal,
  toSolana,
  useSolana,
} from './useSolana.js'

useSolana()

describe('a mint that takes its fee of every transfer', () => {
  it('is paid so much more that the quoted amount arrives', async () => {
    const recipient = await client.freshRecipient(SVM_ID)
    const request = { from: EVM_ID, to: SVM_ID, symbol: 'TIDE', amount: 40n * 10n ** 18n, recipient }
    const quote = await client.quote(request)
    await client.pay(quote, request)
    const { txHashes } = await client.waitFor(quote.requestId, ['success'])
    expect(txHashes).toHaveLength(1)
    const got = await client.balance(SVM_ID, recipient, 'TIDE')
    expect(got).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.amount))
  })

  it('is in books that agree with both chains to the unit', async () => {
    await waitForQuiet(pool, 60_000)
    const { code, output } = await runOperator(options, ['ledger', 'check'])
    expect(output).toContain('rules hold')
    expect(code).toBe(0)
    expect(await findWalletDifferences(pool)).toEqual([])
  })
})

describe('recipients on Solana', () => {
  it('a token account is refused in plain words: the owner is who is paid', async () => {
    const owner = Keypair.generate().publicKey
    const recipient = await network.svm.openTokenAccount(owner.toBase58(), mintOf('USDC'))
    const { status, message } = await refusal({ ...toSolana, recipient })
    expect(status).toBe(400)
    expect(message).toMatch(/token account/i)
  })

  it('a frozen token account is refused as one that cannot receive', async () => {
    const owner = Keypair.generate().publicKey.toBase58()
    await network.svm.openTokenAccount(owner, mintOf('USDC'))
    await network.svm.freeze(owner, mintOf('USDC'))
    const { status, errorCode, message } = await refusal({ ...toSolana, recipient: owner })
    expect([status, errorCode]).toEqual([400, 'DESTINATION_TX_FAILED'])
    expect(message).toMatch(/cannot receive|frozen/i)
  })

  it('an off-curve address, the account of a program, gets its tokens', async () => {
    const [recipient] = PublicKey.findProgramAddressSync([Buffer.from('vault')], MEMO)
    const request = { ...toSolana, recipient: recipient.toBase58() }
    expect(await refusal(request)).toMatchObject({ status: 400, errorCode: 'DESTINATION_TX_FAILED' })
    await network.svm.fund(request.recipient, 1_000_000n)
    const quote = await client.quote(request)
    await client.pay(quote, request)
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(SVM_ID, request.recipient, 'USDC')).toBe(BigInt(quote.details.currencyOut.amount))
  })

  it('the rent of an account that has to be made is in the fees, and nobody pays it for one that is there', async () => {
    const there = client.userAddress(SVM_ID, 4)
    const [fresh, old] = await Promise.all([client.quote(toSolana), client.quote({ ...toSolana, recipient: there })])
    const gas = ({ fees }: typeof fresh) => Number(fees.relayerGas?.amountUsd ?? fees.gas?.amountUsd)
    // 0.00203928 SOL at 100 dollars.
    expect(gas(fresh) - gas(old)).toBeCloseTo(0.203928, 2)
  })

  it('a mint is INVALID_RECIPIENT, an address of another chain INVALID_ADDRESS', async () => {
    expect(await refusal({ ...toSolana, recipient: mintOf('GOLD') })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_RECIPIENT',
    })
    expect(await refusal({ ...toSolana, recipient: `0x${'12'.repeat(20)}` })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_ADDRESS',
    })
  })

  it('an amount that would leave a new account below rent exemption is refused, with the least amount', async () => {
    const { status, message } = await refusal({ from: EVM_ID, to: SVM_ID, symbol: 'SOL', amount: 500_000n, user: 0 })
    expect(status).toBe(400)
    expect(message).toMatch(/rent|890880|minimum/i)
  })
})

describe('deposits that are not what they seem', () => {
  const memo = (text: string) => new TransactionInstruction({ keys: [], programId: MEMO, data: Buffer.from(text) })

  const parkedOrWaiting = async (requestId: string) => (await client.status(requestId as `0x${string}`)).status

  it('F20: another mint of the same symbol pays nothing', async () => {
    const user = network.svmUsers[1]
    if (user === undefined) throw new Error('no user')
    const fake = new PublicKey(await network.svm.createToken({ decimals: 6 }))
    await network.svm.fund(user.address, 10n ** 9n, fake.toBase58())
    await network.svm.openTokenAccount(network.vault.address, fake.toBase58())
    const quote = await client.quote({ ...fromSolana, user: 1 })
    const [source, target] = [user.keypair.publicKey, network.vault.keypair.publicKey].map((owner) =>
      associatedAddress(fake, owner),
    ) as [PublicKey, PublicKey]
    await network.svm.send(user, [
      transferChecked({
        ...{ source, mint: fake, destination: target, owner: user.keypair.publicKey },
        ...{ amount: 10n ** 7n, decimals: 6 },
      }),
      memo(quote.protocol.v2.orderId),
    ])
    // A true deposit that comes later has been filled: the watcher has passed the false one.
    const later = await client.quote({ ...fromSolana, user: 1 })
    await client.pay(later, { ...fromSolana, user: 1 })
    await client.waitFor(later.requestId, ['success'])
    expect(await parkedOrWaiting(quote.requestId)).toBe('waiting')
  })

  it('F19: a failed transaction with the right memo is not credited', async () => {
    const user = network.svmUsers[1]
    if (user === undefined) throw new Error('no user')
    const quote = await client.quote({ from: SVM_ID, to: EVM_ID, symbol: 'SOL', amount: 10n ** 9n, user: 1 })
    const failing = [
      memo(quote.protocol.v2.orderId),
      SystemProgram.transfer({
        fromPubkey: user.keypair.publicKey,
        toPubkey: network.vault.keypair.publicKey,
        lamports: 10n ** 9n,
      }),
      SystemProgram.transfer({
        fromPubkey: user.keypair.publicKey,
        toPubkey: Keypair.generate().publicKey,
        lamports: 10n ** 17n,
      }),
    ]
    await network.svm.send(user, failing, { mayFail: true })
    const later = await client.quote({ from: SVM_ID, to: EVM_ID, symbol: 'SOL', amount: 10n ** 9n, user: 1 })
    await client.pay(later, { from: SVM_ID, user: 1 })
    await client.waitFor(later.requestId, ['success'])
    expect(await parkedOrWaiting(quote.requestId)).toBe('waiting')
  })

  it('two equal deposits in one block are two, the second goes back', async () => {
    const quote = await client.quote({ ...fromSolana, user: 3 })
    await network.svm.hold()
    const user = network.svmUsers[3]
    if (user === undefined) throw new Error('no user')
    await network.svm.send(user, instructionsOf(quote), { wait: false })
    await network.svm.send(user, instructionsOf(quote), { wait: false })
    await network.svm.release()
    await client.waitFor(quote.requestId, ['success'])
    const children = await until('the second deposit to be refunded', async () => {
      const { rows } = await pool.query<{ status: string }>(
        `select status from requests where parent_request_id = decode($1, 'hex')`,
        [quote.requestId.slice(2)],
      )
      return rows.some(({ status }) => status === 'refund') ? rows : null
    })
    expect(children).toHaveLength(1)
  })
})

describe('who pays for a deposit on Solana (wire.md 1.2 depositFeePayer)', () => {
  it('the user itself, or a chain that knows no such thing, is refused', async () => {
    const user = client.userAddress(SVM_ID, 0)
    expect(await refusal({ ...fromSolana, more: { depositFeePayer: user } })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
      message: expect.stringContaining('depositFeePayer'),
    })
    expect(await refusal({ ...toSolana, more: { depositFeePayer: `0x${'12'.repeat(20)}` } })).toMatchObject({
      status: 400,
      errorCode: 'INVALID_REQUEST',
    })
  })

  it('somebody else pays fee and rent, and the deposit is still of the user', async () => {
    const [user, payer] = [network.svmUsers[2], network.svmUsers[3]]
    if (user === undefined || payer === undefined) throw new Error('too few users')
    const request = { ...fromSolana, symbol: 'GOLD', amount: 10n ** 9n, user: 2 } as const
    const quote = await client.quote({ ...request, more: { depositFeePayer: payer.address } })
    const before = await client.balance(SVM_ID, user.address, 'SOL')
    await network.svm.send(user, instructionsOf(quote), { feePayer: payer })
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(SVM_ID, user.address, 'SOL')).toBe(before)
    const { rows } = await pool.query<{ depositor: string }>(
      `select d.depositor from deposits d join requests r on r.id = d.request_id where r.id = decode($1, 'hex')`,
      [quote.requestId.slice(2)],
    )
    expect(rows[0]?.depositor).toBe(user.address)
  })
})

describe('recipients on Solana', () => {
  it('F124: a token account closed between quote and fill costs a rent that nobody paid for: refunded', async () => {
    const recipient = Keypair.generate().publicKey.toBase58()
    await network.svm.openTokenAccount(recipient, mintOf('USDC'))
    const quote = await client.quote({ ...toSolana, recipient })
    await network.svm.closeTokenAccount(recipient, mintOf('USDC'))
    await client.pay(quote, toSolana)
    const refunded = await client.waitFor(quote.requestId, ['refund'])
    expect(refunded.failReason).toBe('QUOTED_GAS_LIMIT_EXCEEDED')
    expect(await client.balance(SVM_ID, recipient, 'USDC')).toBe(0n)
  })
})

describe('deposits that are not what they seem', () => {
  it('F22: above the tier a deposit waits for finality, and one that leaves with a fork before is not filled', async () => {
    const large = { from: SVM_ID, to: EVM_ID, symbol: 'USDC', amount: 10n ** 9n, user: 2 } as const
    const recipient = await client.freshRecipient(EVM_ID)
    const quote = await client.quote({ ...large, recipient })
    await network.svm.pause()
    const tip = await network.svm.connection.getSlot('confirmed')
    await client.pay(quote, large)
    await client.waitFor(quote.requestId, ['pending'])
    await network.svm.dropSlots((await network.svm.connection.getSlot('confirmed')) - tip + 1)
    await network.svm.resume()
    await client.waitFor(quote.requestId, ['waiting'])
    expect(await client.balance(EVM_ID, recipient, 'USDC')).toBe(0n)
    await client.pay(quote, large)
    await client.waitFor(quote.requestId, ['success'])
    expect(await client.balance(EVM_ID, recipient, 'USDC')).toBe(BigInt(quote.details.currencyOut.amount))
  })
})

it('the books agree with both chains to the unit', async () => {
  await waitForQuiet(pool, 60_000)
  const { code, output } = await runOperator(options, ['ledger', 'check'])
  expect(output).toContain('rules hold')
  expect(code).toBe(0)
  expect(await findWalletDifferences(pool)).toEqual([])
})
