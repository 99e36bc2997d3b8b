import { expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { NATIVE } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import {
  database,
  filled,
  host,
  inventoryOf,
  network,
  pay,
  proxies,
  quote,
  readFrom,
  useThreeNodes,
} from './threeNodes.js'

useThreeNodes()

it('F128: a balance of a token that no node tells is not known: it stays as it was, and nothing looks stolen', {
  timeout: 120_000,
}, async () => {
  const [{ usdc }] = network.chains
  const before = await inventoryOf(usdc)
  for (const proxy of proxies[0] ?? []) {
    proxy.add('eth_call', {
      when: ([call]) => Reflect.get(Object(call), 'to') === usdc,
      error: { code: -32_000, message: 'missing trie node' },
    })
  }
  const since = (await inventoryOf(NATIVE)).ms
  await until('the other balances to be looked at for a while', async () =>
    (await inventoryOf(NATIVE)).ms - since > 7_000 ? true : null,
  )
  expect(await inventoryOf(usdc)).toMatchObject({ balance: before.balance, apart: '0' })
  for (const proxy of proxies.flat()) proxy.clear()
})

it('F131: a height that a node invents holds up neither deposits nor what is known of the wallet, and the node is judged', {
  timeout: 120_000,
}, async () => {
  const [{ chain }] = network.chains
  const invented = `0x${(2n ** 53n).toString(16)}`
  const node = await readFrom(0)
  node.add('eth_blockNumber', { result: () => invented })
  node.add('eth_getBlockByNumber', {
    when: ([number]) => number === 'latest',
    rewrite: (block) => ({ ...Object(block), number: invented, hash: `0x${'ee'.repeat(32)}` }),
  })
  const next = await quote(4)
  await pay(4, next)
  await filled(next)
  await until('the node to be told', async () => {
    const text = await (await fetch(`${host.url}/metrics`)).text()
    return /causeway_rpc_endpoints\{chain="harbor",provider="[a-z]+",state="distrusted"\} 1/.test(text) ? true : null
  })
  // Of every node for a moment, when nobody is left to tell that it is wrong.
  for (const proxy of proxies[0] ?? []) {
    proxy.clear()
    proxy.add('eth_blockNumber', { times: 2, result: () => invented })
    proxy.add('eth_getBlockByNumber', {
      when: ([number]) => number === 'latest',
      times: 2,
      rewrite: (block) => ({ ...Object(block), number: invented, hash: `0x${'ee'.repeat(32)}` }),
    })
  }
  const last = await quote(0)
  await pay(0, last)
  await filled(last)
  const seen = (await inventoryOf(NATIVE)).ms
  await until('another look at the balances', async () => ((await inventoryOf(NATIVE)).ms > seen ? true : null))
  const { rows } = await database.pool.query<{ height: string }>(
    `select max(height)::text as height from (select height from inventory union all select height from lanes) as heights`,
  )
  expect(BigInt(rows[0]?.height ?? 0)).toBeLessThanOrEqual(BigInt(await chain.rpc<string>('eth_blockNumber')) + 1_000n)
  for (const proxy of proxies.flat()) proxy.clear()
  await waitForQuiet(database.pool)
})
