import { type LedgerBalance, readLedgerBalances } from '@causeway/core/money-path'
import { runBookChecks } from '@causeway/plugin-operator'
import type { Pool } from 'pg'
import type { LocalNetwork, NetworkChain } from '../localNetwork.js'
import { until } from '../until.js'

const APPROVE = '0x095ea7b3'

/** What an account of a chain really holds. */
export const balanceOnChain = async ({ chain }: NetworkChain, account: string, currency: string): Promise<bigint> => {
  if (/^0x0{40}$/.test(currency)) return BigInt(await chain.rpc<string>('eth_getBalance', [account, 'latest']))
  const data = `0x70a08231${account.slice(2).padStart(64, '0')}`
  return BigInt(await chain.rpc<string>('eth_call', [{ to: currency, data }, 'latest']))
}

const balanceOf = (balances: readonly LedgerBalance[], account: string, chainId: number, currency: string): bigint =>
  balances.find((item) => item.account === account && item.chainId === chainId && item.currency === currency)
    ?.balance ?? 0n

/** Requests whose changes of status are not all in the outbox, once each and up to the status they have. */
const findUntold = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select encode(r.id, 'hex') as id from requests r
     left join lateral (select count(*) as told, count(distinct e.version) as versions, (array_agg(e.status order by e.version desc))[1] as last
       from request_events e where e.request_id = r.id and e.version between 2 and r.version) e on true
     where e.told <> r.version - 1 or e.versions <> e.told or (r.version > 1 and e.last <> r.status)`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Rules of the books that are broken, differences between them and the chains, and changes nobody would be told of, in words; empty when
 * all is well (invariant 5, architecture.md 6 Ledger and Outbox).
 */
export const findDiscrepancies = async (pool: Pool, network: LocalNetwork): Promise<string[]> => {
  const broken = await runBookChecks(pool)
  const balances = await readLedgerBalances(pool)
  const untold = await findUntold(pool)
  const problems = [
    ...broken.flatMap(({ check, cases }) => cases.map(({ ids, says }) => `${check}: ${ids.join(', ')}: ${says}`)),
    ...untold.map((id) => `a change of request ${id} is not in the outbox`),
  ]
  for (const { slug, account, currency, booked, real } of await findDifferences(pool, network))
    problems.push(`${slug} ${account} ${currency}: booked ${booked}, on chain ${real}`)
  for (const { slug, chain, currencies } of network.chains) {
    for (const { address } of currencies) {
      const owed = balanceOf(balances, 'owed', chain.chainId, address)
      if (owed !== 0n) problems.push(`${slug} owes ${-owed} of ${address}`)
    }
  }
  return problems
}

/** Where the books of wallets and depositories say something else than the chains, smallest unit. */
export const findDifferences = async (pool: Pool, network: LocalNetwork) => {
  const balances = await readLedgerBalances(pool)
  const all = await Promise.all(
    network.chains.flatMap((item) =>
      item.currencies.flatMap(({ address: currency }) =>
        (
          [
            ['wallet', network.roles.solver.address],
            ['depository', item.depository],
          ] as const
        ).map(async ([account, holder]) => ({
          slug: item.slug,
          account,
          currency,
          booked: balanceOf(balances, account, item.chain.chainId, currency),
          real: await balanceOnChain(item, holder, currency),
        })),
      ),
    ),
  )
  return all.filter(({ booked, real }) => booked !== real)
}

/** Waits until nothing is on its way any more. */
export const waitForQuiet = (pool: Pool, milliseconds = 60_000): Promise<true> =>
  until(
    'every payout to be final',
    async () => {
      const { rows } = await pool.query<{ open: number }>(
        `select (select count(*) from payouts where next_action is not null)::int
         + (select count(*) from requests where next_action is not null and status <> 'waiting')::int
         + (select count(*) from deposits where outcome is not null and state = 'included' and withdrawn_at is null
             and (outcome = 'balance' or exists (select 1 from payouts p where p.deposit_id = deposits.id and p.purpose in ('fill', 'refund')
               and p.state not in ('abandoned', 'dead')))
             and not exists (select 1 from payouts p where p.deposit_id = deposits.id and p.purpose = 'withdraw'
               and p.state = 'abandoned'))::int as open`,
      )
      return rows[0]?.open === 0 ? true : null
    },
    milliseconds,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await unfinished(pool))}`)
  })

/** What is still on its way, for messages. */
export const unfinished = async (pool: Pool): Promise<unknown> => {
  const payouts = await pool.query(
    `select id::text, purpose, chain_id::text, state, next_action, attempts, details from payouts where next_action is not null limit 5`,
  )
  const requests = await pool.query(
    `select encode(id, 'hex') as id, status, next_action from requests where next_action is not null limit 5`,
  )
  const deposits = await pool.query(
    `select id::text, chain_id::text, state, outcome, block_height::text from deposits where withdrawn_at is null limit 5`,
  )
  return { payouts: payouts.rows, requests: requests.rows, deposits: deposits.rows }
}

/**
 * What the chains show for each order: transactions of the solver whose calldata ends with its id, successful ones only.
 * The proof that nothing was paid twice does not come from our own books.
 */
export const paymentsByOrder = async (
  item: NetworkChain,
  solver: string,
  fromHeight = 0,
): Promise<Map<string, { fills: number; excess: number; withdrawals: number }>> => {
  const found = new Map<string, { fills: number; excess: number; withdrawals: number }>()
  for (const block of await blocksOf(item, fromHeight)) {
    for (const transaction of block.transactions) {
      if (transaction.to === null || transaction.from !== solver || transaction.input.length < 66) continue
      // A sweep pays nobody.
      if (transaction.to === item.depositAddressFactory) continue
      // An allowance of the operator's: its last word is an amount and no order.
      if (transaction.input.startsWith(APPROVE)) continue
      const receipt = await item.chain.rpc<{ status: string }>('eth_getTransactionReceipt', [transaction.hash])
      if (receipt.status !== '0x1') continue
      const orderId = `0x${transaction.input.slice(-64)}`
      const counts = found.get(orderId) ?? { fills: 0, excess: 0, withdrawals: 0 }
      if (transaction.to === item.depository) counts.withdrawals += 1
      else if (transaction.input.slice(0, -64).endsWith(EXCESS_MARK)) counts.excess += 1
      else counts.fills += 1
      found.set(orderId, counts)
    }
  }
  return found
}

interface BlockJson {
  readonly transactions: readonly {
    readonly hash: string
    readonly from: string
    readonly to: string | null
    readonly input: string
  }[]
}

const BLOCKS_AT_ONCE = 200

/** All blocks of a chain from a height on, with their transactions, in few calls: long tests have a thousand. */
const blocksOf = async ({ chain }: NetworkChain, fromHeight: number): Promise<BlockJson[]> => {
  const tip = Number(await chain.rpc<string>('eth_blockNumber'))
  const found: BlockJson[] = []
  for (let height = fromHeight; height <= tip; height += BLOCKS_AT_ONCE) {
    const count = Math.min(BLOCKS_AT_ONCE, tip - height + 1)
    const calls = Array.from({ length: count }, (_, at) => ({
      jsonrpc: '2.0',
      id: at,
      method: 'eth_getBlockByNumber',
      params: [`0x${(height + at).toString(16)}`, true],
    }))
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    // CAST: the shape of a batch of JSON-RPC answers; a block that is missing ends the test.
    const answers = (await response.json()) as { readonly id: number; readonly result: BlockJson }[]
    found.push(...answers.sort((a, b) => a.id - b.id).map(({ result }) => result))
  }
  return found
}

/** First four bytes of keccak256("excess"), before the order id of an excess payout. */
const EXCESS_MARK = '9eac1182'
