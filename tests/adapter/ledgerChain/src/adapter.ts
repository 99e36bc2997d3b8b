import { ServiceError } from '@causeway/core'
import type { ChainDeps, FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { type AdapterParts, accountChain, defineAdapter, depositStep } from '@causeway/core/chain-kit'
import { COIN, ledgerCodec, NATIVE, normalizeCurrency, validateAddress } from './address.js'
import { diagnoseLedger } from './ledgerDiagnosis.js'
import { LedgerNode } from './ledgerNode.js'
import { type LedgerOptions, type LedgerSettings, resolveOptions } from './options.js'
import { type LedgerParts, ledgerParts } from './parts.js'
import { FEE } from './transaction.js'

const FEE_QUOTE: FeeQuote = { network: { currency: NATIVE, amount: FEE }, validForMs: 60_000 }

/** One configured ledger: the members here are its own, the others are parts of core's kit (`ledgerParts`). */
export const ledgerAdapter = (options: LedgerOptions, deps: ChainDeps) => {
  const settings = resolveOptions(options)
  const node = new LedgerNode(settings, deps)
  return defineAdapter(ledgerPorts(node, settings, deps.config, ledgerParts(node, settings, deps)))
}

export type LedgerAdapter = ReturnType<typeof ledgerAdapter>

/** The ports of an adapter over these parts. */
export const ledgerPorts = (
  node: LedgerNode,
  { expiryBlocks }: LedgerSettings,
  config: ChainDeps['config'],
  parts: LedgerParts,
) => {
  const { depository } = parts
  const { reader, lane } = accountChain(parts)
  return {
    identity: {
      config,
      vmType: 'ledgervm',
      native: COIN,
      depository,
      maxAmount: 2n ** 63n - 1n,
      capabilities: {
        tokens: true,
        simulation: 'full',
        bump: 'resign-after-expiry',
        depositBinding: 'memo',
        destinationTag: true,
        refundToDepositor: true,
      },
      addressCodec: ledgerCodec,
      explorerPaths: { transaction: '/transfer/{TX_HASH}', address: '/account/{ADDRESS}', token: '/token/{ADDRESS}' },
    },
    forms: { validateAddress, normalizeCurrency },
    reader: {
      ...reader,
      diagnose: (request) => diagnoseLedger(request, { node, config, depository }),
    },
    payouts: {
      lane,
      simulate: (payout) => simulateTransfer(node, transferOf(payout)),
      estimatePayoutFee: async () => FEE_QUOTE,
    },
    deposits: {
      estimateDepositFee: async () => FEE_QUOTE,
      buildDeposit: async ({ from, money: { currency, amount }, orderId }) => [
        depositStep({ from, to: depository, currency, amount: amount.toString(), memo: orderId, expiryBlocks }),
      ],
    },
  } satisfies AdapterParts
}

/** The transfer that the ledger checks before the payment is sent. */
export const transferOf = ({ from, to, money: { currency, amount } }: Payout): object => ({
  from,
  to: to.address,
  currency,
  amount: amount.toString(),
})

/** Checks a transfer at a node. */
export const simulateTransfer = async (node: LedgerNode, transfer: object): Promise<Simulation> => {
  try {
    const { height } = await node.head()
    const reason = await node.check(transfer)
    return reason === null ? { ok: true, gas: 1n, block: BigInt(height) } : refusalOf(reason)
  } catch (error) {
    if (ServiceError.is(error)) return { ok: false, kind: 'transient', message: error.message }
    throw error
  }
}

const refusalOf = (reason: string): Simulation =>
  reason === 'INSUFFICIENT'
    ? { ok: false, kind: 'insufficient-funds', message: 'The solver does not hold enough of this currency now.' }
    : reason === 'CLOSED'
      ? { ok: false, kind: 'recipient-cannot-receive', message: 'The account of the recipient is closed.' }
      : { ok: false, kind: 'revert', message: 'The ledger would refuse the payment.' }
