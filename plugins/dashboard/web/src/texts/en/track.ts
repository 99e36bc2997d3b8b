import { failReasons, refundFailReasons } from './failReasons.js'

/** Words of the page that says where a transfer is. */
export const track = {
  title: 'Where is my transfer?',
  lead: 'Paste what you have of it. You need no account, and nothing here can move money.',
  lookup: {
    label: 'Transfer id, order id or transaction hash',
    hint: 'It begins with 0x on most chains. Your app or wallet shows it under the payment.',
    submit: 'Find it',
    whereTitle: 'Where do I find it?',
    where: [
      ['In the app where you began', 'It shows the transfer id when you confirm, and in its history.'],
      ['In your wallet', 'Open the payment you sent. Its transaction hash finds the transfer too.'],
      ['In an explorer', 'Look up your address on the chain you paid from, and copy the hash of the payment.'],
    ] as readonly (readonly [string, string])[],
  },
  crumb: 'Look for another one',
  share: 'Share',
  shareTitle: 'Where my transfer is',
  shared: 'The link is copied',
  notShared: 'The link could not be copied. Copy it from the address bar.',
  shareHint: 'Whoever has this link sees what is on this page, and nothing more.',
  reconnecting: 'The service does not answer at the moment. Your money is safe where it is; this page goes on asking.',
  anotherChain: 'another chain',
  sentence: {
    waiting: (from: string, to: string) =>
      `Nothing has arrived on ${from} yet. As soon as your deposit is there, it is paid out on ${to}.`,
    depositing: (from: string, to: string) =>
      `Your deposit was seen on ${from} and is being confirmed. The payout on ${to} follows.`,
    pending: (from: string, to: string) =>
      `Your deposit arrived on ${from}. The payout on ${to} is next, usually within seconds.`,
    submitted: (from: string, to: string) =>
      `Your deposit arrived on ${from}. The payout on ${to} was sent, and its chain is confirming it.`,
    success: (from: string, to: string) => `Done. What you paid on ${from} was paid out on ${to}.`,
    failure: (from: string, to: string) =>
      `The payout on ${to} could not be made. Your deposit on ${from} is not lost.`,
    refund: (from: string, to: string) => `The payout on ${to} could not be made, so the money went back on ${from}.`,
  } as Readonly<Record<string, (from: string, to: string) => string>>,
  unknownStatus: 'The service gives a status that this page does not know. Load it again.',
  updated: 'Last change',
  asked: 'Asked for',
  wayTitle: 'The way of the money',
  way: {
    from: 'From',
    service: 'The service',
    to: 'To',
    stop: {
      origin: {
        waiting: 'Waiting for the deposit',
        depositing: 'Confirming the deposit',
        done: 'Deposit arrived',
        failure: 'Deposit arrived',
        refund: 'Money is back here',
      },
      service: {
        ahead: 'Pays out once the deposit is there',
        working: 'Preparing the payout',
        done: 'Payout sent',
        failure: 'Could not pay out',
        refund: 'Gave the money back',
      },
      destination: {
        ahead: 'Payout comes here',
        working: 'Confirming the payout',
        done: 'Paid out',
        none: 'No payout',
      },
    },
  },
  transactions: 'Transactions',
  payment: (chain: string) => `Payment to the address on ${chain}`,
  transactionsIn: (chain: string) => `Deposit on ${chain}`,
  transactionsOut: (chain: string) => `Payout on ${chain}`,
  transactionsBack: (chain: string) => `Refund on ${chain}`,
  noTransactions: 'None yet. They show here as soon as the chain has them.',
  hash: 'transaction hash',
  id: 'Transfer id',
  next: 'What happens next',
  nextWords: {
    waiting: [
      'Send the payment as your app or wallet shows it: to the right chain, in the right currency.',
      'If you sent it already, its chain may need some minutes. This page changes by itself.',
      'If the payment never comes, nothing happens, and nothing is owed.',
    ],
    moving: [
      'You have nothing to do. You may close this page: the transfer goes on without it.',
      'If the payout cannot be made, the money goes back to you on the chain you paid from.',
    ],
    success: ['You have nothing to do. The payment is final.'],
    failureAuto: [
      'The service is sending your money back to you on the chain you paid from, less the cost of sending it.',
      'You have nothing to do. This page changes when it is on its way.',
    ],
    failureManual: [
      'A person at the service has to send your money back. It stays where it is until then.',
      'Write to the app where you began, or to the service, and give them the transfer id on this page.',
    ],
    refund: [
      'A refund is what you paid, less the cost of sending it back. It goes to the refund address of the transfer, or to the wallet that paid.',
      'You have nothing to do. To try again, begin a new transfer.',
    ],
  },
  why: 'Why',
  said: 'What the chain or service said',
  refundTitle: 'What is a refund?',
  refundLead:
    'A transfer either arrives or comes back. If the payout cannot be made, for example because the price moved too far or the receiving wallet refused it, what you paid is sent back on the chain you paid from, less the cost of sending it. It never goes to anybody else.',
  unknown: {
    title: 'No transfer has this id',
    reasons: [
      'A payment that was sent just now may not be known yet. This page looks again every few seconds.',
      'Check that the whole of it is there: an id has 66 characters, and a hash of some chains is case-sensitive.',
      'It may belong to another service. Ask the app where you began for its transfer id.',
    ],
    lookingAgain: 'Looking again',
  },
  address: {
    title: 'This is an address',
    lead: 'The transfers of an address are its owner’s to see. Sign in with the wallet to see your own, or look for one transfer by its id.',
    signIn: 'Sign in to see your transfers',
  },
  tooMany: 'This page asked too often, and is waiting a moment.',
  failReasons,
  refundFailReasons,
  otherReason: (code: string) => `The service names the cause ${code}.`,
}
