import type { Pool } from 'pg'
import { locatorOf } from '../chain/txLocator.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import { PACKED_COLUMNS, type PackedQuote, unpackQuote } from '../quote/packing/quotePacking.js'
import { parseTerms, type QuoteTerms } from '../quote/quoteTerms.js'
import { findFundsAtAddress } from './fundsAtAddress.js'
import type { RequestOfTransaction, RequestReader, RequestStatusView } from './requestReader.js'
import type { RequestStatus } from './requestStatus.js'

interface StatusRow {
  status: RequestStatus
  details: string | null
  in_hashes: string[]
  transfer_tx: string | null
  out_hashes: string[]
  updated_at: Date
  quoted_at: Date
  origin: string
  destination: string
  fail_reason: string | null
  refund_fail_reason: string | null
  terms: string
}

/**
 * Who answers for an id: its own request once a deposit pays it, else the child that its quote tells of (faults.md F135). Of several
 * the newest that is not finished, else the newest; one whose deposit left its chain only where there is no other.
 */
export const speakerOf = (id: string): string => `coalesce(
  (select o.id from requests o where o.id = ${id} and o.status <> 'waiting'),
  (select c.id from requests c join deposits d on d.request_id = c.id where c.told_as = ${id} or c.answers_for = ${id}
   order by c.status = 'waiting', c.status in ('success', 'failure', 'refund'), d.id desc limit 1),
  ${id})`

const FIND_REQUEST = {
  name: 'request_status',
  text: `select r.status, r.details, r.updated_at, r.quoted_at, r.origin_chain_id::text as origin,
      r.destination_chain_id::text as destination, r.fail_reason, r.refund_fail_reason, r.transfer_tx, r.terms,
      coalesce(array_agg(t.tx_id order by t.created_at) filter (where t.direction = 'in'), '{}') as in_hashes,
      coalesce(array_agg(t.tx_id order by t.created_at) filter (where t.direction = 'out'
        and t.purpose = case when r.status = 'refund' then 'refund' else 'fill' end), '{}') as out_hashes
    from requests r left join request_txs t on t.request_id = r.id where r.id = ${speakerOf('$1')} group by r.id`,
}

const FIND_QUOTE = {
  name: 'quote_status',
  text: `select ${PACKED_COLUMNS}, created_at from quote_rows where id = $1 limit 1`,
}

/** Reads requests from PostgreSQL. */
export class SqlRequestReader implements RequestReader {
  readonly #pool: Pool

  constructor(deps: { readonly pool: Pool }) {
    this.#pool = deps.pool
  }

  async findStatus(requestId: Hex): Promise<RequestStatusView | null> {
    const values = [toBytea(requestId)]
    const { rows } = await this.#pool.query<StatusRow>({ ...FIND_REQUEST, values })
    const [own] = rows
    if (own !== undefined) return this.#withFunds(toView(requestId, own), own.status === 'waiting' ? own.terms : null)
    const { rows: quotes } = await this.#pool.query<PackedQuote & { created_at: Date }>({ ...FIND_QUOTE, values })
    if (quotes[0] === undefined) return null
    const { terms } = unpackQuote(quotes[0])
    return this.#withFunds(unpaidView(requestId, parseTerms(terms), quotes[0].created_at), terms)
  }

  /** Asked only of requests with an address. */
  async #withFunds(view: RequestStatusView, text: string | null): Promise<RequestStatusView> {
    const terms = text === null ? null : parseTerms(text)
    if (terms?.address === undefined) return view
    const asked = { ...terms.origin, amount: terms.depositAmount }
    const atAddress = await findFundsAtAddress(this.#pool, view.requestId, asked)
    return atAddress === null ? view : { ...view, atAddress }
  }

  async findByTransaction(chainId: number, txId: string): Promise<RequestOfTransaction | null> {
    const { rows } = await this.#pool.query<{ id: string; purpose: string; locator: string | null }>({
      name: 'request_by_tx',
      text: `select encode(coalesce(r.told_as, t.request_id), 'hex') as id, t.purpose, t.locator from request_txs t
        left join requests r on r.id = t.request_id
          and not exists (select from requests o where o.id = r.told_as and o.status <> 'waiting')
        where t.chain_id = $1 and t.tx_id = $2 order by t.created_at limit 1`,
      values: [chainId, txId],
    })
    const row = rows[0]
    if (row === undefined) return null
    const kind = row.purpose === 'deposit' || row.purpose === 'fill' || row.purpose === 'refund' ? row.purpose : 'other'
    return { requestId: `0x${row.id}`, kind, ...locatorOf(row.locator) }
  }
}

const unpaidView = (
  requestId: Hex,
  { origin, destination }: Pick<QuoteTerms, 'origin' | 'destination'>,
  at: Date,
): RequestStatusView => {
  const createdAt = at.getTime()
  return {
    requestId,
    status: 'waiting',
    details: null,
    inTxHashes: [],
    transferTx: null,
    txHashes: [],
    updatedAt: createdAt,
    quoteCreatedAt: createdAt,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    failReason: null,
    refundFailReason: null,
  }
}

const toView = (requestId: Hex, row: StatusRow): RequestStatusView => ({
  requestId,
  status: row.status,
  details: row.details,
  inTxHashes: row.in_hashes,
  transferTx: row.transfer_tx,
  txHashes: row.out_hashes,
  updatedAt: row.updated_at.getTime(),
  quoteCreatedAt: row.quoted_at.getTime(),
  originChainId: Number(row.origin),
  destinationChainId: Number(row.destination),
  failReason: row.fail_reason,
  refundFailReason: row.refund_fail_reason,
})
