import { type Hex, hexDigits } from '@causeway/core'
import { PublicKey } from '@solana/web3.js'

/** What the program says of a deposit; the amount is what arrived, net of a fee of the token. */
export interface ProgramDepositEvent {
  readonly depositor: string
  /** Mint, or null for lamports. */
  readonly token: string | null
  readonly amount: bigint
  readonly orderId: Hex
}

const DEPOSIT_EVENT = Buffer.from('78f83d531f8e6b90', 'hex')
const KEY_BYTES = 32

/** Reads one event; null when it is none of a deposit. */
export const readDepositEvent = (data: Uint8Array): ProgramDepositEvent | null => {
  const bytes = Buffer.from(data)
  const at = 8 + KEY_BYTES
  if (bytes.length < at + 1 || !DEPOSIT_EVENT.equals(bytes.subarray(0, 8))) return null
  const tag = bytes.readUInt8(at)
  const after = at + 1 + (tag === 1 ? KEY_BYTES : 0)
  if (tag > 1 || bytes.length !== after + 8 + KEY_BYTES) return null
  return {
    depositor: new PublicKey(bytes.subarray(8, at)).toBase58(),
    token: tag === 1 ? new PublicKey(bytes.subarray(at + 1, after)).toBase58() : null,
    amount: bytes.readBigUInt64LE(after),
    orderId: `0x${hexDigits(bytes.subarray(after + 8))}`,
  }
}

/** Only an address may stand there: a program's own text, after `Program log:`, must not pass for a start or an end. */
const STARTED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[\d+\]$/
const ENDED = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success|failed.*)$/

/**
 * Deposit events that the program itself wrote, in order: lines of other programs, called by it or calling it, are not its
 * word. Null when the node cut the log: what is missing then cannot be known.
 */
export const depositEventsOf = (logs: readonly string[], program: string): ProgramDepositEvent[] | null => {
  const running: string[] = []
  const events: ProgramDepositEvent[] = []
  for (const line of logs) {
    if (line === 'Log truncated') return null
    const [, started] = line.match(STARTED) ?? []
    if (started !== undefined) running.push(started)
    else if (ENDED.test(line)) running.pop()
    else if (running.at(-1) === program && line.startsWith('Program data: ')) {
      const event = readDepositEvent(Buffer.from(line.slice('Program data: '.length), 'base64'))
      if (event !== null) events.push(event)
    }
  }
  return events
}
