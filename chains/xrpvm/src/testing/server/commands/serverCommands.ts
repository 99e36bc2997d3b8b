import { type ClosedLedger, closeTimeOf } from '../../engine/closedLedger.js'
import type { LedgerWindow } from '../ledgerWindow.js'
import type { Params } from './params.js'
import { isoTime, placedFields, shownTx } from './transactionAnswer.js'

export type Command = (params: Params) => Readonly<Record<string, unknown>>

const VERSION = '2.6.1'
const XRP = 1_000_000

/** Commands about the server and its ledgers. */
export const serverCommands = (window: LedgerWindow): Readonly<Record<string, Command>> => {
  const { ledger } = window
  const { rules, settings } = ledger
  const openFee = () => ledger.costOf({ TransactionType: 'Payment' })
  return {
    ping: () => ({}),
    server_info: () => ({
      info: {
        ...{ build_version: VERSION, complete_ledgers: window.completeLedgers(), network_id: rules.networkId },
        ...{ peers: 1, server_state: 'full', load_factor: settings.load },
        ...{ time: new Date().toISOString(), uptime: Math.floor(process.uptime()) },
        validated_ledger: {
          ...{ hash: window.validated.hash, seq: window.validated.height, age: 0 },
          base_fee_xrp: Number(rules.baseFee) / XRP,
          reserve_base_xrp: Number(rules.reserveBase) / XRP,
          reserve_inc_xrp: Number(rules.reserveIncrement) / XRP,
        },
      },
    }),
    fee: () => ({
      current_ledger_size: `${ledger.open.applied.length}`,
      current_queue_size: `${ledger.open.queued.length}`,
      drops: {
        base_fee: `${rules.baseFee}`,
        median_fee: `${settings.medianFee}`,
        minimum_fee: `${rules.baseFee * BigInt(settings.load)}`,
        open_ledger_fee: `${openFee()}`,
      },
      expected_ledger_size: '1000',
      ledger_current_index: window.validated.height + 1,
      levels: {
        median_level: `${(settings.medianFee * 256n) / rules.baseFee}`,
        minimum_level: '256',
        open_ledger_level: `${(openFee() * 256n) / rules.baseFee}`,
        reference_level: '256',
      },
      max_queue_size: '20000',
    }),
    ledger_current: () => ({ ledger_current_index: window.validated.height + 1 }),
    ledger: (params) => ledgerAnswer(window, params),
  }
}

const ledgerAnswer = (window: LedgerWindow, params: Params): ReturnType<Command> => {
  const { number, closed } = window.asked(params)
  const wants = params.transactions === true
  if (closed !== null) {
    return {
      ledger: closedFields(window, closed, wants ? params.expand === true : null),
      ...{ ledger_hash: closed.hash, ledger_index: number, validated: true },
    }
  }
  const transactions = wants ? { transactions: window.ledger.open.applied.map(({ hash }) => hash) } : {}
  const { hash: parent_hash } = window.validated
  const ledger = { closed: false, ledger_index: number, parent_hash, ...transactions }
  return { ledger, ledger_current_index: number, validated: false }
}

/** `expand`: transactions with their fields; null: without transactions. */
const closedFields = ({ view }: LedgerWindow, block: ClosedLedger, expand: boolean | null) => ({
  ...{ closed: true, close_flags: 0, close_time: closeTimeOf(block), close_time_iso: isoTime(block) },
  ...{ close_time_resolution: 10, ledger_hash: block.hash, ledger_index: block.height, parent_hash: block.parentHash },
  ...{
    parent_close_time: closeTimeOf(view.blocks.block(block.height - 1) ?? block),
    total_coins: `${block.totalCoins}`,
  },
  ...(expand === null
    ? {}
    : {
        transactions: block.transactions.map((tx) =>
          expand ? { ...placedFields({ tx, block }), tx_json: shownTx(tx.tx) } : tx.hash,
        ),
      }),
})
