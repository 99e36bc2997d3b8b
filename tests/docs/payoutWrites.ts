const TABLES = [
  'payouts',
  'payout_generations',
  'payout_attempts',
  'payout_guards',
  'lanes',
  'lane_spending',
  'imported_transactions',
]

const WRITE = new RegExp(
  `\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?)\\s+(?:only\\s+)?(?:public\\.)?(?:${TABLES.join('|')})\\b`,
  'gi',
)

/** The beginnings of SQL statements in a source text that write payouts or lanes, each on one line. */
export const payoutWritesIn = (text: string): string[] =>
  [...text.matchAll(WRITE)].map(([found]) => found.replace(/\s+/g, ' '))
