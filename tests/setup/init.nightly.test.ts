import { existsSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listKeystore } from '@causeway/core/host'
import { ROLES } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { loadConfig } from '../../host/dist/config/loadConfig.js'
import { addChain } from '../../host/dist/init/addToConfig.js'
import { initDeployment } from '../../host/dist/init/initDeployment.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { testPort } from '../harness/testPort.js'
import { executeQuote } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { operationsFile, PlainProcess } from '../operations/plainStack.js'
import { answers, chains, deployment, newFolder, quiet, tokens, useInit } from './initWorld.js'

useInit()

/** As after `export PATH` of day0.md. */
const PATH = `${fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))}${delimiter}${process.env.PATH}`

/** Commands of a section of the page, one a line. */
const shellBlock = (title: string): readonly string[] => {
  const [, section = ''] = operationsFile('README.md').split(`## ${title}\n`)
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  return block.trim().split('\n')
}

const toAnswer = (role: string, port: number | undefined, child: PlainProcess): Promise<unknown> =>
  Promise.race([
    until(`${role} to answer`, () =>
      fetch(`http://127.0.0.1:${port}/lives`).then(
        ({ ok }) => ok || null,
        () => null,
      ),
    ),
    child.ended.then(({ output }) => Promise.reject(new Error(`${role} ended: ${output}`))),
  ])

const transfer = async (url: string): Promise<void> => {
  const [from, to] = chains
  const user = from?.accounts[1]
  if (from === undefined || to === undefined || user === undefined) throw new Error('No chains')
  const native = '0x0000000000000000000000000000000000000000'
  const { requestId, ...quote } = await quoteOverHttp(url, {
    ...{ user, from: from.chainId, to: to.chainId, originCurrency: native, destinationCurrency: native },
    amount: 10n ** 17n,
  })
  await executeQuote(from, user, { requestId, ...quote })
  await until('the transfer', async () => {
    await Promise.all(chains.map((chain) => chain.mine()))
    const answer = await fetch(`${url}/intents/status/v3?requestId=${requestId}`)
    return Reflect.get(Object(await answer.json()), 'status') === 'success' ? true : null
  })
}

it('init writes down the currency of balances, and refuses one that is none of the chains', async () => {
  const [, lagoon] = answers('').chains
  if (lagoon === undefined) throw new Error('There is a second chain')
  const named = [{ ...lagoon, tokens: [tokens[1] ?? ''] }]
  const deps = { environment: {}, ...quiet }
  const balances = { slug: 'lagoon', token: 'USDC' }
  const file = await initDeployment(answers(newFolder(), { chains: named, balances }), deps)
  const { config } = await loadConfig(file, { environment: {} })
  expect(config.balances?.chainId).toBe(71_012)
  expect(config.balances?.currency.toLowerCase()).toBe(tokens[1]?.toLowerCase())
  const refused = newFolder()
  await expect(initDeployment(answers(refused, { chains: [lagoon], balances }), deps)).rejects.toThrow(
    'names USDC of lagoon, which is no currency of a named chain',
  )
  expect(existsSync(refused)).toBe(false)
})

it('init writes nothing when a node serves another chain, and overwrites nothing', async () => {
  const folder = newFolder()
  const [first] = chains
  const wrong = [{ slug: 'sepolia', rpc: [{ text: first?.rpcUrl ?? '' }], tokens: [] }]
  const deps = { environment: {}, ...quiet }
  await expect(initDeployment(answers(folder, { chains: wrong }), deps)).rejects.toThrow(
    'serves chain 71011, not chain 11155111',
  )
  expect(existsSync(folder)).toBe(false)
  const own = answers(folder, { chains: answers(folder).chains.slice(1) })
  await initDeployment(own, deps)
  expect(statSync(join(folder, 'passphrase')).mode & 0o777).toBe(0o600)
  const keys = readFileSync(join(folder, 'keys.json'), 'utf8')
  await expect(initDeployment(own, deps)).rejects.toThrow('nothing is overwritten')
  expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toBe(keys)
  // A chain is added beside the first, with a payout key of its own and the same depository.
  const file = join(folder, 'causeway.config.ts')
  const loaded = await loadConfig(file, { readKeys: false, environment: {} })
  const harbor = {
    slug: 'harbor',
    own: { id: 71_011, symbol: 'ETH' },
    rpc: [{ text: first?.rpcUrl ?? '' }],
    tokens: ['USDC'],
  }
  const place = { loaded, folder, timeoutMs: 5_000, ...deps }
  await expect(addChain(harbor, { packages: [], owner: undefined }, place)).rejects.toThrow('"USDC" is no address')
  const bare = { ...harbor, tokens: [tokens[0] ?? ''] }
  await addChain(bare, { packages: [], owner: undefined }, place)
  const { config } = await loadConfig(file, { environment: {} })
  expect(config.chains.map(({ slug, currencies }) => [slug, currencies.length])).toEqual([
    ['lagoon', 1],
    ['harbor', 2],
  ])
  expect(config.chains[1]?.options.depository).toBe(config.chains[0]?.options.depository)
  expect(config.keys.payout['71011']).toEqual({ keystore: 'payout-harbor' })
  const payer = listKeystore(join(folder, 'keys.json')).find(({ name }) => name === 'payout-harbor')
  expect(config.chains[1]?.solver).toBe(payer?.address)
})

it('"Four processes on one machine" of host/operations/README.md, run as it stands, moves value', async () => {
  const { folder, environment, deps } = deployment
  for (const { solver } of deps.loaded.config.chains)
    for (const chain of chains) await chain.fund(solver ?? '', 10n ** 19n)
  const running = new Map<string, PlainProcess>()
  const ports = new Map<string, number>()
  try {
    for (const line of shellBlock('Four processes on one machine')) {
      const role = / --role ([a-z]+) &$/.exec(line)?.[1]
      const port = await testPort()
      const words = line.replace(/ &$/, '').replace(/PORT=\d+/, `PORT=${port}`)
      const child = new PlainProcess(['sh', '-c', `exec env ${words}`], { cwd: folder, env: { ...environment, PATH } })
      if (role === undefined) expect(await child.ended, line).toMatchObject({ code: 0 })
      else {
        running.set(role, child)
        ports.set(role, port)
      }
    }
    expect([...running.keys()].sort()).toEqual([...ROLES].sort())
    for (const [role, child] of running) await toAnswer(role, ports.get(role), child)
    await transfer(`http://127.0.0.1:${ports.get('api')}`)
  } finally {
    await Promise.all([...running.values()].map((child) => child.stop()))
  }
})
