import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { EVM_ID, SVM_ID } from './crossNetwork.js'
import { client, mintOf, network, options, pool, toSolana, useSolana } from './useSolana.js'

useSolana()

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
