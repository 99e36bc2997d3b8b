/** Words about rate limits. */
export const limits = {
  title: 'Limits',
  lead: 'How many calls each key may make, and what is left now. Looking costs none of them.',
  list: 'Limits of the keys',
  empty: 'No keys in use',
  emptyHow: 'Limits belong to keys. Make one first.',
  none: 'Nothing limits the calls of this key.',
  columns: { bucket: 'Calls', limit: 'Limit', left: 'Left now', reset: 'Full again' },
  per: (limit: number, seconds: number) =>
    `${limit.toLocaleString('en')} ${seconds === 1 ? 'a second' : seconds === 60 ? 'a minute' : seconds === 3600 ? 'an hour' : `in ${seconds} s`}`,
  leftOf: (left: number, limit: number) => `${left.toLocaleString('en')} of ${limit.toLocaleString('en')}`,
  unknown: 'Not known before the next call',
  full: 'now',
  inSeconds: (seconds: number) => `in ${seconds} s`,
  buckets: {
    quote: 'Quotes and prices',
    requests: 'History of requests',
    status: 'Status of a request',
    execute: 'Execution',
    'transactions/status': 'Status of a transaction',
    'transactions/index': 'Transactions to look at',
    other: 'Everything else',
    dashboard: 'This dashboard',
    'dashboard/sign-in': 'Signing in',
  } as Readonly<Record<string, string>>,
  toKeys: 'To the keys',
  elevatedHint: 'A key with higher limits has its own numbers. An operator gives them.',
}
