import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { EVM_ID, SVM_ID } from './crossNetwork.js'
import {
  client,
  fromSolana,
  instructionsOf,
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
