import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex, type Json } from '@causeway/core'
import { createSecp256k1Signer, type Payout, type PreparedAttempt, type SignedAttempt } from '@causeway/core/chain'
import { accountLane, JsonRpcClient, readSequenceGuard } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { accountOfKey, NATIVE } from '../address/addresses.js'
import { FeeSource } from '../payout/feeLevels.js'
import { XrpFees } from '../payout/payoutFees.js'
import { xrpSimulator } from '../payout/simulator.js'
import type { SweepForms } from '../payout/sweepForms.js'
import { TransferRates } from '../payout/transferRates.js'
import { askHead } from '../rpc/xrpNode.js'
import { xrpProtocol } from '../rpc/xrpProtocol.js'
import { startLocalXrp } from '../testing/index.js'
import { xrpPayments } from './lane.js'

/** Above 1024: every transaction names it. */
const NETWORK = 21_337
const LIFETIME = 20n
export const MAX_FEE = 5000n
/** Ten XRP. */
export const PLENTY = 10_000_000_000n

const newKey = () => {
  const signer = createSecp256k1Signer(bytesToHex(randomBytes(32)))
  return { signer, address: accountOfKey(signer.publicKey) }
}

export const freshAddress = (): string => newKey().address

export const newOrderId = (): Hex => bytesToHex(randomBytes(32))

/** The paying side of an adapter over a local ledger that closes on demand, with a funded solver and a depository with a float. */
export const openPayWorld = async (sweeps: SweepForms | null = null) => {
  const chain = await startLocalXrp({ networkId: NETWORK, blockMs: 0 })
  const [solver, vault] = [newKey(), newKey()]
  await chain.fund(solver.address, PLENTY)
  await chain.fund(vault.address, PLENTY)
  const logger = pino({ level: 'silent' })
  const clients: JsonRpcClient[] = []
  const clientOf = (http: string): JsonRpcClient => {
    const client = new JsonRpcClient({ protocol: xrpProtocol(NETWORK), endpoints: [{ http }], timeoutMs: 2000, logger })
    clients.push(client)
    return client
  }
  const rpc = clientOf(chain.rpcUrl)
  const settings = { depository: vault.address, networkId: NETWORK, maxFeeDrops: MAX_FEE, lifetimeLedgers: LIFETIME }
  const parts = (asked = rpc) => ({
    ...{ rpc: asked, settings, sweeps },
    fees: new FeeSource(asked),
    rates: new TransferRates(asked),
  })
  const reports: string[] = []
  const newLane = (http?: string) => {
    const pool = http === undefined ? rpc : clientOf(http)
    return accountLane(xrpPayments(parts(pool)), {
      ...{ pool, settle: 0, heads: { latest: null, tip: () => askHead(pool) } },
      monitor: { report: ({ subject }) => void reports.push(subject) },
    })
  }
  return {
    chain,
    rpc,
    solver,
    vault,
    reports,
    settings,
    lane: newLane(),
    /** As after a fee level was changed: nothing is remembered. It asks another node where one is named. */
    newLane,
    simulator: () => xrpSimulator(parts()),
    fees: () => new XrpFees(parts()),
    close: async () => {
      for (const client of clients) client.close()
      await chain.close()
    },
    payout: (changes: Partial<Omit<Payout, 'to'>> & { readonly to?: string; readonly tag?: number } = {}): Payout => {
      const { to = freshAddress(), tag, ...rest } = changes
      const money = { currency: NATIVE, amount: 2_000_000n }
      const shared = { purpose: 'fill', orderId: newOrderId(), from: solver.address, money, calls: [] } as const
      return { ...shared, ...rest, to: { address: to, ...(tag === undefined ? {} : { tag }) } }
    },
    /** Signed from a position, not sent. */
    sign: async (lane: ReturnType<typeof newLane>, position: Json, ...payouts: readonly Payout[]) => {
      const made = await lane.prepare(
        payouts.map((payout) => ({ payout, gas: null })),
        position,
      )
      const attempts = await Promise.all(
        made.prepared.flatMap((item) => (item === null ? [] : [lane.sign(item, solver.signer, vault.signer)])),
      )
      return { attempts, prepared: made.prepared, position: JSON.parse(JSON.stringify(made.position)) as Json }
    },
    /** Makes tickets for an account. */
    tickets: (account: string, count: number) =>
      chain.apply({ TransactionType: 'TicketCreate', Account: account, TicketCount: count }),
  }
}

export type PayWorld = Awaited<ReturnType<typeof openPayWorld>>

export const only = (attempts: readonly SignedAttempt[]): SignedAttempt => {
  const [attempt] = attempts
  if (attempt === undefined) throw new Error('Nothing was signed.')
  return attempt
}

export const numberOf = (attempt: Pick<PreparedAttempt, 'guards'> | null | undefined): number =>
  Number(readSequenceGuard(attempt?.guards[0] ?? '')?.sequence)
