import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hbarTransfer, tokenTransfer } from '../../engine/signedTransaction.test.support.js'
import { accountIdOf, int64, tokenIdOf } from '../../engine/values.js'
import { type LocalHedera, startLocalHedera } from '../../node/localHedera.js'

const ALICE = `0x${'a1'.repeat(20)}`
const BIG = 9_007_199_254_740_993n

let chain: LocalHedera
let token = ''
let alice = ''

interface ShownTransaction {
  readonly consensus_timestamp: string
  readonly parent_consensus_timestamp: string | null
  readonly transaction_id: string
  readonly transaction_hash: string
  readonly name: string
  readonly nonce: number
  readonly token_transfers: unknown
  readonly assessed_custom_fees: readonly object[]
}

interface ShownBlock {
  readonly number: number
  readonly hash: string
  readonly previous_hash: string
  readonly timestamp: { readonly from: string; readonly to: string }
}

/** Members of the answers that the tests read; each answer has some of them. */
interface Answer extends ShownBlock {
  readonly transactions: readonly ShownTransaction[]
  readonly links: { readonly next: string | null }
  readonly account: string
  readonly accounts: readonly { readonly account: string }[]
  readonly balance: { readonly balance: number }
  readonly balances: unknown
  readonly tokens: unknown
  readonly total_supply: string
  readonly nodes: readonly { readonly node_account_id: string; readonly service_endpoints: readonly unknown[] }[]
  readonly current_rate: unknown
  readonly fees: unknown
  readonly blocks: readonly ShownBlock[]
}

const FIXTURES = new URL('fixtures/transactions.json', import.meta.url)
const recorded: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(FIXTURES, 'utf8'))

const get = async (path: string): Promise<Answer> => {
  const response = await fetch(`${chain.endpoint.http}${path.startsWith('/api') ? '' : '/api/v1'}${path}`)
  return JSON.parse(await response.text())
}

beforeAll(async () => {
  chain = await startLocalHedera({ chainId: 71_010, blockMs: 0 })
  await chain.fund(ALICE, 100n)
  alice = (await get(`/accounts/${ALICE}`)).account
  const collector = (await chain.apply({ cryptoCreateAccount: { key: { keyList: {} } } }))[0]?.account ?? ''
  const customFees = [{ feeCollectorAccountId: accountIdOf(collector), fixedFee: { amount: int64(3) } }]
  const made = { name: 'Dollar', symbol: 'USD', decimals: 6, treasury: accountIdOf('0.0.2'), initialSupply: int64(BIG) }
  token = (await chain.apply({ tokenCreation: { ...made, customFees } }))[0]?.token ?? ''
  await chain.apply({ ...tokenTransfer(token, ['0.0.2', -5], [alice, 5]), memo: 'order' })
})
afterAll(() => chain?.close())

/** Names and types of the fields of a value. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]))
}

describe('transactions', () => {
  it('have the recorded shape', async () => {
    const shown = recorded['GET /api/v1/transactions?account.id=0.0.9&type=credit']
    // CAST: a recorded answer of a mirror node.
    const [first] = (shown as Answer).transactions
    const [own] = (await get(`/transactions?account.id=${alice}&limit=1`)).transactions
    const nullable = { bytes: 'string', entity_id: 'null', memo_base64: 'null', node: 'string', transfers: [] }
    expect({ ...(shapeOf(own) as object), ...nullable }).toEqual({ ...(shapeOf(first) as object), ...nullable })
    expect(own).toMatchObject({ name: 'CRYPTOTRANSFER', result: 'SUCCESS', memo_base64: 'b3JkZXI=' })
    expect(own?.transaction_id).toMatch(/^0\.0\.2-\d{10}-\d{9}$/)
    expect(own?.consensus_timestamp).toMatch(/^\d{10}\.\d{9}$/)
    expect(Buffer.from(own?.transaction_hash ?? '', 'base64')).toHaveLength(48)
    expect(own?.token_transfers).toEqual([
      ...[
        { account: '0.0.2', amount: -5, is_approval: false, token_id: token },
        { account: alice, amount: 5, is_approval: false, token_id: token },
      ],
    ])
  })

  it('show the custom fees that were assessed', async () => {
    const [{ id } = { id: '' }] = await chain.apply(tokenTransfer(token, [alice, -1], ['0.0.2', 1]))
    const [detailed] = (await get(`/transactions/${id.replace(/@(\d+)\./, '-$1-')}`)).transactions
    // CAST: a recorded list of fees.
    const [fee = {}] = recorded['assessed_custom_fees of one transaction'] as readonly object[]
    expect(Object.keys(detailed?.assessed_custom_fees[0] ?? {}).sort()).toEqual(Object.keys(fee).sort())
    expect(detailed?.assessed_custom_fees).toMatchObject([
      { amount: 3, effective_payer_account_ids: [alice], token_id: null },
    ])
  })

  it('are listed in pages without gap or double, in both orders', async () => {
    for (const amount of [1, 2, 3, 4, 5, 6, 7]) await chain.apply(hbarTransfer(['0.0.2', -amount], [alice, amount]))
    const all = (await get(`/transactions?account.id=${alice}&limit=100&order=asc`)).transactions
    const walk = async (order: string, bound: string) => {
      const found: string[] = []
      let next: string | null = `/transactions?account.id=${alice}&limit=2&order=${order}${bound}`
      while (next) {
        const { transactions, links }: Answer = await get(next)
        found.push(...transactions.map((tx) => tx.consensus_timestamp))
        next = links.next
      }
      return found
    }
    const times = all.map((tx) => tx.consensus_timestamp)
    expect(times).toHaveLength(10)
    expect([...times].sort()).toEqual(times)
    const [first = '', last = ''] = [times[1], times[8]]
    expect(await walk('asc', '')).toEqual(times)
    expect(await walk('asc', `&timestamp=gt:${first}&timestamp=lte:${last}`)).toEqual(times.slice(2, 9))
    expect(await walk('desc', `&timestamp=gte:${first}&timestamp=lt:${last}`)).toEqual(times.slice(1, 8).reverse())
  })

  it('are filtered by result, type and name, also the debit of a token', async () => {
    const count = async (query: string) => (await get(`/transactions?limit=100&${query}`)).transactions.length
    expect(await count(`account.id=${alice}&type=credit`)).toBe(9)
    expect(await count(`account.id=${alice}&type=debit`)).toBe(1)
    expect(await count('account.id=0.0.2&type=debit&transactiontype=CRYPTOTRANSFER')).toBe(9)
    expect(await count('transactiontype=TOKENCREATION')).toBe(1)
    expect(await count('result=fail')).toBe(0)
  })

  it('with one id are told apart by nonce', async () => {
    const [{ id } = { id: '' }] = await chain.applyWithin(hbarTransfer(['0.0.2', -4], [alice, 4]))
    const path = `/transactions/${id.replace(/@(\d+)\./, '-$1-')}`
    const kinds = async (query: string) => (await get(path + query)).transactions?.map((tx) => [tx.name, tx.nonce])
    expect(await kinds('')).toEqual([
      ...[
        ['CONTRACTCALL', 0],
        ['CRYPTOTRANSFER', 1],
      ],
    ])
    expect(await kinds('?nonce=1')).toEqual([['CRYPTOTRANSFER', 1]])
    expect(await kinds('?scheduled=true')).toBe(undefined)
    const [parent, child] = (await get(path)).transactions
    expect(child?.parent_consensus_timestamp).toBe(parent?.consensus_timestamp)
  })

  it.each(['limit=0', 'order=up', 'timestamp=x', 'account.id=0xab', 'result=maybe', 'type=both', 'transactiontype=X'])(
    'are refused for %s',
    async (query) => {
      const response = await fetch(`${chain.endpoint.http}/api/v1/transactions?${query}`)
      const message = `Invalid parameter: ${query.slice(0, query.indexOf('='))}`
      expect([response.status, await response.json()]).toEqual([400, { _status: { messages: [{ message }] } }])
    },
  )
})

describe('accounts and tokens', () => {
  it('an account is found by its id, its EVM address and its long-zero address', async () => {
    const long = `0x${BigInt(alice.slice(4)).toString(16).padStart(40, '0')}`
    for (const name of [alice, ALICE, `0.0.${ALICE.slice(2)}`, long])
      expect((await get(`/accounts/${name}`)).account).toBe(alice)
    const found = await get(`/accounts/${alice}?transactions=false`)
    expect(found).toMatchObject({ evm_address: ALICE, key: null, deleted: false, max_automatic_token_associations: -1 })
    expect(found.balance).toMatchObject({ balance: 129, tokens: [{ token_id: token, balance: 4 }] })
    expect((await fetch(`${chain.endpoint.http}/api/v1/accounts/0.0.77777`)).status).toBe(404)
    expect((await get('/balances?account.id=0.0.98')).balances).toEqual([{ account: '0.0.98', balance: 0, tokens: [] }])
  })

  it('are listed in pages, with integers above 2^53 digit by digit', async () => {
    const { accounts, links } = await get('/accounts?limit=2&account.id=gte:0.0.3')
    expect(accounts.map(({ account }) => account)).toEqual(['0.0.3', '0.0.4'])
    expect(links.next).toBe('/api/v1/accounts?limit=2&account.id=gt:0.0.4')
    const text = await (await fetch(`${chain.endpoint.http}/api/v1/accounts/0.0.2/tokens`)).text()
    expect(text).toContain(`"balance":${BIG - 4n}`)
  })

  it('a token shows its supply, keys, statuses and fees', async () => {
    expect(await get(`/tokens/${token}`)).toMatchObject({
      ...{ decimals: '6', symbol: 'USD', total_supply: String(BIG), treasury_account_id: '0.0.2', deleted: false },
      ...{ pause_status: 'NOT_APPLICABLE', freeze_key: null, type: 'FUNGIBLE_COMMON' },
      custom_fees: { fixed_fees: [{ amount: 3, denominating_token_id: null }], fractional_fees: [] },
    })
    expect((await get(`/accounts/${alice}/tokens?token.id=${token}`)).tokens).toEqual([
      expect.objectContaining({
        ...{ automatic_association: true, balance: 4, decimals: 6, token_id: token },
        ...{ freeze_status: 'NOT_APPLICABLE', kyc_status: 'NOT_APPLICABLE' },
      }),
    ])
    await chain.apply({ tokenMint: { token: tokenIdOf(token), amount: int64(1) } })
    expect((await get(`/tokens/${token}`)).total_supply).toBe(String(BIG + 1n))
  })
})

describe('the network', () => {
  it('names its nodes, its rate and its blocks', async () => {
    const { nodes } = await get('/network/nodes')
    expect(nodes.map(({ node_account_id }) => node_account_id)).toEqual(['0.0.3', '0.0.4', '0.0.5'])
    expect(nodes[0]?.service_endpoints[0]).toMatchObject({ ip_address_v4: '127.0.0.1', port: expect.any(Number) })
    await chain.setRate({ hbar: 1, cents: 20 })
    expect((await get('/network/exchangerate')).current_rate).toMatchObject({ cent_equivalent: 20, hbar_equivalent: 1 })
    expect((await get('/network/fees')).fees).toHaveLength(3)
    const [newest, before] = (await get('/blocks?limit=2')).blocks
    expect(newest?.previous_hash).toBe(before?.hash)
    expect(newest?.hash).toMatch(/^0x[0-9a-f]{96}$/)
    expect(newest && before && newest.timestamp.from > before.timestamp.to).toBe(true)
    expect((await get(`/blocks/${before?.hash}`)).number).toBe(before?.number)
  })

  it('a mirror node lags behind consensus, prunes, and fails', async () => {
    const balance = async () => (await get(`/accounts/${alice}?transactions=false`)).balance.balance
    const before = await balance()
    await chain.lag(1)
    await chain.apply(hbarTransfer(['0.0.2', -9], [alice, 9]))
    expect(await balance()).toBe(before)
    await chain.lag(0)
    expect(await balance()).toBe(before + 9)
    await chain.forget(1)
    expect((await get(`/transactions?account.id=${alice}`)).transactions).toHaveLength(1)
    await chain.forget(0)
    await chain.failNext({ method: 'GET /api/v1/accounts/:id', status: 429 })
    expect((await fetch(`${chain.endpoint.http}/api/v1/accounts/${alice}`)).status).toBe(429)
    const small = await chain.addNode({ mostListed: 2 })
    expect(await (await fetch(`${small.endpoint.http}/api/v1/transactions?limit=9`)).json()).toMatchObject({
      links: { next: expect.stringContaining('timestamp=lt:') },
    })
  })
})
