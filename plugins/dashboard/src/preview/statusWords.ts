import type { RequestStatus } from '@causeway/core/plugin'

export interface StatusWords {
  /** Title of a shared link. */
  readonly title: string
  /** Of the picture: a few words. */
  readonly short: string
  readonly tone: 'busy' | 'good' | 'bad' | 'warn'
  /** `from` and `to` are names of chains. */
  describe(from: string, to: string): string
}

/** How each status reads where a link is shared: one sentence, with nothing that the status itself does not tell. */
export const STATUS_WORDS: Readonly<Record<RequestStatus, StatusWords>> = {
  waiting: {
    title: 'Waiting for the deposit',
    short: 'Waiting for the deposit',
    tone: 'busy',
    describe: (from, to) => `Nothing has arrived on ${from} yet. The payout on ${to} follows the deposit.`,
  },
  depositing: {
    title: 'The deposit is on its way',
    short: 'Deposit on its way',
    tone: 'busy',
    describe: (from, to) => `The deposit was seen on ${from} and is being confirmed. The payout on ${to} is next.`,
  },
  pending: {
    title: 'The deposit has arrived',
    short: 'Deposit arrived',
    tone: 'busy',
    describe: (from, to) => `The deposit arrived on ${from}. The payout on ${to} is next.`,
  },
  submitted: {
    title: 'The payout is on its way',
    short: 'Payout on its way',
    tone: 'busy',
    describe: (from, to) => `The deposit arrived on ${from}, and the payout on ${to} was sent.`,
  },
  success: {
    title: 'Paid out',
    short: 'Paid out',
    tone: 'good',
    describe: (from, to) => `The transfer from ${from} was paid out on ${to}.`,
  },
  failure: {
    title: 'The transfer failed',
    short: 'Failed',
    tone: 'bad',
    describe: (from, to) => `The transfer from ${from} to ${to} could not be made. The page says what happens next.`,
  },
  refund: {
    title: 'The transfer was refunded',
    short: 'Refunded',
    tone: 'warn',
    describe: (from, to) => `The transfer to ${to} could not be made, so the money went back on ${from}.`,
  },
}
