import { randomBytes } from 'node:crypto'
import { testTokenAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import {
  createWalletOrder,
  readDatabaseId,
  readLedgerBalances,
  signWalletOrder,
  type WalletOrder,
  type WalletPolicy,
  walletOrderText,
} from '@causeway/core/money-path'
import { findAudit, withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { executeQuote, freshAddress, quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from './operatorDesk.js'
import { walletDesk } from './walletDesk.js'

const TREASURY = freshAddress()
const DAILY = freshAddress()
const SWEPT = freshAddress()
const REASON = { yes: true, reason: 'to the treasury' }

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let harbor: NetworkChain
let policy: WalletPolicy
let wallet: ReturnType<typeof walletDesk>

const key = () => userOf(network, 5)
const solver = () => network.roles.solver.address

/** An order as its command would make it, but for what is said. */
const orderOf = async (more: Partial<WalletOrder> = {}): Promise<WalletOrder> => ({
  network: 'testnet',
  database: await readDatabaseId(database.pool),
  action: 'send',
  chainId: harbor.chain.chainId,
  wallet: solver(),
  currency: NATIVE,
  amount: 5n,
  recipient: TREASURY,
  expires: Math.floor(Date.now() / 1_000) + 600,
  nonce: randomBytes(16).toString('hex'),
  ...more,
})

const sign = async (order: WalletOrder, by: Hex = key().privateKey) => {
  const text = walletOrderText(order)
  return { text, signature: await signWalletOrder(text, createSecp256k1Signer(by)) }
}

/** Writes an order and its payout as the command does, but checks nothing; returns its id. */
const put = async (order: WalletOrder, by?: Hex): Promise<Hex> => {
  const signed = await sign(order, by)
  return withTransaction(database.pool, (client) => createWalletOrder(client, signed, Date.now()))
}

/** Writes rows before any lane can look at them: they become due together. */
const putChanged = async (order: WalletOrder, change: string, values: readonly unknown[] = []): Promise<Hex> => {
  const signed = await sign(order)
  return withTransaction(database.pool, async (client) => {
    const id = await createWalletOrder(client, signed, Date.now())
    await client.query(change, [id.slice(2), ...values])
    return id
  })
}

interface Row {
  readonly state: string
  readonly details: string | null
  readonly trouble: string | null
  readonly next_action: string | null
  readonly signed: number
}

const payoutOf = async (id: Hex): Promise<Row | undefined> => {
  const { rows } = await database.pool.query<Row>(
    `select p.state, p.details, p.trouble, p.next_action, (select count(*)::int from payout_attempts a where a.payout_id = p.id) as signed
     from payouts p where p.order_id = decode($1, 'hex') and p.purpose in ('send', 'approve') order by p.id desc limit 1`,
    [id.slice(2)],
  )
  return rows[0]
}

const refusalOf = (id: Hex): Promise<Row> =>
  until('the order to be refused', async () => {
    const row = await payoutOf(id)
    return row?.state === 'dead' ? row : null
  })

const sentCount = async (): Promise<number> =>
  Number(await harbor.chain.rpc<string>('eth_getTransactionCount', [solver(), 'pending']))

const capitalOf = async (currency: string): Promise<bigint> =>
  (await readLedgerBalances(database.pool)).find(
    (item) => item.account === 'capital' && item.chainId === harbor.chain.chainId && item.currency === currency,
  )?.balance ?? 0n

const start = (wallet?: WalletPolicy) =>
  startDeployment({
    network,
    databaseUrl: database.url,
    perHour: { [harbor.chain.chainId]: [{ currency: harbor.usdc, amount: '100' }] },
    ...(wallet === undefined ? {} : { wallet }),
  })

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  ;[harbor] = network.chains
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  const { chainId } = harbor.chain
  policy = {
    operators: [key().address],
    allowed: [
      { chainId, address: TREASURY },
      { chainId, address: DAILY, currencies: [NATIVE], perDay: [{ currency: NATIVE, amount: '1.5' }] },
      { chainId, address: SWEPT, currencies: [harbor.blockable] },
    ],
  }
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

describe('where no operator is named', () => {
  it('the command says how to turn it on, and a lane refuses what is signed well', async () => {
    const off = await start()
    try {
      const desk = walletDesk(off, { key: key(), wallet: { operators: [], allowed: [] } })
      await expect(desk('send', ['harbor', 'ETH', '1'], { ...REASON, to: TREASURY })).rejects.toThrow(
        /off: .*wallet: \{ operators:/,
      )
      expect(await desk('list')).toContain('Wallet orders are off')
      const before = await sentCount()
      expect(await refusalOf(await put(await orderOf()))).toMatchObject({
        details: expect.stringContaining('names no operator'),
        signed: 0,
      })
      expect(await sentCount()).toBe(before)
    } finally {
      await off.kill()
    }
  })
})

describe('where an operator is named', () => {
  beforeAll(async () => {
    deployment = await start(policy)
    wallet = walletDesk(deployment, { key: key(), wallet: policy })
  })

  it('pays an allowed recipient once, through the lane, and books it as capital taken out', async () => {
    const before = await capitalOf(NATIVE)
    const said = await wallet('send', ['harbor', 'ETH', '0.25'], { ...REASON, to: TREASURY })
    await wallet('send', ['harbor', 'USDC', '3.5'], { ...REASON, to: TREASURY })
    await waitForQuiet(database.pool)
    expect(await balanceOnChain(harbor, TREASURY, NATIVE)).toBe(ether('0.25'))
    expect(await balanceOnChain(harbor, TREASURY, harbor.usdc)).toBe(3_500_000n)
    expect((await capitalOf(NATIVE)) - before).toBe(ether('0.25'))
    expect(await findDiscrepancies(database.pool, network)).toEqual([])
    expect(await openDesk(deployment).json('ledger check')).toMatchObject({ ok: true })
    const id = /0x[0-9a-f]{64}/.exec(said)?.[0] ?? ''
    expect(
      await findAudit(database.pool, { subject: `wallet ${harbor.chain.chainId} ${solver()}`, limit: 5 }),
    ).toContainEqual(
      expect.objectContaining({
        action: 'wallet send',
        details: expect.objectContaining({ order: id, reason: REASON.reason, operator: key().address, to: TREASURY }),
      }),
    )
    const listed = JSON.parse(await wallet('list', [], { json: true, chain: 'harbor' }))
    expect(listAt(listed, 'orders')).toContainEqual(
      expect.objectContaining({ id, state: 'final', recipient: TREASURY, txIds: [expect.any(String)] }),
    )
  })

  it('moves on beside transfers of users, in one lane', async () => {
    const user = userOf(network, 0)
    const recipient = freshAddress()
    const quote = await quoteTransfer(deployment.engine, {
      user,
      from: network.chains[1].chain.chainId,
      to: harbor.chain.chainId,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount: ether('0.1'),
      recipient,
    })
    const before = await balanceOnChain(harbor, TREASURY, NATIVE)
    await Promise.all([
      executeQuote(network.chains[1].chain, user, quote),
      ...['0.01', '0.02', '0.03'].map((amount) =>
        wallet('send', ['harbor', 'ETH', amount], { ...REASON, to: TREASURY }),
      ),
    ])
    await until('the fill', async () => ((await balanceOnChain(harbor, recipient, NATIVE)) > 0n ? true : null))
    await waitForQuiet(database.pool)
    expect((await balanceOnChain(harbor, TREASURY, NATIVE)) - before).toBe(ether('0.06'))
    expect(await findDiscrepancies(database.pool, network)).toEqual([])
  })

  describe('rows that somebody wrote are never signed, and say why', () => {
    const STRANGER = freshAddress()
    const cases: readonly (readonly [string, RegExp, () => Promise<Hex>])[] = [
      [
        'a payout without an order',
        /no signed order/,
        async () => putChanged(await orderOf(), `delete from wallet_orders where id = decode($1, 'hex')`),
      ],
      ['signed by another key', /of no operator/, async () => put(await orderOf(), userOf(network, 4).privateKey)],
      ['signed by the payout key', /of no operator/, async () => put(await orderOf(), network.roles.solver.privateKey)],
      [
        'without a signature',
        /of no operator/,
        async () => putChanged(await orderOf(), `update wallet_orders set signature = '' where id = decode($1, 'hex')`),
      ],
      [
        'another recipient in the payout',
        /not what the order says/,
        async () =>
          putChanged(await orderOf(), `update payouts set recipient = $2 where order_id = decode($1, 'hex')`, [
            STRANGER,
          ]),
      ],
      [
        'another amount in the payout',
        /not what the order says/,
        async () => putChanged(await orderOf(), `update payouts set amount = 6 where order_id = decode($1, 'hex')`),
      ],
      [
        'another purpose in the payout',
        /not what the order says/,
        async () =>
          putChanged(await orderOf(), `update payouts set purpose = 'approve' where order_id = decode($1, 'hex')`),
      ],
      [
        'another recipient in the text',
        /changed after it was signed/,
        async () =>
          putChanged(
            await orderOf(),
            `update wallet_orders set body = replace(body, $2, $3) where id = decode($1, 'hex')`,
            [TREASURY, STRANGER],
          ),
      ],
      [
        'another recipient in the text, and its id to match',
        /of no operator/,
        async () => {
          const order = await orderOf()
          const { signature } = await sign(order)
          const text = walletOrderText({ ...order, amount: 7n })
          return withTransaction(database.pool, (client) => createWalletOrder(client, { text, signature }, Date.now()))
        },
      ],
      ['expired', /expired/, async () => put(await orderOf({ expires: Math.floor(Date.now() / 1_000) - 5 }))],
      [
        'good for too long',
        /longer than a day/,
        async () => put(await orderOf({ expires: Math.floor(Date.now() / 1_000) + 90_000 })),
      ],
      [
        'of another database',
        /another deployment/,
        async () => put(await orderOf({ database: '00000000-0000-4000-8000-000000000000' })),
      ],
      ['of another network', /another deployment/, async () => put(await orderOf({ network: 'mainnet' }))],
      [
        'of another chain',
        /for the wallet .* on chain 70002/,
        async () =>
          putChanged(
            await orderOf({ chainId: network.chains[1].chain.chainId }),
            `update payouts set chain_id = ${harbor.chain.chainId} where order_id = decode($1, 'hex')`,
          ),
      ],
      [
        'to a recipient nobody allowed',
        /not in wallet.allowed/,
        async () => put(await orderOf({ recipient: STRANGER })),
      ],
      [
        'of a currency that its recipient may not have',
        /not in wallet.allowed/,
        async () => put(await orderOf({ recipient: DAILY, currency: harbor.usdc })),
      ],
      [
        'of more than its recipient may have in a day',
        /in a day/,
        async () => put(await orderOf({ recipient: DAILY, amount: ether('1.6') })),
      ],
      [
        'an allowance for a contract that is not configured',
        /no contract of this chain/,
        async () => put(await orderOf({ action: 'approve', currency: harbor.usdc, recipient: STRANGER })),
      ],
      [
        'an allowance for an allowed recipient',
        /no contract of this chain/,
        async () => put(await orderOf({ action: 'approve', currency: harbor.usdc, recipient: TREASURY })),
      ],
    ]

    it.each(cases)('%s', async (_name, why, write) => {
      const before = await sentCount()
      const id = await write()
      const row = await refusalOf(id)
      expect(row.details).toMatch(why)
      expect(row.signed).toBe(0)
      expect(await sentCount()).toBe(before)
      const listed = JSON.parse(await wallet('list', [], { json: true }))
      expect(listAt(listed, 'orders')).toContainEqual(
        expect.objectContaining({ id, state: 'refused', why: expect.stringMatching(why) }),
      )
    })
  })

  it('keeps within what a recipient may be sent in a day, and what the key may sign away in an hour', async () => {
    const first = await put(await orderOf({ recipient: DAILY, amount: ether('1') }))
    const second = await put(await orderOf({ recipient: DAILY, amount: ether('0.4') }))
    for (const id of [first, second])
      await until('it to be signed', async () => ((await payoutOf(id))?.state === 'ready' ? null : true))
    const third = await put(await orderOf({ recipient: DAILY, amount: ether('0.2') }))
    const waiting = await until('the third to wait', async () => {
      const row = await payoutOf(third)
      return row?.trouble?.includes('as much as a day allows') === true ? row : null
    })
    expect(waiting).toMatchObject({ state: 'ready', signed: 0 })
    for (const id of [first, second])
      await until('it to be final', async () => ((await payoutOf(id))?.state === 'final' ? true : null))
    expect(await balanceOnChain(harbor, DAILY, NATIVE)).toBe(ether('1.4'))
    const hourly = await put(await orderOf({ currency: harbor.usdc, amount: 99_000_000n }))
    await until('it to wait for the hour', async () =>
      (await payoutOf(hourly))?.next_action === 'await-limit' ? true : null,
    )
    expect((await payoutOf(hourly))?.signed).toBe(0)
    await database.pool.query(
      `update payouts set state = 'dead', next_action = null, next_action_at = null where state = 'ready' and purpose = 'send'`,
    )
  })

  it('sets allowances of configured contracts alone, and moves nothing by it', async () => {
    const allowance = async (): Promise<bigint> => {
      const data = encodeFunctionData({
        abi: testTokenAbi,
        functionName: 'allowance',
        args: [solver() as Hex, harbor.fillRouter as Hex],
      })
      const answer = await harbor.chain.rpc<Hex>('eth_call', [{ to: harbor.usdc, data }, 'latest'])
      return decodeFunctionResult({ abi: testTokenAbi, functionName: 'allowance', data: answer }) as bigint
    }
    const capital = await capitalOf(harbor.usdc)
    const held = await balanceOnChain(harbor, solver(), harbor.usdc)
    await wallet('approve', ['harbor', 'USDC', '12.5'], { ...REASON, contract: 'fill-router' })
    await waitForQuiet(database.pool)
    expect(await allowance()).toBe(12_500_000n)
    await wallet('approve', ['harbor', 'USDC', '0'], { ...REASON, contract: 'fill-router' })
    await waitForQuiet(database.pool)
    expect(await allowance()).toBe(0n)
    await expect(wallet('approve', ['harbor', 'USDC', '1'], { ...REASON, contract: TREASURY })).rejects.toThrow(
      /it has fill-router/,
    )
    expect(await capitalOf(harbor.usdc)).toBe(capital)
    expect(await balanceOnChain(harbor, solver(), harbor.usdc)).toBe(held)
    expect(await findDiscrepancies(database.pool, network)).toEqual([])
  })

  it('sweeps all that is promised to nobody', async () => {
    await wallet('sweep', ['harbor', 'BUSD'], { ...REASON, to: SWEPT })
    await waitForQuiet(database.pool)
    expect(await balanceOnChain(harbor, solver(), harbor.blockable)).toBe(0n)
    expect(await balanceOnChain(harbor, SWEPT, harbor.blockable)).toBe(10n ** 24n)
    await expect(wallet('sweep', ['harbor', 'BUSD'], { ...REASON, to: SWEPT })).rejects.toThrow(
      /Nothing of BUSD is free/,
    )
    await wallet('sweep', ['harbor', 'ETH'], { ...REASON, to: TREASURY })
    await waitForQuiet(database.pool)
    const left = await balanceOnChain(harbor, solver(), NATIVE)
    expect(left).toBeGreaterThan(0n)
    expect(left).toBeLessThan(ether('0.01'))
    expect(await findDiscrepancies(database.pool, network)).toEqual([])
  })

  it('an order that was paid is not paid again, whatever becomes of its rows', async () => {
    // All was swept.
    await harbor.chain.fund(solver(), ether('1'))
    const paid = await put(await orderOf({ amount: 11n }))
    const fresh = await orderOf({ amount: 13n })
    const freshSigned = await sign(fresh)
    const freshId = await withTransaction(database.pool, (client) => createWalletOrder(client, freshSigned, Date.now()))
    await waitForQuiet(database.pool)
    const before = await sentCount()
    // A second payout of it.
    await database.pool.query(
      `insert into payouts (purpose, cause, order_id, chain_id, signer, recipient, currency, amount, state, created_at, updated_at,
           next_action, next_action_at)
         select purpose, 'wallet:again', order_id, chain_id, signer, recipient, currency, amount, 'ready', now(), now(), 'sign', now()
         from payouts where order_id = decode($1, 'hex')`,
      [freshId.slice(2)],
    )
    await database.pool.query(`select pg_notify('causeway_lane', null)`)
    expect((await refusalOf(freshId)).details).toMatch(/Another payout claims the same order/)
    // Its own payout, as if it had died.
    await withTransaction(database.pool, async (client) => {
      const values = [paid.slice(2)]
      await client.query(
        `update payout_generations g set state = 'dead' from payouts p where p.id = g.payout_id and p.order_id = decode($1, 'hex')`,
        values,
      )
      await client.query(
        `update payouts set state = 'ready', next_action = 'sign', next_action_at = now() where order_id = decode($1, 'hex')`,
        values,
      )
    })
    expect((await refusalOf(paid)).details).toMatch(/It was paid by 0x/)
    // All that tells of it taken away, and the order written once more.
    await withTransaction(database.pool, async (client) => {
      for (const table of ['payout_guards', 'payout_attempts', 'payout_generations'])
        await client.query(
          `delete from ${table} t using payouts p where p.id = t.payout_id and p.order_id = decode($1, 'hex')`,
          [freshId.slice(2)],
        )
      await client.query(`delete from payouts where order_id = decode($1, 'hex')`, [freshId.slice(2)])
      await client.query(`delete from wallet_orders where id = decode($1, 'hex')`, [freshId.slice(2)])
    })
    await withTransaction(database.pool, (client) => createWalletOrder(client, freshSigned, Date.now()))
    // A lane that opens again meanwhile finds the payment on the chain, and takes it for the order's.
    const left = await until('the order to be closed', async () => {
      const row = await payoutOf(freshId)
      return row?.state === 'dead' || row?.state === 'final' ? row : null
    })
    if (left.state === 'dead') expect(left.details).toMatch(/It was paid by 0x/)
    expect(await sentCount()).toBe(before)
  })
})
