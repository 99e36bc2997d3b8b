import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, giveTestAddress, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, textAt } from '../harness/apiCall.js'
import { depositNative } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  nativeTransfer,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { ROOT } from '../packing/packages.js'
import { type OperatorDesk, openDesk } from './operatorDesk.js'

const RUNBOOKS = join(ROOT, 'core/docs/runbooks')

/** Every command that a page tells to run, once. */
const COMMANDS = [
  ...new Set(
    readdirSync(RUNBOOKS)
      .map((page) => readFileSync(join(RUNBOOKS, page), 'utf8'))
      .flatMap((text) => [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].flatMap(([, block = '']) => block.split('\n')))
      .map((line) => line.trim())
      .filter((line) => line.startsWith('causeway '))
      .map((line) => line.slice('causeway '.length)),
  ),
].sort()

/** Commands of the host, and those that need a misfortune which another test causes: by their words, the test that runs them. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  backup: 'tests/days/backup.proof.test.ts',
  'deposit-addresses recover': 'plugins/operator/src/addresses/addressCommands.database.test.ts',
  'deposit-addresses rescan': 'plugins/operator/src/addresses/addressCommands.database.test.ts',
  'deposit-addresses sweep': 'plugins/operator/src/addresses/addressCommands.database.test.ts',
  doctor: 'tests/operator/doctor.test.ts',
  'halts release': 'tests/faults/vanished.nightly.test.ts',
  'inventory correct --missing': 'tests/faults/restore.test.ts',
  'inventory topup --out': 'tests/operator/integratorFees.nightly.test.ts',
  lanes: 'tests/operator/lanes.proof.test.ts',
  'lanes inspect': 'tests/operator/lanes.proof.test.ts',
  'lanes release': 'tests/operator/lanes.proof.test.ts',
  'parked close': 'tests/faults/restore.test.ts',
  refund: 'tests/operator/parked.proof.test.ts',
  start: 'tests/operations/plainStack.nightly.test.ts',
}

const elsewhere = (line: string): string | undefined =>
  Object.keys(RUN_ELSEWHERE).find((words) => {
    const [flag] = words.match(/--\w+/) ?? []
    const command = words.replace(/ --\w+$/, '')
    return new RegExp(`^${command}( [-<]| \\w+\\.dump|$)`).test(line) && (flag === undefined || line.includes(flag))
  })

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let desk: OperatorDesk

const quote = (user: number): Promise<QuoteAnswer> => quoteTransfer(deployment.engine, nativeTransfer(network, user))

/** A deposit that belongs to nothing, once it is parked. */
const park = async (user: number): Promise<string> => {
  const order: Hex = `0x${freshAddress().slice(2).padStart(64, '5')}`
  const txId = await depositNative(network.chains[0], userOf(network, user), order, ether('0.1'))
  return until('the deposit to be parked', async () => {
    const { rows } = await database.pool.query<{ id: string }>('select id::text as id from deposits where tx_id = $1', [
      txId,
    ])
    const [row] = rows
    await network.chains[0].chain.mine(1)
    const listed = row === undefined ? [] : listAt(await desk.json('parked list'), 'deposits')
    return listed.some((deposit) => textAt(deposit, 'depositId') === row?.id) ? row?.id : null
  })
}

/** Money in the wallet that nobody has booked. */
const give = async (user: number): Promise<Hex> => {
  const txId = await network.chains[0].chain.send(userOf(network, user), {
    to: network.roles.solver.address,
    data: '0x',
    value: ether('0.5'),
  })
  await receiptOf(network.chains[0].chain, txId)
  return txId
}

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url })
  desk = openDesk(deployment, { answer: true })
  const made = await quote(0)
  await executeQuote(network.chains[0].chain, userOf(network, 0), made)
  await waitForStatus(deployment.requests, made.requestId, ['success'])
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

/** An address that a quote gave. */
const giveAddress = async (): Promise<string> => {
  const address = freshAddress()
  const {
    requestId,
    protocol: {
      v2: { orderId },
    },
  } = await quote(5)
  await giveTestAddress(
    database.pool,
    {
      chainId: network.chains[0].chain.chainId,
      destination: { address },
      derivation: null,
      type: 'open',
      orderId,
      requestId,
      depositor: address,
      currency: network.chains[0].usdc,
      refundTo: null,
      recoveryAddress: null,
      liveUntil: Math.floor(Date.now() / 1000) + 3_600,
    },
    Date.now(),
  )
  return address
}

/** What is put for each `<name>` in a command, as an operator would find it. */
const subjects: Readonly<Record<string, (line: string) => Promise<string>>> = {
  id: async (line) => (line.startsWith('inventory') ? give(3) : (await quote(1)).requestId),
  deposit: () => park(2),
  paid: giveAddress,
  wallet: async () => freshAddress(),
  address: async () => freshAddress(),
  chain: async () => network.chains[0].slug,
  currency: async () => 'ETH',
  amount: async (line) => {
    if (line.startsWith('inventory correct')) await give(4)
    return '0.5'
  },
}

const fill = async (line: string): Promise<string> => {
  let filled = line
  for (const [blank, name = ''] of line.matchAll(/<([a-z]+)>/g)) {
    const subject = subjects[name]
    if (subject === undefined) throw new Error(`Nothing is known for ${blank} of "${line}".`)
    filled = filled.replace(blank, await subject(line))
  }
  return filled
}

/** The words of a command, its arguments, and its options as the program hands them on. */
const read = (line: string) => {
  const parts = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const isFlag = (part: string | undefined) => part?.startsWith('--') === true
  const bare = (part: string) => ['--offline', '--out', '--missing', '--unswept'].includes(part)
  const words = parts.filter((part, at) => !isFlag(part) && (!isFlag(parts[at - 1]) || bare(parts[at - 1] ?? '')))
  const options = Object.fromEntries(
    parts.flatMap((part, at) => (isFlag(part) ? [[part.slice(2), bare(part) || (parts[at + 1] ?? '')]] : [])),
  )
  const two = words.slice(0, 2).join(' ')
  const name = /^(parked|ledger|deposit-addresses) |^inventory (topup|correct)$/.test(two) ? two : (words[0] ?? '')
  return { name, given: words.slice(name.split(' ').length), options }
}

describe('commands of the pages for alerts do what an operator reads them for', () => {
  it.each(COMMANDS.filter((line) => elsewhere(line) === undefined))(
    'causeway %s',
    { timeout: 120_000 },
    async (line) => {
      const { name, given, options } = read(await fill(line))
      const said = await desk.run(name, given, options)
      expect(said.join('\n').length).toBeGreaterThan(10)
    },
  )

  it.each(Object.entries(RUN_ELSEWHERE))('causeway %s is left to %s, which speaks of it', (words, path) => {
    expect(COMMANDS.some((line) => elsewhere(line) === words)).toBe(true)
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const word of words.replace('--', '').split(' ')) expect(text).toMatch(new RegExp(`\\b${word}\\b`))
  })
})
