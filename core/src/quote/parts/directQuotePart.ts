import { toBytea } from '../../database/hexBytea.js'
import type { QuotePart } from '../quoteExtension.js'
import type { QuoteTerms } from '../quoteTerms.js'

/** The row by which the watcher knows a quote that its user executes alone; none for other quotes. Live until the order deadline. */
export const directQuotePart = (terms: QuoteTerms): readonly QuotePart[] => {
  const { direct, requestId, origin, user, orderDeadline } = terms
  if (direct === undefined || direct.kind === 'call') return []
  return [
    {
      name: 'direct_quote',
      text: `insert into direct_quotes (request_id, chain_id, sender, kind, live_until)
        select $1::bytea, $2::bigint, $3::text, $4::text, to_timestamp($5::numeric) from stored`,
      values: [toBytea(requestId), origin.chainId, user, direct.kind, orderDeadline],
    },
  ]
}
