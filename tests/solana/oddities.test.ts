import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey, runOperator } from '../harness/host/operatorCommand.js'
import { until } from '../harness/until.js'
import type { Quote } from '../transfers/apiClient.js'
import { UserClient, type UserRequest } from '../transfers/userClient.js'
import { type CrossNetwork, currencyOf, EVM_ID, SVM_ID, startCrossNetwork } from './crossNetwork.js'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

let network: CrossNetwork
let database: TestDatabase
let host: HostProcess
let client: UserClient
let pool: Pool
let options: HostProcessOptions

beforeAll(async () => {
  ;[network, database] = await Promise.all([startCrossNetwork(), createTestDatabase({ packages: [] })])
  // Deposits worth more than 500 dollars wait until Solana itself calls them final.
  const quorum = [{ aboveUsd: '500', agreeing: 1, confirmations: 2 }]
  const chains = network.host.chains.map((chain) => (chain.id === SVM_ID ? { ...chain, quorum } : chain))
  options = { network: { ...network.host, chains }, databaseUrl: database.url }
  host = await startHostProcess(options)
  client = await UserClient.open(network, { url: host.url, apiKey: await createApiKey(options) })
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
})
afterAll(async () => {
  host?.signal('SIGTERM')
  await host?.ended
  await pool?.end()
  await database?.drop()
  await network?.close()
})

const mintOf = (symbol: string): string => currencyOf(network, SVM_ID, symbol).address
const refusal = async (request: UserRequest) => {
  await client.quote({ from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 })
  const { status, body } = await client.ask(request)
  const { errorCode, message } = body as unknown as { errorCode: string; message: string }
  return { status, errorCode, message }
}
const toSolana = { from: EVM_ID, to: SVM_ID, symbol: 'USDC', amount: 10n ** 19n, user: 0 } as const
const fromSolana = { from: SVM_ID, to: EVM_ID, symbol: 'USDC', amount: 10n ** 7n, user: 0 } as const

/** What the deposit of a quote does, to be sent by others than a plain wallet. */
const instructionsOf = ({ steps }: Quote): TransactionInstruction[] => {
  // CAST: the one step of a quote from Solana (wire.md A.5).
  const data = steps[0]?.items[0]?.data as { readonly instructions: readonly StepInstruction[] }
  return data.instructions.map(
    ({ keys, programId, data: bytes }) =>
      new TransactionInstruction({
        keys: keys.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
        programId: new PublicKey(programId),
        data: Buffer.from(bytes, 'hex'),
      }),
  )
}

interface StepInstruction {
  readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
  readonly programId: string
  readonly data: string
}

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
      getAssociatedTokenAddressSync(fake, owner),
    ) as [PublicKey, PublicKey]
    await network.svm.send(user, [
      createTransferCheckedInstruction(source, fake, target, user.keypair.publicKey, 10n ** 7n, 6),
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
