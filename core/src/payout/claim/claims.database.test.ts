import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AppBalance, isBalanceTooLow, readAppBalances } from '../../appBalance/appBalances.js'
import type { OutgoingTransaction } from '../../chain/laneAdapter.js'
import { findUnbalanced, type LedgerEntry, postLedger } from '../../ledger/ledger.js'
import type { Hex } from '../../money/hex.js'
import { GroundlessPayoutError } from '../ground/payoutGround.js'
import { DESTINATION, GroundWorld, NOW, ORIGIN } from '../groundWorld.test.support.js'
import { importTransactions, openLane } from '../lane/laneJournal.js'
import { findOpenPayouts, findReadyPayouts } from '../payoutQueries.js'
import type { StoredPayout } from '../payoutRecord.js'
import { recordNewGeneration } from '../settlement/recordDeath.js'
import { recordFinal } from '../settlement/recordFinal.js'
import { recordIncluded } from '../settlement/recordIncluded.js'
import { recordPayoutReorg } from '../settlement/recordReorg.js'
import { hasLostClaims } from './adoptClaims.js'
import { type ClaimTerms, claimIdOf, walletOfClaim } from './claimId.js'
import { findClaim, listClaims, type NewClaim, removeExpiredClaims, storeClaim } from './claimStore.js'
import { endClaim, payClaim } from './payClaim.js'

const OWNER = `0x${'0a'.repeat(20)}`
const LANE = { signer: '0x5e' }
const DOLLAR = { chainId: ORIGIN, currency: 'usd' }
const PAYEE = '0xpayee'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())
afterEach(async () => {
  await world.pool.query(`
    alter table ledger_entries disable trigger user; alter table ledger_transactions disable trigger user;
    truncate claims, payouts, imported_transactions, ledger_transactions, ledger_entries, app_balances, wallet_books cascade;
    alter table ledger_entries enable trigger user; alter table ledger_transactions enable trigger user`)
})

let number = 0
const give = (amount: bigint, wallet = OWNER) => {
  number += 1
  const entries: LedgerEntry[] = [
    { ...DOLLAR, account: 'capital', amount },
    { ...DOLLAR, account: 'app', amount: -amount, holder: wallet },
  ]
  return world.commit((client) => postLedger(client, [{ cause: `gift:${number}`, event: 'given', entries }], NOW))
}

const holdings = async (wallet = OWNER) => {
  const [{ chainId: _, currency: __, ...accounts } = {} as AppBalance] = await readAppBalances(world.pool, wallet)
  return Object.fromEntries(Object.entries(accounts).filter(([, amount]) => amount !== 0n))
}

/** Sums of accounts without a holder, and of what is paid in another currency. */
const books = async () => {
  const { rows } = await world.pool.query<{ key: string; amount: string }>(
    `select account || ' ' || currency as key, sum(amount)::text as amount from ledger_entries
     where holder is null and account not in ('capital', 'gas') and currency <> 'gas' group by 1 having sum(amount) <> 0 order by 1`,
  )
  return Object.fromEntries(rows.map(({ key, amount }) => [key, amount]))
}

/** Claims that were asked for, by id: the database stores them once they are signed. */
const asked = new Map<Hex, NewClaim>()

const ask = (amount: bigint, more: Partial<ClaimTerms> = {}): Hex => {
  number += 1
  const terms: ClaimTerms = {
    wallet: OWNER,
    balance: { ...DOLLAR, amount },
    ...{ ...DOLLAR, recipient: PAYEE, minimum: amount },
    ...more,
  }
  const id = claimIdOf(terms, { deployment: 'testnet', nonce: String(number) })
  asked.set(id, { ...terms, id, expiresAt: NOW + 600_000 })
  return id
}

const claimOf = (id: Hex): NewClaim => {
  const claim = asked.get(id)
  if (claim === undefined) throw new Error('Nothing was asked for by this id')
  return claim
}

const pay = async (id: Hex, amount: bigint, fee = 0n) =>
  world.commit((client) =>
    payClaim(
      client,
      { claim: claimOf(id), signature: '0x51', payment: { ...LANE, amount, fee, gas: null } },
      NOW + number,
    ),
  )

/** As a former release stored it before it was signed. */
const storeUnsigned = (id: Hex) => world.commit((client) => storeClaim(client, claimOf(id), NOW))

const readyOn = (chainId = ORIGIN) => findReadyPayouts(world.pool, { chainId, ...LANE }, NOW + 60_000, 100)
const ready = async (id: Hex, chainId = ORIGIN): Promise<StoredPayout> => {
  const found = (await readyOn(chainId)).find(({ orderId }) => orderId === id)
  if (found === undefined) throw new Error('The claim is not ready')
  return found
}
const onItsWay = async (
  id: Hex,
  chainId = ORIGIN,
  states: Parameters<typeof findOpenPayouts>[2] = ['signed', 'included'],
): Promise<StoredPayout> => {
  const open = await findOpenPayouts(world.pool, { chainId, ...LANE }, states, 100)
  const found = open.find(({ orderId }) => orderId === id)
  if (found === undefined) throw new Error('The claim is not on its way')
  return found
}
const attemptOf = ({ live }: StoredPayout) => {
  const attempt = live.at(-1)
  if (attempt === undefined) throw new Error('A signed payout has an attempt')
  return attempt
}
const sign = async (id: Hex, chainId = ORIGIN) => world.signAndStore(await ready(id, chainId))
const include = async (id: Hex, chainId = ORIGIN) => {
  const payout = await onItsWay(id, chainId)
  const block = { height: 5n, hash: world.id(), time: Math.floor(NOW / 1000) }
  const state = { status: 'success' as const, block, confirmations: 1, fee: 7n, paid: null, revert: null, txData: null }
  const sighting = { payout, attempt: attemptOf(payout), state }
  await world.commit((client) => recordIncluded(client, [sighting], 'gas', { now: NOW, settleAt: NOW }))
}
const reorg = async (id: Hex) => {
  const payout = await onItsWay(id)
  await world.commit((client) => recordPayoutReorg(client, payout, attemptOf(payout), 'gas', NOW))
}
const die = async (id: Hex) => {
  const payout = await onItsWay(id, ORIGIN, ['signed'])
  await world.commit((client) => recordNewGeneration(client, { payout, proof: 'spent' }, NOW))
}
const end = async (id: Hex) => {
  const payout = await ready(id)
  return world.commit((client) => endClaim(client, payout, 'its recipient refuses it', NOW))
}

describe('the id of a claim', () => {
  const terms: ClaimTerms = {
    wallet: OWNER,
    balance: { ...DOLLAR, amount: 5n },
    ...{ ...DOLLAR, recipient: PAYEE, minimum: 5n },
  }
  const idOf = (more: Partial<ClaimTerms> = {}, nonce = '1') =>
    claimIdOf({ ...terms, ...more }, { deployment: 'testnet', nonce })

  it('binds all that it pays, and names its wallet', () => {
    const ids = [
      idOf(),
      idOf({}, '2'),
      idOf({ recipient: 'another' }),
      idOf({ chainId: 9 }),
      idOf({ currency: 'eur' }),
      idOf({ minimum: 4n }),
      idOf({ balance: { ...DOLLAR, amount: 6n } }),
      idOf({ wallet: `0x${'0b'.repeat(20)}` }),
    ]
    expect(new Set(ids.map((id) => id.slice(0, 26))).size).toBe(ids.length)
    expect(ids.every((id) => /^0x[0-9a-f]{64}$/.test(id))).toBe(true)
    expect(walletOfClaim(idOf())).toBe(OWNER)
    expect(idOf()).toBe(idOf())
  })
})

describe('a claim is a payout of its own (wire.md 4.12)', () => {
  it('is taken of the balance with its payout, leaves it in its block, and is taken once', async () => {
    await give(100n)
    const id = ask(60n)
    expect(await readyOn()).toEqual([])
    expect([await pay(id, 60n), await pay(id, 60n)]).toEqual([true, false])
    expect(await holdings()).toEqual({ app: 40n, claimed: 60n })
    expect(await ready(id)).toMatchObject({
      purpose: 'claim',
      amount: 60n,
      deposit: null,
      recipient: { address: PAYEE },
    })
    await sign(id)
    await include(id)
    expect(await holdings()).toEqual({ app: 40n })
    expect(await books()).toEqual({ 'wallet usd': '-60' })
    const payout = await onItsWay(id)
    await world.commit((client) => recordFinal(client, [payout], [], NOW))
    const [shown] = await listClaims(world.pool, { wallet: OWNER, limit: 5, after: null })
    expect(shown).toMatchObject({ id, amount: 60n, state: 'final', txId: attemptOf(payout).txId })
  })

  it('in another currency it leaves by conversion, less what is kept', async () => {
    await give(100n)
    const id = ask(60n, { chainId: DESTINATION, currency: 'coin', minimum: 29n })
    await pay(id, 29n, 2n)
    await sign(id, DESTINATION)
    await include(id, DESTINATION)
    expect(await books()).toEqual({
      'conversion coin': '29',
      'conversion usd': '-58',
      'fees usd': '-2',
      'wallet coin': '-29',
    })
    expect(await holdings()).toEqual({ app: 40n })
  })

  it('a block that leaves takes it back, and the same bytes pay it again', async () => {
    await give(60n)
    const id = ask(60n)
    await pay(id, 60n)
    await sign(id)
    await include(id)
    await reorg(id)
    expect([await holdings(), await books()]).toEqual([{ claimed: 60n }, {}])
    await include(id)
    expect([await holdings(), await books()]).toEqual([{}, { 'wallet usd': '-60' }])
  })

  it('one that ends unpaid goes back to the balance, once; one on its way does not end', async () => {
    await give(60n)
    const id = ask(60n)
    await pay(id, 60n)
    const unsigned = await ready(id)
    await sign(id)
    const endNow = () => world.commit((client) => endClaim(client, unsigned, 'no', NOW))
    expect([await endNow(), await holdings()]).toEqual([false, { claimed: 60n }])
    await die(id)
    expect(await holdings()).toEqual({ claimed: 60n })
    expect([await end(id), await endNow()]).toEqual([true, false])
    expect(await holdings()).toEqual({ app: 60n })
    const [shown] = await listClaims(world.pool, { wallet: OWNER, limit: 5, after: null })
    expect(shown).toMatchObject({ state: 'dead', txId: null })
    expect(await pay(id, 60n)).toBe(false)
  })

  it('of many at once over one balance the database lets through what it covers, and nothing of the others is written', async () => {
    await give(100n)
    const ids = Array.from({ length: 12 }, () => ask(30n))
    const results = await Promise.allSettled(ids.map((id) => pay(id, 30n)))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(9)
    expect(refused.every(isBalanceTooLow)).toBe(true)
    expect(await holdings()).toEqual({ app: 10n, claimed: 90n })
    expect(await readyOn()).toHaveLength(3)
    const { rows } = await world.pool.query(`select count(*)::int as n from claims where payout_id is not null`)
    expect(rows).toEqual([{ n: 3 }])
  })

  it('nothing is stored for a payout that no signed claim is behind', async () => {
    await give(60n)
    const id = ask(60n)
    await pay(id, 60n)
    const payout = await ready(id)
    await world.pool.query('update claims set payout_id = null, signed_at = null')
    await expect(world.signAndStore(payout)).rejects.toThrow(GroundlessPayoutError)
    expect((await ready(id)).generation).toBe(0)
  })
})

describe('a database that forgot claims (faults.md F118, F120)', () => {
  const outgoing = (orderId: Hex, amount: bigint, more: Partial<OutgoingTransaction> = {}): OutgoingTransaction => ({
    tx: { id: world.id() },
    guards: [world.id()],
    orderId,
    purpose: 'claim',
    to: PAYEE,
    money: { currency: 'usd', amount },
    status: 'success',
    block: null,
    ...more,
  })
  const open = (...unknown: OutgoingTransaction[]) =>
    world.commit((client) =>
      openLane(client, { chainId: ORIGIN, ...LANE }, { position: 1, unknown, complete: true }, 9n, NOW),
    )

  /** Transactions that hold the lock between claims and imports, or wait for it. */
  const lockers = async (): Promise<number> => {
    const { rows } = await world.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and classid = hashtext('claims')::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]?.n ?? 0
  }

  it('finds the payment of one that waits on the chain, and does not pay it again', async () => {
    await give(60n)
    const id = ask(60n)
    await pay(id, 60n)
    expect(await open(outgoing(id, 60n))).toMatchObject({ state: 'open' })
    expect(await readyOn()).toEqual([])
    await include(id)
    expect([await holdings(), await books()]).toEqual([{}, { 'wallet usd': '-60' }])
  })

  it('finds it too where it is signed at the very moment of the import', async () => {
    await give(60n)
    const id = ask(60n)
    let goOn = (): void => {}
    const mayImport = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const importing = world.commit(async (client) => {
      await openLane(client, { chainId: ORIGIN, ...LANE }, { position: 1, unknown: [], complete: true }, 9n, NOW)
      await mayImport
      await importTransactions(client, { chainId: ORIGIN, ...LANE }, [outgoing(id, 60n)], NOW)
    })
    await expect.poll(lockers).toBe(1)
    const paying = pay(id, 60n)
    await expect.poll(lockers).toBe(2)
    goOn()
    await Promise.all([importing, paying])
    expect(await readyOn()).toEqual([])
    expect((await onItsWay(id)).live).toHaveLength(1)
  })

  it('books one that a former release stored and whose signature it lost, and one of which nothing is left', async () => {
    await give(100n)
    const known = ask(60n)
    await storeUnsigned(known)
    const unknown = claimIdOf(
      { wallet: OWNER, balance: { ...DOLLAR, amount: 30n }, ...DOLLAR, recipient: PAYEE, minimum: 30n },
      { deployment: 'testnet', nonce: 'lost' },
    )
    expect(await open(outgoing(known, 60n, { purpose: null }), outgoing(unknown, 30n))).toMatchObject({ state: 'open' })
    expect(await holdings()).toEqual({ app: 10n, claimed: 90n })
    await include(known)
    await include(unknown)
    expect([await holdings(), await books()]).toEqual([{ app: 10n }, { 'wallet usd': '-90' }])
    expect(await hasLostClaims(world.pool, OWNER)).toBe(false)
    expect(await pay(known, 60n)).toBe(false)
  })

  it('what the balance does not cover keeps the lane shut, and its wallet from claiming', async () => {
    await give(10n)
    const lost = claimIdOf(
      { wallet: OWNER, balance: { ...DOLLAR, amount: 30n }, ...DOLLAR, recipient: PAYEE, minimum: 30n },
      { deployment: 'testnet', nonce: 'lost' },
    )
    expect(await open(outgoing(lost, 30n))).toMatchObject({ state: 'quarantined' })
    expect(await holdings()).toEqual({ app: 10n })
    expect(await hasLostClaims(world.pool, OWNER)).toBe(true)
    expect(await hasLostClaims(world.pool, `0x${'0b'.repeat(20)}`)).toBe(false)
    await give(20n)
    expect(await open()).toMatchObject({ state: 'open' })
    expect(await hasLostClaims(world.pool, OWNER)).toBe(false)
    expect(await holdings()).toEqual({ claimed: 30n })
  })
})

it('a claim that a former release stored is removed a day after its time where no wallet signed it', async () => {
  const id = ask(1n)
  await storeUnsigned(id)
  await removeExpiredClaims(world.pool, NOW + 86_400_000)
  expect(await findClaim(world.pool, id)).toMatchObject({ payoutId: null })
  await removeExpiredClaims(world.pool, NOW + 86_400_000 + 600_001)
  expect(await findClaim(world.pool, id)).toBeNull()
})

it('property: whatever becomes of claims, each unit is free, on its way or paid, and the books sum to zero (invariant 5)', async () => {
  const steps = fc.array(
    fc.record({ kind: fc.constantFrom('give', 'claim', 'sign', 'include', 'reorg', 'die', 'end'), n: fc.nat(9) }),
    { minLength: 5, maxLength: 25 },
  )
  let round = 0
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      round += 1
      const wallet = `0x${round.toString(16).padStart(40, '0')}`
      let given = 0n
      const ids: Hex[] = []
      for (const { kind, n } of list) {
        if (kind === 'give') {
          await give(10n, wallet)
          given += 10n
          continue
        }
        if (kind === 'claim') {
          const amount = BigInt(n + 1)
          const id = ask(amount, { wallet })
          const taken = await pay(id, amount).catch((error: unknown) => {
            if (!isBalanceTooLow(error)) throw error
            return false
          })
          if (taken) ids.push(id)
          continue
        }
        const id = ids[n % Math.max(ids.length, 1)]
        if (id === undefined) continue
        // What does not fit the state of the claim changes nothing.
        await { sign, include, reorg, die, end }[kind as 'sign'](id).catch((error: unknown) => {
          if (!(error instanceof Error) || !/The claim is not/.test(error.message)) throw error
        })
      }
      const { app = 0n, claimed = 0n } = await holdings(wallet)
      const { rows } = await world.pool.query<{ paid: string }>(
        `select coalesce(sum(p.amount) filter (where p.state in ('included', 'final')), 0)::text as paid
         from claims c join payouts p on p.id = c.payout_id where c.wallet = $1`,
        [wallet],
      )
      expect(app + claimed + BigInt(rows[0]?.paid ?? '0')).toBe(given)
      expect(await findUnbalanced(world.pool)).toEqual([])
    }),
    { numRuns: 25 },
  )
})
