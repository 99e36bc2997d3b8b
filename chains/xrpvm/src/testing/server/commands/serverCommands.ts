import type { LedgerWindow } from '../ledgerWindow.js'
import type { Params } from './params.js'
import { isV2 } from './params.js'
import { isoTime, ledgerTxAnswer } from './transactionAnswer.js'

export type Command = (params: Params) => Readonly<Record<string, unknown>>

const VERSION = '2.6.1'
const XRP = 1_000_000

/** Commands about the server and its ledgers. */
export const serverCommands = (window: LedgerWindow): Readonly<Record<string, Command>> => {
  const { ledger } = window
  const { rules, settings } = ledger
  const base = () => ({
    build_version: VERSION,
    complete_ledgers: window.completeLedgers(),
    network_id: rules.networkId,
    peers: 1,
    server_state: 'full',
    time: new Date().toISOString(),
    uptime: Math.floor(process.uptime()),
  })
  const newest = () => ({ hash: window.validated.hash, seq: window.validated.number })
  const openFee = () => ledger.costOf({ TransactionType: 'Payment' })
  return {
    ping: () => ({}),
    version: () => ({ version: { first: '1.0.0', good: '1.0.0', last: '2.0.0' } }),
    server_info: () => ({
      info: {
        ...{ ...base(), load_factor: settings.load },
        validated_ledger: {
          ...{ ...newest(), age: 0, base_fee_xrp: Number(rules.baseFee) / XRP },
          reserve_base_xrp: Number(rules.reserveBase) / XRP,
          reserve_inc_xrp: Number(rules.reserveIncrement) / XRP,
        },
      },
    }),
    server_state: () => ({
      state: {
        ...{ ...base(), load_base: 256, load_factor: 256 * settings.load },
        validated_ledger: {
          ...{ ...newest(), close_time: window.validated.closeTime, base_fee: Number(rules.baseFee) },
          ...{ reserve_base: Number(rules.reserveBase), reserve_inc: Number(rules.reserveIncrement) },
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
      ledger_current_index: window.validated.number + 1,
      levels: {
        median_level: `${(settings.medianFee * 256n) / rules.baseFee}`,
        minimum_level: '256',
        open_ledger_level: `${(openFee() * 256n) / rules.baseFee}`,
        reference_level: '256',
      },
      max_queue_size: '20000',
    }),
    ledger_closed: () => ({ ledger_hash: window.validated.hash, ledger_index: window.validated.number }),
    ledger_current: () => ({ ledger_current_index: window.validated.number + 1 }),
    ledger_index: () => ({ ledger_index: window.validated.number, ledger_hash: window.validated.hash }),
    ledger: (params) => ledgerAnswer(window, params),
  }
}

const ledgerAnswer: (window: LedgerWindow, params: Params) => ReturnType<Command> = (window, params) => {
  const { number, closed } = window.asked(params)
  const [v2, wants, expand] = [isV2(params), params.transactions === true, params.expand === true]
  const index = v2 ? number : `${number}`
  if (closed === null) {
    const hashes = wants ? { transactions: window.ledger.open.applied.map(({ hash }) => hash) } : {}
    const parent_hash = window.validated.hash
    return {
      ledger: { closed: false, ledger_index: index, parent_hash, ...hashes },
      ledger_current_index: number,
      validated: false,
    }
  }
  const { hash, parentHash, closeTime, parentCloseTime, totalCoins, transactions } = closed
  const shown = transactions.map((one) => (expand ? ledgerTxAnswer(one, closed, v2) : one.hash))
  return {
    ledger: {
      ...{ closed: true, close_flags: 0, close_time: closeTime, close_time_iso: isoTime(closeTime) },
      ...{ close_time_resolution: 10, ledger_hash: hash, ledger_index: index, parent_hash: parentHash },
      ...{ parent_close_time: parentCloseTime, total_coins: `${totalCoins}` },
      ...(wants ? { transactions: shown } : {}),
    },
    ...{ ledger_hash: hash, ledger_index: number, validated: true },
  }
}
