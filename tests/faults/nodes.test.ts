import { freezeNode } from '@causeway/chain-evm/testing'
import { expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import {
  BLOCK_SECONDS,
  database,
  filled,
  host,
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
