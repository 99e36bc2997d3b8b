import { speakerOf } from '../request/requestReaderSql.js'

/** Of an arrival `d`: it stands on its chain, or in its mempool, and no deposit was made of it yet. */
export const LIES_THERE = `d.state in ('seen', 'included') and d.taken_by is null`

/** The first payment that lies at the address `a`. */
export const PAYMENT_AT_ADDRESS = `lateral (select d.tx_id as transfer_tx, split_part(d.sender, '?', 1) as depositor
  from deposit_arrivals d where d.address_id = a.id and ${LIES_THERE} order by d.id limit 1)`

/** The request that answers for an id whose own request nobody paid, as the status operations say (wire.md K.4 1); none where none does. */
export const answerOf = (
  id: string,
): string => `lateral (select c.id, c.status, c.fail_reason, c.refund_fail_reason, c.details, c.updated_at
  from requests c where c.id = ${speakerOf(id)} and c.id <> ${id})`
