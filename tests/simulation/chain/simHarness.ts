import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { environmentOf, type Json, systemClock } from '@causeway/core'
import type { ChainAdapter, RpcEndpoint } from '@causeway/core/chain'
import type { ConformanceHarness } from '@causeway/core/testing'
import { pino } from 'pino'
import { seeded } from '../kernel/random.js'
import { simAdapter } from './simAdapter.js'
import { simChainConfig } from './simChain.js'
import { SimLedger } from './simLedger.js'
import type { SimKind } from './simPool.js'
import { SimUser } from './simUser.js'

const AMOUNT = 1_000n
const PLENTY = 1_000_000_000_000n
const EXPIRY_BLOCKS = 20
const SETTLE = 3
const NO_TAG = 'simulated users have an account each'
const KEPT = 'the nodes of a simulated ledger drop no block'

/** One node of a ledger behind HTTP, for the proxies of the kit. */
const serve = async (
  ledger: SimLedger,
  nodeUrl: string,
  change = (answer: string): string => answer,
): Promise<{ readonly url: string; readonly server: Server }> => {
  const server = createServer((incoming, outgoing) => {
    textOf(incoming)
      .then((body) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' })
        outgoing.end(change(ledger.answer(nodeUrl, body).text ?? ''))
      })
      .catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server }
}

/** The same blocks with other hashes. */
const onBranch = (answer: string): string => answer.replaceAll(/("hash":")[0-9a-f]/g, '$1f')

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const ledgerOf = (kind: SimKind, slug: string): SimLedger =>
  new SimLedger({
    chainId: 770_011,
    slug,
    kind,
    settle: kind === 'final' ? 0 : SETTLE,
    now: Date.now,
    random: seeded(slug),
    nodes: 1,
  })

const nodeUrlOf = (ledger: SimLedger): string => ledger.nodes[0]?.url ?? ''

/** A simulated ledger with everything the conformance kit needs, and how to end it. */
export const startSimHarness = async (
  kind: SimKind,
): Promise<{ readonly harness: ConformanceHarness; close(): Promise<void> }> => {
  const ledger = ledgerOf(kind, `proof-${kind}`)
  const { url, server } = await serve(ledger, nodeUrlOf(ledger))
  const servers = [server]
  const { payer, allocator } = ledger.keys
  const user = new SimUser('prover')
  for (const currency of [ledger.coin, ledger.token, ledger.strangeToken]) ledger.fund(user.address, currency, PLENTY)
  for (const currency of [ledger.coin, ledger.token]) {
    ledger.fund(payer.address, currency, PLENTY)
    ledger.fund(ledger.depository, currency, PLENTY)
  }
  const createAdapter = (rpc: readonly RpcEndpoint[], rangeBlocks = 500): ChainAdapter =>
    simAdapter(
      {
        kind,
        addresses: true,
        permits: null,
        network: ledger.slug,
        depository: ledger.depository,
        pollIntervalMs: 25,
        rpcTimeoutMs: 2_500,
        expiryBlocks: EXPIRY_BLOCKS,
        rangeBlocks,
      },
      {
        config: { ...simChainConfig(ledger), rpc },
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        environment: environmentOf({}),
      },
    )
  const rpc = [{ http: url, provider: 'sim' }]
  const adapter = createAdapter(rpc)
  await adapter.start(new AbortController().signal)
  const mine = (blocks: number): void => {
    for (let count = 0; count < blocks; count += 1) ledger.mine()
  }
  let strangers = 0
  const freshAddress = (): string => {
    strangers += 1
    return new SimUser(`stranger ${strangers}`).address
  }
  /** Sends what a step says, and has it included. */
  const send = (data: Json, by = user): string => {
    // CAST: what buildDeposit gives.
    const { to, currency, amount, memo } = data as Record<'to' | 'currency' | 'amount' | 'memo', string>
    const { raw } = by.deposit(ledger, { to, money: { currency, amount: BigInt(amount) }, memo })
    const id = ledger.submit(raw)
    ledger.mine()
    return id
  }
  const closed = freshAddress()
  ledger.close(closed)
  const harness: ConformanceHarness = {
    versions: { adapter: `simulated ${kind}`, localChain: 'simulated ledger' },
    adapter,
    rpc,
    createAdapter: (over) => createAdapter(over),
    smallPages: (over) => createAdapter(over, 1),
    signer: payer.signer,
    allocator: allocator.signer,
    user: {
      address: user.address,
      send: async (data) => send(data),
      // CAST: what buildDeposit gives is an object.
      sendFailing: async (data) => send({ ...(data as object), amount: (PLENTY * 2n).toString() }),
    },
    currencies: [ledger.coin, ledger.token],
    nativeDecimals: 6,
    amount: AMOUNT,
    freshAddress,
    addresses: addressTable(freshAddress()),
    feeErrorPercent: { deposit: 0, payout: 0 },
    finalDepth: ledger.settle,
    height: async () => ledger.head.height,
    advance: async (blocks) => mine(blocks),
    ...(kind === 'reorging' ? { reorg: async (depth) => reorg(ledger, depth) } : {}),
    expire: async () => {
      ledger.held = true
      mine(EXPIRY_BLOCKS + 1)
      ledger.held = false
    },
    strangeToken: async () => ledger.strangeToken,
    lookAlikes: [
      {
        what: 'a transfer to somebody else that names an order',
        make: async (orderId) => send({ to: freshAddress(), currency: ledger.token, amount: '7', memo: orderId }),
        arrived: null,
      },
      {
        what: 'a transfer whose memo only contains an order id',
        make: async (orderId) =>
          send({ to: ledger.depository, currency: ledger.token, amount: '7', memo: `for ${orderId}` }),
        arrived: { currency: ledger.token, amount: 7n },
      },
    ],
    deviations: { 'deposit-tagged': NO_TAG, 'deposit-forgotten': KEPT, 'death-forgotten': KEPT },
    impossibleRecipients: async () => [{ what: 'a closed account', address: closed, currency: ledger.coin }],
    hostile: async (what) => {
      if (what === 'forked') {
        const fork = await serve(ledger, nodeUrlOf(ledger), onBranch)
        servers.push(fork.server)
        return { endpoint: { http: fork.url }, close: () => closing(fork.server) }
      }
      // One of the same name whose blocks never come stands still.
      const other = ledgerOf(kind, what === 'wrong-chain' ? 'another' : ledger.slug)
      const hostile = await serve(other, nodeUrlOf(other))
      servers.push(hostile.server)
      return { endpoint: { http: hostile.url }, close: () => closing(hostile.server) }
    },
  }
  return {
    harness,
    close: async () => {
      await adapter.stop()
      await Promise.all(servers.map(closing))
    },
  }
}

/** As the kit asks for it: what the blocks held is gone. */
const reorg = (ledger: SimLedger, depth: number): void => ledger.reorg(depth, 'lost')

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const addressTable = (address: string): ConformanceHarness['addresses'] => {
  const last = address.endsWith('0') ? '1' : '0'
  return {
    valid: [{ text: address, canonical: address }],
    invalid: [
      { text: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', problem: 'foreign-network' },
      { text: `${address.slice(0, -1)}${last}`, problem: 'bad-checksum' },
      { text: address.slice(0, -1), problem: 'malformed' },
    ],
  }
}
