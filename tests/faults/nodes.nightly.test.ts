import { freezeNode } from '@causeway/chain-evm/testing'
import { expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { NATIVE } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import {
  BLOCK_SECONDS,
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

it('F131: deposits go on when the node that is read from stands still in the middle of work, on either chain, and are paid once', {
  timeout: 180_000,
}, async () => {
  const before = await quote(0)
  await pay(0, before)
  await filled(before)
  const paid = [before]
  for (const [turn, { chain }] of network.chains.entries()) {
    const next = await quote(1 + turn)
    const node = await readFrom(turn)
    await freezeNode(node, chain)
    const begun = performance.now()
    await pay(1 + turn, next)
    await filled(next)
    console.info(
      `${turn === 0 ? 'deposits' : 'fills'}: ${Math.round(performance.now() - begun)} ms with a frozen node, blocks every ${BLOCK_SECONDS * 1000} ms`,
    )
    paid.push(next)
  }
  for (const chain of network.chains) {
    await until('the frozen node to be told', async () => {
      const text = await (await fetch(`${host.url}/metrics`)).text()
      return new RegExp(`causeway_rpc_endpoints\\{chain="${chain.slug}",provider="[a-z]+",state="lagging"\\} 1`).test(
        text,
      )
        ? true
        : null
    })
  }
  expect(host.log()).toContain('A node of this chain stands still and is asked last')
  for (const proxy of proxies.flat()) proxy.clear()
  const after = await quote(3)
  await pay(3, after)
  await filled(after)
  await waitForQuiet(database.pool)
  const fills = await paymentsByOrder(network.chains[1], network.roles.solver.address)
  expect([...paid, after].map(({ protocol }) => fills.get(protocol.v2.orderId)?.fills)).toEqual([1, 1, 1, 1])
  expect(await findDiscrepancies(database.pool, network)).toEqual([])
})

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
    return /causeway_rpc_endpoints\{chain="harbor",provider="[a-z]+",state="(?:distrusted|down)"\} 1/.test(text)
      ? true
      : null
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
